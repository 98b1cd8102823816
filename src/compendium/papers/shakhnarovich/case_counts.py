"""Counts of the cases in which something holds; their standard errors are over new sets of trials.

Trials are drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.judging import PredictionInterval
from compendium.evidence.results import Row
from compendium.papers.shakhnarovich.cases import Case
from compendium.papers.shakhnarovich.paired_tests import RESAMPLED, bootstrap_weights, equal_weights, mse, p_values
from errorest.streams import Streams

CLAIMS = "shakhnarovich-claims"  # The artifact under which the paper's counts of cases are filed

# Whether something holds of a case under each line of bootstrap weights
Rule = Callable[[Case, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class CaseCount:
    """In which cases something holds, and in what share of bootstrap sets of trials it does."""

    cases: tuple[Case, ...]
    holds: tuple[bool, ...]
    shares: tuple[float, ...]

    def __add__(self, other: CaseCount) -> CaseCount:
        """Count further cases."""
        return CaseCount(self.cases + other.cases, self.holds + other.holds, self.shares + other.shares)

    @property
    def rows(self) -> list[str]:
        """The cases in which it holds."""
        return [case.row for case, holds in zip(self.cases, self.holds, strict=True) if holds]

    @property
    def estimate(self) -> Estimate:
        """The number of cases; its error is that of a sum of independent cases that hold or not in new trials."""
        se = sqrt(sum(share * (1 - share) for share in self.shares))
        n = min((case.n for case in self.cases), default=0)
        return Estimate(float(sum(self.holds)), se, n, "number of cases", f"of {len(self.cases)}", digits=1, sign="")

    @property
    def words(self) -> str:
        """The number of cases without a label."""
        return self.estimate.named("").words

    def row(self, reading: str, row: str, column: str, artifact: str = "") -> Row:
        """Make the row of the number, with its distribution over new sets of trials."""
        number = Row.of(reading, row, column, self.estimate, artifact)
        return number._replace(reruns=PredictionInterval.of_chances(self.shares, RESAMPLED))

    def in_most(self, label: str = "number of cases") -> Condition:
        """Ask that it holds in more than half of the cases."""
        return self.estimate.named(label) > len(self.cases) / 2


def count_cases(cases: Iterable[Case], rule: Rule, streams: Streams, *names: str) -> CaseCount:
    """Count the cases in which a rule holds."""
    known = tuple(cases)
    holds = tuple(bool(rule(case, equal_weights(case))[0]) for case in known)
    shares = tuple(float(np.mean(rule(case, bootstrap_weights(case, streams, *names)))) for case in known)
    return CaseCount(known, holds, shares)


def better_than_all(cases: Iterable[Case], name: str, others: Sequence[str], streams: Streams) -> CaseCount:
    """Count the cases in which an estimator has a smaller RMSE than each of some others."""

    def rule(case: Case, weights: np.ndarray) -> np.ndarray:
        least = np.min([mse(case, e, weights) for e in filter(case.has, others)], axis=0)
        return np.asarray(mse(case, name, weights) < least)

    comparable = [case for case in cases if case.has(name) and any(map(case.has, others))]
    return count_cases(comparable, rule, streams, name)


def significant(cases: Iterable[Case], old: str, new: str, level: float, streams: Streams) -> CaseCount:
    """Count the cases in which one estimator is better than another with a p-value below a level."""
    return count_cases(cases, lambda case, w: p_values(case, old, new, w) < level, streams, old, new)


def win_tie_loss(cases: Sequence[Case], old: str, new: str, level: float, streams: Streams) -> dict[str, CaseCount]:
    """Count the cases in which one estimator is significantly worse or better than another, or neither."""
    rules: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "worse": lambda alpha: alpha <= level,
        "better": lambda alpha: 1 - alpha <= level,
        "undecided": lambda alpha: (alpha > level) & (1 - alpha > level),
    }

    def count(rule: Callable[[np.ndarray], np.ndarray]) -> CaseCount:
        return count_cases(cases, lambda case, w: rule(p_values(case, old, new, w)), streams, old, new)

    return {name: count(rule) for name, rule in rules.items()}
