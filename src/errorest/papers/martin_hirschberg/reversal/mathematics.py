"""The appendix's mathematics on class reversal, held against simulation case by case.

Each formula is one check: the true error and its mirror, the inherent error, the
least-error threshold, equation (1), the sampling distributions, the printed test, and
what the text says of the class proportions of a sample.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import optimize, stats
from scipy.special import ndtr

from errorest.evidence.artifact import artifact
from errorest.evidence.claims import graded, plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.monte_carlo import mean as mean_of
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.experiment.populations import TwoNormals
from errorest.papers.martin_hirschberg.reversal.experiment import READINGS, ReversalParameters, reversals_study
from errorest.papers.martin_hirschberg.reversal.figures import draw_appendix
from errorest.papers.martin_hirschberg.reversal.proportions import at, proportions
from errorest.papers.martin_hirschberg.reversal.statistics import (
    draw_statistics,
    empirical_threshold,
    statistics_of_cases,
)
from errorest.streams import Streams

__all__ = ["appendix"]

_DISTANCE = 1.0
_SIZE = 10
_REACH = 2.0
_SHARES = (0.3, 0.5, 0.7)
_STEP = 1e-4
_ROOTS = 200
# one false alarm in about two thousand runs of all comparisons of a check
_FALSE_ALARM = 5e-4


def _cases(n: int, distance: float, samples: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw samples case by case; those of one class are left out."""
    y = (rng.random((samples, n)) >= 0.5).astype(np.int64)
    x = rng.standard_normal((samples, n)) + distance * y
    both = (y.sum(axis=1) > 0) & (y.sum(axis=1) < n)
    return x[both], y[both]


@artifact(
    "martin-hirschberg-appendix",
    "Appendix",
    "The mathematics of class reversal, simulated",
    "Shares of reversed classifiers at given class counts and distances of the class means, and of samples on which "
    "the printed test fails in double precision, in percent.",
    draw=draw_appendix,
)
def appendix(p: ReversalParameters, run: Run) -> Regenerated:
    """Execute the appendix's mathematics, and count reversals by a sample's class proportions.

    Returns
    -------
    Regenerated
        Own rows: the shares of reversed classifiers at even and at the most uneven class counts, and of samples
        on which the printed test fails in double precision, percent.  Data ``errors`` (true
        error by threshold, computed and simulated), ``formula`` (computed, in small steps) and ``proportions``.
    """
    streams = Streams(p.seed).child("martin-hirschberg-appendix")
    population = TwoNormals(_DISTANCE)
    errors = _errors(population, p.direct_samples, streams.generator("cases"))
    shares = proportions(p, run)
    results = run(reversals_study(p))
    # what the printed test misses is counted beside every rule
    batches = results[results["rule"] == p.reversal_rules[0]]
    drawn, missed = int(batches["samples"].sum()), float(batches["underflow"].sum())
    fails = Measured(missed / drawn, float(np.sqrt(missed)) / drawn, drawn).times(100)
    rows = [Row.of("literal", "printed-test-in-double-precision", "fails-percent", fails)]
    even, most = p.proportions_size // 2, p.proportions_size - 1
    rows += [
        Row.of(READINGS[rule], key, f"reversed-percent/distance={d:g}", at(shares, rule, n0, d))
        for rule in p.reversal_rules
        for key, n0 in ((f"{even}:{even}", even), (f"{most}:1", most))
        for d in (0.0, p.proportions_distance)
    ]
    checks = [
        _check_errors(errors, p.direct_samples),
        _check_inherent(p, streams.generator("inherent")),
        _check_threshold(),
        _check_equation_1(streams.generator("equation-1")),
        _check_distributions(p, streams.generator("distributions")),
        _check_variance(p, streams.generator("variance")),
        Check(
            "The printed test, taken 0.1 left of the threshold, finds a reversal exactly where class 0's mean exceeds "
            "class 1's.",
            f"in double precision it fails on {missed:,.0f} of {drawn:,} samples: densities are too small for it there",
            graded(missed == 0, "holds in part"),
        ),
        *_checks_proportions(p, shares),
    ]
    data = {"errors": errors, "formula": _formula(population), "proportions": shares}
    return Regenerated(rows, data, checks, errata=_errata(p, shares))


def _formula(population: TwoNormals) -> pd.DataFrame:
    t = np.linspace(-_REACH, population.distance + _REACH, 121)
    return pd.concat(
        pd.DataFrame({"reversed": r, "threshold": t, "formula": population.error_of_thresholds(t, np.full(t.size, r))})
        for r in (False, True)
    )


