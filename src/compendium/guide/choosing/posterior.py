"""As good as: how often what a posterior of a difference states of two classifiers is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, product
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.records import each, matching, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.choosing.drawing import FIRST
from compendium.guide.choosing.parameters import ChoosingParameters
from compendium.guide.choosing.populations import columnar, draw_sample, normal_classes, single_attributes, true_error
from compendium.guide.marks import look
from compendium.guide.names import CHOOSING, CHOOSING_LABELS, TARGETS
from compendium.methods.learners.threshold import Threshold
from compendium.plots.picture import Drawing, Picture
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.compare import practical_equality
from errorest.assessment.shared_splits import corrected_spread
from errorest.counting import count_each
from errorest.estimation.run import predict_schemes
from errorest.learners import KNN
from errorest.learners.base import Inducer
from errorest.plots import in_style
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

_COMPARED: tuple[Inducer, ...] = (Threshold("literal"), KNN(1), KNN(5))

_STEPS = 3

# As `compare` does
_SPLITS = KFold(5, repeats=5, stratified=True)


def _compared(cell: Cell) -> Replicate:
    """Return what one replicate yields: for every pair its posterior, and its two true errors."""
    distances = tuple(1.0 + step * cell["gap"] for step in range(_STEPS))
    own = list(product(range(_STEPS), _COMPARED))

    def replicate(place: Streams) -> Mapping[str, Sequence[object]]:
        sample = draw_sample(normal_classes(distances).sample, cell["n"], place.generator("sample"))
        columns = single_attributes(sample)
        splits = _SPLITS.draw(sample, place)
        rates = [predict_schemes(columns[j], rule, {_SPLITS: splits}, place)[_SPLITS].row_rates for j, rule in own]
        truths = [true_error(distances[j], rule, columns[j]) for j, rule in own]
        tested = float(splits.cases.size / splits.n_rows)
        lines = []
        for a, b in combinations(range(len(own)), 2):
            difference = rates[a] - rates[b]
            mean, spread = float(difference.mean()), corrected_spread(difference, tested, sample.n, sample.n)
            wide = practical_equality(mean, spread, cell["margin"])
            plain = practical_equality(mean, spread, 0.0)
            # a difference of 0 in every split is no evidence for either
            one = plain.a_better + plain.equal / 2
            lines.append((a, b, truths[a], truths[b], one, wide.a_better, wide.b_better))
        return columnar(("a", "b", "truth_a", "truth_b", "a_better", "a_better_by_more", "b_better_by_more"), lines)

    return replicate


def pairs_study(p: ChoosingParameters) -> Study:
    """Return the study of posteriors; all pairs of a sample see the same splits."""
    cells = [{"gap": gap, "n": n, "margin": p.margin} for gap, n in product(p.gaps, p.sizes)]
    return Study(
        "guide-choosing-pairs",
        cells,
        p.pairs,
        each_replicate(_compared),
        seed=p.seed,
        seed_keys=("gap", "n"),
        chunk=100,
        cost=lambda cell: 3.0 + 0.03 * float(cell["n"]),
    )


# Probabilities that are taken together, the upper limit left out but for the last
BINS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.0))

# The least of the probabilities that claims speak of
HIGH = 0.9

# Points by which statements may be true more or less often than stated
TOLERANCE = 2.0


class _Statements(NamedTuple):
    """Statements: with what probability, whether they are true of a target, and of which sample."""

    probability: np.ndarray
    true: np.ndarray
    sample: np.ndarray


def ratio(values: np.ndarray, samples: np.ndarray) -> Estimate:
    """Mean of statements; those of one sample depend on each other, so that the error comes from sums of samples."""
    number, place = np.unique(samples, return_inverse=True)
    sums, counts = count_each(place, weights=values), count_each(place)
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
    # a probability of one half is stated of both classifiers and decides nothing
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


def calibrated(table: pd.DataFrame, target: str) -> list[Conditions]:
    """Ask what is stated with a high probability to come true as often, to a few points, at every size."""
    own = matching(table, target=target, outcome="better", low=HIGH, high=1.0)
    gaps = {
        gap: [Estimate(float(r.apart), float(r.apart_se), int(r.samples), f"n = {r.n}") for r in each(part)]
        for gap, part in parts(own, "gap").items()
    }
    return [
        every(f"{gap:g} standard deviations apart", [abs(e) <= TOLERANCE for e in own]) for gap, own in gaps.items()
    ]


POSTERIOR = Claims("guide-choosing-posterior", {target: partial(calibrated, target=target) for target in TARGETS})


@in_style
def draw_calibration(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.largest[1].data["calibration"]
    first = table[(table["target"] == FIRST) & (table["outcome"] == "better")]
    first = first[(first["low"] != HIGH) | (first["high"] != 1)]
    panels = {gap: f"{gap:g} apart" for gap in p.gaps}
    x, y = "probability stated (%)", "true (%)"
    picture = Picture(3.9, panels, "gap", letters=True, x=x, y=y, sharex=True, sharey=True)
    picture.guide(linestyle="--")
    looks = {n: {**look(k), "markersize": 4.5} for k, n in enumerate(p.sizes)}
    picture.lines(first, "stated", "true", se="se", by="n", looks=looks, names="n = {}".format, capsize=2)
    picture.limits(xlim=(48, 102), ylim=(min(48, float(first["true"].min()) - 3), 102))
    for axes in picture.axes.values():
        axes.grid()
    return picture.done()


@artifact("guide-choosing-posterior", draw=draw_calibration, labels=CHOOSING_LABELS, matrix=True)
def posteriors(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """How often statements of the correlated Bayesian t come true, by the probability that it gives them (percent)."""
    rows, lines = [], []
    table = run(pairs_study(p))
    for target, outcome, gap, n in product(TARGETS, CHOOSING["outcomes"], p.gaps, p.sizes):
        made = _statements(matching(table, gap=gap, n=n), outcome, target, p.margin)
        for low, high in (*BINS, (HIGH, 1.0)):
            line = _line(made, low, high)
            if line is None:
                continue
            lines.append({"target": target, "outcome": outcome, "gap": gap, "n": n, **line})
            shown = (low, high) == (HIGH, 1.0) or (outcome, target) == ("better", FIRST)
            if not (shown and np.isfinite(line["se"])):
                continue
            row, column = f"{target}/{outcome}/gap-{gap:g}/said-{100 * low:g}-to-{100 * high:g}", f"{n}-cases"
            own = [(row, line["true"], line["se"])]
            if (low, outcome, target) == (HIGH, "better", FIRST) and high == 1:
                own.append((f"true-less-stated/gap-{gap:g}", line["apart"], line["apart_se"]))
            rows += [Row("literal", name, column, value, se, int(line["samples"])) for name, value, se in own]
    columns = ["target", "outcome", "gap", "n", "low", "high", "statements", "samples", "stated", "true", "se"]
    frame = pd.DataFrame(lines, columns=[*columns, "apart", "apart_se"])
    checks = judge_claims(POSTERIOR, frame, sure=HIGH, slack=TOLERANCE)
    return ArtifactResult(rows, {"calibration": frame}, checks)
