"""Which samples are drawn of the data sets, and which estimates are made on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import model_validator

from compendium.methods.estimators import parse_estimator
from compendium.papers.kohavi.data import DataSet, whole_of
from compendium.papers.kohavi.named_inducers import inducer_named, own_files
from compendium.papers.kohavi.truth.experiment import LearningParameters, SetsParameters
from compendium.papers.parameters import parameter
from compendium.studies.experiment import Experiment, Trial
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study
from errorest.errors import UsageError

APPARENT = "resubstitution"  # Accuracy of the sample's classifier on the sample
RUNS = "runs"  # How many classifiers the estimates took beside that of the whole sample


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


def _left_out(points: Sequence[Point], trial: Trial) -> dict[str, float]:
    """Make the estimates that leave some cases out, and count the classifiers of all.

    Leave-5-out of 100 cases has the 20 folds of another point; its own stream keeps the two apart.
    """
    n = trial.sample.n
    left = {q.name: parse_estimator(q.estimator(n)) for q in points}
    outcomes = trial.run([s for estimator in left.values() for s in estimator.schemes], "leave-out")
    made = [o.n_rows for o in (*outcomes.values(), *trial.outcomes.values())]
    # the apparent error's one row is the classifier of the whole sample
    results = {name: estimator.reduce(trial.sample, outcomes) for name, estimator in left.items()}
    return {**results, RUNS: float(sum(made) - 1)}


def _estimates(cell: Mapping[str, Any]) -> Experiment:
    points = [Point(*q) for q in cell["points"]]
    named = {q.name: q.estimator(cell["size"]) for q in points if q.kind != "leave-out"}
    return Experiment(
        PartOfData(whole_of(cell), cell["size"]),
        inducer_named(cell["inducer"]),
        {APPARENT: "resubstitution", **named},
        extras=(partial(_left_out, [q for q in points if q.kind == "leave-out"]),),
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of all classifiers of one sample."""
    n = cell["size"]
    return 2.0 + sum(Point(*q).rows(n) for q in cell["points"]) * (0.15 + n / 4000)


def estimate_study(
    data: Sequence[tuple[DataSet, int]], inducers: Sequence[str], points: Sequence[Point], seed: int
) -> Study:
    """Make the study of estimates; all inducers see the same samples, folds and bootstrap samples.

    The quantities are error rates: of :attr:`Point.name`, :data:`APPARENT` and the true error on all other
    cases; and :data:`RUNS`.
    """
    more = {"points": [list(q) for q in points]}
    return Study(
        "kohavi-estimates",
        [{**one.cell(seed), "size": one.size, "inducer": name, **more} for one, _ in data for name in inducers],
        [samples for _, samples in data for _ in inducers],
        each_replicate(_estimates),
        seed=seed,
        seed_keys=("digest", "size"),
        data={one.name: one.sample.digest() for one, _ in data} | own_files(inducers),
        chunk=10,
        cost=_cost,
    )
