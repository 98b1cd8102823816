"""Figure 1: the Epanechnikov kernel, and what is left of it at a boundary."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.shakhnarovich.kernel_functions import (
    corrected_kernel,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from compendium.papers.shakhnarovich.kernels.lemma_2 import SAME, distance_of
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREY, ORANGE
from errorest.streams import Streams


def draw_figure_1(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the product kernel, the kernel cut off at bounds, and both at once."""
    line, surface = (made.published.data[name] for name in ("line", "surface"))
    peaks = {name: f"peak {surface[name].max():.2f}" for name in ("kernel", "corrected")}
    picture = Picture(
        *(2.7, {"kernel": peaks["kernel"], "line": "one dimension", "corrected": peaks["corrected"]}, "panel"),
        columns=3,
        letters=True,
        x=dict.fromkeys(peaks, "first dimension") | {"line": "bandwidths from the case"},
        width_ratios=[1, 1.15, 1],
    )
    density = surface.melt(["x", "y"], list(peaks), "panel", "density")
    # no density is white, as the page is
    density["density"] = density["density"].where(density["density"] > 0)
    picture.heat_map(density, "x", "y", "density", cmap="Blues", vmin=0, vmax=surface["corrected"].max())
    picture.lines(line.assign(panel="line"), "x", "kernel", color=GREY, linestyle="--")
    picture.lines(line.assign(panel="line"), "x", "corrected", color=BLUE)
    picture.limits(xticks=[-1, 0, 1])
    axes, out = picture.axes["line"], (line["x"] < p.bounds[0]) | (line["x"] > p.bounds[1])
    axes.fill_between(line["x"], line["kernel"].where(out), color=ORANGE, alpha=0.5, linewidth=0)
    axes.set_ylim(0, None)
    for name in peaks:
        picture.axes[name].set(aspect="equal", yticks=[-1, 0, 1])
    return picture.done(lower=p.bounds[0], upper=p.bounds[1])


@artifact("shakhnarovich-figure-1", draw=draw_figure_1, enlarge=False)
def figure_1(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 1: the Epanechnikov kernel, and what is left of it at a boundary."""
    low, high = p.bounds
    box = np.array([p.bounds, p.second_bounds])
    x = np.unique(np.concatenate([np.linspace(-1.2, 1.2, 401), p.bounds]))
    line = pd.DataFrame({"x": x, "kernel": kernel_values(x), "corrected": corrected_kernel(x, p.bounds)})
    at = np.linspace(-1.0, 1.0, 53)
    points = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1)
    surface = {"x": points[..., 0], "y": points[..., 1], "kernel": kernel_values(points).prod(axis=-1)}
    surface["corrected"] = corrected_kernel(points, box)
    rows = []
    shares = [float(kernel_distribution(right) - kernel_distribution(left)) for left, right in box]
    for name, share in (("one-dimension", shares[0]), ("two-dimensions", shares[0] * shares[1])):
        rows.append(Row.exact("literal", name, "share-inside", share))
        rows.append(Row.exact("literal", name, "rises-by-factor", 1 / share))
    sampled, _ = epanechnikov(p.draws, Streams(p.seed).generator("figure-1"))
    selected = sampled[(sampled >= low) & (sampled <= high)]
    result = stats.kstest(selected, lambda v: (kernel_distribution(v) - kernel_distribution(low)) / shares[0])
    same = distance_of(float(result.statistic), selected.size) < SAME
    acceptance, counts = selected.size / p.draws, {"kept": selected.size, "draws": p.draws}
    check = judge_claim(
        "shakhnarovich-figure-1", "redrawing", same, found=acceptance, share=shares[0], p=result.pvalue, **counts
    )
    return ArtifactResult(
        rows, {"line": line, "surface": pd.DataFrame({k: v.ravel() for k, v in surface.items()})}, [check]
    )
