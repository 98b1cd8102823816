"""Section 6's trees under noise: Figures 12 to 14, and the correlations of Table 15's upper half.

Printed numbers are statistics of six samples of a size and a noise level; the claims that the
text makes are judged on all samples of a cell at once.
"""

from __future__ import annotations

from math import nan

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.artifact import artifact
from errorest.evidence.claims import clear, graded, signed
from errorest.evidence.monte_carlo import Measured, average
from errorest.evidence.records import each, matching, smallest
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.martin_hirschberg.lenses.artifacts import CLAIMS, noisy
from errorest.papers.martin_hirschberg.lenses.experiment import ESTIMATORS, READINGS, LensesParameters
from errorest.papers.martin_hirschberg.lenses.figures import (
    draw_figure_12,
    draw_figure_13,
    draw_figure_14,
    draw_table_15,
)
from errorest.papers.martin_hirschberg.lenses.groups import Groups, correlation, deviation, noise_key
from errorest.papers.martin_hirschberg.names import worded

__all__ = ["figure_12", "figure_13", "figure_14", "table_15"]

_SPLIT = 10.0  # the claim that is checked, percent; no result is computed from it
_NEGLIGIBLE = 1.0
"""A mean bias up to this many points, and not clearly more, is approximately none."""

_SMOOTH = ("bootstrap-632", "loo-star")
_PARTNERS = {"correlation-with-ter": ("true-error", ("cv-10", *_SMOOTH)), "correlation-with-cv-10": ("cv-10", _SMOOTH)}


def _means(cells: list[Groups], *columns: str) -> tuple[pd.DataFrame, list[Row]]:
    """Mean of each column in percent, by reading, noise and size, as frame and as rows."""
    found = [(g, column, g.of(column)) for g in cells for column in columns]
    frame = pd.DataFrame(
        {"reading": g.inducer, "noise": g.noise, "n": g.n, "column": column, "value": m.value, "se": m.se}
        for g, column, m in found
    )
    return frame, [Row.of(g.reading, column, f"mean-percent/{g.key}", m) for g, column, m in found]


def _grid(table: pd.DataFrame, p: LensesParameters, column: str) -> tuple[np.ndarray, np.ndarray]:
    """The headline's means and their errors, shape (noises, sizes), both ascending."""
    own = matching(table, reading=p.noise_readings[0], column=column)
    shape = (len(p.noise_levels), len(p.noise_sizes))
    return own["value"].to_numpy().reshape(shape), own["se"].to_numpy().reshape(shape)


