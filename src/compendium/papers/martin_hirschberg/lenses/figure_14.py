"""Figure 14: mean estimates against mean true error for every size and noise."""

from __future__ import annotations

from math import nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, most
from compendium.evidence.monte_carlo import average
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.lenses.blocks import (
    Blocks,
    deviation,
    mean_rows,
    noise_colours,
    noise_label,
    noisy,
)
from compendium.papers.martin_hirschberg.lenses.study import (
    B632,
    ESTIMATORS,
    FOLDS,
    RESAMPLING,
    STARS,
    TEXT,
    WEAK,
    LensesParameters,
)
from compendium.plots.picture import Drawing, Picture
from errorest.plots import SKY

NEGLIGIBLE = 1.0  # Points up to which a mean bias over all sizes and noise levels is none
ALIKE = 0.1  # A ratio of standard deviations this close to one is about one
SPLIT = 10.0  # The true error, percent, at which the paper says that 632b's bias changes its sign


def mean_bias(t: Blocks, estimator: str) -> Estimate:
    """Mean bias over all sizes and noise levels, points."""
    return t.named(average(cell.bias(estimator) for cell in t.cells("noise", "n")), estimator, unit="points")


def sd_over_cv10(t: Blocks, estimator: str) -> Estimate:
    """Ratio of an estimate's standard deviation to that of 10-CV, averaged over the cells."""
    return t.sd_ratio(estimator, "cv-10").named(t.name(estimator))


def sides(t: Blocks) -> tuple[list[Estimate], list[Estimate]]:
    """Biases of 632b in the cells whose true error lies below 10 %, and in those above."""
    below: list[Estimate] = []
    above: list[Estimate] = []
    for cell in t.cells("noise", "n"):
        (above if cell["true-error"].mean() >= SPLIT else below).append(cell.bias(B632).named(cell.label))
    if not (below and above):
        raise NotRun("no cells on one side of the limit")
    return below, above


FIGURE_14 = Claims("martin-hirschberg-figure-14")


@FIGURE_14.claim
def unbiased(t: Blocks) -> list[Condition]:
    return [abs(mean_bias(t, e)) <= NEGLIGIBLE for e in FOLDS]


@FIGURE_14.claim
def biased(t: Blocks) -> list[Condition]:
    return [abs(mean_bias(t, e)) > NEGLIGIBLE for e in STARS]


@FIGURE_14.claim
def same_precision(t: Blocks) -> Condition:
    return sd_over_cv10(t, "loo").within(1 - ALIKE, 1 + ALIKE)


@FIGURE_14.claim
def lower_spread(t: Blocks) -> list[Conditions]:
    return [
        most(f"cells, {NAMES[e].markdown} minus 632b", [c.sd_gap(e, B632) > 0 for c in t.cells("noise", "n")])
        for e in FOLDS
    ]


@FIGURE_14.claim
def variable(t: Blocks) -> list[Condition]:
    return [sd_over_cv10(t, e) > 1 for e in STARS]


@FIGURE_14.claim
def bootstrap_632_bias(t: Blocks) -> list[Conditions]:
    return [
        most("cells below", [e > 0 for e in sides(t)[0]]),
        most("cells above", [e < 0 for e in sides(t)[1]]),
    ]


@FIGURE_14.claim
def means(t: Blocks) -> list[Condition]:
    # correlation of an estimator's mean with the mean true error over the cells
    cells = t.cells("noise", "n")
    true = np.array([cell["true-error"].mean() for cell in cells])
    estimated = {e: np.array([cell.bias(e).value for cell in cells]) + true for e in RESAMPLING}
    return [t.named(monte_carlo.correlation(mean, true), e) > WEAK for e, mean in estimated.items()]


def zero_of(x: np.ndarray, y: np.ndarray) -> float:
    """Where the least-squares line through points falls through zero; NaN where it does not fall."""
    centred = x - x.mean()
    if x.size < 2 or not (centred**2).sum():
        return nan
    slope = float(centred @ y / (centred @ centred))
    return float(x.mean() - y.mean() / slope) if slope < 0 else nan


