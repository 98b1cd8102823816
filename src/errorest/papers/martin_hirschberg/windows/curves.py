"""Figure 7: the bias of 10-fold cross-validation and of the .632 bootstrap over the true error.

Windows and splines are those of Figure 6, at several sample sizes.  The paper reads off
from which size a bias is negligible without saying what that means; a criterion is set here.
"""

from __future__ import annotations

from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.martin_hirschberg.discriminant.artifacts import READINGS
from errorest.papers.martin_hirschberg.windows.artifacts import (
    HALF,
    ROUNDING,
    WindowsParameters,
    bias_below_half,
    curve,
    curves_study,
    percent,
    windows_of,
)

__all__ = ["between", "figure_7"]

_CURVES = {"cv-10": "10-CV", "bootstrap-632": "632b"}


def figure_7(p: WindowsParameters, run: Run) -> Regenerated:
    """Figure 7: the bias of 10-CV and 632b over the true error, at each size.

    The paper does not say when a bias is negligible.  Here it is where the mean bias over the
    samples with a true error below 50 % is smaller than ``p.negligible`` points, at that size
    and at all larger ones.

    Returns
    -------
    Regenerated
        The printed keys in every reading, and own rows of the mean bias (points).  Data
        ``windows``, ``curves`` and ``means`` (below 50 % true error), of bias in points.
    """
    results = curves_study(p, run)
    rows: list[Row] = []
    checks: list[Check] = []
    findings: list[str] = []
    tables, curves, means = [], [], []
    for rule in p.reversal_rules:
        # the size from which a bias is negligible needs a criterion that the paper does not state
        reading = READINGS[rule] if rule != "literal" else f"unstated:below-{p.negligible:g}-points"
        biases: dict[str, dict[int, Measured]] = {name: {} for name in _CURVES}
        for name in _CURVES:
            for n in sorted(p.sizes):
                part = results[results["n"] == n]
                biases[name][n] = bias_below_half(part, rule, name)
                b = biases[name][n]
                rows.append(Row(reading, name, f"mean-bias-below-50/N={n}", b.value, b.se, b.n))
                means.append({"rule": rule, "estimator": name, "N": n, "bias": b.value, "se": b.se})
                table, line = _curve_of(part, rule, name, p)
                tables.append(table.assign(rule=rule, estimator=name, N=n))
                curves.append(line.assign(rule=rule, estimator=name, N=n))
            value, se = _negligible_from(biases[name], p.negligible)
            rows.append(Row(reading, name, "bias-negligible-from-N", value, se, p.samples * p.realizations))
        findings += _findings_7(biases, reading, p)
        checks += _checks_7(results, biases, rule, p)
    data = {
        "windows": pd.concat(tables, ignore_index=True),
        "curves": pd.concat(curves, ignore_index=True),
        "means": pd.DataFrame(means),
    }
    return Regenerated(rows, data, checks, findings, _errata_7(results, p))


def _curve_of(part: pd.DataFrame, rule: str, name: str, p: WindowsParameters) -> tuple[pd.DataFrame, pd.DataFrame]:
    true, estimate = percent(part, rule, name)
    table = windows_of(true, estimate, part["cell"].to_numpy(), p.window)
    table["bias"] = table["estimate"] - table["true_error"]
    x, y = curve(table, "bias")
    return table, pd.DataFrame({"true_error": x, "bias": y})


def _negligible_from(biases: dict[int, Measured], limit: float) -> tuple[float, float]:
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


def _pairs(biases: dict[int, Measured], sizes: list[int]) -> list[tuple[float, float]]:
    # populations whose classes never meet leave a bias that does not vary
    return [(biases[n].value, max(biases[n].se, 1e-12)) for n in sizes]


