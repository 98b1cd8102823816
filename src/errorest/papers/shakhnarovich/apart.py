"""Classifiers that the paper has not are measured apart, so that finished studies of its own stay valid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from errorest.papers.shakhnarovich.methods import classifier_named

__all__ = ["studied_apart"]


def studied_apart(classifiers: Sequence[str], name_in: Callable[[str], str] = str) -> list[list[str]]:
    """Part classifiers into the paper's, which are one study, and a study for each other one.

    All studies draw the same samples, since a classifier enters no seed.

    Parameters
    ----------
    classifiers : sequence of str
    name_in : callable
        Finds in each of them what :func:`~errorest.papers.shakhnarovich.methods.classifier_named` takes.

    Examples
    --------
    >>> studied_apart(["ldf", "sklearn.svm.SVC(C=2)", "knn(k=3)"])
    [['ldf', 'knn(k=3)'], ['sklearn.svm.SVC(C=2)']]
    """
    own = [text for text in classifiers if classifier_named(name_in(text)).reading == "own"]
    papers = [text for text in classifiers if text not in own]
    return [some for some in (papers, *([text] for text in own)) if some]
