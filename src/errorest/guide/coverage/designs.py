"""The coverage study: which intervals are made of which samples, what is left out for its cost, and what is measured.

Kept apart from the tables that are made of it, so that a word changed there leaves
finished studies valid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from errorest.errors import UsageError, nearest
from errorest.estimation.intervals import fits_of, intervals, parse_interval
from errorest.guide.coverage.populations import Population, digests_of, population_named
from errorest.inducers import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.inducers.base import Inducer
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "COSTLY",
    "INDUCERS",
    "METHODS",
    "Cell",
    "LeftOut",
    "chosen_id",
    "coverage_study",
    "illegal",
    "inducer_named",
    "measure_coverage",
    "plan",
]

METHODS: Mapping[str, tuple[str, ...]] = {
    "holdout-Wald": ("holdout-wald",),
    "holdout-Wilson": ("holdout-wilson",),
    "holdout-Clopper-Pearson": ("holdout-clopper-pearson",),
    "10-fold-CV-equation-3": ("kohavi(k=10)",),
    "10-fold-CV-Wald": ("cv-wald(k=10)",),
    "10-fold-CV-Wald-in-folds": ("cv-wald(k=10, variance=within-fold)",),
    "LOO-equation-3": ("loo-kohavi",),
    "LOO-Wald": ("loo-wald",),
    "corrected-t": ("corrected-t(splits=25)",),
    "conservative-z": (
        "conservative-z(splits=15, halvings=10)",
        "conservative-z(splits=5, halvings=5)",
        "conservative-z(splits=4, halvings=4)",
    ),
    "nested-CV": ("nested-cv(repeats=10)", "nested-cv(repeats=3)", "nested-cv(repeats=2)"),
    "5x2-CV-first": ("5x2cv",),
    "5x2-CV-mean": ("5x2cv(estimate=mean)",),
    "replace-one-CV": ("replace-one-cv(k=5)",),
    "out-of-bag": ("oob(replicates=200)",),
    ".632+": ("632+(replicates=200)",),
    "location-shifted": ("location-shifted(replicates=100)",),
    "bootstrap-case-CV": ("bootstrap-case-cv(replicates=40)",),
    "two-stage": ("two-stage(outer=40, inner=4)",),
}
"""The intervals of the study, each with its settings in falling order of cost."""

INDUCERS: Mapping[str, Callable[[Population], Inducer]] = {
    "1-nn": lambda population: KNN(1, metric="mixed" if population.nominal else "euclidean"),
    "3-nn": lambda population: KNN(3, metric="mixed" if population.nominal else "euclidean"),
    "ldf": lambda _: LinearDiscriminant(),
    "naive-bayes": lambda _: NaiveBayes(),
    "c4.5": lambda _: C45(),
    "majority": lambda _: Majority(),
}
"""What makes each inducer for a population: mixed distances where attributes are nominal."""

COSTLY: Mapping[tuple[str, str], str] = {
    ("land-sat", "ldf"): "the covariance of 36 attributes is singular in most training sets, each of which then takes "
    "an eigenvalue decomposition",
    ("land-sat", "naive-bayes"): "36 numeric attributes",
    ("land-sat", "c4.5"): "36 numeric attributes to cut",
}
"""Populations and inducers that cost more than all others together, with what makes them so."""


class Cell(NamedTuple):
    """One cell of the grid with the ids of its intervals, by the names of :data:`METHODS`."""

    population: str
    inducer: str
    n: int
    methods: Mapping[str, str]


class LeftOut(NamedTuple):
    """What is not run, and why; ``kind`` is ``illegal`` or ``cost``."""

    population: str
    inducer: str
    n: int
    kind: str
    reason: str


def inducer_named(name: str, population: Population) -> Inducer:
    """Make an inducer of :data:`INDUCERS` for a population.

    Raises
    ------
    UsageError
        If there is none of that name.

    Examples
    --------
    >>> inducer_named("1-nn", population_named("lenses")).id
    'k-nn(k=1, metric=mixed)'
    """
    if name not in INDUCERS:
        raise UsageError(f"unknown inducer '{name}'; expected one of {', '.join(INDUCERS)}; {nearest(name, INDUCERS)}")
    return INDUCERS[name](population)


def illegal(population: Population, inducer: str) -> str:
    """Say why an inducer cannot learn from a population's samples; nothing where it can.

    Examples
    --------
    >>> illegal(population_named("lenses"), "ldf")
    'a linear discriminant takes no nominal attributes'
    """
    if inducer == "ldf" and population.nominal:
        return "a linear discriminant takes no nominal attributes"
    if inducer in ("1-nn", "3-nn") and population.missing:
        return "nearest neighbors take no missing values"
    return ""


def chosen_id(method: str, n: int, most_trained: int) -> str:
    """Return the first settings of a method that train on no more cases of a sample than allowed, or nothing.

    Parameters
    ----------
    method : str
        A name of :data:`METHODS`.
    n : int
        Cases of a sample.
    most_trained : int
        Classifiers of an interval times cases of the sample.

    Examples
    --------
    >>> chosen_id("nested-CV", 100, 20_000), chosen_id("nested-CV", 500, 40_000), chosen_id("LOO-Wald", 500, 40_000)
    ('nested-cv(repeats=10)', 'nested-cv(repeats=3)', '')
    """
    for text in METHODS[method]:
        if parse_interval(text).least <= n and fits_of([text], n) * n <= most_trained:
            return text
    return ""


def plan(
    populations: Sequence[str],
    inducers: Sequence[str],
    sizes: Sequence[int],
    *,
    most_trained: int,
    large_from: int,
    large_populations: Sequence[str],
    costly_cells: bool,
) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid: what is run, and what is not.

    Parameters
    ----------
    populations, inducers : sequences of str
    sizes : sequence of int
    most_trained : int
        As :func:`chosen_id`.
    large_from : int
        Size from which only ``large_populations`` are run.
    large_populations : sequence of str
    costly_cells : bool
        Whether the combinations of :data:`COSTLY` are run.

    Returns
    -------
    list of Cell, list of LeftOut

    Raises
    ------
    UsageError
        If a name is unknown.

    Examples
    --------
    >>> cells, left_out = plan(["lenses"], ["ldf", "majority"], [20], most_trained=1000, large_from=500,
    ...                        large_populations=[], costly_cells=False)
    >>> [(c.inducer, sorted(c.methods)[:2]) for c in cells], left_out[0].kind
    ([('majority', ['10-fold-CV-Wald', '10-fold-CV-Wald-in-folds'])], 'illegal')
    """
    cells, left_out = [], []
    ids = {n: {m: text for m in METHODS if (text := chosen_id(m, n, most_trained))} for n in sizes}
    for name in populations:
        population = population_named(name)
        for inducer in inducers:
            inducer_named(inducer, population)
            reason = illegal(population, inducer)
            if reason:
                left_out += [LeftOut(name, inducer, n, "illegal", reason) for n in sizes]
                continue
            if not costly_cells and (name, inducer) in COSTLY:
                left_out += [LeftOut(name, inducer, n, "cost", COSTLY[name, inducer]) for n in sizes]
                continue
            for n in sizes:
                if n >= large_from and name not in large_populations:
                    left_out.append(LeftOut(name, inducer, n, "cost", f"samples of {large_from} cases or more"))
                else:
                    cells.append(Cell(name, inducer, n, ids[n]))
    return cells, left_out


