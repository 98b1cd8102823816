"""Sections 4 and 7: kernels at a boundary, kernels of integers, rejection, and the equations between them."""

from __future__ import annotations

from math import factorial, log, pi, sqrt
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import AfterValidator, model_validator
from scipy import optimize, stats

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.methods.clones.bandwidths import plug_in_bandwidth, roughness_ratio
from compendium.papers.parameters import Parameters, each_once, parameter
from compendium.papers.shakhnarovich.kernel_functions import (
    corrected_kernel,
    discrete_bandwidth,
    discrete_weights,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from compendium.papers.shakhnarovich.uci.experiment import uci_set
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, GREY, ORANGE, VERMILION
from errorest.streams import Streams

GAMMAS = {"gamma(4,1)": (4.0, 1.0), "gamma(1.1,2)": (1.1, 2.0)}  # The distributions of Figure 2: shape and scale

_GRID = 53
_LINE = 401
_FINE = 1001
_SAME = 0.01  # Two distribution functions that nowhere differ by more, a proportion, count as the same


def _increasing(values: list[float]) -> list[float]:
    if len(values) != 2 or not -1 < values[0] < 0 < values[1] <= 1:
        raise ValueError(
            f"{values} are no bounds around 0; expected two numbers, one above -1 and below 0, the other above 0 and "
            "at most 1"
        )
    return values


def _pairs(values: list[list[int]]) -> list[list[int]]:
    for pair in values:
        if len(pair) != 2 or min(pair) < 1:
            raise ValueError(f"{pair} is no pair of attributes; expected two numbers from 1")
    return values


Bounds = Annotated[list[float], AfterValidator(_increasing)]
Pairs = Annotated[list[list[int]], AfterValidator(each_once), AfterValidator(_pairs)]


class ClonesParameters(Parameters, notebook="shakhnarovich/03-kernels-and-clones"):
    """Parameters of Figures 1, 2, 3, 6 and 7."""

    seed: int = parameter(2001, ge=0)
    bounds: Bounds = parameter([-0.3, 1.0])
    second_bounds: Bounds = parameter([-0.5, 1.0])
    draws: int = parameter(1_000_000, ge=1000, preview=100_000, replication=True)
    gamma_cases: int = parameter(1000, ge=10)
    gamma_samples: int = parameter(1, ge=1, replication=True)
    spread_samples: int = parameter(100, ge=10, preview=10, replication=True)
    values: Annotated[list[int], AfterValidator(each_once)] = parameter([0, 2, 3, 4, 10], min_length=2)
    data_set: str = parameter("pima")
    pairs: Pairs = parameter([[6, 1], [6, 3]], min_length=1)
    spike: list[int] = parameter([6, 5], min_length=2, max_length=2)
    resamples: int = parameter(200, ge=10, preview=10, replication=True)

    @model_validator(mode="after")
    def _attributes(self) -> ClonesParameters:
        d = uci_set(self.data_set).d
        for pair in [*self.pairs, self.spike]:
            if max(pair) > d or min(pair) < 1:
                raise ValueError(f"attributes {pair} of {self.data_set} are unknown; expected numbers from 1 to {d}")
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digest of the data set."""
        return {self.data_set: uci_set(self.data_set).digest()}


def distance_of(distance: float, draws: int) -> Estimate:
    """Return the largest difference of the distribution functions of a sample and of what it was drawn from.

    The difference of the true functions is no larger than the one found by more than sqrt(ln(2 / .05) / (2 n)) in
    19 of 20 runs (the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant).
    """
    se = sqrt(log(2 / 0.05) / (2 * draws)) / 1.96
    return Estimate(distance, se, draws, "largest difference of the distribution functions", "", 4, "")


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
    for name, look in (("kernel", {"color": GREY, "linestyle": "--"}), ("corrected", {"color": BLUE})):
        picture.lines(line.assign(panel="line"), "x", name, **look)
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
    x = np.unique(np.concatenate([np.linspace(-1.2, 1.2, _LINE), p.bounds]))
    line = pd.DataFrame({"x": x, "kernel": kernel_values(x), "corrected": corrected_kernel(x, p.bounds)})
    at = np.linspace(-1.0, 1.0, _GRID)
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
    counts: dict[str, Any] = {
        "kept": selected.size,
        "draws": p.draws,
        "found": selected.size / p.draws,
        "share": shares[0],
        "p": result.pvalue,
    }
    same = distance_of(float(result.statistic), selected.size) < _SAME
    check = judge_claim("shakhnarovich-figure-1", "redrawing", same, **counts)
    return ArtifactResult(
        rows, {"line": line, "surface": pd.DataFrame({k: v.ravel() for k, v in surface.items()})}, [check]
    )


def correct_density(sample: np.ndarray, shape: float, scale: float) -> tuple[float, float, bool, pd.DataFrame]:
    """Estimate a gamma density within one bandwidth of its boundary at 0, with and without the correction.

    Return the bandwidth, the percent by which the correction lowers the L1 error, whether it is worse on the side where
    the density lives, and the curves.
    """
    h = plug_in_bandwidth(sample)
    x = np.linspace(-h, h, _FINE)
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


@plots.in_style
def draw_figure_3(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the weights that each case of a small sample of integers spreads over the values."""
    weights = made.published.data["weights"]
    figure, grid = plots.new_figure(len(p.values), 1, 0.9 + 0.85 * len(p.values), sharex=True, sharey=True)
    for place, (centre, lines) in enumerate(parts(weights, "centre").items()):
        axes = grid[place, 0]
        axes.bar(lines["value"], lines["weight"], width=0.35, color=COLOURS[place % len(COLOURS)])
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 1])
        axes.set_ylabel(f"$x_{{{place + 1}}}$ = {centre}", rotation=0, ha="right", va="center")
    grid[-1, 0].set_xticks(p.values)
    grid[-1, 0].set_xlabel("value")
    return Drawing(figure, facts={"seen": ", ".join(map(str, p.values))})


