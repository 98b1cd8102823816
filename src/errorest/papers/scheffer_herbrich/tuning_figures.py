"""Scheffer & Herbrich (1997) beyond the paper: tuning measured on real data, and the calculator's pictures."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from errorest.evidence.regenerated import Made
from errorest.papers.scheffer_herbrich.calculator import SCENARIOS
from errorest.papers.scheffer_herbrich.measured import DATA_NAMES, INDUCER_NAMES, WAYS
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    VERMILION,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    panel_title,
    signed,
)

__all__ = ["draw_biases", "draw_cure", "draw_independence", "draw_map", "draw_settings", "draw_sizes"]

_WAY_STYLES = {
    "untuned": (GREY, "s"),
    "best-of-grid": (BLUE, "o"),
    "per-fold": (VERMILION, "^"),
    "nested": (GREEN, "D"),
}
_SCENE_STYLES: dict[str, tuple[str, Any]] = {
    "greedy": (VERMILION, "-"),
    "independent": (BLUE, "-"),
    "listed": (BLUE, (0, (4, 2))),
    "adaptive": (GREY, (0, (1, 1.5))),
}


def _lines(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(k): v for k, v in line.items()} for line in frame.to_dict("records")]


@in_style
def draw_independence(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the chance of the gain over the labels told: two calculations and the optimizer on real classifiers."""
    chances = made[next(iter(made))].data["chances"]
    data, inducers = list(dict.fromkeys(chances["data"])), list(dict.fromkeys(chances["inducer"]))
    figure, grid = new_figure(len(data), len(inducers), height=2.6 * len(data), sharex=True)
    words = []
    for i, d in enumerate(data):
        for j, inducer in enumerate(inducers):
            axes = grid[i, j]
            cell = chances[(chances["data"] == d) & (chances["inducer"] == inducer)]
            for way, colour, line in (("equation", GREY, (0, (4, 2))), ("coupled", BLUE, "-")):
                axes.plot(cell["c"], cell[way], color=colour, linestyle=line)
            axes.errorbar(
                cell["c"],
                cell["measured"],
                yerr=1.96 * cell["measured se"],
                color=VERMILION,
                marker="o",
                linestyle="none",
            )
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.grid(axis="y")
            panel_title(axes, "", f"{DATA_NAMES[d]}, {INDUCER_NAMES[inducer]}")
            last = _lines(cell)[-1]
            words.append(
                f"{DATA_NAMES[d]}, {INDUCER_NAMES[inducer]}, at c = {last['c']}: equation {last['equation']:.2f} %, "
                f"class-coupled {last['coupled']:.2f} %, measured {last['measured']:.2f} %"
            )
        grid[i, 0].set_ylabel("Chance of the gain, %")
    for axes in grid[-1]:
        axes.set_xlabel("Labels told, c")
    handles = [
        Line2D([], [], color=GREY, linestyle=(0, (4, 2))),
        Line2D([], [], color=BLUE),
        Line2D([], [], color=VERMILION, marker="o", linestyle="none"),
    ]
    legend_below(figure, handles, ["equation (17)", "class-coupled", "measured"])
    return Drawn(
        figure,
        "Chance of gaining the extra hits against the labels told, by calculation and measured. "
        + "; ".join(words)
        + ".",
        "Chance of the extra hits with one choice for all folds. Dashed: equation (17), hits independent of the class; "
        "line: hits that depend on the class, for c much less than a fold; dots: the greedy optimizer on the tested "
        "cases of the real classifier, means over divisions into folds with 95 % intervals. Scales differ.",
    )


