"""Section 6's figures: true and estimated errors against sample size and noise (Figures 12 to 14).

Means are over six samples of a size and a noise level; the claims that the text makes about
them are judged on all samples that were run.
"""

from __future__ import annotations

from math import nan

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import graded, plus_minus, signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.martin_hirschberg.lenses.artifacts import READINGS, LensesParameters, noise_results
from errorest.papers.martin_hirschberg.lenses.designs import ESTIMATORS
from errorest.papers.martin_hirschberg.lenses.statistics import NAMES, deviation, noise_key, over_groups

__all__ = ["figure_12", "figure_13", "figure_14"]

_CLAIMS = "martin-hirschberg-claims"
_SPLIT = 10.0  # the claim that is checked, percent; no result is computed from it
_NEGLIGIBLE = 1.0
"""A mean bias up to this many points, and not clearly more, is approximately none."""


def _mean(values: np.ndarray) -> float:
    return float(values.mean())


def _table(p: LensesParameters, run: Run, columns: tuple[str, ...]) -> tuple[pd.DataFrame, list[Row]]:
    """Mean of each column in percent, by reading, noise and size, as frame and as rows."""
    results = noise_results(p, run)
    found, rows = [], []
    for name in p.noise_readings:
        for (noise, n), cell in results.groupby(["noise", "n"], sort=True):
            q, size = float(str(noise)), int(str(n))
            for column in columns:
                values = 100 * cell[f"{name}/{column}"].to_numpy()
                m = over_groups(_mean, p.samples, p.noise_realizations, values)
                rows.append(Row(READINGS[name], column, f"mean-percent/{noise_key(q)}/N={size}", m.value, m.se, m.n))
                found.append({"reading": name, "noise": q, "n": size, "column": column, "value": m.value, "se": m.se})
    return pd.DataFrame(found), rows


def _grid(table: pd.DataFrame, p: LensesParameters, column: str, what: str = "value") -> np.ndarray:
    """Headline values, shape (noises, sizes), both ascending."""
    own = table[(table["reading"] == p.noise_readings[0]) & (table["column"] == column)]
    return own.sort_values(["noise", "n"])[what].to_numpy().reshape(len(p.noise_levels), len(p.noise_sizes))


