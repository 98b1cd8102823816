"""What section 5 says in words: deterioration, high variance, runs, the propositions.

Also the use that the paper recommends an estimate for: choosing between inducers.  All in percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, most
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.data import RAND
from compendium.papers.kohavi.estimates.artifacts import (
    ADVISED,
    HOLDOUT,
    LEAVE_TWO,
    LOO,
    OnSets,
    by_inducer,
    estimates_of,
    key_of,
)
from compendium.papers.kohavi.estimates.experiment import RUNS, EstimateParameters, StudyParameters
from compendium.papers.kohavi.estimates.figures import draw_model_selection, draw_propositions
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import curves_of, frame_of
from errorest.streams import Streams

_RESAMPLED = 400
_CLOSE = 0.2
"""A ratio of spreads within this of 1 counts as no change."""


@artifact("kohavi-claims", once=("text",))
def claims(p: StudyParameters, run: Run) -> ArtifactResult:
    """Deterioration of an inducer with more cases; data sets with high variance at the high ends; runs."""
    curves, estimates = curves_of(p, p.inducers, run), estimates_of(p, run)
    rows = []
    for (name, inducer), curve in curves.items():
        best, last = max(curve, key=lambda n: curve[n].value), max(curve)
        fall = curve[best].value - curve[last].value
        se = hypot(curve[best].se, curve[last].se) if best != last else 0.0
        reading = column_and_reading(inducer)[1]
        rows.append(Row(reading, key_of(name, inducer), "deterioration-percent", fall, se, curve[last].n))
    rows += [_high_ends(p, one) for one in by_inducer(estimates) if {LOO, LEAVE_TWO, "k=10", "k=20"} <= _named(p)]
    # the classifiers of each of the paper's inducers, in its first reading
    first = {column_and_reading(name)[0]: name for name in reversed(p.inducers)}
    counted = [t.frame[RUNS] for (_, inducer), t in estimates.items() if inducer in first.values()]
    runs = sum(int(made.sum()) for made in counted) + p.holdouts * len(counted)
    rows.append(Row.exact("literal", "text", "runs", runs))
    rows.append(Row.exact("literal", "text", "runs-of-whole-samples", sum(map(len, counted))))
    return ArtifactResult(rows, {"curves": frame_of(curves)})


def _named(p: EstimateParameters) -> set[str]:
    return {point.name for point in p.points}


def _high_ends(p: StudyParameters, one: OnSets) -> Row:
    """Count the data sets on which leave-one-out and leave-two-out both vary more than both 10 and 20 folds.

    The paper has no rule for "high variance".  The error is that of the count over bootstrap samples of the samples.
    """

    def high(estimates: np.ndarray) -> bool:
        sd = estimates.std(axis=0, ddof=1)
        return bool(sd[:2].min() > sd[2:].max())

    count, variance = 0, 0.0
    for name, t in one.trials.items():
        estimates = np.column_stack([t[point] for point in (LEAVE_TWO, LOO, "k=10", "k=20")])
        rng = Streams(p.seed).child("kohavi-claims", one.inducer).generator(name)
        draws = rng.integers(0, t.n, size=(_RESAMPLED, t.n))
        share = float(np.mean([high(estimates[d]) for d in draws]))
        variance += share * (1 - share)
        count += high(estimates)
    row, kind = column_and_reading(one.inducer)
    # a classifier's own reading tells it from another of the same name
    reading = "unstated:more-than-10-and-20-folds" if kind == "literal" else kind
    fewest = min(t.n for t in one.trials.values())
    return Row(reading, row, "files-with-high-variance-at-loo-and-leave-2-out", float(count), sqrt(variance), fewest)


def _unchanged(ratio: Estimate) -> Condition:
    return ratio.within(1 - _CLOSE, 1 + _CLOSE)


PROPOSITIONS = Claims(
    "kohavi-propositions",
    {
        "proposition-1": lambda one, ratios, first, *others: most(
            "measured over predicted", [_unchanged(ratio) for ratio in ratios]
        ),
        "corollary-2": lambda one, ratios, first, *others: every(
            f"spread over that of {first}, average over the data sets",
            [_unchanged(one.sd_ratio((point, first)).named(point)) for point in others],
        ),
    },
)


@artifact("kohavi-propositions", draw=draw_propositions)
def propositions(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Proposition 1: a stable inducer's estimate has the standard deviation sqrt(acc (1 - acc)/n)."""
    sizes = {one.name: one.size for one in p.sets()}
    points = [q.name for q in p.points if q.scheme == "plain"]
    estimates = estimates_of(p, run)
    ratios: dict[str, list[Estimate]] = {inducer: [] for inducer in p.inducers}
    rows, table, checks = [], [], []
    for (name, inducer), t in estimates.items():
        for point in points:
            accuracies = t.frame[point]
            predicted = 100 * sqrt(float(np.mean(accuracies * (1 - accuracies))) / sizes[name])
            measured = t.sd(point)
            ratio = measured * (1 / predicted if predicted > 0 else nan)
            key = key_of(name, inducer)
            rows.append(Row(t.reading, key, f"{point}/predicted-std-percent", predicted, 0.0, t.n))
            rows.append(Row.of(t.reading, key, f"{point}/measured-over-predicted", ratio))
            line = {"set": name, "inducer": inducer, "point": point, "predicted": predicted}
            table.append({**line, "measured": measured.value, "se": measured.se, "ratio": ratio.value, "n": t.n})
            ratios[inducer] += [replace(ratio, label=f"{name}, {point}", unit="", sign="")] if predicted > 0 else []
    for one in by_inducer(estimates):
        checks += judge_claims(PROPOSITIONS, one, ratios[one.inducer], *points, reading=title_of(one.inducer))
    return ArtifactResult(rows, {"spread": pd.DataFrame(table)}, checks)


