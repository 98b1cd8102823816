"""The coverage study: which intervals are made of which samples, what is left out, and what is measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from pydantic import field_validator, model_validator

from compendium.guide.coverage.populations import FAR_APART, POPULATIONS, Known, digests_of, population_named
from compendium.papers.import_paths import files_of
from compendium.papers.kohavi.inducers import inducer_named
from compendium.papers.parameters import Parameters, SizesForTenFolds, parameter, unique
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.errors import UsageError
from errorest.estimation.intervals import fits_of, parse_interval
from errorest.estimation.intervals.out_of_bag import usual_replicates
from errorest.learners import C45, KNN, LinearDiscriminant, Majority, NaiveBayes
from errorest.learners.base import Inducer

# The intervals of the study, each with its settings in falling order of cost; `usual` grows with the sample
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
    ".632+-to-Wilson": ("632+wilson(replicates={usual})",),
    "location-shifted": ("location-shifted(replicates=100)",),
    "bootstrap-case-CV": ("bootstrap-case-cv(replicates=40)",),
    "two-stage": ("two-stage(outer=40, inner=4)",),
}

# What the benchmark of Schulz-Kuempel et al. recommends.
RECOMMENDED = ("corrected-t", "conservative-z", "nested-CV")

# The inducers of the study by name
INDUCERS: Mapping[str, Inducer] = {
    "1-nn": KNN(1, metric="euclidean"),
    "3-nn": KNN(3, metric="euclidean"),
    "ldf": LinearDiscriminant(),
    "naive-bayes": NaiveBayes(),
    "c4.5": C45(),
    "majority": Majority(),
}

# Populations of small error that the nearest neighbour and large samples are run on too
EVERY_OTHER = list(FAR_APART)[::2]

# The largest samples of populations and inducers that are cheap at large sizes, or dear at every size
LARGEST: Mapping[tuple[str, str], int] = {
    ("two-normals", "ldf"): 2000,
    ("lenses", "naive-bayes"): 2000,
    ("lenses", "majority"): 2000,
    ("lenses", "c4.5"): 1000,
    ("two-normals", "1-nn"): 1000,
    ("normals-5d", "1-nn"): 500,
    ("normals-5d", "ldf"): 500,
    ("two-normals", "naive-bayes"): 500,
    ("mushroom", "c4.5"): 500,
    ("two-normals", "majority"): 500,
    ("normals-5d", "c4.5"): 50,
    ("chess", "c4.5"): 50,
    **{("land-sat", inducer): 0 for inducer in ("ldf", "naive-bayes", "c4.5")},
    **{(name, inducer): 0 for name in FAR_APART for inducer in ("1-nn", "c4.5", "majority")},
    **{(name, "1-nn"): 100 for name in EVERY_OTHER},
    # whose error there is above 5 %
    (EVERY_OTHER[-1], "1-nn"): 500,
    **{(name, inducer): 500 for name in EVERY_OTHER for inducer in ("ldf", "naive-bayes")},
}

# Populations of two equally frequent classes: the majority inducer has the same distribution on all of them
BALANCED = ("two-normals", "normals-5d", "normals-2d", "no-information", "rand")

_ATTEMPTS = 20


class CoverageParameters(Parameters, notebook="guide/03-coverage"):
    """Parameters of the coverage study."""

    populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess", "land-sat"],
        min_length=1,
        preview=["two-normals", "lenses"],
    )
    small_errors: list[str] = parameter(
        list(FAR_APART),
        min_length=1,
        preview=EVERY_OTHER[:2],
    )
    inducers: list[str] = parameter(
        ["1-nn", "ldf", "naive-bayes", "c4.5", "majority"],
        min_length=1,
    )
    sizes: SizesForTenFolds = parameter([20, 50, 100, 500, 1000, 2000], min_length=1, preview=[20, 50])
    repetitions: int = parameter(225, ge=2, preview=10, replication=True)
    confidence: float = parameter(0.95, gt=0, lt=1)
    most_trained: int = parameter(
        36_000,
        ge=100,
        preview=12_000,
    )
    full_to: int = parameter(
        100,
        ge=2,
        preview=20,
    )
    all_cells: bool = parameter(False)
    close_up: SizesForTenFolds = parameter([20, 100], min_length=1, preview=[20, 50])
    slack: float = parameter(0.02, ge=0, lt=0.5)

    @field_validator("inducers")
    @classmethod
    def _short_names(cls, value: list[str]) -> list[str]:
        short = [re.sub(r"^knn\(k=(\d+)\)$", r"\1-nn", text) for text in value]
        return [name if name in INDUCERS else text for name, text in zip(short, value, strict=True)]

    _unique = field_validator("populations", "small_errors", "inducers", "sizes")(unique)

    @model_validator(mode="after")
    def _known(self) -> CoverageParameters:
        try:
            for name in [*self.populations, *self.small_errors]:
                if name not in POPULATIONS:
                    population_named(name)
            for name in self.inducers:
                if name not in INDUCERS:
                    inducer_named(name)
        except UsageError as error:
            raise ValueError(str(error)) from None
        if len(self.close_up) > 2 or not set(self.close_up) <= set(self.sizes):
            raise ValueError(f"close_up must be one or two of the sizes {self.sizes}; got {self.close_up}")
        return self

    def inputs(self) -> dict[str, str]:
        """Check that something is left to run; return the digests of data sets and of files of inducers."""
        laid_out(self)
        return digests_of([*self.populations, *self.small_errors]) | files_of(self.inducers)


class Cell(NamedTuple):
    """One cell of the grid with the ids of its intervals, by the names of :data:`METHODS`."""

    population: str
    inducer: str
    n: int
    methods: Mapping[str, str]


class LeftOut(NamedTuple):
    """A cell that is not run, and why; ``kind`` is ``illegal``, ``same`` or ``cost``."""

    population: str
    inducer: str
    n: int
    kind: str
    reason: str


def made_for(inducer: str, population: Known) -> Inducer:
    """Make an inducer for the samples of a population, with mixed distances where attributes are nominal."""
    made = INDUCERS[inducer] if inducer in INDUCERS else inducer_named(inducer)
    if isinstance(made, KNN) and population.nominal and made.metric == "euclidean":
        return replace(made, metric="mixed")
    return made


@lru_cache(maxsize=256)
def illegal(population: str, inducer: str) -> str:
    """Say why an inducer cannot learn from a population's samples; nothing where it can."""
    known, rng = population_named(population), np.random.default_rng(0)
    try:
        made_for(inducer, known).fit(known.sample(_ATTEMPTS, rng), rng)
    except (UsageError, ValueError) as refused:
        return str(refused).split(";")[0]
    return ""


