"""The appendix's mathematics on class reversal, compared with simulations case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import optimize, stats
from scipy.special import ndtr

from compendium.evidence.claims import Claims
from compendium.evidence.estimate import Condition, Conditions, every, exact
from compendium.evidence.monte_carlo import mean as mean_of
from compendium.evidence.monte_carlo import share
from compendium.methods.learners.threshold import Threshold
from compendium.papers.martin_hirschberg.reversal.statistics import (
    draw_statistics,
    empirical_threshold,
    statistics_of_cases,
)
from compendium.papers.martin_hirschberg.reversal.study import ReversalParameters
from compendium.studies.populations import TwoNormals
from errorest.streams import Streams

_DISTANCE = 1.0
_SIZE = 10
_REACH = 2.0
_SHARES = (0.3, 0.5, 0.7)
_STEP = 1e-4
_ROOTS = 200

# one false alarm in about two thousand runs of all comparisons of a check
_FALSE_ALARM = 5e-4
_UNBIASED = 0.02  # A mean this close to the variance, in units of it, shows no bias


def largest(z: Sequence[float] | pd.Series, name: str) -> Condition:
    """Ask that the largest |z| be one that chance exceeds with probability :data:`_FALSE_ALARM` at most."""
    return exact(max(z), name, digits=2) < float(stats.norm.isf(_FALSE_ALARM / len(z) / 2))


def no_gap(name: str, gap: float, limit: float) -> Condition:
    """Ask that two calculations of the same number agree."""
    return exact(gap, name, digits=-1) < limit


MATHEMATICS = Claims("martin-hirschberg-appendix")


def true_errors(population: TwoNormals, cases: int, rng: np.random.Generator) -> pd.DataFrame:
    """True errors of C(t, 0, 1) and C(t, 1, 0) by the formula, and counted on cases drawn for each."""
    t = np.linspace(-_REACH, population.distance + _REACH, 13)
    frames = []
    for reverse in (False, True):
        y = (rng.random((t.size, cases)) >= 0.5).astype(np.int64)
        x = rng.standard_normal((t.size, cases)) + population.distance * y
        labels = np.where(x <= t[:, None], int(reverse), 1 - int(reverse))
        formula = population.error_of_thresholds(t, np.full(t.size, reverse))
        columns = {"threshold": t, "formula": formula, "simulated": (labels != y).mean(axis=1)}
        frames.append(pd.DataFrame({"reversed": reverse, **columns, "se": np.sqrt(formula * (1 - formula) / cases)}))
    return pd.concat(frames, ignore_index=True)


def by_formula(errors: pd.DataFrame, cases: int) -> list[Condition]:
    """Ask that counted errors be those of the formula, and that both classifiers' errors add to one."""
    z = ((errors["simulated"] - errors["formula"]) / errors["se"]).abs()
    straight, back = (errors.loc[errors["reversed"] == r, "formula"].to_numpy() for r in (False, True))
    return [
        largest(z, f"largest |z| at {len(errors) // 2} thresholds, both ways, of {cases:,} cases each:"),
        no_gap("the formulas add to one within", float(np.abs(straight + back - 1).max()), 1e-12),
    ]


@MATHEMATICS.claim
def true_error(p: ReversalParameters, streams: Streams) -> list[Condition]:
    return by_formula(
        true_errors(TwoNormals(_DISTANCE), p.direct_samples, streams.generator("cases")), p.direct_samples
    )


@MATHEMATICS.claim
def inherent_error(p: ReversalParameters, streams: Streams) -> list[Condition]:
    # the midpoint errs as often as the formula says, and no threshold less
    rng = streams.generator("inherent")
    z, gaps = [], []
    for d in p.distances:
        population = TwoNormals(d)
        formula = float(ndtr(-d / 2))
        y = rng.random(p.direct_samples) >= 0.5
        x = rng.standard_normal(p.direct_samples) + d * y
        wrong = float(((x > population.best_threshold) != y).mean())
        z.append(abs(wrong - formula) / np.sqrt(formula * (1 - formula) / p.direct_samples))
        gaps.append(abs(population.inherent_error - formula))
    return [
        largest(z, f"largest |z| at the midpoint, of {len(z)} distances:"),
        no_gap("the error of the least-error threshold equals it within", max(gaps), 1e-12),
    ]


@MATHEMATICS.claim
def threshold(p: ReversalParameters, streams: Streams) -> list[Condition]:
    # the error has no slope at T, and a search for the least error ends there
    slopes, worse = [], []
    for of_class_0 in _SHARES:
        population = TwoNormals(_DISTANCE, of_class_0)
        best = population.best_threshold
        near = population.error_of_thresholds(best + np.array([-_STEP, 0.0, _STEP]), np.zeros(3, dtype=bool))
        slopes.append(abs(near[2] - near[0]) / (2 * _STEP))
        result = optimize.minimize_scalar(
            lambda t, q=population: float(q.error_of_thresholds(np.array([t]), np.zeros(1, dtype=bool))[0]),
            bracket=(best - 1, best + 1),
        )
        worse.append(abs(float(result.x) - best))
    return [
        no_gap("largest slope at T", max(slopes), 1e-7),
        no_gap("a search for the least error ends from T within", max(worse), 1e-5),
    ]


