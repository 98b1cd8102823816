"""What was said of each case when it was tested unseen: the tables behind a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.inputs import Problem
from errorest.assessment.plan import Plan
from errorest.assessment.runs import Ran
from errorest.estimation.scores.calibration import Reliability, reliability
from errorest.estimation.scores.outcomes import Question

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Answers"]


@dataclass(frozen=True, eq=False)
class Answers:
    """Mean probabilities of cases that were tested unseen, or mean indicators of labels.

    Parameters
    ----------
    y : int array, shape (n,)
    labels : array, shape (K,)
    names : sequence of n
        What the cases are called.
    tested : int array, shape (n,)
        How often each was tested by a classifier that was not trained on it.
    said : float array, shape (n, K)
        Means over these tests; NaN where there is none.
    probabilities : bool
        Whether these are probabilities, not shares of labels.
    impossible : int
        Tests, among all, in which the case's own class was called impossible.
    tests : int
    positive : int
    """

    y: np.ndarray
    labels: np.ndarray
    names: Any
    tested: np.ndarray
    said: np.ndarray
    probabilities: bool
    impossible: int
    tests: int
    positive: int

    @classmethod
    def of(cls, ran: Ran, plan: Plan, asked: Problem, question: Question, problem: Problem) -> Answers:
        """Collect the answers of the estimator's schemes, before these are turned into outcomes of the score."""
        n, k = problem.n, problem.sample.n_classes
        total, tested = np.zeros((n, k)), np.zeros(n, dtype=np.int64)
        table: np.ndarray | None = getattr(asked.inducer, "table", None)
        if not question.score.needs_probabilities:
            table = None
        impossible = tests = 0
        y = problem.sample.y
        for scheme in plan.schemes if plan.estimator is None else plan.estimator.schemes:
            o = ran.resampled[scheme]
            r = o.resamples
            said = np.eye(k)[o.labels] if table is None else table[o.labels]
            impossible += int((said[np.arange(said.shape[0]), y[r.cases]] == 0).sum())
            tests += said.shape[0]
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                np.add.at(total, r.cases[part][unseen], said[part][unseen])
                tested += np.bincount(r.cases[part][unseen], minlength=n)
        means = np.divide(total, tested[:, None], out=np.full((n, k), np.nan), where=tested[:, None] > 0)
        return cls(
            y, problem.labels, problem.cases, tested, means, table is not None, impossible, tests, question.positive
        )

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
