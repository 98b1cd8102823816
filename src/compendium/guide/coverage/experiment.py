"""The coverage study: which intervals are made of which samples, what is left out, and what is measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import field_validator, model_validator

from compendium.guide.coverage.populations import POPULATIONS, Known, digests_of, population_named
from compendium.papers.parameters import Parameters, each_once, parameter
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.errors import UsageError, nearest
from errorest.estimation.intervals import fits_of, parse_interval
from errorest.estimation.intervals.out_of_bag import usual_replicates
from errorest.inducers import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.inducers.base import Inducer

__all__ = [
    "INDUCERS",
    "METHODS",
    "RECOMMENDED",
    "Cell",
    "CoverageParameters",
    "LeftOut",
    "Tried",
    "coverage_study",
    "illegal",
    "laid_out",
    "measured",
    "settings_at",
    "tried",
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
    "out-of-bag": ("oob(replicates={usual})",),
    "out-of-bag-uncorrected": ("oob(replicates={usual}, noise=kept)",),
    ".632+": ("632+(replicates={usual})",),
    ".632+-uncorrected": ("632+(replicates={usual}, noise=kept)",),
    ".632+-to-out-of-bag": ("632+span(replicates={usual})",),
    "location-shifted": ("location-shifted(replicates=100)",),
    "bootstrap-case-CV": ("bootstrap-case-cv(replicates=40)",),
    "two-stage": ("two-stage(outer=40, inner=4)",),
}
"""The intervals of the study, each with its settings in falling order of cost; ``usual`` grows with the sample."""

RECOMMENDED = ("corrected-t", "conservative-z", "nested-CV")
"""What the benchmark of Schulz-Kuempel et al. recommends."""


class Tried(NamedTuple):
    """An inducer of the study: how it is made for a population, what it takes, and what it costs.

    ``a_fit`` microseconds for a classifier, and ``a_value`` for each trained case and numeric attribute;
    ``a_pair`` for each pair of cases of a sample.
    """

    make: Callable[[Known], Inducer]
    a_fit: float
    a_value: float
    a_pair: float = 0.0
    nominal: bool = True
    missing: bool = True


def _neighbors(k: int) -> Callable[[Known], Inducer]:
    return lambda population: KNN(k, metric="mixed" if population.nominal else "euclidean")


INDUCERS: Mapping[str, Tried] = {
    "1-nn": Tried(_neighbors(1), 0.3, 0.005, 0.06, missing=False),
    "3-nn": Tried(_neighbors(3), 0.3, 0.006, 0.06, missing=False),
    "ldf": Tried(lambda _: LinearDiscriminant(), 1.0, 0.007, nominal=False),
    "naive-bayes": Tried(lambda _: NaiveBayes(), 2.5, 0.03),
    "c4.5": Tried(lambda _: C45(), 8.0, 0.05),
    "majority": Tried(lambda _: Majority(), 0.1, 0.001),
}
"""The inducers of the study; neighbors are sought by mixed distances where attributes are nominal."""

COSTLY: Mapping[tuple[str, str], str] = {
    ("land-sat", "ldf"): "the covariance of 36 attributes is singular in most training sets, each of which then takes "
    "an eigenvalue decomposition",
    ("land-sat", "naive-bayes"): "36 numeric attributes",
    ("land-sat", "c4.5"): "36 numeric attributes to cut",
}
"""Populations and inducers that cost more than all others together, with what makes them so."""


class CoverageParameters(Parameters, notebook="guide/02-coverage"):
    """Parameters of the coverage study."""

    populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess", "land-sat"],
        "populations by name; normals-2d and rand are further ones",
        min_length=1,
        preview=["two-normals", "lenses"],
    )
    inducers: list[str] = parameter(
        ["1-nn", "ldf", "naive-bayes", "c4.5", "majority"],
        "inducers by name; 3-nn is a further one, and knn(k=3) the same",
        min_length=1,
    )
    sizes: list[int] = parameter([20, 50, 100, 500, 1000], "sample sizes", min_length=1, preview=[20, 50])
    repetitions: int = parameter(
        500, "samples of each population, inducer and size", ge=2, preview=10, replication=True
    )
    confidence: float = parameter(0.95, "nominal share of intervals that hold the truth, a proportion", gt=0, lt=1)
    most_trained: int = parameter(
        36_000,
        "cost limit of one interval: its classifiers times the sample's cases; raise it to run what was left out",
        ge=100,
        preview=12_000,
    )
    bootstrap_cost: float = parameter(
        17.0,
        "milliseconds, roughly, that out-of-bag and .632+ intervals of a sample may take together beyond most_trained",
        ge=0,
    )
    large_from: int = parameter(500, "size from which only large_populations are run", ge=2)
    large_populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess"],
        "populations that are run at large sizes too",
    )
    large_sizes: list[int] = parameter(
        [500, 1000, 2000],
        "sizes of the large samples; those that are none of sizes are drawn apart",
        min_length=1,
        preview=[50, 100],
    )
    large_repetitions: int = parameter(
        100, "samples of each size that is drawn apart", ge=2, preview=10, replication=True
    )
    costly_cells: bool = parameter(False, "whether the populations and inducers that cost most are run too")
    close_up: list[int] = parameter(
        [20, 100], "one or two sizes shown by population and inducer", min_length=1, preview=[20, 50]
    )
    slack: float = parameter(0.02, "how far below nominal a share may lie and still count, a proportion", ge=0, lt=0.5)

    @field_validator("inducers")
    @classmethod
    def _rows(cls, value: list[str]) -> list[str]:
        return [re.sub(r"^knn\(k=(\d+)\)$", r"\1-nn", name) for name in value]

    _once = field_validator("populations", "large_populations", "inducers", "sizes", "large_sizes")(each_once)

    @model_validator(mode="after")
    def _known(self) -> CoverageParameters:
        try:
            for name in (*self.populations, *self.large_populations):
                if name not in POPULATIONS:
                    population_named(name)
            for name in self.inducers:
                tried(name)
        except UsageError as error:
            raise ValueError(str(error)) from None
        if (least := min(*self.sizes, *self.large_sizes)) < 10:
            raise ValueError(f"size {least} is too small for ten folds; expected at least 10; use larger")
        if len(self.close_up) > 2 or not set(self.close_up) <= set(self.sizes):
            raise ValueError(
                f"close_up {self.close_up} is not one or two of the sizes {self.sizes}; expected such; mend either"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Check that something is left to run, and return the digest of each data set that a population is made of."""
        laid_out(self)
        return digests_of(self.populations)


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


