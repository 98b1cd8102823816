"""Figures 6 and 7: bias of an estimate as a function of the true error it estimates.

Figure 6 repeats the whole experiment to see how many window means leave the first one's limits.  Of
Figure 7 the paper reads off from which size a bias is negligible without saying what that means; a
criterion is set here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isnan, nan

import numpy as np
import pandas as pd
from scipy import special

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, clear, near
from compendium.evidence.estimate import Estimate, exact, plus_minus
from compendium.evidence.regenerated import Erratum, Regenerated, Row, Run, rows_of
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.samples import Samples
from compendium.papers.martin_hirschberg.windows.experiment import (
    ITERATED,
    WindowsParameters,
    curves_study,
    repeats_study,
)
from compendium.papers.martin_hirschberg.windows.figures import draw_figure_6, draw_figure_7
from compendium.papers.martin_hirschberg.windows.statistics import (
    HALF,
    ROUNDING,
    below_half,
    between,
    curve,
    where_estimated_half,
    windows_of,
    windows_of_sets,
)

__all__ = ["figure_6", "figure_7"]

_ALIKE = 0.1
"""A ratio this close to one is one."""

_SAME = 2.0
"""Curves that differ by less than so many points are virtually identical."""

_DENSE = 20
"""Samples on both sides from which a window's mean is judged by normal theory."""


def _said(m: Estimate, digits: int = 2) -> str:
    return plus_minus(m, "+", digits)


def _columns(windows: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: windows[name].to_numpy() for name in ("window", "n", "estimate", "se")}