def _findings_7(biases: dict[str, dict[int, Measured]], reading: str, p: WindowsParameters) -> list[str]:
    found = []
    for name, of in biases.items():
        text = ", ".join(f"{b.value:+.2f} ± {1.96 * b.se:.2f} at N = {n}" for n, b in of.items())
        value, se = _negligible_from(of, p.negligible)
        end = "at no size here" if isnan(value) else f"from N = {value:.0f} on (standard error {se:.0f})"
        found.append(
            f"*{reading}*: below 50 % true error {_CURVES[name]} has a mean bias of {text} points; it is within "
            f"{p.negligible:g} points {end}. The paper names no criterion."
        )
    return found


def between(results: pd.DataFrame, rule: str, name: str, low: float, high: float) -> Measured:
    """Mean bias, in points, over the samples whose true error lies in (low, high], percent."""
    true, estimate = percent(results, rule, name)
    inside = (true > low + ROUNDING) & (true <= high + ROUNDING)
    if inside.sum() < 2:
        return Measured(nan, nan, int(inside.sum()))
    return accuracy.mean((estimate - true)[inside])


def _checks_7(
    results: pd.DataFrame, biases: dict[str, dict[int, Measured]], rule: str, p: WindowsParameters
) -> list[Check]:
    reading, smallest, largest = READINGS[rule], min(p.sizes), max(p.sizes)
    cv, boot = biases["cv-10"], biases["bootstrap-632"]
    part = results[results["n"] == smallest]
    checks = [
        Check(
            f"Below 50 % true error 10-CV is slightly pessimistic at N = {smallest}, less so at larger N. [{reading}]",
            f"{cv[smallest].value:+.2f} ± {1.96 * cv[smallest].se:.2f} at N = {smallest}, "
            f"{cv[largest].value:+.2f} ± {1.96 * cv[largest].se:.2f} at N = {largest}",
            _outcome(cv[smallest].value > 1.96 * cv[smallest].se, cv[largest].value < cv[smallest].value),
        ),
        Check(
            f"Below 50 % true error the bias of 632b is smaller than that of 10-CV. [{reading}]",
            f"at N = {smallest}: {boot[smallest].value:+.2f} against {cv[smallest].value:+.2f} points "
            f"(standard errors {boot[smallest].se:.2f} and {cv[smallest].se:.2f})",
            "holds" if abs(boot[smallest].value) < abs(cv[smallest].value) else "fails",
        ),
    ]
    near, far = ({e: between(part, rule, e, *limits) for e in _CURVES} for limits in ((HALF, 55), (55, 100)))
    if all(m.n > 1 for m in (*near.values(), *far.values())):
        checks.append(
            Check(
                f"Above 50 % true error both estimators are pessimistic at N = {smallest}. [{reading}]",
                "; ".join(
                    f"{_CURVES[e]} {near[e].value:+.1f} ± {1.96 * near[e].se:.1f} points from 50 to 55 %, "
                    f"{far[e].value:+.1f} ± {1.96 * far[e].se:.1f} above 55 %"
                    for e in _CURVES
                ),
                _outcome(
                    all(m.value > 1.96 * m.se for m in near.values()), all(m.value > 1.96 * m.se for m in far.values())
                ),
            )
        )
    return checks


def _outcome(first: bool, second: bool) -> Any:
    return "holds" if first and second else "holds in part" if first or second else "fails"


def _errata_7(results: pd.DataFrame, p: WindowsParameters) -> list[Erratum]:
    """Return the slip of section 3 about estimated and true error, with our own numbers."""
    n = min(p.sizes)
    part = results[results["n"] == n]
    texts = []
    for rule in p.reversal_rules:
        for name, word in _CURVES.items():
            true, estimate = percent(part, rule, name)
            picked = estimate >= HALF - ROUNDING
            above = between(part, rule, name, 55, 100)
            if picked.sum() > 1 and above.n > 1:
                by_estimate = accuracy.mean((estimate - true)[picked])
                texts.append(
                    f"{word} [{READINGS[rule]}]: {by_estimate.value:+.1f} ± {1.96 * by_estimate.se:.1f} points where "
                    f"the estimate is at least 50 %, {above.value:+.1f} ± {1.96 * above.se:.1f} where the true error "
                    "is above 55 %"
                )
    if not texts:
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