def figure_12(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 12: mean true error by sample size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows; beside the true error by the paper's formula the exact one.  Data ``means``.
    """
    table, rows = _table(p, run, ("true-error", "exact-error"))
    reading = READINGS[p.noise_readings[0]]
    noises, sizes = sorted(p.noise_levels), sorted(p.noise_sizes)
    true, exact = _grid(table, p, "true-error"), _grid(table, p, "exact-error")
    error = _grid(table, p, "true-error", "se")
    excess = true - 100 * np.array(noises)[:, None]
    falling = np.diff(true, axis=1) < 1.96 * np.hypot(error[:, 1:], error[:, :-1])
    ends = "; ".join(
        f"{noise_key(q)}: {excess[i, 0]:.1f} points above p at N = {sizes[0]}, {excess[i, -1]:.1f} at N = {sizes[-1]}"
        for i, q in enumerate(noises)
    )
    slower = bool((np.diff(excess[:, -1]) > 0).all())
    checks = [
        Check(
            f"The true error falls with the sample size towards the inherent error, from above. [{reading}]",
            ends,
            graded([bool(falling.all()), bool((true[:, -1] < true[:, 0]).all()), bool((excess > -1e-9).all())]),
        ),
        Check(
            f"The larger the noise, the more slowly the true error approaches its limit. [{reading}]",
            f"points above p that are left at N = {sizes[-1]}: "
            + ", ".join(f"{excess[i, -1]:.2f} at {noise_key(q)}" for i, q in enumerate(noises)),
            "holds" if slower else "holds in part" if excess[-1, -1] > excess[0, -1] else "fails",
        ),
    ]
    i, j = (int(k) for k in np.unravel_index(np.argmax(exact - true), true.shape))
    errata = [
        Erratum(
            "Section 6, the formula of TER",
            "a wrong prediction is charged 1 − p",
            "it is charged 1 where it is the third class, which no label of the cell ever is",
            f"The mean true error by the formula and exactly, where they differ most ({noise_key(noises[i])}, "
            f"N = {sizes[j]}): {true[i, j]:.1f} and {exact[i, j]:.1f} %.",
        )
    ]
    return Regenerated(rows, {"means": table}, checks, errata=errata)


def figure_13(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 13: mean apparent error and leave-one-out by sample size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows.  Data ``means``, the true error included.
    """
    table, rows = _table(p, run, ("resubstitution", "loo", "true-error"))
    rows = [r for r in rows if r.row != "true-error"]
    reading = READINGS[p.noise_readings[0]]
    limits = 100 * np.array(sorted(p.noise_levels))[:, None]
    apparent, loo = _grid(table, p, "resubstitution"), _grid(table, p, "loo")
    noise = 1.96 * _grid(table, p, "resubstitution", "se"), 1.96 * _grid(table, p, "loo", "se")
    below, above = apparent < limits + noise[0], loo > limits - noise[1]
    nearer = (np.abs(apparent - limits) - noise[0])[:, -1] < np.abs(apparent - limits)[:, 0]
    checks = [
        Check(
            f"The apparent error approaches its limit from below. [{reading}]",
            f"{int(below.sum())} of {below.size} means are not clearly above p; from "
            f"{signed((apparent - limits)[-1, 0])} points at the smallest to {signed((apparent - limits)[-1, -1])} at "
            "the largest size for the most noise",
            graded([bool(below.all()), bool(nearer.all())]),
        ),
        Check(
            f"Leave-one-out approaches its limit from above. [{reading}]",
            f"{int(above.sum())} of {above.size} means are not clearly below p; from "
            f"{signed((loo - limits)[-1, 0])} points at the smallest to {signed((loo - limits)[-1, -1])} at the "
            "largest size for the most noise",
            graded([bool(above.all()), bool((loo[:, -1] < loo[:, 0]).all())]),
        ),
    ]
    return Regenerated(rows, {"means": table}, checks)


def figure_14(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 14: mean estimates against mean true error for every size and noise, percent.

    Returns
    -------
    Regenerated
        Own rows: means, standard deviations of each estimate (of six samples), and where a straight
        line through the mean biases of 632b changes sign (the printed claim's key, under
        ``martin-hirschberg-claims``).  Data ``means`` (columns as :func:`figure_12`) and ``biases`` (one row a
        cell and estimator: bias and standard deviation over all samples, with their errors).
    """
    table, rows = _table(p, run, ("true-error", *ESTIMATORS))
    results = noise_results(p, run)
    first = p.noise_readings[0]
    reading = READINGS[first]
    for name in p.noise_readings:
        for (noise, n), cell in results.groupby(["noise", "n"], sort=True):
            for e in ESTIMATORS:
                m = over_groups(deviation, p.samples, p.noise_realizations, 100 * cell[f"{name}/{e}"].to_numpy())
                rows.append(
                    Row(READINGS[name], e, f"std-percent/{noise_key(float(str(noise)))}/N={n}", m.value, m.se, m.n)
                )
        sign = _sign_change(results, name, p)
        rows.append(
            Row(
                READINGS[name],
                "text",
                "632-tree-bias-changes-sign-at-percent",
                sign.value,
                sign.se,
                sign.n,
                _CLAIMS,
            )
        )
    biases = _biases(results[results["replicate"] < p.samples * p.noise_realizations], first)
    crossing = _sign_change(results, first, p)
    if p.noise_realizations == 1:
        return Regenerated(rows, {"means": table, "biases": biases})
    return Regenerated(
        rows, {"means": table, "biases": biases}, _checks_14(biases, reading), _findings_14(biases, crossing, reading)
    )


def _biases(results: pd.DataFrame, name: str) -> pd.DataFrame:
    found = []
    for (noise, n), cell in results.groupby(["noise", "n"], sort=True):
        true = 100 * cell[f"{name}/true-error"].to_numpy()
        for e in ESTIMATORS:
            values = 100 * cell[f"{name}/{e}"].to_numpy()
            bias, spread = accuracy.mean(values - true), accuracy.standard_deviation(values)
            found.append(
                {
                    "noise": noise,
                    "n": n,
                    "estimator": e,
                    "true_error": true.mean(),
                    "bias": bias.value,
                    "bias_se": bias.se,
                    "std": spread.value,
                    "std_se": spread.se,
                }
            )
    return pd.DataFrame(found)


def _sign_change(results: pd.DataFrame, name: str, p: LensesParameters) -> Measured:
    """True error where a line through the cells' mean biases of 632b is zero; NaN where it does not fall.

    The value of several realizations is that of all their samples; the error comes from the single ones.
    """
    frame = pd.DataFrame(
        {
            "cell": results.groupby(["noise", "n"], sort=False).ngroup(),
            "set": results["replicate"] // p.samples,
            "true": 100 * results[f"{name}/true-error"],
            "bias": 100 * (results[f"{name}/bootstrap-632"] - results[f"{name}/true-error"]),
        }
    )
    each = np.array([_zero_of(part) for _, part in frame.groupby("set")])
    usable = each[np.isfinite(each)]
    # a nearly level line has its zero anywhere: quartiles, not moments, measure the spread
    spread = float(np.subtract(*np.percentile(usable, [75, 25]))) / 1.349 if usable.size > 3 else nan
    shown = p.noise_realizations
    value = _zero_of(frame[frame["set"] < shown])
    return Measured(value, spread / float(np.sqrt(shown)), p.samples * shown)


def _zero_of(part: pd.DataFrame) -> float:
    means = part.groupby("cell")[["true", "bias"]].mean().to_numpy()
    x = means[:, 0] - means[:, 0].mean()
    if x.size < 2 or not (x**2).sum():
        return nan
    slope = float(x @ means[:, 1] / (x @ x))
    return float(means[:, 0].mean() - means[:, 1].mean() / slope) if slope < 0 else nan


def _overall(biases: pd.DataFrame, estimator: str) -> Measured:
    own = biases[biases["estimator"] == estimator]
    return Measured(float(own["bias"].mean()), float(np.sqrt((own["bias_se"] ** 2).sum())) / len(own), len(own))


def _spread(biases: pd.DataFrame, estimator: str) -> np.ndarray:
    return biases.loc[biases["estimator"] == estimator, "std"].to_numpy()


def _checks_14(biases: pd.DataFrame, reading: str) -> list[Check]:
    overall = {e: _overall(biases, e) for e in ESTIMATORS}
    none = {e: abs(m.value) - 1.96 * m.se <= _NEGLIGIBLE for e, m in overall.items()}
    loo, cv = _spread(biases, "loo"), _spread(biases, "cv-10")
    boot, star, half = (_spread(biases, e) for e in ("bootstrap-632", "loo-star", "repeated-cv-2"))
    cells = len(loo)
    own = biases[biases["estimator"] == "bootstrap-632"]
    low, high = own[own["true_error"] < _SPLIT], own[own["true_error"] >= _SPLIT]
    checks = [
        Check(
            f"Leave-one-out and 10-CV are unbiased. [{reading}]",
            "mean bias over all sizes and noise levels, points: "
            + ", ".join(f"{NAMES[e]} {plus_minus(overall[e], '+', 2)}" for e in ("loo", "cv-10")),
            graded([none["loo"], none["cv-10"]]),
        ),
        Check(
            f"They have about the same precision. [{reading}]",
            f"standard deviation of 10-CV over that of LOO: {np.min(cv / loo):.2f} to {np.max(cv / loo):.2f} in the "
            f"{cells} cells, {np.mean(cv / loo):.2f} on average",
            "holds" if abs(np.mean(cv / loo) - 1) < 0.1 else "fails",
        ),
        Check(
            f"The standard deviation of 632b is lower than that of LOO or 10-CV. [{reading}]",
            f"lower in {int((boot < np.minimum(loo, cv)).sum())} of {cells} cells, on average "
            f"{100 * np.mean(boot / cv):.0f} % of 10-CV's",
            "holds" if (boot < np.minimum(loo, cv)).all() else "holds in part" if np.mean(boot / cv) < 1 else "fails",
        ),
        Check(
            f"2-CV\\* and LOO\\* are biased. [{reading}]",
            "mean bias, points: "
            + ", ".join(f"{NAMES[e]} {plus_minus(overall[e], '+', 2)}" for e in ("repeated-cv-2", "loo-star")),
            graded([abs(overall[e].value) > 1.96 * overall[e].se for e in ("repeated-cv-2", "loo-star")]),
        ),
        Check(
            f"2-CV\\* and LOO\\* are highly variable. [{reading}]",
            f"their standard deviations average {100 * np.mean(half / cv):.0f} and {100 * np.mean(star / cv):.0f} % "
            "of 10-CV's",
            graded([float(np.mean(half / cv)) > 1, float(np.mean(star / cv)) > 1]),
        ),
    ]
    if len(low) and len(high):
        up = (low["bias"] > 1.96 * low["bias_se"]).to_numpy()
        down = (high["bias"] < -1.96 * high["bias_se"]).to_numpy()
        wrong = int((high["bias"] > 1.96 * high["bias_se"]).sum())
        checks.append(
            Check(
                f"632b is pessimistic below 10 % true error and optimistic above. [{reading}]",
                f"clearly pessimistic in {up.sum()} of {up.size} cells below; above, clearly optimistic in "
                f"{down.sum()} of {down.size} and clearly pessimistic in {wrong}",
                "holds" if up.all() and down.all() else "holds in part" if up.any() or down.any() else "fails",
            )
        )
    return checks


def _findings_14(biases: pd.DataFrame, crossing: Measured, reading: str) -> list[str]:
    own = biases[biases["estimator"] == "bootstrap-632"]
    most = own.iloc[int(own["bias"].to_numpy().argmin())]
    text = (
        f"*{reading}*: a straight line through the mean biases of 632b changes sign at a true error of "
        f"{crossing.value:.0f} % (standard error {crossing.se:.1f}). "
    )
    return [
        text
        + "But the true error does not decide the sign: 632b is most optimistic "
        f"({most['bias']:+.1f} points) at N = {most['n']:.0f} and {noise_key(float(most['noise']))}, and with larger "
        "samples of the same population the optimism goes. ".replace("-", "−")
        + "A limit in percent of error describes these populations, not 632b."
    ]
