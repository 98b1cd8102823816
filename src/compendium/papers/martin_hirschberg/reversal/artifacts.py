"""The appendix on class reversal: Figures 16 and 17a to 17d, in three readings of the rule."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, exact, plus_minus
from compendium.evidence.monte_carlo import share
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Erratum, Run, rows_of
from compendium.papers.martin_hirschberg.reversal import experiment, models
from compendium.papers.martin_hirschberg.reversal.figures import draw_figure_16, draw_figure_17
from compendium.papers.martin_hirschberg.reversal.statistics import RULES, Rule
from compendium.studies.populations import TwoNormals
from errorest.streams import Streams

_HALF = 0.5
_FEWEST = 20  # A tail of fewer true errors than this has no shape to speak of
_NEAR = 0.05  # True errors this close above the inherent one are slightly above it
_RISING = 0.95  # Share of steps that rise where something rises throughout, but for noise
_WELL = 1.0  # A model that misses its cells by no more than so many points, root mean square, fits well
_LITTLE = 1.25  # What differs by no more than this factor is nearly the same
_FITTED: Rule = "below-minus-one"  # The rule under which 17a and 17c agree with the print

# Figure 16


def rarer(shares: Mapping[tuple[int, float], Estimate]) -> list[Condition]:
    """Ask for fewer reversals at a larger size, and at a larger distance; what never happens cannot grow rarer."""
    return [
        shares[a] > shares[b]
        for a, b in product(shares, repeat=2)
        if shares[a].value > 0 and ((b[0] > a[0] and b[1] == a[1]) or (b[0] == a[0] and b[1] > a[1]))
    ]


FIGURE_16 = Claims(
    "martin-hirschberg-figure-16",
    {
        "rarer": lambda shares, spikes: every(
            "share of reversals at the smaller size or distance minus that at the larger", rarer(shares)
        ),
        "spike": lambda shares, spikes: every(
            "count in the last bin below 50 % minus that in the one before it", [spike > 0 for spike in spikes]
        ),
    },
)


@artifact("martin-hirschberg-figure-16", draw=draw_figure_16)
def figure_16(p: experiment.ReversalParameters, run: Run) -> ArtifactResult:
    """Figure 16: how the true errors of reversed and unreversed classifiers are distributed."""
    edges = np.linspace(0.0, 1.0, p.bins + 1)
    last = int(np.searchsorted(edges, _HALF - 1e-9)) - 1
    keys = ["rule", "n", "distance", "group", "bin"]
    counts = (
        run(experiment.distribution_study(p)).groupby(keys, observed=True)["count"].sum().astype(float).reset_index()
    )
    place = counts.pop("bin").to_numpy()
    counts = counts.assign(left=edges[place], right=edges[place + 1], count=counts.pop("count"))
    rows, checks = [], []
    for rule, of_rule in parts(counts, "rule").items():
        shares, spikes = {}, []
        for (n, d), own in parts(of_rule, "n", "distance").items():
            back, straight = (own.loc[own["group"] == g, "count"].to_numpy() for g in ("reversed", "unreversed"))
            inherent, label = TwoNormals(d).inherent_error, f"N = {n}, distance {d:g}"
            near = straight[(edges[1:] > inherent) & (edges[:-1] < inherent + _NEAR)].sum()
            values = {
                "reversed-percent": share(back.sum(), back.sum() + straight.sum()),
                "unreversed-near-inherent-percent": share(near, straight.sum()),
                "unreversed-last-bin-percent": share(straight[last], straight.sum()),
            }
            rows += rows_of(experiment.READINGS[rule], f"N={n}/distance={d:g}", values.items(), 100)
            shares[n, d] = (values["reversed-percent"] * 100).named(label, "%")
            before, spike = straight[last - 1 : last + 1]
            if before + spike >= _FEWEST:
                spikes.append(Estimate(spike - before, np.sqrt(spike + before), int(spike + before), label, digits=0))
        checks += judge_claims(FIGURE_16, shares, spikes, reading=experiment.READINGS[rule])
    return ArtifactResult(rows, {"counts": counts}, checks)


# Figure 17


def changes(cells: pd.DataFrame, column: str, se: str, samples: int) -> list[Estimate]:
    """Change of a column from the first distance to the last, at each size with several, points."""
    results = []
    for n, own in cells.groupby("n"):
        first, last = (Estimate(own[column].iloc[i], own[se].iloc[i], samples) * 100 for i in (0, -1))
        results += [(last - first).named(f"N = {n:.0f}", "points", 1)] if len(own) > 1 else []
    if not results:
        raise NotRun("one distance alone")
    return results


def steps(cells: pd.DataFrame, column: str, se: str) -> tuple[np.ndarray, np.ndarray]:
    """Differences of a column between neighbouring distances of a size, and their standard errors."""
    before = cells.groupby("n")[[column, se]].shift().dropna()
    after = cells.loc[before.index]
    return (after[column] - before[column]).to_numpy(), np.hypot(after[se].to_numpy(), before[se].to_numpy())


def share_rising(likely: pd.DataFrame) -> Estimate:
    """Share of the steps in distance in which the true error of reversed classifiers rises."""
    difference, _ = steps(likely, "reversed_error", "reversed_se")
    return exact((difference > 0).mean(), f"share of {difference.size} steps that rise", digits=2)


def clear_rises(cells: pd.DataFrame) -> Estimate:
    """Number of the steps in distance in which the likelihood rises by more than three standard errors."""
    difference, se = steps(cells, "likelihood", "likelihood_se")
    return exact((difference > 3 * se).sum(), f"rises by more than three standard errors in {se.size} steps:")


def largest_over_smallest(cells: pd.DataFrame, samples: int) -> Estimate:
    """Largest increase at the smallest distance over the smallest one, of all sizes but the first of several."""
    nearest = cells[cells["distance"] == cells["distance"].min()]
    if len(nearest) < 2:
        raise NotRun("one size alone")
    ordered = nearest.iloc[1 if len(nearest) > 2 else 0 :].sort_values("increase", kind="stable")
    named = {"smallest": ordered.iloc[0], "largest": ordered.iloc[-1]}
    low, high = (
        Estimate(cell["increase"], cell["increase_se"], samples, f"the {which} (N = {cell['n']:.0f})", sign="")
        for which, cell in named.items()
    )
    return high / low


def slow_from(peak: Mapping[str, Estimate], sizes: int) -> Estimate:
    """Size from which the peak changes slowly, where there are several."""
    if sizes < 2:
        raise NotRun("one size alone")
    return peak["slow-above-N"].named("slow from N =", digits=0, sign="")


_PANELS = {"mean-true-error": "17a", "mean-difference": "17b", "likelihood": "17c"}

FIGURE_17 = Claims(
    "martin-hirschberg-figure-17",
    {
        "rises": lambda p, cells, likely, fits, peak: [
            every(
                "from the first distance to the last it changes by",
                [e > 0 for e in changes(likely, "reversed_error", "reversed_se", p.samples * p.batches)],
            ),
            share_rising(likely) > _RISING,
        ],
        "falls": lambda p, cells, likely, fits, peak: [
            every(
                "from the first distance to the last it changes by",
                [e < 0 for e in changes(cells, "likelihood", "likelihood_se", p.samples * p.batches)],
            ),
            clear_rises(cells).equals(0),
        ],
        "fit-well": lambda p, cells, likely, fits, peak: [
            exact(100 * fit.rms, _PANELS[name], "points", 1) < _WELL for name, fit in fits.items()
        ],
        "independent-of-size": lambda p, cells, likely, fits, peak: (
            largest_over_smallest(cells, p.samples * p.batches) < _LITTLE
        ),
        "slow-change": lambda p, cells, likely, fits, peak: (
            slow_from(peak.keys, cells["n"].nunique()) < float(max(p.sizes))
        ),
    },
)


@artifact("martin-hirschberg-figure-17", draw=draw_figure_17, rerun=False)
def figure_17(p: experiment.ReversalParameters, run: Run) -> ArtifactResult:
    """Figures 17a to d: true error of reversed classifiers, difference, likelihood and their product."""
    results, shares, samples = run(experiment.reversals_study(p)), models.proportions(p, run), p.samples * p.batches
    made = ArtifactResult()
    tables, coefficients, plain = [], [], {}
    for rule in p.reversal_rules:
        reading, cells = experiment.READINGS[rule], models.cells_of(results, rule)
        fits = {
            weights: {
                name: models.fit_model(name, cells, p.least_likelihood, weighted=weights != "none")
                for name in models.MODELS
            }
            for weights in ("none", "1/se²")
        }
        own = plain[rule] = fits["none"]
        peak = models.find_peak(
            cells, p.slow_change, samples, Streams(p.seed).generator("martin-hirschberg-reversal-peak")
        )
        for name, fit in own.items():
            made.rows.extend(rows_of(reading, name, fit.estimates(samples).items()))
        made.rows.extend(rows_of(reading, "likelihood", of_likelihood(own["likelihood"], rule, shares, p).items()))
        made.rows.extend(rows_of(reading, "expected-increase", peak.keys.items()))
        likely = cells[cells["likelihood"] >= p.least_likelihood]
        texts: dict[str, Any] = {"nearest": cells["distance"].min(), "peak": peak, "change": 100 * p.slow_change}
        made.checks.extend(judge_claims(FIGURE_17, p, cells, likely, own, peak, reading=reading, **texts))
        made.findings.append(finding(reading, fits, len(cells), p))
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
    return made + ArtifactResult(data=data, errata=errata_17(every_cell, plain))


def of_likelihood(
    fit: models.Fit, rule: Rule, shares: pd.DataFrame, p: experiment.ReversalParameters
) -> dict[str, Estimate]:
    """Return from which size the second term of the likelihood is insignificant, and shares at equal means."""
    results = {}
    # the second term grows with the distance to k3/(N - 2)^2
    small = [n for n in sorted(p.sizes) if abs(fit.coefficients[3]) / (n - 2) ** 2 < p.insignificant]
    if small:
        results["second-term-insignificant-from-N"] = Estimate(float(small[0]), 0.0, p.samples * p.batches)
    for key, n0 in (("1:1", p.proportions_size // 2), (f"{p.proportions_size - 1}:1", p.proportions_size - 1)):
        results[f"at-equal-means-{key}-percent"] = models.at(shares, rule, n0)
    return results


def finding(
    reading: str, fits: Mapping[str, Mapping[str, models.Fit]], cells: int, p: experiment.ReversalParameters
) -> str:
    """Say the coefficients of each model, how far it misses, and what the weighted fit gives."""
    texts = []
    for name, fit in fits["none"].items():
        missed = f"misses by {100 * fit.rms:.2f} points, root mean square; weighted by Monte Carlo error the fit gives"
        weighted = f" ({missed} {fits['1/se²'][name].words})" if np.isfinite(fit.rms) else ""
        texts.append(f"{_PANELS[name]} {fit.words}{weighted}")
    return (
        f"*{reading}*: coefficients k0, k1, ... of {'; '.join(texts)}. Means over reversed classifiers are fitted in "
        f"the {fits['none']['mean-true-error'].cells} of {cells} cells where at least {100 * p.least_likelihood:.3g} % "
        "of samples are reversed."
    )


def errata_17(cells: pd.DataFrame, fits: Mapping[Rule, Mapping[str, models.Fit]]) -> list[Erratum]:
    """Compare how much reversed errors fall short of the limit, near a distance of 1, at a small and a large size."""
    if set(fits) != set(RULES):
        return []
    own = cells[cells["rule"] == _FITTED]
    distance = own["distance"].iloc[(own["distance"] - 1.0).abs().argmin()]
    near = own[own["distance"] == distance]
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
            f"(*{experiment.READINGS[_FITTED]}*).",
        )
    ]
