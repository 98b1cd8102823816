"""As good as: how often what a posterior of a difference states of two classifiers is true."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.records import each, matching, parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import ChoosingParameters, pairs_study
from compendium.guide.choosing.figures import FIRST, SURE, draw_calibration
from compendium.guide.names import CHOOSING, CHOOSING_LABELS, TARGETS

# Probabilities that are taken together, the upper limit left out but for the last
BINS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.0))

# Points by which statements may come true more or less often than they say
_SLACK = 2.0


class _Statements(NamedTuple):
    """Statements: with what probability, whether they are true of a target, and of which sample."""

    probability: np.ndarray
    true: np.ndarray
    sample: np.ndarray


def ratio(values: np.ndarray, samples: np.ndarray) -> Estimate:
    """Mean of statements; those of one sample depend on each other, so that the error comes from sums of samples."""
    number, place = np.unique(samples, return_inverse=True)
    sums, counts = np.bincount(place, weights=values), np.bincount(place)
    value = float(sums.sum() / counts.sum())
    n = number.size
    spread = float(((sums - value * counts) ** 2).sum())
    se = sqrt(spread * n / (n - 1)) / float(counts.sum()) if n > 1 else float("nan")
    return Estimate(value, se, n)


def _statements(table: pd.DataFrame, outcome: str, target: str, margin: float) -> _Statements:
    """Return what is stated of all pairs: of either classifier where one is called better."""
    truths = [table["truth_a"].to_numpy(), table["truth_b"].to_numpy()]
    if target != FIRST:
        errors = pd.concat([table[[k, f"truth_{k}"]].set_axis(["one", "truth"], axis=1) for k in "ab"])
        means = errors.groupby("one")["truth"].mean()
        truths = [means.loc[table[k]].to_numpy() for k in "ab"]
    gap, sample = truths[1] - truths[0], table["replicate"].to_numpy()
    more = [table[f"{k}_better_by_more"].to_numpy() for k in "ab"]
    if outcome == "equal":
        return _Statements(1 - (more[0] + more[1]), np.abs(gap) <= margin, sample)
    better = table["a_better"].to_numpy()
    both, least = ([better, 1 - better], 0.0) if outcome == "better" else (more, margin)
    return _Statements(np.concatenate(both), np.concatenate([gap > least, -gap > least]), np.tile(sample, 2))


def _line(made: _Statements, low: float, high: float) -> dict[str, float] | None:
    """Return how probable statements were called, and how many came true (percent); None of none."""
    upper = made.probability <= high if high == 1 else made.probability < high
    # an even chance is stated of both and tells nothing
    own = (made.probability >= low) & upper & (np.abs(made.probability - 0.5) > 1e-12)
    if not own.any():
        return None
    probability, true, samples = made.probability[own], made.true[own].astype(float), made.sample[own]
    came, apart = ratio(true, samples) * 100, ratio(true - probability, samples) * 100
    values = {"low": low, "high": high, "statements": int(own.sum()), "samples": came.n}
    return values | {
        "stated": 100 * float(probability.mean()),
        "true": came.value,
        "se": came.se,
        "apart": apart.value,
        "apart_se": apart.se,
    }


@artifact("guide-choosing-posterior", draw=draw_calibration, labels=CHOOSING_LABELS, matrix=True)
def posteriors(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """How often statements of the correlated Bayesian t come true, by the probability that it gives them (percent)."""
    rows, lines = [], []
    table = run(pairs_study(p))
    for target, outcome, gap, n in product(TARGETS, CHOOSING["outcomes"], p.gaps, p.sizes):
        made = _statements(matching(table, gap=gap, n=n), outcome, target, p.margin)
        for low, high in (*BINS, (SURE, 1.0)):
            line = _line(made, low, high)
            if line is None:
                continue
            lines.append({"target": target, "outcome": outcome, "gap": gap, "n": n, **line})
            shown = (low, high) == (SURE, 1.0) or (outcome, target) == ("better", FIRST)
            if not (shown and np.isfinite(line["se"])):
                continue
            row, column = f"{target}/{outcome}/gap-{gap:g}/said-{100 * low:g}-to-{100 * high:g}", f"{n}-cases"
            own = [(row, line["true"], line["se"])]
            if (low, outcome, target) == (SURE, "better", FIRST) and high == 1:
                own.append((f"true-less-stated/gap-{gap:g}", line["apart"], line["apart_se"]))
            rows += [Row("literal", name, column, value, se, int(line["samples"])) for name, value, se in own]
    columns = ["target", "outcome", "gap", "n", "low", "high", "statements", "samples", "stated", "true", "se"]
    frame = pd.DataFrame(lines, columns=[*columns, "apart", "apart_se"])
    checks = judge_claims(POSTERIOR, frame, sure=SURE, slack=_SLACK)
    return ArtifactResult(rows, {"calibration": frame}, checks)


def _apart(frame: pd.DataFrame, target: str) -> list[Conditions]:
    """Ask what is stated with a high probability to come true as often, to a few points, at every size."""
    own = matching(frame, target=target, outcome="better", low=SURE, high=1.0)
    return [
        every(
            f"{gap:g} standard deviations apart",
            [
                abs(Estimate(float(r.apart), float(r.apart_se), int(r.samples), f"n = {r.n}")) <= _SLACK
                for r in each(part)
            ],
        )
        for gap, part in parts(own, "gap").items()
    ]


POSTERIOR = Claims(
    "guide-choosing-posterior",
    {
        "this-classifier": lambda frame: _apart(frame, "this-classifier"),
        "the-procedure": lambda frame: _apart(frame, "the-procedure"),
    },
)
