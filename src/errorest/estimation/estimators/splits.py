"""Estimators that test each case on others of the sample, or on itself: no case is drawn twice.

Resubstitution, holdout, k-fold cross-validation and leave-one-out.  All error
rates are proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from errorest.data.sample import Sample
from errorest.estimation.estimators.estimator import Estimator, Outcomes, Weights, weighted
from errorest.resampling.scheme import Folds, Scheme
from errorest.resampling.schemes import APPARENT, Holdout, KFold, LeaveOneOut


@dataclass(frozen=True, eq=False)
class Apparent(Estimator):
    """Resubstitution: the share of the sample that its own classifier gets wrong."""

    name = "resubstitution"
    trusts_apparent = True

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The sample itself."""
        return (APPARENT,)


@dataclass(frozen=True, eq=False)
class RandomSubsampling(Estimator):
    """Holdout: train on a random part, test on the rest; repeated, random subsampling.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)
    repeats : int
        Independent splits, averaged.
    """

    name = "holdout"

    test: Fraction | float | int = Fraction(1, 3)
    repeats: int = 1

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The splits."""
        return (Holdout(self.test, self.repeats),)


@dataclass(frozen=True, eq=False)
class CrossValidation(Estimator):
    """k-fold cross-validation, perhaps repeated and averaged.

    Parameters
    ----------
    k : int or "n"
        Folds; ``"n"``: one a case.  Repeats of n folds are all equal, unless the inducer draws at random.
    repeats : int
        Independent splits.
    stratified : bool
        Keep the classes in proportion in every fold.
    weights : {"test-size", "folds"}
        Pool all tested cases of a split, or average the folds' rates with equal weight.
    """

    name = "cv"

    k: Folds = 10
    repeats: int = 1
    stratified: bool = False
    weights: Weights = "test-size"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The folds."""
        return (KFold(self.k, self.repeats, self.stratified),)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Pool or average the folds."""
        return weighted(outcomes[self.schemes[0]], self.weights)


@dataclass(frozen=True, eq=False)
class LeaveOneOutCV(Estimator):
    """Leave-one-out: every case tested on all the others."""

    name = "loo"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Each case left out."""
        return (LeaveOneOut(),)