@artifact("shakhnarovich-figure-3", draw=draw_figure_3, enlarge=False)
def figure_3(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 3: the family of discrete kernels of a small sample of integers."""
    sample = np.array(p.values, dtype=float)
    h = discrete_bandwidth(sample)
    weights = [
        {"centre": centre, "value": value, "weight": float(weight)}
        for centre in p.values
        for value, weight in zip(p.values, discrete_weights(sample, centre, h), strict=True)
    ]
    rows = [Row.exact("literal", f"centre={w['centre']}", f"value={w['value']}", w["weight"]) for w in weights]
    return ArtifactResult([Row.exact("literal", "sample", "bandwidth", h), *rows], {"weights": pd.DataFrame(weights)})


@artifact("shakhnarovich-lemma-2", enlarge=False)
def lemma_2(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Lemma 2: how many trials Algorithm 2 takes for one draw of the Epanechnikov kernel."""
    values, trials = epanechnikov(p.draws, Streams(p.seed).generator("lemma-2"))
    accepted = p.draws / trials
    # the trials of one draw are geometric
    mean = Estimate(trials / p.draws, sqrt((1 - accepted) / accepted**2 / p.draws), p.draws)
    rows = [
        Row.of("literal", "algorithm-2", "expected-trials", mean),
        Row.of("literal", "algorithm-2", "acceptance-rate", monte_carlo.share(p.draws, trials)),
        Row.of("literal", "algorithm-2", "uniforms-for-one-draw", mean * 2),
    ]
    whole: Any = kernel_distribution
    result = stats.kstest(values, whole)
    same = distance_of(float(result.statistic), p.draws) < _SAME
    three = mean.named("trials for a draw", digits=4, sign="").within(2.99, 3.01)
    checks = [
        judge_claim("shakhnarovich-lemma-2", "kernel", same, draws=p.draws, p=result.pvalue),
        judge_claim("shakhnarovich-lemma-2", "trials", three),
    ]
    return ArtifactResult(rows, checks=checks)


_PSI_4 = factorial(4) / ((2 * 1.0) ** 5 * factorial(2) * sqrt(pi))


def _amise(h: float, n: int) -> float:
    """Asymptotic mean integrated squared error for a standard normal density; ``R(K) = 3/5``, ``mu2 = 1/5``."""
    return 0.6 / (n * h) + h**4 * 0.2**2 * _PSI_4 / 4


@artifact("shakhnarovich-equations", enlarge=False)
def equations(p: ClonesParameters, run: Run) -> ArtifactResult:
    """The equations of sections 4 and 7 whose print can be told from what they must mean."""
    n = p.gamma_cases
    printed = roughness_ratio("epanechnikov") / (_PSI_4 * n)
    best: Any = optimize.minimize_scalar(_amise, bounds=(0.01, 5.0), args=(n,), method="bounded")
    widths = {"literal": printed, "fitted:power-one-fifth": printed**0.2}
    errors = {reading: _amise(h, n) / best.fun for reading, h in widths.items()}
    rows = [
        Row.exact(reading, "equation-11", column, value)
        for column, values in (("bandwidth", widths), ("error-over-least", errors))
        for reading, value in values.items()
    ]
    literal, mended = errors.values()
    times = exact(literal, "as printed", "times the least error", 4)
    rows += [
        Row.exact("literal", "equation-24", column, value) for column, value in sums_of_equation_24(p.seed).items()
    ]
    check = judge_claim("shakhnarovich-equations", "bandwidth", times.within(0.99, 1.01), n=n, mended=mended)
    return ArtifactResult(rows, checks=[check])


def sums_of_equation_24(seed: int) -> dict[str, float]:
    """Sum joint and conditional densities over the last nominal attribute of a small mixed sample."""
    rng = Streams(seed).generator("equations")
    n = 12
    v, u = rng.normal(size=n), rng.integers(0, 4, n).astype(float)
    w1, w2 = rng.integers(0, 2, n), rng.integers(0, 3, n)
    h, hd = plug_in_bandwidth(v), discrete_bandwidth(u)
    support = np.unique(u)
    integer = np.array([discrete_weights(support, c, hd)[np.nonzero(support == u[0])[0][0]] for c in u])
    numbers = kernel_values((v[0] - v) / h) / h * integer
    before = float(np.mean(numbers * (w1 == w1[0])))
    joint = [float(np.mean(numbers * (w1 == w1[0]) * (w2 == a))) for a in range(3)]
    return {
        "sum-of-joint": sum(joint),
        "sum-of-conditional": sum(f / before for f in joint),
        "density-without-the-last": before,
    }
