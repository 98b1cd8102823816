"""The map: coverage of every interval by sample size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.patches import Polygon

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import exact
from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.guide import marks
from compendium.guide.coverage.methods import RECOMMENDED
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    PANELS,
    by_size,
    covered,
    made_of,
    rows_by_size,
    share,
)
from compendium.guide.names import INTERVALS
from compendium.plots.dark import keep_colours
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, FONT_SIZE, VERMILION

_LOWEST = 0.6
_FAR_BELOW = 0.15  # A cell that covers this much less than the nominal share marks its field
_COLOURS = LinearSegmentedColormap.from_list("coverage", [VERMILION, "#FFFFFF", BLUE])


def _ink_on(ground: tuple[float, ...]) -> str:
    """Choose black or white, whichever stands out more from a ground (WCAG's relative luminance)."""
    rgb = np.array(ground[:3])
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return BLACK if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


@plots.in_style
def draw_map(p: CoverageParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the mean coverage of every interval by size as a map, a panel a target; a corner marks a low worst cell."""
    table = made.largest[1].data["map"]
    methods, sizes = made_of(table["method"]), sorted(set(table["n"]))
    places = table.assign(x=table["n"].map(sizes.index), y=table["method"].map(methods.index))
    norm = TwoSlopeNorm(p.confidence, vmin=min(_LOWEST, p.confidence - 0.1), vmax=1.0)
    levels: dict[str, Any] = {
        "x_levels": dict(enumerate(map(str, sizes))),
        "y_levels": dict(enumerate(INTERVALS[m] for m in methods)),
    }
    picture = Picture(1.1 + 0.27 * len(methods), PANELS, "target", x="cases of the sample", sharey=True, **levels)
    picture.heat_map(places, "x", "y", "coverage", cmap=_COLOURS, norm=norm, written=True)
    for r in each(places):
        ink: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": FONT_SIZE - 1,
            "color": _ink_on(_COLOURS(norm(r.coverage))),
        }
        axes = picture.axes[r.target]
        keep_colours(axes.text(r.x, r.y, f"{100 * r.coverage:.0f}", **ink))
        if r.worst < p.confidence - _FAR_BELOW:
            corner = Polygon(
                [(r.x + 0.3, r.y - 0.5), (r.x + 0.5, r.y - 0.5), (r.x + 0.5, r.y - 0.2)], color=ink["color"]
            )
            keep_colours(axes.add_patch(corner))
    picture.limits(xlim=(-0.5, len(sizes) - 0.5))
    for axes in picture.axes.values():
        axes.tick_params(length=0)
    for tick, method in zip(next(iter(picture.axes.values())).get_yticklabels(), methods, strict=False):
        tick.set_fontweight("bold" if method in (*RECOMMENDED, *marks.DEFAULTS) else "normal")
    return picture.done(
        "The percent stand in every cell.",
        nominal=f"{100 * p.confidence:g}",
        low=f"{100 * (p.confidence - _FAR_BELOW):g}",
    )


@artifact("guide-coverage-map", draw=draw_map, matrix=True)
def coverage_map(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Coverage of every interval by sample size, for both targets: mean over the cells and worst cell, in percent."""
    result = covered(p, run)
    rows = [r for t, part in parts(result.means, "target").items() for r in rows_by_size(t, part, "coverage", "se")]
    rows += [
        by_size(f"worst-cell-{r.target}/{r.method}", r.n, share(r.worst, r.worst_samples) * 100)
        for r in each(result.means)
    ]
    rows += [by_size("cells", n, exact(own["cells"].max())) for n, own in parts(result.means, "n").items()]
    return ArtifactResult(rows, {"cells": result.cells, "map": result.means})
