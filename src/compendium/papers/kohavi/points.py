"""The estimates of Figures 1 to 4: points on their horizontal axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from compendium.papers.kohavi.data import DataSet
from errorest.errors import UsageError


class Point(NamedTuple):
    """An estimate: a place on the horizontal axis of Figures 1 to 4."""

    kind: Literal["plain", "leave-out", "stratified", "bootstrap"]
    number: int

    @property
    def scheme(self) -> str:
        """The axis that it is on: ``plain``, ``stratified`` or ``bootstrap``."""
        return "plain" if self.kind == "leave-out" else self.kind

    @property
    def name(self) -> str:
        """Name it: ``k=10``, ``leave-2-out``, ``stratified-k=10``, ``b=50``."""
        number = self.number
        if self.kind == "leave-out":
            return f"leave-{number}-out"
        return {"plain": f"k={number}", "stratified": f"stratified-k={number}", "bootstrap": f"b={number}"}[self.kind]

    def estimator(self, n: int) -> str:
        """Return the library's id of the estimator for samples of n cases."""
        if self.kind == "bootstrap":
            return f"632(replicates={self.number})"
        if self.kind == "stratified":
            return f"cv(k={self.number}, stratified=True)"
        return "loo" if self == ("leave-out", 1) else f"cv(k={self.rows(n)})"

    def rows(self, n: int) -> int:
        """Return how many classifiers it takes; folds that leave j out have at most j cases."""
        return -(-n // self.number) if self.kind == "leave-out" else self.number


def check_points(points: Sequence[Point], data: DataSet, *, strict: bool) -> None:
    """Refuse folds that a sample cannot be split into.

    With ``strict``, a class that has fewer cases in a sample than there are stratified folds,
    on average, is refused too.
    """
    n = data.size
    _check_sizes(points, data.name, n)
    counts = data.sample.class_counts()
    rarest = int(np.argmin(np.where(counts > 0, counts, data.sample.n + 1)))
    expected = n * counts[rarest] / data.sample.n
    for kind, number in points:
        if kind == "stratified" and strict and expected < number:
            raise UsageError(
                f"{data.name}: class '{data.sample.classes[rarest]}' has {expected:.1f} cases in a sample of {n} on "
                f"average and {number} stratified folds were asked for; expected at least {number}; use fewer folds, "
                "larger samples, or strict_strata=False"
            )


def _check_sizes(points: Sequence[Point], name: str, n: int) -> None:
    for kind, number in points:
        if kind in ("plain", "stratified") and not 2 <= number <= n:
            raise UsageError(
                f"{name}: {number} folds of samples of {n} cases were asked for; expected 2 to {n}; choose fewer "
                "folds or larger samples"
            )
        if kind == "leave-out" and not 1 <= number <= n // 2:
            raise UsageError(
                f"{name}: leave-{number}-out of samples of {n} cases was asked for; expected 1 to {n // 2}; leave "
                "fewer out or draw larger samples"
            )
