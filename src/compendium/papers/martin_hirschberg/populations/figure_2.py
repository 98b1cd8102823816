"""Figure 2: the population of section 3, its threshold T and its inherent error."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.papers.martin_hirschberg.one_sample import CLASS_COLOURS, densities
from compendium.papers.martin_hirschberg.populations.figure_1 import exact_rows
from compendium.papers.martin_hirschberg.populations.study import PopulationsParameters
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import TwoNormals
from errorest import plots
from errorest.plots import BLACK, GREY
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

X_LABEL = "x (standard deviations from the mean of class 0)"


def plot_densities(axes: Axes, densities: pd.DataFrame) -> None:
    x = densities["x"].to_numpy()
    for c, side in enumerate((-1, 1)):
        y = densities[f"class_{c}"].to_numpy()
        axes.plot(x, y, color=CLASS_COLOURS[c])
        # the outer flanks are free of thresholds and of the other class
        flank = np.nonzero(y >= 0.6 * y.max())[0][0 if side < 0 else -1]
        annotate_offset(axes, f"class {c}", (x[flank], y[flank]), (6 * side, 0), CLASS_COLOURS[c])
    axes.set_ylim(0, 1.3 * max(densities["class_0"].max(), densities["class_1"].max()))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlim(x[0], x[-1])


def shade_errors(axes: Axes, densities: pd.DataFrame, t: float, left: int) -> None:
    """Shade what a threshold gets wrong: on each side, the class that is not predicted there."""
    x = densities["x"].to_numpy()
    sides = ((x <= t, 1 - left), (x >= t, left))
    for side, wrong in sides:
        axes.fill_between(
            x, densities[f"class_{wrong}"], where=side, color=CLASS_COLOURS[wrong], alpha=0.3, linewidth=0
        )


def plot_threshold(axes: Axes, t: float, text: str, colour: str, height: float = 0.97, align: str = "left") -> None:
    axes.axvline(t, ymax=height, color=colour, linewidth=1.6, linestyle="--" if colour == GREY else "-")
    annotate_offset(axes, text, (t, height), (5 if align == "left" else -5, 0), colour, va="top", **SHARE_OF_HEIGHT)


@plots.in_style
def draw_figure_2(p: PopulationsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 2: two densities, the threshold T, the inherent error shaded."""
    result = results.published
    values = {r.column: r.value for r in result.rows}
    best, error = values["least-error-threshold"], values["inherent-error-percent"]
    picture = Picture(3.2, x=X_LABEL)
    axes = picture.axes[()]
    densities = result.data["densities"]
    plot_densities(axes, densities)
    shade_errors(axes, densities, best, 0)
    plot_threshold(axes, best, f"T = {best:.2f}", BLACK)
    return picture.done(distance=values["distance-of-means"], threshold=best, error=error)


@artifact("martin-hirschberg-figure-2", draw=draw_figure_2)
def figure_2(p: PopulationsParameters, run: Run) -> ArtifactResult:
    """Figure 2: the densities of the two classes, the threshold T and the inherent error."""
    population = TwoNormals.of_inherent_error(p.inherent_error)
    x = np.linspace(-12.0, population.distance + 12.0, 20001)
    area = 100 * np.trapezoid(np.minimum(population.density(x, 0), population.density(x, 1)), x)
    inherent = 100 * population.inherent_error
    rows = exact_rows(
        "population",
        {
            "least-error-threshold": population.best_threshold,
            "distance-of-means": population.distance,
            "inherent-error-percent": inherent,
            "shaded-area-percent": area,
        },
    )
    gap = exact(area - inherent, "area under the lower of the two curves minus inherent error", "%", 4, "+")
    check = judge_claim("martin-hirschberg-figure-2", "shaded-area", abs(gap) <= 1e-3)
    return ArtifactResult(rows, {"densities": densities(population)}, [check])
