"""The appendix's mathematics on class reversal, held against simulation case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import optimize, stats
from scipy.special import ndtr

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, claim_of, equal, within
from compendium.evidence.estimate import Condition, Estimate, every, exact, plus_minus
from compendium.evidence.monte_carlo import average, share
from compendium.evidence.monte_carlo import mean as mean_of
from compendium.evidence.results import ArtifactResult, Erratum, Row, Run
from compendium.papers.martin_hirschberg.reversal.experiment import READINGS, ReversalParameters, reversals_study
from compendium.papers.martin_hirschberg.reversal.figures import draw_appendix
from compendium.papers.martin_hirschberg.reversal.models import at, proportions
from compendium.papers.martin_hirschberg.reversal.statistics import (
    draw_statistics,
    empirical_threshold,
    statistics_of_cases,
)
from compendium.studies.populations import TwoNormals
from errorest.inducers.threshold import Threshold
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
_ABOUT = 2.0  # A likelihood this close to 50 %, in points, is 50 %
_NEAR_ZERO = 5.0  # A likelihood below this, percent, is near zero


def _cases(n: int, distance: float, samples: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw samples case by case; those of one class are left out."""
    y = (rng.random((samples, n)) >= 0.5).astype(np.int64)
    x = rng.standard_normal((samples, n)) + distance * y
    both = (y.sum(axis=1) > 0) & (y.sum(axis=1) < n)
    return x[both], y[both]


