"""The appendix on class reversal: Figures 16 and 17a to 17d, in three readings of the rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, claim_of, equal
from compendium.evidence.estimate import Estimate, every, exact, plus_minus
from compendium.evidence.monte_carlo import share
from compendium.evidence.results import ArtifactResult, Check, Erratum, Row, Run, rows_of
from compendium.papers.martin_hirschberg.reversal.experiment import (
    READINGS,
    ReversalParameters,
    distribution_study,
    reversals_study,
)
from compendium.papers.martin_hirschberg.reversal.figures import draw_figure_16, draw_figure_17
from compendium.papers.martin_hirschberg.reversal.models import (
    MODELS,
    Fit,
    Peak,
    at,
    cells_of,
    find_peak,
    fit_model,
    grid_of,
    proportions,
)
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


@artifact("martin-hirschberg-figure-16", draw=draw_figure_16)
def figure_16(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Figure 16: how the true errors of reversed and unreversed classifiers are distributed."""
    results = run(distribution_study(p))
    keys = ["rule", "n", "distance", "group"]
    totals: Any = results.pivot_table("count", keys, "bin", aggfunc="sum", observed=True).astype(float)
    edges = np.linspace(0.0, 1.0, p.bins + 1)
    last = int(np.searchsorted(edges, _HALF - 1e-9)) - 1
    rows: list[Row] = []
    checks: list[Check] = []
    frames: list[pd.DataFrame] = []
    for rule in p.reversal_rules:
        shares: dict[tuple[int, float], Estimate] = {}
        tails: dict[tuple[int, float], np.ndarray] = {}
        for n, d in sorted({(int(n), float(d)) for n, d in results[["n", "distance"]].itertuples(index=False)}):
            back, straight = (totals.loc[(rule, n, d, g)].to_numpy() for g in ("reversed", "unreversed"))
            inherent = TwoNormals(d).inherent_error
            near = straight[(edges[1:] > inherent) & (edges[:-1] < inherent + _NEAR)].sum()
            matches = {
                "reversed-percent": share(back.sum(), back.sum() + straight.sum()),
                "unreversed-near-inherent-percent": share(near, straight.sum()),
                "unreversed-last-bin-percent": share(straight[last], straight.sum()),
            }
            rows += rows_of(READINGS[rule], f"N={n}/distance={d:g}", matches.items(), 100)
            shares[n, d] = matches["reversed-percent"] * 100
            tails[n, d] = straight[last - 1 : last + 1]
            of = {"rule": rule, "n": n, "distance": d}
            for group, counts in (("reversed", back), ("unreversed", straight)):
                bins = {"left": edges[:-1], "right": edges[1:], "count": counts}
                frames.append(pd.DataFrame({**of, "group": group, **bins}))
        checks += [claim.check() for claim in _claims_16(READINGS[rule], shares, tails)]
    return ArtifactResult(rows, {"counts": pd.concat(frames, ignore_index=True)}, checks)


def _claims_16(
    reading: str, shares: dict[tuple[int, float], Estimate], tails: dict[tuple[int, float], np.ndarray]
) -> list[Claim]:
    falls = [
        above(f"{_cell(*a)} minus {_cell(*b)}", shares[a] - shares[b], unit="%")
        for a, b in product(shares, repeat=2)
        # what never happens cannot grow rarer
        if shares[a].value > 0 and ((b[0] > a[0] and b[1] == a[1]) or (b[0] == a[0] and b[1] > a[1]))
    ]
    spikes = [
        above(_cell(*at), Estimate(float(last - before), float(np.sqrt(last + before)), int(last + before)), digits=0)
        for at, (before, last) in tails.items()
        if before + last >= _FEWEST
    ]
    return [
        claim_of(
            "martin-hirschberg-figure-16",
            "rarer",
            [every("share of reversals at the smaller size or distance minus that at the larger", falls)],
            reading,
        ),
        claim_of(
            "martin-hirschberg-figure-16",
            "spike",
            [every("count in the last bin below 50 % minus that in the one before it", spikes)],
            reading,
        ),
    ]


def _cell(n: int, distance: float) -> str:
    return f"N = {n}, distance {distance:g}"


