"""Section 6's regressions of two hundred samples with little noise: Table 15, lower half."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, direction, significance
from compendium.evidence.estimate import Estimate, exact, plus_minus
from compendium.evidence.regenerated import Erratum, Regenerated, Row, Run, rows_of
from compendium.papers.martin_hirschberg.lenses.experiment import PAIRS, READINGS, LensesParameters, many_study
from compendium.papers.martin_hirschberg.lenses.figures import draw_regressions
from compendium.papers.martin_hirschberg.lenses.groups import groups_of
from compendium.papers.martin_hirschberg.names import NAMES

__all__ = ["regression", "table_15_regression"]

_PRINTED = (0.19, 0.28)  # what is judged; no result is computed from it

Tests = dict[tuple[str, str, int], tuple[Estimate, float]]
"""Correlation and p-value of no correlation, by response, regressor and sample size."""


def regression(x: np.ndarray, y: np.ndarray) -> tuple[Estimate, Estimate]:
    """Fit y = intercept + slope x by least squares; errors allow the spread to differ along x."""
    n = x.shape[0]
    centred = x - x.mean()
    square = float((centred**2).sum())
    slope = float((centred * y).sum()) / square
    intercept = float(y.mean()) - slope * float(x.mean())
    residual = y - intercept - slope * x
    of_slope = centred * residual / square
    of_intercept = residual / n - x.mean() * of_slope
    errors = [float(np.sqrt((w**2).sum() * n / (n - 2))) for w in (of_intercept, of_slope)]
    return Estimate(intercept, errors[0], n), Estimate(slope, errors[1], n)


@artifact(
    "martin-hirschberg-table-15-regression",
    "Table 15, lower half",
    "Regressions of {many_samples} samples",
    "Intercepts (percent), slopes and correlation coefficients, and the p-value of no correlation.",
    draw=draw_regressions,
)
def table_15_regression(p: LensesParameters, run: Run) -> Regenerated:
    """Table 15, lower half: regressions and correlations of many samples, little noise, percent."""
    rows: list[Row] = []
    tests: dict[str, Tests] = {}
    samples = []
    for g in groups_of(run(many_study(p)), p.readings, p.many_samples, p.many_realizations):
        own = g.whole
        if g.inducer == p.readings[0]:
            columns = {c: own[c] for c in ("true-error", "cv-10", "bootstrap-632")}
            samples.append(pd.DataFrame({"n": g.n, **columns}))
        for response, regressor in PAIRS:
            r = own.correlation(response, regressor)
            if not np.isfinite(r.value):
                continue
            key = f"{response} on {regressor}/N={g.n}"
            intercept, slope = regression(own[regressor], own[response])
            chance = float(stats.pearsonr(own[regressor], own[response]).pvalue)
            rows += rows_of(g.reading, key, [("intercept", intercept), ("slope", slope), ("r", r)])
            rows.append(Row(g.reading, key, "p-value", chance, float("nan"), r.n))
            tests.setdefault(g.reading, {})[response, regressor, g.n] = (r, chance)
    first = READINGS[p.readings[0]]
    claim = _significance(tests.get(first, {}), first)
    data = {"samples": pd.concat(samples, ignore_index=True)}
    return Regenerated(rows, data, [claim.check()], errata=_errata(tests, p))


def _significance(tests: Tests, reading: str) -> Claim:
    with_truth = {k: v for k, v in tests.items() if k[1] == "true-error"}
    mutual = [v for k, v in tests.items() if k[1] != "true-error"]
    return Claim(
        "The correlations with the true error are not significant, that between the estimates is.",
        [
            above(
                f"{NAMES[e].markdown} and true error at N = {n}, r {plus_minus(r, '+', 2)}, p-value",
                exact(c),
                0.05,
                digits=4,
                sign="",
            )
            for (e, _, n), (r, c) in with_truth.items()
        ]
        + [
            below(f"between the estimates, r {plus_minus(r, '+', 2)}, p-value", exact(c), 0.05, digits=4, sign="")
            for r, c in mutual
        ],
        reading,
    )


def _errata(tests: dict[str, Tests], p: LensesParameters) -> list[Erratum]:
    """The printed correlations are significant by arithmetic; whether they are negative is measured."""
    printed = int(LensesParameters.model_fields["many_samples"].default)
    limits = [_least_significant(printed, level) for level in (0.05, 0.01)]
    smallest = min(p.many_sizes)
    pairs = [(*pair, smallest) for pair in PAIRS[:2]]
    if limits[0] > _PRINTED[0]:
        return []
    seen = "; ".join(
        f"*{reading}* {' and '.join(told_of(*own[k], k[0]) for k in pairs)}"
        for reading, own in tests.items()
        if set(pairs) <= own.keys()
    )
    return [
        Erratum(
            "Section 6, on Table 15",
            "the correlations of 10-CV and 632b with the true error (r = −.19 and −.28 at N = 24) are not significant",
            "with so many samples both are",
            f"A correlation of {printed} pairs is significant at 5 % from |r| = {limits[0]:.3f} on and at 1 % from "
            f"{limits[1]:.3f}. Ours at N = {smallest}, from {p.many_samples * p.many_realizations} samples: {seen}.",
        )
    ]


def told_of(r: Estimate, chance: float, estimator: str) -> str:
    """Tell an estimator's correlation with the true error, its sign, and whether it is significant."""
    sign = direction(r, "positive", "negative", "not clearly of either sign")
    return f"{NAMES[estimator].markdown} {plus_minus(r, '+', 2)}, {sign}, {significance(chance)}"


def _least_significant(n: int, level: float) -> float:
    """Smallest |r| of n pairs that a two-sided test finds significant."""
    t = float(stats.t.ppf(1 - level / 2, n - 2))
    return t / float(np.sqrt(n - 2 + t * t))
