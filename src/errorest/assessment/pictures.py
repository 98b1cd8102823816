"""Pictures of results: an estimate with its cases, and the difference of two classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots
from errorest.assessment.costs import KINDS

__all__ = ["draw_difference", "draw_estimate"]


def draw_estimate(result: Any) -> plots.Drawn:
    figure, axes = plots.new_figure(2, 1, 4.6, height_ratios=[1, 2.2])
    top, below = axes[:, 0]
    scale = 100.0 if result.percent else 1.0
    unit = KINDS[result.loss].capitalize() + (" (%)" if result.percent else "")
    between = result.interval
    if between is not None and np.isfinite([between.low, between.high]).all():
        top.plot([scale * between.low, scale * between.high], [0, 0], color=plots.BLUE, linewidth=3)
        top.plot([scale * between.low, scale * between.high], [0, 0], "|", color=plots.BLUE, markersize=14)
    top.plot([scale * result.estimate], [0], "o", color=plots.BLUE, markersize=9)
    bar = scale * result.majority_error
    end = scale * result.axis_end
    fits = bar <= end
    text = "one class always"
    if fits:
        top.axvline(bar, color=plots.GREY, linestyle="--", linewidth=1.2)
    else:
        text += f": {bar:.1f} % →" if result.percent else f": {bar:.3g} →"
    # the text stands on the side that has room
    left = fits and bar < end / 2
    top.annotate(
        text,
        (min(bar, end), 1),
        xycoords=("data", "axes fraction"),
        xytext=(4 if left else -4, -2),
        textcoords="offset points",
        ha="left" if left else "right",
        va="top",
        color=plots.ink(plots.GREY),
        fontsize=plots.FONT_SIZE - 1,
    )
    top.set(yticks=[], ylim=(-1, 1.6), xlabel=unit)
    top.set_xlim(0, end)
    plots.panel_title(top, "A", f"{result.estimator}")
    told = _draw_cases(below, result)
    plots.panel_title(below, "B", "Cases by how often they are got wrong" if result.zero_one else "Cases by mean loss")
    if told:
        plots.legend_below(figure, *below.get_legend_handles_labels())
    shown = "no interval" if between is None else f"interval {between}"
    place = "a dashed line at" if fits else "an arrow beyond the axis to"
    alt = (
        f"Above, the estimate {result.told(result.estimate)} with {shown}, and {place} {result.told(bar / scale)}, the "
        "error of always answering with one class. Below, the cases of each class sorted by their mean loss when "
        "tested unseen."
    )
    caption = (
        f"A: the estimate and its {'' if between is None else f'{100 * between.confidence:g} % '}interval. B: cases on "
        "the right are hard: most classifiers that did not see them get them wrong."
    )
    return plots.Drawn(figure, alt, caption)


def _draw_cases(axes: Any, result: Any) -> bool:
    """Draw the sorted mean losses of each class; return whether lines need a legend."""
    table = result.cases.dropna(subset=["loss"])
    classes = list(dict.fromkeys(table["class"])) if result.class_counts else []
    groups = [("all cases", table)]
    if 1 < len(classes) <= len(plots.COLOURS):
        groups = [(f"class {name}", table[table["class"] == name]) for name in sorted(classes)]
    unit = 100.0 if result.zero_one else 1.0
    for (name, rows), colour in zip(groups, plots.COLOURS, strict=False):
        losses = np.sort(rows["loss"].to_numpy())
        share = 100 * (np.arange(losses.size) + 0.5) / max(losses.size, 1)
        style = "o-" if losses.size <= 100 else "-"
        axes.plot(
            share, unit * losses, style, color=colour, markersize=3.5, linewidth=1.2, label=f"{name} ({losses.size})"
        )
    axes.set(
        xlabel="Cases, easiest first (% of their class)",
        ylabel="Wrong (% of its tests)" if result.zero_one else "Mean loss",
    )
    axes.set_xlim(0, 100)
    return True


def draw_difference(result: Any) -> plots.Drawn:
    figure, axes = plots.new_figure(1, 1, 3.0)
    axis = axes[0, 0]
    values = 100 * result.splits["difference"].to_numpy()
    # equal differences stand above one another
    level = np.array([int((values[:i] == v).sum()) for i, v in enumerate(values)])
    axis.plot(values, 1 + level / max(1, level.max()), "o", color=plots.SKY, markersize=5)
    low, high = 100 * result.interval.low, 100 * result.interval.high
    axis.plot([low, high], [0.4, 0.4], color=plots.BLUE, linewidth=3)
    axis.plot([low, high], [0.4, 0.4], "|", color=plots.BLUE, markersize=14)
    axis.plot([100 * result.difference], [0.4], "o", color=plots.BLUE, markersize=9)
    axis.axvline(0, color=plots.GREY, linestyle="--", linewidth=1.2)
    axis.set(yticks=[0.4, 1.5], yticklabels=["mean", "splits"], ylim=(0, 2.2))
    axis.set_xlabel("Error rate of a less that of b (percentage points)")
    plots.panel_title(axis, "", "Left of the dashed line a errs less")
    alt = (
        f"Differences of {values.size} splits from {values.min():.1f} to {values.max():.1f} percentage points; their "
        f"mean {100 * result.difference:.2f} with the interval {low:.2f} to {high:.2f}; a dashed line at zero."
    )
    caption = "Above: each split's difference. Below: their mean with its interval, the corrected resampled t."
    return plots.Drawn(figure, alt, caption)