def measure_coverage(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples, make every interval of each, and look up the true error of the sample's classifier.

    Returns columns ``error`` and, for every name of :data:`METHODS`, ``low/<name>`` and
    ``high/<name>``: proportions as the formula gives them, NaN where the interval is undefined or
    not among the cell's.
    """
    population = population_named(cell["population"])
    inducer = inducer_named(cell["inducer"], population)
    wanted = {name: parse_interval(text) for name, text in cell["methods"].items()}
    out = {"error": np.empty(len(replicates))}
    for name in METHODS:
        for side in ("low", "high"):
            out[f"{side}/{name}"] = np.full(len(replicates), np.nan)
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        sample = population.draw(cell["n"], place.generator("sample"))
        out["error"][i] = population.error(inducer, sample)
        made = intervals(sample, inducer, wanted.values(), place, confidence=cell["confidence"])
        for name, method in wanted.items():
            out[f"low/{name}"][i] = made[method.id].low
            out[f"high/{name}"][i] = made[method.id].high
    return out


def coverage_study(cells: Sequence[Cell], repetitions: int, confidence: float, seed: int) -> Study:
    """Make the study; all inducers see the same samples and, of the same intervals, the same resamples.

    Parameters
    ----------
    cells : sequence of Cell
    repetitions : int
        Samples of each cell.
    confidence : float
        Nominal, a proportion.
    seed : int
    """
    return Study(
        "guide-coverage",
        [
            {
                "population": c.population,
                "inducer": c.inducer,
                "n": c.n,
                "confidence": confidence,
                "methods": dict(c.methods),
            }
            for c in cells
        ],
        repetitions,
        measure_coverage,
        seed=seed,
        seed_keys=("population", "n"),
        data=digests_of(sorted({c.population for c in cells})),
        chunk=50,
        cost=_cost,
    )


_MILLISECONDS_OF_A_METHOD = 0.35
_MICROSECONDS_OF_A_FIT = {"1-nn": 0.3, "3-nn": 0.3, "ldf": 1.0, "naive-bayes": 2.5, "c4.5": 8.0, "majority": 0.1}
# of a trained case and numeric attribute; nominal ones cost about a fifth
_MICROSECONDS_OF_A_VALUE = {
    "1-nn": 0.005,
    "3-nn": 0.006,
    "ldf": 0.007,
    "naive-bayes": 0.03,
    "c4.5": 0.05,
    "majority": 0.001,
}
_MICROSECONDS_OF_A_PAIR = 0.06
_NOMINAL = 0.2


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one sample."""
    attributes = population_named(cell["population"]).like.attributes
    width = sum(_NOMINAL if a.kind == "nominal" else 1.0 for a in attributes)
    n, inducer = cell["n"], cell["inducer"]
    made = fits_of(cell["methods"].values(), n)
    pairs = n * n * _MICROSECONDS_OF_A_PAIR if inducer.endswith("nn") else 0.0
    values = made * n * max(width, 1.0) * _MICROSECONDS_OF_A_VALUE[inducer]
    return len(cell["methods"]) * _MILLISECONDS_OF_A_METHOD + (
        (made * _MICROSECONDS_OF_A_FIT[inducer] + values + pairs) / 1000
    )
