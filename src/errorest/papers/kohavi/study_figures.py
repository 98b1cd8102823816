"""Figures of Kohavi (1995), sections 4 and 5: true accuracies, cross-validation, bootstrap, and what follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from errorest.evidence.records import each
from errorest.evidence.regenerated import Made, at_base, at_largest
from errorest.evidence.verdicts import read_published
from errorest.papers.kohavi.estimates import EstimateParameters
from errorest.papers.kohavi.named_inducers import column_and_reading, title_of
from errorest.papers.kohavi.truth import TruthParameters
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    GREY,
    PUBLISHED,
    VERMILION,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    panel_title,
)

__all__ = [
    "draw_bootstrap_means",
    "draw_bootstrap_spread",
    "draw_fold_means",
    "draw_fold_spread",
    "draw_learning_curves",
    "draw_model_selection",
    "draw_propositions",
    "draw_table_1",
    "draw_text_bootstrap",
    "draw_text_stratified",
]

_MARKERS = "osDv^P*X<>"
_BAND = "#D5D5D5"
_HOLLOW = {**PUBLISHED, "markerfacecolor": "none", "markersize": 10}
_Z = 1.96


def _printed_accuracies(made: Made, sets: list[str]) -> dict[tuple[str, str], float]:
    """Return Table 1's printed accuracies by data set and inducer; none for a reader's own parameters."""
    if "published" not in made:
        return {}
    table = read_published("kohavi")
    table = table[(table["artifact"] == "kohavi-table-1") & table["column"].isin(["c4.5", "naive-bayes"])]
    return {(r.row, r.column): float(r.value) for r in each(table[table["row"].isin(sets)])}


def _printed(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    return {(r.row, r.column): float(r.value) for r in each(published)}


def _numbers_of_samples(table: pd.DataFrame) -> str:
    counts = sorted({int(n) for n in table["n"]})
    return " or ".join(str(n) for n in counts)


def _column_titles(grid: np.ndarray, texts: Iterable[str], above: float = 24) -> None:
    for axes, text in zip(grid[0], texts, strict=True):
        axes.annotate(
            text,
            (0.5, 1.0),
            xycoords="axes fraction",
            xytext=(0, above),
            textcoords="offset points",
            ha="center",
            fontweight="bold",
        )


@in_style
def draw_table_1(p: TruthParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the true accuracies of every reading beside the printed ones."""
    scale, result = at_largest(made)
    table = result.data["accuracies"]
    printed = _printed(published)
    sets = list(dict.fromkeys(table["set"]))
    columns = list(dict.fromkeys(column_and_reading(i)[0] for i in p.inducers))
    figure, grid = new_figure(1, len(columns), 1.6 + 0.48 * len(sets), sharey=True, sharex=True)
    said, handles, labels = [], [], []
    for place, (axes, column) in enumerate(zip(grid[0], columns, strict=True)):
        readings = [i for i in p.inducers if column_and_reading(i)[0] == column]
        for number, name in enumerate(reversed(readings)):
            own = table[table["inducer"] == name].set_index("set").loc[sets]
            colour = COLOURS[(len(readings) - 1 - number) % len(COLOURS)]
            marker = _MARKERS[len(readings) - 1 - number]
            y = np.arange(len(sets)) + 0.14 * (len(readings) - 1 - number)
            axes.errorbar(own["accuracy"], y, xerr=2 * own["se"], fmt=marker, color=colour, markersize=5.5)
        for number, name in enumerate(readings):
            handles.append(Line2D([], [], color=COLOURS[number], marker=_MARKERS[number], linestyle="none"))
            labels.append(f"{title_of(name)}")
        own = table[table["inducer"] == readings[0]].set_index("set")
        said.append(f"{title_of(readings[0])}: " + ", ".join(f"{s} {own['accuracy'][s]:.1f} %" for s in sets))
        known = [(printed[s, column], k) for k, s in enumerate(sets) if (s, column) in printed]
        if known:
            axes.plot(*zip(*known, strict=True), **_HOLLOW)
        panel_title(axes, "ab"[place] if len(columns) == 2 else "", title_of(readings[0]))
        axes.set_xlabel("accuracy (%)")
        axes.grid(axis="x")
    grid[0, 0].set_yticks(range(len(sets)), sets)
    grid[0, 0].set_ylim(len(sets) - 0.4, -0.5)
    if printed:
        handles.append(Line2D([], [], **_HOLLOW))
        labels.append("printed")
    legend_below(figure, handles, labels, columns=2)
    against = " Open diamonds: printed." if printed else ""
    return Drawn(
        figure,
        f"True accuracies of {len(sets)} data sets, a panel for each inducer. {'. '.join(said)}.{against}",
        f"Mean accuracy over {int(table['n'].max()):,} holdouts ({scale} scale) with two standard errors, mostly "
        f"smaller than the marks; readings of the same inducer are shifted downwards.{against}",
    )


