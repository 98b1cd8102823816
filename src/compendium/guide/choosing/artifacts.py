"""The best of many: how far its error is off, as found, corrected and by nested folds, and how often intervals hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, NamedTuple

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every
from compendium.evidence.monte_carlo import mean, rms, share
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import METHODS, ChoosingParameters, choosing_study
from compendium.guide.choosing.figures import draw_biases, draw_coverages
from compendium.guide.held import average_of_groups, held
from compendium.guide.names import CHOOSING, CHOOSING_LABELS, TARGETS

# Points by which a bias may differ from 0 and still not matter
_SLACK = 1.0
# Points of coverage that may be missing
_SHORT = 2.0


class Cell(NamedTuple):
    """The best of some candidates by one method, over the samples of a population and size (percent and points)."""

    population: str
    n: int
    candidates: int
    method: str
    bias: Estimate
    coverage: Mapping[str, Estimate]
    width: Estimate
    truth: Estimate
    rms: float

    def row(self, measured: Estimate, name: str = "{population}/{n}-cases/{method}") -> Row:
        """Make a row of one of its numbers."""
        return Row.of("literal", name.format(**self._asdict()), f"{self.candidates}-candidates", measured)

    def record(self, **values: float | str) -> dict[str, Any]:
        """Make a line of a table of data."""
        place = dict(zip(self._fields[:4], self[:4], strict=True))
        return {**place, **values, "samples": self.bias.n}


def measured(p: ChoosingParameters, run: Run) -> list[Cell]:
    """Compare the errors of the best with the truth: a cell a population, size, number of candidates and method."""
    cells = []
    for (population, n, number, method), own in parts(
        run(choosing_study(p)), "population", "n", "number", "method"
    ).items():
        value, truth, low, high = (own[name].to_numpy() for name in ("value", "truth", "low", "high"))
        hits = {target: float(held(low, high, truth, target).sum()) for target in TARGETS}
        coverage = {target: share(count, len(own)) * 100 for target, count in hits.items()}
        off = value - truth
        width, error = mean(high - low) * 100, mean(truth) * 100
        measures = (mean(off) * 100, coverage, width, error, 100 * rms(off).value)
        cells.append(Cell(population, n, number, method, *measures))
    return cells


def _ask(
    cells: list[Cell], method: str, of: Callable[[Cell], Estimate], ask: Callable[[Estimate], Condition]
) -> list[Conditions]:
    """Ask the same of every cell of a method; each population is a condition of its own."""
    own: dict[str, list[Condition]] = {}
    for c in cells:
        if c.method == method:
            label = f"n = {c.n}, {c.candidates} candidates"
            own.setdefault(c.population, []).append(ask(of(c).named(label)))
    return [every(CHOOSING["populations"][population].sentence, asked) for population, asked in own.items()]


def _bias(method: str, ask: Callable[[Estimate], Condition]) -> Callable[[list[Cell]], list[Conditions]]:
    return lambda cells: _ask(cells, method, lambda c: c.bias.named(unit="points"), ask)


BIAS = Claims(
    "guide-choosing-bias",
    {
        "as-found-too-low": _bias("minimum", lambda e: e < 0),
        "corrected-unbiased": _bias("bbc", lambda e: abs(e) <= _SLACK),
        "corrected-not-too-low": _bias("bbc", lambda e: e > -_SLACK),
        "nested-not-too-low": _bias("nested", lambda e: e > -_SLACK),
    },
)


def _enough(method: str) -> Callable[[list[Cell], float], list[Conditions]]:
    target = next(iter(TARGETS))
    return lambda cells, nominal: _ask(
        cells, method, lambda c: c.coverage[target].named(unit="%", digits=1, sign=""), lambda e: e > nominal - _SHORT
    )


COVERAGE = Claims("guide-choosing-coverage", {method: _enough(method) for method in METHODS})


@artifact("guide-choosing-bias", draw=draw_biases, labels=CHOOSING_LABELS, matrix=True)
def biases(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Mean of estimate less truth by number of candidates (points)."""
    cells = measured(p, run)
    frame = pd.DataFrame(c.record(bias=c.bias.value, se=c.bias.se, truth=c.truth.value, rms=c.rms) for c in cells)
    rows = [c.row(c.bias) for c in cells]
    rows += [c.row(c.truth, "true-error/{population}/{n}-cases") for c in cells if c.method == METHODS[0]]
    return ArtifactResult(rows, {"biases": frame}, judge_claims(BIAS, cells))


@artifact("guide-choosing-coverage", draw=draw_coverages, labels=CHOOSING_LABELS, matrix=True)
def coverages(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Coverage by number of candidates, for both targets (percent), and mean width (points)."""
    cells = measured(p, run)
    rows = [
        c.row(c.coverage[target], f"{target}/{{population}}/{{n}}-cases/{{method}}")
        for target in TARGETS
        for c in cells
    ]
    frame = pd.DataFrame(
        c.record(target=target, coverage=c.coverage[target].value, se=c.coverage[target].se, width=c.width.value)
        for target in TARGETS
        for c in cells
    )
    for n, method in product(p.sizes, METHODS):
        width = average_of_groups(
            [c.width for c in cells if c[:2] == (k, n) and c.method == method] for k in p.populations
        )
        rows.append(Row.of("literal", f"width/{n}-cases/{method}", "all-candidates", width))
    checks = judge_claims(COVERAGE, cells, 100 * p.confidence)
    return ArtifactResult(rows, {"coverages": frame}, checks)
