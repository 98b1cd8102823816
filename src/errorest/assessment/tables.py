"""The tables behind an estimate: every loss, every case, every class, every resample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from errorest.assessment.runs import training_sizes
from errorest.estimation.outcomes import Outcome, RowErrors
from errorest.estimation.proportions import wilson_interval
from errorest.resampling.scheme import Scheme

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OfClass", "PairedDifference", "Tables"]


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
    """Mean loss of a classifier less that of the baseline on the same cases, with the limits of a paired t test."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of an estimate, each made when it is asked for.

    ``outcomes`` are those of the estimator alone, not of its interval; ``groups`` number the groups of the cases, and
    ``baseline`` are the losses of the best constant answer.
    """

    outcomes: Mapping[Scheme, RowErrors]
    y: np.ndarray
    labels: np.ndarray
    names: Any
    groups: np.ndarray | None = None
    baseline: np.ndarray | None = None

    def _resampled(self) -> dict[Scheme, Outcome]:
        """Leave out clones, which list no cases."""
        return {s: o for s, o in self.outcomes.items() if isinstance(o, Outcome)}

    @cached_property
    def _unseen(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Case, answer and loss of each test of a case that the classifier had not been trained on."""
        parts = []
        for outcome in self._resampled().values():
            r, loss = outcome.resamples, outcome.losses
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                parts.append(
                    (r.cases[part][unseen], outcome.predictions[part][unseen], loss[part][unseen].astype(np.float64))
                )
        empty = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
        cases, labels, losses = (np.concatenate(p) for p in zip(*(parts or [empty]), strict=True))
        return cases, labels, losses

    @cached_property
    def _answers(self) -> np.ndarray:
        """Share of the unseen tests of each case that said each class; float array, shape (n, K), NaN if untested."""
        cases, labels, _ = self._unseen
        n, k = self.y.shape[0], self.labels.shape[0]
        counts = np.bincount(cases * k + labels, minlength=n * k).reshape(n, k)
        total = counts.sum(axis=1, keepdims=True)
        return np.divide(counts, total, out=np.full((n, k), np.nan), where=total > 0)

    def losses(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        names = np.asarray(self.names)
        for scheme, outcome in self._resampled().items():
            r = outcome.resamples
            row = r.row_of_test()
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": r.replicate[row],
                        "fold": r.fold[row],
                        "row": row,
                        "case": names[r.cases],
                        "class": self.labels[self.y[r.cases]],
                        "predicted": self.labels[outcome.predictions],
                        "loss": outcome.losses.astype(float),
                    }
                )
            )
        columns = ["scheme", "replicate", "fold", "row", "case", "class", "predicted", "loss"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)

    def _means(self) -> tuple[np.ndarray, np.ndarray]:
        """Unseen tests of each case, and its mean loss in them; int and float arrays, shape (n,), NaN if untested."""
        n = self.y.shape[0]
        cases, _, losses = self._unseen
        tested = np.bincount(cases, minlength=n)
        total = np.bincount(cases, losses, n)
        return tested, np.divide(total, tested, out=np.full(n, np.nan), where=tested > 0)

    def against_baseline(self, confidence: float) -> PairedDifference | None:
        """Compare with the best constant answer, case by case; None where fewer than two cases or groups were tested.

        The standard error is that of a mean of cases, or of a ratio of sums over groups, with the variance doubled for
        the training sets that vary too.
        """
        tested, mean = self._means()
        known = tested > 0
        if self.baseline is None:
            return None
        losses = mean[known] - self.baseline[known]
        unit = np.arange(losses.size) if self.groups is None else np.unique(self.groups[known], return_inverse=True)[1]
        size = np.bincount(unit).astype(np.float64)
        if size.size < 2:
            return None
        difference = float(losses.mean())
        excess = (np.bincount(unit, losses) - size * difference) / size.mean()
        se = float(np.sqrt(_PARTS * excess.var(ddof=1) / size.size))
        half = float(stdtrit(size.size - 1, (1 + confidence) / 2)) * se
        return PairedDifference(difference, difference - half, difference + half)

    def cases(self) -> pd.DataFrame:
        import pandas as pd

        tested, mean = self._means()
        return pd.DataFrame(
            {"case": np.asarray(self.names), "class": self.labels[self.y], "tested": tested, "loss": mean}
        )

    def _confused(self, confidence: float) -> list[tuple[Any, Any, int, float, float, float]]:
        """Class, answer, cases of the class, share that is answered so, and its limits."""
        rows = []
        names = self.labels.tolist()
        for c, name in enumerate(names):
            own = (self.y == c) & ~np.isnan(self._answers[:, 0])
            if not own.any():
                continue
            units = int(own.sum() if self.groups is None else np.unique(self.groups[own]).size)
            shares = np.clip(self._answers[own].mean(axis=0), 0.0, 1.0)
            low, high = wilson_interval(shares * units, units, confidence)
            rows += [
                (name, output, int(own.sum()), float(shares[k]), float(low[k]), float(high[k]))
                for k, output in enumerate(names)
            ]
        return rows

    def confusion(self, confidence: float) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self._confused(confidence), columns=["class", "predicted", "cases", "share", "low", "high"])

    def of_classes(self, confidence: float) -> tuple[OfClass, ...]:
        # of the limits of what is right, those of what is wrong
        return tuple(
            OfClass(name, cases, 1 - share, 1 - high, 1 - low)
            for name, output, cases, share, low, high in self._confused(confidence)
            if name == output
        )

    def replicates(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        for scheme, outcome in self.outcomes.items():
            listed = outcome.resamples if isinstance(outcome, Outcome) else None
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": outcome.replicate,
                        "fold": np.zeros(outcome.n_rows, dtype=int) if listed is None else listed.fold,
                        "row": np.arange(outcome.n_rows),
                        "trained": self.y.shape[0] if listed is None else training_sizes(listed),
                        "tested": outcome.tested,
                        "loss": outcome.row_rates,
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    def answered(self) -> pd.DataFrame:
        """Each case: the class that it was most often taken for when tested unseen, its own left out; empty if none."""
        import pandas as pd

        wrong = np.nan_to_num(self._answers)
        wrong[np.arange(self.y.size), self.y] = 0
        output = np.where(
            wrong.max(axis=1) > 0, np.array([str(v) for v in self.labels], dtype=object)[wrong.argmax(1)], ""
        )
        return pd.DataFrame({"case": np.asarray(self.names), "taken for": output})
