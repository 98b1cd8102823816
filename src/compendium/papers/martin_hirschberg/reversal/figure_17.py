"""Figure 17: true error of reversed classifiers, difference, likelihood, and their product, in three readings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, plus_minus
from compendium.evidence.results import ArtifactResult, Erratum, Run, rows_of
from compendium.papers.martin_hirschberg.reversal.figure_17_drawing import draw_figure_17
from compendium.papers.martin_hirschberg.reversal.models import MODELS, Fit, cells_of, fit_model
from compendium.papers.martin_hirschberg.reversal.peak import Peak, find_peak
from compendium.papers.martin_hirschberg.reversal.statistics import RULES, Rule
from compendium.papers.martin_hirschberg.reversal.study import (
    READINGS,
    ReversalParameters,
    proportions,
    reversals_study,
    share_at,
)
from errorest.streams import Streams

PANELS = {"mean-true-error": "17a", "mean-difference": "17b", "likelihood": "17c"}
_RISING = 0.95  # Share of steps that rise where something rises throughout, but for noise
_WELL = 1.0  # A model that misses its cells by no more than so many points, root mean square, fits well
_LITTLE = 1.25  # What differs by no more than this factor is nearly the same
_FITTED: Rule = "below-minus-one"  # The rule under which 17a and 17c agree with the print


class Simulated(NamedTuple):
    """What the claims of one rule speak of: all cells, those likely enough, the fitted models, the product's peak."""

    p: ReversalParameters
    cells: pd.DataFrame
    likely: pd.DataFrame
    fits: Mapping[str, Fit]
    peak: Peak


def changes(cells: pd.DataFrame, column: str, se: str, samples: int) -> list[Estimate]:
    """Change of a column from the first distance to the last, at each size with several, points."""
    results = []
    for n, of_size in cells.groupby("n"):
        first, last = (Estimate(of_size[column].iloc[i], of_size[se].iloc[i], samples) * 100 for i in (0, -1))
        results += [(last - first).named(f"N = {n:.0f}", "points", 1)] if len(of_size) > 1 else []
    if not results:
        raise NotRun("one distance alone")
    return results


def steps(cells: pd.DataFrame, column: str, se: str) -> tuple[np.ndarray, np.ndarray]:
    """Differences of a column between neighbouring distances of a size, and their standard errors."""
    before = cells.groupby("n")[[column, se]].shift().dropna()
    after = cells.loc[before.index]
    return (after[column] - before[column]).to_numpy(), np.hypot(after[se].to_numpy(), before[se].to_numpy())


FIGURE_17 = Claims("martin-hirschberg-figure-17")
CHANGES = "from the first distance to the last it changes by"


@FIGURE_17.claim
def rises(s: Simulated) -> list[Condition | Conditions]:
    ends = changes(s.likely, "reversed_error", "reversed_se", s.p.samples * s.p.batches)
    difference, _ = steps(s.likely, "reversed_error", "reversed_se")
    rising = exact((difference > 0).mean(), f"share of {difference.size} steps that rise", digits=2)
    return [every(CHANGES, [e > 0 for e in ends]), rising > _RISING]


@FIGURE_17.claim
def falls(s: Simulated) -> list[Condition | Conditions]:
    ends = changes(s.cells, "likelihood", "likelihood_se", s.p.samples * s.p.batches)
    difference, se = steps(s.cells, "likelihood", "likelihood_se")
    clear = exact((difference > 3 * se).sum(), f"rises by more than three standard errors in {se.size} steps:")
    return [every(CHANGES, [e < 0 for e in ends]), clear.equals(0)]


@FIGURE_17.claim
def fit_well(s: Simulated) -> list[Condition]:
    return [exact(100 * fit.rms, PANELS[name], "points", 1) < _WELL for name, fit in s.fits.items()]


@FIGURE_17.claim
def independent_of_size(s: Simulated) -> Condition:
    # largest increase at the smallest distance over the smallest one, of all sizes but the first of several
    nearest = s.cells[s.cells["distance"] == s.cells["distance"].min()]
    if len(nearest) < 2:
        raise NotRun("one size alone")
    ordered = nearest.iloc[1 if len(nearest) > 2 else 0 :].sort_values("increase", kind="stable")
    low, high = (
        Estimate(
            cell["increase"], cell["increase_se"], s.p.samples * s.p.batches, f"{which} (N = {cell['n']:.0f})", sign=""
        )
        for which, cell in (("the smallest", ordered.iloc[0]), ("the largest", ordered.iloc[-1]))
    )
    return high / low < _LITTLE


@FIGURE_17.claim
def slow_change(s: Simulated) -> Condition:
    if s.cells["n"].nunique() < 2:
        raise NotRun("one size alone")
    return s.peak.keys["slow-above-N"].named("slow from N =", digits=0, sign="") < float(max(s.p.sizes))


