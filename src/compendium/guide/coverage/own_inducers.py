"""Inducers of a person's own in the coverage study: any of the library's, or an import path.

The study's inducers come with what they cost and on which populations they are legal. Of another one neither is
known: a population is tried with one sample, and an interval is limited by its number of classifiers alone. Each is
a study of its own on the same samples, so that adding one leaves finished studies valid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from compendium.evidence.results import Run
from compendium.guide.coverage import experiment as study
from compendium.guide.coverage.experiment import METHODS, Cell, LeftOut, chosen_id, coverage_study
from compendium.guide.coverage.populations import Known, digests_of, population_named
from compendium.papers.kohavi.named_inducers import inducer_named
from compendium.papers.parameters import parameter
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.errors import UsageError
from errorest.inducers import KNN
from errorest.inducers.base import Inducer
from errorest.inducers.named import files_of

__all__ = ["CoverageParameters", "illegal", "laid_out", "made_for", "measured", "own_study", "tables_of"]

_TRIED_CASES = 20


class CoverageParameters(study.CoverageParameters, notebook="guide/02-coverage"):
    """Parameters of the coverage study, with inducers of a person's own."""

    inducers: list[str] = parameter(
        ["1-nn", "ldf", "naive-bayes", "c4.5", "majority"],
        "inducers by name, or import paths of scikit-learn classifiers; knn(k=3) is 3-nn",
        min_length=1,
    )

    @field_validator("inducers")
    @classmethod
    def _rows(cls, value: list[str]) -> list[str]:
        short = [re.sub(r"^knn\(k=(\d+)\)$", r"\1-nn", text) for text in value]
        return [name if name in study.INDUCERS else text for name, text in zip(short, value, strict=True)]

    @model_validator(mode="after")
    def _known(self) -> CoverageParameters:
        for name in self.inducers:
            if name not in study.INDUCERS:
                inducer_named(name)
        # what is left is the study's own to check
        checked = [name for name in self.inducers if name in study.INDUCERS] or list(study.INDUCERS)[:1]
        study.CoverageParameters(**{**self.model_dump(), "inducers": checked})
        return self

    def inputs(self) -> dict[str, str]:
        """Check that something is left to run; return the digests of data sets and of files of inducers."""
        laid_out(self)
        return digests_of(self.populations) | files_of(self.inducers)


def made_for(inducer: str, population: Known) -> Inducer:
    """Make an inducer for the samples of a population; neighbors are sought by mixed distances among nominal values."""
    if inducer in study.INDUCERS:
        return study.tried(inducer).make(population)
    made = inducer_named(inducer)
    if isinstance(made, KNN) and population.nominal and made.metric == "euclidean":
        return replace(made, metric="mixed")
    return made


@lru_cache(maxsize=256)
def illegal(population: str, inducer: str) -> str:
    """Say why an inducer cannot learn from a population's samples; nothing where it can."""
    known = population_named(population)
    if inducer in study.INDUCERS:
        return study.illegal(known, inducer)
    try:
        made_for(inducer, known).fit(known.sample(_TRIED_CASES, np.random.default_rng(0)), np.random.default_rng(0))
    except (UsageError, ValueError) as refused:
        return str(refused).split(";")[0]
    return ""


def laid_out(p: study.CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid: what is run, and what is not, in the order of populations, inducers and sizes."""
    own = [name for name in p.inducers if name not in study.INDUCERS]
    if not own:
        return study.laid_out(p)
    # the study refuses a grid without a cell; the majority's, which are always legal, keep it from that
    known = [name for name in p.inducers if name in study.INDUCERS]
    cells, left_out = study.laid_out(p.model_copy(update={"inducers": list(dict.fromkeys([*known, "majority"]))}))
    cells, left_out = [c for c in cells if c.inducer in known], [one for one in left_out if one.inducer in known]
    for population, inducer, n in product(p.populations, own, p.sizes):
        ids = {m: text for m in METHODS if (text := chosen_id(m, n, p.most_trained))}
        if reason := illegal(population, inducer):
            left_out.append(LeftOut(population, inducer, n, "illegal", reason))
        elif n >= p.large_from and population not in p.large_populations:
            left_out.append(LeftOut(population, inducer, n, "cost", f"samples of {p.large_from} cases or more"))
        elif ids:
            cells.append(Cell(population, inducer, n, ids))
    if not cells:
        told = f" ({left_out[0].reason})" if left_out else ""
        raise UsageError(
            f"no combination of population, inducer, size and interval is left to run{told}; expected at least one; "
            "choose other inducers or populations, or allow more with most_trained or large_from"
        )
    return cells, left_out


def measured(cell: Mapping[str, Any]) -> Experiment:
    """Say what is measured in a cell of a person's own inducer: what is measured in any other."""
    population = population_named(cell["population"])
    return Experiment(
        FromPopulation(population, cell["n"]),
        made_for(cell["inducer"], population),
        intervals=cell["methods"],
        confidence=cell["confidence"],
    )


def own_study(cells: Sequence[Cell], repetitions: int, confidence: float, seed: int) -> Study:
    """Make the study of one inducer of a person's own, on the samples and resamples of all others."""
    like = coverage_study([c._replace(inducer="majority") for c in cells], repetitions, confidence, seed)
    return replace(
        like,
        cells=[{**cell, "inducer": own.inducer} for cell, own in zip(like.cells, cells, strict=True)],
        measure=each_replicate(measured),
        data={**like.data, **files_of({c.inducer for c in cells})},
        cost=lambda cell: float(len(cell["methods"]) * cell["n"]),
    )


def tables_of(
    cells: Sequence[Cell], p: study.CoverageParameters, run: Run, repetitions: int
) -> list[tuple[list[Cell], pd.DataFrame]]:
    """Run some cells with so many samples of each; return the cells and the results of each study."""
    tables = []
    parts = [[c for c in cells if c.inducer in study.INDUCERS]]
    parts += [[c for c in cells if c.inducer == name] for name in p.inducers if name not in study.INDUCERS]
    for number, some in enumerate(parts):
        if some:
            made = (own_study if number else coverage_study)(some, repetitions, p.confidence, p.seed)
            tables.append((some, run(made)))
    return tables
