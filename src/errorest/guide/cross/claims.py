"""Where the papers contradict one another: each claim executed in its own settings and in all others.

A claim is judged by the cases in which a difference is clear.  That a claim fails away from
home does not make its paper wrong; the grounds are given one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.artifact import artifact
from errorest.evidence.claims import plus_minus, signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.cross.cases import CLEAR, PAIRS, READING, Case, Pair, average, cases_of, contest
from errorest.guide.cross.experiment import REFERENCE, CrossParameters
from errorest.guide.cross.figures import draw_contests
from errorest.guide.names import GROUNDS, LEARNERS, symbol, unbroken

__all__ = ["contradictions"]


def _by_ground(cases: Sequence[Case]) -> dict[str, list[Case]]:
    return {ground: [c for c in cases if c.ground == ground] for ground in GROUNDS}


@artifact(
    "guide-cross-contradictions",
    "Contradictions",
    "Where the papers contradict one another",
    "Cases in which the estimator named first clearly errs less (better) or more (worse).",
    draw=draw_contests,
    matrix=True,
)
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
        key = unbroken(f"{symbol(pair.better)} against {symbol(pair.than)}")
        found = {ground: contest(own, pair) for ground, own in _by_ground(cases).items()}
        found = {ground: one for ground, one in found.items() if one.cases}
        for ground, one in found.items():
            lines.append({"pair": key, "ground": ground, **one._asdict()})
            rows += [
                Row(READING, key, f"{GROUNDS[ground].title}, {what}", float(count), 0.0, one.cases)
                for what, count in one._asdict().items()
            ]
        parts = (
            f"{GROUNDS[g].title} {one.better} better, {one.worse} worse of {one.cases}" for g, one in found.items()
        )
        checks.append(Check(pair.claim, f"clearly, in cases: {'; '.join(parts)}", contest(cases, pair).outcome))
    checks += [*_unbiased(cases), *_steadier(cases), *_by_overfitting(cases), *_synthetic_against_real(cases)]
    return Regenerated(
        rows,
        {"contests": pd.DataFrame(lines), "reasons": _reasons(cases)},
        checks,
        [*_who_is_right(cases), *_by_size(cases), *_no_information(cases), *_nominal(cases)],
    )


def _bias(cases: Sequence[Case], estimator: str) -> Measured:
    """Mean bias over cases, in points."""
    return average([c.bias(estimator) for c in cases])


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
    for ground, own in _by_ground(cases).items():
        pairs = [(c.spread("bootstrap-632").value, c.spread("cv-10").value) for c in own]
        found = [a / b for a, b in pairs if b > 0]
        if found:
            ratios += found
            parts.append(f"{GROUNDS[ground].title} {100 * np.mean(found):.0f} %")
    least = sum(r < 1 for r in ratios)
    return [
        Check(
            "The standard deviation of .632 is about 80 % of that of ten-fold cross-validation (M & H).",
            f"on the average {', '.join(parts)}; smaller in {least} of {len(ratios)} cases",
            "holds" if least == len(ratios) else "holds in part" if least > len(ratios) / 2 else "fails",
        )
    ]


_HARD = 0.3


def _by_overfitting(cases: Sequence[Case]) -> list[Check]:
    memorizers = [c for c in cases if c.learner == "memorizer"]
    others = [c for c in cases if c.learner != "memorizer"]
    if not memorizers or not others:
        return []
    a, b = (_bias(group, "bootstrap-632") for group in (memorizers, others))
    hard = [c for c in memorizers if c.truth.mean() >= _HARD]
    told = ""
    if hard:
        bias = plus_minus(_bias(hard, "bootstrap-632"))
        told = f"; {bias} where memorizers err in {100 * _HARD:g} % or more of all cases"
    return [
        Check(
            "The bias of .632 depends on how much the inducer overfits (M & H; Kohavi).",
            f"mean bias {plus_minus(a)} points for memorizers, {plus_minus(b)} for all others{told}",
            "holds" if a.value - b.value < -1.96 * float(np.hypot(a.se, b.se)) else "fails",
        )
    ]


def _synthetic_against_real(cases: Sequence[Case]) -> list[Check]:
    pair = Pair("cloned-bscv-5", REFERENCE)
    home = [c for c in cases if c.setting.family == "synthetic"]
    real = [c for c in cases if c.setting.family in ("uci", "data")]
    if not home or not real:
        return []
    a, b = contest(home, pair), contest(real, pair)
    return [
        Check(
            "Five-fold cross-validation of clones is best on synthetic data and not on real data (Shakhnarovich et "
            "al.).",
            f"against stratified ten-fold cross-validation, clearly: better {a.better}, worse {a.worse} of {a.cases} "
            f"synthetic cases; better {b.better}, worse {b.worse} of {b.cases} real ones, mean bias there "
            f"{plus_minus(_bias(real, pair.better))} points",
            "holds"
            if a.better > a.worse and b.better <= b.worse
            else "holds in part"
            if a.better > a.worse
            else "fails",
        )
    ]


def _reasons(cases: Sequence[Case]) -> pd.DataFrame:
    """Split the mean squared error of each case into squared bias and variance of the error, in squared points."""
    lines = []
    for c in cases:
        for name in (REFERENCE, "bootstrap-632", "bootstrap-632-plus", "cloned-bscv-5"):
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


def _share_of_bias(cases: Sequence[Case], estimator: str) -> float:
    """Share of squared bias in the mean squared error, averaged over cases, in percent."""
    errors = [c.errors(estimator) for c in cases]
    shares = [float(error.mean() ** 2 / (error**2).mean()) for error in errors if (error**2).any()]
    return 100 * float(np.mean(shares)) if shares else float("nan")


def _who_is_right(cases: Sequence[Case]) -> list[str]:
    findings = []
    for learner in dict.fromkeys(c.learner for c in cases):
        own = [c for c in cases if c.learner == learner]
        found = contest(own, Pair(REFERENCE, "bootstrap-632"))
        findings.append(
            f".632 or stratified ten-fold cross-validation? For {LEARNERS[learner].plural}, .632 errs clearly less in "
            f"{found.worse} and clearly more in {found.better} of {found.cases} cases. Bias makes up "
            f"{_share_of_bias(own, 'bootstrap-632'):.0f} % of .632's squared error and "
            f"{_share_of_bias(own, REFERENCE):.0f} % of that of cross-validation; the rest is variance."
        )
    return findings


_SMALL, _LARGE = 24, 60


def _by_size(cases: Sequence[Case]) -> list[str]:
    groups = [[c for c in cases if c.setting.n <= _SMALL], [c for c in cases if c.setting.n > _LARGE]]
    if not all(groups):
        return []
    small, large = (np.mean([np.exp(c.log_ratio("bootstrap-632-plus").value) for c in own]) for own in groups)
    return [
        (
            f"Sample size: up to {_SMALL} cases the error of .632+ is on the average {small:.2f} times that of "
            f"stratified ten-fold cross-validation; with more than {_LARGE} cases {large:.2f} times."
        )
    ]


_NOTHING_TO_LEARN = {("two-normals", 0.5), ("synthetic", 2), ("synthetic", 4), ("data", "rand")}


def _no_information(cases: Sequence[Case]) -> list[str]:
    """Compare the paper's .632+ on clones with the correct one where nothing can be learned."""
    nothing = [c for c in cases if (c.setting.family, c.setting.at) in _NOTHING_TO_LEARN and c.has("cloned-632-plus")]
    if not nothing:
        return []
    told = [
        f"{symbol(name)} {signed(_bias(nothing, name).value)} (error "
        f"{average([c.rmse(name) for c in nothing]).value:.1f})"
        for name in ("bootstrap-632", "bootstrap-632-plus", "cloned-632-plus", "cloned-632-plus-correct", REFERENCE)
    ]
    return [
        (
            f"Where nothing can be learned ({len(nothing)} cases), mean bias and mean root mean squared error in "
            f"points: {', '.join(told)}. The printed .632+ falls back to .632 exactly where an inducer overfits most; "
            "with Efron & Tibshirani's formula it does not."
        )
    ]


def _nominal(cases: Sequence[Case]) -> list[str]:
    """Say what becomes of clones where all attributes are nominal: ordinary bootstrap samples."""
    own = [c for c in cases if c.setting.family == "lenses"]
    if not own:
        return []
    return [
        (
            "On the lenses all attributes are nominal, and a clone is an ordinary bootstrap sample: there is nothing "
            "to smooth. Copies of a case then stand on both sides of a split, and five-fold cross-validation of clones "
            f"is off by {plus_minus(_bias(own, 'cloned-bscv-5'))} points on the average of {len(own)} cases."
        )
    ]
