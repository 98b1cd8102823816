"""Section 4's experiment: which samples are drawn of a data set, and what is measured on each.

Kept apart from the tables that are made of it, so that a word changed there
leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from errorest.data.sample import Sample
from errorest.data.sets import load_or_read, names, random_booleans
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import Bootstrap632, CrossValidation, Estimator, LeaveOneOutCV
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.papers.kohavi.named_inducers import inducer_named
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Resubstitution
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "RAND",
    "DataSet",
    "Points",
    "check_points",
    "estimate_study",
    "load_set",
    "measure_estimates",
    "measure_truth",
    "point_names",
    "truth_study",
]

RAND = "rand"
"""Name of the paper's data set without information, which is drawn anew."""


class DataSet(NamedTuple):
    """A data set with the sample size at which it is studied."""

    name: str
    size: int
    sample: Sample
    source: str
    class_column: str | None
    number: int

    def cell(self, seed: int) -> dict[str, Any]:
        """Return the parameters from which a worker finds the same data."""
        return {
            "source": self.source,
            "class_column": self.class_column,
            "number": self.number,
            "data_seed": seed if self.source == RAND else 0,
            "digest": self.sample.digest(),
        }


class Points(NamedTuple):
    """Where the estimates are made: the horizontal axes of Figures 1 to 4."""

    folds: Sequence[int]
    leave_out: Sequence[int]
    stratified_folds: Sequence[int]
    bootstrap_samples: Sequence[int]


@lru_cache(maxsize=32)
def _load(source: str, class_column: str | None, seed: int, number: int) -> Sample:
    if source == RAND:
        return random_booleans(Streams(seed).child("kohavi-rand", number).generator("data"))
    if "." not in source and "/" not in source and source not in names():
        raise UsageError(
            f"unknown data set '{source}'; expected a set of the project or the path of a CSV file; "
            + nearest(source, [*names(), RAND])
        )
    return load_or_read(source, None if source in names() else class_column)


def load_set(source: str, size: int, class_column: str | None, seed: int, number: int = 0) -> DataSet:
    """Load a data set and check that samples of a size can be drawn of it.

    Parameters
    ----------
    source : str
        A set of the project, the path of a CSV file, or ``rand``.
    size : int
        Cases of a sample.
    class_column : str, optional
        Of a CSV file.
    seed : int
        Draws ``rand``.
    number : int
        Which of the data sets drawn like ``rand``.

    Raises
    ------
    UsageError
        If the data cannot be read, hold one class only, or are not larger than the sample.

    Examples
    --------
    >>> load_set("iris", 50, None, 0).sample.n
    150
    """
    sample = _load(source, class_column, seed if source == RAND else 0, number)
    if np.count_nonzero(sample.class_counts()) < 2:
        raise UsageError(f"{sample.name} has one class only; expected at least two; choose another class column")
    if not 2 <= size < sample.n:
        raise UsageError(
            f"{sample.name} has {sample.n} cases and samples of {size} were asked for; expected 2 to {sample.n - 1}, "
            "since the rest is the test set; choose another size"
        )
    return DataSet(sample.name, size, sample, source, class_column, number)


def point_names(points: Points) -> list[str]:
    """Name the estimates: ``k=10``, ``leave-2-out``, ``stratified-k=10``, ``b=50``.

    Examples
    --------
    >>> point_names(Points([2], [1], [2], [50]))
    ['k=2', 'leave-1-out', 'stratified-k=2', 'b=50']
    """
    return [
        *(f"k={k}" for k in points.folds),
        *(f"leave-{j}-out" for j in points.leave_out),
        *(f"stratified-k={k}" for k in points.stratified_folds),
        *(f"b={b}" for b in points.bootstrap_samples),
    ]


