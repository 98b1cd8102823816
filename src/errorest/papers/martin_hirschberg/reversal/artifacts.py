"""The appendix on class reversal: Figures 16 and 17a to 17d, in three readings of the rule.

True errors of reversed and unreversed classifiers, how often a reversal occurs, and what
it costs, over sample sizes and distances of the class means; with the paper's three
models fitted to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import field_validator

from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.experiment.populations import TwoNormals
from errorest.papers.martin_hirschberg.reversal.designs import (
    RULES,
    Rule,
    distribution_study,
    proportions_study,
    reversals_study,
)
from errorest.papers.martin_hirschberg.reversal.models import MODELS, Cells, Fit, cells_of, fit_model
from errorest.papers.martin_hirschberg.reversal.peak import Peak, find_peak
from errorest.papers.parameters import Parameters, parameter
from errorest.streams import Streams

__all__ = [
    "READINGS",
    "ReversalParameters",
    "at_equal_means",
    "figure_16",
    "figure_17",
    "proportions",
    "share_reversed",
]

READINGS: Mapping[Rule, str] = {r: r if r == "literal" else f"fitted:{r}" for r in RULES}
"""Reversal rule to name of the reading; the first is the headline."""

Outcome = Literal["holds", "fails", "holds in part", "not decided"]

_HALF = 0.5
_FEWEST = 20
"""A tail of fewer true errors than this has no shape to speak of."""

_NEAR = 0.05
"""True errors this close above the inherent one are slightly above it."""


class ReversalParameters(Parameters):
    """Parameters of Figures 16 and 17 and of the appendix's mathematics."""

    sizes: list[int] = parameter([5, 10, 15, 20, 25, 30, 35, 40, 45, 50], "sample sizes N of Figure 17", min_length=1)
    distances: list[float] = parameter(
        [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0],
        "distances of the class means of Figure 17, standard deviations",
        min_length=2,
    )
    figure_16_sizes: list[int] = parameter([10, 20], "sample sizes N of Figure 16", min_length=1, max_length=3)
    figure_16_distances: list[float] = parameter(
        [0.5, 2.0], "distances of the class means of Figure 16, standard deviations", min_length=1, max_length=3
    )
    samples: int = parameter(10000, "samples of each size and distance", ge=100, preview=2000)
    batches: int = parameter(1, "times that all samples are drawn", ge=1)
    repeats: int = parameter(10, "enlarged run: how many times the batches; 1 for none", ge=1, preview=1)
    bins: int = parameter(100, "bins of true error in Figure 16", ge=10, le=400)
    proportions_size: int = parameter(50, "cases N of samples with given class proportions; even", ge=6, le=200)
    proportions_distance: float = parameter(
        0.5, "distance of the class means beside 0 for given class proportions, standard deviations", gt=0
    )
    least_likelihood: float = parameter(
        0.001, "share of reversals that a cell must have for its means to be fitted, a proportion", gt=0, lt=1
    )
    insignificant: float = parameter(
        0.01, "second term of the likelihood's model that counts as insignificant, a proportion", gt=0, lt=1
    )
    slow_change: float = parameter(
        0.1, "change of the peak's height from one size to the next that counts as slow, a proportion", gt=0, lt=1
    )
    direct_samples: int = parameter(
        20000, "samples drawn case by case for the appendix's mathematics", ge=1000, preview=4000
    )
    reversal_rules: list[Rule] = parameter(
        list(RULES), "readings of the class-reversal rule; the first is the headline", min_length=1
    )

    @field_validator("sizes", "figure_16_sizes")
    @classmethod
    def _sizes(cls, value: list[int]) -> list[int]:
        if min(value) < 3:
            raise ValueError(f"N = {min(value)} leaves no pooled variance; expected at least 3 cases; use larger sizes")
        return value

    @field_validator("distances", "figure_16_distances")
    @classmethod
    def _distances(cls, value: list[float]) -> list[float]:
        if not (min(value) > 0 and max(value) <= 10):
            raise ValueError(f"distances {value} are outside (0, 10]; expected standard deviations; mend them")
        return value

    @field_validator("proportions_size")
    @classmethod
    def _even(cls, value: int) -> int:
        if value % 2:
            raise ValueError(f"N = {value} has no proportion of 1:1; expected an even number; use {value + 1}")
        return value

    def enlarged(self) -> ReversalParameters | None:
        """Return the design with ``repeats`` times the batches."""
        return self.model_copy(update={"batches": self.batches * self.repeats}) if self.repeats > 1 else None


def share_reversed(count: float, samples: int) -> Measured:
    """Share of reversed classifiers, percent, with its binomial error.

    Examples
    --------
    >>> share_reversed(50, 100)
    Measured(value=50.0, se=5.0, n=100)
    """
    share = count / samples
    return Measured(100 * share, 100 * float(np.sqrt(share * (1 - share) / samples)), samples)


