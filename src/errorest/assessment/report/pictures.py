"""Figures of results: one function for each kind, with a caption and alternative text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest import plots
from errorest.assessment.report.describe import axis_limits, expected_text, kind_of, p_text
from errorest.assessment.report.formatting import (
    capitalized,
    gain_text,
    interval_text,
    level_text,
    value_text,
)
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

if TYPE_CHECKING:
    from errorest.assessment.choose import Choice
    from errorest.assessment.compare import Difference
    from errorest.assessment.learning_curve import LearningCurve
    from errorest.assessment.permutation import PermutationTest
    from errorest.assessment.results import Estimate, Result
    from errorest.assessment.scoring import Scoring

# Candidates that are drawn, and the longest name; letters of a line below one of two panels
_SHOWN, _LONGEST, _ACROSS = 20, 34, 18


def draw(result: Result) -> plots.DescribedFigure:
    """Draw a result of any kind."""
    return _KINDS[kind_of(result)](result)


def _scale(metric: Scoring) -> tuple[float, str]:
    """Return what values are multiplied by, and the label of their axis."""
    noun = capitalized(metric.title)
    return (100.0, f"{noun} (%)") if metric.percent else (1.0, noun)


def _draw_interval(axis: Any, value: float, between: Any, y: float, scale: float) -> None:
    """Draw a value and its limits at one height."""
    if between is not None and between.defined:
        limits = [scale * between.low, scale * between.high]
        axis.plot(limits, [y, y], "-|", color=plots.BLUE, linewidth=3, markersize=14)
    axis.plot([scale * value], [y], "o", color=plots.BLUE, markersize=9)


def _draw_baseline(axis: Any, x: float) -> None:
    axis.axvline(x, color=plots.GREY, linestyle="--", linewidth=1.2)


def _note_line(axis: Any, text: str, x: float, colour: str, *, right: bool) -> None:
    """Write next to the top of a vertical line, on the side that has room."""
    look: dict[str, Any] = {"va": "top", "fontsize": plots.FONT_SIZE - 1, **SHARE_OF_HEIGHT}
    annotate_offset(axis, text, (x, 1), (4 if right else -4, -2), colour, **look)


def _draw_estimate(e: Estimate) -> plots.DescribedFigure:
    metric, between, baseline = e.metric, e.interval, e.baseline.value
    reliability = e.reliability_columns if metric.metric.needs_probabilities else None
    calibrates = reliability is not None and len(reliability["cases"]) > 0
    second = bool(e.baseline.constant) or calibrates
    height = 5.2 if calibrates else 4.6 if second else 1.8
    ratios = [1, 3.2 if calibrates else 2.2] if second else [1]
    figure, axes = plots.new_figure(len(ratios), 1, height, height_ratios=ratios)
    top, (scale, unit), (start, end) = axes[0, 0], _scale(metric), axis_limits(e)
    _draw_interval(top, e.value, between, 0, scale)
    alt = f"The estimate {value_text(metric, e.value)} with {interval_text(metric, between)}"
    if baseline is not None:
        inside, text = start <= baseline <= end, e.baseline.name
        if inside:
            _draw_baseline(top, scale * baseline)
        else:
            text += f": {value_text(metric, baseline)} {'→' if baseline > end else '←'}"
        x = scale * min(max(baseline, start), end)
        _note_line(top, text, x, plots.GREY, right=x < scale * (start + end) / 2)
        alt += f", and {'a dashed line at' if inside else 'an arrow beyond the axis to'} "
        alt += f"{value_text(metric, baseline)}, {e.baseline.name}"
    top.set(yticks=[], ylim=(-1, 1.6), xlabel=unit, xlim=(scale * start, scale * end))
    plots.panel_title(top, "A", e.method)
    caption = f"A: the estimate{'' if between is None else f' and its {level_text(between.level)} interval'}."
    if reliability is not None and calibrates:
        of_class = e.predictions.names[metric.positive]
        alt += f". {_draw_reliability(axes[1, 0], reliability, of_class)}"
        plots.panel_title(axes[1, 0], "B", "Calibration of the predicted probabilities")
        caption += (
            " B: groups of cases by predicted probability when tested unseen; bars are Wilson's limits of the observed "
            "share, the grey band is where points fall if probabilities are calibrated."
        )
        plots.legend_below(figure, *axes[1, 0].get_legend_handles_labels())
    elif second:
        alt += ". " + _draw_cases(axes[1, 0], e)
        caption += " B: cases on the right are hard: most classifiers that were not trained on them get them wrong."
        plots.legend_below(figure, *axes[1, 0].get_legend_handles_labels())
    return plots.DescribedFigure(figure, alt if alt.endswith(".") else f"{alt}.", caption)


def _draw_cases(axes: Any, e: Estimate) -> str:
    """Draw the cases of each class by their mean loss; return a sentence that says what is seen."""
    table = e.predictions.case_columns(e.metric, e.metric.pos_label or None)
    tested = ~np.isnan(table["loss"])
    loss, of_class = table["loss"][tested], table["class"][tested]
    losses_of = {f"class {name}": loss[of_class == name] for name in np.unique(of_class)}
    if not 1 < len(losses_of) <= len(plots.COLOURS):
        losses_of = {"all cases": loss}
    zero_one = bool(e.metric.metric.zero_one)
    for (name, losses), colour in zip(losses_of.items(), plots.COLOURS, strict=False):
        share = 100 * (np.arange(losses.size) + 0.5) / max(losses.size, 1)
        look: dict[str, Any] = {"color": colour, "markersize": 3.5, "linewidth": 1.2}
        values = (100.0 if zero_one else 1.0) * np.sort(losses)
        axes.plot(share, values, "o-" if losses.size <= 100 else "-", label=f"{name} ({losses.size})", **look)
    wrong = "Wrong (% of its tests)" if zero_one else "Mean loss"
    axes.set(xlabel="Cases, easiest first (% of their class)", ylabel=wrong, xlim=(0, 100))
    plots.panel_title(axes, "B", "Cases by share of wrong predictions" if zero_one else "Cases by mean loss")
    return "Below, the cases of each class sorted by their mean loss when tested unseen."


def _draw_reliability(axes: Any, table: Mapping[str, np.ndarray], of_class: str) -> str:
    """Draw observed shares against predicted probabilities; return a sentence that says what is seen."""
    predicted, observed = table["prob_pred"], table["prob_true"]
    axes.plot([0, 1], [0, 1], "--", color=plots.GREY, linewidth=1.2, label="calibrated")
    noise = {"color": plots.GREY, "linewidth": 9, "alpha": 0.35, "label": "expected if calibrated"}
    # a band of one value is a stroke
    axes.vlines(predicted, table["noise_low"] - 0.004, table["noise_high"] + 0.004, **noise)
    bars = np.maximum([observed - table["low"], table["high"] - observed], 0)
    axes.errorbar(predicted, observed, bars, fmt="o", color=plots.BLUE, capsize=3, label="observed")
    labels = {"xlabel": f"Mean predicted probability of {of_class}", "ylabel": "Observed share"}
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), **labels)
    inside = int(((observed >= table["noise_low"]) & (observed <= table["noise_high"])).sum())
    return (
        f"Below, {predicted.size} groups of cases by their mean predicted probability of {of_class}, from "
        f"{predicted.min():.2f} to {predicted.max():.2f}; in {inside} of them the observed share lies within the range "
        "expected if calibrated."
    )


def _draw_difference(d: Difference) -> plots.DescribedFigure:
    figure, axes = plots.new_figure(1, 1, 3.0)
    axis, metric, between, (scale, unit) = axes[0, 0], d.metric, d.interval, _scale(d.metric)
    values = scale * np.subtract(*d._values)
    # equal differences stand above one another
    level = np.array([int(np.isclose(values[:i], v).sum()) for i, v in enumerate(values)])
    axis.plot(values, 1 + level / max(1, level.max()), "o", color=plots.SKY, markersize=5)
    _draw_interval(axis, d.value, between, 0.4, scale)
    _draw_baseline(axis, 0)
    axis.set(yticks=[0.4, 1.5], yticklabels=["mean", "splits"], ylim=(0, 2.2))
    axis.set_xlabel(f"{unit.removesuffix(' (%)')} of a minus that of b{' (points)' if metric.percent else ''}")
    plots.panel_title(axis, "", f"{'Right' if metric.greater_is_better else 'Left'} of the dashed line a is better")
    alt = (
        f"{capitalized(metric.title)}: differences of {values.size} splits from {values.min():.3g} to "
        f"{values.max():.3g}; their mean {gain_text(metric, d.value)} with "
        f"{interval_text(metric, between, gain=True)}; a dashed line at zero."
    )
    caption = "Above: each split's difference. Below: their mean with its interval, the corrected resampled t."
    return plots.DescribedFigure(figure, alt, caption)


def _draw_choice(c: Choice) -> plots.DescribedFigure:
    shown, metric = c.candidates[:_SHOWN], c.metric
    figure, axes = plots.new_figure(1, 2, 1.6 + 0.34 * len(shown))
    left, right = axes[0]
    height, (scale, _) = np.arange(len(shown))[::-1], _scale(metric)
    for y, one in zip(height, shown, strict=True):
        colour = plots.BLUE if one.not_worse else plots.VERMILION
        if not np.isnan(one.low):
            left.plot([scale * one.low, scale * one.high], [y, y], color=colour, linewidth=2)
        left.plot([scale * one.difference], [y], "o", color=colour, markersize=6)
    _draw_baseline(left, 0)
    left.set(yticks=height, ylim=(-0.7, len(shown) - 0.3))
    names = [one.name for one in shown]
    left.set_yticklabels([n if len(n) <= _LONGEST else f"{n[: _LONGEST - 3]}..." for n in names])
    # the labels of the two panels would overlap on one line
    points = " (points)" if metric.percent else ""
    left.set_xlabel(fill(f"{capitalized(metric.title)} minus that of the best{points}", _ACROSS))
    plots.panel_title(left, "A", "Behind the best")
    ranks = 100 * c._ranks[: len(shown)]
    size = ranks.shape[1]
    right.imshow(ranks, cmap="Blues", vmin=0, vmax=100, aspect="auto", extent=(0.5, size + 0.5, -0.5, len(shown) - 0.5))
    for y, line in zip(height, ranks, strict=True):
        for j in range(min(size, _SHOWN)) if size <= 10 else (0,):
            if line[j] >= 0.5:
                colour = "white" if line[j] > 55 else plots.ink(plots.BLACK)
                look = {"ha": "center", "va": "center", "fontsize": plots.FONT_SIZE - 2, "color": colour}
                right.annotate(f"{line[j]:.0f}", (j + 1, y), **look)
    right.set(yticks=[], ylim=(-0.7, len(shown) - 0.3), xlabel=fill("Rank in bootstrap resamples", _ACROSS))
    right.set_xticks(np.unique(np.linspace(1, size, min(size, 10)).round().astype(int)))
    plots.panel_title(right, "B", "% of each rank")
    best, second = shown[0], shown[1]
    hidden = len(c.candidates) - len(shown)
    more = f" {hidden} more candidates are not drawn." if hidden else ""
    worse = sum(not one.not_worse for one in c.candidates)
    alt = (
        f"Candidates by {metric.title}, {best.name} on top with {value_text(metric, best.value)}, then {second.name} "
        f"{gain_text(metric, second.difference)} from it; the intervals of {worse} of {len(c.candidates) - 1} others "
        f"do not contain zero. {best.name} is best in {100 * best.wins:.0f} % of bootstrap resamples, {second.name} in "
        f"{100 * second.wins:.0f} %.{more}"
    )
    caption = (
        "A: paired differences with intervals that are corrected for all pairs of candidates; orange ones do not "
        "contain zero. B: shares of bootstrap resamples of the cross-validated losses in which a candidate has a rank, "
        "in per cent; column 1 is how often it is best."
    )
    return plots.DescribedFigure(figure, alt, caption + more)


def _draw_permutation(t: PermutationTest) -> plots.DescribedFigure:
    figure, axes = plots.new_figure(1, 1, 3.2)
    axis, metric, (scale, unit) = axes[0, 0], t.metric, _scale(t.metric)
    values, observed = scale * t.chance, scale * t.value
    edges = np.linspace(min(values.min(), observed), max(values.max(), observed) + 1e-9, 31)
    axis.hist(values, bins=edges, color=plots.SKY, edgecolor="white", linewidth=0.5)
    axis.axvline(observed, color=plots.VERMILION, linewidth=2)
    _note_line(axis, "observed", observed, plots.VERMILION, right=observed < (edges[0] + edges[-1]) / 2)
    axis.set(xlabel=unit, ylabel="Permutations")
    least, most, at = (value_text(metric, float(v)) for v in (t.chance.min(), t.chance.max(), t.value))
    alt = (
        f"Histogram of the {metric.title} under {t.n_permutations} permutations of the labels, from {least} to {most}; "
        f"a line at {at}, the observed {metric.title}; {p_text(t)}."
    )
    better = "at least" if metric.greater_is_better else "at most"
    caption = f"The p-value is the share of permutations with {better} the observed {metric.title}."
    return plots.DescribedFigure(figure, alt, caption)


def _draw_curve(c: LearningCurve) -> plots.DescribedFigure:
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes, table, metric, (scale, unit) = grid[0, 0], c.to_frame(), c.metric, _scale(c.metric)
    trained = table[c.unit]
    largest = max([one.size for one in c.expected], default=2 * c.points.n)
    baseline = c.baseline.value
    labels = []
    if baseline is not None:
        labels = [plots.EndLabel(float(largest), scale * baseline, c.baseline.name, plots.GREY)]
        axes.plot([trained.iloc[0], largest], [scale * baseline] * 2, "--", color=plots.GREY, linewidth=1.2)
    caption = f"Points: measured, with {level_text(c.confidence_level)} intervals."
    if not c.rises:
        sizes = sorted({round(float(v)) for v in np.geomspace(trained.iloc[0], max(largest, 2), 30)})
        curve = [c.predict(size) for size in sizes]
        low, middle, high = ([scale * getattr(one, name) for one in curve] for name in ("low", "value", "high"))
        axes.fill_between(sizes, low, high, color=plots.ORANGE, alpha=0.2, lw=0)
        axes.plot(sizes, middle, color=plots.ORANGE)
        labels.insert(0, plots.EndLabel(float(sizes[-1]), middle[-1], "expected", plots.ORANGE))
        caption += (
            f" Line and band: the mean {metric.title} expected by inverse power laws through these points, its median "
            "and limits."
        )
    value = scale * table["value"]
    bars = [value - scale * table["low"], scale * table["high"] - value]
    axes.errorbar(trained, value, yerr=bars, fmt="o", color=plots.BLUE, linewidth=1.2)
    plots.log_axis(axes, sorted({int(trained.iloc[0]), c.points.n, largest}), "{:,}")
    axes.set(ylim=(0, None), xlabel=f"training {c.unit}", ylabel=unit)
    plots.label_ends(axes, labels)
    measured = "; ".join(
        f"{size} {c.unit} {value_text(metric, v)}" for size, v in zip(trained, table["value"], strict=True)
    )
    expected = "; ".join(expected_text(c, one) for one in c.expected) or "nothing"
    alt = f"{capitalized(metric.title)} by number of training {c.unit}: measured {measured}; expected {expected}."
    return plots.DescribedFigure(figure, alt, caption)


_KINDS: dict[str, Callable[[Any], plots.DescribedFigure]] = {
    "Estimate": _draw_estimate,
    "Difference": _draw_difference,
    "Choice": _draw_choice,
    "PermutationTest": _draw_permutation,
    "LearningCurve": _draw_curve,
}
