"""Parameters of section 4: data sets, learning curves, and the estimates on the axes of Figures 1 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from compendium.papers.import_paths import check_learnable
from compendium.papers.kohavi.data import RAND, DataSet, check_source, distinct_names, load_set
from compendium.papers.kohavi.inducers import inducer_named, own_files
from compendium.papers.parameters import Parameters, Sizes, parameter, unique
from compendium.papers.validation import field_validator, model_validator
from errorest.errors import UsageError

# The data sets of Table 1 with their sample sizes
DATA_SETS = {
    "breast-cancer": 50,
    "chess": 900,
    "hypothyroid": 400,
    "mushroom": 800,
    "soybean-large": 100,
    "vehicle": 100,
    RAND: 100,
}

_LEAST_TESTED = 100


class SetsParameters(Parameters):
    """Parameters that all of section 4's experiments share."""

    seed: int = parameter(1995, ge=0)
    data_sets: list[str] = parameter(list(DATA_SETS), min_length=1)
    sizes: list[int] = parameter(list(DATA_SETS.values()), min_length=1)
    class_column: str | None = parameter(None)
    inducers: list[str] = parameter(["c4.5", "naive-bayes-observed-ratios"], min_length=1)
    holdouts: int = parameter(500, ge=2, preview=50, replication=True)

    _unique = field_validator("data_sets", "inducers")(unique)

    @field_validator("inducers")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        for name in value:
            inducer_named(name)
        return value

    @model_validator(mode="after")
    def _one_size_each(self) -> SetsParameters:
        if len(self.sizes) != len(self.data_sets):
            raise ValueError(
                f"{len(self.data_sets)} data sets and {len(self.sizes)} sizes are given; expected one size each"
            )
        if (least := min(self.sizes)) < 2:
            raise ValueError(f"samples of {least} case(s) are too small; expected at least 2 cases; use larger sizes")
        for source in self.data_sets:
            check_source(source)
        return self

    def sets(self) -> list[DataSet]:
        """Load the data sets, their sizes checked, each under a name of its own."""
        pairs = zip(self.data_sets, self.sizes, strict=True)
        return distinct_names([load_set(source, size, self.class_column, self.seed) for source, size in pairs])

    def inputs(self) -> dict[str, str]:
        """Check that every inducer can learn from every data set; return the digests of data sets and own inducers."""
        for one in self.sets():
            for name in self.inducers:
                check_learnable(name, inducer_named(name), one.sample, one.size)
        return {one.name: one.sample.digest() for one in self.sets()} | own_files(self.inducers)


class LearningParameters(SetsParameters):
    """Parameters of the learning curves, added to those of the data sets."""

    learning_sizes: Sizes = parameter([10, 20, 50, 100, 200, 300, 500, 700, 900, 1600, 2400], min_length=1)
    learning_holdouts: int = parameter(100, ge=2, preview=5, replication=True)

    def sizes_of(self, one: DataSet) -> list[int]:
        """Return every training size that leaves enough cases to test, and the data set's own."""
        most = max(one.size, one.sample.n - _LEAST_TESTED)
        return sorted({one.size, *(n for n in self.learning_sizes if n <= most)})


class TruthParameters(LearningParameters, notebook="kohavi/02-true-accuracies", repeated="holdouts"):
    """Parameters of Table 1 and the learning curves."""

    inducers: list[str] = parameter(
        ["c4.5", "naive-bayes-observed-ratios", "naive-bayes", "c4.5-release-8", "naive-bayes-laplace"], min_length=1
    )
    curve_inducers: int = parameter(3, ge=1)
    rand_sets: int = parameter(40, ge=2, preview=3, replication=True)
    repeats: int = parameter(2, ge=1, preview=1, replication=True)


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


class EstimateParameters(SetsParameters, repeated="realizations"):
    """Parameters of Figures 1 to 4."""

    inducers: list[str] = parameter(["c4.5", "naive-bayes-observed-ratios", "naive-bayes"], min_length=1, max_length=3)
    samples: int = parameter(50, ge=2, preview=4, replication=True)
    realizations: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(6, ge=1, preview=1, replication=True)
    small: int = parameter(100, ge=2)
    folds: list[int] = parameter([2, 5, 10, 20], min_length=1)
    leave_out: list[int] = parameter([5, 2, 1])
    stratified_folds: list[int] = parameter([2, 5, 10, 20])
    bootstrap_samples: list[int] = parameter([1, 2, 5, 10, 20, 50, 100], min_length=1)
    strict_strata: bool = parameter(False)
    std_axis: float = parameter(7.5, gt=0)

    @model_validator(mode="after")
    def _points(self) -> EstimateParameters:
        for name, least in (("folds", 2), ("leave_out", 1), ("stratified_folds", 2), ("bootstrap_samples", 1)):
            values = getattr(self, name)
            if len(set(values)) < len(values) or any(v < least for v in values):
                raise ValueError(f"{name} is {values}; expected distinct whole numbers from {least} on")
        for source, size in zip(self.data_sets, self.sizes, strict=True):
            _check_sizes(self.points, source, size)
        return self

    @property
    def points(self) -> list[Point]:
        """The estimates."""
        return [
            *(Point("plain", k) for k in self.folds),
            *(Point("leave-out", j) for j in self.leave_out),
            *(Point("stratified", k) for k in self.stratified_folds),
            *(Point("bootstrap", b) for b in self.bootstrap_samples),
        ]

    @property
    def last(self) -> str:
        """Name of the bootstrap estimate with the most samples."""
        return Point("bootstrap", max(self.bootstrap_samples)).name

    def samples_of(self, one: DataSet) -> int:
        """Return how many samples of a data set are drawn."""
        return self.samples * (self.realizations if one.size <= self.small else 1)

    def inputs(self) -> dict[str, str]:
        """Check that every class has enough cases where that is asked for, and return the digests of the data sets."""
        for one in self.sets():
            check_points(self.points, one, strict=self.strict_strata)
        return super().inputs()


class StudyParameters(EstimateParameters, LearningParameters, notebook="kohavi/03-cross-validation-and-bootstrap"):
    """Parameters of Figures 1 to 4 and of the claims around them."""


class AnotherParameters(EstimateParameters, notebook="kohavi/04-another-data-set"):
    """Parameters of the same questions about a data set and a classifier that the paper did not have."""

    data_sets: list[str] = parameter(["heart"], min_length=1)
    sizes: list[int] = parameter([100], min_length=1)
    inducers: list[str] = parameter(
        ["sklearn.discriminant_analysis.LinearDiscriminantAnalysis", "naive-bayes"], min_length=1, max_length=3
    )
    holdouts: int = parameter(200, ge=2, preview=20, replication=True)
    samples: int = parameter(30, ge=2, preview=4, replication=True)
    repeats: int = parameter(1, ge=1, replication=True)
    leave_out: list[int] = parameter([])
    bootstrap_samples: list[int] = parameter([1, 5, 20], min_length=1)
