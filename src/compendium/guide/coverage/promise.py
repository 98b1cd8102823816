"""What the library reports of an interval's coverage, and how well that predicts a population left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.counted import counted_lines
from compendium.guide.coverage.methods import METHODS
from compendium.guide.coverage.model import grouped, leave_out
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import by_size, share
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
    lines = counted_lines(p, run)
    cells = pd.DataFrame(list(_predictions(lines)), columns=list(_Predicted._fields))
    # what the model predicts has no worst
    groups, with_worst = (parts(some, "method", "n") for some in (cells, cells[cells["worst"].notna()]))
    rows = [
        by_size(f"{name}/{method}", n, measure(own[method, n]))
        for name, measure, own in (("off-by", _off, groups), ("below-the-worst", _below, with_worst))
        for method in METHODS
        for n in sorted({*p.sizes, *p.world_sizes, *p.learner_sizes})
        if (method, n) in own
    ]
    table = pd.DataFrame([line for _, line in lines], columns=list(Counted._fields))
    return ArtifactResult(rows, {"table": table, "predicted": cells})


def _predictions(lines: Sequence[tuple[str, Counted]]) -> Iterator[_Predicted]:
    """Predict each cell from the other populations, as the library does: from cells like it, or by the model."""
    of_cases = [(method, line) for method, line in lines if line.unit == "cases"]
    alike: dict[tuple[str, int], list[Counted]] = {}
    for method, line in of_cases:
        alike.setdefault((method, line.n), []).append(line)
    models = {
        method: leave_out(own, parse_interval(own[0].interval).target) for (method, _), own in grouped(of_cases).items()
    }
    for method, line in of_cases:
        made = parse_interval(line.interval)
        others = [o for o in alike[method, line.n] if o.population != line.population]
        modelled = (made.id, models[method][line.population]) if method in models else None
        result = promised(others, made, line.n, line.error, line.inducer, modelled)
        if not isnan(result.coverage):
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
