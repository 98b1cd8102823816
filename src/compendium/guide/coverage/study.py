"""The coverage study: what is measured of a sample, and in which studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compendium.guide.coverage.inducers import INDUCERS, made_for
from compendium.guide.coverage.parameters import Cell, CoverageParameters
from compendium.guide.coverage.populations import digests_of, population_named
from compendium.papers.import_paths import files_of
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.estimation.intervals import fits_of


def measured(cell: Mapping[str, Any]) -> Experiment:
    """Say what is measured of a population and size: the true error of every inducer, and every interval of it."""
    population = population_named(cell["population"])
    return Experiment(
        FromPopulation(population, cell["n"]),
        {name: made_for(name, population) for name in cell["inducers"]},
        intervals=cell["methods"],
        confidence=cell["confidence"],
    )


def coverage_studies(p: CoverageParameters, cells: Sequence[Cell], samples: int) -> list[tuple[list[Cell], Study]]:
    """Return the study of the library's inducers and one for each other, all on the same samples and resamples.

    A learner from a user's file has a separate study, whose chunks alone depend on that file.
    """
    names = list(dict.fromkeys(cell.inducer for cell in cells))
    groups = [[i for i in names if i in INDUCERS], *([i] for i in names if i not in INDUCERS)]
    parts = [[cell for cell in cells if cell.inducer in group] for group in groups]
    return [(part, _study(part, p, samples)) for part in parts if part]


def _study(cells: Sequence[Cell], p: CoverageParameters, samples: int) -> Study:
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
        samples,
        each_replicate(measured),
        seed=p.seed,
        seed_keys=("population", "n"),
        data=digests_of(sorted({c.population for c in cells})) | files_of(sorted({c.inducer for c in cells})),
        chunk=45,
        cost=_cost,
        version=3,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Count fits, each of a fixed cost and one a case."""
    return float(len(cell["inducers"]) * fits_of(cell["methods"].values(), cell["n"]) * (100 + cell["n"]))
