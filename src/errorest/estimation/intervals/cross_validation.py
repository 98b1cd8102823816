"""Wald's interval of a cross-validation, with both variances of Bayle et al. (2020).

Their central limit theorem is for the mean error of the k classifiers of this very
cross-validation, for stable inducers; it is no interval for the procedure's mean error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

import numpy as np

from errorest.estimation.estimators import CrossValidation, Estimator
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold, LeaveOneOut


@dataclass(frozen=True, eq=False)
class OfFolds(IntervalMethod):
    """An interval of repeated cross-validation.

    Parameters
    ----------
    k : int
        Folds.
    repeats : int
        Independent splits into folds.
    stratified : bool
        Keep the classes in proportion in every fold.
    """

    estimators = ("cv",)

    k: int = 10
    repeats: int = 10
    stratified: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.k, 2, self.name, "folds")
        at_least(self.repeats, 1, self.name, "repeats")

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The folds."""
        return (KFold(self.k, self.repeats, self.stratified),)

    @property
    def surrounds(self) -> Estimator:
        """The mean of the folds' statistics."""
        return CrossValidation(self.k, self.repeats, self.stratified, "folds")

    @property
    def least(self) -> int:
        """One case a fold."""
        return self.k


@dataclass(frozen=True, eq=False)
class _Wald(IntervalMethod):
    target = "classifier"
    even = True
    aim = "the mean error of the classifiers of this cross-validation, each made of all folds but one"
    counts_groups = True

    def reduce(self, measured: Measured) -> Limits:
        """Take the variance of the losses."""
        losses, n = measured.losses(self.schemes[0]), measured.sample.n
        return Limits.around(float(losses.mean()), sqrt(self._variance(measured, losses) / n), measured.z, n)

    def _variance(self, measured: Measured, losses: np.ndarray) -> float:
        return float(losses.var())


@dataclass(frozen=True, eq=False)
class CvWald(_Wald):
    """Mean loss over all cases, plus and minus z sqrt(v / n).

    Parameters
    ----------
    k : int
        Folds.
    variance : {"all-pairs", "within-fold"}
        v: the mean of ``(l_i - mean)^2`` over all cases, divided by n; or the mean over the folds
        of each fold's sample variance (divided by its size less one), which takes two cases a fold.
    stratified : bool
        Keep the classes in proportion in every fold.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020), equations for sigma_out and sigma_in.
    """

    name = "cv-wald"
    estimators = ("cv",)

    k: int = 10
    variance: Literal["all-pairs", "within-fold"] = "all-pairs"
    stratified: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.k, 2, self.name, "folds")

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The folds."""
        return (KFold(self.k, stratified=self.stratified),)

    @property
    def least(self) -> int:
        """One case a fold, or two where each fold has a variance."""
        return 2 * self.k if self.variance == "within-fold" else self.k

    def _variance(self, measured: Measured, losses: np.ndarray) -> float:
        if self.variance == "all-pairs":
            return super()._variance(measured, losses)
        (scheme,) = self.schemes
        start = measured.outcome(scheme).resamples.start
        sizes = np.diff(start)
        squares = np.add.reduceat((losses - np.repeat(measured.row_means(scheme), sizes)) ** 2, start[:-1])
        return float((squares / (sizes - 1)).mean())


@dataclass(frozen=True, eq=False)
class LooWald(_Wald):
    """Mean loss of leave-one-out, plus and minus z sqrt(v / n), v of all pairs: a fold of one has no variance."""

    name = "loo-wald"
    estimators = ("loo",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Each case left out."""
        return (LeaveOneOut(),)