@MATHEMATICS.claim
def equation_1(p: ReversalParameters, streams: Streams) -> Condition:
    # searches for the root end at the formula
    s = draw_statistics(_SIZE, _DISTANCE, _ROOTS, streams.generator("equation-1"))
    gaps = []
    for n0, mean0, mean1, variance, formula in zip(*s, empirical_threshold(_SIZE, s), strict=True):
        share = n0 / _SIZE

        def ratio(x: float, q: float = share, a: float = mean0, b: float = mean1, v: float = variance) -> float:
            # log of the two sides' ratio: the densities themselves underflow
            return float(np.log(q / (1 - q)) + ((x - b) ** 2 - (x - a) ** 2) / (2 * v))

        reach = 1.0 + abs(formula)
        root = optimize.brentq(ratio, formula - reach, formula + reach, xtol=1e-12, rtol=1e-14)
        gaps.append(abs(root - formula) / reach)
    return no_gap(f"searches for the root in {_ROOTS} samples of N = {_SIZE} are off by", max(gaps), 1e-9)


def cases_of(n: int, samples: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw samples case by case; those of one class are left out."""
    y = (rng.random((samples, n)) >= 0.5).astype(np.int64)
    x = rng.standard_normal((samples, n)) + _DISTANCE * y
    both = (y.sum(axis=1) > 0) & (y.sum(axis=1) < n)
    return x[both], y[both]


@MATHEMATICS.claim
def distributions(p: ReversalParameters, streams: Streams) -> Conditions:
    # statistics drawn directly are distributed as those of cases
    rng = streams.generator("distributions")
    results = {}
    for n in sorted({min(p.sizes), _SIZE}):
        x, y = cases_of(n, p.direct_samples, rng)
        direct = statistics_of_cases(x, y)
        sampled = draw_statistics(n, _DISTANCE, len(x), rng)
        pairs = zip((*direct, empirical_threshold(n, direct)), (*sampled, empirical_threshold(n, sampled)), strict=True)
        for name, (a, b) in zip(("n", "x̄0", "x̄1", "s²", "t"), pairs, strict=True):
            results[f"{name} at N = {n}"] = float(stats.ks_2samp(a, b).pvalue)
    limit = _FALSE_ALARM / len(results)
    return every("p-values", [exact(value, name, digits=-2) > limit for name, value in results.items()])


@MATHEMATICS.claim
def variance(p: ReversalParameters, streams: Streams) -> list[Condition]:
    # the pooled variance, of class variances that divide by n and by n - 1
    x, y = cases_of(_SIZE, p.direct_samples, streams.generator("variance"))
    several = np.minimum((y == 0).sum(axis=1), (y == 1).sum(axis=1)) > 1
    names = ("if the class variances divide by n and N − n", "if they divide by one less, as sample variances do")
    means = [mean_of(statistics_of_cases(x[several], y[several], lost).variance) for lost in (0, 1)]
    labelled = [e.named(name, digits=3, sign="") for name, e in zip(names, means, strict=True)]
    return [e.within(1 - _UNBIASED, 1 + _UNBIASED) for e in labelled]


@MATHEMATICS.claim
def one_class(p: ReversalParameters, streams: Streams) -> list[Condition | Conditions]:
    # section 3: how often a sample is of one class, and what the classifier and its apparent error are then
    rng, n = streams.generator("one-class"), min(p.sizes)
    chance = 100 * 0.5 ** (n - 1)
    counts = rng.binomial(n, 0.5, p.direct_samples)
    alone = share(float(np.count_nonzero((counts == 0) | (counts == n))), p.direct_samples) * 100
    population, inducer = TwoNormals(_DISTANCE), Threshold("literal")
    errors, apparent = [], []
    template = population.sample(n, rng)
    for label in range(2):
        x = rng.standard_normal((n, 1)) + _DISTANCE * label
        sample = replace(template, X=x, y=np.full(n, label))
        classifier = inducer.fit(sample)
        errors.append(100 * population.true_error(classifier))
        apparent.append(100 * float((classifier.predict(sample.X) != sample.y).mean()))
    return [
        alone.named(f"share of samples of N = {n}", "%", sign="").within(chance - 1, chance + 1),
        every("true error", [exact(round(e, 9), unit="%").equals(50) for e in errors]),
        every("apparent error", [exact(e, unit="%").equals(0) for e in apparent]),
    ]
