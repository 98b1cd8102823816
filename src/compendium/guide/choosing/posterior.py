"""As good as: how often what a posterior of a difference says of two classifiers is true."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, counted, within
from compendium.evidence.estimate import Estimate, every, plus_minus
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import OUTCOMES, ChoosingParameters, pairs_study
from compendium.guide.choosing.figures import draw_calibration
from compendium.guide.choosing.words import LABELS, OUTCOME_TITLES, SURE
from compendium.guide.names import TARGETS

__all__ = ["posterior_claims", "posteriors", "ratio"]

BINS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.0))
"""Probabilities that are taken together, the upper limit left out but for the last."""

_SLACK = 2.0
"""Points by which what is said may come true less often."""


class _Said(NamedTuple):
    """Statements: with what probability, whether they are true of a target, and of which sample."""

    probability: np.ndarray
    true: np.ndarray
    sample: np.ndarray


def ratio(values: np.ndarray, samples: np.ndarray) -> Estimate:
    """Mean of statements; those of one sample share its luck, so that the error comes from sums of samples."""
    number, place = np.unique(samples, return_inverse=True)
    sums, counts = np.bincount(place, weights=values), np.bincount(place)
    value = float(sums.sum() / counts.sum())
    n = number.size
    spread = float(((sums - value * counts) ** 2).sum())
    se = sqrt(spread * n / (n - 1)) / float(counts.sum()) if n > 1 else float("nan")
    return Estimate(value, se, n)


def _statements(table: pd.DataFrame, outcome: str, target: str, margin: float) -> _Said:
    """Return what is said of all pairs: of either classifier where one is called better."""
    truths = [table["truth_a"].to_numpy(), table["truth_b"].to_numpy()]
    if target != next(iter(TARGETS)):
        means = pd.concat([table[[k, f"truth_{k}"]].set_axis(["one", "truth"], axis=1) for k in "ab"])
        of = means.groupby("one")["truth"].mean()
        truths = [of.loc[table[k]].to_numpy() for k in "ab"]
    gap, sample = truths[1] - truths[0], table["replicate"].to_numpy()
    if outcome == "equal":
        more = table["a_better_by_more"].to_numpy() + table["b_better_by_more"].to_numpy()
        return _Said(1 - more, np.abs(gap) <= margin, sample)
    if outcome == "better":
        a, least = table["a_better"].to_numpy(), 0.0
        b = 1 - a
    else:
        a, b, least = table["a_better_by_more"].to_numpy(), table["b_better_by_more"].to_numpy(), margin
    return _Said(np.concatenate([a, b]), np.concatenate([gap > least, -gap > least]), np.concatenate([sample] * 2))


def _within(said: _Said, low: float, high: float) -> dict[str, float] | None:
    """Return how probable statements were called, and how many came true (percent); None of none."""
    upper = said.probability <= high if high == 1 else said.probability < high
    # an even chance is said of both and tells nothing
    own = (said.probability >= low) & upper & (np.abs(said.probability - 0.5) > 1e-12)
    if not own.any():
        return None
    probability, true, samples = said.probability[own], said.true[own].astype(float), said.sample[own]
    came, apart = ratio(true, samples) * 100, ratio(true - probability, samples) * 100
    return {
        "low": low,
        "high": high,
        "statements": int(own.sum()),
        "samples": came.n,
        "said": 100 * float(probability.mean()),
        "true": came.value,
        "se": came.se,
        "apart": apart.value,
        "apart_se": apart.se,
    }


def _calibration(p: ChoosingParameters, run: Run) -> pd.DataFrame:
    lines = []
    table = run(pairs_study(p))
    for target, outcome, gap, n in product(TARGETS, OUTCOMES, p.gaps, p.sizes):
        own = table[(table["gap"] == gap) & (table["n"] == n)]
        output = _statements(own, outcome, target, p.margin)
        for low, high in (*BINS, (SURE, 1.0)):
            result = _within(output, low, high)
            if result is not None:
                lines.append({"target": target, "outcome": outcome, "gap": gap, "n": n, **result})
    names = ["target", "outcome", "gap", "n", "low", "high", "statements", "samples", "said", "true", "se"]
    return pd.DataFrame(lines, columns=[*names, "apart", "apart_se"])


@artifact("guide-choosing-posterior", draw=draw_calibration, labels=LABELS, matrix=True)
def posteriors(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """How often statements of the correlated Bayesian t come true, by the probability that it gives them (percent)."""
    frame = _calibration(p, run)
    rows = [
        Row(
            "literal",
            f"{one.target}/{one.outcome}/gap-{one.gap:g}/said-{100 * one.low:g}-to-{100 * one.high:g}",
            f"{one.n}-cases",
            float(one.true),
            float(one.se),
            int(one.samples),
        )
        for one in each(frame)
        if np.isfinite(one.se)
        and ((one.low == SURE and one.high == 1) or (one.outcome == "better" and one.target == next(iter(TARGETS))))
    ]
    checks = [claim.check() for claim in posterior_claims(frame)]
    return ArtifactResult(rows, {"calibration": frame}, checks, list(_words(p, frame)))


def _sure(frame: pd.DataFrame, target: str, outcome: str) -> pd.DataFrame:
    own = frame[(frame["target"] == target) & (frame["outcome"] == outcome)]
    return own[(own["low"] == SURE) & (own["high"] == 1)]


def posterior_claims(frame: pd.DataFrame) -> list[Claim]:
    """Ask that what is called probable comes true as often as it is called, to two points."""
    claims = []
    for target, named in TARGETS.items():
        own = _sure(frame, target, "better")
        parts = [
            every(
                f"{gap:g} standard deviations apart",
                [
                    within(f"n = {one.n}", Estimate(float(one.apart), float(one.apart_se), int(one.samples)), _SLACK)
                    for one in each(own[own["gap"] == gap])
                ],
            )
            for gap in dict.fromkeys(own["gap"])
        ]
        claims.append(
            Claim(
                f"That one errs less, said with a probability of {SURE:g} or more, comes true as often (to "
                f"{_SLACK:g} points; {named.words}).",
                parts,
                context="share that came true less what was said, points",
            )
        )
    return claims


def _words(p: ChoosingParameters, frame: pd.DataFrame) -> Iterator[str]:
    first = next(iter(TARGETS))
    for gap in p.gaps:
        own = _sure(frame, first, "better")
        parts = [_sentences(one) for one in each(own[own["gap"] == gap])]
        if parts:
            yield (
                f"Attributes {gap:g} standard deviations apart; of what was said with a probability of {SURE:g} or "
                f"more, that one of two classifiers {OUTCOME_TITLES['better']}, true was {'; '.join(parts)}."
            )
    for outcome in OUTCOMES[1:]:
        own = _sure(frame, first, outcome)
        if len(own):
            counts, right = own["statements"].to_numpy(), own["true"].to_numpy()
            yield (
                f"With a margin of {counted(100 * p.margin, 'point')}, {int(counts.sum()):,} times it was said with a "
                f"probability of {SURE:g} or more '{OUTCOME_TITLES[outcome]}', and "
                f"{float(np.average(right, weights=counts)):.0f} % of that was true."
            )
    own = _sure(frame, first, "better")
    if len(own):
        apart = own["apart"].to_numpy()
        least, most = own.iloc[int(apart.argmin())], own.iloc[int(apart.argmax())]
        ends = [
            f"{plus_minus(Estimate(float(one['apart']), float(one['apart_se']), 0))} points (n = {one['n']}, "
            f"{one['gap']:g} apart)"
            for one in (least, most)
        ]
        advice = (
            "do not read the probability as the share of such statements that are true where two classifiers are alike"
            if float(least["apart"]) < -_SLACK
            else "the probability may be read as the share of such statements that are true"
        )
        yield f"What came true less what was said, least and most: {ends[0]} and {ends[1]}. So {advice}."


def _sentences(one: object) -> str:
    m = Estimate(float(one.true), float(one.se), int(one.samples))  # type: ignore[attr-defined]
    message = plus_minus(m, "") if np.isfinite(m.se) else f"{m.value:.1f}"
    return f"{message} % at n = {one.n} ({one.said:.1f} % said)"  # type: ignore[attr-defined]