def _judged(first: Mapping[str, np.ndarray], later: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Judge later window means by the first one's limits of two standard errors.

    A window that the first experiment left empty is judged by limits interpolated between
    its neighbours (footnote 15 leaves that to the eye).
    """
    at, centre = first["window"], later["window"]
    low, high = (np.interp(centre, at, first["estimate"] + k * first["se"]) for k in (-2, 2))
    places = np.minimum(np.searchsorted(at, centre), len(at) - 1)
    own = at[places] == centre
    counts = np.where(own, first["n"][places], 0)
    return {
        "low": low,
        "high": high,
        "interval": own,
        "outside": (later["estimate"] < low) | (later["estimate"] > high),
        "dense": (later["n"] >= _DENSE) & (counts >= _DENSE),
    }


class _Rotations:
    """Every experiment of a realization in turn plays the first; the true first comes first."""

    def __init__(self, windows: list[pd.DataFrame], p: WindowsParameters) -> None:
        size = 1 + p.figure_6_repeats
        totals = []
        for j in range(0, len(windows), size):
            group = [_columns(w) for w in windows[j : j + size]]
            for a in range(size):
                parts = [_judged(group[a], group[b]) for b in range(size) if b != a]
                inside, outside, dense = (
                    np.concatenate([p[k] for p in parts]) for k in ("interval", "outside", "dense")
                )
                totals.append((len(inside), outside.sum(), (~inside).sum(), dense.sum(), outside[dense].sum()))
        numbers = np.array(totals, dtype=float)
        self.windows, self.outside, self.without, self.dense, self.dense_outside = numbers.T
        self.share = 100 * self.outside / self.windows
        self.in_one = np.array([len(w) for w in windows], dtype=float)
        self.repeats, self.realizations = p.figure_6_repeats, p.realizations

    def rows(self, reading: str, key: str) -> list[Row]:
        """One realization: the first experiment's counts; more: means over all that play the first."""
        if self.realizations == 1:
            outside = float(np.sqrt(self.in_one[0] * _outside_variance(self.repeats)))
            share = 100 * outside / self.windows[0]
        else:
            outside, share = float(self.outside.std(ddof=1)), float(self.share.std(ddof=1))
        windows = float(self.in_one.std(ddof=1) * np.sqrt(self.repeats))
        word = "six" if self.repeats == 6 else str(self.repeats)
        rows = []
        for column, values, spread in (
            (f"windows-in-{word}-repeats", self.windows, windows),
            ("outside-interval", self.outside, outside),
            ("outside-interval-percent", self.share, share),
        ):
            value = values[0] if self.realizations == 1 else values.mean()
            se = spread / np.sqrt(self.realizations)
            rows.append(Row(reading, key, column, float(value), float(se), self.repeats * self.realizations))
        return rows


def _outside_variance(repeats: int) -> float:
    """Variance of how many of one window's repeated means leave its limits of two standard errors.

    For equally precise normal means; all repeats share the error of the first mean, which
    makes the counts vary more than a binomial.
    """
    z = np.linspace(-8, 8, 3201)
    density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    chance = special.ndtr(z - 2) + special.ndtr(-z - 2)
    mean = float(density @ chance)
    between = float(density @ (chance - mean) ** 2)
    return repeats * float(density @ (chance * (1 - chance))) + repeats**2 * between


# where two independent, equally precise means make one expect the other beyond two standard errors, percent
_EXPECTED = 200 * float(special.ndtr(-np.sqrt(2.0)))


@artifact("martin-hirschberg-figure-6", draw=draw_figure_6)
def figure_6(p: WindowsParameters, run: Run) -> Regenerated:
    """Figures 6a to 6d: 2-CV* against true error, window means, repeats and splines."""
    key = f"{ITERATED}/N={p.sizes[0]}"
    made = Regenerated()
    tables: dict[str, list[pd.DataFrame]] = {}
    for rule, samples in repeats_study(p, run).items():
        windows = list(windows_of_sets(samples, p.window))
        turns = _Rotations(windows, p)
        rows = _reversed(samples, READINGS[rule], key, p) + turns.rows(READINGS[rule], key)
        for name, table in _figure_6_data(samples, windows, rule, p).items():
            tables.setdefault(name, []).append(table)
        checks = [replace(c, reading=READINGS[rule]).check() for c in _claims_6(samples, windows, p)]
        own = Regenerated(rows, {}, checks).joined(_limits(turns, READINGS[rule]))
        # the erratum is shown once, in the headline's numbers
        made = made.joined(own if rule == p.reversal_rules[0] else Regenerated(own.rows, {}, own.checks, own.findings))
    return made.joined(Regenerated(data={k: pd.concat(v, ignore_index=True) for k, v in tables.items()}))


def _limits(turns: _Rotations, reading: str) -> Regenerated:
    """Judge the paper's reading of how many means lie outside the first experiment's limits."""
    dense = 100 * turns.dense_outside.sum() / turns.dense.sum() if turns.dense.sum() else nan
    text = (
        f"{turns.outside[0]:.0f} of {turns.windows[0]:.0f} window means ({turns.share[0]:.1f} %) of the repeats "
        "lie outside the first experiment's limits; when each experiment in turn plays the first, "
        f"{turns.share.mean():.1f} % on average and from {turns.share.min():.1f} to {turns.share.max():.1f} %. "
        f"Among windows of at least {_DENSE} samples on both sides it is {dense:.1f} %, where two independent, "
        f"equally precise means make one expect {_EXPECTED:.1f} %."
    )
    finding = (
        f"*{reading}*: {text} {turns.without[0]:.0f} means fell in a window that the first experiment left empty "
        "and were judged by limits interpolated between its neighbours."
    )
    # every realization with its repeats shares one first experiment: their shares tell the error
    each = 100 * turns.dense_outside / np.where(turns.dense > 0, turns.dense, nan)
    measured = accuracy.mean(each[np.isfinite(each)]) if np.isfinite(each).sum() > 1 else Estimate(dense, nan, 1)
    claim = Claim(
        "About one mean in twenty of a repeat outside the first experiment's limits shows that these are good 95 % "
        "limits.",
        [below("share outside in the dense windows", measured, (5 + _EXPECTED) / 2, "%", 1, "")],
        reading,
        text.rstrip("."),
    )
    erratum = Erratum(
        "Section 3, on Figure 6c",
        "4.6 % of the repeats' window means outside the first experiment's limits are taken as a sign that "
        "these are very good 95 % limits.",
        f"A repeat's mean varies as well: of two equally precise means one lies outside the other's limits "
        f"of two standard errors with probability P(|Z| > sqrt 2) = {_EXPECTED:.1f} %. So low a share would "
        "mean limits that are too wide.",
        text,
    )
    return Regenerated([], {}, [claim.check()], [finding], [erratum] if claim.outcome == "fails" else [])


def _reversed(samples: Samples, reading: str, key: str, p: WindowsParameters) -> list[Row]:
    """Count true errors above one half in an experiment: in the first, or on average over all."""
    used = samples if p.realizations > 1 else samples.at(set=0)
    share = used.mean((used.true_error > HALF + ROUNDING).astype(float))
    size = p.samples * len(p.inherent_errors)
    return rows_of(reading, key, [("reversed", share * size), ("reversed-percent", share * 100)])


def _figure_6_data(
    samples: Samples, windows: list[pd.DataFrame], rule: str, p: WindowsParameters
) -> dict[str, pd.DataFrame]:
    first = samples.at(set=0)
    tables, splines = [], []
    for number, table in enumerate(windows[: 1 + p.figure_6_repeats]):
        judged = _judged(_columns(windows[0]), _columns(table))
        tables.append(table.assign(**judged, rule=rule, set=number))
        x, y = curve(table)
        splines.append(pd.DataFrame({"rule": rule, "set": number, "true_error": x, "estimate": y}))
    scatter = pd.DataFrame({"rule": rule, "true_error": first.true_error, "estimate": first.of(ITERATED)})
    return {"scatter": scatter, "windows": pd.concat(tables), "splines": pd.concat(splines)}


def _claims_6(samples: Samples, windows: list[pd.DataFrame], p: WindowsParameters) -> list[Claim]:
    n = p.sizes[0]
    far = samples.where(samples.true_error > HALF + 10 + ROUNDING)
    claims = [
        Claim(
            f"Below 50 % true error 2-CV* is pessimistic at N = {n}.",
            [above("mean bias", below_half(samples, ITERATED), unit="points")],
        )
    ]
    if far.n > 1:
        claims.append(
            Claim(
                f"Above 60 % true error 2-CV* is optimistic at N = {n}.",
                [below("mean bias", far.bias(ITERATED), unit="points", digits=1)],
            )
        )
    together = pd.concat(windows)
    many = together[together["n"] >= _DENSE]
    if len(many) > 1:
        ratio = accuracy.mean((many["own_se"] / many["se"]).to_numpy())
        claims.append(
            Claim(
                "In the denser windows the pooled standard errors are those computed from the window's own samples.",
                [near(f"own over pooled in windows of at least {_DENSE} samples", ratio, _ALIKE, of=1, sign="")],
            )
        )
    return claims + _claim_splines(windows[: 1 + p.figure_6_repeats])


def _claim_splines(windows: list[pd.DataFrame]) -> list[Claim]:
    curves = [curve(w) for w in windows]
    if any(x.size == 0 for x, _ in curves):
        return []
    end = min(float(x[-1]) for x, _ in curves)
    parts = []
    for where, at in (("below 50 %", np.arange(1.0, HALF)), ("above 50 %", np.arange(HALF, end))):
        if at.size:
            spread = np.ptp([np.interp(at, x, y) for x, y in curves], axis=0)
            parts.append(below(where, exact(float(spread.max())), _SAME, "points", 1, ""))
    return [
        Claim(
            f"The smoothing splines of the {len(windows)} experiments are virtually identical.",
            parts,
            context="the highest and the lowest differ at most by",
        )
    ]


_CURVES = ("cv-10", "bootstrap-632")


@artifact("martin-hirschberg-figure-7", draw=draw_figure_7)
def figure_7(p: WindowsParameters, run: Run) -> Regenerated:
    """Figure 7: the bias of 10-CV and 632b over the true error, at each size.

    The paper does not say when a bias is negligible.  Here it is where the mean bias over the
    samples with a true error below 50 % is smaller than ``p.negligible`` points, at that size
    and at all larger ones.
    """
    results = curves_study(p, run)
    made = Regenerated()
    tables: dict[str, list[pd.DataFrame]] = {}
    means = []
    for rule, samples in results.items():
        # the size from which a bias is negligible needs a criterion that the paper does not state
        reading = READINGS[rule] if rule != "literal" else f"unstated:below-{p.negligible:g}-points"
        biases: dict[str, dict[int, Estimate]] = {name: {} for name in _CURVES}
        for name in _CURVES:
            for n in sorted(p.sizes):
                part = samples.at(n=n)
                biases[name][n] = b = below_half(part, name)
                made.rows.append(Row.of(reading, name, f"mean-bias-below-50/N={n}", b))
                for table, own in _curve_of(part, name, p).items():
                    tables.setdefault(table, []).append(own.assign(rule=rule, estimator=name, N=n))
                means.append({"rule": rule, "estimator": name, "N": n, "bias": b.value, "se": b.se})
            value, se = _negligible_from(biases[name], p.negligible)
            # that it is so at no size is not for want of samples
            n = 0 if isnan(value) else p.samples * p.realizations
            made.rows.append(Row(reading, name, "bias-negligible-from-N", value, se, n))
        made.findings.extend(_findings_7(biases, reading, p))
        made.checks.extend(replace(c, reading=READINGS[rule]).check() for c in _claims_7(samples, biases, p))
    data = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return made.joined(Regenerated(data={**data, "means": pd.DataFrame(means)}, errata=_errata_7(results, p)))


def _curve_of(samples: Samples, name: str, p: WindowsParameters) -> dict[str, pd.DataFrame]:
    table = windows_of(samples.true_error, samples.of(name), samples.cell, p.window)
    table["bias"] = table["estimate"] - table["true_error"]
    x, y = curve(table, "bias")
    return {"windows": table, "curves": pd.DataFrame({"true_error": x, "bias": y})}


def _negligible_from(biases: dict[int, Estimate], limit: float) -> tuple[float, float]:
    """Return the least size from which all biases are within the limit, and its standard error.

    The error is that of the same statistic when each size's bias varies normally by its own
    standard error; no size is NaN, and counts in the error as twice the largest size.
    """
    sizes = sorted(biases)
    value = nan
    for n in reversed(sizes):
        if not abs(biases[n].value) < limit:
            break
        value = float(n)
    inside = np.array(
        [special.ndtr((limit - b) / se) - special.ndtr((-limit - b) / se) for b, se in _pairs(biases, sizes)]
    )
    tail = np.append(np.cumprod(inside[::-1])[::-1], 1.0)
    chance = np.diff(np.concatenate([[0.0], tail]))
    places = np.append(np.array(sizes, dtype=float), 2.0 * sizes[-1])
    mean = float(chance @ places)
    return value, float(np.sqrt(chance @ (places - mean) ** 2))


def _pairs(biases: dict[int, Estimate], sizes: list[int]) -> list[tuple[float, float]]:
    # populations whose classes never meet leave a bias that does not vary
    return [(biases[n].value, max(biases[n].se, 1e-12)) for n in sizes]


def _findings_7(biases: dict[str, dict[int, Estimate]], reading: str, p: WindowsParameters) -> list[str]:
    found = []
    for name, of in biases.items():
        text = ", ".join(f"{_said(b)} points at N = {n}" for n, b in of.items())
        value, se = _negligible_from(of, p.negligible)
        end = "at no size here" if isnan(value) else f"from N = {value:.0f} on (standard error {se:.0f})"
        found.append(
            f"*{reading}*: below 50 % true error {NAMES[name].symbol} has a mean bias of {text}; it is within "
            f"{p.negligible:g} points {end}. The paper names no criterion."
        )
    return found


def _claims_7(samples: Samples, biases: dict[str, dict[int, Estimate]], p: WindowsParameters) -> list[Claim]:
    sizes = sorted(p.sizes)
    n, largest = sizes[0], sizes[-1]
    cv, boot = biases["cv-10"], biases["bootstrap-632"]
    part = samples.at(n=n)
    under = part.where(part.true_error < HALF - ROUNDING)
    outward = [
        (1 if m[n].value >= 0 else -1) * under.difference(e) for e, m in (("cv-10", cv), ("bootstrap-632", boot))
    ]
    fall = [above(f"that minus the bias at N = {largest}", cv[n] - cv[largest], unit="points")]
    claims = [
        Claim(
            f"Below 50 % true error 10-CV is slightly pessimistic at N = {n}"
            f"{', less so at larger N' if largest > n else ''}.",
            [above(f"bias at N = {n}", cv[n], unit="points"), *(fall if largest > n else [])],
        ),
        Claim(
            "Below 50 % true error the bias of 632b is smaller than that of 10-CV.",
            [above(f"how much smaller at N = {n}", under.mean(outward[0] - outward[1]), unit="points")],
        ),
    ]
    limits = {"from 50 to 55 %": (HALF, 55), "above 55 %": (55, 100)}
    above_half = {
        f"{NAMES[e].symbol} {where}": between(part, e, *ends) for where, ends in limits.items() for e in _CURVES
    }
    if all(m.n > 1 for m in above_half.values()):
        claims.append(
            Claim(
                f"Above 50 % true error both estimators are pessimistic at N = {n}.",
                [above(name, m, unit="points", digits=1) for name, m in above_half.items()],
            )
        )
    return claims


def _errata_7(results: dict[str, Samples], p: WindowsParameters) -> list[Erratum]:
    """Return the slip of section 3 about estimated and true error, with our own numbers."""
    n = min(p.sizes)
    texts, high = [], []
    for rule, samples in results.items():
        part = samples.at(n=n)
        for name in _CURVES:
            picked, over = where_estimated_half(part, name), between(part, name, 55, 100)
            if picked.n > 1 and over.n > 1:
                high.append(picked)
                texts.append(
                    f"{NAMES[name].symbol} [{READINGS[rule]}]: {_said(picked, 1)} points where the estimate is at "
                    f"least 50 %, {_said(over, 1)} where the true error is above 55 %"
                )
    if not texts or any(not clear(m, 1) for m in high):
        return []
    return [
        Erratum(
            "Section 3, after Figure 7",
            "All estimators are said to be optimistic near or above 50 % estimated error, one sentence after both of "
            "Figure 7 are said to be pessimistic above 50 % true error.",
            "The optimism belongs to high true errors; where the estimate is high, it is too high.",
            f"Mean bias at N = {n}: " + "; ".join(texts) + ".",
        )
    ]
