"""Whether an inducer can learn from a data set at all, before hundreds of samples of it are drawn."""

from __future__ import annotations

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.inducers import C45, Majority, NaiveBayes
from errorest.inducers.base import Inducer
from errorest.inducers.sklearn_adapter import SklearnInducer

__all__ = ["check_learnable"]

_TAKE_ALL = (C45, Majority, NaiveBayes, SklearnInducer)
"""Inducers for which any attribute and missing values will do; the adapter encodes what scikit-learn does not take."""


def check_learnable(name: str, inducer: Inducer, sample: Sample, n: int) -> None:
    """Refuse an inducer of ours that takes no such attributes, no missing values, or not so few cases.

    It learns from the whole data set and from n cases of it; an inducer that takes everything is not tried.

    Parameters
    ----------
    name : str
        Of the inducer, as the person wrote it.
    inducer : Inducer
    sample : Sample
        The whole data set.
    n : int
        Cases of the samples that are drawn of it.

    Raises
    ------
    UsageError
        In the inducer's own words, with the data set named.

    Examples
    --------
    >>> from errorest.data.sets import load
    >>> from errorest.inducers import KNN
    >>> check_learnable("knn(k=1)", KNN(1), load("iris"), 50)
    >>> check_learnable("knn(k=1)", KNN(1), load("chess"), 50)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    errorest.errors.UsageError: knn(k=1) cannot learn from chess: knn(k=1) was given the nominal attribute ...
    """
    if isinstance(inducer, _TAKE_ALL):
        return
    try:
        for cases in (sample.n, n):
            inducer.fit(sample.take(np.arange(cases)), np.random.default_rng(0))
    except UsageError as refused:
        raise UsageError(f"{name} cannot learn from {sample.name}: {refused}") from None
