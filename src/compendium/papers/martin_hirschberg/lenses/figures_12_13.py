"""Figures 12 and 13: mean true error, apparent error and leave-one-out by sample size and noise."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, most
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import (
    Blocks,
    mean_rows,
    noise_colours,
    noise_key,
    noise_label,
    noisy,
)
from compendium.papers.martin_hirschberg.lenses.study import APPARENT, LensesParameters
from compendium.plots.picture import Drawing, Picture


def mean_error(t: Blocks, noise: float, size: int, column: str) -> Estimate:
    """Mean over blocks, in points above the inherent error, at the first (0) or the last size (-1)."""
    cell = t.at(noise=noise, n=sorted(t.levels("n"))[size])
    return (cell.of_blocks(np.mean, column) - 100 * noise).named(noise_key(noise), "points")


def nearer(t: Blocks, column: str, sign: int = 1) -> list[Condition]:
    """Ask that each curve's distance from its limit is smaller at its end than at its beginning."""
    ends = {q: mean_error(t, q, -1, column) - mean_error(t, q, 0, column) for q in t.levels("noise")}
    return [(e * sign).named(noise_key(q)) < 0 for q, e in ends.items()]


def rises(t: Blocks, column: str) -> int:
    """Count the steps in size that rise by more than three standard errors."""
    means = [[t.at(noise=q, n=n).of_blocks(np.mean, column) for n in t.levels("n")] for q in t.levels("noise")]
    steps = [b - a for row in means for a, b in pairwise(row)]
    return sum(e.value > 3 * e.se for e in steps)


FIGURE_12 = Claims("martin-hirschberg-figure-12")


@FIGURE_12.claim
def falls(t: Blocks) -> list[Condition | Conditions]:
    return [
        every("last size minus first", nearer(t, "true-error")),
        exact(rises(t, "true-error"), "steps that rise by more than three standard errors:").equals(0),
    ]


@FIGURE_12.claim
def slower(t: Blocks) -> Conditions:
    left = [mean_error(t, q, -1, "true-error") for q in t.levels("noise")]
    grows = [(b - a).named(b.label) > 0 for a, b in pairwise(left)]
    return every("points above p that are left at the last size, minus those at the noise before", grows)


def distances(t: Blocks, column: str) -> list[Estimate]:
    """Mean minus the inherent error in every cell, points."""
    return [
        (cell.of_blocks(np.mean, column) - 100 * cell.level("noise")).named(cell.label, "points")
        for cell in t.cells("noise", "n")
    ]


FIGURE_13 = Claims("martin-hirschberg-figure-13")


@FIGURE_13.claim
def from_below(t: Blocks) -> list[Conditions]:
    return [
        most("mean minus p", [e < 0 for e in distances(t, APPARENT)]),
        every("distance, last size minus first", nearer(t, APPARENT, -1)),
    ]


@FIGURE_13.claim
def from_above(t: Blocks) -> list[Conditions]:
    return [
        most("mean minus p", [e > 0 for e in distances(t, "loo")]),
        every("distance, last size minus first", nearer(t, "loo")),
    ]


def _curves(picture: Picture, p: LensesParameters, results: ResultsByScale, ends: bool = False) -> None:
    """Draw means by size, one line a noise level: the most samples as lines, the fewest as points."""
    looks = noise_colours(p)
    most, fewest = (
        matching(m.data["means"], reading=p.noise_readings[0]) for m in (results.largest[1], results.published)
    )
    for noise, colour in looks.items():
        picture.guide(y=100 * noise, color=colour, linewidth=0.9, linestyle=":")
    picture.lines(most, "n", "value", by="noise", looks=looks, names=noise_label, ends=ends)
    points = (fewest, "n", "value")
    unnamed = dict.fromkeys(looks, "")
    picture.scatter(*points, se="se", by="noise", looks=looks, names=unnamed, markersize=4, elinewidth=1.1)


def draw_figure_12(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 12: mean true error by sample size, a line for each noise level."""
    picture = Picture(3.8, {"true-error": ""}, "column", x="sample size N", y="mean true error (%)")
    _curves(picture, p, results, ends=True)
    picture.limits(ylim=(0, None), xticks=sorted(p.noise_sizes))
    return picture.done()


def draw_figure_13(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 13: mean apparent error and leave-one-out by sample size."""
    titles = {c: NAMES[c].symbol for c in ("resubstitution", "loo")}
    picture = Picture(3.8, titles, "column", letters=True, x="sample size N", y="mean estimate (%)", sharey=True)
    _curves(picture, p, results)
    picture.limits(ylim=(-1, None), xticks=sorted(p.noise_sizes)[::2])
    return picture.done(columns=4)


@artifact("martin-hirschberg-figure-12", draw=draw_figure_12, of=("true-error", "exact-error"))
@artifact("martin-hirschberg-figure-13", draw=draw_figure_13, of=("resubstitution", "loo"))
def mean_errors(p: LensesParameters, run: Run, *, of: tuple[str, str]) -> ArtifactResult:
    """Figures 12 and 13: mean true error, or apparent error and leave-one-out, by sample size and noise, percent."""
    readings = noisy(p, run)
    rows, table = mean_rows(readings, *dict.fromkeys([*of, "true-error"]))
    table_of_claims = FIGURE_12 if "true-error" in of else FIGURE_13
    checks = judge_claims(table_of_claims, readings[0], reading=readings[0].reading)
    return ArtifactResult([row for row in rows if row.row in of], {"means": table}, checks)
