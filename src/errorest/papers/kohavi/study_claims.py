"""What section 5 says in words: gains of stratification, bootstrap's bias, high variance, runs; the propositions.

Also the use that the paper recommends an estimate for: choosing between inducers.  All in percent.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.records import each, largest, smallest
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.kohavi.estimates import (
    EstimateParameters,
    StudyParameters,
    estimates_of,
    key_of,
    points_of,
    sizes_of,
)
from errorest.papers.kohavi.named_inducers import column_and_reading, title_of
from errorest.papers.kohavi.study_designs import RAND, point_names
from errorest.papers.kohavi.truth import curves_of, truths_of
from errorest.streams import Streams

__all__ = ["claims", "model_selection", "propositions", "text_bootstrap", "text_stratified"]

_RESAMPLED = 400
_LEVEL = 0.05


def _groups(p: EstimateParameters, run: Run) -> dict[tuple[str, str], pd.DataFrame]:
    results = estimates_of(p, run)
    return {(str(s), str(i)): own for (s, i), own in results.groupby(["set", "inducer"], sort=False)}


def text_stratified(p: EstimateParameters, run: Run) -> Regenerated:
    """Gain of stratified over plain folds: mean difference on the same samples, points of accuracy.

    The printed numbers belong to Figure 1, hence to C4.5; other inducers have rows of their own.

    Returns
    -------
    Regenerated
        Data ``gains``: set, inducer, k, gain, se, sd.
    """
    rows, table, checks = [], [], []
    for (name, inducer), own in _groups(p, run).items():
        column, reading = column_and_reading(inducer)
        for k in [k for k in p.folds if k in p.stratified_folds]:
            d = (own[f"stratified-k={k}"] - own[f"k={k}"]).to_numpy()
            m = accuracy.mean(d)
            row = name if column == "c4.5" else f"{name}/{column}"
            rows.append(Row(reading, row, f"gain-percent-at-{k}-folds", m.value, m.se, m.n))
            spread = float(d.std(ddof=1))
            table.append({"set": name, "inducer": inducer, "k": k, "gain": m.value, "se": m.se, "sd": spread, "n": m.n})
    gains = pd.DataFrame(table, columns=["set", "inducer", "k", "gain", "se", "sd", "n"])
    findings = []
    for inducer in p.inducers:
        own = gains[gains["inducer"] == inducer]
        if not len(own):
            continue
        up, down = own[own["gain"] > 2 * own["se"]], own[own["gain"] < -2 * own["se"]]
        most = largest(own, "gain")
        checks.append(
            Check(
                f"Stratified folds are less pessimistic. [{title_of(inducer)}]",
                f"of {len(own)} pairs of data set and folds, {len(up)} gain and {len(down)} lose more than two "
                "standard errors",
                "holds" if not len(down) and len(up) > len(own) / 2 else "holds in part" if len(up) else "fails",
            )
        )
        findings.append(
            f"{title_of(inducer)} gains most on {most.set} with {most.k} folds: {most.gain:+.1f} points (standard "
            f"error {most.se:.1f}). Between single samples this gain varies by {most.sd:.1f} points, so that a mean of "
            f"{p.samples} samples has a standard error of {most.sd / sqrt(p.samples):.1f}."
        )
    return Regenerated(rows, {"gains": gains}, checks, findings)


def text_bootstrap(p: EstimateParameters, run: Run) -> Regenerated:
    """Bias of the .632 bootstrap with the most samples, against the true accuracy of Table 1, points.

    Returns
    -------
    Regenerated
        The printed key, and own rows for the other data sets and inducers.  Data ``bias``.
    """
    truths = truths_of(p, run)
    last = max(p.bootstrap_samples)
    rows, table = [], []
    for (name, inducer), own in _groups(p, run).items():
        mean, truth = accuracy.mean(own[f"b={last}"].to_numpy()), truths[(name, inducer)]
        bias, se = mean.value - truth.value, hypot(mean.se, truth.se)
        apparent = float(own["resubstitution"].mean())
        rows.append(Row(column_and_reading(inducer)[1], key_of(name, inducer), "bias-percent", bias, se, mean.n))
        table.append(
            {"set": name, "inducer": inducer, "bias": bias, "se": se, "estimate": mean.value, "truth": truth.value}
            | {"resubstitution": apparent, "n": mean.n}
        )
    frame = pd.DataFrame(table)
    most = largest(frame, "bias")
    erratum = Erratum(
        "Section 5.1",
        "Bias is defined as the expected value minus the estimated value.",
        "The estimated value minus the expected one: only so does an optimistic estimate have the positive bias that "
        "the same section gives it.",
        f"The .632 bootstrap with {last} samples gives {title_of(most.inducer)} on {most.set} {most.estimate:.1f} % "
        f"where {most.truth:.1f} % is true: {most.truth - most.estimate:+.1f} points "
        "by the printed definition.",
    )
    worst = "; ".join(
        f"{title_of(r.inducer)} on {r.set} {r.bias:+.1f} (its training accuracy is {r.resubstitution:.1f} %)"
        for r in each(frame.nlargest(3, "bias"))
    )
    finding = f"Where the .632 bootstrap ({last} samples) is most optimistic, in points: {worst}."
    return Regenerated(rows, {"bias": frame}, findings=[finding], errata=[erratum] if most.bias > 0 else [])


def _high_ends(own: np.ndarray) -> bool:
    """Whether columns leave-2-out and leave-1-out both vary more than k=10 and k=20 (the last two)."""
    sd = own.std(axis=0, ddof=1)
    return bool(sd[:2].min() > sd[2:].max())


_HIGH_ENDS = ["leave-2-out", "leave-1-out", "k=10", "k=20"]


def claims(p: StudyParameters, run: Run) -> Regenerated:
    """Deterioration of an inducer with more cases, data sets with high variance at the high ends, runs.

    A data set has *high variance at the high ends* where leave-one-out and leave-two-out both
    vary more than both 10 and 20 folds do (the paper gives no rule).

    Returns
    -------
    Regenerated
        Printed keys; own rows for the other data sets and inducers.
    """
    rows: list[Row] = []
    findings = []
    groups = _groups(p, run)
    curves = curves_of(p, p.inducers, run)
    by_set: Any = curves.groupby(["set", "inducer"], sort=False)
    for (name, inducer), curve in by_set:
        best, last = largest(curve, "accuracy"), each(curve)[-1]
        fall = best.accuracy - last.accuracy
        se = hypot(best.se, last.se) if best.n != last.n else 0.0
        reading = column_and_reading(inducer)[1]
        rows.append(Row(reading, key_of(name, inducer), "deterioration-percent", fall, se, last.holdouts))
        if fall > 2 * se > 0:
            findings.append(
                f"{title_of(inducer)} on {name} is most accurate with {best.n} training cases ({best.accuracy:.1f} %) "
                f"and falls by {fall:.1f} points (standard error {se:.1f}) up to {last.n}."
            )
    if set(_HIGH_ENDS) <= set(point_names(points_of(p))):
        for inducer in p.inducers:
            high, unsure = [], 0.0
            for (name, i), own in groups.items():
                if i != inducer:
                    continue
                values = own[_HIGH_ENDS].to_numpy()
                rng = Streams(p.seed).child("kohavi-claims", inducer).generator(name)
                draws = rng.integers(0, len(values), size=(_RESAMPLED, len(values)))
                share = float(np.mean([_high_ends(values[d]) for d in draws]))
                unsure += share * (1 - share)
                if _high_ends(values):
                    high.append(name)
            column = column_and_reading(inducer)[0]
            text = "files-with-high-variance-at-loo-and-leave-2-out"
            reading = "unstated:more-than-10-and-20-folds"
            n = min(len(own) for own in groups.values())
            rows.append(Row(reading, column, text, float(len(high)), sqrt(unsure), n))
            findings.append(
                f"{title_of(inducer)}: leave-one-out and leave-two-out vary more than 10 and 20 folds on these data "
                f"sets: {', '.join(high) or 'none'}. The samples leave their number uncertain by {sqrt(unsure):.1f} "
                "(standard error, from samples drawn anew)."
            )
    folds = sum(int(own["runs"].sum()) for own in groups.values())
    holdouts = p.holdouts * len(groups)
    whole = sum(len(own) for own in groups.values())
    rows.append(Row("literal", "text", "runs", float(folds + holdouts), 0.0, 1))
    rows.append(Row("literal", "text", "runs-of-whole-samples", float(whole), 0.0, 1))
    findings.append(
        f"Runs counted: {folds:,} classifiers for folds and bootstrap samples and {holdouts:,} for the true "
        f"accuracies, {folds + holdouts:,} in all, beside {whole:,} of whole samples."
    )
    return Regenerated(rows, {"curves": curves}, findings=findings)


def propositions(p: EstimateParameters, run: Run) -> Regenerated:
    """Proposition 1 and Corollary 2 against the measured spread.

    Proposition 1 predicts the standard deviation of the estimate as sqrt(acc (1 - acc)/n) for an
    inducer that is stable; Corollary 2 that it does not depend on the number of folds.

    Returns
    -------
    Regenerated
        Own rows: predicted and measured standard deviation and their ratio, at each number of
        plain folds.  Data ``spread``.
    """
    sizes = sizes_of(p)
    names = [x for x in point_names(points_of(p)) if x.startswith(("k=", "leave-"))]
    rows, table = [], []
    for (name, inducer), own in _groups(p, run).items():
        reading, key = column_and_reading(inducer)[1], key_of(name, inducer)
        for point in names:
            values = own[point].to_numpy() / 100
            predicted = 100 * sqrt(float(np.mean(values * (1 - values))) / sizes[name])
            measured = accuracy.standard_deviation(100 * values)
            ratio = measured.value / predicted if predicted > 0 else float("nan")
            se = measured.se / predicted if predicted > 0 else float("nan")
            rows.append(Row(reading, key, f"{point}/predicted-std-percent", predicted, 0.0, measured.n))
            rows.append(Row(reading, key, f"{point}/measured-over-predicted", ratio, se, measured.n))
            table.append(
                {"set": name, "inducer": inducer, "point": point, "predicted": predicted, "measured": measured.value}
                | {"se": measured.se, "ratio": ratio, "n": measured.n}
            )
    spread = pd.DataFrame(table)
    checks = []
    for inducer in p.inducers:
        own = spread[spread["inducer"] == inducer]
        near = own[(own["measured"] - own["predicted"]).abs() <= 2 * own["se"]]
        most = largest(own.fillna({"ratio": 0.0}), "ratio")
        checks.append(
            Check(
                f"Proposition 1: the estimate varies as a binomial share of n cases does. [{title_of(inducer)}]",
                f"within two standard errors in {len(near)} of {len(own)} cells; the measured spread is "
                f"{own['ratio'].mean():.2f} times the predicted one on average, {most.ratio:.2f} times at most "
                f"({most.set}, {most.point})",
                "holds" if len(near) >= 0.9 * len(own) else "holds in part" if len(near) else "fails",
            )
        )
        checks += _corollary(p, run, inducer, names)
    return Regenerated(rows, {"spread": spread}, checks)


def _corollary(p: EstimateParameters, run: Run, inducer: str, names: list[str]) -> list[Check]:
    """Test, for each data set, whether the fewest folds vary as much as each other number (Pitman's paired test)."""
    differ, tested = [], 0
    for (name, i), own in _groups(p, run).items():
        if i != inducer:
            continue
        first = own[names[0]].to_numpy()
        for point in names[1:]:
            other = own[point].to_numpy()
            total, difference = first + other, first - other
            if np.ptp(total) == 0 or np.ptp(difference) == 0 or len(own) < 4:
                continue
            tested += 1
            if stats.pearsonr(total, difference).pvalue < _LEVEL:
                differ.append(f"{name} {point}")
    if not tested:
        return []
    expected = _LEVEL * tested
    return [
        Check(
            f"Corollary 2: the spread does not depend on the number of folds. [{title_of(inducer)}]",
            f"{names[0]} against each other number of folds, paired: {len(differ)} of {tested} pairs differ at the "
            f"{100 * _LEVEL:g} % level where {expected:.0f} would by chance"
            + (f" ({', '.join(differ[:6])}{', ...' if len(differ) > 6 else ''})" if differ else ""),
            "holds" if len(differ) <= 2 * expected else "holds in part" if len(differ) <= tested / 2 else "fails",
        )
    ]


def model_selection(p: EstimateParameters, run: Run) -> Regenerated:
    """How often each estimate picks the better of the first two inducers, and how near it comes to the truth.

    The better one is better on all cases outside the sample; an equal estimate counts half.
    Data sets without information are left out.  Errors are root mean squares of the estimate
    minus that accuracy, over the first two inducers.

    Returns
    -------
    Regenerated
        Own rows by estimate.  Data ``selection``.
    """
    groups = _groups(p, run)
    sets = [s for s in dict.fromkeys(s for s, _ in groups) if s != RAND]
    pair = p.inducers[:2]
    rows, table = [], []
    for point in point_names(points_of(p)):
        right, errors = [], []
        for name in sets:
            own = [groups[(name, i)] for i in pair]
            errors.append(np.mean([np.mean((o[point] - o["holdout"]).to_numpy() ** 2) for o in own]))
            if len(pair) == 2:
                truly = (own[0]["holdout"].to_numpy() - own[1]["holdout"].to_numpy()).round(9)
                seen = (own[0][point].to_numpy() - own[1][point].to_numpy()).round(9)
                hit = np.where(seen == 0, 0.5, np.sign(seen) == np.sign(truly))[truly != 0]
                right.append(accuracy.mean(100.0 * hit) if hit.size else None)
        known = [m for m in right if m is not None]
        rms = float(np.sqrt(np.mean(errors))) if errors else float("nan")
        n = min(len(g) for g in groups.values())
        rows.append(Row("literal", point, "rms-percent", rms, float("nan"), n))
        share = se = float("nan")
        if known:
            share = float(np.mean([m.value for m in known]))
            se = sqrt(sum(m.se**2 for m in known)) / len(known)
            rows.append(Row("literal", point, "right-choices-percent", share, se, n))
        table.append({"point": point, "rms": rms, "right": share, "se": se})
    frame = pd.DataFrame(table)
    checks = []
    if frame["right"].notna().any():
        best = largest(frame, "right")
        if "stratified-k=10" in set(frame["point"]):
            ten = each(frame[frame["point"] == "stratified-k=10"])[0]
            behind, unsure = best.right - ten.right, 2 * hypot(best.se, ten.se)
            checks.append(
                Check(
                    "Stratified ten-fold cross-validation is the best estimate to choose an inducer by.",
                    f"it picks the better of {title_of(pair[0])} and {title_of(pair[1])} in {ten.right:.1f} % "
                    f"of the samples; the best, {best.point}, in {best.right:.1f} % (standard error {best.se:.1f})",
                    "holds" if behind == 0 else "not decided" if behind <= unsure else "fails",
                )
            )
    least = smallest(frame, "rms")
    finding = (
        f"The estimate that comes nearest to the accuracy on the remaining cases is {least.point}: a root mean square "
        f"of {least.rms:.2f} points, over these data sets: {', '.join(sets)}."
    )
    return Regenerated(rows, {"selection": frame}, checks, [finding])