@in_style
def draw_cure(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the bias of four ways to report a cross-validated error, by data set and inducer and over all."""
    biases = made[next(iter(made))].data["biases"]
    cells = [*dict.fromkeys(zip(biases["data"], biases["inducer"], strict=True))]
    figure, grid = new_figure(height=1.3 + 0.52 * len(cells))
    axes = grid[0, 0]
    words = []
    for way, (colour, marker) in _WAY_STYLES.items():
        own = _lines(biases[biases["way"] == way])
        offset = 0.19 * (list(_WAY_STYLES).index(way) - 1.5)
        axes.errorbar(
            [line["bias"] for line in own],
            [cells.index((line["data"], line["inducer"])) + offset for line in own],
            xerr=[1.96 * line["se"] for line in own],
            color=colour,
            marker=marker,
            linestyle="none",
            linewidth=1.3,
        )
        every = next(line for line in own if line["data"] == "all")
        words.append(f"{WAYS[way]} {every['bias']:+.1f} ± {1.96 * every['se']:.1f}")
    axes.axvline(0, color=BLACK, linewidth=0.9)
    axes.axhline(len(cells) - 1.5, color=GREY, linewidth=0.9)
    axes.set_yticks(range(len(cells)))
    axes.set_yticklabels(["All" if d == "all" else f"{DATA_NAMES[d]}, {INDUCER_NAMES[i]}" for d, i in cells])
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.xaxis.set_major_formatter(signed())
    axes.set_xlabel("Estimate − error on held-out cases, points")
    axes.grid(axis="x")
    handles = [Line2D([], [], color=c, marker=m, linestyle="none") for c, m in _WAY_STYLES.values()]
    legend_below(figure, handles, list(WAYS.values()), columns=4)
    return Drawn(
        figure,
        "Biases with 95 % intervals for each data set and inducer. Over all, in percentage points: "
        + "; ".join(words)
        + ".",
        "Bias of the reported error: of one setting that was not tuned, of the best setting of the grid by its own "
        "cross-validation, of the best setting in each fold, and of nested folds. Bars: 95 % intervals. Left of zero "
        "is optimistic.",
    )


@in_style
def draw_settings(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the bias over the number of settings tried, with what independent settings would do."""
    curves = made[next(iter(made))].data["curves"]
    ways = list(dict.fromkeys(curves["way"]))
    figure, grid = new_figure(1, len(ways), height=3.9, sharey=True)
    words, inducers = [], [i for i in INDUCER_NAMES if i in set(curves["inducer"])]
    for letter, way, axes in zip("AB", ways, grid[0], strict=True):
        own = curves[curves["way"] == way]
        for (_, inducer), cell in own[own["data"] != "all"].groupby(["data", "inducer"], sort=False):
            axes.plot(
                cell["tried"], cell["bias"], color=COLOURS[inducers.index(str(inducer))], linewidth=0.9, alpha=0.7
            )
        every = own[own["data"] == "all"]
        low, high = every["bias"] - 1.96 * every["se"], every["bias"] + 1.96 * every["se"]
        axes.fill_between(every["tried"], low, high, color=BLACK, alpha=0.14, linewidth=0)
        axes.plot(every["tried"], every["bias"], color=BLACK, marker="o", linewidth=2.2)
        axes.plot(every["tried"], every["independent"], color=GREY, linestyle=(0, (4, 2)))
        axes.axhline(0, color=GREY, linewidth=0.9)
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(every["tried"]), [str(t) for t in every["tried"]])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(signed())
        axes.grid(axis="y")
        axes.set_xlabel("Settings tried, t")
        panel_title(axes, letter, WAYS[way])
        first, last = _lines(every)[0], _lines(every)[-1]
        words.append(
            f"{WAYS[way]}: from {first['bias']:+.1f} with {first['tried']} setting to {last['bias']:+.1f} with "
            f"{last['tried']}; independent settings would go to {last['independent']:+.1f}"
        )
    grid[0, 0].set_ylabel("Bias, points")
    handles = [
        Line2D([], [], color=BLACK, marker="o", linewidth=2.2),
        Line2D([], [], color=GREY, linestyle=(0, (4, 2))),
        *(Line2D([], [], color=COLOURS[k]) for k in range(len(inducers))),
    ]
    legend_below(figure, handles, ["all, measured", "independent", *(INDUCER_NAMES[i] for i in inducers)], columns=5)
    return Drawn(
        figure,
        "Bias in percentage points against the number of settings tried. " + ". ".join(words) + ".",
        "Bias as more settings are tried: A with one choice for all folds, B with a choice in each fold. Thin lines: "
        "data sets, coloured by inducer; black: the mean over all with its 95 % interval; dashed: as many independent, "
        "equally good settings by the calculator.",
    )


