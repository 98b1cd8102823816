"""The numbers behind an estimate: what was predicted of cases tested unseen, by case and by class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from errorest.assessment.runs import RunOutcomes
from errorest.estimation.metrics.calibration import Reliability, reliability
from errorest.estimation.outcomes import Outcome, case_means
from errorest.estimation.proportions import wilson_limits
from errorest.resampling.scheme import Scheme


class OfClass(NamedTuple):
    """A class: its cases that were tested unseen, the share of them that is got wrong, and its limits (proportions)."""

    name: Any
    cases: int
    error: float
    low: float
    high: float


# Variance factor: training-set variance assumed equal to test-set variance (Nadeau & Bengio 2003)
_PARTS = 2.0


class PairedDifference(NamedTuple):
    """Mean loss of a classifier minus that of the baseline on the same cases, with the limits of a paired t test."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of an estimate, each made when it is asked for."""

    ran: RunOutcomes  # of the estimator alone, not of its interval
    y: np.ndarray
    labels: np.ndarray
    names: Any
    groups: np.ndarray | None
    confidence: float
    positive: int = 0
    baseline: np.ndarray | None = None  # losses of the best constant answer
    scale: float = 1.0  # the largest loss less the least: two losses differ by no more

    @cached_property
    def _unseen(self) -> dict[Scheme, np.ndarray]:
        """Which tests of each scheme are of cases that the classifier had not been trained on; bool arrays."""
        masks = {}
        for scheme, outcome in self.ran.outcomes.items():
            r, parts = outcome.resamples, []
            for first, last in r.blocks():
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                parts.append(r.training_counts(first, last)[row, r.cases[r.start[first] : r.start[last]]] == 0)
            masks[scheme] = np.concatenate(parts)
        return masks

    def _of_unseen(self, values: Callable[[Outcome], np.ndarray]) -> np.ndarray:
        parts = [values(self.ran.outcomes[scheme])[mask] for scheme, mask in self._unseen.items()]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    @cached_property
    def _tested_cases(self) -> np.ndarray:
        """The case of each unseen test."""
        return self._of_unseen(lambda o: o.resamples.cases)

    @cached_property
    def tested(self) -> np.ndarray:
        """How often each case was tested by a classifier that was not trained on it; int array, shape (n,)."""
        return np.bincount(self._tested_cases, minlength=self.y.shape[0])

    @property
    def of_probabilities(self) -> bool:
        """Whether predictions are probabilities, not labels."""
        return any(o.predictions.ndim == 2 for o in self.ran.outcomes.values())

    @cached_property
    def predicted(self) -> np.ndarray:
        """Mean predicted probabilities of each case, or shares of labels; shape (n, K), NaN where it was not tested."""
        n, k = self.y.shape[0], self.labels.shape[0]
        predictions = self._of_unseen(lambda o: o.predictions)
        if self.of_probabilities:
            total: np.ndarray = np.zeros((n, k))
            np.add.at(total, self._tested_cases, predictions)
        else:
            total = np.bincount(self._tested_cases * k + predictions, minlength=n * k).reshape(n, k)
        tested = self.tested[:, None]
        return np.divide(total, tested, out=np.full((n, k), np.nan), where=tested > 0)

    @cached_property
    def mean_losses(self) -> np.ndarray:
        """The mean loss of each case in its unseen tests; float array, shape (n,), NaN if untested."""
        losses = self._of_unseen(lambda o: o.losses.astype(np.float64))
        return case_means(self._tested_cases, losses, self.y.shape[0])[0]

    @cached_property
    def against_baseline(self) -> PairedDifference | None:
        """Compare with the best constant answer, case by case; None of fewer than two cases or groups."""
        if self.baseline is None:
            return None
        known = self.tested > 0
        losses = self.mean_losses[known] - self.baseline[known]
        unit = np.arange(losses.size) if self.groups is None else np.unique(self.groups[known], return_inverse=True)[1]
        size = np.bincount(unit).astype(np.float64)
        if size.size < 2:
            return None
        difference = float(losses.mean())
        excess = (np.bincount(unit, losses) - size * difference) / size.mean()
        # that of a mean of cases, or of a ratio of sums over groups
        se = float(np.sqrt(_PARTS * excess.var(ddof=1) / size.size))
        half = float(stdtrit(size.size - 1, (1 + self.confidence) / 2)) * se
        low, high = np.clip([difference - half, difference + half], -self.scale, self.scale).tolist()
        return PairedDifference(difference, low, high)

    @property
    def reliability(self) -> Reliability | None:
        """Sort the cases into groups of like mean probability of the positive class; None without probabilities."""
        known = self.tested > 0
        if not self.of_probabilities or not known.any():
            return None
        truth = (self.y[known] == self.positive).astype(np.int64)
        groups = None if self.groups is None else self.groups[known]
        said = self.predicted[known, self.positive]
        return reliability(truth, said, confidence=self.confidence, units=groups)

    @cached_property
    def confused(self) -> list[tuple[Any, Any, int, float, float, float]]:
        """Class, answer, cases of the class, share that is answered so, and its limits."""
        rows, names = [], self.labels.tolist()
        for c, name in enumerate(names):
            own = (self.y == c) & (self.tested > 0)
            if not own.any():
                continue
            units = int(own.sum() if self.groups is None else np.unique(self.groups[own]).size)
            shares = np.clip(self.predicted[own].mean(axis=0), 0.0, 1.0)
            # of few groups Student's quantile; one group alone tells nothing of others
            level = (1 + self.confidence) / 2
            quantile = ndtri(level) if self.groups is None else stdtrit(max(1, units - 1), level)
            low, high = wilson_limits(shares, units, float(quantile))
            rows += [
                (name, output, int(own.sum()), float(shares[k]), float(low[k]), float(high[k]))
                for k, output in enumerate(names)
            ]
        return rows

    @cached_property
    def of_classes(self) -> tuple[OfClass, ...]:
        """Each class with the limits of what is wrong: of what is right, one less them."""
        return tuple(
            OfClass(name, cases, 1 - share, 1 - high, 1 - low)
            for name, output, cases, share, low, high in self.confused
            if name == output
        )
