"""Section 6's correlations under noise: Table 15, over six samples of each population and over two hundred.

The upper half is compared as statistics of six samples, and its claims are judged on all
samples of a cell at once.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import clear, graded, plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run, rows_of
from errorest.papers.martin_hirschberg.lenses.artifacts import READINGS, LensesParameters, by_size, noise_results
from errorest.papers.martin_hirschberg.lenses.designs import lens_study
from errorest.papers.martin_hirschberg.lenses.statistics import (
    NAMES,
    correlation,
    noise_key,
    over_groups,
    percent,
    worded,
)

__all__ = ["regression", "table_15", "table_15_regression"]

_SMOOTH = ("bootstrap-632", "loo-star")

_PARTNERS = {"correlation-with-ter": ("cv-10", *_SMOOTH), "correlation-with-cv-10": _SMOOTH}


def table_15(p: LensesParameters, run: Run) -> Regenerated:
    """Table 15, upper half: correlations over six samples of each size and noise.

    Returns
    -------
    Regenerated
        Printed keys: r of six pairs, at more realizations its mean over groups of six.  Data ``pooled``: r over
        all samples of each cell, with its error.
    """
    results = noise_results(p, run)
    rows: list[Row] = []
    pooled = []
    spreads = []
    for name in p.noise_readings:
        for (n, noise), cell in results.groupby(["n", "noise"], sort=False):
            key = f"{noise_key(float(str(noise)))}/N={n}"
            within = cell["replicate"].to_numpy() < p.samples * p.noise_realizations
            for column, names in _PARTNERS.items():
                partner = "true-error" if column.endswith("ter") else "cv-10"
                y = percent(cell, name, partner)
                for e in names:
                    x = percent(cell, name, e)
                    m = over_groups(correlation, p.samples, p.noise_realizations, x, y)
                    if np.isfinite(m.value):
                        rows.append(Row(READINGS[name], f"{e}/{key}", column, m.value, m.se, m.n))
                        spreads.append(m.se * np.sqrt(m.n / p.samples))
                    whole = accuracy.correlation(x[within], y[within])
                    pooled.append(
                        {
                            "reading": name,
                            "estimator": e,
                            "n": n,
                            "noise": noise,
                            "column": column,
                            "value": whole.value,
                            "se": whole.se,
                            "samples": whole.n,
                        }
                    )
    table = pd.DataFrame(pooled)
    own = table[(table["reading"] == p.noise_readings[0]) & np.isfinite(table["value"])]
    checks = _checks_15(own, p) if p.noise_realizations > 1 else []
    usual = np.nanmedian(spreads) if np.isfinite(spreads).any() else np.nan
    said = (
        f"The median standard deviation of a correlation of {p.samples} pairs is {usual:.2f} in these cells, so a "
        "printed value says little more than which of the two blocks it stands in."
    )
    return Regenerated(rows, {"pooled": table}, checks, [said] if np.isfinite(usual) else [])


def _average(table: pd.DataFrame) -> Measured:
    """Mean of the correlations of independent cells."""
    return Measured(
        float(table["value"].mean()), float(np.sqrt((table["se"] ** 2).sum())) / len(table), int(table["samples"].sum())
    )


def _checks_15(table: pd.DataFrame, p: LensesParameters) -> list[Check]:
    reading = READINGS[p.noise_readings[0]]
    true = table[table["column"] == "correlation-with-ter"]
    mutual = table[table["column"] != "correlation-with-ter"]
    by_noise = {
        float(str(q)): {e: _average(g[g["estimator"] == e]) for e in _PARTNERS["correlation-with-ter"]}
        for q, g in true.groupby("noise", sort=True)
    }
    text = "; ".join(f"{noise_key(q)}: {worded(v, 2)}" for q, v in by_noise.items())
    sizes = sorted(p.noise_sizes)[:2]
    least = min(by_noise)
    corner = true[(true["noise"] == least) & true["n"].isin(sizes)]
    few = {e: _average(corner[corner["estimator"] == e]) for e in _PARTNERS["correlation-with-ter"]}
    weak = [abs(m.value) < 0.5 for v in by_noise.values() for m in v.values()]
    none = [abs(m.value) <= 1.96 * m.se for v in by_noise.values() for m in v.values()]
    lowest = float(mutual["value"].min())
    return [
        Check(
            f"The estimators do not correlate well with the true error. [{reading}]",
            f"mean correlation over the sizes: {text}. All are weak, {sum(none)} of {len(none)} within 1.96 standard "
            "errors of none",
            graded(weak),
        ),
        Check(
            f"The weak correlation is negative for small samples and little noise. [{reading}]",
            f"mean over N = {' and '.join(map(str, sizes))} at {noise_key(least)}: {worded(few, 2)}",
            graded([clear(m, -1) for m in few.values()]),
        ),
        Check(
            f"The estimators correlate with one another. [{reading}]",
            f"with 10-CV over all samples of a cell: from {lowest:.2f} to {mutual['value'].max():.2f}",
            "holds" if lowest > float(true["value"].max()) else "holds in part",
        ),
    ]


def regression(x: np.ndarray, y: np.ndarray) -> tuple[Measured, Measured]:
    """Fit y = intercept + slope x by least squares; errors allow the spread to differ along x.

    Parameters
    ----------
    x, y : float arrays, shape (n,)

    Returns
    -------
    intercept, slope : Measured
        Errors by the sandwich formula with n / (n - 2).

    Examples
    --------
    >>> [round(m.value, 9) for m in regression(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))]
    [1.0, 2.0]
    """
    n = x.shape[0]
    centred = x - x.mean()
    square = float((centred**2).sum())
    slope = float((centred * y).sum()) / square
    intercept = float(y.mean()) - slope * float(x.mean())
    residual = y - intercept - slope * x
    of_slope = centred * residual / square
    of_intercept = residual / n - x.mean() * of_slope
    errors = [float(np.sqrt((w**2).sum() * n / (n - 2))) for w in (of_intercept, of_slope)]
    return Measured(intercept, errors[0], n), Measured(slope, errors[1], n)


_PAIRS = (("cv-10", "true-error"), ("bootstrap-632", "true-error"), ("bootstrap-632", "cv-10"))


def table_15_regression(p: LensesParameters, run: Run) -> Regenerated:
    """Table 15, lower half: regressions and correlations of many samples, little noise, percent.

    Returns
    -------
    Regenerated
        Printed keys in every reading.  Own columns ``p-value`` (of no correlation).  Data ``samples``:
        the headline's values.
    """
    count = p.many_samples * p.reference.many_realizations
    settings = (p.cv_repeats, p.bootstrap_replicates, p.seed)
    results = run(
        lens_study("many", p.many_sizes, [p.many_noise], count, p.readings, ("cv-10", "bootstrap-632"), *settings)
    )
    shown = results[results["replicate"] < p.many_samples * p.many_realizations]
    rows: list[Row] = []
    tests: dict[str, dict[str, tuple[Measured, float]]] = {}
    for name in p.readings:
        for n, cell in by_size(shown).items():
            for response, regressor in _PAIRS:
                x, y = percent(cell, name, regressor), percent(cell, name, response)
                r = accuracy.correlation(x, y)
                if not np.isfinite(r.value):
                    continue
                key = f"{response} on {regressor}/N={n}"
                intercept, slope = regression(x, y)
                rows += rows_of(READINGS[name], key, [("intercept", intercept), ("slope", slope), ("r", r)])
                chance = float(stats.pearsonr(x, y).pvalue)
                rows.append(Row(READINGS[name], key, "p-value", chance, float("nan"), r.n))
                tests.setdefault(name, {})[key] = (r, chance)
    first = p.readings[0]
    samples = pd.DataFrame(
        {"n": shown["n"], **{c: 100 * shown[f"{first}/{c}"] for c in ("true-error", "cv-10", "bootstrap-632")}}
    )
    checks, errata = _judged_regressions(tests, p)
    return Regenerated(rows, {"samples": samples}, checks, errata=errata)


def _judged_regressions(
    tests: dict[str, dict[str, tuple[Measured, float]]], p: LensesParameters
) -> tuple[list[Check], list[Erratum]]:
    first = p.readings[0]
    own = tests.get(first, {})
    with_truth = {k: v for k, v in own.items() if "true-error" in k}
    mutual = [v for k, v in own.items() if "true-error" not in k]
    said = "; ".join(
        f"{_in_words(k)} {plus_minus(r, '+', 2)} (p-value {_chance(c)})" for k, (r, c) in with_truth.items()
    )
    checks = [
        Check(
            "The correlations with the true error are not significant, that between the estimates is. "
            f"[{READINGS[first]}]",
            f"{said}; between the estimates {', '.join(plus_minus(r, '+', 2) for r, _ in mutual)}",
            graded([*(c > 0.05 for _, c in with_truth.values()), all(c < 0.01 for _, c in mutual)]),
        )
    ]
    printed = int(LensesParameters.model_fields["many_samples"].default)
    limits = [_least_significant(printed, level) for level in (0.05, 0.01)]
    smallest = min(p.many_sizes)
    pairs = [f"{response} on {regressor}/N={smallest}" for response, regressor in _PAIRS[:2]]
    seen = "; ".join(
        f"*{READINGS[name]}* " + " and ".join(plus_minus(found[k][0], "+", 2) for k in pairs)
        for name, found in tests.items()
        if set(pairs) <= found.keys()
    )
    return checks, [
        Erratum(
            "Section 6, on Table 15",
            "the correlations of 10-CV and 632b with the true error (r = −.19 and −.28 at N = 24) are not significant",
            "with so many samples both are, and negative",
            f"A correlation of {printed} pairs is significant at 5 % from |r| = {limits[0]:.3f} on and at 1 % from "
            f"{limits[1]:.3f}. Ours of 10-CV and 632b at N = {smallest}, from {p.many_samples * p.many_realizations} "
            f"samples: {seen}.",
        )
    ]


def _in_words(key: str) -> str:
    response, _, size = key.partition(" on true-error/N=")
    return f"{NAMES[response]} at N = {size}"


def _chance(p_value: float) -> str:
    return f"{p_value:.2g}" if p_value >= 1e-4 else "below .0001"


def _least_significant(n: int, level: float) -> float:
    """Smallest |r| of n pairs that a two-sided test finds significant."""
    t = float(stats.t.ppf(1 - level / 2, n - 2))
    return t / float(np.sqrt(n - 2 + t * t))
