"""Figures of Martin & Hirschberg (1996), appendix: class reversals, their models, the mathematics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from errorest.evidence.regenerated import Made, Regenerated, at_base
from errorest.papers.martin_hirschberg.reversal.artifacts import ReversalParameters
from errorest.papers.martin_hirschberg.reversal.designs import Rule
from errorest.papers.martin_hirschberg.reversal.models import MODELS, model_values
from errorest.plots import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    VERMILION,
    Drawn,
    EndLabel,
    in_style,
    label_ends,
    legend_below,
    new_figure,
    panel_title,
)

__all__ = ["draw_appendix", "draw_figure_16", "draw_figure_17"]

_RULE_LOOKS: dict[str, tuple[str, Any]] = {
    "literal": (BLUE, "-"),
    "class-0-mean": (GREEN, (0, (5, 2))),
    "below-minus-one": (VERMILION, (0, (1.5, 1.2))),
}
_SIZE_COLOURS = ("#081D58", "#1D6FB0", "#2BA8A0", "#8CC63F")
_MODEL_OF = {"a": "mean-true-error", "b": "mean-difference", "c": "likelihood"}
_PANELS = {
    "a": ("reversed_error", "reversed_se", "mean true error\nof reversed (%)"),
    "b": ("difference", "difference_se", "difference\n(points)"),
    "c": ("likelihood", "likelihood_se", "likelihood\n(%)"),
    "d": ("increase", "increase_se", "expected\nincrease (points)"),
}


@in_style
def draw_figure_16(p: ReversalParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 16: counts of true errors, reversed and unreversed, on a logarithmic axis."""
    result = at_base(made)
    counts = result.data["counts"]
    cells = [(n, d) for d in p.figure_16_distances for n in p.figure_16_sizes]
    rules = p.reversal_rules
    figure, grid = new_figure(len(cells), len(rules), 2.0 * len(cells) + 0.9, sharex=True, sharey=True)
    for i, (n, d) in enumerate(cells):
        for j, rule in enumerate(rules):
            axes = grid[i, j]
            own = counts[(counts["rule"] == rule) & (counts["n"] == n) & (counts["distance"] == d)]
            for group, colour in _GROUPS.items():
                part = own[own["group"] == group]
                edges = 100 * np.append(part["left"], part["right"].iloc[-1])
                axes.stairs(part["count"], edges, fill=True, color=colour, alpha=0.75, linewidth=0)
            axes.axvline(50, color=BLACK, linewidth=0.7, linestyle=":")
            axes.set_yscale("log")
            axes.set_ylim(0.7, None)
            axes.set_xlim(0, 100)
            axes.set_xticks([0, 50, 100])
            if i == 0:
                panel_title(axes, "", rule)
            if j == 0:
                axes.set_ylabel(f"N = {n}\ndistance {d:g}\nsamples")
            if i == len(cells) - 1:
                axes.set_xlabel("true error (%)")
    legend_below(figure, [Patch(color=c, alpha=0.75) for c in _GROUPS.values()], list(_GROUPS), columns=2)
    said = "; ".join(
        f"{rule} " + ", ".join(f"{_reversed(result, rule, n, d):.1f} % at N = {n} and distance {d:g}" for n, d in cells)
        for rule in rules
    )
    total = int(p.samples * p.batches)
    return Drawn(
        figure,
        f"A grid of histograms with logarithmic counts, a row for each sample size and distance, a column for each "
        f"reading of the reversal rule. Unreversed classifiers pile up just above the inherent error and have a tail "
        f"towards 50 %; reversed ones lie above 50 %. Share reversed: {said}.",
        f"True errors of the classifiers of {total:,} samples in each panel, in bins of {100 / p.bins:g} %; the dotted "
        "line is 50 %. The axis of counts is logarithmic, so that the tails can be seen; a bin of ten samples is "
        f"uncertain by about a third. Share reversed: {said}.",
    )


_GROUPS = {"unreversed": GREY, "reversed": VERMILION}


def _reversed(result: Regenerated, rule: str, n: int, distance: float) -> float:
    row = f"N={n}/distance={distance:g}"
    return next(
        r.value for r in result.rows if r.reading.endswith(rule) and r.row == row and r.column == "reversed-percent"
    )


def _shown_sizes(sizes: list[int]) -> list[int]:
    """Return at most four sizes: the smallest, the largest and two between, evenly in ratio."""
    every = sorted(sizes)
    if len(every) <= len(_SIZE_COLOURS):
        return every
    wanted = np.geomspace(every[0], every[-1], len(_SIZE_COLOURS))
    return sorted({every[int(np.abs(np.log(np.array(every) / w)).argmin())] for w in wanted})


