"""Where the papers contradict one another: each claim executed in its own settings and in all others.

A claim is judged by the cases in which a difference is clear.  That a claim fails away from
home does not make its paper wrong; the grounds are given one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, within
from compendium.evidence.estimate import Estimate, every, plus_minus, signed
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.cross.cases import PAIRS, READING, Case, Pair, average, cases_of, contest, contestants, mean_ratio
from compendium.guide.cross.experiment import REFERENCE, CrossParameters
from compendium.guide.cross.figures import draw_contests
from compendium.guide.names import GROUNDS, LEARNERS, symbol, unbroken

__all__ = ["claims_of", "contradictions", "tenfold_of_ten"]


def _by_ground(cases: Sequence[Case]) -> dict[str, list[Case]]:
    return {ground: [c for c in cases if c.ground == ground] for ground in GROUNDS}


@artifact("guide-cross-contradictions", draw=draw_contests, matrix=True)
def contradictions(p: CrossParameters, run: Run) -> ArtifactResult:
    """Execute what the papers say of one another's estimators, ground by ground."""
    cases = cases_of(p, run)
    rows, lines = [], []
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
    checks = [claim.check() for claim in claims_of(cases)]
    return ArtifactResult(
        rows,
        {"contests": pd.DataFrame(lines), "reasons": _reasons(cases)},
        checks,
        [*_who_is_right(cases), *_by_size(cases), *_no_information(cases), *_nominal(cases), *tenfold_of_ten(cases)],
    )


def _bias(cases: Sequence[Case], estimator: str) -> Estimate:
    """Mean bias over cases, in points."""
    return average([c.bias(estimator) for c in cases])


def claims_of(cases: Sequence[Case]) -> list[Claim]:
    """Say what the papers claim of one another's estimators; each ground is a part of its own."""
    return [
        *(_errs_less(cases, pair) for pair in PAIRS),
        _unbiased(cases),
        _steadier(cases),
        *_by_overfitting(cases),
        *_synthetic_against_real(cases),
    ]


def _errs_less(cases: Sequence[Case], pair: Pair) -> Claim:
    """Ask for a geometric mean of the ratio of root mean squared errors below 1 on every ground."""
    ratios, counts = [], []
    for ground, own in _by_ground(cases).items():
        if both := contestants(own, pair):
            found, title = contest(own, pair), GROUNDS[ground].title
            ratios.append(below(title, mean_ratio(both, pair.better, pair.than), 1.0, "times the error", sign=""))
            counts.append(f"{title} {found.better} better and {found.worse} worse of {found.cases}")
    return Claim(pair.claim, ratios, context=f"clearly, in cases: {'; '.join(counts)}; geometric means")


def _unbiased(cases: Sequence[Case]) -> Claim:
    return Claim(
        "Ten-fold cross-validation has little or no bias everywhere (within a point; M & H).",
        [
            every(GROUNDS[ground].title, [within(c.title, c.bias("cv-10") * 100, 1.0, "points") for c in own])
            for ground, own in _by_ground(cases).items()
            if own
        ],
    )


def _steadier(cases: Sequence[Case]) -> Claim:
    return Claim(
        "The standard deviation of .632 is about 80 % of that of ten-fold cross-validation (to a tenth; M & H).",
        [
            within(
                GROUNDS[ground].title,
                mean_ratio(own, "bootstrap-632", "cv-10", Case.log_spread_ratio) * 100,
                10.0,
                "%",
                of=80.0,
                digits=1,
                sign="",
            )
            for ground, own in _by_ground(cases).items()
            if own
        ],
        context="geometric means",
    )


_HARD = 0.3


def _by_overfitting(cases: Sequence[Case]) -> list[Claim]:
    memorizers = [c for c in cases if c.learner == "memorizer"]
    others = [c for c in cases if c.learner != "memorizer"]
    if not memorizers or not others:
        return []
    a, b = (_bias(group, "bootstrap-632") for group in (memorizers, others))
    hard = [c for c in memorizers if c.truth.mean() >= _HARD]
    told = (
        f"mean bias of {len(memorizers)} cases of memorizers {plus_minus(a)} points, of {len(others)} others "
        f"{plus_minus(b)}"
    )
    if hard:
        where = f"where memorizers err in {100 * _HARD:g} % or more of all cases"
        told += f", {plus_minus(_bias(hard, 'bootstrap-632'))} {where}"
    return [
        Claim(
            "The bias of .632 depends on how much the inducer overfits (M & H; Kohavi).",
            [below("memorizers minus others", a - b, unit="points")],
            context=told,
        )
    ]


def _synthetic_against_real(cases: Sequence[Case]) -> list[Claim]:
    home = [c for c in cases if c.setting.family == "synthetic"]
    real = [c for c in cases if c.setting.family in ("uci", "data")]
    if not home or not real:
        return []
    a, b = (mean_ratio(own, "cloned-bscv-5") for own in (home, real))
    return [
        Claim(
            "Five-fold cross-validation of clones is best on synthetic data and not on real data (Shakhnarovich et "
            "al.).",
            [
                below("synthetic data", a, 1.0, "times the error", sign=""),
                above("real data", b, 1.0, "times the error", sign=""),
            ],
            context=f"against stratified ten-fold cross-validation, mean bias on real data "
            f"{plus_minus(_bias(real, 'cloned-bscv-5'))} points; geometric means",
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
            f"points: {', '.join(told)}. By its formula the printed .632+ is .632 where the overfitting rate exceeds 1."
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


def tenfold_of_ten(cases: Sequence[Case]) -> list[str]:
    """Say in which cases ten folds are leave-one-out, stratified or not."""
    own = [c for c in cases if c.leaves_one_out(REFERENCE)]
    if not own:
        return []
    return [
        (
            f"In {len(own)} of the {len(cases)} cases a sample has ten cases, and ten folds of it, stratified or not, "
            "are leave-one-out. Such a case takes no part where two of these estimators are set against each other."
        )
    ]
