"""What is said of a reader's own data; every sentence is computed, since nobody knows whose file it will be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.records import dicts
from compendium.guide.own.experiment import SEEN, Candidate, OwnDataParameters, Taken, most_fits
from compendium.guide.own.luck import honest
from compendium.guide.own.words import code, listed, points, some
from errorest.assessment.comparing import ErrorDifference
from errorest.assessment.estimates import ErrorEstimate
from errorest.data.sample import Sample
from errorest.estimation.intervals import score_interval
from errorest.inducers.named import last_name
from errorest.tuning_bias import TuningBias

__all__ = [
    "NOTHING_HELD_BACK",
    "answer",
    "compared",
    "contents",
    "left_out",
    "meant_to_miss",
    "missed",
    "others",
    "traps",
    "truth_told",
    "tuning_told",
]

_FEW = 5
_MOSTLY = 0.8
_NO_WIDTH = 1e-9

NOTHING_HELD_BACK = (
    "No case was held back, so that nothing can be said of the truth beyond the interval. With fewer `cases` than the "
    "file holds, this section shows how good the estimate was."
)
"""What is said where there is no truth to compare with."""


def contents(whole: Sample, taken: Taken, attributes: pd.DataFrame) -> Iterator[str]:
    """Say what is in the file, and which cases are taken."""
    kinds = ((name, int((attributes["kind"] == name).sum())) for name in ("continuous", "integer", "nominal"))
    missing, repeated = int(attributes["missing"].sum()), whole.duplicates()
    yield (
        f"{code(whole.name)} holds {some(whole.n, 'case')} of {len(whole.classes)} classes, with "
        f"{some(whole.d, 'attribute')} ({', '.join(f'{k} {name}' for name, k in kinds if k)}). Of "
        f"{whole.n * whole.d:,} cells {missing:,} are missing, and {some(repeated, 'case')} "
        f"repeat{'s' if repeated == 1 else ''} another in everything."
    )
    if whole.understood is not None and whole.understood.told:
        yield f"Left out or converted in reading: {listed(list(whole.understood.told), 20)}."
    if taken.rest.size:
        yield (
            f"{some(taken.cases.size, 'case')}, drawn at random, stand for the data at hand; the other "
            f"{taken.rest.size:,} are held back and show below what is nearly the truth."
        )
    else:
        yield "All cases are used: nothing is held back, so that the truth stays unknown, as it does in real life."


def traps(whole: Sample, sample: Sample, attributes: pd.DataFrame) -> list[str]:
    """Say what in the data may mislead, in plain words."""
    return [f"Beware: {text}." for text in (*_of_classes(sample), *_of_attributes(whole, sample, attributes))]


def _of_classes(sample: Sample) -> Iterator[str]:
    counts = dict(zip(sample.classes, sample.class_counts().tolist(), strict=True))
    absent, rare = [c for c, k in counts.items() if not k], [c for c, k in counts.items() if 0 < k < _FEW]
    if absent:
        yield f"none of the cases taken is of class {listed(absent)}, so that no classifier can know it"
    if rare:
        yield f"fewer than {_FEW} of the cases taken are of class {listed(rare)}: little can be learnt of it"
    most = max(counts, key=lambda c: counts[c])
    if counts[most] > _MOSTLY * sample.n:
        yield (
            f"{points(counts[most] / sample.n)} % of the cases taken are of class {code(most)}: a low error rate is no "
            "achievement here, so compare with the error of always answering with one class"
        )


def _of_attributes(whole: Sample, sample: Sample, attributes: pd.DataFrame) -> Iterator[str]:
    def where(wanted: pd.Series) -> list[str]:
        return attributes.loc[wanted, "attribute"].tolist()

    same = where(attributes["distinct values"] <= 1)
    if same:
        yield f"the same value in every case: {listed(same)}, from which nothing can be learnt"
    numbered = where((attributes["kind"] != "continuous") & (attributes["distinct values"] == whole.n))
    if numbered:
        yield f"a value of its own for each case: {listed(numbered)}; if these are names or numbers, leave them out"
    telling = [a.name for j, a in enumerate(whole.attributes) if a.name not in numbered and _tells(whole, j)]
    if telling:
        yield (
            f"one value alone tells the class in every case: {listed(telling)}; make sure that it is known before the "
            "class is"
        )
    holes = where(2 * attributes["missing"] > whole.n)
    if holes:
        yield f"missing in more than half of the cases: {listed(holes)}"
    if whole.d >= sample.n:
        yield f"there are {whole.d:,} attributes and {sample.n:,} cases: many rules fit such data by chance"


def _tells(whole: Sample, j: int) -> bool:
    """Whether an attribute of few values fixes the class."""
    values = whole.X[:, j]
    if np.isnan(values).any() or whole.attributes[j].kind == "continuous":
        return False
    pairs = np.unique(np.column_stack([values, whole.y]), axis=0).shape[0]
    return pairs == np.unique(values).size <= whole.n // 4


def answer(p: OwnDataParameters, result: ErrorEstimate) -> Iterator[str]:
    """Tell the answer first."""
    between, bar = result.interval, result.majority_error
    told = (
        f"**The error rate of {code(p.inducer)}, made of these {result.n:,} cases, is estimated at "
        f"{points(result.estimate)} %"
    )
    if between is None or np.isnan(between.low):
        told += "**, without an interval"
    else:
        told += (
            f"; the {100 * between.confidence:g} % interval runs from {points(between.low)} to {points(between.high)} "
            f"%** (interval {code(between.method)})"
        )
    if result.standard_error is not None:
        told += f"; the standard error is {points(result.standard_error)} points"
    yield f"{told}. Estimator: {code(result.estimator)}, at the cost of {some(result.n_fits, 'classifier')}."
    if between is not None:
        yield f"The interval aims at {between.aim}." + (f" Note: {between.note}." if between.note else "")
        yield result.measured
    against = f"Always answering with the most frequent class would err on {points(bar)} % of these cases"
    if between is None or np.isnan(between.high):
        yield f"{against}."
    elif between.high < bar:
        yield f"{against}; the whole interval lies below that."
    else:
        yield (
            f"{against}; the interval reaches that far, so that these cases do not prove the classifier better than "
            "that."
        )


def others(table: pd.DataFrame) -> Iterator[str]:
    """Compare what was asked for with the other ways."""
    seen = table["name"].isin(SEEN)
    if (~seen).sum() > 1:
        low, high = _extremes(table[~seen], "error")
        yield (
            f"On the same cases the estimates of {(~seen).sum()} ways that test, at least in part, on cases left out "
            f"run from {low['error']:.1f} % ({code(low['name'])}) to {high['error']:.1f} % ({code(high['name'])}). "
            "That much depends on the way, and on how it happened to split the cases."
        )
    wide = table.dropna(subset=["low", "high"]).assign(width=lambda t: t["high"] - t["low"])
    none = wide.loc[wide["width"] <= _NO_WIDTH, "name"].tolist()
    if none:
        yield f"Without any width, which is no certainty but a failure on these cases: {listed(none)}."
    wide = wide[wide["width"] > _NO_WIDTH]
    if len(wide) > 1:
        low, high = _extremes(wide, "width")
        yield (
            f"The narrowest interval is {low['width']:.1f} points wide ({code(low['name'])}), the widest "
            f"{high['width']:.1f} ({code(high['name'])}). Narrow is not good: what counts is how often such intervals "
            "contain the truth."
        )
    if seen.any():
        told = ", ".join(f"{code(r['name'])} {r['error']:.1f} %" for r in dicts(table[seen]))
        yield f"Tested on cases that the classifiers were trained on, and so as a rule too low: {told}."


def _extremes(table: pd.DataFrame, column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    lines = dicts(table)
    return min(lines, key=lambda one: one[column]), max(lines, key=lambda one: one[column])


def left_out(p: OwnDataParameters, costly: list[Candidate], missing: list[str]) -> Iterator[str]:
    """Name the ways that cost too much, and those that these cases do not admit."""
    if costly:
        told = ", ".join(f"{code(c.key)} ({c.fits:,})" for c in costly)
        yield (
            f"Left out, since they make more than {most_fits(p):,} classifiers: {told}. The parameter `most_fits` "
            "admits them."
        )
    if missing:
        yield (
            "Not to be had of these cases (too few of them, or the classifier fails on a resample): "
            f"{listed(missing, 20)}."
        )


def compared(p: OwnDataParameters, rival: str, result: ErrorDifference, rest: float) -> str:
    """Say which of two classifiers errs less, if these cases tell."""
    between, test = result.interval, result.sign_test
    assert test is not None  # of labels there is one
    less, more = (p.inducer, rival) if result.difference <= 0 else (rival, p.inducer)
    if between.low <= 0 <= between.high:
        verdict = "the interval contains zero, so that these cases do not tell which of the two errs less"
    else:
        verdict = f"{code(last_name(less))} errs less than {code(last_name(more))}"
    told = (
        f"{code(last_name(p.inducer))} less {code(last_name(rival))}: {points(result.difference)} points, "
        f"{100 * between.confidence:g} % interval {points(between.low)} to {points(between.high)}: {verdict}. On one "
        f"holdout of {some(test.tested, 'case')} the first alone gets {test.only_a} wrong and the other alone "
        f"{test.only_b} (sign test: p = {test.p_value:.2g})."
    )
    return told if np.isnan(rest) else f"{told} On the cases held back the difference is {points(rest / 100)} points."


def truth_told(
    p: OwnDataParameters, result: ErrorEstimate, counted: tuple[int, int], mean: Estimate, spread: Estimate
) -> Iterator[str]:
    """Say what the cases held back show: of this classifier, and of others made of as many cases."""
    wrong, tested = counted
    low, high = (float(v) for v in score_interval(wrong, tested, p.confidence))
    yield (
        f"**The classifier made of these {result.n:,} cases gets {wrong:,} of the {tested:,} cases held back wrong: "
        f"{points(wrong / tested)} %** ({100 * p.confidence:g} % interval {points(low)} to {points(high)} %, since "
        f"these are not all cases in the world). The estimate was {points(result.estimate)} %, off by "
        f"{points(result.estimate - wrong / tested)} points."
    )
    yield (
        f"{mean.n} classifiers, each made of {result.n:,} other cases drawn at random and tested on the rest, err on "
        f"{mean.value:.1f} % on average, and one differs from another by a standard deviation of {spread.value:.1f} "
        "points: the luck of which cases one has."
    )


def missed(table: pd.DataFrame, classifier: float, procedure: float) -> Iterator[str]:
    """Say which of all intervals do not contain what they might be about."""
    between = table.dropna(subset=["low", "high"])
    if len(between):
        told = []
        for value in (classifier, procedure):
            out = between.loc[(between["low"] > value) | (between["high"] < value), "name"].tolist()
            told.append(f"{value:.1f} % is missed by {listed(out, 20) if out else 'none'}")
        yield f"Of the {len(between)} intervals above: {'; '.join(told)}."


def meant_to_miss(p: OwnDataParameters) -> str:
    """Say that one data set proves nothing."""
    return (
        f"One data set proves nothing of a method: of all {100 * p.confidence:g} % intervals, "
        f"{100 - 100 * p.confidence:.3g} % are meant to miss."
    )


def tuning_told(p: OwnDataParameters, result: ErrorEstimate, gain: float, luck: TuningBias) -> Iterator[str]:
    """Say how much of the gain luck could have bought."""
    n, t, error = result.n, p.settings_tried, min(1.0, max(0.0, result.estimate))
    if gain <= 0:
        yield (
            f"The estimate of {points(error)} % is no better than always answering with one class, so that there is no "
            "gain to ask about."
        )
        return
    independent = luck["independent"]
    yield (
        f"The gain over always answering with one class is {points(gain)} points. Had {some(t, 'setting')} been tried "
        f"on these {n:,} cases, none of them better than that answer, the best would look "
        f"{points(independent.expected_bias)} points better by luck: {100 * independent.expected_bias / gain:.0f} % of "
        f"the gain. All of it comes by luck with a probability of {_chance(independent.probability)}."
    )
    if t > 1:
        yield (
            f"If the estimate of {points(error)} % is the best of {t:,} equally good settings, chosen by this very "
            f"estimate, each of them errs on about {points(honest(n, error, t))} % in truth. If the settings were "
            "chosen on other cases, nothing is to be taken off."
        )
        yield (
            "The greedy optimizer of Scheffer & Herbrich, which spells out the labels of the tested cases, would buy "
            f"{points(luck['greedy'].expected_bias)} points with {t:,} trials. No list of {t:,} settings made "
            f"beforehand can buy more than {points(min(1.0, luck['listed'].expected_bias))} on average."
        )


def _chance(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 1e-4 else "less than 0.01 %"
