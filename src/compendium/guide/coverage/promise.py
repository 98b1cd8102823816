"""What the library tells of an interval's coverage, and how well that foretells a population it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Run
from compendium.guide.coverage.own_inducers import CoverageParameters
from compendium.guide.coverage.results import FIRST, Coverage, by_size, covered, percent, share
from compendium.guide.names import INTERVALS
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.promise import Counted, promised

__all__ = ["lines_of", "promise"]

_OTHER = "the-procedure"


class _Foretold(NamedTuple):
    """A cell of a population that the promise had not seen: what was promised, at worst, and what came."""

    method: str
    population: str
    inducer: str
    n: int
    promised: float
    worst: float
    came: float


@artifact("guide-coverage-promise", matrix=True)
def promise(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Leave each population out, and hold what the others promise against what came."""
    found = covered(p, run)
    lines = lines_of(found)
    foretold = [one for method, own in lines.items() for one in _foretold(method, own)]
    rows = []
    for name, measure in (("off-by", _off), ("below-the-worst", _below)):
        for method in lines:
            for n in p.sizes:
                own = [f for f in foretold if f.method == method and f.n == n]
                if own:
                    rows.append(by_size(f"{name}/{method}", n, measure(own)))
    table = pd.DataFrame([line for own in lines.values() for line in own], columns=list(Counted._fields))
    data = {"table": table, "foretold": pd.DataFrame(foretold, columns=list(_Foretold._fields))}
    return ArtifactResult(rows, data, findings=_words(p, foretold))


def lines_of(found: Coverage) -> Mapping[str, list[Counted]]:
    """Return what the library ships, by method: counts of the samples in which an interval held either target."""
    out: dict[str, list[Counted]] = {}
    for cell in found.cells[found.cells["target"] == FIRST].to_dict("records"):
        keys = found.keys(cell["method"], FIRST, [cell["n"]])
        (key,) = (k for k in keys if (k.population, k.inducer) == (cell["population"], cell["inducer"]))
        held, other = (int(found.hits[key._replace(target=target)].sum()) for target in (FIRST, _OTHER))
        made, samples = parse_interval(cell["interval"]).id, int(cell["samples"])
        line = Counted(made, key.population, key.inducer, key.n, held, other, samples)
        out.setdefault(key.method, []).append(line)
    return out


def _foretold(method: str, lines: Sequence[Counted]) -> list[_Foretold]:
    out = []
    for line in lines:
        made = parse_interval(line.interval)
        others = [o for o in lines if o.population != line.population and o.n == line.n]
        if others:
            said = promised(others, made, line.n, line.inducer)
            where = (line.population, line.inducer, line.n)
            out.append(_Foretold(method, *where, said.coverage, said.worst, line.share(made.target)))
    return out


def _off(own: Sequence[_Foretold]) -> Estimate:
    """Root mean square difference in points; its error is that of a mean of squares over cells."""
    squares = np.square([100 * (f.came - f.promised) for f in own])
    root = sqrt(float(squares.mean()))
    spread = float(squares.std(ddof=1)) / sqrt(len(own)) if len(own) > 1 else 0.0
    return Estimate(root, spread / (2 * root) if root > 0 else 0.0, len(own))


def _below(own: Sequence[_Foretold]) -> Estimate:
    return share(float(np.mean([f.came < f.worst for f in own])), len(own)) * 100


def _words(p: CoverageParameters, foretold: Sequence[_Foretold]) -> list[str]:
    if not foretold:
        return ["With one population there is none to foretell another from."]
    chance = sqrt(float(np.mean([2 * f.came * (1 - f.came) / p.repetitions for f in foretold])))
    far = max(foretold, key=lambda f: abs(f.came - f.promised))
    by = {n: [f for f in foretold if f.n == n] for n in p.sizes}
    parts = [
        f"n = {n}: off by {_off(own).value:.1f} points, {_below(own).value:.1f} % of {len(own)} cells below the worst"
        for n, own in by.items()
        if own
    ]
    farthest = (
        f"Farthest off: {INTERVALS[far.method]} with {far.inducer} on {far.population} at n = {far.n}, foretold "
        f"{percent(far.promised)}, came {percent(far.came)}."
    )
    return [
        f"{'; '.join(parts)} (at most {100 * chance:.1f} points would be chance of {p.repetitions} samples a cell).",
        farthest,
    ]
