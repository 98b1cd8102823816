"""Where the papers contradict one another: each claim executed in its own settings and in all others.

A claim is judged by the cases in which a difference is clear.  That a claim fails away from
home does not make its paper wrong; the grounds are given one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.cross.cases import REFERENCE, SYMBOLS, Case, CrossParameters, cases_of, unbroken
from errorest.guide.cross.examination import CLEAR, GROUND_TITLES, GROUNDS, READING

__all__ = ["PAIRS", "contradictions"]


class Pair(NamedTuple):
    """A claim that one estimator errs less than another, and whose it is."""

    better: str
    than: str
    claim: str


PAIRS: tuple[Pair, ...] = (
    Pair(REFERENCE, "cv-10", "Stratified folds err less than plain ones (Kohavi)."),
    Pair(
        REFERENCE, "bootstrap-632", "Stratified ten-fold cross-validation errs less than the .632 bootstrap (Kohavi)."
    ),
    Pair("repeated-stratified-cv-10", REFERENCE, "Repeated runs are better than one (Kohavi, as a conjecture)."),
    Pair("bootstrap-632", "cv-10", "The .632 bootstrap is more precise than ten-fold cross-validation (M & H)."),
    Pair("loo-star", "loo", "LOO* is more precise than leave-one-out (M & H)."),
    Pair(
        "cloned-632-plus",
        "bootstrap-632-plus",
        ".632+ on clones errs less than .632+ (Shakhnarovich et al., whose .632+ on clones is as they print it).",
    ),
    Pair("cloned-632-plus-correct", "bootstrap-632-plus", "The same, with Efron & Tibshirani's formula on clones too."),
    Pair("cloned-bscv-5", REFERENCE, "Five-fold cross-validation of clones errs less than that of the sample."),
    Pair(
        "bootstrap-632-plus",
        "repeated-stratified-cv-10",
        "The bootstrap gains by more than its number of fits: .632+ against as many fits of cross-validation.",
    ),
    Pair("bootstrap-632-plus", "bootstrap-632", ".632+ mends what is wrong with .632 (Efron & Tibshirani)."),
)
"""Claims that set two estimators against each other."""


def _contest(cases: Sequence[Case], pair: Pair) -> tuple[int, int, int]:
    z = [c.versus(pair.better, pair.than) for c in cases if c.has(pair.better) and c.has(pair.than)]
    return sum(v < -CLEAR for v in z), sum(v > CLEAR for v in z), len(z)


_FEW = 0.1


def _judged(better: int, worse: int, of: int) -> Literal["holds", "fails", "holds in part", "not decided"]:
    """Judge a claim by the cases with a clear difference; less than a tenth of all decide nothing."""
    if better + worse < _FEW * of:
        return "not decided"
    return "holds" if worse == 0 else "fails" if better == 0 else "holds in part"


def contradictions(p: CrossParameters, run: Run) -> Regenerated:
    """Execute what the papers say of one another's estimators, ground by ground.

    Returns
    -------
    Regenerated
        Rows: a claim's pair by ``<ground>/better``, ``/worse`` and ``/cases``.  Data ``contests`` (the same)
        and ``reasons`` (bias and variance behind them); checks; findings that say which is right, where and why.
    """
    cases = cases_of(p, run)
    rows, lines, checks = [], [], []
    for pair in PAIRS:
        parts, total = [], [0, 0, 0]
        for ground in GROUNDS:
            own = [c for c in cases if c.ground == ground]
            better, worse, of = _contest(own, pair)
            if not of:
                continue
            total = [total[0] + better, total[1] + worse, total[2] + of]
            parts.append(f"{GROUND_TITLES[ground]} {better} better, {worse} worse of {of}")
            key = unbroken(f"{SYMBOLS[pair.better]} against {SYMBOLS[pair.than]}")
            for what, count in (("better", better), ("worse", worse), ("cases", of)):
                rows.append(Row(READING, key, f"{GROUND_TITLES[ground]}, {what}", float(count), 0.0, of))
            lines.append({"pair": key, "ground": ground, "better": better, "worse": worse, "cases": of})
        checks.append(Check(pair.claim, f"clearly, in cases: {'; '.join(parts)}", _judged(*total)))
    checks += [*_unbiased(cases), *_steadier(cases), *_by_overfitting(cases), *_synthetic_against_real(cases)]
    reasons = _reasons(cases)
    data = {"contests": pd.DataFrame(lines), "reasons": reasons}
    return Regenerated(rows, data, checks, [*_who_is_right(cases), *_no_information(cases), *_nominal(cases)])


def _mean_of(cases: Sequence[Case], of: Callable[[Case], Measured]) -> Measured:
    """Mean over cases of a measured proportion, in points."""
    found = [of(c) for c in cases]
    se = float(np.sqrt(sum(m.se**2 for m in found))) / len(found)
    return Measured(100 * float(np.mean([m.value for m in found])), 100 * se, len(found))


def _unbiased(cases: Sequence[Case]) -> list[Check]:
    off = [c for c in cases if abs(c.bias("cv-10").value) > max(0.01, CLEAR * c.bias("cv-10").se)]
    most = max(cases, key=lambda c: abs(c.bias("cv-10").value))
    return [
        Check(
            "Ten-fold cross-validation has little or no bias everywhere (M & H).",
            f"clearly biased, and by more than a point, in {len(off)} of {len(cases)} cases; the largest bias is "
            f"{signed(100 * most.bias('cv-10').value)} points, {most.title}",
            "holds" if not off else "holds in part",
        )
    ]


def _steadier(cases: Sequence[Case]) -> list[Check]:
    parts, ratios = [], []
    for ground in GROUNDS:
        own = [c for c in cases if c.ground == ground and c.spread("cv-10").value > 0]
        found = [c.spread("bootstrap-632").value / c.spread("cv-10").value for c in own]
        if found:
            ratios += found
            parts.append(f"{GROUND_TITLES[ground]} {100 * np.mean(found):.0f} %")
    least = sum(r < 1 for r in ratios)
    return [
        Check(
            "The standard deviation of .632 is about 80 % of that of ten-fold cross-validation (M & H).",
            f"on the average {', '.join(parts)}; smaller in {least} of {len(ratios)} cases",
            "holds" if least == len(ratios) else "holds in part" if least > len(ratios) / 2 else "fails",
        )
    ]


def _by_overfitting(cases: Sequence[Case]) -> list[Check]:
    memorizers = [c for c in cases if c.learner == "memorizer"]
    others = [c for c in cases if c.learner != "memorizer"]
    if not memorizers or not others:
        return []
    a, b = (_mean_of(group, lambda c: c.bias("bootstrap-632")) for group in (memorizers, others))
    hard = [c for c in memorizers if c.truth.mean() >= _HARD]
    told = ""
    if hard:
        m = _mean_of(hard, lambda c: c.bias("bootstrap-632"))
        told = f"; {signed(m.value)} ± {1.96 * m.se:.1f} where memorizers err in {100 * _HARD:g} % or more of all cases"
    clear = a.value - b.value < -1.96 * float(np.hypot(a.se, b.se))
    return [
        Check(
            "The bias of .632 depends on how much the inducer overfits (M & H; Kohavi).",
            f"mean bias {signed(a.value)} ± {1.96 * a.se:.1f} points for memorizers, {signed(b.value)} ± "
            f"{1.96 * b.se:.1f} for all others{told}",
            "holds" if clear else "fails",
        )
    ]


_HARD = 0.3


def _synthetic_against_real(cases: Sequence[Case]) -> list[Check]:
    name = "cloned-bscv-5"
    checks = []
    home = [c for c in cases if c.setting.family == "synthetic"]
    real = [c for c in cases if c.setting.family in ("uci", "data")]
    if home and real:
        a, b = _contest(home, Pair(name, REFERENCE, "")), _contest(real, Pair(name, REFERENCE, ""))
        bias = _mean_of(real, lambda c: c.bias(name))
        checks.append(
            Check(
                "Five-fold cross-validation of clones is best on synthetic data and not on real data (Shakhnarovich et "
                "al.).",
                f"against stratified ten-fold cross-validation, clearly: better {a[0]}, worse {a[1]} of {a[2]} "
                f"synthetic "
                f"cases; better {b[0]}, worse {b[1]} of {b[2]} real ones, mean bias there {signed(bias.value)} ± "
                f"{1.96 * bias.se:.1f} points",
                "holds" if a[0] > a[1] and b[0] <= b[1] else "holds in part" if a[0] > a[1] else "fails",
            )
        )
    return checks


def _reasons(cases: Sequence[Case]) -> pd.DataFrame:
    """Split the mean squared error of each case into squared bias and variance of the error, in squared points."""
    lines = []
    for c in cases:
        for name in ("stratified-cv-10", "bootstrap-632", "bootstrap-632-plus", "cloned-bscv-5"):
            error = 100 * c.errors(name)
            lines.append(
                {
                    "case": c.key,
                    "learner": c.learner,
                    "n": c.setting.n,
                    "true error": 100 * float(c.truth.mean()),
                    "estimator": name,
                    "squared bias": float(error.mean() ** 2),
                    "variance": float(error.var()),
                    "correlation with truth": accuracy.correlation(c.columns[name], c.truth).value,
                }
            )
    return pd.DataFrame(lines)


def _share_of_bias(cases: Sequence[Case], name: str) -> float:
    """Share of squared bias in the mean squared error, averaged over cases, in percent."""
    shares = []
    for c in cases:
        error = c.errors(name)
        if (error**2).any():
            shares.append(float(error.mean() ** 2 / (error**2).mean()))
    return 100 * float(np.mean(shares)) if shares else float("nan")


def _who_is_right(cases: Sequence[Case]) -> list[str]:
    findings = []
    pair = PAIRS[1]
    for learner in dict.fromkeys(c.learner for c in cases):
        own = [c for c in cases if c.learner == learner]
        better, worse, total = _contest(own, pair)
        who = learner if learner == "Naive Bayes" else f"{learner}s" if not learner.endswith("s") else learner
        who = {"linears": "linear rules"}.get(who, who)
        findings.append(
            f".632 or stratified ten-fold cross-validation? For {who}, .632 errs clearly less in {worse} and clearly "
            f"more in {better} of {total} cases. Bias makes up {_share_of_bias(own, 'bootstrap-632'):.0f} % of .632's "
            f"squared error and {_share_of_bias(own, REFERENCE):.0f} % of that of cross-validation; the rest is "
            f"variance."
        )
    small = [c for c in cases if c.setting.n <= _SMALL]
    large = [c for c in cases if c.setting.n > _LARGE]
    if small and large:
        a, b = (np.mean([np.exp(c.log_ratio("bootstrap-632-plus").value) for c in g]) for g in (small, large))
        findings.append(
            f"Sample size: up to {_SMALL} cases the error of .632+ is on the average {a:.2f} times that of stratified "
            f"ten-fold cross-validation; with more than {_LARGE} cases {b:.2f} times."
        )
    return findings


_SMALL, _LARGE = 24, 60


def _no_information(cases: Sequence[Case]) -> list[str]:
    """Compare the paper's .632+ on clones with the correct one where nothing can be learned."""
    nothing = [
        c
        for c in cases
        if (c.setting.family, c.setting.at) in (("two-normals", 0.5), ("synthetic", 2), ("synthetic", 4))
        or c.setting.at == "rand"
    ]
    nothing = [c for c in nothing if c.has("cloned-632-plus")]
    if not nothing:
        return []
    told = []
    for name in ("bootstrap-632", "bootstrap-632-plus", "cloned-632-plus", "cloned-632-plus-correct", REFERENCE):
        bias, rmse = (_mean_of(nothing, methodcaller(what, name)) for what in ("bias", "rmse"))
        told.append(f"{SYMBOLS[name]} {signed(bias.value)} (error {rmse.value:.1f})")
    return [
        (
            f"Where nothing can be learned ({len(nothing)} cases), mean bias and mean root mean squared error in "
            f"points: "
            f"{', '.join(told)}. The printed .632+ falls back to .632 exactly where an inducer overfits most; with "
            f"Efron & "
            "Tibshirani's formula it does not."
        )
    ]


def _nominal(cases: Sequence[Case]) -> list[str]:
    """Say what becomes of clones where all attributes are nominal: ordinary bootstrap samples."""
    own = [c for c in cases if c.setting.family == "lenses"]
    if not own:
        return []
    bias = _mean_of(own, lambda c: c.bias("cloned-bscv-5"))
    return [
        (
            "On the lenses all attributes are nominal, and a clone is an ordinary bootstrap sample: there is nothing "
            "to "
            f"smooth. Copies of a case then stand on both sides of a split, and five-fold cross-validation of clones "
            f"is off "
            f"by {signed(bias.value)} ± {1.96 * bias.se:.1f} points on the average of {len(own)} cases."
        )
    ]