def proportions(p: ReversalParameters, run: Run) -> pd.DataFrame:
    """Reversals by the sample's class counts: columns n0, distance, samples, rule, percent, se."""
    results = run(
        proportions_study(
            p.proportions_size, [0.0, p.proportions_distance], p.samples, p.batches, list(p.reversal_rules), p.seed
        )
    )
    totals = results.groupby(["distance", "n0"], sort=True)[["samples", *p.reversal_rules]].sum().reset_index()
    rows = []
    for at in totals.to_dict("records"):
        for rule in p.reversal_rules:
            m = share_reversed(float(at[rule]), int(at["samples"]))
            rows.append(
                {
                    "distance": float(at["distance"]),
                    "n0": int(at["n0"]),
                    "samples": m.n,
                    "rule": rule,
                    "percent": m.value,
                    "se": m.se,
                }
            )
    return pd.DataFrame(rows)


def at_equal_means(shares: pd.DataFrame, rule: Rule, n0: int) -> Measured:
    """Share of reversals among samples with n0 cases of class 0, percent, from :func:`proportions`."""
    one = shares[(shares["rule"] == rule) & (shares["distance"] == 0) & (shares["n0"] == n0)].to_dict("records")[0]
    return Measured(float(one["percent"]), float(one["se"]), int(one["samples"]))


def figure_16(p: ReversalParameters, run: Run) -> Regenerated:
    """Figure 16: how the true errors of reversed and unreversed classifiers are distributed.

    Returns
    -------
    Regenerated
        Own rows, percent: the share of reversed classifiers, and of the unreversed the shares
        up to five points above the inherent error and in the last bin below one half.  Data
        ``counts``: one row a rule, size, distance, group and bin.
    """
    results = run(
        distribution_study(
            p.figure_16_sizes, p.figure_16_distances, p.samples, p.batches, p.bins, list(p.reversal_rules), p.seed
        )
    )
    totals = results.groupby(["n", "distance"], sort=True).sum(numeric_only=True)
    edges = np.linspace(0.0, 1.0, p.bins + 1)
    rows: list[Row] = []
    counts: list[pd.DataFrame] = []
    checks: list[Check] = []
    for rule in p.reversal_rules:
        shares: dict[tuple[int, float], float] = {}
        spikes: list[str] = []
        spiked: list[bool] = []
        for n, d in totals.index:
            back, straight = (
                totals.loc[(n, d), [f"{rule}/{g}/{b}" for b in range(p.bins)]].to_numpy(dtype=float)
                for g in ("reversed", "unreversed")
            )
            drawn = int(back.sum() + straight.sum())
            inherent = TwoNormals(d).inherent_error
            last = int(np.searchsorted(edges, _HALF - 1e-9)) - 1
            near = straight[(edges[1:] > inherent) & (edges[:-1] < inherent + _NEAR)].sum()
            for column, m in (
                ("reversed-percent", share_reversed(back.sum(), drawn)),
                ("unreversed-near-inherent-percent", share_reversed(near, int(straight.sum()))),
                ("unreversed-last-bin-percent", share_reversed(straight[last], int(straight.sum()))),
            ):
                rows.append(Row(READINGS[rule], f"N={n}/distance={d:g}", column, m.value, m.se, m.n))
            shares[(n, d)] = 100 * back.sum() / drawn
            if straight[last - 1 : last + 1].sum() >= _FEWEST:
                spiked.append(bool(straight[last] > straight[last - 1]))
            spikes.append(f"{straight[last]:.0f} after {straight[last - 1]:.0f} (N = {n}, distance {d:g})")
            for group, values in (("reversed", back), ("unreversed", straight)):
                counts.append(
                    pd.DataFrame(
                        {
                            "rule": rule,
                            "n": n,
                            "distance": d,
                            "group": group,
                            "left": edges[:-1],
                            "right": edges[1:],
                            "count": values,
                        }
                    )
                )
        checks += _checks_16(READINGS[rule], shares, spikes, spiked)
    return Regenerated(rows, {"counts": pd.concat(counts, ignore_index=True)}, checks)


def _checks_16(
    reading: str, shares: dict[tuple[int, float], float], spikes: list[str], spiked: list[bool]
) -> list[Check]:
    falls = [
        shares[b] < shares[a]
        for a in shares
        for b in shares
        if (b[0] > a[0] and b[1] == a[1]) or (b[0] == a[0] and b[1] > a[1])
    ]
    return [
        Check(
            f"Reversals grow rarer as the sample size or the distance of the means increases. [{reading}]",
            ", ".join(f"{s:.2f} % at N = {n}, distance {d:g}" for (n, d), s in shares.items()),
            "not decided" if not falls else "holds" if all(falls) else "holds in part" if any(falls) else "fails",
        ),
        Check(
            f"The true errors of unreversed classifiers have a tail that ends in a spike at 50 %. [{reading}]",
            "counts in the last bin below 50 % after the one before it: " + ", ".join(spikes),
            "not decided" if not spiked else "holds" if all(spiked) else "holds in part" if any(spiked) else "fails",
        ),
    ]