def of_likelihood(fit: Fit, rule: Rule, shares: pd.DataFrame, p: ReversalParameters) -> dict[str, Estimate]:
    """Return from which size the second term of the likelihood is insignificant, and shares at equal means."""
    results = {}
    # the second term grows with the distance to k3/(N - 2)^2
    small = [n for n in sorted(p.sizes) if abs(fit.coefficients[3]) / (n - 2) ** 2 < p.insignificant]
    if small:
        results["second-term-insignificant-from-N"] = Estimate(float(small[0]), 0.0, p.samples * p.batches)
    for key, n0 in (("1:1", p.proportions_size // 2), (f"{p.proportions_size - 1}:1", p.proportions_size - 1)):
        results[f"at-equal-means-{key}-percent"] = share_at(shares, rule, n0)
    return results


def finding(reading: str, fits: Mapping[str, Mapping[str, Fit]], cells: int, p: ReversalParameters) -> str:
    """Say the coefficients of each model, how far it misses, and what the weighted fit gives."""
    texts = []
    for name, fit in fits["none"].items():
        missed = f"misses by {100 * fit.rms:.2f} points, root mean square; weighted by Monte Carlo error the fit gives"
        weighted = f" ({missed} {fits['1/se²'][name].words})" if np.isfinite(fit.rms) else ""
        texts.append(f"{PANELS[name]} {fit.words}{weighted}")
    return (
        f"*{reading}*: coefficients k0, k1, ... of {'; '.join(texts)}. Means over reversed classifiers are fitted in "
        f"the {fits['none']['mean-true-error'].cells} of {cells} cells where at least {100 * p.least_likelihood:.3g} % "
        "of samples are reversed."
    )


def errata_17(cells: pd.DataFrame, fits: Mapping[Rule, Mapping[str, Fit]]) -> list[Erratum]:
    """Compare how much reversed errors fall short of the limit, near a distance of 1, at a small and a large size."""
    if set(fits) != set(RULES):
        return []
    of_rule = cells[cells["rule"] == _FITTED]
    distance = of_rule["distance"].iloc[(of_rule["distance"] - 1.0).abs().argmin()]
    near = of_rule[of_rule["distance"] == distance]
    few, many = near.iloc[min(1, len(near) - 1)], near.iloc[-1]
    more, less = (100 * (1 - cell["inherent"] - cell["reversed_error"]) for cell in (few, many))
    factor, expected = more / less, many["n"] / few["n"]
    if not (np.isfinite(factor) and factor < expected / 2):
        return []
    k0 = plus_minus(fits[_FITTED]["mean-true-error"].estimates(1)["k0"], "", 2)
    return [
        Erratum(
            "Appendix, on Figures 17a and 17b",
            "the true error of a reversed classifier appears to be 1 − I − O(1/N), the difference 1 − 2I − O(1/N)",
            "the term that is subtracted does not vanish as N grows: the models printed there have a constant k0",
            f"At a distance of {distance:g} it is {more:.1f} points at N = {few['n']:.0f} and {less:.1f} at "
            f"N = {many['n']:.0f}, {factor:.1f} times less where 1/N is {expected:.0f} times less; k0 of 17a is {k0} "
            f"(*{READINGS[_FITTED]}*).",
        )
    ]


@artifact("martin-hirschberg-figure-17", draw=draw_figure_17, rerun=False)
def figure_17(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Figures 17a to d: true error of reversed classifiers, difference, likelihood and their product."""
    results, shares, samples = run(reversals_study(p)), proportions(p, run), p.samples * p.batches
    result = ArtifactResult()
    tables, coefficients, plain = [], [], {}
    for rule in p.reversal_rules:
        reading, cells = READINGS[rule], cells_of(results, rule)
        fits = {
            weights: {name: fit_model(name, cells, p.least_likelihood, weighted=weights != "none") for name in MODELS}
            for weights in ("none", "1/se²")
        }
        fitted = plain[rule] = fits["none"]
        peak = find_peak(cells, p.slow_change, samples, Streams(p.seed).generator("martin-hirschberg-reversal-peak"))
        for name, fit in fitted.items():
            result.rows.extend(rows_of(reading, name, fit.estimates(samples).items()))
        result.rows.extend(rows_of(reading, "likelihood", of_likelihood(fitted["likelihood"], rule, shares, p).items()))
        result.rows.extend(rows_of(reading, "expected-increase", peak.keys.items()))
        likely = cells[cells["likelihood"] >= p.least_likelihood]
        simulated = Simulated(p, cells, likely, fitted, peak)
        nearest, change = cells["distance"].min(), 100 * p.slow_change
        checks = judge_claims(FIGURE_17, simulated, reading=reading, nearest=nearest, peak=peak, change=change)
        result.checks.extend(checks)
        result.findings.append(finding(reading, fits, len(cells), p))
        tables.append(cells.assign(rule=rule))
        coefficients += [
            {"rule": rule, "model": name, "weights": weights, "coefficient": k, "value": e.value, "se": e.se}
            | {"cells": fit.cells, "rms": fit.rms, "misfit": fit.misfit}
            for weights, of_weights in fits.items()
            for name, fit in of_weights.items()
            for k, e in fit.estimates(samples).items()
        ]
    every_cell = pd.concat(tables, ignore_index=True)
    data = {"cells": every_cell, "fits": pd.DataFrame(coefficients), "proportions": shares}
    return result + ArtifactResult(data=data, errata=errata_17(every_cell, plain))
