"""The LIS course page: its schemes as pictures of who trains and who tests, and the field guide's measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from compendium.evidence.names import read_names
from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.lis.experiment import SCHEMES, Design
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREY, ORANGE
from errorest.streams import Streams

NAMES = read_names("lis")
_PICTURE = Design(20, 13, 6)
_IDLE, _ONCE, _MORE = "#ECECEC", "#A9CDE4", BLUE


@plots.in_style
def draw_schemes(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw, for each scheme of a table, which of 20 cases train and which test in each iteration."""
    expressions = made.published.data["expressions"].set_index("scheme")
    names = [str(name) for name in expressions.index]
    sampled = [SCHEMES[n](_PICTURE, Streams(parameters.seed).generator("picture", n)) for n in names]
    rows = [min(r.n_rows, _PICTURE.n) for r in sampled]
    figure, grid = plots.new_figure(
        len(names), 1, height=1.5 + 0.17 * sum(rows) + 0.55 * len(names), height_ratios=rows
    )
    for name, resamples, axes in zip(names, sampled, grid[:, 0], strict=True):
        training, testing = resamples.training_counts(), resamples.test_counts()
        picture = np.where(testing > 0, 3, np.minimum(training, 2))
        axes.pcolormesh(
            picture, cmap=ListedColormap([_IDLE, _ONCE, _MORE, ORANGE]), vmin=0, vmax=3, edgecolors="white", linewidth=1
        )
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.set_yticks([0.5, resamples.n_rows - 0.5] if resamples.n_rows > 1 else [0.5])
        axes.set_yticklabels(["1", str(resamples.n_rows)] if resamples.n_rows > 1 else ["1"])
        axes.set_ylabel("Iteration" if resamples.n_rows > 2 else "")
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0)
        plots.panel_title(axes, "", NAMES["schemes"][name])
    looks = {"trains": _ONCE, "trains, repeated": _MORE, "is tested": ORANGE}
    if not any((r.training_counts() > 1).any() for r in sampled):
        del looks["trains, repeated"]
    plots.legend_of(figure, {text: Patch(color=colour) for text, colour in looks.items()})
    grid[-1, 0].set_xlabel(f"The {_PICTURE.n} cases of a sample")
    shown = ", ".join(NAMES["schemes"][name] for name in names)
    return Drawing(figure, facts={"n": _PICTURE.n, "j": _PICTURE.j, "iterations": _PICTURE.B, "schemes": shown})


@plots.in_style
def draw_field_guide(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw each estimator's bias and spread on the field guide's example, beside what it trains and tests on."""
    one = made.published
    guide = one.data["guide"]
    inducers, names = distinct(guide.inducer), distinct(guide.estimator)
    figure, grid = plots.new_figure(1, len(inducers), height=5.6, sharey=True, sharex=True)
    for letter, inducer, axes in zip("ABC", inducers, grid[0], strict=False):
        lines = guide[guide.inducer == inducer].set_index("estimator")
        for place, name in enumerate(names):
            bias, sd, se = (float(lines.loc[name, c]) for c in ("bias", "sd", "bias se"))
            axes.plot([bias - sd, bias + sd], [place, place], color=BLUE, linewidth=1.2, alpha=0.6)
            axes.errorbar([bias], [place], xerr=[1.96 * se], color=BLUE, marker="o", markersize=5, linewidth=3.2)
        axes.axvline(0, color=GREY, linewidth=0.9)
        axes.xaxis.set_major_formatter(plots.signed())
        axes.grid(axis="x")
        plots.panel_title(axes, letter, NAMES["inducers"][inducer])
    axes = grid[0, 0]
    lines = guide[guide.inducer == inducers[0]].set_index("estimator")
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels([_entry(name, lines.loc[name]) for name in names], linespacing=1.25)
    axes.set_ylim(len(names) - 0.4, -0.6)
    head: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": FONT_SIZE - 1, "fontweight": "bold"}
    near: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate("scheme\ntrains on | tests on | fits", (0, 1), xytext=(-8, 4), **near, **head)
    figure.supxlabel("Estimate − true error, percentage points", fontsize=FONT_SIZE)
    return Drawing(figure, facts={"estimators": len(names)})


def _entry(name: str, line: Any) -> str:
    def plain(value: float) -> str:
        return f"{value:.1f}".removesuffix(".0")

    fits = "fit" if line["fits"] == 1 else "fits"
    return f"{name}\n{plain(line['trains on'])} | {plain(line['tests on'])} | {line['fits']} {fits}"


def widening(needed: pd.DataFrame, excess: float) -> pd.DataFrame:
    """Percent by which iterations widen e0's spread, from the number that widens it by ``excess``, cell by cell."""
    replicates = pd.DataFrame({"iterations": np.unique(np.geomspace(10, 1000, 120).astype(int))})
    curves = needed.drop(columns=["se", "n"]).merge(replicates, how="cross")
    ratio = curves.pop("value") / curves["iterations"]
    return curves.assign(percent=100.0 * (np.sqrt(1.0 + ratio * ((1.0 + excess) ** 2 - 1.0)) - 1.0))


@plots.in_style
def draw_iterations(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw by how much too few bootstrap iterations widen the spread of e0, in the best and the worst cell."""
    one = made.published
    figure, grid = plots.new_figure(height=3.4)
    axes: Axes = grid[0, 0]
    curves = sorted(
        parts(one.data["widening"], "inducer", "size", "inherent error").items(),
        key=lambda of: of[1]["percent"].iloc[0],
    )
    for _, curve in curves:
        axes.plot(curve["iterations"], curve["percent"], color="#D0D0D0", linewidth=0.9)
    looks, words = {}, []
    for ((inducer, size, error), curve), colour in zip((curves[-1], curves[0]), (COLOURS[1], COLOURS[0]), strict=True):
        axes.plot(curve["iterations"], curve["percent"], color=colour)
        name = f"{inducer}, n = {size}, {100 * error:g} %"
        looks[name] = {"color": colour}
        few, many = np.interp([50, 200], curve["iterations"], curve["percent"])
        words.append(f"{name}: {few:.1f} % at 50 iterations, {many:.1f} % at 200")
    axes.axhline(1, color=BLACK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set(xscale="log", xlabel="Bootstrap iterations, B", ylabel="Spread of e0 widened by, %", ylim=(0, None))
    ticks = [10, 20, 50, 100, 200, 500, 1000]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.minorticks_off()
    axes.grid(axis="y")
    plots.legend_of(figure, {**looks, "other cells": {"color": "#BDBDBD"}})
    return Drawing(figure, facts={"extremes": "; ".join(words)})
