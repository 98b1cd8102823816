"""What section 5 says in words: deterioration, high variance, runs; the propositions.

Also the use that the paper recommends an estimate for: choosing between inducers.  All in percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, near
from compendium.evidence.estimate import Estimate, every, most
from compendium.evidence.records import each, largest, parts, smallest
from compendium.evidence.regenerated import Check, Regenerated, Row, Run
from compendium.papers.kohavi.data import RAND
from compendium.papers.kohavi.estimates.artifacts import HOLDOUT, Groups, estimates_of, key_of, spread_ratios
from compendium.papers.kohavi.estimates.experiment import EstimateParameters, Point, StudyParameters
from compendium.papers.kohavi.estimates.figures import draw_model_selection, draw_propositions
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import curves_of
from errorest.streams import Streams

__all__ = ["claims", "model_selection", "propositions"]

_RESAMPLED = 400
_CLOSE = 0.2
"""A ratio of spreads within this of 1 counts as no change."""
_HIGH_ENDS = [Point("leave-out", 2), Point("leave-out", 1), Point("plain", 10), Point("plain", 20)]


@artifact(
    "kohavi-claims",
    "In the text",
    "Deterioration, high variance, runs",
    "Fall of the learning curve from its best point to its end, in points; number of data sets; number "
    "of classifiers made.",
    once=("text",),
)
def claims(p: StudyParameters, run: Run) -> Regenerated:
    """Deterioration of an inducer with more cases, data sets with high variance at the high ends, runs.

    A data set has *high variance at the high ends* where leave-one-out and leave-two-out both
    vary more than both 10 and 20 folds do (the paper gives no rule).
    """
    groups = estimates_of(p, run)
    found = _deterioration(p, run)
    if set(_HIGH_ENDS) <= set(p.points):
        for inducer in p.inducers:
            found = found.joined(_high_ends(p, inducer, {s: own for (s, i), own in groups.items() if i == inducer}))
    return found.joined(_runs(p, groups))


def _deterioration(p: StudyParameters, run: Run) -> Regenerated:
    rows, findings = [], []
    curves = curves_of(p, p.inducers, run)
    for (name, inducer), curve in parts(curves, "set", "inducer").items():
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
    return Regenerated(rows, {"curves": curves}, findings=findings)


def _is_high(estimates: np.ndarray) -> bool:
    """Whether the first two of four estimates both vary more than the last two."""
    sd = estimates.std(axis=0, ddof=1)
    return bool(sd[:2].min() > sd[2:].max())


def _high_ends(p: StudyParameters, inducer: str, of_sets: dict[str, pd.DataFrame]) -> Regenerated:
    """Count the data sets with high variance at the high ends."""
    high, unsure = [], 0.0
    for name, own in of_sets.items():
        values = own[[q.name for q in _HIGH_ENDS]].to_numpy()
        rng = Streams(p.seed).child("kohavi-claims", inducer).generator(name)
        draws = rng.integers(0, len(values), size=(_RESAMPLED, len(values)))
        share = float(np.mean([_is_high(values[d]) for d in draws]))
        unsure += share * (1 - share)
        if _is_high(values):
            high.append(name)
    column, n = "files-with-high-variance-at-loo-and-leave-2-out", min(len(own) for own in of_sets.values())
    row, kind = column_and_reading(inducer)
    # a classifier's own reading tells it from another of the same name
    reading = "unstated:more-than-10-and-20-folds" if kind == "literal" else kind
    finding = (
        f"{title_of(inducer)}: leave-one-out and leave-two-out vary more than 10 and 20 folds on these data "
        f"sets: {', '.join(high) or 'none'}. The samples leave their number uncertain by {sqrt(unsure):.1f} "
        "(standard error, from samples drawn anew)."
    )
    return Regenerated([Row(reading, row, column, float(len(high)), sqrt(unsure), n)], findings=[finding])


def _runs(p: StudyParameters, groups: Groups) -> Regenerated:
    """Count the classifiers made, of each of the paper's inducers in its first reading."""
    first = {column_and_reading(name)[0]: name for name in reversed(p.inducers)}
    counted = [own for (_, inducer), own in groups.items() if inducer in first.values()]
    folds = sum(int(own["runs"].sum()) for own in counted)
    holdouts = p.holdouts * len(counted)
    whole = sum(len(own) for own in counted)
    rows = [
        Row.exact("literal", "text", "runs", folds + holdouts),
        Row.exact("literal", "text", "runs-of-whole-samples", whole),
    ]
    finding = (
        f"Runs counted: {folds:,} classifiers for folds and bootstrap samples and {holdouts:,} for the true "
        f"accuracies, {folds + holdouts:,} in all, beside {whole:,} of whole samples."
    )
    return Regenerated(rows, findings=[finding])