@in_style
def draw_learning_curves(p: TruthParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw accuracy against the number of training cases, a panel for each data set."""
    result = at_base(made)
    table = result.data["curves"]
    sets = list(dict.fromkeys(table["set"]))
    printed = _printed_accuracies(made, sets)
    sizes = dict(zip(sets, p.sizes, strict=True))
    names = list(dict.fromkeys(table["inducer"]))
    colours = dict(zip(names, COLOURS * len(names), strict=False))
    rows = -(-len(sets) // 2)
    figure, grid = new_figure(rows, min(2, len(sets)), 1.0 + 2.15 * rows)
    said = []
    for place, axes in enumerate(grid.ravel()):
        if place >= len(sets):
            axes.set_visible(False)
            continue
        name = sets[place]
        axes.axvline(sizes[name], color=GREY, linewidth=1, linestyle="--")
        for inducer in names:
            own = table[(table["set"] == name) & (table["inducer"] == inducer)]
            axes.fill_between(
                own["n"],
                own["accuracy"] - 2 * own["se"],
                own["accuracy"] + 2 * own["se"],
                color=colours[inducer],
                alpha=0.2,
                linewidth=0,
            )
            axes.plot(own["n"], own["accuracy"], color=colours[inducer], marker="o", markersize=3)
            first, last = each(own)[0], each(own)[-1]
            said.append(f"{title_of(inducer)} on {name} {first.accuracy:.0f} to {last.accuracy:.0f} %")
            value = printed.get((name, column_and_reading(inducer)[0]))
            if value is not None:
                axes.plot([sizes[name]], [value], zorder=5, **{**PUBLISHED, "markersize": 5.5})
        axes.set_xscale("log")
        ticks = [n for n in (10, 100, 1000) if own["n"].min() <= n <= own["n"].max()]
        axes.set_xticks(ticks, [str(n) for n in ticks])
        axes.minorticks_off()
        panel_title(axes, "", name)
        if place % grid.shape[1] == 0:
            axes.set_ylabel("accuracy (%)")
        if place + grid.shape[1] >= len(sets):
            axes.set_xlabel("training cases")
    handles = [Line2D([], [], color=colours[i], marker="o", markersize=3) for i in names]
    handles.append(Line2D([], [], color=GREY, linestyle="--", linewidth=1))
    labels = [*(title_of(i) for i in names), "sample size"]
    if printed:
        handles.append(Line2D([], [], **PUBLISHED))
        labels.append("printed")
    legend_below(figure, handles, labels, columns=4 if len(labels) < 5 else 3)
    return Drawn(
        figure,
        f"Learning curves, a panel for each of {len(sets)} data sets, from the fewest to the most training cases: "
        f"{'; '.join(said)}.",
        f"Mean accuracy over {p.learning_holdouts} holdouts against the number of training cases (note the logarithmic "
        "axis and the different ranges of accuracy); shaded: two standard errors. Dashed: the sample size at which the "
        f"data set is studied.{' Open diamonds: Table 1 as printed.' if printed else ''}",
    )


def _ticks(points: list[str]) -> list[str]:
    """Label points as the paper does: folds as they are, leave-k-out as a negative number."""
    return [q.split("=")[1] if "=" in q else "−" + q.split("-")[1] for q in points]


def _draw_means(p: EstimateParameters, made: Made, what: str, across: str) -> Drawn:
    scale, result = at_largest(made)
    table, truths = result.data["points"], result.data["truths"]
    sets, names = list(dict.fromkeys(table["set"])), list(dict.fromkeys(table["inducer"]))
    printed = _printed_accuracies(made, sets)
    base = "bootstrap" if "bootstrap" in set(table["scheme"]) else "plain"
    points = list(dict.fromkeys(table.loc[table["scheme"] == base, "point"]))
    figure, grid = new_figure(len(sets), len(names), 1.3 + 1.75 * len(sets))
    said = []
    for row, name in enumerate(sets):
        for column, inducer in enumerate(names):
            axes = grid[row, column]
            own = table[(table["set"] == name) & (table["inducer"] == inducer)]
            truth = each(truths[(truths["set"] == name) & (truths["inducer"] == inducer)])[0]
            reach = _Z * truth.se
            axes.axhspan(truth.accuracy - reach, truth.accuracy + reach, color=_BAND, linewidth=0)
            axes.axhline(truth.accuracy, color=GREY, linewidth=0.8)
            one = own[own["scheme"] == base].set_index("point").loc[points]
            look: dict[str, Any] = {"capsize": 2, "elinewidth": 1.1, "linewidth": 1.3, "markersize": 4}
            axes.errorbar(range(len(points)), one["mean"], _Z * one["se"], color=BLUE, marker="o", **look)
            other = own[own["scheme"] == "stratified"]
            at = [points.index(q.removeprefix("stratified-")) for q in other["point"] if q[11:] in points]
            if at:
                kept = other[[q[11:] in points for q in other["point"]]]
                axes.errorbar(np.array(at) + 0.2, kept["mean"], _Z * kept["se"], color=VERMILION, marker="s", **look)
            value = printed.get((name, column_and_reading(inducer)[0]))
            if value is not None:
                axes.plot([len(points) - 0.3], [value], zorder=5, **{**PUBLISHED, "markersize": 6})
            axes.set_xlim(-0.5, len(points))
            axes.set_xticks(range(len(points)), _ticks(points))
            axes.margins(y=0.15)
            panel_title(axes, "", name)
            if column == 0:
                axes.set_ylabel("accuracy (%)")
            if row == len(sets) - 1:
                axes.set_xlabel(across)
            ends = one["mean"].to_numpy()
            said.append(
                f"{title_of(inducer)} on {name} {ends[0]:.1f} to {ends[-1]:.1f} % where {truth.accuracy:.1f} % is true"
            )
    if len(names) > 1:
        _column_titles(grid, [title_of(i) for i in names])
    handles: list[Any] = [Line2D([], [], color=BLUE, marker="o", markersize=4)]
    labels = ["plain" if base == "plain" else ".632 bootstrap"]
    if "stratified" in set(table["scheme"]):
        handles.append(Line2D([], [], color=VERMILION, marker="s", markersize=4))
        labels.append("stratified")
    handles.append(Patch(color=_BAND))
    labels.append("true accuracy")
    if printed:
        handles.append(Line2D([], [], **PUBLISHED))
        labels.append("Table 1")
    legend_below(figure, handles, labels, columns=4)
    diamonds = " Open diamond: Table 1 as printed." if printed else ""
    first, last = _ticks(points)[0], _ticks(points)[-1]
    return Drawn(
        figure,
        f"{what} A row for each data set, a column for each inducer, {across} from {first} to {last} across. First and "
        f"last mean: {'; '.join(said)}.",
        f"{what} Means over {_numbers_of_samples(table)} samples ({scale} scale) with 95 % intervals; grey: the 95 % "
        f"interval of the true accuracy, from {p.holdouts} holdouts.{diamonds} The panels have different ranges.",
    )


@in_style
def draw_fold_means(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 1 for every data set and inducer, plain and stratified folds."""
    negative = " A negative number k stands for leave-k-out." if p.leave_out else ""
    return _draw_means(p, made, f"Mean accuracy that cross-validation estimates.{negative}", "folds")


@in_style
def draw_bootstrap_means(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 2 for every data set and inducer."""
    return _draw_means(p, made, "Mean accuracy that the .632 bootstrap estimates.", "bootstrap samples")


def _draw_spread(p: EstimateParameters, made: Made, schemes: list[str], across: str, what: str) -> Drawn:
    scale, result = at_largest(made)
    table = result.data["points"]
    schemes = [s for s in schemes if s in set(table["scheme"])]
    sets, names = list(dict.fromkeys(table["set"])), list(dict.fromkeys(table["inducer"]))
    colours = dict(zip(sets, [*COLOURS, BLACK, GREY] * len(sets), strict=False))
    markers = dict(zip(sets, _MARKERS * len(sets), strict=False))
    figure, grid = new_figure(len(schemes), len(names), 1.7 + 2.9 * len(schemes), sharey=True)
    said = []
    top = max(p.std_axis, 1.03 * float(table["sd"].max()))
    for row, scheme in enumerate(schemes):
        for column, inducer in enumerate(names):
            axes = grid[row, column]
            own = table[(table["scheme"] == scheme) & (table["inducer"] == inducer)]
            points = list(dict.fromkeys(own["point"]))
            for place, name in enumerate(sets):
                line = own[own["set"] == name].set_index("point").loc[points]
                x = np.arange(len(points)) + 0.05 * (place - len(sets) / 2)
                axes.errorbar(x, line["sd"], line["sd_se"], color=colours[name], marker=markers[name], markersize=4.5,
                              linewidth=1.3, elinewidth=0.8)  # fmt: skip
            axes.set_xticks(range(len(points)), _ticks(points))
            axes.set_ylim(0, top)
            letter = "abcdef"[row * len(names) + column]
            kind = {"plain": "", "stratified": ", stratified", "bootstrap": ""}[scheme]
            panel_title(axes, letter, f"{title_of(inducer)}{kind}")
            if column == 0:
                axes.set_ylabel("standard deviation (points)")
            if row == len(schemes) - 1:
                axes.set_xlabel(across)
            by_point = own.groupby("point", sort=False)["sd"].mean()
            said.append(
                f"{letter} {title_of(inducer)}{kind}: {by_point.iloc[0]:.1f} at {_ticks(points)[0]}, "
                f"{by_point.min():.1f} at least, {by_point.iloc[-1]:.1f} at {_ticks(points)[-1]}"
            )
    handles = [Line2D([], [], color=colours[s], marker=markers[s], markersize=4.5) for s in sets]
    legend_below(figure, handles, sets, columns=3)
    beyond = "" if top == p.std_axis else f" The axis is longer than {p.std_axis:g}, where the paper's ends."
    return Drawn(
        figure,
        f"{what} A line for each data set. Average over the data sets, in points: {'; '.join(said)}.",
        f"{what} From {_numbers_of_samples(table)} samples ({scale} scale); bars are one standard error of the "
        f"standard deviation.{beyond} Average over the data sets: {'; '.join(said)}.",
    )


@in_style
def draw_fold_spread(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 3 for every inducer, plain and stratified folds."""
    what = "Standard deviation of a single cross-validation estimate against the number of folds."
    return _draw_spread(p, made, ["plain", "stratified"], "folds", what)


@in_style
def draw_bootstrap_spread(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 4 for every inducer."""
    what = "Standard deviation of a single .632 estimate against the number of bootstrap samples."
    return _draw_spread(p, made, ["bootstrap"], "bootstrap samples", what)


def _draw_by_set(
    panels: list[tuple[str, pd.DataFrame, str]], printed: dict[tuple[int, str], float], across: str
) -> tuple[Any, list[str]]:
    """Draw dots with two standard errors by data set, a panel each; ``value`` and ``se`` are the columns read."""
    sets = list(dict.fromkeys(panels[0][1]["set"]))
    names = list(dict.fromkeys(panels[0][1]["inducer"]))
    cols = min(2, len(panels))
    rows = -(-len(panels) // cols)
    figure, grid = new_figure(rows, cols, 1.0 + rows * (0.7 + 0.32 * len(sets)), sharey=True, sharex=True)
    said = []
    for place, axes in enumerate(grid.ravel()):
        if place >= len(panels):
            axes.set_visible(False)
            continue
        title, table, value = panels[place]
        axes.axvline(0, color=GREY, linewidth=1, linestyle="--")
        for number, name in enumerate(names):
            own = table[table["inducer"] == name].set_index("set").loc[sets]
            y = np.arange(len(sets)) + 0.26 * number - 0.13 * (len(names) - 1)
            look = {"fmt": _MARKERS[number], "color": COLOURS[number], "markersize": 5, "capsize": 2}
            axes.errorbar(own[value], y, xerr=2 * own["se"], **look)
            said.append(
                f"{title + ', ' if title else ''}{title_of(name)}: "
                + ", ".join(f"{s} {v:+.1f}" for s, v in zip(sets, own[value], strict=True))
            )
        for (panel, name), value_of in printed.items():
            if panel == place and name in sets:
                at = sets.index(name) - 0.13 * (len(names) - 1)
                axes.plot([value_of], [at], zorder=5, **_HOLLOW)
        axes.set_ylim(len(sets) - 0.4, -0.6)
        axes.set_yticks(range(len(sets)), sets)
        if title:
            panel_title(axes, "abcdefgh"[place], title)
        if place + cols >= len(panels):
            axes.set_xlabel(across)
    handles = [Line2D([], [], color=COLOURS[k], marker=_MARKERS[k], linestyle="none") for k in range(len(names))]
    labels = [title_of(i) for i in names]
    if printed:
        handles.append(Line2D([], [], **_HOLLOW))
        labels.append("printed")
    legend_below(figure, handles, labels)
    return figure, said


@in_style
def draw_text_stratified(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw what stratification adds to the estimated accuracy, a panel for each number of folds."""
    scale, result = at_largest(made)
    table = result.data["gains"]
    folds = list(dict.fromkeys(table["k"]))
    printed = {
        (folds.index(k), row): value
        for (row, column), value in _printed(published).items()
        for k in folds
        if column == f"gain-percent-at-{k}-folds"
    }
    figure, said = _draw_by_set(
        [(f"{k} folds", table[table["k"] == k], "gain") for k in folds], printed, "gain (points)"
    )
    against = " Open diamonds: printed, for C4.5." if printed else ""
    return Drawn(
        figure,
        f"Mean gain of stratified over plain folds, in points. {'; '.join(said)}.",
        f"Estimated accuracy with stratified minus plain folds on the same samples ({_numbers_of_samples(table)} of "
        f"each data set, {scale} scale), with two standard errors.{against}",
    )


@in_style
def draw_text_bootstrap(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the bias of the .632 bootstrap by data set."""
    scale, result = at_largest(made)
    table = result.data["bias"]
    printed = {(0, row.split("/")[0]): value for (row, _), value in _printed(published).items()}
    figure, said = _draw_by_set([("", table, "bias")], printed, "bias (points)")
    against = " Open diamond: printed, for C4.5." if printed else ""
    return Drawn(
        figure,
        f"Bias of the .632 bootstrap with {max(p.bootstrap_samples)} samples, in points. {'; '.join(said)}.",
        f"Mean .632 estimate ({max(p.bootstrap_samples)} bootstrap samples) minus the true accuracy, with two standard "
        f"errors; to the right of the dashed line the estimate is too optimistic. {_numbers_of_samples(table)} samples "
        f"({scale} scale).{against}",
    )


@in_style
def draw_propositions(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the measured spread over the one that Proposition 1 predicts."""
    scale, result = at_largest(made)
    table = result.data["spread"]
    names, points = list(dict.fromkeys(table["inducer"])), list(dict.fromkeys(table["point"]))
    sets = list(dict.fromkeys(table["set"]))
    colours = dict(zip(sets, [*COLOURS, BLACK, GREY] * len(sets), strict=False))
    markers = dict(zip(sets, _MARKERS * len(sets), strict=False))
    figure, grid = new_figure(1, len(names), 4.4, sharey=True)
    said = []
    for place, (axes, inducer) in enumerate(zip(grid[0], names, strict=True)):
        axes.axhline(1, color=GREY, linewidth=1, linestyle="--")
        for number, name in enumerate(sets):
            own = table[(table["inducer"] == inducer) & (table["set"] == name)]
            x = np.arange(len(points)) + 0.05 * (number - len(sets) / 2)
            error = own["se"] / own["predicted"].where(own["predicted"] > 0)
            axes.errorbar(x, own["ratio"], error, color=colours[name], marker=markers[name], markersize=4.5,
                          linewidth=1.1, elinewidth=0.8)  # fmt: skip
            said.append(f"{title_of(inducer)} on {name} {own['ratio'].min():.2f} to {own['ratio'].max():.2f}")
        axes.set_xticks(range(len(points)), _ticks(points))
        axes.set_xlabel("folds")
        panel_title(axes, "abc"[place], title_of(inducer))
    grid[0, 0].set_ylabel("measured over predicted")
    grid[0, 0].set_ylim(0, None)
    handles = [Line2D([], [], color=colours[s], marker=markers[s], markersize=4.5) for s in sets]
    legend_below(figure, handles, sets, columns=3)
    return Drawn(
        figure,
        f"Measured standard deviation over the one that Proposition 1 predicts; 1 is as predicted. {'; '.join(said)}.",
        "Standard deviation of the estimates over that of a binomial share of n cases (Proposition 1), with one "
        f"standard error. Dashed: as predicted; a flat line is what Corollary 2 says. "
        f"{_numbers_of_samples(table)} samples ({scale} scale).",
    )


@in_style
def draw_model_selection(p: EstimateParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw how often each estimate picks the better inducer, and its distance from the truth."""
    scale, result = at_largest(made)
    table = result.data["selection"]
    points = list(table["point"])
    both = bool(table["right"].notna().any())
    figure, grid = new_figure(1, 2 if both else 1, 1.2 + 0.24 * len(points), sharey=True)
    y = np.arange(len(points))
    colours = [VERMILION if q.startswith("strat") else COLOURS[2] if q.startswith("b=") else BLUE for q in points]
    axes = grid[0, 0]
    axes.scatter(table["rms"], y, c=colours, s=28)
    axes.set_xlabel("rms error (points)")
    panel_title(axes, "a" if both else "", "distance from the truth")
    axes.set_yticks(y, [q.replace("=", " = ").replace("stratified-", "stratified ") for q in points])
    axes.set_ylim(len(points) - 0.4, -0.6)
    axes.grid(axis="x")
    if both:
        other = grid[0, 1]
        other.errorbar(table["right"], y, xerr=table["se"], fmt="none", ecolor=GREY, elinewidth=1)
        other.scatter(table["right"], y, c=colours, s=28, zorder=3)
        other.set_xlabel("right choices (%)")
        panel_title(other, "b", "choosing an inducer")
        other.grid(axis="x")
    pair = " and ".join(title_of(i) for i in p.inducers[:2])
    rates = ", ".join(f"{r.point} {r.right:.1f} %" for r in each(table)) if both else ""
    distances = ", ".join(f"{r.point} {r.rms:.2f}" for r in each(table))
    choices = f" (b) How often the estimate picks the better of {pair}, with one standard error." if both else ""
    return Drawn(
        figure,
        f"Root mean square error by estimate, in points: {distances}." + (f" Right choices: {rates}." if both else ""),
        f"(a) Root mean square of estimate minus the accuracy on all other cases, over {pair}.{choices} Blue: plain "
        f"folds, red: stratified, green: .632 bootstrap. {scale.capitalize()} scale; rand left out.",
    )
