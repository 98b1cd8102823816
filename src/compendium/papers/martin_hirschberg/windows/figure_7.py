"""Figure 7: the bias of 10-fold cross-validation and 632b over the true error."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan

import numpy as np
import pandas as pd
from scipy import special

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.windows.study import (
    HALF,
    ROUNDING,
    TRUTH,
    WindowsParameters,
    below_half,
    curve,
    curves_study,
    largest,
    over_half,
    reading_titles,
    smallest,
    trials,
    windows_of,
)
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, VERMILION

CV, BOOT = "cv-10", "bootstrap-632"
_FEWEST = 5  # Samples in a window whose error bar is drawn in Figure 7


def negligible_from(biases: Mapping[int, Estimate], limit: float) -> tuple[float, float]:
    """Return the least size from which all biases are within the limit, and its standard error.

    The error is that of the same statistic when each size's bias varies normally by its own standard error; no size
    is NaN, and counts in the error as twice the largest size.
    """
    sizes = sorted(biases)
    value = nan
    for n in reversed(sizes):
        if not abs(biases[n].value) < limit:
            break
        value = float(n)
    bias = np.array([biases[n].value for n in sizes])
    # populations whose classes never meet leave a bias that does not vary
    se = np.array([max(biases[n].se, 1e-12) for n in sizes])
    inside = special.ndtr((limit - bias) / se) - special.ndtr((-limit - bias) / se)
    tail = np.append(np.cumprod(inside[::-1])[::-1], 1.0)
    chance = np.diff(np.concatenate([[0.0], tail]))
    values = np.append(np.array(sizes, dtype=float), 2.0 * sizes[-1])
    mean = float(chance @ values)
    return value, float(np.sqrt(chance @ (values - mean) ** 2))


FIGURE_7 = Claims("martin-hirschberg-figure-7")


@FIGURE_7.claim
def cv_10_pessimistic(t: Trials) -> list[Condition]:
    return [
        below_half(smallest(t), CV) > 0,
        below_half(smallest(t), CV) > below_half(largest(t), CV),
    ]


@FIGURE_7.claim
def bootstrap_632_smaller(t: Trials) -> Condition:
    return smallest(t).where(smallest(t)[TRUTH] < HALF - ROUNDING).bias_gap(CV, BOOT) > 0


@FIGURE_7.claim
def both_pessimistic(t: Trials) -> list[Condition]:
    return [over_half(smallest(t), e, *ends) > 0 for ends in ((0, 55), (5, 100)) for e in (CV, BOOT)]


def draw_figure_7(p: WindowsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 7: bias of 10-CV and 632b over the true error, a row a sample size and a column an estimator.

    Window means with their errors are drawn and no spline through them: its swings look like findings.
    """
    scale, result = results.shown
    windows = result.data["windows"]
    dense = windows[windows["n"] >= _FEWEST]
    shown = dense if len(dense) else windows
    readings, sizes = reading_titles(p), sorted(p.sizes)
    picture = Picture(
        1.0 + 1.9 * len(sizes),
        {(n, e): f"{NAMES[e].symbol}, N = {n}" for n in sizes for e in (CV, BOOT)},
        ("N", "estimator"),
        letters=True,
        x="true error (%)",
        y="bias (points)",
        sharex=True,
        sharey="row",
    )
    picture.guide(y=0, linestyle="--")
    picture.guide(x=HALF, color="#C8C8C8")
    looks = dict(zip(readings, ({"color": BLUE, "marker": "o"}, {"color": VERMILION, "marker": "s"}) * 2, strict=False))
    # readings are shifted a little, so that neither covers the other
    shifted = shown.assign(true_error=shown["true_error"] + 0.5 * shown["rule"].map(list(readings).index))
    picture.scatter(shifted, "true_error", "bias", se="se", by="rule", looks=looks, names=readings, markersize=3.5)
    picture.limits(xlim=(-1, 5 * np.ceil((shown["true_error"].max() + 2) / 5)))
    for axes in picture.axes.values():
        axes.yaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="y")
    return picture.done(scale=scale, fewest=_FEWEST)


@artifact("martin-hirschberg-figure-7", draw=draw_figure_7)
def figure_7(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Figure 7: the bias of 10-CV and 632b over the true error, at each size.

    The paper does not say when a bias is negligible.  Here it is where the mean bias over the samples with a true
    error below 50 % is smaller than ``p.negligible`` points, at that size and at all larger ones.
    """
    result = ArtifactResult()
    windows, splines, means = [], [], []
    for rule, t in trials(p, run, curves_study(p)).items():
        # the size from which a bias is negligible needs a criterion that the paper does not state
        reading = t.reading if rule != "literal" else f"unstated:below-{p.negligible:g}-points"
        for e in (CV, BOOT):
            biases = {cell.level("n"): below_half(cell, e) for cell in t.cells("n")}
            result.rows.extend(Row.of(reading, e, f"mean-bias-below-50/N={n}", b) for n, b in biases.items())
            value, se = negligible_from(biases, p.negligible)
            # that it is so at no size is not for want of samples
            samples = 0 if isnan(value) else p.samples * p.realizations
            result.rows.append(Row(reading, e, "bias-negligible-from-N", value, se, samples))
            for cell in t.cells("n"):
                n = cell.level("n")
                of = {"rule": rule, "estimator": e, "N": n}
                table = windows_of(cell, e, p.window)
                table["bias"] = table["estimate"] - table["true_error"]
                x, y = curve(table, "bias")
                windows.append(table.assign(**of))
                splines.append(pd.DataFrame({"true_error": x, "bias": y, **of}))
                means.append(of | {"bias": biases[n].value, "se": biases[n].se})
        result.checks.extend(judge_claims(FIGURE_7, t, reading=t.reading, n=t.levels("n")[0]))
    data = {"windows": pd.concat(windows, ignore_index=True), "curves": pd.concat(splines, ignore_index=True)}
    return result + ArtifactResult(data={**data, "means": pd.DataFrame(means)})
