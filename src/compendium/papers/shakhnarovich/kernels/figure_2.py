"""Figure 2: a density with a boundary, estimated with and without the correction."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.methods.clones.bandwidths import plug_in_bandwidth
from compendium.papers.shakhnarovich.kernel_functions import kernel_distribution, kernel_values
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLACK, BLUE, VERMILION
from errorest.streams import Streams

GAMMAS = {"gamma(4,1)": (4.0, 1.0), "gamma(1.1,2)": (1.1, 2.0)}  # The distributions of Figure 2: shape and scale


def correct_density(sample: np.ndarray, shape: float, scale: float) -> tuple[float, float, bool, pd.DataFrame]:
    """Estimate a gamma density within one bandwidth of its boundary at 0, with and without the correction.

    Return the bandwidth, the percent by which the correction lowers the L1 error, whether it is worse on the side where
    the density lives, and the curves.
    """
    h = plug_in_bandwidth(sample)
    x = np.linspace(-h, h, 1001)
    near = sample[sample <= 2 * h]
    kernel = kernel_values((x[:, None] - near) / h) / h
    plain = kernel.sum(axis=1) / sample.shape[0]
    corrected = (kernel / (1 - kernel_distribution(-near / h))).sum(axis=1) / sample.shape[0]
    corrected[x < 0] = 0.0
    true = stats.gamma.pdf(x, shape, scale=scale)
    errors = [float(np.trapezoid(np.abs(f - true), x)) for f in (plain, corrected)]
    lives = x >= 0
    inner = [float(np.trapezoid(np.abs(f - true)[lives], x[lives])) for f in (plain, corrected)]
    curves = pd.DataFrame({"x": x, "true": true, "plain": plain, "corrected": corrected})
    return h, 100 * (1 - errors[1] / errors[0]), inner[1] > inner[0], curves


def draw_figure_2(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the true density, the estimate, and the corrected estimate near the boundary."""
    names = {"true": "true density", "plain": "kernel estimate", "corrected": "corrected"}
    looks = {
        "true": {"color": BLACK, "linestyle": ":"},
        "plain": {"color": VERMILION, "linestyle": "--"},
        "corrected": {"color": BLUE},
    }
    curves = made.published.data["curves"].melt(["distribution", "x"], list(names), "curve", "density")
    panels = {name: name.replace("gamma", "Γ").replace(",", ", ") for name in distinct(curves["distribution"])}
    picture = Picture(3.4, panels, "distribution", letters=True, x="value", y="density")
    picture.guide(x=0, linewidth=0.8)
    picture.lines(curves, "x", "density", by="curve", looks=looks, names=names)
    picture.limits(ylim=(0, None))
    return picture.done()


@artifact("shakhnarovich-figure-2", draw=draw_figure_2, enlarge=False)
def figure_2(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 2: a density with a boundary, estimated with and without the correction.

    The second parameter of the gamma distribution, be it a scale or a rate, changes nothing: the bandwidth follows the
    scale, and so do both errors.
    """
    rows: list[Row] = []
    checks: list[Check] = []
    curves = []
    m = p.gamma_samples
    for name, (shape, scale) in GAMMAS.items():
        streams = Streams(p.seed).child("figure-2", name)
        samples = (streams.generator(k).gamma(shape, scale, p.gamma_cases) for k in range(max(m, p.spread_samples)))
        results = [correct_density(sample, shape, scale) for sample in samples]
        curves.append(results[0][-1].assign(distribution=name))
        widths, reductions, worse = (np.array(v) for v in list(zip(*results, strict=True))[:3])
        spread = monte_carlo.standard_deviation(reductions).value
        row = Row("literal", name, "l1-error-reduction-percent", float(reductions[:m].mean()), spread / sqrt(m), m)
        width = Row("literal", name, "bandwidth", float(widths[:m].mean()), float(widths.std(ddof=1)) / sqrt(m), m)
        rows += [row, width]
        share = monte_carlo.share(int(worse.sum()), len(results)).named("share of samples", sign="")
        checks.append(judge_claim("shakhnarovich-figure-2", "worse", share > 0.5, name))
    return ArtifactResult(rows, {"curves": pd.concat(curves, ignore_index=True)}, checks)
