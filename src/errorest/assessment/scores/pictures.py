"""The picture of a score: its interval, and the reliability of probabilities with its noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots

__all__ = ["draw_difference_in_unit", "draw_reliability", "draw_score"]


def draw_score(result: Any) -> plots.Drawn:
    """Draw a :class:`~errorest.assessment.scores.result.ScoreEstimate`."""
    table = result.reliability
    both = len(table) > 0
    figure, axes = plots.new_figure(2 if both else 1, 1, 5.2 if both else 1.8, height_ratios=[1, 3.2] if both else [1])
    top, between = axes[0, 0], result.interval
    shown = [result.estimate]
    if between is not None and np.isfinite([between.low, between.high]).all():
        top.plot([between.low, between.high], [0, 0], color=plots.BLUE, linewidth=3)
        top.plot([between.low, between.high], [0, 0], "|", color=plots.BLUE, markersize=14)
        shown += [between.low, between.high]
    top.plot([result.estimate], [0], "o", color=plots.BLUE, markersize=9)
    if result.bar is not None:
        top.axvline(result.bar, color=plots.GREY, linestyle="--", linewidth=1.2)
        shown.append(result.bar)
        plots.note(top, result.bar, 1.25, f" {result.bar_name}", plots.GREY)
    spread = max(max(shown) - min(shown), 1e-3)
    least, most = result.score.bounds(len(result.class_counts))
    top.set(yticks=[], ylim=(-1, 1.8), xlabel=result.score.title[0].upper() + result.score.title[1:])
    top.set_xlim(max(min(shown) - 0.15 * spread, least - 0.02), min(max(shown) + 0.35 * spread, most + 0.02))
    plots.panel_title(top, "A", result.estimator)
    limits = "no interval" if between is None else f"interval {between}"
    alt = f"The estimate {result.estimate:.3g} with {limits}"
    alt += "." if result.bar is None else f", and a dashed line at {result.bar:.3g}, {result.bar_name}."
    caption = "A: the estimate and its interval." if between is not None else "A: the estimate."
    if both:
        alt += " " + draw_reliability(axes[1, 0], table, result.of_class)
        plots.panel_title(axes[1, 0], "B", "Do probabilities mean what they say?")
        caption += (
            " B: groups of cases of like probability when tested unseen; bars are Wilson's limits of what happened, "
            "the grey band is where points fall if every probability is true."
        )
        plots.legend_below(figure, *axes[1, 0].get_legend_handles_labels())
    return plots.Drawn(figure, alt, caption)


def draw_reliability(axes: Any, table: Any, of_class: str) -> str:
    """Draw what happened against what was said, with limits and noise; return a sentence that says what is seen."""
    said, happened = table["said"].to_numpy(), table["happened"].to_numpy()
    axes.plot([0, 1], [0, 1], "--", color=plots.GREY, linewidth=1.2, label="what was said")
    noise = {"color": plots.GREY, "linewidth": 9, "alpha": 0.35, "label": "if all were true"}
    # a band of one value is a stroke
    axes.vlines(said, table["noise_low"] - 0.004, table["noise_high"] + 0.004, **noise)
    below, above = happened - table["low"].to_numpy(), table["high"].to_numpy() - happened
    axes.errorbar(
        said, happened, np.maximum([below, above], 0), fmt="o", color=plots.BLUE, capsize=3, label="what happened"
    )
    axes.set(
        xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=f"Mean probability of {of_class}", ylabel="Share that is of it"
    )
    inside = int(((happened >= table["noise_low"]) & (happened <= table["noise_high"])).sum())
    return (
        f"Below, {len(table)} groups of cases by their mean probability of {of_class}, from {said.min():.2f} to "
        f"{said.max():.2f}; in {inside} of them what happened lies within the noise of true probabilities."
    )


def draw_difference_in_unit(result: Any) -> plots.Drawn:
    """Draw an :class:`~errorest.assessment.ErrorDifference` that is none of proportions."""
    figure, axes = plots.new_figure(1, 1, 3.0)
    axis = axes[0, 0]
    values, between = result.splits["difference"].to_numpy(), result.interval
    # equal differences stand above one another
    level = np.array([int(np.isclose(values[:i], v).sum()) for i, v in enumerate(values)])
    axis.plot(values, 1 + level / max(1, level.max()), "o", color=plots.SKY, markersize=5)
    axis.plot([between.low, between.high], [0.4, 0.4], "-|", color=plots.BLUE, linewidth=3, markersize=14)
    axis.plot([result.difference], [0.4], "o", color=plots.BLUE, markersize=9)
    axis.axvline(0, color=plots.GREY, linestyle="--", linewidth=1.2)
    axis.set(yticks=[0.4, 1.5], yticklabels=["mean", "splits"], ylim=(0, 2.2))
    title = f"{result.quantity[0].upper()}{result.quantity[1:]}"
    axis.set_xlabel(f"{title} of a less that of b")
    plots.panel_title(axis, "", f"{'Right' if result.rising else 'Left'} of the dashed line a is better")
    alt = (
        f"{title}: differences of {values.size} splits from {values.min():.3g} to {values.max():.3g}; their mean "
        f"{result.difference:.3g} with the interval {between.low:.3g} to {between.high:.3g}; a dashed line at zero."
    )
    caption = "Above: each split's difference. Below: their mean with its interval, the corrected resampled t."
    return plots.Drawn(figure, alt, caption)
