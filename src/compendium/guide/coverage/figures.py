"""Figures of the coverage study: a map of all intervals, their widths, a close-up of small samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

from compendium.evidence.records import each
from compendium.evidence.results import ResultsByScale
from compendium.guide import marks
from compendium.guide.coverage.experiment import METHODS, RECOMMENDED, CoverageParameters
from compendium.guide.names import INTERVALS, TARGETS
from compendium.plots.dark import keep_colours
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREY, VERMILION

# What the close-up shows: the recommended three and what people use instead
CLOSE_UP = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", "out-of-bag", ".632+")

_NAMED = (*RECOMMENDED, "holdout-Wilson", "10-fold-CV-Wald", ".632+")
_LOWEST = 0.6
_COLOURS = LinearSegmentedColormap.from_list("coverage", [VERMILION, "#FFFFFF", BLUE])
_OTHERS = "#B5B5B5"
_PANELS = {target: named.title for target, named in TARGETS.items()}


def _order(methods: pd.Series) -> list[str]:
    made = set(methods)
    return [m for m in METHODS if m in made]


def _ink_on(ground: tuple[float, ...]) -> str:
    """Choose black or white, whichever stands out more from a ground (WCAG's relative luminance)."""
    rgb = np.array(ground[:3])
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return BLACK if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


@plots.in_style
def draw_map(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the mean coverage of every interval by size as a map, the worst cell below it, a panel a target."""
    table = made.largest[1].data["map"]
    methods, sizes = _order(table["method"]), sorted(set(table["n"]))
    places = table.assign(x=table["n"].map(sizes.index), y=table["method"].map(methods.index))
    norm = TwoSlopeNorm(p.confidence, vmin=min(_LOWEST, p.confidence - 0.1), vmax=1.0)
    levels: dict[str, Any] = {
        "x_levels": dict(enumerate(map(str, sizes))),
        "y_levels": dict(enumerate(INTERVALS[m] for m in methods)),
    }
    picture = Picture(1.1 + 0.42 * len(methods), _PANELS, "target", x="cases of the sample", sharey=True, **levels)
    picture.heat_map(places, "x", "y", "coverage", cmap=_COLOURS, norm=norm, written=True)
    for r in each(places):
        ink: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": FONT_SIZE - 1,
            "color": _ink_on(_COLOURS(norm(r.coverage))),
        }
        axes = picture.axes[r.target]
        keep_colours(axes.text(r.x, r.y - 0.2, f"{100 * r.coverage:.0f}", weight="bold", **ink))
        keep_colours(axes.text(r.x, r.y + 0.22, f"{100 * r.worst:.0f}", **ink))
    picture.limits(xlim=(-0.5, len(sizes) - 0.5))
    for axes in picture.axes.values():
        axes.tick_params(length=0)
    for tick, method in zip(next(iter(picture.axes.values())).get_yticklabels(), methods, strict=False):
        tick.set_fontweight("bold" if method in RECOMMENDED else "normal")
    return picture.done("The percent stand in every cell.", nominal=f"{100 * p.confidence:g}")


@plots.in_style
def draw_widths(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw each interval's width, as a multiple of the binomial one, against the sample size."""
    table = made.largest[1].data["same-cells"]
    picture = Picture(4.6, x="cases of the sample (logarithmic)", y="width, multiples of the binomial")
    others = [m for m in _order(table["method"]) if m not in _NAMED]
    grey = {m: {"color": _OTHERS, "linewidth": 1, "marker": ".", "markersize": 4} for m in others}
    looks = {m: {**marks.look(k), "color": COLOURS[k]} for k, m in enumerate(_NAMED)}
    picture.lines(table, "n", "multiple", by="method", looks=grey, names=lambda _: "")
    picture.lines(table, "n", "multiple", by="method", looks=looks, names=INTERVALS, ends=True)
    picture.guide(y=1, linestyle="--")
    for axes in picture.axes.values():
        plots.log_axis(axes, p.sizes)
        axes.set_ylim(0, None)
    return picture.done(others=", ".join(INTERVALS[m] for m in others) or "none")


@plots.in_style
def draw_close_up(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of single cells at small sizes, a panel for each size and target."""
    table = made.largest[1].data["cells"]
    methods = [m for m in CLOSE_UP if m in set(table["method"])]
    both = pd.concat([table.assign(target=t, percent=100 * table[t]) for t in TARGETS])
    panels = {(n, t): f"n = {n}, {TARGETS[t].title}" for n in p.close_up for t in TARGETS}
    height = 1.3 + (0.5 + 0.4 * len(methods)) * len(p.close_up)
    levels = {m: INTERVALS[m] for m in methods}
    picture = Picture(
        height, panels, ("n", "target"), letters=True, x="coverage (%)", y_levels=levels, sharex=True, sharey=True
    )
    picture.guide(x=100 * p.confidence, linestyle="--")
    colours = [*COLOURS, BLACK] * len(p.inducers)
    looks = {i: {**marks.look(k), "color": colours[k], "alpha": 0.85} for k, i in enumerate(p.inducers)}
    picture.scatter(both, "percent", "method", by="inducer", looks=looks, dodge=0.12, markersize=4)
    for axes in picture.axes.values():
        axes.grid(axis="x", color=GREY, alpha=0.2)
    # two standard errors of a share of one half
    return picture.done(columns=5, nominal=f"{100 * p.confidence:g}", error=f"{100 / p.repetitions**0.5:.1f}")


@plots.in_style
def draw_small_errors(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of the mean error against that error, where it is small, a panel a sample size."""
    table = made.largest[1].data["means"]
    table = table.assign(percent=100 * table["coverage"], error=100 * table["error"])
    panels = {n: f"n = {n}" for n in sorted(set(table["n"]))}
    picture = Picture(
        5.6, panels, "n", letters=True, x="mean error (%, logarithmic)", y="coverage (%)", sharex=True, sharey=True
    )
    looks = {m: {**marks.look(k), "color": [*COLOURS, BLACK][k]} for k, m in enumerate(_order(table["method"]))}
    picture.lines(table, "error", "percent", by="method", looks=looks, names=INTERVALS)
    picture.guide(y=100 * p.confidence, linestyle="--")
    for axes in picture.axes.values():
        plots.log_axis(axes, [0.2, 0.5, 1, 2, 5, 10])
    return picture.done(columns=3, nominal=f"{100 * p.confidence:g}")
