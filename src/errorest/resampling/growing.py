"""Folds tested by classifiers of nested training sets of growing size: the points of a learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errorest.errors import UsageError
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Classes, Rng, Scheme

# Training counts that are kept at once: rows times cases
_MOST_CELLS = 400_000_000


@dataclass(frozen=True, eq=False)
class Growing(Scheme):
    """Random folds, each tested by classifiers of nested training sets; rows go by repetition, fold and size."""

    name = "growing"
    sizes = ("k", "repeats", "trained")
    needs_all_rows = True

    trained: tuple[int, ...] = (5, 10, 20)
    k: int = 10
    repeats: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        ascending = all(a < b for a, b in zip(self.trained, self.trained[1:], strict=False))
        if len(self.trained) < 1 or self.trained[0] < 1 or not ascending:
            raise UsageError(
                f"training sizes {list(self.trained)} were given; expected ascending whole numbers from 1, each once"
            )
        if self.k < 2 or self.repeats < 1:
            raise UsageError(f"{self.k} folds and {self.repeats} repeats were asked for; expected at least 2 and 1")

    @property
    def least(self) -> int:
        """A case a fold."""
        return self.k

    def written(self, key: str) -> str:
        """Write sizes with a plus between."""
        return "+".join(map(str, self.trained)) if key == "trained" else super().written(key)

    @classmethod
    def value_of(cls, key: str, text: str) -> Any:
        """Read sizes with a plus between."""
        return tuple(int(part) for part in text.split("+")) if key == "trained" else super().value_of(key, text)

    def fits(self, n: int) -> int:
        """Count a classifier a size and fold."""
        return len(self.trained) * self.k * self.repeats

    def _rows(self, n: int, y: Classes, rng: Rng, own: Rng | None) -> Resamples:
        left = n - -(-n // self.k)
        if self.k > n or self.trained[-1] > left:
            raise UsageError(
                f"training sets of up to {self.trained[-1]} cases were asked for, and {self.k} folds of {n} cases "
                f"leave {max(0, left)}; expected sizes of at most that; ask for smaller ones, or for more folds"
            )
        if self.fits(n) * n > _MOST_CELLS:
            raise UsageError(
                f"{self.fits(n):,} training sets of {n:,} cases were asked for, which do not fit into memory; expected "
                f"at most {_MOST_CELLS // n:,}; ask for fewer repeats or sizes"
            )
        ends = np.cumsum([0, *(n // self.k + (f < n % self.k) for f in range(self.k))])
        counts = np.zeros((self.repeats, self.k, len(self.trained), n), dtype=np.int32)
        cases = []
        for repeat in range(self.repeats):
            order = rng.permutation(n).astype(np.int32)
            for fold in range(self.k):
                # the others from behind the fold on, so that no two folds learn from the same few
                others = np.concatenate([order[ends[fold + 1] :], order[: ends[fold]]])
                for at, size in enumerate(self.trained):
                    counts[repeat, fold, at, others[:size]] = 1
                cases.append(np.tile(np.sort(order[ends[fold] : ends[fold + 1]]), len(self.trained)))
        sizes = np.tile(np.repeat(np.diff(ends), len(self.trained)), self.repeats)
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        replicate = np.repeat(np.arange(self.repeats, dtype=np.int32), self.k * len(self.trained))
        return from_training_counts(counts.reshape(-1, n), start, np.concatenate(cases), replicate, self.repeats)

    @staticmethod
    def usual(n: int, classes: int, k: int) -> Sequence[int]:
        """Return up to six sizes, in equal ratios, up to what the folds leave."""
        most = n - -(-n // k)
        least = min(most, max(2 * classes, 4, -(-most // 8)))
        return sorted({round(float(v)) for v in np.geomspace(least, most, 6)})
