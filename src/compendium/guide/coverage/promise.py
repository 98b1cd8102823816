"""What the library reports of an interval's coverage, and how well that predicts a population left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.methods import METHODS
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    FIRST,
    PROCEDURE,
    Coverage,
    by_size,
    covered,
    covered_elsewhere,
    covered_of_small_errors,
    share,
)
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.coverage_table import Counted, promised


class _Predicted(NamedTuple):
    """A cell of a population that was left out: what the others predict, at worst, and what was measured."""

    method: str
    population: str
    inducer: str
    n: int
    predicted: float
    worst: float
    measured: float


@artifact("guide-coverage-promise", matrix=True)
def promise(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Leave each population out, and compare what the others predict with what was measured."""
    found = [covered(p, run), covered_of_small_errors(p, run), covered_elsewhere(p, run)]
    lines = [line for part in found if part is not None for line in lines_of(part)]
    place = {method: k for k, method in enumerate(METHODS)}
    lines.sort(key=lambda line: place[line[0]])
    cells = pd.DataFrame(list(_predictions(lines)), columns=list(_Predicted._fields))
    groups = parts(cells, "method", "n")
    rows = [
        by_size(f"{name}/{method}", n, measure(groups[method, n]))
        for name, measure in (("off-by", _off), ("below-the-worst", _below))
        for method in METHODS
        for n in sorted({*p.sizes, *p.world_sizes})
        if (method, n) in groups
    ]
    table = pd.DataFrame([line for _, line in lines], columns=list(Counted._fields))
    return ArtifactResult(rows, {"table": table, "predicted": cells})


def lines_of(found: Coverage) -> Iterator[tuple[str, Counted]]:
    """Yield what the library ships, and the method: counts of the samples in which an interval held either target."""
    for c in found.cells.to_dict("records"):
        own, mean = (round(c[target] * c["samples"]) for target in (FIRST, PROCEDURE))
        made, error = parse_interval(c["interval"]).id, float(f"{c['error']:.4g}")
        yield c["method"], Counted(made, c["population"], c["inducer"], c["n"], own, mean, c["samples"], error)


def _predictions(lines: Sequence[tuple[str, Counted]]) -> Iterator[_Predicted]:
    alike: dict[tuple[str, int], list[Counted]] = {}
    for method, line in lines:
        alike.setdefault((method, line.n), []).append(line)
    for method, line in lines:
        made = parse_interval(line.interval)
        others = [o for o in alike[method, line.n] if o.population != line.population]
        result = promised(others, made, line.n, line.error, line.inducer)
        if result.lines:
            measured = line.share(made.target)
            yield _Predicted(method, line.population, line.inducer, line.n, result.coverage, result.worst, measured)


def _off(own: pd.DataFrame) -> Estimate:
    """Root mean square difference in points, its error by the delta method over cells."""
    squares = np.square(100 * (own["measured"] - own["predicted"]).to_numpy())
    root = sqrt(float(squares.mean()))
    spread = float(squares.std(ddof=1)) / sqrt(len(own)) if len(own) > 1 else 0.0
    return Estimate(root, spread / (2 * root) if root > 0 else 0.0, len(own))


def _below(own: pd.DataFrame) -> Estimate:
    return share(float((own["measured"] < own["worst"]).mean()), len(own)) * 100