@in_style
def draw_figure_17(p: ReversalParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figures 17a to d in every reading, with our fits and the printed models."""
    result = at_base(made)
    cells, fits = result.data["cells"], result.data["fits"]
    printed = {name: _printed(published, name) for name in MODELS}
    sizes = _shown_sizes(p.sizes)
    colours = dict(zip(sizes, _SIZE_COLOURS, strict=False))
    rules = p.reversal_rules
    figure, grid = new_figure(4, len(rules), 9.6, sharex=True, sharey="row")
    fine = np.linspace(min(p.distances), max(p.distances), 121)
    for j, rule in enumerate(rules):
        for i, (letter, (column, error, words)) in enumerate(_PANELS.items()):
            axes = grid[i, j]
            for n in sizes:
                own = cells[(cells["rule"] == rule) & (cells["n"] == n)]
                if letter in "ab":
                    own = own[own["likelihood"] >= p.least_likelihood]
                axes.errorbar(
                    own["distance"],
                    100 * own[column],
                    yerr=200 * own[error],
                    fmt="o",
                    color=colours[n],
                    markersize=3,
                    elinewidth=0.9,
                )
                if letter in _MODEL_OF and len(own):
                    x = fine if letter == "c" else fine[fine <= own["distance"].max()]
                    _models(axes, letter, rule, n, x, fits, printed, colours[n])
            if i == 0:
                panel_title(axes, "", rule)
            if j == 0:
                axes.set_ylabel(words)
                axes.text(0.97, 0.97, letter, transform=axes.transAxes, ha="right", va="top", weight="bold")
            if i == 3:
                axes.set_xlabel("distance")
            axes.set_xlim(0, 1.04 * max(p.distances))
    _limits(grid, cells, p)
    handles = [Line2D([], [], color=c, marker="o", markersize=4) for c in colours.values()]
    labels = [f"N = {n}" for n in colours]
    if any(k is not None for k in printed.values()):
        handles.append(Line2D([], [], color=BLACK, linestyle=_DASHES, linewidth=1.0))
        labels.append("printed model")
    legend_below(figure, handles, labels, columns=3)
    said = "; ".join(f"{rule} {_coefficients(fits, rule)}" for rule in rules)
    return Drawn(
        figure,
        f"Four rows of panels against the distance of the class means, a column for each reading of the reversal rule: "
        f"mean true error of reversed classifiers, its difference to that of unreversed ones, the likelihood of a "
        f"reversal, and the product of the last two. The likelihood falls with distance and sample size; the product "
        f"rises and falls. Coefficients of the likelihood's model: {said}.",
        f"Points are simulated, {p.samples * p.batches:,} samples each, with two standard errors either way; coloured "
        "lines are the paper's models fitted to all sizes"
        + (", black dashes the models with the printed coefficients. " if len(labels) > len(colours) else ". ")
        + f"(a) and (b) show cells where at least {100 * p.least_likelihood:.3g} % of samples are reversed. "
        + _misprint(cells, fits, printed, p)
        + f"Coefficients k0, k1, ... of (c): {said}.",
    )


_DASHES = (0, (3, 2))


def _printed(published: pd.DataFrame, name: str) -> tuple[float, ...] | None:
    """Return the printed coefficients of a model, or None where nothing is to be compared."""
    if published.empty:
        return None
    own = published[(published["row"] == name) & published["column"].str.fullmatch(r"k\d")]
    own = own[own["artifact"] == "martin-hirschberg-figure-17"].sort_values("column")
    return tuple(float(v) for v in own["value"]) if len(own) == len(MODELS[name][1]) else None


def _fitted(fits: pd.DataFrame, rule: str, name: str) -> tuple[float, ...]:
    own = fits[(fits["rule"] == rule) & (fits["model"] == name) & (fits["weights"] == "none")]
    values = own.sort_values("coefficient")["value"].to_numpy()
    # a second term that was left out has no exponent; any will do, its factor is zero
    return tuple(float(v) for v in np.where(np.isnan(values) & (len(values) == 5), 1.0, values))


def _models(
    axes: Axes,
    letter: str,
    rule: Rule,
    n: int,
    x: np.ndarray,
    fits: pd.DataFrame,
    printed: Mapping[str, tuple[float, ...] | None],
    colour: str,
) -> None:
    name = _MODEL_OF[letter]
    sizes = np.full(x.size, float(n))
    ours = _fitted(fits, rule, name)
    if np.isfinite(ours[0]):
        axes.plot(x, 100 * model_values(name, sizes, x, ours), color=colour, linewidth=1.2)
    theirs = printed[name]
    if theirs is not None:
        axes.plot(x, 100 * model_values(name, sizes, x, theirs), color=BLACK, linewidth=0.9, linestyle=_DASHES)


def _limits(grid: np.ndarray, cells: pd.DataFrame, p: ReversalParameters) -> None:
    """Keep the simulated values in sight whatever a model does."""
    used = cells[cells["likelihood"] >= p.least_likelihood]
    grid[0, 0].set_ylim(48, 102)
    grid[1, 0].set_ylim(-5, 102)
    grid[2, 0].set_ylim(-1, 110 * used["likelihood"].max())
    grid[3, 0].set_ylim(-0.2, 112 * cells["increase"].max())


def _coefficients(fits: pd.DataFrame, rule: str) -> str:
    own = fits[(fits["rule"] == rule) & (fits["model"] == "likelihood") & (fits["weights"] == "none")]
    return ", ".join(f"{v:.3g}" for v in own["value"] if np.isfinite(v)).replace("-", "−")


def _misprint(
    cells: pd.DataFrame,
    fits: pd.DataFrame,
    printed: Mapping[str, tuple[float, ...] | None],
    p: ReversalParameters,
) -> str:
    """Say which k1 of Figure 17b goes with the other printed coefficients, under the rule that fits 17a and c."""
    k, rule = printed["mean-difference"], "below-minus-one"
    if k is None or rule not in p.reversal_rules:
        return ""
    own = cells[(cells["rule"] == rule) & (cells["likelihood"] >= p.least_likelihood)]
    n, d = own["n"].to_numpy(), own["distance"].to_numpy()
    # the model is linear in k1
    without = model_values("mean-difference", n, d, (k[0], 0.0, k[2], k[3]))
    slope = model_values("mean-difference", n, d, (k[0], 1.0, k[2], k[3])) - without
    best = float(slope @ (own["difference"].to_numpy() - without) / (slope @ slope))
    return (
        f"With the other printed coefficients of (b), the k1 that fits best under {rule} is {best:.1f}, where "
        f"{k[1]:g} is printed. "
    )


@in_style
def draw_appendix(p: ReversalParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the true error against the threshold, and reversals against the class counts of a sample."""
    result = at_base(made)
    errors, shares = result.data["errors"], result.data["proportions"]
    distances = sorted(shares["distance"].unique())
    figure, grid = new_figure(1 + len(distances), 1, 3.0 * (1 + len(distances)))
    axes = grid[0, 0]
    labels = []
    for reverse, colour, text in ((False, BLUE, "C(t,0,1)"), (True, VERMILION, "C(t,1,0),\nreversed")):
        own = errors[errors["reversed"] == reverse]
        curve = result.data["formula"][result.data["formula"]["reversed"] == reverse]
        axes.plot(curve["threshold"], 100 * curve["formula"], color=colour)
        axes.errorbar(
            own["threshold"], 100 * own["simulated"], yerr=200 * own["se"], fmt="o", color=colour, markersize=4
        )
        last = own.iloc[-1]
        labels.append(EndLabel(last["threshold"], 100 * last["formula"], text, colour))
    axes.set_ylim(0, 100)
    axes.set_xlabel("threshold t (standard deviations)")
    axes.set_ylabel("true error (%)")
    panel_title(axes, "a", "true error by threshold")
    label_ends(axes, labels)
    for i, d in enumerate(distances):
        axes = grid[1 + i, 0]
        for rule in p.reversal_rules:
            own = shares[(shares["distance"] == d) & (shares["rule"] == rule)]
            colour, dash = _RULE_LOOKS[rule]
            axes.plot(own["n0"], own["percent"], color=colour, linestyle=dash)
            axes.fill_between(
                own["n0"],
                own["percent"] - 2 * own["se"],
                own["percent"] + 2 * own["se"],
                color=colour,
                alpha=0.2,
                linewidth=0,
            )
        axes.set_ylim(0, 102)
        axes.set_xlim(0, p.proportions_size)
        axes.set_xlabel(f"cases of class 0 among N = {p.proportions_size}")
        axes.set_ylabel("reversed (%)")
        panel_title(axes, "bc"[i], f"reversals by class counts, distance {d:g}")
    handles = [Line2D([], [], color=_RULE_LOOKS[r][0], linestyle=_RULE_LOOKS[r][1]) for r in p.reversal_rules]
    legend_below(figure, handles, list(p.reversal_rules), columns=3)
    even = shares[(shares["n0"] == p.proportions_size // 2) & (shares["distance"] == distances[0])]
    said = ", ".join(f"{r['rule']} {r['percent']:.1f} %" for r in even.to_dict("records"))
    return Drawn(
        figure,
        "Panel a: the true error of a threshold falls to a least value and rises again; that of the reversed "
        "classifier is its mirror image about 50 %; simulated points lie on both curves. Panels b and c: the share "
        f"of reversed classifiers against the number of cases of class 0. At equal class means and even counts: "
        f"{said}.",
        f"(a) Curves are the appendix's formulas, points {p.direct_samples:,} cases each at class means one standard "
        "deviation apart, with two standard errors either way (mostly smaller than the points). (b) and (c) Shares of "
        f"samples with given class counts, {p.samples * p.batches:,} each, bands of two standard errors. At equal "
        f"means and even counts: {said}.",
    )
