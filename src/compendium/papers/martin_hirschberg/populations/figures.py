"""Figures of Martin & Hirschberg (1996), sections 2 and 3: populations, boundaries and thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from compendium.evidence.records import matching
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.populations.experiment import PopulationsParameters
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, GREEN, GREY, ORANGE, PURPLE, VERMILION
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

_CLASS_COLOURS = (BLUE, VERMILION)
_CLASS_MARKS = ("o", "X")
_X = "x (standard deviations from the mean of class 0)"


def _grid(table: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, y = np.unique(table["x"]), np.unique(table["y"])
    return x, y, table[column].to_numpy().reshape(len(y), len(x))


def _contours_of_classes(axes: Axes, lattice: pd.DataFrame) -> None:
    for c in range(2):
        axes.contour(
            *_grid(lattice, f"distance_{c}"),
            levels=[0.75, 1.5, 2.25],
            colors=[_CLASS_COLOURS[c]],
            linewidths=0.8,
            alpha=0.7,
        )


def _line(axes: Axes, line: Mapping[Any, Any], **style: Any) -> None:
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    if abs(line["w2"]) > abs(line["w1"]):
        x = np.array([x0, x1])
        axes.plot(x, -(line["w1"] * x + line["offset"]) / line["w2"], **style)
    else:
        y = np.array([y0, y1])
        axes.plot(-(line["w2"] * y + line["offset"]) / line["w1"], y, **style)
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)


_RULES: dict[str, dict[str, Any]] = {
    "least error": {"color": BLACK, "linewidth": 2.6},
    "best line": {"color": GREY, "linewidth": 1.6, "linestyle": (0, (6, 2))},
    "LDA": {"color": GREEN, "linewidth": 1.6, "linestyle": (0, (1, 1))},
    "QDA": {"color": PURPLE, "linewidth": 1.6, "linestyle": (0, (4, 1, 1, 1))},
    "tree": {"color": ORANGE, "linewidth": 1.8},
}


_X_DEVIATIONS, _Y_DEVIATIONS = "x (standard deviations)", "y (standard deviations)"


def _boundaries(axes: Axes, lattice: pd.DataFrame, tree: pd.DataFrame, lines: pd.DataFrame) -> None:
    """Draw contours of both classes and five boundaries."""
    axes.set_xlim(lattice["x"].min(), lattice["x"].max())
    axes.set_ylim(lattice["y"].min(), lattice["y"].max())
    _contours_of_classes(axes, lattice)
    for _, piece in tree.iterrows():
        axes.plot([piece["x1"], piece["x2"]], [piece["y1"], piece["y2"]], solid_capstyle="projecting", **_RULES["tree"])
    for line in lines.to_dict("records"):
        _line(axes, line, **_RULES[line["rule"]])
    for column, rule in (("log_ratio", "least error"), ("qda", "QDA")):
        look = _RULES[rule]
        axes.contour(
            *_grid(lattice, column),
            levels=[0.0],
            colors=[look["color"]],
            linewidths=look["linewidth"],
            linestyles=[look.get("linestyle", "solid")],
        )


_ERRORS = {
    "inherent error": "inherent-error",
    "best line": "language-intrinsic-linear-error",
    "LDA": "lda-true-error",
    "QDA": "qda-true-error",
    "tree": "cart-true-error",
}


@plots.in_style
def draw_figure_1(p: PopulationsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 1a and 1b: contours of both classes, the sample, and five boundaries."""
    result = made.published
    titles = {"a": "equal covariances", "b": "differing covariances"}
    picture = Picture(
        *(8.2, titles, "panel"), columns=1, letters=True, x=_X_DEVIATIONS, y=dict.fromkeys(titles, _Y_DEVIATIONS)
    )
    for panel, axes in picture.axes.items():
        _boundaries(axes, *(matching(result.data[name], panel=panel) for name in ("lattice", "tree", "lines")))
    looks: dict[int, Any] = {c: {"marker": _CLASS_MARKS[c], "color": _CLASS_COLOURS[c]} for c in range(2)}
    dots: dict[str, Any] = {"alpha": 0.75, "markeredgewidth": 0}
    picture.scatter(result.data["sample"], "x", "y", by="class", looks=looks, names="class {}".format, **dots)
    errors = {(r.row, r.column): r.value for r in result.rows}
    listed = {
        f"errors_{panel}": ", ".join(f"{word} {errors[panel, f'{key}-percent']:.1f} %" for word, key in _ERRORS.items())
        for panel in titles
    }
    return picture.done(columns=4, legend=_RULES, **listed)


