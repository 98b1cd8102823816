"""Dietterich's (1998) 5x2 cv: five times two-fold cross-validation, and Student's t with five degrees.

Two halves share no training case, which is why each repeat's variance is an honest one of
training on half the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold


@dataclass(frozen=True, eq=False)
class FiveByTwo(IntervalMethod):
    """Estimate plus and minus t_5 s, with s^2 the mean over five repeats of the two folds' squared deviations.

    Parameters
    ----------
    estimate : {"first", "mean"}
        The very first of the ten rates, as in the original; or the mean of all ten.
    stratified : bool
        Keep the classes in proportion in both folds.

    References
    ----------
    Dietterich (1998), section 3.5.
    """

    name = "5x2cv"
    target = "procedure"
    even = True
    aim = "the mean error of classifiers made of n / 2 cases"
    estimators = ("cv",)
    needs_cases = False
    needs_all_rows = True
    counts_groups = True

    estimate: Literal["first", "mean"] = "first"
    stratified: bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Five times two halves."""
        return (KFold(2, 5, self.stratified),)

    def reduce(self, measured: Measured) -> Limits:
        """Take the variance of each pair of halves."""
        rates = measured.row_means(self.schemes[0]).reshape(5, 2)
        squares = ((rates - rates.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        centre = rates[0, 0] if self.estimate == "first" else rates.mean()
        return Limits.around(float(centre), sqrt(squares.mean()), measured.t(5), measured.sample.n)
