"""How it was run: what was run, and what was left out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.inducers import illegal, made_for
from compendium.guide.coverage.methods import METHODS, settings_at
from compendium.guide.coverage.parameters import (
    CoverageParameters,
    LeftOut,
    laid_out,
    learners_laid_out,
    small_errors_laid_out,
    worlds_laid_out,
)
from compendium.guide.coverage.populations import NORMALS, normal_population, population_named
from compendium.guide.coverage.results import (
    by_size,
)
from compendium.guide.names import POPULATIONS
from errorest.estimation.intervals import fits_of
from errorest.streams import Streams


@artifact("guide-coverage-run", matrix=True)
def how_it_was_run(p: CoverageParameters, run: Run) -> ArtifactResult:
    """What was run and what was left out, with the reason, and how exact the true errors are."""
    (cells, left_out), (few, few_left_out) = laid_out(p), small_errors_laid_out(p)
    cells, left_out = cells + few, left_out + few_left_out
    populations = list(dict.fromkeys([*p.populations, *p.small_errors, *p.worlds]))
    ids = {(method, c.n): text for c in cells for method, text in c.methods.items()}
    settings = pd.DataFrame(
        [(m, n, ids.get((m, n), ""), ids.get((m, n)) or settings_at(m, n)[-1]) for m in METHODS for n in p.sizes],
        columns=["method", "n", "interval", "cheapest"],
    )
    settings["classifiers"] = [fits_of([s.cheapest], s.n) for s in each(settings)]
    rows = [
        by_size(
            f"{'classifiers-of-a-sample' if s.interval else 'left-out-for-cost'}/{s.method}", s.n, exact(s.classifiers)
        )
        for s in settings.sort_values("interval", key=lambda text: text == "", kind="stable").pipe(each)
    ]
    ran = {(c.population, c.inducer, c.n) for c in cells}
    rows += [
        by_size(f"{name}/{inducer}", n, exact(p.repetitions * ((name, inducer, n) in ran)))
        for name in [*p.populations, *p.small_errors]
        for inducer in p.inducers
        for n in p.sizes
    ]
    rows += [by_size(f"{c.population}/{c.inducer}", c.n, exact(p.world_samples)) for c in worlds_laid_out(p)]
    rows += [by_size(f"{c.population}/{c.inducer}", c.n, exact(p.learner_samples)) for c in learners_laid_out(p)]
    rows += integration(p)
    named = pd.DataFrame([(name, POPULATIONS[name]) for name in populations], columns=["population", "what it is"])
    left = pd.DataFrame(left_out, columns=list(LeftOut._fields))
    return ArtifactResult(rows, {"left-out": left, "settings": settings, "populations": named})


def integration(p: CoverageParameters, samples: int = 3) -> list[Row]:
    """By how much sixteen times the points move the true errors that are integrals: root mean square, points."""
    squares, n = [], max(p.close_up)
    for name in (name for name in p.populations if name in NORMALS):
        coarse, fine = population_named(name), normal_population(NORMALS[name](), 15)
        for number in range(samples):
            sample = coarse.sample(n, Streams(p.seed).child("guide-integration", name, number).generator("sample"))
            for inducer in (i for i in p.inducers if not illegal(name, i)):
                classifier = made_for(inducer, coarse).fit(sample, np.random.default_rng(p.seed))
                squares.append((100 * (coarse.true_error(classifier) - fine.true_error(classifier))) ** 2)
    if not squares:
        return []
    root = float(np.sqrt(np.mean(squares)))
    se = float(np.std(squares, ddof=1) / np.sqrt(len(squares)) / (2 * root)) if root > 0 else 0.0
    return [by_size("true-errors-off-by/points", n, Estimate(root, se, len(squares)))]
