"""Figures of Shakhnarovich, El-Yaniv & Baram (2001), section 8: .632+ with and without cloning, repetition, cost.

Tables 4 and 13 to 15 are drawn by :mod:`errorest.papers.shakhnarovich.synthetic.figures`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from errorest.evidence.regenerated import Made, at_base, at_largest
from errorest.papers.shakhnarovich.named import CORRECT_PLUS, REPEATED, symbol_of, title_of
from errorest.papers.shakhnarovich.uci.cases import SET_TITLES, UciParameters
from errorest.papers.shakhnarovich.uci.cost import CostParameters
from errorest.papers.shakhnarovich.uci.tables import CURVES
from errorest.papers.shakhnarovich.uci.winners import PROPOSED
from errorest.plots import (
    BLUE,
    COLOURS,
    GREY,
    ORANGE,
    PUBLISHED,
    VERMILION,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    note,
    panel_title,
)

__all__ = ["draw_errors", "draw_table_5", "draw_table_6", "draw_table_7"]

_SMALL: dict[str, Any] = {**PUBLISHED, "markersize": 5}
_PLAIN, _CLONED = CURVES
_LOOKS: Mapping[str, dict[str, Any]] = {
    _PLAIN: {"color": VERMILION, "linestyle": "--"},
    _CLONED: {"color": BLUE, "linestyle": "-"},
}


def _case_title(key: str) -> str:
    name, _, classifier = key.partition("/")
    return f"{title_of(classifier)}, {SET_TITLES.get(name, name)}"


def _numbers(published: pd.DataFrame) -> dict[tuple[str, str], float]:
    if not len(published):
        return {}
    kept = published[published["kind"].isin(["result", "data"])]
    return {(str(r["row"]), str(r["column"])): float(str(r["value"])) for r in kept.to_dict("records")}


@in_style
def draw_errors(p: UciParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw errors, densities and tails of the .632+ with and without cloning, a column a case and reading."""
    scale, result = at_largest(made)
    if "curves" not in result.data:
        figure, grid = new_figure(1, 1, 1.0)
        grid[0, 0].set_axis_off()
        text = "None of this figure's cases is among the classifiers."
        note(grid[0, 0], 0.0, 0.5, text)
        return Drawn(figure, text, text)
    curves, errors = result.data["curves"], result.data["errors"]
    crossings = {(r.row, r.reading): (r.value, r.se) for r in result.rows if r.column == "crossing-epsilon"}
    columns = list(crossings)
    figure, grid = new_figure(3, len(columns), 7.4, sharex="row")
    printed = _numbers(published)
    said = []
    reach = float(errors["error"].abs().max()) * 1.05
    for place, (case, reading) in enumerate(columns):
        own = curves[(curves["case"] == case) & (curves["reading"] == reading)]
        single = errors[(errors["case"] == case) & (errors["reading"] == reading)]
        drawn = "stratified samples" if reading.endswith("stratified-samples") else "uniform samples"
        suffix = f"\n{drawn}" if len({c for c, _ in columns}) < len(columns) else ""
        for name, look in _LOOKS.items():
            values = single[single["estimator"] == name]["error"].to_numpy()
            bins = np.linspace(-reach, reach, 25)
            grid[0, place].hist(values, bins=bins, histtype="step", density=True, linewidth=1.4, **look)
            grid[1, place].plot(own["epsilon"], own[f"{name}/density"], **look)
            grid[2, place].plot(own["epsilon"], own[f"{name}/tail"], **look)
        at, se = crossings[case, reading]
        grid[2, place].axvspan(max(0.0, at - 1.96 * se), at + 1.96 * se, color=GREY, alpha=0.18, linewidth=0)
        grid[2, place].axvline(at, color=GREY, linewidth=1)
        if (case, "crossing-epsilon") in printed:
            grid[2, place].plot([printed[case, "crossing-epsilon"]], [0.02], clip_on=False, zorder=5, **_SMALL)
        panel_title(grid[0, place], "abcdef"[place], _case_title(case) + suffix)
        grid[0, place].axvline(0, color=GREY, linewidth=0.8)
        grid[0, place].set_xlabel("estimate minus true error")
        grid[1, place].set_xlabel("absolute error ε")
        grid[2, place].set_xlabel("ε")
        grid[1, place].set_ylim(0, None)
        grid[2, place].set_ylim(0, 1)
        at_tenth = [float(np.interp(0.1, own["epsilon"], own[f"{name}/tail"])) for name in CURVES]
        what = f"{_case_title(case)}{f' ({drawn})' if suffix else ''}"
        said.append(
            f"{what}: an error over .1 has probability {at_tenth[0]:.2f} without and {at_tenth[1]:.2f} with cloning; "
            f"beyond {at:.3f} the cloned one's tail stays below"
        )
    for row, text in enumerate(("density of the error", "density of ε", "probability of more than ε")):
        grid[row, 0].set_ylabel(text)
    handles: list[Any] = [Line2D([], [], **look) for look in _LOOKS.values()]
    labels = [symbol_of(name) for name in CURVES]
    if printed:
        handles.append(Line2D([], [], **_SMALL))
        labels.append("printed crossing")
    legend_below(figure, handles, labels)
    trials = int(single["trial"].max()) + 1
    return Drawn(
        figure,
        f"For each of {len(columns)} columns: distribution of the error, density of the absolute error and its tail, "
        f"of {symbol_of(_PLAIN)} (dashed) and {symbol_of(_CLONED)} (solid). {'; '.join(said)}.",
        f"Errors of the two estimators ({scale} scale, {trials} trials in the last column). Top: histogram; middle: "
        "density of the absolute error, estimated with the paper's own boundary-corrected kernel; bottom: the "
        f"probability of a larger error. Grey: where the tails cross for the last time, with a 95 % interval. "
        f"{'; '.join(said)}.",
    )