@artifact(
    "kohavi-propositions",
    "Proposition 1, Corollary 2",
    "The spread that theory predicts",
    "Predicted standard deviation, and measured over predicted, by number of folds.",
    draw=draw_propositions,
)
def propositions(p: EstimateParameters, run: Run) -> Regenerated:
    """Proposition 1 and Corollary 2 against the measured spread.

    Proposition 1 predicts the standard deviation of the estimate as sqrt(acc (1 - acc)/n) for an
    inducer that is stable; Corollary 2 that it does not depend on the number of folds.
    """
    sizes = {one.name: one.size for one in p.sets()}
    points = [q.name for q in p.points if q.scheme == "plain"]
    groups = estimates_of(p, run)
    rows, table, checks = [], [], []
    for (name, inducer), own in groups.items():
        reading, key = column_and_reading(inducer)[1], key_of(name, inducer)
        for point in points:
            values = own[point].to_numpy() / 100
            predicted = 100 * sqrt(float(np.mean(values * (1 - values))) / sizes[name])
            measured = accuracy.standard_deviation(100 * values)
            ratio = measured * (1 / predicted if predicted > 0 else nan)
            rows.append(Row(reading, key, f"{point}/predicted-std-percent", predicted, 0.0, measured.n))
            rows.append(Row.of(reading, key, f"{point}/measured-over-predicted", ratio))
            found = {"predicted": predicted, "measured": measured.value, "se": measured.se, "ratio": ratio.value}
            table.append({"set": name, "inducer": inducer, "point": point, **found, "n": measured.n})
    spread = pd.DataFrame(table)
    for inducer, own in parts(spread, "inducer").items():
        cells = [
            near(f"{r.set}, {r.point}", Estimate(r.ratio, r.se / r.predicted, int(r.n)), _CLOSE, of=1.0, sign="")
            for r in each(own[own["predicted"] > 0])
        ]
        first, *others = points
        against = [
            near(
                point,
                accuracy.average(m for _, m in spread_ratios(groups, inducer, [(point, first)])),
                _CLOSE,
                of=1.0,
                sign="",
            )
            for point in others
        ]
        checks += [
            Claim(
                "Proposition 1: the estimate varies as a binomial share of n cases does, in most cells.",
                [most("measured over predicted", cells)],
                title_of(inducer),
            ).check(),
            Claim(
                "Corollary 2: the spread does not depend on the number of folds.",
                [every(f"spread over that of {first}, average over the data sets", against)],
                title_of(inducer),
            ).check(),
        ]
    return Regenerated(rows, {"spread": spread}, checks)