def figure_17(p: ReversalParameters, run: Run) -> Regenerated:
    """Figures 17a to d: true error of reversed classifiers, difference, likelihood and their product.

    Returns
    -------
    Regenerated
        The printed keys in every reading; a coefficient's standard error is what the Monte
        Carlo error of the simulated cells makes of it.  Data ``cells``, ``fits`` (with
        the weighted fits beside), ``proportions``.
    """
    results = run(reversals_study(p.sizes, p.distances, p.samples, p.batches, list(p.reversal_rules), p.seed))
    shares = proportions(p, run)
    rows: list[Row] = []
    checks: list[Check] = []
    findings: list[str] = []
    cells, fits = [], []
    made: dict[Rule, tuple[Cells, dict[str, Fit]]] = {}
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        c = cells_of(results, rule)
        own = {name: fit_model(name, c, p.least_likelihood) for name in MODELS}
        weighted = {name: fit_model(name, c, p.least_likelihood, weighted=True) for name in MODELS}
        peak = find_peak(c, p.slow_change, Streams(p.seed).child("martin-hirschberg-reversal-peak").generator())
        made[rule] = (c, own)
        rows += _rows_of_fits(reading, own, c) + _rows_of_likelihood(rule, own["likelihood"], shares, p, c.samples)
        rows += [Row(reading, "expected-increase", key, m.value, m.se, c.samples) for key, m in peak.keys().items()]
        checks += _checks_17(rule, c, own, peak, p)
        findings.append(_finding(reading, own, weighted, c, p))
        cells.append(c.frame().assign(rule=rule))
        fits += [_frame(rule, own, "none"), _frame(rule, weighted, "1/se²")]
    data = {
        "cells": pd.concat(cells, ignore_index=True),
        "fits": pd.concat(fits, ignore_index=True),
        "proportions": shares,
    }
    return Regenerated(rows, data, checks, findings, _errata_17(made, p))


def _rows_of_fits(reading: str, fits: dict[str, Fit], cells: Cells) -> list[Row]:
    return [
        Row(reading, name, f"k{j}", value, se, cells.samples)
        for name, fit in fits.items()
        for j, (value, se) in enumerate(zip(fit.coefficients, fit.errors, strict=True))
    ]


def _rows_of_likelihood(rule: Rule, fit: Fit, shares: pd.DataFrame, p: ReversalParameters, samples: int) -> list[Row]:
    reading = READINGS[rule]
    # the second term grows with the distance to k3/(N - 2)^2
    largest = {n: abs(fit.coefficients[3]) / (n - 2) ** 2 for n in sorted(p.sizes)}
    first = next((n for n in largest if largest[n] < p.insignificant), None)
    rows = []
    if first is not None:
        rows.append(Row(reading, "likelihood", "second-term-insignificant-from-N", float(first), 0.0, samples))
    for key, n0 in (("1:1", p.proportions_size // 2), (f"{p.proportions_size - 1}:1", p.proportions_size - 1)):
        m = at_equal_means(shares, rule, n0)
        rows.append(Row(reading, "likelihood", f"at-equal-means-{key}-percent", m.value, m.se, m.n))
    return rows


def _frame(rule: str, fits: dict[str, Fit], weights: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rule": rule,
                "model": name,
                "weights": weights,
                "coefficient": f"k{j}",
                "value": value,
                "se": se,
                "cells": fit.cells,
                "rms": fit.rms,
                "misfit": fit.misfit,
            }
            for name, fit in fits.items()
            for j, (value, se) in enumerate(zip(fit.coefficients, fit.errors, strict=True))
        ]
    )


def _finding(reading: str, fits: dict[str, Fit], weighted: dict[str, Fit], c: Cells, p: ReversalParameters) -> str:
    def numbers(fit: Fit) -> str:
        return ", ".join(f"{k:.3g}" for k in fit.coefficients if np.isfinite(k)) or "no fit"

    parts = [
        f"{_WORDS[name]} {numbers(fit)} (misses by {100 * fit.rms:.2f} points, root mean square; weighted by Monte "
        f"Carlo error the fit gives {numbers(weighted[name])})"
        for name, fit in fits.items()
    ]
    return (
        f"*{reading}*: coefficients k0, k1, ... of {'; '.join(parts)}. Means over reversed classifiers are fitted in "
        f"the {fits['mean-true-error'].cells} of {c.n.size} cells where at least {100 * p.least_likelihood:.3g} % of "
        "samples are reversed."
    )


