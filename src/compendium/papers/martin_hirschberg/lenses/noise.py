"""Section 6's trees under noise: Figures 12 to 14, and the correlations of Table 15's upper half.

Printed numbers are statistics of six samples of a size and a noise level; the claims that the
text makes are judged on all samples of a cell at once.
"""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, apart, below, clear, equal, near
from compendium.evidence.estimate import Condition, Estimate, every, most, signed
from compendium.evidence.monte_carlo import average
from compendium.evidence.monte_carlo import correlation as correlation_of
from compendium.evidence.records import each, largest, matching, smallest
from compendium.evidence.regenerated import Erratum, Regenerated, Row, Run
from compendium.papers.martin_hirschberg.lenses.artifacts import CLAIMS, noisy
from compendium.papers.martin_hirschberg.lenses.experiment import ESTIMATORS, READINGS, LensesParameters
from compendium.papers.martin_hirschberg.lenses.figures import (
    draw_figure_12,
    draw_figure_13,
    draw_figure_14,
    draw_table_15,
)
from compendium.papers.martin_hirschberg.lenses.groups import Groups, deviation, noise_key
from compendium.papers.martin_hirschberg.names import NAMES, asked

__all__ = ["figure_12", "figure_13", "figure_14", "table_15"]

_SPLIT = 10.0  # the claim that is checked, percent; no result is computed from it
_NEGLIGIBLE = 1.0
"""A mean bias up to this many points, and not clearly more, is approximately none."""

_ALIKE = 0.1
"""A ratio of standard deviations this close to one is about one."""

_WEAK = 0.5
"""A correlation nearer to none than this is weak, one above it good."""

