"""Plots of results."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from errorest import plots
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

# Candidates that have a line of their own
_SHOWN = 20

_LONGEST = 34

# Letters of a line below one of two panels
_ACROSS = 18


def _draw_interval(axis: Any, value: float, between: Any, y: float, scale: float) -> None:
    """Draw a value and its limits on one level."""
    if between is not None and np.isfinite([between.low, between.high]).all():
        limits = [scale * between.low, scale * between.high]
        axis.plot(limits, [y, y], "-|", color=plots.BLUE, linewidth=3, markersize=14)
    axis.plot([scale * value], [y], "o", color=plots.BLUE, markersize=9)


def _scale(result: Any) -> tuple[float, str]:
    """Return what values are multiplied by, and the label of their axis."""
    return (100.0, f"{result.heading} (%)") if result.percent else (1.0, result.heading)


def _draw_baseline(axis: Any, x: float) -> None:
    axis.axvline(x, color=plots.GREY, linestyle="--", linewidth=1.2)


def _note_line(axis: Any, text: str, x: float, colour: str, *, right: bool) -> None:
    """Write beside the top of a vertical line, on the side that has room."""
    look: dict[str, Any] = {"va": "top", "fontsize": plots.FONT_SIZE - 1, **SHARE_OF_HEIGHT}
    annotate_offset(axis, text, (x, 1), (4 if right else -4, -2), colour, **look)


def draw_estimate(result: Any) -> plots.DescribedFigure:
    figure, axes = plots.new_figure(2, 1, 4.6, height_ratios=[1, 2.2])
    top, below = axes[:, 0]
    (scale, unit), between = _scale(result), result.interval
    _draw_interval(top, result.estimate, between, 0, scale)
    baseline, end = scale * result.majority_error, scale * result.axis_end
    fits, text = baseline <= end, "one class always"
    if fits:
        _draw_baseline(top, baseline)
    else:
        text += f": {baseline:.1f} % →" if result.percent else f": {baseline:.3g} →"
    _note_line(top, text, min(baseline, end), plots.GREY, right=fits and baseline < end / 2)
    top.set(yticks=[], ylim=(-1, 1.6), xlabel=unit, xlim=(0, end))
    plots.panel_title(top, "A", f"{result.estimator}")
    table = result.cases.dropna(subset=["loss"])
    losses_of = {f"class {name}": part["loss"] for name, part in table.groupby("class")}
    if not 1 < len(losses_of) <= len(plots.COLOURS):
        losses_of = {"all cases": table["loss"]}
    for (name, losses), colour in zip(losses_of.items(), plots.COLOURS, strict=False):
        share = 100 * (np.arange(losses.size) + 0.5) / max(losses.size, 1)
        values = (100.0 if result.zero_one else 1.0) * np.sort(losses.to_numpy())
        look: dict[str, Any] = {"color": colour, "markersize": 3.5, "linewidth": 1.2}
        below.plot(share, values, "o-" if losses.size <= 100 else "-", label=f"{name} ({losses.size})", **look)
    wrong = "Wrong (% of its tests)" if result.zero_one else "Mean loss"
    below.set(xlabel="Cases, easiest first (% of their class)", ylabel=wrong, xlim=(0, 100))
    plots.panel_title(below, "B", "Cases by how often they are got wrong" if result.zero_one else "Cases by mean loss")
    plots.legend_below(figure, *below.get_legend_handles_labels())
    shown = "no interval" if between is None else f"interval {between}"
    place = "a dashed line at" if fits else "an arrow beyond the axis to"
    alt = (
        f"Above, the estimate {result.value_text(result.estimate)} with {shown}, and {place} "
        f"{result.value_text(baseline / scale)}, the error of always answering with one class. Below, the cases of "
        "each class sorted by their mean loss when tested unseen."
    )
    caption = (
        f"A: the estimate and its {'' if between is None else f'{between.share} '}interval. B: cases on "
        "the right are hard: most classifiers that did not see them get them wrong."
    )
    return plots.DescribedFigure(figure, alt, caption)


def draw_score(result: Any) -> plots.DescribedFigure:
    table = result.reliability
    both = len(table) > 0
    figure, axes = plots.new_figure(2 if both else 1, 1, 5.2 if both else 1.8, height_ratios=[1, 3.2] if both else [1])
    top, between = axes[0, 0], result.interval
    shown = [result.estimate]
    if between is not None and np.isfinite([between.low, between.high]).all():
        shown += [between.low, between.high]
    _draw_interval(top, result.estimate, between, 0, 1.0)
    if result.baseline is not None:
        _draw_baseline(top, result.baseline)
        shown.append(result.baseline)
        plots.note(top, result.baseline, 1.25, f" {result.baseline_name}", plots.GREY)
    spread = max(max(shown) - min(shown), 1e-3)
    least, most = result.score.bounds(len(result.class_counts))
    top.set(yticks=[], ylim=(-1, 1.8), xlabel=result.heading)
    top.set_xlim(max(min(shown) - 0.15 * spread, least - 0.02), min(max(shown) + 0.35 * spread, most + 0.02))
    plots.panel_title(top, "A", result.estimator)
    limits = "no interval" if between is None else f"interval {between}"
    alt = f"The estimate {result.estimate:.3g} with {limits}"
    alt += "." if result.baseline is None else f", and a dashed line at {result.baseline:.3g}, {result.baseline_name}."
    caption = "A: the estimate and its interval." if between is not None else "A: the estimate."
    if both:
        alt += " " + draw_reliability(axes[1, 0], table, result.of_class)
        plots.panel_title(axes[1, 0], "B", "Do probabilities mean what they say?")
        caption += (
            " B: groups of cases of like probability when tested unseen; bars are Wilson's limits of what happened, "
            "the grey band is where points fall if every probability is true."
        )
        plots.legend_below(figure, *axes[1, 0].get_legend_handles_labels())
    return plots.DescribedFigure(figure, alt, caption)


def draw_reliability(axes: Any, table: Any, of_class: str) -> str:
    """Draw what happened against what was said, with limits and noise; return a sentence that says what is seen."""
    output, happened = table["said"].to_numpy(), table["happened"].to_numpy()
    axes.plot([0, 1], [0, 1], "--", color=plots.GREY, linewidth=1.2, label="what was said")
    noise = {"color": plots.GREY, "linewidth": 9, "alpha": 0.35, "label": "if all were true"}
    # a band of one value is a stroke
    axes.vlines(output, table["noise_low"] - 0.004, table["noise_high"] + 0.004, **noise)
    below, above = happened - table["low"].to_numpy(), table["high"].to_numpy() - happened
    axes.errorbar(
        output, happened, np.maximum([below, above], 0), fmt="o", color=plots.BLUE, capsize=3, label="what happened"
    )
    axes.set(
        xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=f"Mean probability of {of_class}", ylabel="Share that is of it"
    )
    inside = int(((happened >= table["noise_low"]) & (happened <= table["noise_high"])).sum())
    return (
        f"Below, {len(table)} groups of cases by their mean probability of {of_class}, from {output.min():.2f} to "
        f"{output.max():.2f}; in {inside} of them what happened lies within the noise of true probabilities."
    )


def draw_difference(result: Any) -> plots.DescribedFigure:
    figure, axes = plots.new_figure(1, 1, 3.0)
    axis, between, (scale, _) = axes[0, 0], result.interval, _scale(result)
    values = scale * result.splits["difference"].to_numpy()
    # equal differences stand above one another
    level = np.array([int(np.isclose(values[:i], v).sum()) for i, v in enumerate(values)])
    axis.plot(values, 1 + level / max(1, level.max()), "o", color=plots.SKY, markersize=5)
    _draw_interval(axis, result.difference, between, 0.4, scale)
    _draw_baseline(axis, 0)
    axis.set(yticks=[0.4, 1.5], yticklabels=["mean", "splits"], ylim=(0, 2.2))
    unit = " percentage points" if result.percent else ""
    limits = f"the interval {scale * between.low:.3g} to {scale * between.high:.3g}"
    limits = "no interval" if np.isnan(between.low) else limits
    axis.set_xlabel(f"{result.heading} of a minus that of b" + (" (percentage points)" if result.percent else ""))
    plots.panel_title(axis, "", f"{'Right' if result.greater_is_better else 'Left'} of the dashed line a is better")
    alt = (
        f"{result.heading}: differences of {values.size} splits from {values.min():.3g} to {values.max():.3g}{unit}; "
        f"their mean {scale * result.difference:.3g} with {limits}; a dashed line at zero."
    )
    caption = "Above: each split's difference. Below: their mean with its interval, the corrected resampled t."
    return plots.DescribedFigure(figure, alt, caption)


def draw_choice(result: Any) -> plots.DescribedFigure:
    shown = result.candidates[:_SHOWN]
    figure, axes = plots.new_figure(1, 2, 1.6 + 0.34 * len(shown))
    left, right = axes[0]
    level, (scale, _) = np.arange(len(shown))[::-1], _scale(result)
    for y, r in zip(level, shown, strict=True):
        colour = plots.VERMILION if r.worse else plots.BLUE
        if not np.isnan(r.low):
            left.plot([scale * r.low, scale * r.high], [y, y], color=colour, linewidth=2)
        left.plot([scale * r.difference], [y], "o", color=colour, markersize=6)
    _draw_baseline(left, 0)
    left.set(yticks=level, ylim=(-0.7, len(shown) - 0.3))
    left.set_yticklabels([n if len(n) <= _LONGEST else f"{n[: _LONGEST - 3]}..." for n in (r.name for r in shown)])
    unit = "Points above the best" if result.percent else "Loss above the best"
    # beside one another, on one line each they would overlap
    left.set_xlabel(fill(unit if result.score is None else f"{result.heading} minus that of the best", _ACROSS))
    plots.panel_title(left, "A", "Behind the best")
    ranks = 100 * result.ranks.to_numpy()[: len(shown)]
    size = ranks.shape[1]
    right.imshow(ranks, cmap="Blues", vmin=0, vmax=100, aspect="auto", extent=(0.5, size + 0.5, -0.5, len(shown) - 0.5))
    for y, line in zip(level, ranks, strict=True):
        for j in range(min(size, _SHOWN)) if size <= 10 else (0,):
            if line[j] >= 0.5:
                colour = "white" if line[j] > 55 else plots.ink(plots.BLACK)
                look = {"ha": "center", "va": "center", "fontsize": plots.FONT_SIZE - 2, "color": colour}
                right.annotate(f"{line[j]:.0f}", (j + 1, y), **look)
    right.set(yticks=[], ylim=(-0.7, len(shown) - 0.3), xlabel=fill("Rank in bootstrap resamples", _ACROSS))
    right.set_xticks(np.unique(np.linspace(1, size, min(size, 10)).round().astype(int)))
    plots.panel_title(right, "B", "% of each rank")
    best, second = shown[0], shown[1]
    others = len(result.candidates) - len(shown)
    more = f" {others} more candidates are not drawn." if others else ""
    alt = (
        f"Candidates by {'error' if result.score is None else result.quantity}, {best.name} on top with "
        f"{result.value_text(best.error)}, then {second.name} {result.gain_text(second.difference)} from it; intervals "
        f"of {sum(r.worse for r in result.candidates)} of {len(result.candidates) - 1} rivals lie "
        f"{'below' if result.greater_is_better else 'above'} zero. {best.name} {result.best_words} in "
        f"{100 * best.wins:.0f} % of bootstrap resamples, {second.name} in {100 * second.wins:.0f} %.{more}"
    )
    caption = (
        "A: paired differences with intervals that are corrected for all pairs of candidates; orange ones leave zero "
        "out. B: shares of bootstrap samples of the cases in which a candidate has a rank, in per cent; column 1 is "
        "how often it would win."
    )
    return plots.DescribedFigure(figure, alt, caption + more)


def draw_chance(result: Any) -> plots.DescribedFigure:
    figure, axes = plots.new_figure(1, 1, 3.2)
    axis, (scale, unit) = axes[0, 0], _scale(result)
    values, own = scale * result.chance, scale * result.estimate
    edges = np.linspace(min(values.min(), own), max(values.max(), own) + 1e-9, 31)
    axis.hist(values, bins=edges, color=plots.SKY, edgecolor="white", linewidth=0.5)
    axis.axvline(own, color=plots.VERMILION, linewidth=2)
    _note_line(axis, "as they are", own, plots.VERMILION, right=own < (edges[0] + edges[-1]) / 2)
    axis.set(xlabel=unit, ylabel="Arrangements of the labels")
    least, most, at = (result.value_text(float(v)) for v in (result.chance.min(), result.chance.max(), result.estimate))
    one, many = "error", "errors"
    if result.score is not None:
        one, many = result.quantity, f"values of the {result.quantity}"
    alt = (
        f"Histogram of the {many} under {result.permutations} arrangements of the labels, from {least} to {most}; a "
        f"line at {at}, the {one} of the labels as they are; {result.p_text()}."
    )
    than = "smaller" if result.greater_is_better else "larger"
    caption = f"The p-value is the share of arrangements of the labels under which the {one} is no {than} than at hand."
    return plots.DescribedFigure(figure, alt, caption)


def draw_curve(result: Any) -> plots.DescribedFigure:
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes, table, (scale, unit) = grid[0, 0], result.table, _scale(result)
    trained = table[result.unit]
    most = max([one.cases for one in result.expected], default=2 * result.points.n)
    labels = [plots.EndLabel(float(most), scale * result.majority_error, "one class always", plots.GREY)]
    if not result.rises:
        sizes = sorted({round(float(v)) for v in np.geomspace(trained.iloc[0], max(most, 2), 30)})
        laws = [result.at(size) for size in sizes]
        low, middle, high = ([scale * getattr(one, name) for one in laws] for name in ("low", "error", "high"))
        axes.fill_between(sizes, low, high, color=plots.ORANGE, alpha=0.2, lw=0)
        axes.plot(sizes, middle, color=plots.ORANGE)
        labels.insert(0, plots.EndLabel(float(sizes[-1]), middle[-1], "expected", plots.ORANGE))
    error = scale * table["error"]
    limits = [error - scale * table["low"], scale * table["high"] - error]
    axes.errorbar(trained, error, yerr=limits, fmt="o", color=plots.BLUE, linewidth=1.2)
    axes.axhline(scale * result.majority_error, color=plots.GREY, linestyle="--", linewidth=1.2)
    plots.log_axis(axes, sorted({int(trained.iloc[0]), result.points.n, most}), "{:,}")
    axes.set(ylim=(0, None), xlabel=f"training {result.unit}", ylabel=unit)
    plots.label_ends(axes, labels)
    text = "; ".join(
        f"{number} {result.unit} {result.value_text(value)}"
        for number, value in zip(trained, table["error"], strict=True)
    )
    alt = f"{result.heading} by number of training {result.unit}: measured {text}; "
    caption = f"Points: measured, with {result.level_text} intervals."
    if not result.rises:
        caption += (
            " Line and band: the mean error that inverse power laws through these points expect, its median and limits."
        )
    return plots.DescribedFigure(figure, f"{alt}{'; '.join(map(str, result.expected)) or 'no more'}.", caption)
