"""What was said of each case when it was tested unseen: the tables behind a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan
from errorest.assessment.runs import RunOutcomes
from errorest.estimation.metrics.calibration import Reliability, reliability
from errorest.estimation.metrics.metric import BoundMetric
from errorest.estimation.outcomes import Outcome

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Answers"]


@dataclass(frozen=True, eq=False)
class Answers:
    """Mean probabilities of cases that were tested unseen, or mean indicators of labels.

    They are collected when they are first asked for.
    """

    y: np.ndarray
    labels: np.ndarray
    names: Any
    outcomes: tuple[Outcome, ...]
    positive: int

    @classmethod
    def of(cls, ran: RunOutcomes, plan: Plan, metric: BoundMetric, problem: Problem) -> Answers:
        """Take the predictions of the estimator's schemes."""
        schemes = plan.schemes if plan.estimator is None else plan.estimator.schemes
        outcomes = tuple(ran.resampled[s] for s in schemes)
        return cls(problem.sample.y, problem.labels, problem.cases, outcomes, metric.positive)

    def _sentences(self, outcome: Outcome) -> np.ndarray:
        """Return probabilities, or indicators of labels; float array, shape (T, K)."""
        p = outcome.predictions
        return p if p.ndim == 2 else np.eye(self.labels.shape[0])[p]

    @property
    def probabilities(self) -> bool:
        """Whether these are probabilities, not shares of labels."""
        return self.outcomes[0].predictions.ndim == 2

    @property
    def tests(self) -> int:
        """How many tests there were."""
        return sum(o.predictions.shape[0] for o in self.outcomes)

    @cached_property
    def impossible(self) -> int:
        """Tests, among all, in which the case's own class was called impossible."""
        return sum(int((self._sentences(o)[np.arange(o.truth.size), o.truth] == 0).sum()) for o in self.outcomes)

    @cached_property
    def _unseen(self) -> tuple[np.ndarray, np.ndarray]:
        """How often each case was tested by a classifier that was not trained on it, and sums of what was said then."""
        n, k = self.y.shape[0], self.labels.shape[0]
        total, tested = np.zeros((n, k)), np.zeros(n, dtype=np.int64)
        for o in self.outcomes:
            r = o.resamples
            output = self._sentences(o)
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                np.add.at(total, r.cases[part][unseen], output[part][unseen])
                tested += np.bincount(r.cases[part][unseen], minlength=n)
        return tested, total

    @property
    def tested(self) -> np.ndarray:
        """How often each case was tested by a classifier that was not trained on it; int array, shape (n,)."""
        return self._unseen[0]

    @cached_property
    def said(self) -> np.ndarray:
        """Means over these tests; float array, shape (n, K), NaN where there is none."""
        tested, total = self._unseen
        unknown = np.full(total.shape, np.nan)
        return np.divide(total, tested[:, None], out=unknown, where=tested[:, None] > 0)

    @cached_property
    def known(self) -> np.ndarray:
        """Which cases were tested unseen; bool array, shape (n,)."""
        return self.tested > 0

    def reliability(self, confidence: float) -> Reliability | None:
        """Sort the cases into groups of like mean probability of the positive class; None without probabilities."""
        if not self.probabilities or not self.known.any():
            return None
        truth = (self.y[self.known] == self.positive).astype(np.int64)
        return reliability(truth, self.said[self.known, self.positive], confidence=confidence)

    def cases(self) -> pd.DataFrame:
        """Each case: its class, how often it was tested unseen, and what was said of it in the mean, class by class."""
        import pandas as pd

        what = "p" if self.probabilities else "share"
        of_classes = {f"{what}({label})": self.said[:, c] for c, label in enumerate(self.labels)}
        first = {"case": np.asarray(self.names), "class": self.labels[self.y], "tested": self.tested}
        return pd.DataFrame({**first, **of_classes})