def settings_at(method: str, n: int) -> tuple[str, ...]:
    """Return the ids of a method of :data:`METHODS` for samples of n cases, in falling order of cost."""
    return tuple(text.format(usual=usual_replicates(n)) for text in METHODS[method])


def methods_at(n: int, most_trained: int) -> dict[str, str]:
    """Return the id of each method that is made of n cases: the dearest settings within the limit.

    Those that reduce the usual bootstrap samples share their classifiers and are always made, and the recommended
    ones with their cheapest settings.
    """
    results = {}
    for method, texts in METHODS.items():
        legal = [text for text in settings_at(method, n) if parse_interval(text).least <= n]
        cheap = [text for text in legal if fits_of([text], n) * n <= most_trained]
        if legal and ("{usual}" in texts[0] or method in RECOMMENDED):
            cheap += legal[-1:]
        if cheap:
            results[method] = cheap[0]
    return results


def laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid: what is run, and what is not."""
    cells, left_out = _grid(p, p.populations)
    if not cells:
        because = f" ({left_out[0].reason})" if left_out else ""
        raise UsageError(
            f"no combination of population, inducer, size and interval is left to run{because}",
            "choose other inducers or populations, or allow more with full_to or all_cells",
        )
    return cells, left_out


def small_errors_laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid of the populations of small error; nothing is run where no inducer of few errors was named."""
    return _grid(p, p.small_errors)


def _grid(p: CoverageParameters, populations: Sequence[str]) -> tuple[list[Cell], list[LeftOut]]:
    cells, left_out = [], []
    balanced = [name for name in populations if name in BALANCED]
    methods = {n: methods_at(n, p.most_trained) for n in p.sizes}
    for place in product(populations, p.inducers, p.sizes):
        name, inducer, n = place
        if reason := illegal(name, inducer):
            left_out.append(LeftOut(*place, "illegal", reason))
        elif inducer == "majority" and name in balanced[1:]:
            left_out.append(LeftOut(*place, "same", f"the same distribution as on {balanced[0]}"))
        elif n > LARGEST.get((name, inducer), p.full_to) and not p.all_cells:
            left_out.append(LeftOut(*place, "cost", "set all_cells to run it"))
        elif methods[n]:
            cells.append(Cell(*place, methods[n]))
    return cells, left_out


def measured(cell: Mapping[str, Any]) -> Experiment:
    """Say what is measured of a population and size: the true error of every inducer, and every interval of it."""
    population = population_named(cell["population"])
    return Experiment(
        FromPopulation(population, cell["n"]),
        {name: made_for(name, population) for name in cell["inducers"]},
        intervals=cell["methods"],
        confidence=cell["confidence"],
    )


def coverage_studies(p: CoverageParameters, cells: Sequence[Cell]) -> list[tuple[list[Cell], Study]]:
    """Return the study of the inducers above and one for each other, all on the same samples and resamples.

    An inducer from a file of one's own has a study of its own, whose chunks alone depend on that file.
    """
    groups = [[i for i in p.inducers if i in INDUCERS], *([i] for i in p.inducers if i not in INDUCERS)]
    parts = [[cell for cell in cells if cell.inducer in group] for group in groups]
    return [(part, _study(part, p)) for part in parts if part]


def _study(cells: Sequence[Cell], p: CoverageParameters) -> Study:
    """Make the study of some cells: those of one population and size are one of its cells, and share what is drawn."""
    inducers: dict[tuple[str, int], list[str]] = {}
    for c in cells:
        inducers.setdefault((c.population, c.n), []).append(c.inducer)
    methods = {c.n: dict(c.methods) for c in cells}
    return Study(
        "guide-coverage",
        [
            {"population": name, "n": n, "inducers": own, "confidence": p.confidence, "methods": methods[n]}
            for (name, n), own in inducers.items()
        ],
        p.repetitions,
        each_replicate(measured),
        seed=p.seed,
        seed_keys=("population", "n"),
        data=digests_of(sorted({c.population for c in cells})) | files_of(sorted({c.inducer for c in cells})),
        chunk=45,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Count fits, each of a fixed cost and one a case."""
    return float(len(cell["inducers"]) * fits_of(cell["methods"].values(), cell["n"]) * (100 + cell["n"]))