class Choices(dict[str, Estimate]):
    """Share of samples, in percent, in which an estimate picks the better inducer; NotRun where none was made."""

    def __missing__(self, point: str) -> Estimate:
        raise NotRun(f"no choice by {point}")

    def best_but(self, point: str) -> Estimate:
        """Return the largest share of the other estimates."""
        others = [share for other, share in self.items() if other != point]
        if not others:
            raise NotRun("no other estimate")
        return max(others, key=lambda share: share.value)


SELECTION = Claims(
    "kohavi-model-selection",
    {
        "best": lambda right: right[ADVISED] > right.best_but(ADVISED),
        "better-than-loo": lambda right: right[ADVISED] > right[LOO],
    },
)


@artifact("kohavi-model-selection", draw=draw_model_selection)
@artifact("kohavi-another-choice", draw=draw_model_selection)
def model_selection(p: EstimateParameters, run: Run) -> ArtifactResult:
    """How often each estimate picks the better of the first two inducers, and how near it comes to the truth.

    The truth is the accuracy on all cases outside the sample.  Data without information are left out.
    """
    estimates = estimates_of(p, run)
    pairs = [[estimates[s, i] for i in p.inducers[:2]] for s in dict.fromkeys(s for s, _ in estimates) if s != RAND]
    if not pairs:
        return ArtifactResult()
    n = min(t.n for t in estimates.values())
    rows, table, right = [], [], Choices()
    for point in (q.name for q in p.points):
        # mean square over both inducers and all samples of data sets that are fixed
        squares = [np.mean([t.difference(point, HOLDOUT) ** 2 for t in pair], axis=0) for pair in pairs]
        rms = monte_carlo.root_of(monte_carlo.average(map(monte_carlo.mean, squares)))
        rows.append(Row("literal", point, "rms-percent", rms.value, rms.se, n))
        chosen = monte_carlo.average([share for pair in pairs if (share := _right_choices(pair, point)) is not None])
        if chosen.n:
            rows.append(Row("literal", point, "right-choices-percent", chosen.value, chosen.se, n))
            right[point] = replace(chosen, n=n).named(point, "points", 1)
        line = {"point": point, "rms": rms.value, "rms_se": rms.se, "right": chosen.value, "se": chosen.se}
        table.append({**line, "n": n})
    return ArtifactResult(rows, {"selection": pd.DataFrame(table)}, judge_claims(SELECTION, right))


def _right_choices(pair: Sequence[Trials], point: str) -> Estimate | None:
    """Share of samples in which an estimate picks the better inducer, percent; an equal estimate counts half."""
    if len(pair) < 2:
        return None
    truly, seen = ((pair[0][column] - pair[1][column]).round(9) for column in (HOLDOUT, point))
    right = np.where(seen == 0, 0.5, np.sign(seen) == np.sign(truly))[truly != 0]
    return pair[0].average(100.0 * right) if right.size else None