@artifact(
    "kohavi-model-selection",
    "Section 6",
    "Choosing an inducer",
    "By estimate: root mean square error in points, and how often it picks the better inducer.",
    draw=draw_model_selection,
)
@artifact(
    "kohavi-another-choice",
    "As section 6",
    "Choosing a classifier on another data set",
    "By estimate: root mean square error in points, and how often it picks the better classifier.",
    draw=draw_model_selection,
)
def model_selection(p: EstimateParameters, run: Run) -> Regenerated:
    """How often each estimate picks the better of the first two inducers, and how near it comes to the truth.

    The better one is better on all cases outside the sample; an equal estimate counts half.
    Data sets without information are left out.  Errors are root mean squares of the estimate
    minus that accuracy, over the first two inducers.
    """
    groups = estimates_of(p, run)
    pair = p.inducers[:2]
    sets = {s: [groups[s, i] for i in pair] for s in dict.fromkeys(s for s, _ in groups) if s != RAND}
    if not sets:
        return Regenerated(findings=[f"Nothing to choose: {RAND}, which has no information, is the only data set."])
    n = min(len(g) for g in groups.values())
    rows, table = [], []
    for point in [q.name for q in p.points]:
        squares = [np.mean([np.mean((o[point] - o[HOLDOUT]).to_numpy() ** 2) for o in both]) for both in sets.values()]
        rms = float(np.sqrt(np.mean(squares)))
        # of the mean of squares, over samples of data sets that are fixed
        of_sets = [np.mean([(o[point] - o[HOLDOUT]).to_numpy() ** 2 for o in both], axis=0) for both in sets.values()]
        rms_se = accuracy.average([accuracy.mean(one) for one in of_sets]).se / (2 * rms) if rms else 0.0
        rows.append(Row("literal", point, "rms-percent", rms, rms_se, n))
        known = [m for both in sets.values() if (m := _right(both, point)) is not None]
        right = accuracy.average(known)
        if known:
            rows.append(Row("literal", point, "right-choices-percent", right.value, right.se, n))
        table.append({"point": point, "rms": rms, "rms_se": rms_se, "right": right.value, "se": right.se, "n": n})
    frame = pd.DataFrame(table)
    least = smallest(frame, "rms")
    finding = (
        f"The estimate that comes nearest to the accuracy on the remaining cases is {least.point}: a root mean square "
        f"of {least.rms:.2f} points, over these data sets: {', '.join(sets)}."
    )
    return Regenerated(rows, {"selection": frame}, _best_choice(frame, pair), [finding])


def _right(both: Sequence[pd.DataFrame], point: str) -> Estimate | None:
    """Share of samples, in percent, in which an estimate picks the better of two inducers; None where none is."""
    if len(both) < 2:
        return None
    truly, seen = ((both[0][x].to_numpy() - both[1][x].to_numpy()).round(9) for x in (HOLDOUT, point))
    hit = np.where(seen == 0, 0.5, np.sign(seen) == np.sign(truly))[truly != 0]
    return accuracy.mean(100.0 * hit) if hit.size else None


def _best_choice(table: pd.DataFrame, pair: Sequence[str]) -> list[Check]:
    """Judge how well the estimate that the paper recommends chooses, against the best other and leave-one-out."""
    known = table[table["right"].notna()]
    own, others = (known[(known["point"] == _ADVISED) == side] for side in (True, False))
    if own.empty or others.empty:
        return []
    rivals = {
        "Stratified ten-fold cross-validation is the best estimate to choose an inducer by.": largest(others, "right")
    }
    for loo in each(others[others["point"] == Point("leave-out", 1).name]):
        rivals["Stratified ten-fold cross-validation chooses better than leave-one-out."] = loo
    (ten,) = each(own)
    names = " and ".join(title_of(name) for name in pair)
    return [
        Claim(
            text,
            [
                above(
                    f"right choices minus those of {rival.point}",
                    Estimate(ten.right - rival.right, hypot(ten.se, rival.se), int(rival.n)),
                    unit="points",
                    digits=1,
                )
            ],
            context=f"it picks the better of {names} in {ten.right:.1f} % of the samples, {rival.point} in "
            f"{rival.right:.1f} %",
        ).check()
        for text, rival in rivals.items()
    ]


_ADVISED = Point("stratified", 10).name
