"""Coverage of the extrapolated error by how far a curve is extended: means, worst and single cells (percent)."""

from __future__ import annotations

from math import hypot, sqrt
from operator import attrgetter

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.growing.parameters import GrowingParameters
from compendium.guide.growing.results import (
    END,
    KINDS,
    TOLERANCE,
    TWICE,
    average,
    error_of_truth,
    groups_of,
    place_title,
    predictions,
)
from compendium.guide.names import INDUCERS
from compendium.plots.picture import Drawing, Picture
from errorest import plots


def coverage_of_cell(cell: pd.DataFrame) -> Estimate:
    """Coverage of a cell (percent), its error by Laplace's rule of succession, which is not 0 where all are covered."""
    covered = cell["held"]
    smoothed = (covered.sum() + 1) / (len(covered) + 2)
    se = hypot(sqrt(smoothed * (1 - smoothed) / len(covered)), error_of_truth(cell))
    return Estimate(float(covered.mean()), se, len(covered)) * 100


COVERAGE = Claims("guide-growing-coverage")

Group = tuple[str, pd.DataFrame]


def beyond_measured(p: GrowingParameters, table: pd.DataFrame, kind: str) -> list[Group]:
    """Return the predictions of a kind beyond the measured sizes, by place and cases, with a label."""
    groups = groups_of(table, p)
    return [(f"{place_title(place)} from {n}", own) for k, n, place, own in groups if k == kind and place != END]


@COVERAGE.claim
def on_average(p: GrowingParameters, table: pd.DataFrame, least: float) -> Conditions:
    groups = beyond_measured(p, table, "expected")
    return every("places", [average(own, "held").named(at, "%", 1, "") > least for at, own in groups])


@COVERAGE.claim
def everywhere(p: GrowingParameters, table: pd.DataFrame, least: float) -> Conditions:
    coverages = [
        coverage_of_cell(cell).named(f"{INDUCERS[inducer].title} on {data.replace('-n', ' n')}, {at}", "%", 1, "")
        for at, own in beyond_measured(p, table, "expected")
        for (data, inducer), cell in parts(own, "data", "inducer").items()
    ]
    return every("cells", [coverage > least - TOLERANCE for coverage in coverages])


@COVERAGE.claim
def at_their_word(p: GrowingParameters, table: pd.DataFrame, least: float) -> Conditions:
    pairs = zip(*(beyond_measured(p, table, kind) for kind in KINDS), strict=True)
    # Laplace's rule: another sample might differ where none did
    truth_se = 1 / (p.samples + 2)
    gains = [
        average(a.assign(gain=a["held"].to_numpy() - b["held"].to_numpy()), "gain", truth_se).named(at)
        for (at, a), (_, b) in pairs
    ]
    return every("differences in points", [gain > 0 for gain in gains])


@plots.in_style
def draw_growing_coverage(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    result = made.largest[1]
    table, cells = result.data["map"], result.data["cells"]
    places = {place: place_title(place) for place in (END, TWICE, *(f"{m}-cases" for m in sorted(p.ahead)))}
    panels = {n: f"from {n} cases" for n in p.cases}
    picture = Picture(3.8, panels, "n", letters=True, x="coverage (%)", y_levels=places, sharey=True)
    picture.guide(x=100 * p.confidence, linestyle="--")
    dots = {kind: {"color": own["color"], "marker": ".", "alpha": 0.5} for kind, own in KINDS.items()}
    picture.scatter(
        cells, "coverage", "place", by="kind", looks=dots, names=dict.fromkeys(KINDS, ""), dodge=0.24, markersize=4
    )
    names = {"expected": "expected", "at-their-word": "laws at their word"}
    picture.scatter(table, "coverage", "place", x_se="se", by="kind", looks=KINDS, names=names, dodge=0.24)
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(columns=2, nominal=f"{100 * p.confidence:g}")


@artifact("guide-growing-coverage", draw=draw_growing_coverage, matrix=True)
def curve_coverage(p: GrowingParameters, run: Run) -> ArtifactResult:
    result = predictions(p, run)
    rows, worst_rows, each_rows, table, cells = [], [], [], [], []
    for kind, n, place, own in groups_of(result, p):
        first, row = {"kind": kind, "n": n, "place": place}, f"{kind}/{n}-cases"
        each = {key: coverage_of_cell(cell) for key, cell in parts(own, "data", "inducer").items()}
        group, worst = average(own, "held"), min(each.values(), key=attrgetter("value"))
        rows.append(Row.of("literal", row, place, group))
        worst_rows.append(Row.of("literal", f"worst/{row}", place, worst))
        each_rows += [Row.of("literal", f"{data}/{i}/{row}", place, e) for (data, i), e in each.items()]
        table.append({**first, "coverage": group.value, "se": group.se, "worst": worst.value})
        cells += [{**first, "set": data, "inducer": i, "coverage": e.value} for (data, i), e in each.items()]
    least = 100 * p.confidence - TOLERANCE
    checks = judge_claims(COVERAGE, p, result, least, least=least, slack=least - TOLERANCE)
    return ArtifactResult(
        rows + worst_rows + each_rows, {"map": pd.DataFrame(table), "cells": pd.DataFrame(cells)}, checks
    )