@in_style
def draw_table_5(p: UciParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the RMSE of the .632+ with and without cloning by case, in both forms of the .632+."""
    scale, result = at_largest(made)
    pairs = result.data["pairs"]
    pairs = pairs.assign(label=[_label(c, r) for c, r in zip(pairs["case"], pairs["reading"], strict=True)])
    labels = list(dict.fromkeys(pairs["label"]))
    printed = _numbers(published)
    figure, grid = new_figure(1, 2, 1.5 + 0.36 * len(labels), sharey=True, sharex=True)
    y = np.arange(len(labels))
    said = []
    forms = ((_PLAIN, _CLONED), (CORRECT_PLUS[_PLAIN], CORRECT_PLUS[_CLONED]))
    for place, (axes, names) in enumerate(zip(grid[0], forms, strict=True)):
        values = []
        for name, like, marker, shift in zip(names, CURVES, "so", (0.13, -0.13), strict=True):
            own = pairs[pairs["estimator"] == name].set_index("label").loc[labels]
            look = {"color": _LOOKS[like]["color"], "fmt": marker, "markersize": 5, "elinewidth": 1}
            axes.errorbar(own["rmse"], y + shift, xerr=1.96 * own["se"], **look)
            values.append(own["rmse"].to_numpy())
            for at, case in enumerate(own["case"]):
                if (name, case) in printed:
                    axes.plot([printed[name, case]], [at + shift], zorder=4, **_SMALL)
        panel_title(axes, "ab"[place], "the paper's .632+" if place == 0 else "Efron & Tibshirani's")
        axes.set_xlabel("RMSE (proportion)")
        axes.set_xlim(0, None)
        axes.grid(axis="x")
        lower = int(np.count_nonzero(values[1] < values[0]))
        whose = "the paper's" if place == 0 else "Efron & Tibshirani's"
        said.append(f"with {whose} .632+ cloning has the smaller RMSE in {lower} of {len(labels)} lines")
    grid[0, 0].set_yticks(y, labels)
    grid[0, 0].set_ylim(len(labels) - 0.4, -0.6)
    handles: list[Any] = [
        Line2D([], [], color=_LOOKS[n]["color"], marker=m, linestyle="none", markersize=5)
        for n, m in zip(CURVES, "so", strict=True)
    ]
    texts = ["without cloning", "with cloning"]
    if printed:
        handles.append(Line2D([], [], **_SMALL))
        texts.append("printed")
    legend_below(figure, handles, texts)
    return Drawn(
        figure,
        f"RMSE of the .632+ with and without cloning, a line for each case: {'; '.join(said)}.",
        f"RMSE of the .632+ ({scale} scale) with 95 % intervals. (a) The relative overfitting rate set to 0 where it "
        f"is over 1, as the paper does. (b) Set to 1, as Efron & Tibshirani define it. {said[0][:1].upper()}"
        f"{said[0][1:]}; {said[1]}.",
    )


def _label(case: str, reading: str) -> str:
    return _case_title(case) + (" (stratified)" if reading.endswith("stratified-samples") else "")


@in_style
def draw_table_6(p: UciParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw in how many cases repeated cross-validation is worse, undecided or better, beside the print."""
    scale, result = at_largest(made)
    counts = result.data["counts"]
    first = str(counts["reading"].iloc[0])
    lines = counts[counts["reading"] == first].to_dict("records")
    own = {(line["repeated"], line["new"]): line for line in lines}
    printed = _numbers(published)
    looks = {"worse": BLUE, "undecided": "#D5D5D5", "better": ORANGE}
    figure, grid = new_figure(1, len(PROPOSED), 3.0, sharey=True, sharex=True)
    said = []
    total = 0
    for place, (axes, new) in enumerate(zip(grid[0], PROPOSED, strict=True)):
        for at, repeated in enumerate(REPEATED):
            sides = [({k: float(own[repeated, new][k]) for k in looks}, -0.17 if printed else 0.0, 1.0)]
            if printed:
                sides.append(({k: printed[repeated, f"{new}/{k}"] for k in looks}, 0.17, 0.55))
            for values, shift, strength in sides:
                left = 0.0
                for name, colour in looks.items():
                    axes.barh(at + shift, values[name], 0.3, left=left, color=colour, alpha=strength)
                    left += values[name]
                total = max(total, int(left))
            found = sides[0][0]
            said.append(f"{symbol_of(repeated)} against {symbol_of(new)}: worse in {found['worse']:.0f}, better in "
                        f"{found['better']:.0f}")  # fmt: skip
        panel_title(axes, "abc"[place], symbol_of(new))
        axes.set_xlabel("cases")
        axes.set_xticks(range(0, total + 1, 2))
    grid[0, 0].set_yticks(range(len(REPEATED)), [symbol_of(r) for r in REPEATED])
    grid[0, 0].set_ylim(len(REPEATED) - 0.4, -0.6)
    legend_below(figure, [Patch(color=c) for c in looks.values()], ["RCV worse", "not decided", "RCV better"])
    return Drawn(
        figure,
        f"Numbers of cases, out of {total}, in which repeated cross-validation is worse or better than a new one. "
        f"{'; '.join(said)}.",
        f"In how many of {total} cases repeated cross-validation is significantly worse or better than a new estimator "
        f"(paired test at {p.level:g}, {scale} scale)."
        + (" Upper bars: ours; paler lower bars: printed." if printed else ""),
    )


@in_style
def draw_table_7(p: CostParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the printed seconds over those of the plain bootstrap against the same ratio of classifiers made."""
    result = at_base(made)
    work = result.data["work"]
    printed = _numbers(published)
    sets = list(dict.fromkeys(work["set"]))
    figure, grid = new_figure(1, 1, 4.6 if printed else 4.2)
    axes = grid[0, 0]
    base = "bootstrap-naive"
    cases = list(dict.fromkeys(column for _, column in printed))
    ratios: list[tuple[str, str, float, float]] = []
    for case in cases:
        name = case.partition("/")[0]
        own = work[work["set"] == name].set_index("estimator")["ratio"]
        for estimator in own.index:
            seconds = printed.get((estimator, case), 0.0)
            if seconds > 0 and estimator != base:
                ratios.append((estimator, case, float(own[estimator]), seconds / printed[base, case]))
    if not ratios:
        return _draw_work(work, sets, figure, axes)
    markers = dict(zip(cases, "osD^v<>P", strict=False))
    odd = ("cloned-loo", "cloned-bscv-10")
    swapped = ("repeated-cv-10", "repeated-cv-5")
    for estimator, case, ours, theirs in ratios:
        colour = VERMILION if estimator in odd else ORANGE if estimator in swapped else BLUE
        look = {"color": colour, "marker": markers[case], "linestyle": "none", "markersize": 4.5, "alpha": 0.8}
        axes.plot([ours], [theirs], **look)
    low = min(min(r[2], r[3]) for r in ratios)
    high = max(max(r[2], r[3]) for r in ratios)
    axes.plot([low, high], [low, high], color=GREY, linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("classifiers made, over those of BS")
    axes.set_ylabel("printed seconds, over those of BS")
    handles: list[Any] = [
        Line2D([], [], color=GREY, marker=markers[c], linestyle="none", markersize=4.5) for c in cases
    ]
    handles += [Patch(color=VERMILION), Patch(color=ORANGE)]
    texts = [_case_title(c) for c in cases] + ["BS(1)*, BSCV×10*", "RCV×10, RCV×5"]
    legend_below(figure, handles, texts, columns=2)
    nested = [theirs for e, _, _, theirs in ratios if e == "bootstrap-loo"]
    odd_ones = [theirs for e, _, _, theirs in ratios if e in odd]
    ten, five = ([theirs / ours for e, _, ours, theirs in ratios if e == name] for name in swapped)
    return Drawn(
        figure,
        "Printed seconds against numbers of classifiers, both over those of the plain bootstrap, on logarithmic axes. "
        f"BS(1) is printed at {min(nested):.0f} to {max(nested):.0f} times the plain bootstrap; BS(1)* and BSCV×10* at "
        f"{min(odd_ones):.2f} to {max(odd_ones):.2f} times.",
        "Each point is an estimator for one classifier and data set; dashed: as many times the seconds as classifiers. "
        "Cross-validation lies below it, since a fold labels fewer cases than a bootstrap sample does. Red: two rows "
        f"that are printed at {min(odd_ones):.2f} to {max(odd_ones):.2f} times the plain bootstrap and cannot be. "
        f"Orange: the two rows that look exchanged; seconds for a classifier are {np.mean(five) / np.mean(ten):.1f} "
        "times as many in the row called RCV×5 as in the row called RCV×10.",
    )


def _draw_work(work: pd.DataFrame, sets: list[str], figure: Any, axes: Any) -> Drawn:
    """Draw the ratios of classifiers alone, where nothing printed is to be compared."""
    names = list(dict.fromkeys(work["estimator"]))
    for number, name in enumerate(sets):
        own = work[work["set"] == name].set_index("estimator").loc[names]
        axes.plot(own["ratio"], range(len(names)), color=COLOURS[number], marker="os^"[number % 3], linestyle="none")
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), [symbol_of(n) for n in names])
    axes.tick_params(axis="y", labelsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("classifiers made, over those of BS")
    handles = [Line2D([], [], color=COLOURS[k], marker="os^"[k % 3], linestyle="none") for k in range(len(sets))]
    legend_below(figure, handles, [SET_TITLES.get(s, s) for s in sets])
    most = max(work.to_dict("records"), key=lambda line: line["ratio"])
    text = (
        f"Classifiers that one estimate takes, over those of the plain bootstrap; the most are {most['ratio']:.0f} "
        f"times as many ({symbol_of(most['estimator'])}, {SET_TITLES[most['set']]})."
    )
    return Drawn(figure, text, text)
