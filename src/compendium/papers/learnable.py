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
    """
    if isinstance(inducer, _TAKE_ALL):
        return
    try:
        for cases in (sample.n, n):
            inducer.fit(sample.take(np.arange(cases)), np.random.default_rng(0))
    except UsageError as refused:
        raise UsageError(f"{name} cannot learn from {sample.name}: {refused}") from None