def _folds_leaving_out(n: int, j: int) -> int:
    """Folds of at most j cases, n/j where that is whole."""
    return -(-n // j)


def check_points(points: Points, data: DataSet, *, strict: bool) -> None:
    """Refuse folds that a sample cannot be split into.

    With ``strict``, a class that has fewer cases in a sample than there are stratified folds,
    on average, is refused too.

    Raises
    ------
    UsageError
        Naming the data set and the number of folds.
    """
    n = data.size
    for k in (*points.folds, *points.stratified_folds):
        if not 2 <= k <= n:
            raise UsageError(
                f"{data.name}: {k} folds of samples of {n} cases were asked for; expected 2 to {n}; choose fewer folds "
                "or larger samples"
            )
    for j in points.leave_out:
        if not 1 <= j <= n // 2:
            raise UsageError(
                f"{data.name}: leave-{j}-out of samples of {n} cases was asked for; expected 1 to {n // 2}; leave "
                "fewer out or draw larger samples"
            )
    counts = data.sample.class_counts()
    rarest = int(np.argmin(np.where(counts > 0, counts, data.sample.n + 1)))
    expected = n * counts[rarest] / data.sample.n
    for k in points.stratified_folds:
        if strict and expected < k:
            raise UsageError(
                f"{data.name}: class '{data.sample.classes[rarest]}' has {expected:.1f} cases in a sample of {n} on "
                f"average and {k} stratified folds were asked for; expected at least {k}; use fewer folds, larger "
                "samples, or strict_strata=False"
            )


def measure_truth(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Train on random samples of a data set and test on all other cases.

    Returns column ``accuracy``, a proportion.
    """
    whole = _load(cell["source"], cell["class_column"], cell["data_seed"], cell["number"])
    inducer = inducer_named(cell["inducer"])
    accuracy = np.empty(len(replicates))
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        drawn = place.generator("sample").permutation(whole.n)
        training, rest = drawn[: cell["size"]], drawn[cell["size"] :]
        classifier = inducer.fit(whole.take(training), place.generator("inducer"))
        accuracy[i] = np.mean(classifier.predict(whole.X[rest]) == whole.y[rest])
    return {"accuracy": accuracy}


def measure_estimates(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples of a data set and estimate the accuracy of an inducer on each in every way.

    Returns a column a name of :func:`point_names` (estimated accuracy, a proportion),
    ``holdout`` (accuracy of the sample's classifier on all other cases), ``resubstitution``, and
    ``runs``, how many classifiers the estimates took beside that of the whole sample.
    """
    whole = _load(cell["source"], cell["class_column"], cell["data_seed"], cell["number"])
    inducer = inducer_named(cell["inducer"])
    n = cell["size"]
    points = Points(cell["folds"], cell["leave_out"], cell["stratified_folds"], cell["bootstrap_samples"])
    names_of = point_names(points)
    out = {name: np.empty(len(replicates)) for name in ("holdout", "resubstitution", *names_of)}
    out["runs"] = np.empty(len(replicates), dtype=np.int64)
    left = [LeaveOneOutCV() if j == 1 else CrossValidation(_folds_leaving_out(n, j)) for j in points.leave_out]
    others = [
        *(CrossValidation(k) for k in points.folds),
        *(CrossValidation(k, stratified=True) for k in points.stratified_folds),
        *(Bootstrap632(b) for b in points.bootstrap_samples),
    ]
    others_names = [name for name in names_of if not name.startswith("leave-")]
    apparent = Resubstitution()
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        drawn = place.generator("sample").permutation(whole.n)
        sample, rest = whole.take(drawn[:n]), drawn[n:]
        classifier = inducer.fit(sample, place.generator("inducer"))
        out["holdout"][i] = np.mean(classifier.predict(whole.X[rest]) == whole.y[rest])
        runs = 0
        # leave-5-out of 100 cases has the 20 folds of another point; its own stream keeps the two apart
        for place_of, names_in, wanted, more in (
            (place.child("leave-out"), [x for x in names_of if x.startswith("leave-")], left, []),
            (place, others_names, others, [apparent]),
        ):
            outcomes = _outcomes(sample, inducer, wanted, more, place_of)
            for name, estimator in zip(names_in, wanted, strict=True):
                out[name][i] = 1.0 - estimator.reduce(sample, outcomes)
            runs += sum(o.resamples.n_rows for s, o in outcomes.items() if s != apparent)
            if more:
                out["resubstitution"][i] = 1.0 - outcomes[apparent].rate
        out["runs"][i] = runs
    return out


def _outcomes(
    sample: Sample, inducer: Any, wanted: Sequence[Estimator], more: Sequence[Scheme], place: Streams
) -> dict[Scheme, Any]:
    schemes = list(dict.fromkeys([*more, *(s for e in wanted for s in e.schemes)]))
    return predict_schemes(sample, inducer, draw_schemes(sample, schemes, place), place) if schemes else {}


def truth_study(data: Sequence[tuple[DataSet, int, int]], inducers: Sequence[str], seed: int) -> Study:
    """Make the study of true accuracies, and of learning curves.

    Parameters
    ----------
    data : sequence of (DataSet, int, int)
        With the sample size and the number of holdouts.
    inducers : sequence of str
        By name; all see the same samples.
    seed : int
    """
    cells, replicates = [], []
    for one, size, holdouts in data:
        for name in inducers:
            cells.append({**one.cell(seed), "size": size, "inducer": name})
            replicates.append(holdouts)
    return Study(
        "kohavi-truth",
        cells,
        replicates,
        measure_truth,
        seed=seed,
        seed_keys=("digest", "size"),
        data={one.name: one.sample.digest() for one, _, _ in data},
        chunk=50,
        cost=lambda cell: 1.5 + cell["size"] / 300,
    )


def estimate_study(data: Sequence[tuple[DataSet, int]], inducers: Sequence[str], points: Points, seed: int) -> Study:
    """Make the study of estimates; all inducers see the same samples, folds and bootstrap samples.

    Parameters
    ----------
    data : sequence of (DataSet, int)
        With the number of samples.
    inducers : sequence of str
    points : Points
    seed : int
    """
    cells, replicates = [], []
    for one, samples in data:
        for name in inducers:
            cells.append({**one.cell(seed), "size": one.size, "inducer": name, **points._asdict()})
            replicates.append(samples)
    return Study(
        "kohavi-estimates",
        cells,
        replicates,
        measure_estimates,
        seed=seed,
        seed_keys=("digest", "size"),
        data={one.name: one.sample.digest() for one, _ in data},
        chunk=10,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of all classifiers of one sample."""
    n = cell["size"]
    rows = sum(cell["folds"]) + sum(cell["stratified_folds"]) + sum(cell["bootstrap_samples"])
    rows += sum(_folds_leaving_out(n, j) for j in cell["leave_out"])
    return 2.0 + rows * (0.15 + n / 4000)