_WORDS = {"mean-true-error": "17a", "mean-difference": "17b", "likelihood": "17c"}


def _checks_17(rule: Rule, c: Cells, fits: dict[str, Fit], peak: Peak, p: ReversalParameters) -> list[Check]:
    reading = READINGS[rule]
    enough = c.likelihood >= p.least_likelihood
    checks = []
    rises = [np.diff(c.reversed_error[i][enough[i]]) for i in range(len(c.n))]
    every = np.concatenate(rises) if rises else np.empty(0)
    ends = c.reversed_error[0][enough[0]]
    if every.size:
        checks.append(
            Check(
                f"A reversed classifier's true error rises with the distance from 50 % towards 100 %. [{reading}]",
                f"it rises in {100 * np.mean(every > 0):.0f} % of steps from one distance to the next; at N = "
                f"{c.n[0, 0]:.0f} from {100 * ends[0]:.1f} to {100 * ends[-1]:.1f} %",
                "holds" if np.mean(every > 0) > 0.95 else "holds in part" if np.mean(every > 0) > 0.5 else "fails",
            )
        )
    falls = np.diff(c.likelihood, axis=1)
    noise = np.hypot(c.likelihood_se[:, 1:], c.likelihood_se[:, :-1])
    checks.append(
        Check(
            f"The likelihood of a reversal falls with the distance. [{reading}]",
            f"from one distance to the next it rises by more than three standard errors in "
            f"{int((falls > 3 * noise).sum())} of {falls.size} steps",
            "holds" if not (falls > 3 * noise).any() else "holds in part",
        )
    )
    well = {name: f"{_WORDS[name]} {100 * fit.rms:.1f}" for name, fit in fits.items()}
    worst = max((fit.rms for fit in fits.values()), default=np.nan)
    checks.append(
        Check(
            f"The three models fit well. [{reading}]",
            "root mean square missed, points: " + ", ".join(well.values()),
            "not decided" if not np.isfinite(worst) else "holds" if worst < 0.01 else "holds in part",
        )
    )
    first = c.increase[1:, 0] if len(c.n) > 2 else c.increase[:, 0]
    span = f"{100 * first.min():.2f} and {100 * first.max():.2f} points"
    checks.append(
        Check(
            f"At a distance of {c.distance[0, 0]:g} the product is nearly independent of the sample size. [{reading}]",
            f"from N = {c.n[min(1, len(c.n) - 1), 0]:.0f} on it lies between {span}",
            "holds" if first.max() < 1.25 * first.min() else "fails",
        )
    )
    checks.append(
        Check(
            f"The place and the height of the product's peak change slowly for larger samples. [{reading}]",
            peak.words(100 * p.slow_change),
            "holds" if peak.slow.value < max(p.sizes) else "not decided",
        )
    )
    return checks


def _errata_17(made: dict[Rule, tuple[Cells, dict[str, Fit]]], p: ReversalParameters) -> list[Erratum]:
    if set(made) != set(RULES):
        return []
    found = []
    k1 = {
        READINGS[r]: (fits["mean-difference"].coefficients[1], fits["mean-difference"].errors[1])
        for r, (_, fits) in made.items()
    }
    found.append(
        Erratum(
            "Appendix, model of Figure 17b",
            "k1 ≈ 9.5",
            "no reading of the reversal rule gives it together with the other coefficients; likely a misprint",
            "Fitted: " + ", ".join(f"{v:.1f} ± {1.96 * se:.1f} under *{r}*" for r, (v, se) in k1.items()) + ".",
        )
    )
    c, fits = made["below-minus-one"]
    j = int(np.argmin(np.abs(c.distance[0] - 1.0)))
    deficit = 100 * (1 - c.inherent - c.reversed_error)[:, j]
    i = min(1, len(deficit) - 1)
    factor, expected = deficit[i] / deficit[-1], c.n[-1, 0] / c.n[i, 0]
    constant = fits["mean-true-error"]
    if np.isfinite(factor) and factor < expected / 2:
        found.append(
            Erratum(
                "Appendix, on Figures 17a and 17b",
                "the true error of a reversed classifier appears to be 1 − I − O(1/N), the difference 1 − 2I − O(1/N)",
                "the term that is subtracted does not vanish as N grows: the models printed there have a constant k0",
                f"At a distance of {c.distance[0, j]:g} it is {deficit[i]:.1f} points at N = {c.n[i, 0]:.0f} and "
                f"{deficit[-1]:.1f} at N = {c.n[-1, 0]:.0f}, {factor:.1f} times less where 1/N is {expected:.0f} times "
                f"less; k0 of 17a is {constant.coefficients[0]:.2f} ± {1.96 * constant.errors[0]:.2f} "
                "(*fitted:below-minus-one*).",
            )
        )
    return found
