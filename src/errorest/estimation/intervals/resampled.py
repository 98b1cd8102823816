"""Intervals of Nadeau & Bengio (2003) from repeated random splits and folds.

The corrected resampled t widens the t interval of the splits' rates for the cases they
share; the conservative z measures the variance on pairs of half samples, which overstates it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt

import numpy as np

from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, RandomSubsampling
from errorest.estimation.intervals.cross_validation import OfFolds
from errorest.estimation.intervals.draws import PairedHalves
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, at_least
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout


def _corrected_t(measured: Measured, scheme: Scheme) -> Limits:
    """Return m plus and minus t_{J-1} s sqrt(1/J + n2/n1) for the J rates (Nadeau & Bengio 2003, section 3)."""
    rates, n = measured.row_means(scheme), measured.sample.n
    rates = rates[~np.isnan(rates)]
    if rates.size < 2:
        return Limits.undefined(n)
    tested = float(measured.outcome(scheme).tested.mean())
    se = sqrt(rates.var(ddof=1) * (1 / rates.size + tested / (n - tested)))
    return Limits.around(float(rates.mean()), se, measured.t(rates.size - 1), n)


@dataclass(frozen=True, eq=False)
class _OfSplits(IntervalMethod):
    target = "procedure"
    even = True
    aim = "the mean error of classifiers made of n1 cases, the training part of a split"
    estimators = ("holdout",)
    needs_cases = False
    needs_all_rows = True
    counts_groups = True
    statistics = ()

    splits: int = 25

    def _check_ratio(self, ratio: Fraction | float) -> None:
        if not 0 < ratio < 1:
            raise UsageError(
                f"{self.name} was asked for ratio = {ratio}; expected a share in (0, 1); 90 % is written 0.9"
            )


@dataclass(frozen=True, eq=False)
class CorrectedT(_OfSplits):
    """Corrected resampled t: mean of J rates, plus and minus t_{J-1} s sqrt(1/J + n2/n1).

    Parameters
    ----------
    splits : int
        Random splits, J.
    ratio : share of the cases trained on, in (0, 1)
        n2, the number of tested cases, is rounded up; s is the standard deviation of the J rates
        (divided by J - 1).

    References
    ----------
    Nadeau & Bengio (2003), section 3.
    """

    name = "corrected-t"

    ratio: Fraction | float = Fraction(9, 10)

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.splits, 2, self.name, "splits")
        self._check_ratio(self.ratio)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The splits."""
        return (Holdout(1 - self.ratio, self.splits),)

    @property
    def surrounds(self) -> Estimator:
        """Repeated holdout."""
        return RandomSubsampling(1 - Fraction(self.ratio), self.splits)

    @property
    def least(self) -> int:
        """A case to train on and one to test."""
        return _least(1 - Fraction(self.ratio), 1)

    def reduce(self, measured: Measured) -> Limits:
        """Widen the variance of the rates for the cases that splits share."""
        return _corrected_t(measured, self.schemes[0])


@dataclass(frozen=True, eq=False)
class ConservativeZ(_OfSplits):
    """Conservative z: mean of J rates, plus and minus z sqrt(v), v from pairs of half samples.

    The sample is halved M times; on each half J splits with the *same* number of tested cases
    n2 and n/2 - n2 training cases are averaged; ``v = sum (difference of the two)^2 / (2 M)``.
    A sample of odd size leaves one case out of each halving.

    Parameters
    ----------
    splits : int
        Random splits of the sample and of each half, J.
    halvings : int
        Times the sample is halved, M.
    ratio : share of the cases trained on, above 1/2
        Of the whole sample; n2 is rounded up.

    References
    ----------
    Nadeau & Bengio (2003), section 4.
    """

    name = "conservative-z"

    splits: int = 15
    halvings: int = 10
    ratio: Fraction | float = Fraction(9, 10)

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(self.splits, 1, self.name, "splits")
        at_least(self.halvings, 1, self.name, "halvings")
        self._check_ratio(self.ratio)
        if self.ratio <= Fraction(1, 2):
            raise UsageError(
                f"conservative-z was asked for ratio = {self.ratio}; expected more than 1/2, since each half of the "
                "sample tests as many cases as the whole; train on more"
            )

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Splits of the sample, and of its halves."""
        share = 1 - Fraction(self.ratio)
        return Holdout(share, self.splits), PairedHalves(self.halvings, share, self.splits)

    @property
    def surrounds(self) -> Estimator:
        """Repeated holdout."""
        return RandomSubsampling(1 - Fraction(self.ratio), self.splits)

    @property
    def least(self) -> int:
        """A case of each half to train on and one to test."""
        return _least(1 - Fraction(self.ratio), 2)

    def reduce(self, measured: Measured) -> Limits:
        """Take the squared differences of the halves."""
        whole, halves = self.schemes
        rates = measured.row_means(halves).reshape(self.halvings, 2, self.splits)
        known = ~np.isnan(rates)
        some = known.any(axis=2).all(axis=1)
        if not some.any():
            return Limits.undefined(measured.sample.n)
        means = np.where(known, rates, 0.0).sum(axis=2)[some] / known.sum(axis=2)[some]
        v = float(((means[:, 0] - means[:, 1]) ** 2).sum() / (2 * some.sum()))
        return Limits.around(measured.mean(whole), sqrt(v), measured.z, measured.sample.n)


@dataclass(frozen=True, eq=False)
class CvCorrectedT(OfFolds):
    """Corrected t of the statistics of the folds of repeated cross-validation, of those that have one.

    The J statistics of all folds have mean m and standard deviation s; the limits are
    m plus and minus t_{J-1} s sqrt(1/J + n2/n1), with n1 cases to train on and n2 to test in a fold.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation.
    """

    name = "cv-corrected-t"
    target = "procedure"
    aim = "the mean error of classifiers made of the training part of a fold"
    even = True
    counts_groups = True
    statistics = ()

    def reduce(self, measured: Measured) -> Limits:
        """Widen the variance of the folds' statistics for the cases that training sets share."""
        return _corrected_t(measured, self.schemes[0])


def _least(share: Fraction, parts: int) -> int:
    """Find the smallest sample whose parts have cases to test and one to train on."""
    n = 2 * parts
    while ceil(share * n) >= n // parts:
        n += 1
    return n