@artifact(
    "martin-hirschberg-figure-12",
    "Figure 12",
    "True error by sample size and noise",
    "Mean true error in percent, by the paper's formula and exactly.",
    draw=draw_figure_12,
)
def figure_12(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 12: mean true error by sample size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows; beside the true error by the paper's formula the exact one.  Data ``means``.
    """
    table, rows = _means(noisy(p, run), "true-error", "exact-error")
    reading = READINGS[p.noise_readings[0]]
    noises, sizes = sorted(p.noise_levels), sorted(p.noise_sizes)
    (true, error), (exactly, _) = (_grid(table, p, c) for c in ("true-error", "exact-error"))
    excess = true - 100 * np.array(noises)[:, None]
    falling = np.diff(true, axis=1) < 1.96 * np.hypot(error[:, 1:], error[:, :-1])
    ends = "; ".join(
        f"{noise_key(q)}: {left:.1f} points above p at N = {sizes[0]}, {right:.1f} at N = {sizes[-1]}"
        for q, left, right in zip(noises, excess[:, 0], excess[:, -1], strict=True)
    )
    last = ", ".join(f"{v:.2f} at {noise_key(q)}" for q, v in zip(noises, excess[:, -1], strict=True))
    checks = [
        Check(
            f"The true error falls with the sample size towards the inherent error, from above. [{reading}]",
            ends,
            graded([falling.all(), (true[:, -1] < true[:, 0]).all(), (excess > -1e-9).all()]),
        ),
        Check(
            f"The larger the noise, the more slowly the true error approaches its limit. [{reading}]",
            f"points above p that are left at N = {sizes[-1]}: {last}",
            graded([(np.diff(excess[:, -1]) > 0).all(), excess[-1, -1] > excess[0, -1]])
            if len(noises) > 1
            else "holds",
        ),
    ]
    i, j = np.unravel_index(np.argmax(exactly - true), true.shape)
    erratum = Erratum(
        "Section 6, the formula of TER",
        "a wrong prediction is charged 1 − p",
        "it is charged 1 where it is the third class, which no label of the cell ever is",
        f"The mean true error by the formula and exactly, where they differ most ({noise_key(noises[i])}, "
        f"N = {sizes[j]}): {true[i, j]:.1f} and {exactly[i, j]:.1f} %.",
    )
    return Regenerated(rows, {"means": table}, checks, errata=[erratum])


@artifact(
    "martin-hirschberg-figure-13",
    "Figure 13",
    "Apparent error and leave-one-out by sample size and noise",
    "Mean estimates in percent.",
    draw=draw_figure_13,
)
def figure_13(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 13: mean apparent error and leave-one-out by sample size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows.  Data ``means``, the true error included.
    """
    table, rows = _means(noisy(p, run), "resubstitution", "loo", "true-error")
    limits = 100 * np.array(sorted(p.noise_levels))[:, None]
    (apparent, apparent_se), (loo, loo_se) = (_grid(table, p, c) for c in ("resubstitution", "loo"))
    low, high = apparent - limits, loo - limits
    within = 1.96 * apparent_se, 1.96 * loo_se
    nearer = (np.abs(low) - within[0])[:, -1] < np.abs(low)[:, 0]
    checks = [
        Check(
            f"{words} approaches its limit from {side}. [{READINGS[p.noise_readings[0]]}]",
            f"{int(right.sum())} of {right.size} means are not clearly {other} p; from {signed(gap[-1, 0])} points at "
            f"the smallest to {signed(gap[-1, -1])} at the largest size for the most noise",
            graded([right.all(), approaches.all()]),
        )
        for words, side, other, gap, right, approaches in (
            ("The apparent error", "below", "above", low, low < within[0], nearer),
            ("Leave-one-out", "above", "below", high, high > -within[1], loo[:, -1] < loo[:, 0]),
        )
    ]
    return Regenerated([r for r in rows if r.row != "true-error"], {"means": table}, checks)


@artifact(
    "martin-hirschberg-figure-14",
    "Figure 14",
    "Mean estimate against mean true error",
    "Means and standard deviations of six samples, in percent, and the true error at which 632b's bias changes sign.",
    draw=draw_figure_14,
)
def figure_14(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 14: mean estimates against mean true error for every size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows: means, standard deviations of each estimate (of six samples), and where a straight
        line through the mean biases of 632b changes sign (the printed claim's key, under
        ``martin-hirschberg-claims``).  Data ``means`` (columns as :func:`figure_12`), ``biases`` (one row a
        cell and estimator: bias and standard deviation over all samples, with their errors) and ``overall`` (mean
        bias over the cells).
    """
    cells = noisy(p, run)
    table, rows = _means(cells, "true-error", *ESTIMATORS)
    crossings = {}
    for name in p.noise_readings:
        own = [g for g in cells if g.inducer == name]
        crossings[name] = _sign_change(own)
        rows += [Row.of(g.reading, e, f"std-percent/{g.key}", g.over(deviation, e)) for g in own for e in ESTIMATORS]
        rows.append(
            Row.of(READINGS[name], "text", "632-tree-bias-changes-sign-at-percent", crossings[name], CLAIMS),
        )
    first = p.noise_readings[0]
    biases = _biases([g.whole for g in cells if g.inducer == first])
    overall = {e: _overall(biases, e) for e in ESTIMATORS}
    data = {
        "means": table,
        "biases": biases,
        "overall": pd.DataFrame({"estimator": e, "bias": m.value, "se": m.se} for e, m in overall.items()),
    }
    if p.noise_realizations == 1:
        return Regenerated(rows, data)
    reading = READINGS[first]
    unbiased, biased = _checks_of_bias(overall, reading)
    alike, steadier, variable = _checks_of_spread(biases, reading)
    checks = [unbiased, alike, steadier, biased, variable, *_checks_of_sign(biases, reading)]
    return Regenerated(rows, data, checks, [_finding_14(biases, crossings[first], reading)])


def _biases(cells: list[Groups]) -> pd.DataFrame:
    found = []
    for g in cells:
        for e in ESTIMATORS:
            bias, spread = g.bias(e), accuracy.standard_deviation(g[e])
            of = {"noise": g.noise, "n": g.n, "estimator": e, "true_error": g["true-error"].mean()}
            found.append({**of, "bias": bias.value, "bias_se": bias.se, "std": spread.value, "std_se": spread.se})
    return pd.DataFrame(found)


def _overall(biases: pd.DataFrame, estimator: str) -> Measured:
    return average(Measured(r.bias, r.bias_se, 1) for r in each(matching(biases, estimator=estimator)))


def _sign_change(cells: list[Groups]) -> Measured:
    """True error where a line through the cells' mean biases of 632b is zero; NaN where it does not fall.

    The value of several realizations is that of all their samples; the error comes from the single ones.
    """
    means = np.array(
        [
            [g.each(np.mean, "true-error"), g.each(lambda e, t: (e - t).mean(), "bootstrap-632", "true-error")]
            for g in cells
        ]
    )
    each = np.array([_zero_of(means[:, :, i]) for i in range(means.shape[2])])
    usable = each[np.isfinite(each)]
    # a nearly level line has its zero anywhere: quartiles, not moments, measure the spread
    spread = float(np.subtract(*np.percentile(usable, [75, 25]))) / 1.349 if usable.size > 3 else nan
    shown = cells[0].shown
    value = _zero_of(np.array([[g.whole["true-error"].mean(), g.whole.bias("bootstrap-632").value] for g in cells]))
    return Measured(value, spread / float(np.sqrt(shown)), cells[0].size * shown)


def _zero_of(points: np.ndarray) -> float:
    """Where the least-squares line through (true error, bias), shape (cells, 2), falls through zero."""
    x, y = points[:, 0] - points[:, 0].mean(), points[:, 1]
    if x.size < 2 or not (x**2).sum():
        return nan
    slope = float(x @ y / (x @ x))
    return float(points[:, 0].mean() - y.mean() / slope) if slope < 0 else nan


def _checks_of_bias(overall: dict[str, Measured], reading: str) -> list[Check]:
    def said(*names: str) -> str:
        return worded({e: overall[e] for e in names}, 2)

    folds, stars = ("loo", "cv-10"), ("repeated-cv-2", "loo-star")
    return [
        Check(
            f"Leave-one-out and 10-CV are unbiased. [{reading}]",
            f"mean bias over all sizes and noise levels, points: {said(*folds)}",
            graded([abs(overall[e].value) - 1.96 * overall[e].se <= _NEGLIGIBLE for e in folds]),
        ),
        Check(
            f"2-CV\\* and LOO\\* are biased. [{reading}]",
            f"mean bias, points: {said(*stars)}",
            graded([clear(overall[e]) for e in stars]),
        ),
    ]


def _checks_of_spread(biases: pd.DataFrame, reading: str) -> list[Check]:
    spread = {e: own["std"].to_numpy() for e, own in biases.groupby("estimator")}
    loo, cv, boot = (spread[e] for e in ("loo", "cv-10", "bootstrap-632"))
    folds, steadier = cv / loo, boot < np.minimum(loo, cv)
    half, star, below = (float(np.mean(spread[e] / cv)) for e in ("repeated-cv-2", "loo-star", "bootstrap-632"))
    return [
        Check(
            f"They have about the same precision. [{reading}]",
            f"standard deviation of 10-CV over that of LOO: {folds.min():.2f} to {folds.max():.2f} in the "
            f"{folds.size} cells, {folds.mean():.2f} on average",
            graded(abs(folds.mean() - 1) < 0.1),
        ),
        Check(
            f"The standard deviation of 632b is lower than that of LOO or 10-CV. [{reading}]",
            f"lower in {int(steadier.sum())} of {steadier.size} cells, on average {100 * below:.0f} % of 10-CV's",
            graded([steadier.all(), below < 1]),
        ),
        Check(
            f"2-CV\\* and LOO\\* are highly variable. [{reading}]",
            f"their standard deviations average {100 * half:.0f} and {100 * star:.0f} % of 10-CV's",
            graded([half > 1, star > 1]),
        ),
    ]


def _checks_of_sign(biases: pd.DataFrame, reading: str) -> list[Check]:
    own = matching(biases, estimator="bootstrap-632")
    high = (own["true_error"] >= _SPLIT).to_numpy()
    if high.all() or not high.any():
        return []
    up = (own["bias"] > 1.96 * own["bias_se"]).to_numpy()
    down = (own["bias"] < -1.96 * own["bias_se"]).to_numpy()
    return [
        Check(
            f"632b is pessimistic below 10 % true error and optimistic above. [{reading}]",
            f"clearly pessimistic in {up[~high].sum()} of {(~high).sum()} cells below; above, clearly optimistic in "
            f"{down[high].sum()} of {high.sum()} and clearly pessimistic in {up[high].sum()}",
            graded([*up[~high], *down[high]]),
        )
    ]


def _finding_14(biases: pd.DataFrame, crossing: Measured, reading: str) -> str:
    most = smallest(matching(biases, estimator="bootstrap-632"), "bias")
    return (
        f"*{reading}*: a straight line through the mean biases of 632b changes sign at a true error of "
        f"{crossing.value:.0f} % (standard error {crossing.se:.1f}). "
        "But the true error does not decide the sign: 632b is most optimistic "
        f"({signed(most.bias)} points) at N = {most.n:.0f} and {noise_key(float(most.noise))}, and with larger "
        "samples of the same population the optimism goes. "
        "A limit in percent of error describes these populations, not 632b."
    )


@artifact(
    "martin-hirschberg-table-15",
    "Table 15, upper half",
    "Correlations of six samples under noise",
    "Correlation coefficients of six pairs; with more repeats, their mean over groups of six.",
    draw=draw_table_15,
)
def table_15(p: LensesParameters, run: Run) -> Regenerated:
    """Table 15, upper half: correlations over six samples of each size and noise.

    Returns
    -------
    Regenerated
        Printed keys: r of six pairs, at more realizations its mean over groups of six.  Data ``pooled``: r over
        all samples of each cell, with its error.
    """
    rows: list[Row] = []
    pooled = []
    for g in noisy(p, run):
        for column, (partner, names) in _PARTNERS.items():
            for e in names:
                rows.append(Row.of(g.reading, f"{e}/{g.key}", column, g.over(correlation, e, partner)))
                r = g.whole.correlation(e, partner)
                of = {"reading": g.inducer, "estimator": e, "n": g.n, "noise": g.noise, "column": column}
                pooled.append({**of, "value": r.value, "se": r.se, "samples": r.n})
    rows = [r for r in rows if np.isfinite(r.value)]
    table = pd.DataFrame(pooled)
    own = matching(table, reading=p.noise_readings[0]).dropna(subset="value")
    checks = _checks_15(own, p) if p.noise_realizations > 1 else []
    spreads = np.array([r.se * np.sqrt(r.n / p.samples) for r in rows])
    if not np.isfinite(spreads).any():
        return Regenerated(rows, {"pooled": table}, checks)
    said = (
        f"The median standard deviation of a correlation of {p.samples} pairs is {np.nanmedian(spreads):.2f} in these "
        "cells, so a printed value says little more than which of the two blocks it stands in."
    )
    return Regenerated(rows, {"pooled": table}, checks, [said])


def _averages(table: pd.DataFrame) -> dict[str, Measured]:
    """Mean correlation of each estimator over the cells of a table."""
    return {
        e: average(Measured(r.value, r.se, r.samples) for r in each(matching(table, estimator=e)))
        for e in _PARTNERS["correlation-with-ter"][1]
    }


def _checks_15(table: pd.DataFrame, p: LensesParameters) -> list[Check]:
    reading = READINGS[p.noise_readings[0]]
    true, mutual = (matching(table, column=column) for column in _PARTNERS)
    by_noise = {float(str(q)): _averages(own) for q, own in true.groupby("noise", sort=True)}
    every = [m for own in by_noise.values() for m in own.values()]
    none = [not clear(m) for m in every]
    sizes, least = sorted(p.noise_sizes)[:2], min(by_noise)
    few = _averages(matching(true[true["n"].isin(sizes)], noise=least))
    text = "; ".join(f"{noise_key(q)}: {worded(own, 2)}" for q, own in by_noise.items())
    return [
        Check(
            f"The estimators do not correlate well with the true error. [{reading}]",
            f"mean correlation over the sizes: {text}. All are weak, {sum(none)} of {len(none)} within 1.96 standard "
            "errors of none",
            graded([abs(m.value) < 0.5 for m in every]),
        ),
        Check(
            f"The weak correlation is negative for small samples and little noise. [{reading}]",
            f"mean over N = {' and '.join(map(str, sizes))} at {noise_key(least)}: {worded(few, 2)}",
            graded([clear(m, -1) for m in few.values()]),
        ),
        Check(
            f"The estimators correlate with one another. [{reading}]",
            f"with 10-CV over all samples of a cell: from {mutual['value'].min():.2f} to {mutual['value'].max():.2f}",
            graded(mutual["value"].min() > true["value"].max(), "holds in part"),
        ),
    ]
