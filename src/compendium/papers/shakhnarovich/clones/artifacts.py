"""Sections 4 and 7: kernels at a boundary, kernels of integers, rejection, and the equations between them.

Figures 1 to 3 and Lemma 2, each regenerated from its mathematics, and the printed equations
put to the test.
"""

from __future__ import annotations

from math import factorial, log, pi, sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, direction, within
from compendium.evidence.estimate import Estimate, exact, plus_minus
from compendium.evidence.results import ArtifactResult, Check, Erratum, Row, Run
from compendium.papers.shakhnarovich.clones.experiment import GAMMAS, ClonesParameters
from compendium.papers.shakhnarovich.clones.figures import draw_figure_1, draw_figure_2, draw_figure_3
from errorest.resampling.clones.bandwidths import plug_in_bandwidth, roughness_ratio
from errorest.resampling.clones.kernels import (
    corrected_kernel,
    discrete_bandwidth,
    discrete_weights,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from errorest.streams import Streams

__all__ = ["equations", "figure_1", "figure_2", "figure_3", "lemma_2"]

_GRID = 53
_LINE = 401
_FINE = 1001
_SAME = 0.01
"""Two distribution functions that nowhere differ by more, a proportion, are taken for the same."""


def _inside(low: float, high: float) -> float:
    return float(kernel_distribution(high) - kernel_distribution(low))


@artifact("shakhnarovich-figure-1", draw=draw_figure_1, enlarge=False)
def figure_1(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 1: the Epanechnikov kernel, and what is left of it at a boundary."""
    low, high = p.bounds
    box = np.array([p.bounds, p.second_bounds])
    x = np.unique(np.concatenate([np.linspace(-1.2, 1.2, _LINE), p.bounds]))
    line = pd.DataFrame({"x": x, "kernel": kernel_values(x), "corrected": corrected_kernel(x, p.bounds)})
    at = np.linspace(-1.0, 1.0, _GRID)
    points = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1)
    surface = pd.DataFrame(
        {
            "x": points[..., 0].ravel(),
            "y": points[..., 1].ravel(),
            "kernel": kernel_values(points).prod(axis=-1).ravel(),
            "corrected": corrected_kernel(points, box).ravel(),
        }
    )
    rows = []
    shares = [_inside(*pair) for pair in box]
    for name, share in (("one-dimension", shares[0]), ("two-dimensions", shares[0] * shares[1])):
        rows.append(Row.exact("literal", name, "share-inside", share))
        rows.append(Row.exact("literal", name, "rises-by-factor", 1 / share))
    drawn, _ = epanechnikov(p.draws, Streams(p.seed).generator("figure-1"))
    kept = drawn[(drawn >= low) & (drawn <= high)]
    found = stats.kstest(kept, lambda v: (kernel_distribution(v) - kernel_distribution(low)) / shares[0])
    checks = [
        drawn_from(
            "Redrawing until the result is inside draws from the corrected kernel.",
            float(found.statistic),
            kept.size,
            f"{kept.size:,} of {p.draws:,} draws are inside, a share of {kept.size / p.draws:.4f} against "
            f"{shares[0]:.4f} (Kolmogorov-Smirnov: p = {found.pvalue:.2f})",
        )
    ]
    area = float(np.trapezoid(0.75 * (at - 1) ** 2, at))
    own = float(np.trapezoid(kernel_values(at), at))
    errata = [
        Erratum(
            "Figure 1, caption",
            "K(x) = 3(x − 1)²/4",
            "K(x) = 3(1 − x²)/4",
            f"Integrated over [−1, 1], the caption's function has area {area:.2f} and is no density; that of section "
            f"4.1 has area {own:.2f}, and the figure shows a peak at 0.",
        )
    ]
    finding = (
        f"A case {-low:.2g} bandwidths from its lower bound keeps {100 * shares[0]:.1f} % of its kernel inside: "
        f"{100 * (1 - shares[0]):.1f} % of the draws are made again, and the density inside rises by a factor of "
        f"{1 / shares[0]:.2f}."
    )
    return ArtifactResult(rows, {"line": line, "surface": surface}, checks, [finding], errata)


def drawn_from(claim: str, distance: float, draws: int, context: str) -> Check:
    """Hold "draws from this distribution" against the largest difference of the two distribution functions.

    The difference of the true functions is no larger than the one found by more than sqrt(ln(2 / .05) / (2 n)) in
    19 of 20 runs, whatever they are (the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant).
    """
    measured = Estimate(distance, sqrt(log(2 / 0.05) / (2 * draws)) / 1.96, draws)
    part = below("largest difference of the distribution functions", measured, _SAME, digits=4, sign="")
    return Claim(claim, [part], context=context).check()


def _improvement(sample: np.ndarray, shape: float, scale: float) -> tuple[float, float, bool, pd.DataFrame]:
    """Return the bandwidth, the percent by which the correction lowers the L1 error, and the curves.

    The truth value says whether the correction is worse on the side where the density lives.
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


@artifact("shakhnarovich-figure-2", draw=draw_figure_2)
def figure_2(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 2: a density with a boundary, estimated with and without the correction.

    The second parameter of the gamma distribution, be it a scale or a rate, changes nothing:
    the bandwidth follows the scale, and so do both errors.
    """
    rows, curves, checks, findings = [], [], [], []
    for name, (shape, scale) in GAMMAS.items():
        found = []
        for k in range(max(p.gamma_samples, p.spread_samples)):
            rng = Streams(p.seed).child("figure-2", name).generator(k)
            h, reduced, worse, drawn = _improvement(rng.gamma(shape, scale, p.gamma_cases), shape, scale)
            found.append((reduced, h, worse))
            if k == 0:
                curves.append(drawn.assign(distribution=name))
        reductions, widths, worse_inside = (np.array(v) for v in zip(*found, strict=True))
        spread = accuracy.standard_deviation(reductions).value
        m = p.gamma_samples
        value, width = float(reductions[:m].mean()), float(widths[:m].mean())
        rows.append(Row("literal", name, "l1-error-reduction-percent", value, spread / sqrt(m), m))
        rows.append(Row("literal", name, "bandwidth", width, float(widths.std(ddof=1)) / sqrt(m), m))
        worse_share = accuracy.share(int(worse_inside.sum()), len(found))
        checks.append(
            Claim(
                "Where the density lives, the corrected estimate is in fact worse in most samples.",
                [above("share of samples", worse_share, 0.5, sign="")],
                name,
            ).check()
        )
        better, average = int((reductions > 0).sum()), accuracy.mean(reductions)
        findings.append(
            f"{name}: over {len(found)} samples of {p.gamma_cases:,} cases the L1 error with the correction is "
            f"{direction(average, 'smaller', 'larger', 'not clearly another')} ({plus_minus(average)} % less, ± "
            f"standard error; standard deviation {spread:.1f}); it helps in {better} of them."
        )
    return ArtifactResult(rows, {"curves": pd.concat(curves, ignore_index=True)}, checks, findings)


@artifact("shakhnarovich-figure-3", draw=draw_figure_3, enlarge=False)
def figure_3(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 3: the family of discrete kernels of a small sample of integers."""
    sample = np.array(p.values, dtype=float)
    h = discrete_bandwidth(sample)
    spread = float(sample.std(ddof=1))
    rows = [Row("literal", "sample", "bandwidth", h, 0.0, 1)]
    table = []
    for centre in p.values:
        weights = discrete_weights(sample, centre, h)
        for value, weight in zip(p.values, weights, strict=True):
            rows.append(Row.exact("literal", f"centre={centre}", f"value={value}", float(weight)))
            table.append({"centre": centre, "value": value, "weight": float(weight)})
    frame = pd.DataFrame(table)
    stays = {c: float(discrete_weights(sample, c, h)[k]) for k, c in enumerate(p.values)}
    fixed = 1 / len(p.values)
    errata = [
        Erratum(
            "Section 7.2, equation 20",
            "the denominator sums h to the power ||x − x_i||² over k, which does not occur in it",
            "the sum of h to the power ||a_k − x_i||² over the values a_k",
            f"As scanned, every term of the sum equals the numerator, and each of the {len(p.values)} values would get "
            f"the weight {fixed:.2f} whatever its distance; summed over the values, the weights run from "
            f"{frame['weight'].min():.2g} to {frame['weight'].max():.2f}.",
            as_scanned=True,
        ),
        Erratum(
            "Section 7.2, below equation 20",
            "||x − y||² = σ gives the weight .05",
            "||x − y|| = σ",
            f"Here σ = {spread:.2f} and h = {h:.3f}: at a squared distance of σ the unscaled weight is "
            f"{h**spread:.3f}, at a distance of σ it is {h ** (spread**2):.3f}.",
        ),
    ]
    least, most = min(p.values, key=lambda c: stays[c]), max(p.values, key=lambda c: stays[c])
    finding = (
        f"The sample {', '.join(map(str, p.values))} has the bandwidth h = {h:.3f}. A case keeps its own value with a "
        f"chance of {stays[least]:.2f} (the value {least}) to {stays[most]:.2f} ({most}): values that stand apart are "
        "smoothed least."
    )
    return ArtifactResult(rows, {"weights": frame}, findings=[finding], errata=errata)


@artifact("shakhnarovich-lemma-2", enlarge=False)
def lemma_2(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Lemma 2: how many trials Algorithm 2 takes for one draw of the Epanechnikov kernel."""
    values, trials = epanechnikov(p.draws, Streams(p.seed).generator("lemma-2"))
    mean = trials / p.draws
    accepted = p.draws / trials
    # the trials of one draw are geometric
    se = sqrt((1 - accepted) / accepted**2 / p.draws)
    rows = [
        Row("literal", "algorithm-2", "expected-trials", mean, se, p.draws),
        Row("literal", "algorithm-2", "acceptance-rate", accepted, sqrt(accepted * (1 - accepted) / trials), trials),
        Row("literal", "algorithm-2", "uniforms-for-one-draw", 2 * mean, 2 * se, p.draws),
    ]
    whole: Any = kernel_distribution
    found = stats.kstest(values, whole)
    joint = accepted * float(np.mean(values <= 0.5))
    printed, mended = 0.5 / 2 - 0.5**3 / 6 - 1 / 3, 0.5 / 2 - 0.5**3 / 6 + 1 / 3
    checks = [
        drawn_from(
            "Algorithm 2 draws from the Epanechnikov kernel.",
            float(found.statistic),
            p.draws,
            f"{p.draws:,} draws (Kolmogorov-Smirnov: p = {found.pvalue:.2f})",
        ),
        trials_taken(Estimate(mean, se, p.draws)),
    ]
    errata = [
        Erratum(
            "Section 4.2, Lemma 2",
            "an iteration fails with probability 2/3; 3 trials are expected",
            "it succeeds with probability 2/3; 3/2 trials are expected",
            f"Counted: a share of {accepted:.4f} of the trials is accepted, {mean:.4f} trials a draw. The proof itself "
            "computes the probability of acceptance as 2/3, and calls the same number a rejection at its end. "
            f"A trial uses two uniform numbers, so that {2 * mean:.2f} of these are needed.",
        ),
        Erratum(
            "Section 4.2, proof of Lemma 2",
            "Pr(W ≤ x and accepted) = x/2 − x³/6 = 1/3",
            "x/2 − x³/6 + 1/3",
            f"At x = .5, {joint:.4f} of all trials are accepted with W ≤ x; x/2 − x³/6 + 1/3 is {mended:.4f}, and with "
            f"a minus it would be {printed:.4f}.",
            as_scanned=True,
        ),
    ]
    findings = [
        f"A draw takes {mean:.3f} trials on average; the printed 3 is the number of uniform numbers that these use."
    ]
    return ArtifactResult(rows, checks=checks, findings=findings, errata=errata)


def trials_taken(mean: Estimate) -> Check:
    """Hold "3 trials" against the mean number of them."""
    part = within("trials for a draw", mean, 0.01, of=3, digits=4, sign="")
    return Claim("Algorithm 2 takes 3 trials on average.", [part]).check()


def _amise(h: float, n: int) -> float:
    """Asymptotic mean integrated squared error for a standard normal density; ``R(K) = 3/5``, ``mu2 = 1/5``."""
    return 0.6 / (n * h) + h**4 * 0.2**2 * _PSI_4 / 4


_PSI_4 = factorial(4) / ((2 * 1.0) ** 5 * factorial(2) * sqrt(pi))


def _mixed_sample(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw a sample with one continuous, one integer and two nominal attributes."""
    n = 12
    v, u = rng.normal(size=n), rng.integers(0, 4, n).astype(float)
    return v, u, rng.integers(0, 2, n), rng.integers(0, 3, n)


@artifact("shakhnarovich-equations", enlarge=False)
def equations(p: ClonesParameters, run: Run) -> ArtifactResult:
    """The equations of sections 4 and 7 whose print can be told from what they must mean."""
    return _equation_11(p) + _equations_23_and_24(p)


def _equation_11(p: ClonesParameters) -> ArtifactResult:
    n = p.gamma_cases
    printed = roughness_ratio("epanechnikov") / (_PSI_4 * n)
    best: Any = optimize.minimize_scalar(_amise, bounds=(0.01, 5.0), args=(n,), method="bounded")
    found = {}
    rows: dict[str, list[Row]] = {"bandwidth": [], "error-over-least": []}
    for reading, h in (("literal", printed), ("fitted:power-one-fifth", printed**0.2)):
        found[reading] = _amise(h, n) / best.fun
        rows["bandwidth"].append(Row.exact(reading, "equation-11", "bandwidth", h))
        rows["error-over-least"].append(Row.exact(reading, "equation-11", "error-over-least", found[reading]))
    literal, mended = found.values()
    erratum = Erratum(
        "Section 4.1, equation 11",
        "h = R(K)/(μ₂(K)² ψ₄ n)",
        "the fifth root of this",
        f"For a normal density and n = {n:,} the error AMISE is least at h = {best.x:.4f}, which is the fifth "
        f"root, {printed**0.2:.4f}; the printed value, {printed:.4f}, has {literal:.1f} times the least error.",
        as_scanned=True,
    )
    check = least_error(literal, f"at n = {n:,} and a normal density; {mended:.4f} times with the power 1/5")
    return ArtifactResult([*rows["bandwidth"], *rows["error-over-least"]], checks=[check], errata=[erratum])


def least_error(times: float, context: str) -> Check:
    """Hold "the least asymptotic error" against how many times it the printed bandwidth has."""
    part = within("as printed", exact(times), 0.01, "times the least error", of=1, digits=4, sign="")
    return Claim("The bandwidth of equation 11 has the least asymptotic error.", [part], context=context).check()


def _equations_23_and_24(p: ClonesParameters) -> ArtifactResult:
    v, u, w1, w2 = _mixed_sample(Streams(p.seed).generator("equations"))
    h, hd = plug_in_bandwidth(v), discrete_bandwidth(u)
    support = np.unique(u)
    integer = np.array([discrete_weights(support, c, hd)[np.nonzero(support == u[0])[0][0]] for c in u])
    numbers = kernel_values((v[0] - v) / h) / h * integer
    before = float(np.mean(numbers * (w1 == w1[0])))
    joint = [float(np.mean(numbers * (w1 == w1[0]) * (w2 == a))) for a in range(3)]
    both, conditional = sum(joint), sum(f / before for f in joint)
    sums = {"sum-of-joint": both, "sum-of-conditional": conditional, "density-without-the-last": before}
    errata = [
        Erratum(
            "Section 7.3, equation 24",
            "the conditional densities of w_j sum to f(v, u, w_1, ..., w_(j−1))",
            "the joint densities f(v, u, w_1, ..., w_j) do",
            f"In a small mixed sample the conditional densities of the last attribute sum to {conditional:.3f}, the "
            f"joint ones to {both:.5f}, which is the density without it ({before:.5f}).",
        ),
        Erratum(
            "Section 7.3, equation 23",
            "the product over the m_c continuous attributes takes u, that over the m_o integer ones v",
            "v with m_c, u with m_o",
            "Equation 19 and the text name v the continuous and u the integer attributes, and equation 22 gives each "
            "kind its own kernel. In the sample of equation 24, v would be given the kernel of integers though "
            f"{int(np.count_nonzero(v == np.round(v)))} of its {v.size} values are whole numbers.",
        ),
    ]
    rows = [Row.exact("literal", "equation-24", column, value) for column, value in sums.items()]
    return ArtifactResult(rows, errata=errata)
