"""The best of many candidates: bias of its error and coverage of the intervals, by number of candidates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import NamedTuple

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.monte_carlo import mean, rms, share
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.choosing.drawing import FIRST, lines_by_size
from compendium.guide.choosing.parameters import METHODS, ChoosingParameters
from compendium.guide.choosing.study import choosing_study
from compendium.guide.intervals import average_of_groups, covers
from compendium.guide.names import CHOOSING, CHOOSING_LABELS, TARGETS
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest.plots import in_style, log_axis

# Points by which a bias may differ from 0, and points of coverage that may be missing, and still not matter
BIAS_TOLERANCE, COVERAGE_TOLERANCE = 1.0, 2.0


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
        """Return the row of one of its numbers."""
        return Row.of("literal", name.format(**self._asdict()), f"{self.candidates}-candidates", measured)

    def record(self, **values: float | str) -> dict[str, object]:
        """Return a line of a table of data."""
        place = dict(zip(self._fields[:4], self[:4], strict=True))
        return {**place, **values, "samples": self.bias.n}


def measured(p: ChoosingParameters, run: Run) -> list[Cell]:
    """Compare the errors of the best with the truth: a cell a population, size, number of candidates and method."""
    cells = []
    groups = parts(run(choosing_study(p)), "population", "n", "number", "method")
    for (population, n, number, method), samples in groups.items():
        value, truth, low, high = (samples[name].to_numpy() for name in ("value", "truth", "low", "high"))
        label = f"n = {n}, {number} candidates"
        hits = {target: float(covers(low, high, truth, target).sum()) for target in TARGETS}
        coverage = {k: (share(n, len(samples)) * 100).named(label, "%", 1, "") for k, n in hits.items()}
        bias = (mean(value - truth) * 100).named(label, "points")
        width, error = mean(high - low) * 100, mean(truth) * 100
        cells.append(Cell(population, n, number, method, bias, coverage, width, error, 100 * rms(value - truth).value))
    return cells


BIAS = Claims("guide-choosing-bias")


def by_population(cells: list[Cell], method: str) -> dict[str, list[Cell]]:
    """Group the cells of a method by population, by its name in a sentence."""
    groups: dict[str, list[Cell]] = {}
    for c in cells:
        if c.method == method:
            groups.setdefault(CHOOSING["populations"][c.population].sentence, []).append(c)
    return groups


@BIAS.claim
def as_found_too_low(cells: list[Cell]) -> list[Conditions]:
    return [every(name, [c.bias < 0 for c in own]) for name, own in by_population(cells, "minimum").items()]


@BIAS.claim
def corrected_unbiased(cells: list[Cell]) -> list[Conditions]:
    groups = by_population(cells, "bbc")
    return [every(name, [abs(c.bias) <= BIAS_TOLERANCE for c in own]) for name, own in groups.items()]


@BIAS.claim
def corrected_not_too_low(cells: list[Cell]) -> list[Conditions]:
    groups = by_population(cells, "bbc")
    return [every(name, [c.bias > -BIAS_TOLERANCE for c in own]) for name, own in groups.items()]


@BIAS.claim
def nested_not_too_low(cells: list[Cell]) -> list[Conditions]:
    groups = by_population(cells, "nested")
    return [every(name, [c.bias > -BIAS_TOLERANCE for c in own]) for name, own in groups.items()]


def nearly_nominal(cells: list[Cell], nominal: float, method: str) -> list[Conditions]:
    """Ask for nearly the nominal coverage of the error of what was chosen."""
    least, groups = nominal - COVERAGE_TOLERANCE, by_population(cells, method)
    return [every(name, [c.coverage[FIRST] > least for c in own]) for name, own in groups.items()]


COVERAGE = Claims("guide-choosing-coverage", {method: partial(nearly_nominal, method=method) for method in METHODS})


def _by_candidates(p: ChoosingParameters, table: pd.DataFrame, column: str, level: float, y: str) -> Picture:
    titles = {key: CHOOSING["populations"][key].symbol for key in p.populations}
    panels = {(n, key): f"{title}, n = {n}" for n, (key, title) in product(p.sizes, titles.items())}
    names = {m: CHOOSING["methods"][m] for m in METHODS}
    candidates = ("candidates", "candidates")
    picture = lines_by_size(table, panels, ("population", "method"), candidates, (column, y), names)
    picture.guide(y=level, linestyle="--")
    for one in picture.axes.values():
        log_axis(one, sorted(p.candidates))
    return picture


@in_style
def draw_biases(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    picture = _by_candidates(p, made.largest[1].data["biases"], "bias", 0.0, "bias (points)")
    for axes in picture.axes.values():
        axes.yaxis.set_major_formatter(signed_ticks())
    return picture.done()


@in_style
def draw_coverages(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.largest[1].data["coverages"]
    picture = _by_candidates(p, table[table["target"] == FIRST], "coverage", 100 * p.confidence, "coverage (%)")
    populations = "; ".join(CHOOSING["populations"][k].sentence for k in p.populations)
    return picture.done(nominal=f"{100 * p.confidence:g}", populations=populations)


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