def sign_change(cells: list[Blocks]) -> Estimate:
    """True error where a line through the cells' mean biases of 632b is zero; NaN where it does not fall.

    The value is that of all samples, the error comes from the lines through single blocks.
    """
    true = np.array([cell.of_each_block(np.mean, "true-error") for cell in cells])
    bias = np.array([cell.of_each_block(lambda e, t: (e - t).mean(), B632, "true-error") for cell in cells])
    zeros = np.array([zero_of(true[:, i], bias[:, i]) for i in range(true.shape[1])])
    usable = zeros[np.isfinite(zeros)]
    # a nearly level line has its zero anywhere: quartiles, not moments, measure the spread
    spread = float(np.subtract(*np.percentile(usable, [75, 25]))) / 1.349 if usable.size > 3 else nan
    value = zero_of(
        np.array([cell["true-error"].mean() for cell in cells]), np.array([cell.bias(B632).value for cell in cells])
    )
    return Estimate(value, spread / sqrt(cells[0].n // cells[0].size), cells[0].n)


def draw_figure_14(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 14: mean estimate minus mean true error against the latter, a panel for each estimator."""
    few = matching(results.published.data["means"], reading=p.noise_readings[0])
    few = few.pivot_table("value", ["noise", "n"], "column").melt("true-error", var_name="estimator")
    biases = results.largest[1].data["biases"]
    shown = ("loo", "cv-10", *RESAMPLING[2:], "resubstitution")
    picture = Picture(
        7.6,
        {e: NAMES[e].symbol for e in shown},
        "estimator",
        letters=True,
        x="mean true error (%)",
        y="mean estimate (%)",
        sharex=True,
    )
    picture.guide()
    centres = biases.assign(mean=biases["true_error"] + biases["bias"])
    looks, text = noise_colours(p, SKY), f"{p.samples} samples"
    picture.scatter(
        *(centres, "true_error", "mean"), se="bias_se", by="noise", looks=looks, names=noise_label, markersize=3.6
    )
    picture.scatter(few, "true-error", "value", label=text, color=SKY, markerfacecolor="none", markersize=5, zorder=2)
    return picture.done()


@artifact("martin-hirschberg-figure-14", draw=draw_figure_14)
def figure_14(p: LensesParameters, run: Run) -> ArtifactResult:
    """Figure 14: mean estimates against mean true error for every size and noise, percent."""
    readings = noisy(p, run)
    rows, table = mean_rows(readings, "true-error", *ESTIMATORS)
    for t in readings:
        cells = t.cells("noise", "n")
        deviations = [(e, cell.key, cell.of_blocks(deviation, e)) for cell in cells for e in ESTIMATORS]
        rows += [Row.of(t.reading, e, f"std-percent/{key}", m) for e, key, m in deviations]
        rows.append(Row.of(t.reading, "text", "632-tree-bias-changes-sign-at-percent", sign_change(cells), TEXT))
    t = readings[0]
    biases = pd.DataFrame(
        {"noise": cell.level("noise"), "n": cell.level("n"), "estimator": e, "true_error": cell["true-error"].mean()}
        | {"samples": cell.n, "bias": bias.value, "bias_se": bias.se, "std": sd.value, "std_se": sd.se}
        for cell in t.cells("noise", "n")
        for e in ESTIMATORS
        for bias, sd in [(cell.bias(e), cell.sd(e))]
    )
    overall = pd.DataFrame({"estimator": e, "bias": m.value, "se": m.se} for e in ESTIMATORS for m in [mean_bias(t, e)])
    checks = judge_claims(FIGURE_14, t, reading=t.reading) if p.noise_realizations > 1 else []
    return ArtifactResult(rows, {"means": table, "biases": biases, "overall": overall}, checks)