@artifact("martin-hirschberg-appendix", draw=draw_appendix)
def appendix(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Execute the appendix's mathematics, and count reversals by a sample's class proportions."""
    streams = Streams(p.seed).child("martin-hirschberg-appendix")
    population = TwoNormals(_DISTANCE)
    errors = _errors(population, p.direct_samples, streams.generator("cases"))
    shares = proportions(p, run)
    results = run(reversals_study(p))
    # what the printed test misses is counted beside every rule
    batches = results[results["rule"] == p.reversal_rules[0]]
    sampled, missed = int(batches["samples"].sum()), float(batches["underflow"].sum())
    fails = Estimate(missed / sampled, float(np.sqrt(missed)) / sampled, sampled) * 100
    rows = [Row.of("literal", "printed-test-in-double-precision", "fails-percent", fails)]
    even, most = p.proportions_size // 2, p.proportions_size - 1
    rows += [
        Row.of(READINGS[rule], key, f"reversed-percent/distance={d:g}", at(shares, rule, n0, d))
        for rule in p.reversal_rules
        for key, n0 in ((f"{even}:{even}", even), (f"{most}:1", most))
        for d in (0.0, p.proportions_distance)
    ]
    claims = [
        _check_errors(errors, p.direct_samples),
        _check_inherent(p, streams.generator("inherent")),
        _check_threshold(),
        _check_equation_1(streams.generator("equation-1")),
        _check_distributions(p, streams.generator("distributions")),
        _check_variance(p, streams.generator("variance")),
        _check_one_class(p, streams.generator("one-class")),
        claim_of(
            "martin-hirschberg-appendix",
            "printed-test",
            [equal(f"samples of {sampled:,} on which it does not, since densities are too small there:", missed, 0)],
        ),
        *_check_proportions(p, shares),
    ]
    checks = [claim.check() for claim in claims]
    data = {"errors": errors, "formula": _formula(population), "proportions": shares}
    return ArtifactResult(rows, data, checks, errata=_errata(p, shares))


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
        columns = {"threshold": t, "formula": formula, "simulated": share}
        frames.append(pd.DataFrame({"reversed": reverse, **columns, "se": np.sqrt(formula * (1 - formula) / cases)}))
    return pd.concat(frames, ignore_index=True)


def _check_errors(errors: pd.DataFrame, cases: int) -> Claim:
    z = ((errors["simulated"] - errors["formula"]) / errors["se"]).abs()
    straight, back = (errors.loc[errors["reversed"] == r, "formula"].to_numpy() for r in (False, True))
    mirror = float(np.abs(straight + back - 1).max())
    return claim_of(
        "martin-hirschberg-appendix",
        "true-error",
        [
            _largest(z, f"largest |z| at {len(errors) // 2} thresholds, both ways, of {cases:,} cases each:"),
            _least("the formulas add to one within", mirror, 1e-12),
        ],
    )


def _largest(z: Sequence[float] | pd.Series, name: str) -> Condition:
    """Ask that the largest |z| be one that chance exceeds with probability :data:`_FALSE_ALARM` at most."""
    limit = float(stats.norm.isf(_FALSE_ALARM / len(z) / 2))
    return below(name, exact(max(z)), limit, sign="")


def _least(name: str, gap: float, limit: float) -> Condition:
    """Ask that two calculations of the same number agree."""
    return below(name, exact(gap), limit, digits=-1, sign="")


def _check_inherent(p: ReversalParameters, rng: np.random.Generator) -> Claim:
    z, gaps = [], []
    for d in p.distances:
        population = TwoNormals(d)
        formula = float(ndtr(-d / 2))
        y = rng.random(p.direct_samples) >= 0.5
        x = rng.standard_normal(p.direct_samples) + d * y
        wrong = float(((x > population.best_threshold) != y).mean())
        z.append(abs(wrong - formula) / np.sqrt(formula * (1 - formula) / p.direct_samples))
        gaps.append(abs(population.inherent_error - formula))
    return claim_of(
        "martin-hirschberg-appendix",
        "inherent-error",
        [
            _largest(z, f"largest |z| at the midpoint, of {len(z)} distances:"),
            _least("the error of the least-error threshold equals it within", max(gaps), 1e-12),
        ],
    )


def _check_threshold() -> Claim:
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
    return claim_of(
        "martin-hirschberg-appendix",
        "threshold",
        [
            _least("largest slope at T", max(slopes), 1e-7),
            _least("a search for the least error ends from T within", max(worse), 1e-5),
        ],
        shares=", ".join(f"{s:g}" for s in _SHARES),
    )


def _check_equation_1(rng: np.random.Generator) -> Claim:
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
    return claim_of(
        "martin-hirschberg-appendix",
        "equation-1",
        [_least(f"searches for the root in {_ROOTS} samples of N = {_SIZE} are off by", max(gaps), 1e-9)],
    )


def _check_distributions(p: ReversalParameters, rng: np.random.Generator) -> Claim:
    results = {}
    names = ("n", "x̄0", "x̄1", "s²", "t")
    for n in sorted({min(p.sizes), _SIZE}):
        x, y = _cases(n, _DISTANCE, p.direct_samples, rng)
        direct = statistics_of_cases(x, y)
        sampled = draw_statistics(n, _DISTANCE, len(x), rng)
        pairs = zip((*direct, empirical_threshold(n, direct)), (*sampled, empirical_threshold(n, sampled)), strict=True)
        for name, (a, b) in zip(names, pairs, strict=True):
            results[f"{name} at N = {n}"] = float(stats.ks_2samp(a, b).pvalue)
    limit = _FALSE_ALARM / len(results)
    return claim_of(
        "martin-hirschberg-appendix",
        "distributions",
        [every("p-values", [above(name, exact(v), limit, digits=-2, sign="") for name, v in results.items()])],
        samples=p.direct_samples,
    )


def _check_variance(p: ReversalParameters, rng: np.random.Generator) -> Claim:
    x, y = _cases(_SIZE, _DISTANCE, p.direct_samples, rng)
    counts = np.stack([(y == 0).sum(axis=1), (y == 1).sum(axis=1)])
    several = (counts > 1).all(axis=0)
    by_count, by_degrees = (mean_of(statistics_of_cases(x[several], y[several], lost).variance) for lost in (0, 1))
    return claim_of(
        "martin-hirschberg-appendix",
        "variance",
        [
            within("if the class variances divide by n and N − n", by_count, _UNBIASED, of=1, digits=3, sign=""),
            within(
                "if they divide by one less, as sample variances do", by_degrees, _UNBIASED, of=1, digits=3, sign=""
            ),
        ],
        n=_SIZE,
    )


def _check_one_class(p: ReversalParameters, rng: np.random.Generator) -> Claim:
    """Section 3: how often a sample is of one class, and what the classifier and its apparent error are then."""
    n = min(p.sizes)
    counts = rng.binomial(n, 0.5, p.direct_samples)
    alone = share(float(np.count_nonzero((counts == 0) | (counts == n))), p.direct_samples) * 100
    population, inducer = TwoNormals(_DISTANCE), Threshold("literal")
    errors, apparent = [], []
    template = population.sample(n, rng)
    for label in range(2):
        x = rng.standard_normal((n, 1)) + _DISTANCE * label
        sample = replace(template, X=x, y=np.full(n, label))
        made = inducer.fit(sample)
        errors.append(100 * population.true_error(made))
        apparent.append(100 * float((made.predict(sample.X) != sample.y).mean()))
    return claim_of(
        "martin-hirschberg-appendix",
        "one-class",
        [
            within(f"share of samples of N = {n}", alone, 1.0, "%", of=100 * 0.5 ** (n - 1), sign=""),
            every("true error", [equal("", round(e, 9), 50, "%") for e in errors]),
            every("apparent error", [equal("", e, 0, "%") for e in apparent]),
        ],
    )


def _check_proportions(p: ReversalParameters, shares: pd.DataFrame) -> list[Claim]:
    even, most = p.proportions_size // 2, p.proportions_size - 1
    claims = []
    for rule in p.reversal_rules:
        a, b = at(shares, rule, even), at(shares, rule, most)
        middle, *ends = (at(shares, rule, n0, p.proportions_distance) for n0 in (even, 1, most))
        outer = average(ends)
        claims += [
            claim_of(
                "martin-hirschberg-appendix",
                "equal-means",
                [
                    within("at 1:1", a, _ABOUT, "%", of=50, digits=1, sign=""),
                    below(f"at {most}:1", b, _NEAR_ZERO, "%", 1, ""),
                ],
                READINGS[rule],
                most=most,
            ),
            claim_of(
                "martin-hirschberg-appendix",
                "unbalanced",
                [above(f"at {most}:1 and 1:{most} minus twice that at 1:1", outer - (middle * 2), 0, "%", 1)],
                READINGS[rule],
                distance=p.proportions_distance,
                middle=plus_minus(middle, ""),
                outer=plus_minus(outer, ""),
            ),
        ]
    return claims


def _errata(p: ReversalParameters, shares: pd.DataFrame) -> list[Erratum]:
    even, most = p.proportions_size // 2, p.proportions_size - 1
    values = {r: [at(shares, r, n0).value for n0 in (even, most)] for r in p.reversal_rules}
    if any(b < _NEAR_ZERO for _, b in values.values()):
        return []
    text = ", ".join(f"{a:.1f} % and {b:.1f} % under *{READINGS[r]}*" for r, (a, b) in values.items())
    return [
        Erratum(
            "Appendix, on k0 of the likelihood's model",
            f"at equal class means the likelihood is 50 % at proportions of 1:1, and near zero at {most}:1",
            "no reading of the rule makes uneven proportions the safe ones, and the appendix's own remark that "
            "reversals are far more likely where proportions are unbalanced says the contrary",
            f"Simulated at 1:1 and {most}:1: {text}.",
        )
    ]