_STRONG = 0.5
"""A correlation of means above this is fairly strong."""

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
    """Figure 12: mean true error by sample size and noise, percent."""
    table, rows = _means(noisy(p, run), "true-error", "exact-error")
    reading = READINGS[p.noise_readings[0]]
    noises, sizes = sorted(p.noise_levels), sorted(p.noise_sizes)
    (true, error), (exactly, _) = (_grid(table, p, c) for c in ("true-error", "exact-error"))
    excess = true - 100 * np.array(noises)[:, None]
    rising = int((np.diff(true, axis=1) > 3 * np.hypot(error[:, 1:], error[:, :-1])).sum())
    of = [noise_key(q) for q in noises]
    n = p.samples * p.noise_realizations
    more = [
        Estimate(v, float(e), n)
        for v, e in zip(np.diff(excess[:, -1]), np.hypot(error[1:, -1], error[:-1, -1]), strict=True)
    ]
    claims = [
        Claim(
            "The true error falls with the sample size towards the inherent error, from above.",
            [
                every(f"at N = {sizes[-1]} minus at N = {sizes[0]}", _falls(of, true, error, n)),
                equal("steps that rise by more than three standard errors:", rising, 0),
            ],
            reading,
        ),
        Claim(
            "The larger the noise, the more slowly the true error approaches its limit.",
            [
                every(
                    f"points above p that are left at N = {sizes[-1]}, minus those at the noise before",
                    [above(key, m, unit="points") for key, m in zip(of[1:], more, strict=True)],
                )
            ],
            reading,
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
    return Regenerated(rows, {"means": table}, [c.check() for c in claims], errata=[erratum])


def _falls(names: list[str], mean: np.ndarray, error: np.ndarray, n: int) -> list[Condition]:
    """Ask that each row be lower at its end than at its beginning."""
    ends = zip(names, mean[:, -1] - mean[:, 0], np.hypot(error[:, -1], error[:, 0]), strict=True)
    return [below(name, Estimate(float(v), float(e), n), unit="points") for name, v, e in ends]


@artifact(
    "martin-hirschberg-figure-13",
    "Figure 13",
    "Apparent error and leave-one-out by sample size and noise",
    "Mean estimates in percent.",
    draw=draw_figure_13,
)
def figure_13(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 13: mean apparent error and leave-one-out by sample size and noise, percent."""
    table, rows = _means(noisy(p, run), "resubstitution", "loo", "true-error")
    limits = 100 * np.array(sorted(p.noise_levels))[:, None]
    (apparent, apparent_se), (loo, loo_se) = (_grid(table, p, c) for c in ("resubstitution", "loo"))
    of, n = [noise_key(q) for q in sorted(p.noise_levels)], p.samples * p.noise_realizations
    claims = []
    for words, side, mean, error in (
        ("The apparent error", below, apparent, apparent_se),
        ("Leave-one-out", above, loo, loo_se),
    ):
        up = -1 if side is below else 1
        means = zip(*np.nonzero(mean == mean), (mean - limits).ravel(), error.ravel(), strict=True)
        cells = [side(f"{of[i]}, size {j + 1}", Estimate(float(v), float(e), n), unit="points") for i, j, v, e in means]
        claims.append(
            Claim(
                f"{words} approaches its limit from {'above' if up > 0 else 'below'}.",
                [
                    most("mean minus p", cells),
                    every("distance, last size minus first", _falls(of, up * mean, error, n)),
                ],
                READINGS[p.noise_readings[0]],
            )
        )
    return Regenerated([r for r in rows if r.row != "true-error"], {"means": table}, [c.check() for c in claims])


@artifact(
    "martin-hirschberg-figure-14",
    "Figure 14",
    "Mean estimate against mean true error",
    "Means and standard deviations of {samples} samples, in percent, and the true error at which 632b's bias changes "
    "sign.",
    draw=draw_figure_14,
)
def figure_14(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 14: mean estimates against mean true error for every size and noise, percent."""
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
    claims = [*_claims_of_bias(overall), *_claims_of_spread(biases), *_claims_of_means(biases)]
    checks = [replace(claim, reading=reading).check() for claim in claims]
    return Regenerated(rows, data, checks, [_finding_14(biases, crossings[first], reading)])


def _biases(cells: list[Groups]) -> pd.DataFrame:
    found = []
    for g in cells:
        for e in ESTIMATORS:
            bias, spread = g.bias(e), accuracy.standard_deviation(g[e])
            of = {"noise": g.noise, "n": g.n, "estimator": e, "true_error": g["true-error"].mean(), "samples": bias.n}
            found.append({**of, "bias": bias.value, "bias_se": bias.se, "std": spread.value, "std_se": spread.se})
    return pd.DataFrame(found)


def _overall(biases: pd.DataFrame, estimator: str) -> Estimate:
    return average(Estimate(r.bias, r.bias_se, 1) for r in each(matching(biases, estimator=estimator)))


def _sign_change(cells: list[Groups]) -> Estimate:
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
    return Estimate(value, spread / float(np.sqrt(shown)), cells[0].size * shown)


def _zero_of(points: np.ndarray) -> float:
    """Where the least-squares line through (true error, bias), shape (cells, 2), falls through zero."""
    x, y = points[:, 0] - points[:, 0].mean(), points[:, 1]
    if x.size < 2 or not (x**2).sum():
        return nan
    slope = float(x @ y / (x @ x))
    return float(points[:, 0].mean() - y.mean() / slope) if slope < 0 else nan


def _claims_of_bias(overall: dict[str, Estimate]) -> list[Claim]:
    folds, stars = ({e: overall[e] for e in names} for names in (("loo", "cv-10"), ("repeated-cv-2", "loo-star")))
    context = "mean bias over all sizes and noise levels"
    return [
        Claim("Leave-one-out and 10-CV are unbiased.", asked(near, folds, _NEGLIGIBLE, unit="points"), context=context),
        Claim("2-CV\\* and LOO\\* are biased.", asked(apart, stars, _NEGLIGIBLE, unit="points"), context=context),
    ]


def _claims_of_spread(biases: pd.DataFrame) -> list[Claim]:
    def gaps(one: str, other: str, factor: float = 1.0) -> list[Condition]:
        both = zip(each(matching(biases, estimator=one)), each(matching(biases, estimator=other)), strict=True)
        return [
            above(
                f"N = {b.n:.0f}, {noise_key(b.noise)}",
                Estimate(factor * b.std - a.std, float(np.hypot(a.std_se, factor * b.std_se)), int(a.samples)),
                unit="points",
            )
            for a, b in both
        ]

    def ratio(one: str, other: str) -> Estimate:
        both = zip(each(matching(biases, estimator=one)), each(matching(biases, estimator=other)), strict=True)
        found = [(a.std / b.std, a.std_se / b.std, int(a.samples)) for a, b in both if b.std > 0]
        return average(Estimate(r, float(np.hypot(e, e * r)), n) for r, e, n in found)

    of_cv = {e: ratio(e, "cv-10") for e in ("loo", "repeated-cv-2", "loo-star")}
    return [
        Claim(
            "LOO and 10-CV have about the same precision.",
            [near("standard deviation of LOO over 10-CV's", of_cv["loo"], _ALIKE, of=1, sign="")],
        ),
        Claim(
            "The standard deviation of 632b is lower than that of LOO or 10-CV.",
            [most(f"cells, {NAMES[e].markdown} minus 632b", gaps("bootstrap-632", e)) for e in ("loo", "cv-10")],
        ),
        Claim(
            "2-CV\\* and LOO\\* are highly variable.",
            [above(NAMES[e].markdown, of_cv[e], 1.0, sign="") for e in ("repeated-cv-2", "loo-star")],
            context="standard deviation over 10-CV's",
        ),
    ]


def _claims_of_means(biases: pd.DataFrame) -> list[Claim]:
    """Section 6 on Figure 14: when 632b is too high and when too low, and that means go with the mean true error."""
    own = each(matching(biases, estimator="bootstrap-632"))
    bias = {
        high: [
            (below if high else above)(
                f"N = {r.n:.0f}, {noise_key(r.noise)}", Estimate(r.bias, r.bias_se, int(r.samples)), unit="points"
            )
            for r in own
            if (r.true_error >= _SPLIT) == high
        ]
        for high in (False, True)
    }
    together = {}
    for e, part in biases.groupby("estimator", sort=False):
        if e != "resubstitution":
            r = correlation_of((part["bias"] + part["true_error"]).to_numpy(), part["true_error"].to_numpy())
            together[str(e)] = r
    claims = [
        Claim(
            "The estimators' means are correlated with the mean true error, positively and fairly strongly.",
            asked(above, together, _STRONG),
        )
    ]
    if not all(bias.values()):
        return claims
    return [
        Claim(
            "632b is pessimistic below 10 % true error and optimistic above.",
            [most("cells below", bias[False]), most("cells above", bias[True])],
        ),
        *claims,
    ]


def _finding_14(biases: pd.DataFrame, crossing: Estimate, reading: str) -> str:
    own = matching(biases, estimator="bootstrap-632")
    least, most_of_all = smallest(own, "bias"), largest(own, "bias")
    text = (
        f"*{reading}*: a straight line through the mean biases of 632b changes sign at a true error of "
        f"{crossing.value:.0f} % (standard error {crossing.se:.1f}). "
        if np.isfinite(crossing.value)
        else f"*{reading}*: a straight line through the mean biases of 632b does not fall through zero. "
    )
    text += (
        f"The lowest bias is {signed(least.bias)} points (at N = {least.n:.0f}, {noise_key(float(least.noise))}), the "
        f"highest {signed(most_of_all.bias)} (at N = {most_of_all.n:.0f}, {noise_key(float(most_of_all.noise))})."
    )
    same = each(matching(own, noise=least.noise))
    by_size = {int(r.n): Estimate(r.bias, r.bias_se, int(r.samples)) for r in same}
    small, large = (by_size[pick(by_size)] for pick in (min, max))
    if clear(small, -1) and not clear(large, -1):
        text += (
            f" With {noise_key(float(least.noise))} the optimism at N = {min(by_size)} is gone at N = {max(by_size)}: "
            "the true error alone does not decide the sign, and a limit in percent of error describes these "
            "populations, not 632b."
        )
    return text


@artifact(
    "martin-hirschberg-table-15",
    "Table 15, upper half",
    "Correlations of {samples} samples under noise",
    "Correlation coefficients of {samples} pairs; with more repeats, their mean over groups of {samples}.",
    draw=draw_table_15,
)
def table_15(p: LensesParameters, run: Run) -> Regenerated:
    """Table 15, upper half: correlations over six samples of each size and noise."""
    rows: list[Row] = []
    pooled = []
    for g in noisy(p, run):
        for column, (partner, names) in _PARTNERS.items():
            for e in names:
                rows.append(Row.of(g.reading, f"{e}/{g.key}", column, g.over(accuracy.coefficient, e, partner)))
                r = g.whole.correlation(e, partner)
                of = {"reading": g.inducer, "estimator": e, "n": g.n, "noise": g.noise, "column": column}
                pooled.append({**of, "value": r.value, "se": r.se, "samples": r.n})
    rows = [r for r in rows if np.isfinite(r.value)]
    table = pd.DataFrame(pooled)
    own = matching(table, reading=p.noise_readings[0]).dropna(subset="value")
    checks = [c.check() for c in _claims_15(own, p)] if p.noise_realizations > 1 else []
    spreads = np.array([r.se * np.sqrt(r.n / p.samples) for r in rows])
    if not np.isfinite(spreads).any():
        return Regenerated(rows, {"pooled": table}, checks)
    usual = float(np.nanmedian(spreads))
    said = (
        f"The median standard deviation of a correlation of {p.samples} pairs is {usual:.2f} in these cells: by chance "
        f"alone two printed values are up to {1.96 * np.sqrt(2) * usual:.2f} apart in 19 of 20 cases."
    )
    return Regenerated(rows, {"pooled": table}, checks, [said])


def _averages(table: pd.DataFrame) -> dict[str, Estimate]:
    """Mean correlation of each estimator over the cells of a table."""
    return {
        e: average(Estimate(r.value, r.se, r.samples) for r in each(matching(table, estimator=e)))
        for e in _PARTNERS["correlation-with-ter"][1]
    }


def _claims_15(table: pd.DataFrame, p: LensesParameters) -> list[Claim]:
    reading = READINGS[p.noise_readings[0]]
    true, mutual = (matching(table, column=column) for column in _PARTNERS)
    by_noise = {float(str(q)): _averages(own) for q, own in true.groupby("noise", sort=True)}
    weak = [
        near(f"{NAMES[e].markdown}, {noise_key(q)}", m, _WEAK) for q, own in by_noise.items() for e, m in own.items()
    ]
    sizes, least = sorted(p.noise_sizes)[:2], min(by_noise)
    few = _averages(matching(true[true["n"].isin(sizes)], noise=least))
    together = [
        above(f"N = {r.n}, {noise_key(r.noise)}", Estimate(r.value, r.se, r.samples), _WEAK) for r in each(mutual)
    ]
    return [
        Claim(
            "The estimators do not correlate well with the true error.",
            [every("mean correlation over the sizes", weak)],
            reading,
        ),
        Claim(
            "The weak correlation is negative for small samples and little noise.",
            asked(below, few, 0.0),
            reading,
            f"mean over N = {' and '.join(map(str, sizes))} at {noise_key(least)}",
        ),
        Claim(
            "The estimators correlate with one another.",
            [every("correlation with 10-CV over all samples of a cell", together)],
            reading,
        ),
    ]