@plots.in_style
def draw_figure_1_multiple(p: PopulationsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the boundary when covariances differ by a constant factor, and what the best line loses."""
    result = made.published
    lattice, excess = result.data["lattice"], result.data["excess"]
    titles = {"plane": f"class 1's covariances {p.multiple:g} times class 0's", "error": "what the best line loses"}
    picture = Picture(
        *(7.6, titles, "panel"),
        columns=1,
        letters=True,
        x={"plane": "x (standard deviations of class 0)", "error": "constant factor c between the covariances"},
        y={"plane": "y", "error": "error (%)"},
        height_ratios=[1.35, 1],
    )
    axes = picture.axes["plane"]
    axes.set_xlim(lattice["x"].min(), lattice["x"].max())
    axes.set_ylim(lattice["y"].min(), lattice["y"].max())
    _contours_of_classes(axes, lattice)
    _line(axes, result.data["lines"].to_dict("records")[0], **_RULES["best line"])
    axes.contour(*_grid(lattice, "log_ratio"), levels=[0.0], colors=[BLACK], linewidths=2.6)
    handles = [Line2D([], [], **_RULES[r]) for r in ("least error", "best line")]
    handles += [Line2D([], [], color=c, linewidth=0.8) for c in _CLASS_COLOURS]
    axes.legend(handles, ["least error", "best line", "class 0", "class 1"], loc="upper left", borderaxespad=0.2)
    curves = excess.rename(columns={"linear": "best line", "inherent": "least error"}).assign(panel="error")
    for rule in ("best line", "least error"):
        picture.lines(curves, "multiple", rule, label=rule, ends=True, marker="o", **_RULES[rule])
    picture.axes["error"].set_ylim(0, None)
    sampled = excess[excess["multiple"] == p.multiple].iloc[0]
    return picture.done(equal=excess.iloc[0]["inherent"], line=sampled["linear"], least=sampled["inherent"])


def _two_densities(axes: Axes, densities: pd.DataFrame) -> None:
    x = densities["x"].to_numpy()
    for c, side in enumerate((-1, 1)):
        y = densities[f"class_{c}"].to_numpy()
        axes.plot(x, y, color=_CLASS_COLOURS[c])
        # the outer flanks are free of thresholds and of the other class
        flank = np.nonzero(y >= 0.6 * y.max())[0][0 if side < 0 else -1]
        annotate_offset(axes, f"class {c}", (x[flank], y[flank]), (6 * side, 0), _CLASS_COLOURS[c])
    axes.set_ylim(0, 1.3 * max(densities["class_0"].max(), densities["class_1"].max()))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlim(x[0], x[-1])


def _shade(axes: Axes, densities: pd.DataFrame, t: float, left: int) -> None:
    """Shade what a threshold gets wrong: on each side, the class that is not predicted there."""
    x = densities["x"].to_numpy()
    sides = ((x <= t, 1 - left), (x >= t, left))
    for side, wrong in sides:
        axes.fill_between(
            x, densities[f"class_{wrong}"], where=side, color=_CLASS_COLOURS[wrong], alpha=0.3, linewidth=0
        )


def _threshold(axes: Axes, t: float, text: str, colour: str, height: float = 0.97, align: str = "left") -> None:
    axes.axvline(t, ymax=height, color=colour, linewidth=1.6, linestyle="--" if colour == GREY else "-")
    annotate_offset(axes, text, (t, height), (5 if align == "left" else -5, 0), colour, va="top", **SHARE_OF_HEIGHT)


@plots.in_style
def draw_figure_2(p: PopulationsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 2: two densities, the threshold T, the inherent error shaded."""
    result = made.published
    values = {r.column: r.value for r in result.rows}
    best, error = values["least-error-threshold"], values["inherent-error-percent"]
    picture = Picture(3.2, x=_X)
    axes = picture.axes[()]
    densities = result.data["densities"]
    _two_densities(axes, densities)
    _shade(axes, densities, best, 0)
    _threshold(axes, best, f"T = {best:.2f}", BLACK)
    return picture.done(distance=values["distance-of-means"], threshold=best, error=error)


def _points(axes: Axes, points: pd.DataFrame, room: float = 0.18) -> None:
    """Mark the sample below the axis line of the densities."""
    high = axes.get_ylim()[1]
    for c in range(2):
        own = points.loc[points["class"] == c, "x"]
        axes.plot(
            own,
            np.full(len(own), -0.06 * high * (1 + c)),
            _CLASS_MARKS[c],
            color=_CLASS_COLOURS[c],
            markersize=7,
            alpha=0.85,
        )
    axes.set_ylim(-room * high, high)
    axes.axhline(0, color="#8C8C8C", linewidth=0.8)


def _side_texts(axes: Axes, t: float, left: int, height: float) -> None:
    for side, label in ((-1, left), (1, 1 - left)):
        text = f"← class {label}" if side < 0 else f"class {label} →"
        annotate_offset(axes, text, (t, height), (6 * side, 0), _CLASS_COLOURS[label], va="top", **SHARE_OF_HEIGHT)


@plots.in_style
def draw_figure_3(p: PopulationsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 3a and 3b: a shifted threshold and a reversed classifier, with their samples."""
    result = made.published
    densities, points, rules = (result.data[k] for k in ("densities", "points", "classifiers"))
    # the densities are drawn symmetrically about T
    best = float(densities["x"].iloc[0] + densities["x"].iloc[-1]) / 2
    titles = {"a": "the threshold is shifted", "b": "the classes are reversed"}
    picture = Picture(6.4, titles, columns=1, letters=True, x=dict.fromkeys(titles, _X))
    texts: dict[str, Any] = {}
    for panel, axes in picture.axes.items():
        _two_densities(axes, densities)
        match = matching(rules, panel=panel)
        right = not match.empty and match["threshold"].iloc[0] < best
        _threshold(axes, best, "T", GREY, 0.89, "left" if right else "right")
        if match.empty:
            text = f"not found in {p.draws:,} samples"
            axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center")
        else:
            rule = match.iloc[0]
            _shade(axes, densities, rule["threshold"], int(rule["left"]))
            axes.axvline(rule["threshold"], color=BLACK, linewidth=1.8)
            _points(axes, matching(points, panel=panel))
            _side_texts(axes, rule["threshold"], int(rule["left"]), 0.99)
            plots.panel_title(axes, panel, f"{titles[panel]}: true error {rule['true_error']:.1f} %")
            text = (
                f"sample number {rule['draws']:,}, threshold {rule['threshold']:.2f} in place of {best:.2f}, true "
                f"error {rule['true_error']:.1f} %"
            )
        texts[f"sample_{panel}"] = text
    return picture.done(**texts)


@plots.in_style
def draw_figure_3_rules(p: PopulationsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw where the two reversal rules differ: one sample, and the share of samples by size and inherent error."""
    result = made.published
    shares = result.data["shares"].assign(panel="shares")
    picture = Picture(
        *(6.8, {"sample": "", "shares": "how often the rules differ"}, "panel"),
        columns=1,
        letters=True,
        x={"sample": _X, "shares": "inherent error (%)"},
        y={"shares": "samples (%)"},
    )
    axes, below = picture.axes["sample"], picture.axes["shares"]
    _two_densities(axes, result.data["densities"])
    rules, points = result.data["classifiers"], result.data["points"]
    if len(rules):
        t = float(rules["threshold"].iloc[0])
        mean = float(points.loc[points["class"] == 0, "x"].mean())
        axes.axvline(t, color=BLACK, linewidth=1.8)
        _points(axes, points, 0.27)
        high = axes.get_ylim()[1]
        axes.plot([mean], [-0.06 * high], marker="|", markersize=16, markeredgewidth=2.5, color=plots.ink(BLUE))
        side = "left" if t < mean else "right"
        axes.text(mean, -0.235 * high, "mean of class 0", color=plots.ink(BLUE), ha=side, va="center")
        _side_texts(axes, t, int(rules["left"].iloc[0]), 0.99)
        plots.panel_title(axes, "a", f"one sample: t = {t:.2f}, {side} of class 0's mean")
        literal, other = rules["true_error"]
        sample_text = (
            f"threshold {t:.2f}, mean of class 0 {mean:.2f}; literal rule {literal:.1f} % true error, rule of the "
            f"class-0 mean {other:.1f} %"
        )
    else:
        plots.panel_title(axes, "a", f"no such sample among {p.draws:,}")
        sample_text = "no such sample was found"
    shares = shares.sort_values("inherent_error")
    ticks = sorted(shares["inherent_error"].unique())
    places = shares.assign(place=shares["inherent_error"].map(ticks.index))
    sizes = {n: {"color": c, "marker": "o"} for n, c in zip(sorted(p.sizes), cycle(COLOURS), strict=False)}
    how: dict[str, Any] = {"by": "n", "looks": sizes, "names": "N = {}".format}
    picture.lines(places, "place", "share", se="share_se", ends=True, capsize=2, **how)
    below.set_xticks(range(len(ticks)), [f"{100 * e:.3g}" for e in ticks])
    below.set_ylim(0, None)
    top = shares.sort_values("share").iloc[-1]
    return picture.done(sample=sample_text, top=top["share"], top_error=top["inherent_error"], top_n=top["n"])
