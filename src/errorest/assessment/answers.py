"""What was said of each case when it was tested unseen: the tables behind a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan
from errorest.assessment.runs import Ran
from errorest.estimation.losses import Outcome
from errorest.estimation.scores.calibration import Reliability, reliability
from errorest.estimation.scores.outcomes import Question

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
    table: np.ndarray | None
    positive: int

    @classmethod
    def of(cls, ran: Ran, plan: Plan, asked: Problem, question: Question, problem: Problem) -> Answers:
        """Take the answers of the estimator's schemes, before these are turned into outcomes of the score."""
        table = getattr(asked.inducer, "table", None) if question.score.needs_probabilities else None
        schemes = plan.schemes if plan.estimator is None else plan.estimator.schemes
        outcomes = tuple(ran.resampled[s] for s in schemes)
        return cls(problem.sample.y, problem.labels, problem.cases, outcomes, table, question.positive)

    @property
    def probabilities(self) -> bool:
        """Whether these are probabilities, not shares of labels."""
        return self.table is not None

    @property
    def tests(self) -> int:
        """How many tests there were."""
        return sum(o.labels.shape[0] for o in self.outcomes)

    @cached_property
    def impossible(self) -> int:
        """Tests, among all, in which the case's own class was called impossible."""
        table = np.eye(self.labels.shape[0]) if self.table is None else self.table
        return sum(int((table[o.labels, self.y[o.resamples.cases]] == 0).sum()) for o in self.outcomes)

    @cached_property
    def _unseen(self) -> tuple[np.ndarray, np.ndarray]:
        """How often each case was tested by a classifier that was not trained on it, and sums of what was said then."""
        n, k = self.y.shape[0], self.labels.shape[0]
        total, tested = np.zeros((n, k)), np.zeros(n, dtype=np.int64)
        for o in self.outcomes:
            r = o.resamples
            said = np.eye(k)[o.labels] if self.table is None else self.table[o.labels]
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                np.add.at(total, r.cases[part][unseen], said[part][unseen])
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
