"""What an interval of a statistic is: an interval method that says for which statistics, and around what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from errorest.data.sample import Sample
from errorest.estimation.estimators import Estimator
from errorest.estimation.estimators.estimator import Outcomes
from errorest.estimation.intervals.method import IntervalMethod, IntervalResult, Measured
from errorest.estimation.scores.outcomes import StatisticOutcome
from errorest.estimation.scores.score import Score, Statistic
from errorest.resampling.scheme import Scheme

__all__ = ["MeasuredStatistic", "StatisticInterval", "interval_of"]


@dataclass(frozen=True, eq=False)
class MeasuredStatistic(Measured):
    """What the reduction of an interval of a statistic reads.

    Parameters
    ----------
    sample, outcomes, confidence
        As :class:`~errorest.estimation.intervals.method.Measured`.
    groups : int array, shape (n,), optional
        Cases that vary together.
    """

    groups: np.ndarray | None = None

    def statistic(self, scheme: Scheme) -> StatisticOutcome:
        """Outcome of a scheme."""
        outcome = self.outcome(scheme)
        assert isinstance(outcome, StatisticOutcome)
        return outcome


class StatisticInterval(IntervalMethod):
    """An interval that a statistic may have.

    Attributes
    ----------
    scores : tuple of str
        Names of the statistics it is legal with; empty: all.
    """

    scores: ClassVar[tuple[str, ...]] = ()

    @property
    def surrounds(self) -> Estimator:
        """The estimator whose estimate it is put around."""
        raise NotImplementedError

    def legal_for(self, score: Score) -> bool:
        """Whether it is legal with a score."""
        of_632 = "632+" in self.estimators and isinstance(score, Statistic) and "632+" not in score.estimators
        return not score.additive and not of_632 and (not self.scores or score.name in self.scores)


def interval_of(
    method: StatisticInterval,
    score: Statistic,
    sample: Sample,
    outcomes: Outcomes,
    confidence: float = 0.95,
    groups: np.ndarray | None = None,
) -> IntervalResult:
    """Make the interval of a statistic from the outcomes of its schemes, in the unit of the statistic."""
    found = method.result(MeasuredStatistic(sample, outcomes, confidence, groups=groups))
    low, high = (found.high, found.low) if score.rising else (found.low, found.high)
    note = found.note.replace("the same rate", "the same value")
    estimate, low, high = (score.from_loss(v) for v in (found.estimate, low, high))
    return IntervalResult(found.method, estimate, low, high, found.se, confidence, found.degenerate, None, note)
