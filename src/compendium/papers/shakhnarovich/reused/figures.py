"""Figure on Table 12: evidence for a number of training samples, and a few trials that fit the print."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.records import largest, parts
from compendium.evidence.regenerated import Made, Regenerated, at_largest
from compendium.papers.shakhnarovich.figures import PRINTED, dot, dots, draw_nothing, lines_of
from compendium.papers.shakhnarovich.methods import classifier_named
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from errorest.plots import BLUE, COLOURS, VERMILION, Drawn, in_style, legend_of, log_axis, new_figure, panel_title

__all__ = ["draw_reused"]

_MARKERS = "os^v"
_SIZES = (1, 2, 5, 10, 20, 50, 100)


@in_style
def draw_reused(p: SyntheticParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the evidence on how many training samples lie behind Table 12, and a group that fits; or our trials alone.

    Reads data ``evidence``, ``group`` and ``means``, where the print was examined, else ``trials``.
    """
    scale, result = at_largest(made)
    if "trials" not in result.data:
        return draw_nothing(" ".join(result.findings))
    if "evidence" not in result.data:
        return _draw_our_trials(result, scale)
    evidence, group = result.data["evidence"], result.data["group"]
    by_classifier = parts(result.data["means"], "classifier")
    figure, grid = new_figure(1, 1 + len(by_classifier), 5.6, width_ratios=[1.1] + [1.0] * len(by_classifier))
    _draw_evidence(grid[0, 0], evidence)
    for axes, (classifier, means), letter in zip(grid[0, 1:], by_classifier.items(), "bc", strict=False):
        _draw_means(axes, means)
        panel_title(axes, letter, symbol_of(classifier))
    legend_of(figure, {"independent": dot(BLUE, "o"), "group chosen to fit": dot(VERMILION, "s"), "printed": PRINTED})
    best = largest(evidence, "log_evidence")
    used = ", ".join(f"{100 * s:.0f} %" for s in group["share"] if s > 0.005)
    return Drawn(
        figure,
        f"Log evidence by number of distinct training samples, with its maximum at {best.samples}; beside it, means by "
        "estimator of independent trials, of a group chosen to fit, and as printed. Data in the downloads below.",
        f"(a) Log evidence of the printed means and standard deviations of Err and CV×n, if the trials of Table 12 "
        "reuse so many training samples, less the largest. (b, c) Mean of each estimator: circles of independent "
        "trials, open diamonds as printed. The group of squares (red) is an illustration, chosen to "
        f"fit: {len(group)} of our own trials used in shares of {used}.",
    )


def _draw_evidence(axes: Axes, evidence: pd.DataFrame) -> None:
    sizes, weight = evidence["samples"].to_numpy(), evidence["log_evidence"].to_numpy()
    axes.plot(sizes, weight - weight.max(), color=BLUE, marker="o")
    log_axis(axes, [s for s in _SIZES if sizes.min() <= s <= sizes.max()])
    axes.set_xlabel("distinct samples")
    axes.set_ylabel("log evidence, below its maximum")
    axes.grid(axis="y")
    panel_title(axes, "a", "how many samples")


def _draw_means(axes: Axes, means: pd.DataFrame) -> None:
    dots(axes, means["independent"], range(len(means)), 1.96 * means["independent_se"], BLUE, "o", 4)
    axes.plot(means["group"], range(len(means)), color=VERMILION, marker="s", linestyle="none", markersize=4)
    axes.plot(means["printed"], range(len(means)), zorder=4, **PRINTED)
    lines_of(axes, [symbol_of(e) for e in means["estimator"]])
    axes.set_xlabel("mean")


def _draw_our_trials(result: Regenerated, scale: str) -> Drawn:
    """Draw leave-one-out against the true error of our trials, where nothing printed stands beside them."""
    trials = result.data["trials"]
    figure, grid = new_figure(1, 1, 3.6)
    looks, said = {}, []
    for number, (key, own) in enumerate(parts(trials[trials["estimator"] == "loo"], "classifier").items()):
        classifier = classifier_named(str(key))
        if "total-covariance-41" in classifier.settings:
            continue
        name = symbol_of(classifier.row)
        looks[name] = dot(COLOURS[number % 6], _MARKERS[number % 4])
        grid[0, 0].plot(own["truth"], own["estimate"], **looks[name])
        said.append(f"{name} {own['truth'].mean():.3f} and {own['estimate'].mean():.3f}")
    grid[0, 0].set_xlabel("true error (proportion)")
    grid[0, 0].set_ylabel("CV×n (proportion)")
    legend_of(figure, looks)
    means = "; ".join(said)
    text = f"Leave-one-out against the true error of each trial ({scale} scale). Means, true error first: {means}."
    alt = f"Scatter of leave-one-out against the true error, a dot a trial, marks for {len(looks)} classifiers."
    return Drawn(figure, alt, text)