@artifact("martin-hirschberg-figure-17", draw=draw_figure_17, rerun=False)
def figure_17(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Figures 17a to d: true error of reversed classifiers, difference, likelihood and their product."""
    results = run(reversals_study(p))
    shares = proportions(p, run)
    rows: list[Row] = []
    checks: list[Check] = []
    findings: list[str] = []
    cells: dict[Rule, pd.DataFrame] = {}
    samples = p.samples * p.batches
    fits: dict[Rule, dict[str, dict[str, Fit]]] = {}
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        c = cells[rule] = cells_of(results, rule)
        own, weighted = (
            {name: fit_model(name, c, p.least_likelihood, weighted=by_error) for name in MODELS}
            for by_error in (False, True)
        )
        fits[rule] = {"none": own, "1/se²": weighted}
        rng = Streams(p.seed).child("martin-hirschberg-reversal-peak").generator()
        peak = find_peak(c, p.slow_change, samples, rng)
        rows += [Row.of(reading, name, k, m) for name, _, k, m in _coefficients(own, samples)]
        rows += _rows_of_likelihood(rule, own["likelihood"], shares, p, samples)
        rows += rows_of(reading, "expected-increase", peak.keys.items())
        checks += [claim.check() for claim in _claims_17(rule, c, own, peak, p)]
        findings.append(_finding(reading, own, weighted, c, p))
    frames = [_frame(rule, kind, each) for rule, kinds in fits.items() for kind, each in kinds.items()]
    data = {
        "cells": pd.concat([c.assign(rule=rule) for rule, c in cells.items()], ignore_index=True),
        "fits": pd.concat(frames, ignore_index=True),
        "proportions": shares,
    }
    return ArtifactResult(rows, data, checks, findings, _errata_17(cells, {r: f["none"] for r, f in fits.items()}))


def _coefficients(fits: Mapping[str, Fit], samples: int) -> Iterator[tuple[str, Fit, str, Estimate]]:
    for name, fit in fits.items():
        for j, (value, se) in enumerate(zip(fit.coefficients, fit.errors, strict=True)):
            yield name, fit, f"k{j}", Estimate(value, se, samples)


def _rows_of_likelihood(rule: Rule, fit: Fit, shares: pd.DataFrame, p: ReversalParameters, samples: int) -> list[Row]:
    # the second term grows with the distance to k3/(N - 2)^2
    small = [n for n in sorted(p.sizes) if abs(fit.coefficients[3]) / (n - 2) ** 2 < p.insignificant]
    result = {"second-term-insignificant-from-N": Estimate(float(small[0]), 0.0, samples)} if small else {}
    for key, n0 in (("1:1", p.proportions_size // 2), (f"{p.proportions_size - 1}:1", p.proportions_size - 1)):
        result[f"at-equal-means-{key}-percent"] = at(shares, rule, n0)
    return rows_of(READINGS[rule], "likelihood", result.items())


def _frame(rule: str, weights: str, fits: Mapping[str, Fit]) -> pd.DataFrame:
    return pd.DataFrame(
        {"rule": rule, "model": name, "weights": weights, "coefficient": k, "value": m.value, "se": m.se}
        | {"cells": fit.cells, "rms": fit.rms, "misfit": fit.misfit}
        for name, fit, k, m in _coefficients(fits, 0)
    )


_PANELS = {"mean-true-error": "17a", "mean-difference": "17b", "likelihood": "17c"}


def _finding(
    reading: str, fits: dict[str, Fit], weighted: dict[str, Fit], c: pd.DataFrame, p: ReversalParameters
) -> str:
    def numbers(fit: Fit) -> str:
        return ", ".join(f"{k:.3g}" for k in fit.coefficients if np.isfinite(k)) or "no fit"

    parts = [
        f"{_PANELS[name]} {numbers(fit)}"
        + (
            f" (misses by {100 * fit.rms:.2f} points, root mean square; weighted by Monte Carlo error the fit gives "
            f"{numbers(weighted[name])})"
        )
        * bool(np.isfinite(fit.rms))
        for name, fit in fits.items()
    ]
    return (
        f"*{reading}*: coefficients k0, k1, ... of {'; '.join(parts)}. Means over reversed classifiers are fitted in "
        f"the {fits['mean-true-error'].cells} of {len(c)} cells where at least {100 * p.least_likelihood:.3g} % of "
        "samples are reversed."
    )


def _claims_17(rule: Rule, c: pd.DataFrame, fits: dict[str, Fit], peak: Peak, p: ReversalParameters) -> list[Claim]:
    reading, samples = READINGS[rule], p.samples * p.batches
    steps, errors = np.diff(grid_of(c, "likelihood"), axis=1), grid_of(c, "likelihood_se")
    rises = int((steps > 3 * np.hypot(errors[:, 1:], errors[:, :-1])).sum())
    falls = [below(f"N = {n:.0f}", m, unit="points", digits=1) for n, m in _across(c, "likelihood", samples).items()]
    return [
        *_rising(c, p, reading),
        claim_of(
            "martin-hirschberg-figure-17",
            "falls",
            [
                every("from the first distance to the last it changes by", falls),
                equal(f"rises by more than three standard errors in {steps.size} steps:", rises, 0),
            ],
            reading,
        ),
        claim_of(
            "martin-hirschberg-figure-17",
            "fit-well",
            [below(_PANELS[name], exact(100 * f.rms), _WELL, "points", 1, "") for name, f in fits.items()],
            reading,
        ),
        *_by_size(reading, c, peak, p),
    ]


def _by_size(reading: str, c: pd.DataFrame, peak: Peak, p: ReversalParameters) -> list[Claim]:
    """Ask what is said of several sample sizes; nothing of a single one."""
    sizes, nearest, samples = c["n"].unique(), c["distance"].iloc[0], p.samples * p.batches
    if len(sizes) < 2:
        return []
    increase, se = (grid_of(c, name)[:, 0] for name in ("increase", "increase_se"))
    low, high = (int(pick(increase[1:] if len(sizes) > 2 else increase)) for pick in (np.argmin, np.argmax))
    low, high = (i + (len(sizes) > 2) for i in (low, high))
    ratio = increase[high] / increase[low]
    of_ratio = Estimate(ratio, ratio * float(np.hypot(se[high] / increase[high], se[low] / increase[low])), samples)
    return [
        claim_of(
            "martin-hirschberg-figure-17",
            "independent-of-size",
            [
                below(
                    f"the largest (N = {sizes[high]:.0f}) over the smallest (N = {sizes[low]:.0f})",
                    of_ratio,
                    _LITTLE,
                    sign="",
                )
            ],
            reading,
            nearest=nearest,
        ),
        claim_of(
            "martin-hirschberg-figure-17",
            "slow-change",
            [below("slow from N =", peak.keys["slow-above-N"], max(p.sizes), digits=0, sign="")],
            reading,
            peak=peak.words(100 * p.slow_change),
        ),
    ]


def _across(c: pd.DataFrame, column: str, samples: int) -> dict[float, Estimate]:
    """Change of a quantity from the first distance to the last at each size, points."""
    own, se = (grid_of(c, name) for name in (column, f"{column}_se"))
    sizes = grid_of(c, "n")[:, 0]
    return {
        n: Estimate(v[-1] - v[0], float(np.hypot(e[0], e[-1])), samples) * 100
        for n, v, e in zip(sizes, own, se, strict=True)
    }


def _rising(c: pd.DataFrame, p: ReversalParameters, reading: str) -> list[Claim]:
    """Whether the true error of reversed classifiers rises with the distance, where there are enough of them."""
    enough = grid_of(c, "likelihood") >= p.least_likelihood
    rows = zip(grid_of(c, "n")[:, 0], grid_of(c, "reversed_error"), grid_of(c, "reversed_se"), enough, strict=True)
    means = {n: (v[fitted], e[fitted]) for n, v, e, fitted in rows if fitted.sum() > 1}
    if not means:
        return []
    steps = np.concatenate([np.diff(v) for v, _ in means.values()])
    whole = [
        above(f"N = {n:.0f}", Estimate(v[-1] - v[0], float(np.hypot(e[0], e[-1])), p.samples) * 100, 0, "points", 1)
        for n, (v, e) in means.items()
    ]
    return [
        claim_of(
            "martin-hirschberg-figure-17",
            "rises",
            [
                every("from the first distance to the last it changes by", whole),
                above(f"share of {steps.size} steps that rise", exact(float(np.mean(steps > 0))), _RISING, sign=""),
            ],
            reading,
        )
    ]


def _errata_17(cells: Mapping[Rule, pd.DataFrame], fits: Mapping[Rule, dict[str, Fit]]) -> list[Erratum]:
    if set(fits) != set(RULES):
        return []

    def fitted(rule: Rule, model: str, j: int, digits: int) -> str:
        fit = fits[rule][model]
        return plus_minus(Estimate(fit.coefficients[j], fit.errors[j], 1), "", digits)

    results: list[Erratum] = []
    c = cells[_FITTED]
    near = c[c["distance"] == c["distance"].iloc[(c["distance"] - 1.0).abs().argmin()]]
    deficits = (100 * (1 - near["inherent"] - near["reversed_error"])).to_numpy()
    few, deficit = (v[min(1, len(near) - 1)] for v in (near["n"].to_numpy(), deficits))
    many, least = near["n"].iloc[-1], deficits[-1]
    factor, expected = deficit / least, many / few
    if np.isfinite(factor) and factor < expected / 2:
        results.append(
            Erratum(
                "Appendix, on Figures 17a and 17b",
                "the true error of a reversed classifier appears to be 1 − I − O(1/N), the difference 1 − 2I − O(1/N)",
                "the term that is subtracted does not vanish as N grows: the models printed there have a constant k0",
                f"At a distance of {near['distance'].iloc[0]:g} it is {deficit:.1f} points at N = {few:.0f} and "
                f"{least:.1f} at N = {many:.0f}, {factor:.1f} times less where 1/N is {expected:.0f} times "
                f"less; k0 of 17a is {fitted(_FITTED, 'mean-true-error', 0, 2)} (*{READINGS[_FITTED]}*).",
            )
        )
    return results
