"""Inducers whose files a person may change are measured apart, so that finished studies of the others stay valid."""

from __future__ import annotations

from collections.abc import Sequence

from errorest.papers.kohavi.named_inducers import own_files

__all__ = ["studied_apart"]


def studied_apart(inducers: Sequence[str]) -> list[list[str]]:
    """Part inducers into those of ours and of scikit-learn, which are one study, and a study for each other one.

    All studies draw the same samples, since an inducer enters no seed.

    Examples
    --------
    >>> studied_apart(["c4.5", "errorest.inducers.majority.Majority", "naive-bayes"])
    [['c4.5', 'naive-bayes'], ['errorest.inducers.majority.Majority']]
    """
    own = [name for name in inducers if own_files([name])]
    ours = [name for name in inducers if name not in own]
    return [some for some in (ours, *([name] for name in own)) if some]
