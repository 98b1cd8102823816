"""Replace-one cross-validation of Austern & Zhou (2020).

How much a cross-validation of half the sample changes when one case is replaced by one of
the other half gives its variance by the Efron-Stein inequality.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

from errorest.estimation.intervals.draws import ReplaceOne
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold


@dataclass(frozen=True, eq=False)
class ReplaceOneCV(IntervalMethod):
    """Cross-validated loss of the whole sample, plus and minus z sqrt(v / n).

    ``v = (n/4) sum (rate - replaced rate)^2`` over the n/2 cases of one half, each replaced by one
    of the other half, with the folds of that half kept.  A sample of odd size leaves a case out of v,
    whose n is then n - 1.

    Parameters
    ----------
    k : int
        Folds, of the whole sample and of its half.
    form : {"corrected", "uncorrected"}
        n/4, or n/2.

    References
    ----------
    Austern & Zhou (2020), theorem on the variance estimator.
    """

    name = "replace-one-cv"
    target = "procedure"
    even = True
    aim = "the mean error of classifiers made of all folds but one"
    estimators = ("cv",)
    needs_cases = False
    needs_all_rows = True

    k: int = 5
    form: Literal["corrected", "uncorrected"] = "corrected"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Folds of the sample, and of half of it with one case replaced at a time."""
        return KFold(self.k), ReplaceOne(self.k)

    @property
    def least(self) -> int:
        """One case of the half a fold."""
        return 2 * self.k

    def reduce(self, measured: Measured) -> Limits:
        """Take the squared changes of the half's rate."""
        whole, half = self.schemes
        n = measured.sample.n
        resamples = measured.outcome(half).resamples
        rates = measured.losses(half).reshape(resamples.repeats, n // 2).mean(axis=1)
        squares = float(((rates[0] - rates[1:]) ** 2).sum())
        v = (n // 2) * squares * (0.5 if self.form == "corrected" else 1.0)
        return Limits.around(measured.mean(whole), sqrt(v / n), measured.z, n)