@in_style
def draw_biases(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the calculator's expected bias over the trials, a panel a test size."""
    table = made[next(iter(made))].data["biases"]
    sizes = list(dict.fromkeys(table["m"]))
    figure, grid = new_figure(1, len(sizes), height=3.7, sharey=True)
    words = []
    for m, axes in zip(sizes, grid[0], strict=True):
        for scene, (colour, line) in _SCENE_STYLES.items():
            own = table[(table["m"] == m) & (table["scenario"] == scene)]
            axes.plot(own["trials"], own["bias"], color=colour, linestyle=line)
            last = _lines(own)[-1]
            words.append(f"m = {m}, {last['trials']} trials, {SCENARIOS[scene].lower()}: {last['bias']:.2f}")  # type: ignore[index]
        axes.set_xscale("log")
        axes.grid()
        axes.set_xlabel("Trials, t")
        panel_title(axes, "", f"m = {m}")
    grid[0, 0].set_ylabel("Expected bias, points")
    handles = [Line2D([], [], color=c, linestyle=line) for c, line in _SCENE_STYLES.values()]
    legend_below(figure, handles, list(SCENARIOS.values()), columns=2)
    return Drawn(
        figure,
        "Expected bias in percentage points against the number of trials, a panel a test size. "
        + "; ".join(words)
        + ".",
        "How much too good the reported accuracy is on average, under each way of seeing the tuning, at an accuracy of "
        f"{parameters.accuracy:g} and {parameters.classes} equal classes.",
    )


@in_style
def draw_map(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the probability of a gain over test-set size and labels told."""
    one = made[next(iter(made))]
    table = one.data["map"].pivot_table(index="c", columns="m", values="probability", dropna=False)
    figure, grid = new_figure(height=4.4)
    axes = grid[0, 0]
    m, c, chance = table.columns.to_numpy(float), table.index.to_numpy(float), 100 * table.to_numpy()
    axes.set_facecolor("#E3E3E3")
    mesh = axes.pcolormesh(m, c, chance, cmap="cividis", vmin=0, vmax=100, shading="nearest", rasterized=True)
    lines = axes.contour(m, c, chance, levels=[5, 50, 95], colors=["white", "white", "black"], linewidths=1.2)
    axes.clabel(lines, fmt=lambda level: f"{level:g} %")
    bar = figure.colorbar(mesh, ax=axes)
    bar.set_label("Probability of the gain, %")
    axes.set(xlabel="Test cases, m", ylabel="Labels told, c")
    return Drawn(
        figure,
        f"Heat map of the probability that told labels gain {100 * parameters.map_gain:g} points of accuracy, over "
        f"test sets of {m[0]:.0f} to {m[-1]:.0f} cases and {c[0]:.0f} to {c[-1]:.0f} labels: a fan of contours from "
        f"the origin, with a step at every whole hit. {one.findings[0]}",
        f"Probability that c told labels gain {100 * parameters.map_gain:g} points on m test cases, by equation (4), "
        f"at an accuracy of {parameters.accuracy:g}. Lines: 5, 50 and 95 %; a step is a whole hit. Grey: more labels "
        "than cases.",
    )


@in_style
def draw_sizes(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the test size that is needed over the trials, a panel a gain."""
    table = made[next(iter(made))].data["sizes"]
    gains = list(dict.fromkeys(table["gain"]))
    figure, grid = new_figure(1, len(gains), height=3.8, sharey=True)
    words = []
    for gain, axes in zip(gains, grid[0], strict=True):
        for scene, (colour, line) in _SCENE_STYLES.items():
            own = table[(table["gain"] == gain) & (table["scenario"] == scene)]
            axes.plot(own["trials"], own["size"], color=colour, linestyle=line)
            if len(own) and scene in ("greedy", "independent"):
                last = _lines(own)[-1]
                words.append(
                    f"{100 * gain:g} points, {last['trials']} trials, {SCENARIOS[scene].lower()}: {last['size']} cases"  # type: ignore[index]
                )
        axes.set(xscale="log", yscale="log", xlabel="Trials, t")
        axes.grid()
        panel_title(axes, "", f"Gain {100 * gain:g} %")
    grid[0, 0].set_ylabel("Test cases needed")
    handles = [Line2D([], [], color=c, linestyle=line) for c, line in _SCENE_STYLES.values()]
    legend_below(figure, handles, list(SCENARIOS.values()), columns=2)
    return Drawn(
        figure,
        "Test cases needed against the number of trials, a panel a gain. " + "; ".join(words) + ".",
        "Test size from which on t trials do not buy the gain with a probability of more than "
        f"{100 * parameters.risk:g} %, at an accuracy of {parameters.accuracy:g}, under each way of seeing the tuning.",
    )