def tried(inducer: str) -> Tried:
    """Return an inducer of the study by its name."""
    if inducer not in INDUCERS:
        raise UsageError(
            f"unknown inducer '{inducer}'; expected one of {', '.join(INDUCERS)}; {nearest(inducer, INDUCERS)}"
        )
    return INDUCERS[inducer]


def illegal(population: Known, inducer: str) -> str:
    """Say why an inducer cannot learn from a population's samples; nothing where it can."""
    if population.nominal and not INDUCERS[inducer].nominal:
        return "a linear discriminant takes no nominal attributes"
    if population.missing and not INDUCERS[inducer].missing:
        return "nearest neighbors take no missing values"
    return ""


def settings_at(method: str, n: int) -> tuple[str, ...]:
    """Return the ids of a method of :data:`METHODS` for samples of n cases, in falling order of cost."""
    return tuple(text.format(usual=usual_replicates(n)) for text in METHODS[method])


def chosen_id(method: str, n: int, most_trained: int) -> str:
    """Return the first settings of a method that train on no more cases of a sample than allowed, or nothing."""
    for text in settings_at(method, n):
        if parse_interval(text).least <= n and fits_of([text], n) * n <= most_trained:
            return text
    return ""


def laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid: what is run, and what is not."""
    cells, left_out = [], []
    ids = {n: {m: text for m in METHODS if (text := chosen_id(m, n, p.most_trained))} for n in p.sizes}
    for name in p.populations:
        for inducer in p.inducers:
            reason = illegal(population_named(name), inducer)
            costly = "" if p.costly_cells else COSTLY.get((name, inducer), "")
            for n in p.sizes:
                large = n >= p.large_from and name not in p.large_populations
                if reason:
                    left_out.append(LeftOut(name, inducer, n, "illegal", reason))
                elif costly or large:
                    told = costly or f"samples of {p.large_from} cases or more"
                    left_out.append(LeftOut(name, inducer, n, "cost", told))
                elif made := _with_bootstraps(p, name, inducer, n, ids[n]):
                    cells.append(Cell(name, inducer, n, made))
    if not cells:
        raise UsageError(
            "no combination of population, inducer, size and interval is left to run; expected at least one; allow "
            "more with most_trained, large_from or costly_cells"
        )
    return cells, left_out


_OF_BOOTSTRAPS = tuple(method for method, texts in METHODS.items() if "{usual}" in texts[0])
"""Methods that reduce the same bootstrap samples, so that all cost what one does."""


def _with_bootstraps(
    p: CoverageParameters, population: str, inducer: str, n: int, ids: Mapping[str, str]
) -> dict[str, str]:
    """Add the intervals of bootstrap samples that most_trained forbids, where the inducer makes them cheap."""
    more = {method: settings_at(method, n)[0] for method in _OF_BOOTSTRAPS if method not in ids}
    if not more or _milliseconds(population, inducer, n, more.values()) > p.bootstrap_cost:
        return dict(ids)
    both = {**ids, **more}
    return {method: both[method] for method in METHODS if method in both}


def measured(cell: Mapping[str, Any]) -> Experiment:
    """Say what is measured in a cell: every interval, and the true error of the sample's classifier."""
    population = population_named(cell["population"])
    return Experiment(
        FromPopulation(population, cell["n"]),
        tried(cell["inducer"]).make(population),
        intervals=cell["methods"],
        confidence=cell["confidence"],
    )


def coverage_study(cells: Sequence[Cell], repetitions: int, confidence: float, seed: int) -> Study:
    """Make the study; all inducers see the same samples and, of the same intervals, the same resamples."""
    return Study(
        "guide-coverage",
        [{**c._asdict(), "confidence": confidence, "methods": dict(c.methods)} for c in cells],
        repetitions,
        each_replicate(measured),
        seed=seed,
        seed_keys=("population", "n"),
        data=digests_of(sorted({c.population for c in cells})),
        chunk=50,
        cost=_cost,
    )


_MILLISECONDS_OF_A_METHOD = 0.35
_NOMINAL = 0.2


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one sample; nominal attributes cost about a fifth of numeric ones."""
    ids, pairs = cell["methods"], cell["n"] ** 2 * INDUCERS[cell["inducer"]].a_pair / 1000
    made = _milliseconds(cell["population"], cell["inducer"], cell["n"], ids.values())
    return len(ids) * _MILLISECONDS_OF_A_METHOD + pairs + made


def _milliseconds(population: str, inducer: str, n: int, ids: Iterable[str]) -> float:
    """Say roughly what the classifiers of some intervals take."""
    attributes, of = population_named(population).like.attributes, INDUCERS[inducer]
    width = max(sum(_NOMINAL if a.kind == "nominal" else 1.0 for a in attributes), 1.0)
    return fits_of(ids, n) * (of.a_fit + n * width * of.a_value) / 1000
