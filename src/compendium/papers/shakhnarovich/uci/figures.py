"""Figures of section 8: errors of the .632+ with and without cloning, and against repetition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from compendium.evidence.records import each, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.figures import PRINTED, draw_nothing, numbers
from compendium.papers.shakhnarovich.methods import PLUS, PROPOSED, REPEATED
from compendium.papers.shakhnarovich.names import case_title, symbol_of
from compendium.papers.shakhnarovich.tables import is_zero
from compendium.papers.shakhnarovich.uci.cases import STRATIFIED
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from errorest import plots
from errorest.plots import BLUE, GREY, ORANGE, VERMILION

__all__ = ["draw_errors", "draw_table_6"]

_PLAIN, _CLONED = PLUS
_LOOKS: Mapping[str, dict[str, Any]] = {
    _PLAIN: {"color": VERMILION, "linestyle": "--"},
    _CLONED: {"color": BLUE, "linestyle": "-"},
}


def _reading_said(reading: str) -> str:
    """Name what sets a column apart from others of its case."""
    return ("stratified" if STRATIFIED in reading else "uniform") + " samples" + ", R set to 0" * is_zero(reading)


@plots.in_style
def draw_errors(p: UciParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw errors, densities and tails of the .632+ with and without cloning, a column a case and reading."""
    scale, result = made.largest
    if "curves" not in result.data:
        return draw_nothing("None of this figure's cases is among the classifiers.")
    curves = parts(result.data["curves"], "case", "reading")
    errors = parts(result.data["errors"], "case", "reading")
    crossings = {(r.row, r.reading): r for r in result.rows if r.column == "crossing-epsilon"}
    printed = numbers(published)
    figure, grid = plots.new_figure(3, len(curves), 7.4, sharex="row")
    reach = float(result.data["errors"]["error"].abs().max()) * 1.05
    said = []
    for place, ((case, reading), own) in enumerate(curves.items()):
        single = errors[case, reading]
        title = case_title(case)
        drawn = _reading_said(reading)
        twice = sum(other == case for other, _ in curves) > 1
        _draw_column(list(grid[:, place]), own, single, reach)
        at, se = crossings[case, reading].value, crossings[case, reading].se
        low = grid[2, place]
        low.axvspan(max(0.0, at - 1.96 * se), at + 1.96 * se, color=GREY, alpha=0.18, linewidth=0)
        low.axvline(at, color=GREY, linewidth=1)
        if (case, "crossing-epsilon") in printed:
            low.plot([printed[case, "crossing-epsilon"]], [0.02], clip_on=False, zorder=5, **PRINTED)
        plots.panel_title(grid[0, place], "abcdefgh"[place], title + (f"\n{drawn}" if twice else ""))
        tenth = [float(np.interp(0.1, own["epsilon"], own[f"{name}/tail"])) for name in PLUS]
        said.append(
            f"{title}{f' ({drawn})' if twice else ''}: an error over .1 has probability {tenth[0]:.2f} without and "
            f"{tenth[1]:.2f} with cloning; beyond {at:.3f} the cloned one's tail stays below"
        )
    for row, text in enumerate(("density of the error", "density of ε", "probability of more than ε")):
        grid[row, 0].set_ylabel(text)
    looks = {symbol_of(name): look for name, look in _LOOKS.items()}
    plots.legend_of(figure, looks | ({"printed crossing": PRINTED} if printed else {}))
    trials = int(single["trial"].max()) + 1
    return plots.Drawn(
        figure,
        f"For each of {len(curves)} columns: distribution of the error, density of the absolute error and its tail, "
        f"of {symbol_of(_PLAIN)} (dashed) and {symbol_of(_CLONED)} (solid). Data in the table below.",
        f"Errors of the two estimators ({scale} scale, {trials} trials in the last column). Top: histogram; middle: "
        "density of the absolute error, estimated with the paper's own boundary-corrected kernel; bottom: the "
        f"probability of a larger error. Grey: where the tails cross for the last time, with a 95 % interval. "
        f"{'; '.join(said)}.",
    )


def _draw_column(panels: list[Axes], curves: pd.DataFrame, errors: pd.DataFrame, reach: float) -> None:
    """Draw the errors of one case, the density of their sizes, and its tail."""
    top, middle, low = panels
    for name, look in _LOOKS.items():
        values = errors[errors["estimator"] == name]["error"].to_numpy()
        bins = np.linspace(-reach, reach, 25).tolist()
        top.hist(values, bins=bins, histtype="step", density=True, linewidth=1.4, **look)
        middle.plot(curves["epsilon"], curves[f"{name}/density"], **look)
        low.plot(curves["epsilon"], curves[f"{name}/tail"], **look)
    top.axvline(0, color=GREY, linewidth=0.8)
    for axes, text in zip(panels, ("estimate minus true error", "absolute error ε", "ε"), strict=True):
        axes.set_xlabel(text)
    middle.set_ylim(0, None)
    low.set_ylim(0, 1)


@plots.in_style
def draw_table_6(p: UciParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw in how many cases repeated cross-validation is worse, undecided or better, beside the print."""
    scale, result = made.largest
    counts = result.data["counts"]
    first = counts[counts["reading"] == counts["reading"].iloc[0]]
    own = {(line.repeated, line.new): line._asdict() for line in each(first)}
    printed = numbers(published)
    looks = {"worse": BLUE, "undecided": "#D5D5D5", "better": ORANGE}
    figure, grid = plots.new_figure(1, len(PROPOSED), 3.0, sharey=True, sharex=True)
    total = max(sum(line[k] for k in looks) for line in own.values())
    for place, (axes, new) in enumerate(zip(grid[0], PROPOSED, strict=True)):
        for at, repeated in enumerate(REPEATED):
            ours = {k: float(own[repeated, new][k]) for k in looks}
            _draw_bar(axes, ours, looks, at - (0.17 if printed else 0.0), 1.0)
            if printed:
                _draw_bar(axes, {k: printed[repeated, f"{new}/{k}"] for k in looks}, looks, at + 0.17, 0.55)
        plots.panel_title(axes, "abc"[place], symbol_of(new))
        axes.set_xlabel("cases")
        axes.set_xticks(range(0, total + 1, 2))
    grid[0, 0].set_yticks(range(len(REPEATED)), [symbol_of(r) for r in REPEATED])
    grid[0, 0].set_ylim(len(REPEATED) - 0.4, -0.6)
    texts = ("RCV worse", "not decided", "RCV better")
    plots.legend_of(figure, {text: Patch(color=c) for text, c in zip(texts, looks.values(), strict=True)})
    return plots.Drawn(
        figure,
        f"Bars of the cases, out of {total}, in which repeated cross-validation is worse or better than a new one, a "
        "panel for each new one. Data in the table below.",
        f"In how many of {total} cases repeated cross-validation is significantly worse or better than a new estimator "
        f"(paired test at {p.level:g}, {scale} scale)."
        + (" Upper bars: ours; paler lower bars: printed." if printed else ""),
    )


def _draw_bar(axes: Axes, values: Mapping[str, float], looks: Mapping[str, str], at: float, strength: float) -> None:
    left = 0.0
    for name, colour in looks.items():
        axes.barh(at, values[name], 0.3, left=left, color=colour, alpha=strength)
        left += values[name]