def _errors(population: TwoNormals, cases: int, rng: np.random.Generator) -> pd.DataFrame:
    """True errors of C(t, 0, 1) and C(t, 1, 0) by the formula, and counted on cases of their own."""
    t = np.linspace(-_REACH, population.distance + _REACH, 13)
    frames = []
    for reverse in (False, True):
        y = (rng.random((t.size, cases)) >= 0.5).astype(np.int64)
        x = rng.standard_normal((t.size, cases)) + population.distance * y
        left = x <= t[:, None]
        labels = np.where(left, int(reverse), 1 - int(reverse))
        share = (labels != y).mean(axis=1)
        formula = population.error_of_thresholds(t, np.full(t.size, reverse))
        frames.append(
            pd.DataFrame(
                {
                    "reversed": reverse,
                    "threshold": t,
                    "formula": formula,
                    "simulated": share,
                    "se": np.sqrt(formula * (1 - formula) / cases),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _most(comparisons: int) -> float:
    """The |z| that so many comparisons exceed with probability :data:`_FALSE_ALARM` at most."""
    return float(stats.norm.isf(_FALSE_ALARM / comparisons / 2))


def _check_errors(errors: pd.DataFrame, cases: int) -> Check:
    z = ((errors["simulated"] - errors["formula"]) / errors["se"]).abs()
    straight, back = (errors.loc[errors["reversed"] == r, "formula"].to_numpy() for r in (False, True))
    mirror = float(np.abs(straight + back - 1).max())
    return Check(
        "The true error of C(t,0,1) is half of 1 − Φ(t − μ0) + Φ(t − μ1), and that of C(t,1,0) is one minus that.",
        f"counted on {cases:,} cases at each of {len(errors) // 2} thresholds, both ways: largest |z| {z.max():.2f} of "
        f"{len(z)}; the formulas add to one within {mirror:.1g}",
        graded(z.max() < _most(len(z)) and mirror < 1e-12),
    )


def _check_inherent(p: ReversalParameters, rng: np.random.Generator) -> Check:
    z, gaps = [], []
    for d in p.distances:
        population = TwoNormals(d)
        formula = float(ndtr(-d / 2))
        y = rng.random(p.direct_samples) >= 0.5
        x = rng.standard_normal(p.direct_samples) + d * y
        wrong = float(((x > population.best_threshold) != y).mean())
        z.append(abs(wrong - formula) / np.sqrt(formula * (1 - formula) / p.direct_samples))
        gaps.append(abs(population.inherent_error - formula))
    return Check(
        "The inherent error is 1 − Φ((μ1 − μ0)/2).",
        f"counted at the midpoint for {len(z)} distances: largest |z| {max(z):.2f}; the error of the least-error "
        f"threshold equals it within {max(gaps):.1g}",
        graded(max(z) < _most(len(z)) and max(gaps) < 1e-12),
    )


def _check_threshold() -> Check:
    slopes, worse = [], []
    for share in _SHARES:
        population = TwoNormals(_DISTANCE, share)
        best = population.best_threshold
        near = population.error_of_thresholds(best + np.array([-_STEP, 0.0, _STEP]), np.zeros(3, dtype=bool))
        slopes.append(abs(near[2] - near[0]) / (2 * _STEP))
        found = optimize.minimize_scalar(
            lambda t, q=population: float(q.error_of_thresholds(np.array([t]), np.zeros(1, dtype=bool))[0]),
            bracket=(best - 1, best + 1),
        )
        worse.append(abs(float(found.x) - best))
    return Check(
        "The derivative of the true error is zero at T, where the weighted densities are equal; its error is least.",
        f"for shares of class 0 of {', '.join(f'{s:g}' for s in _SHARES)}: largest slope at T {max(slopes):.1g}; a "
        f"search for the least error ends within {max(worse):.1g} of T",
        graded(max(slopes) < 1e-7 and max(worse) < 1e-5),
    )


def _check_equation_1(rng: np.random.Generator) -> Check:
    s = draw_statistics(_SIZE, _DISTANCE, _ROOTS, rng)
    t = empirical_threshold(_SIZE, s)
    gaps = []
    for n0, mean0, mean1, variance, formula in zip(*s, t, strict=True):
        share = n0 / _SIZE

        def ratio(x: float, q: float = share, a: float = mean0, b: float = mean1, v: float = variance) -> float:
            # log of the two sides' ratio: the densities themselves underflow
            return float(np.log(q / (1 - q)) + ((x - b) ** 2 - (x - a) ** 2) / (2 * v))

        reach = 1.0 + abs(formula)
        root = optimize.brentq(ratio, formula - reach, formula + reach, xtol=1e-12, rtol=1e-14)
        gaps.append(abs(root - formula) / reach)
    return Check(
        "Equation 1 solves p g(t, x̄0, s) = (1 − p) g(t, x̄1, s).",
        f"a search for the root in {_ROOTS} samples of N = {_SIZE} ends within {max(gaps):.1g} of it (relative)",
        graded(max(gaps) < 1e-9),
    )


def _check_distributions(p: ReversalParameters, rng: np.random.Generator) -> Check:
    values: list[float] = []
    words = []
    names = ("n", "x̄0", "x̄1", "s²", "t")
    for n in sorted({min(p.sizes), _SIZE}):
        x, y = _cases(n, _DISTANCE, p.direct_samples, rng)
        direct = statistics_of_cases(x, y)
        drawn = draw_statistics(n, _DISTANCE, len(x), rng)
        pairs = zip((*direct, empirical_threshold(n, direct)), (*drawn, empirical_threshold(n, drawn)), strict=True)
        found = [float(stats.ks_2samp(a, b).pvalue) for a, b in pairs]
        values += found
        words.append(f"N = {n}: " + ", ".join(f"{k} {v:.2g}" for k, v in zip(names, found, strict=True)))
    return Check(
        "Class counts, class means and (N − 2)s² may be drawn from a binomial, two normals and a chi-squared.",
        f"p-values of Kolmogorov and Smirnov's test against {p.direct_samples:,} samples drawn case by case, "
        + "; ".join(words),
        graded(min(values) > _FALSE_ALARM / len(values)),
    )


def _check_variance(p: ReversalParameters, rng: np.random.Generator) -> Check:
    x, y = _cases(_SIZE, _DISTANCE, p.direct_samples, rng)
    counts = np.stack([(y == 0).sum(axis=1), (y == 1).sum(axis=1)])
    several = (counts > 1).all(axis=0)
    by_count, by_degrees = (statistics_of_cases(x[several], y[several], lost).variance for lost in (0, 1))
    mean = mean_of(by_count)
    unbiased = abs(mean.value - 1) < _most(1) * mean.se
    return Check(
        "s² = (n s0² + (N − n) s1²)/(N − 2) estimates the variance without bias.",
        f"over samples of N = {_SIZE} with two cases of each class at least its mean is {plus_minus(mean, '', 3)} of "
        f"the variance if the class variances divide by n and N − n, and {by_degrees.mean():.3f} if they divide by "
        "one less, as sample variances commonly do",
        graded([unbiased, by_degrees.mean() <= 1 + _most(1) * mean.se]) if unbiased else "fails",
    )


def _checks_proportions(p: ReversalParameters, shares: pd.DataFrame) -> list[Check]:
    even, most = p.proportions_size // 2, p.proportions_size - 1
    checks = []
    for rule in p.reversal_rules:
        a, b = at(shares, rule, even), at(shares, rule, most)
        half = abs(a.value - 50) < max(_most(1) * a.se, 0.5)
        middle, *ends = (at(shares, rule, n0, p.proportions_distance).value for n0 in (even, 1, most))
        outer = sum(ends) / 2
        checks += [
            Check(
                f"At equal class means the likelihood of a reversal is 50 % in samples of 1:1, and near zero in "
                f"samples of {most}:1. [{READINGS[rule]}]",
                f"{a.value:.1f} % and {b.value:.1f} %",
                graded([half, b.value < 5]) if half else "fails",
            ),
            Check(
                f"A reversal is far more likely where the class proportions are very unbalanced. [{READINGS[rule]}]",
                f"at a distance of {p.proportions_distance:g}: {middle:.1f} % at 1:1, {outer:.1f} % at {most}:1 and "
                f"1:{most}",
                graded(outer > 2 * middle),
            ),
        ]
    return checks


def _errata(p: ReversalParameters, shares: pd.DataFrame) -> list[Erratum]:
    even, most = p.proportions_size // 2, p.proportions_size - 1
    values = {r: [at(shares, r, n0).value for n0 in (even, most)] for r in p.reversal_rules}
    if any(b < 5 for _, b in values.values()):
        return []
    said = ", ".join(f"{a:.1f} % and {b:.1f} % under *{READINGS[r]}*" for r, (a, b) in values.items())
    return [
        Erratum(
            "Appendix, on k0 of the likelihood's model",
            f"at equal class means the likelihood is 50 % at proportions of 1:1, and near zero at {most}:1",
            "no reading of the rule makes uneven proportions the safe ones, and the appendix's own remark that "
            "reversals are far more likely where proportions are unbalanced says the contrary",
            f"Simulated at 1:1 and {most}:1: {said}.",
        )
    ]
