"""A reader's own data: what is in the file, the error rate in every way, rivals, the truth, what tuning gains.

Rates and their intervals are in percent; the standard error of a rate is the one that its own method gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan, nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import dicts
from compendium.evidence.results import ArtifactResult, Check, Row, Run, rows_of
from compendium.guide.own.experiment import (
    SEEN,
    Candidate,
    OwnDataParameters,
    candidates,
    chosen,
    chosen_key,
    estimate_study,
    is_foreign,
    most_fits,
    on_the_rest,
    procedure_study,
    sets,
)
from compendium.guide.own.figures import (
    SCENARIOS,
    draw_classes,
    draw_comparison,
    draw_estimates,
    draw_test_cases,
    draw_tuning,
)
from compendium.methods.tuning_bias import TuningBias, tuning_bias
from compendium.papers.own_code import last_name
from errorest.assessment.compare import compare
from errorest.assessment.report.describe import describe
from errorest.assessment.report.formatting import gain_text
from errorest.assessment.report.text import verdict, with_id
from errorest.assessment.results import Estimate as OwnEstimate
from errorest.data.sample import Sample

_BASELINE = "majority"
_FEW = 5
_MOSTLY = 0.8
_CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def _rounded(row: str, values: Mapping[str, float], digits: int = 1) -> list[Row]:
    """Make rows of numbers without an error, which decides nowhere else how many digits count."""
    return [Row("literal", row, column, round(value, digits), nan, 1) for column, value in values.items()]


def _limits(result: OwnEstimate) -> tuple[float, float]:
    return (nan, nan) if result.interval is None else (result.interval.low, result.interval.high)


def _listed(names: list[str], most: int = 5) -> str:
    """List names as code, since they may be anything; the first of them where there are many."""
    shown = ", ".join("`" + name.replace("`", "'") + "`" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


@artifact("guide-own-data", draw=draw_classes, matrix=True)
def what_is_there(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Count what is in the file and in the cases taken, and warn of what may mislead."""
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows = [
        Row("literal", row, column, float(value), nan, 1)
        for column, one in (("file", whole), ("taken", sample))
        for row, value in _counted(one).items()
    ]
    attributes = pd.DataFrame(
        [
            (a.name, a.kind, int(np.unique(known).size), int(whole.n - known.size))
            for a, known in ((a, v[~np.isnan(v)]) for a, v in zip(whole.attributes, whole.X.T, strict=True))
        ],
        columns=["attribute", "kind", "distinct values", "missing"],
    )
    classes = pd.DataFrame(
        {"class": whole.classes, "in the file": whole.class_counts(), "taken": sample.class_counts()}
    )
    changed = list(whole.read_report.notes) if whole.read_report is not None else []
    result = [f"Left out or converted in reading: {_listed(changed, 20)}."] if changed else []
    result += [f"Beware: {text}." for text in (*_of_classes(sample), *_of_attributes(whole, sample, attributes))]
    return ArtifactResult(rows, {"classes": classes, "attributes": attributes}, [], result)


def _counted(sample: Sample) -> dict[str, int]:
    return {
        "cases": sample.n,
        "attributes": sample.d,
        "classes": int(np.count_nonzero(sample.class_counts())),
        "missing cells": int(np.isnan(sample.X).sum()),
        "cases that repeat another": sample.duplicates(),
        **{f"class {c}": int(k) for c, k in zip(sample.classes, sample.class_counts(), strict=True)},
    }


def _of_classes(sample: Sample) -> Iterator[str]:
    """Warn of rare and absent classes, and of one that nearly all cases have."""
    counts = dict(zip(sample.classes, sample.class_counts().tolist(), strict=True))
    absent, rare = [c for c, k in counts.items() if not k], [c for c, k in counts.items() if 0 < k < _FEW]
    if absent:
        yield f"none of the cases taken is of class {_listed(absent)}, so that no classifier can know it"
    if rare:
        yield f"fewer than {_FEW} of the cases taken are of class {_listed(rare)}: little can be learnt of it"
    if max(counts.values()) > _MOSTLY * sample.n:
        yield f"over {100 * _MOSTLY:g} % of the cases taken are of one class: compare with always naming it"


def _of_attributes(whole: Sample, sample: Sample, attributes: pd.DataFrame) -> Iterator[str]:
    """Warn of attributes that tell nothing, name the case, or give the class away."""
    names, distinct = attributes["attribute"], attributes["distinct values"]
    numbered = names[(attributes["kind"] != "continuous") & (distinct == whole.n)].tolist()
    telling = [a.name for j, a in enumerate(whole.attributes) if a.name not in numbered and _tells(whole, j)]
    results = {
        "the same value in every case, so that nothing can be learnt from it": names[distinct <= 1].tolist(),
        "a different value for each case; if these are names or numbers, leave them out": numbered,
        "one value alone tells the class in every case; make sure that it is known before the class is": telling,
        "missing in more than half of the cases": names[2 * attributes["missing"] > whole.n].tolist(),
    }
    for text, own in results.items():
        if own:
            yield f"{_listed(own)}: {text}"
    if whole.d >= sample.n:
        yield f"there are {whole.d:,} attributes and {sample.n:,} cases: many rules fit such data by chance"


def _tells(whole: Sample, j: int) -> bool:
    """Whether an attribute of few values fixes the class."""
    values = whole.X[:, j]
    if np.isnan(values).any() or whole.attributes[j].kind == "continuous":
        return False
    pairs = np.unique(np.column_stack([values, whole.y]), axis=0).shape[0]
    return pairs == np.unique(values).size <= whole.n // 4


@artifact("guide-own-estimates", draw=draw_estimates, matrix=True)
def estimates(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Estimate the error rate as asked, and beside it in every other way (percent)."""
    result = chosen(p)
    wanted = [c for c in candidates(p.replicates, result.n) if c.key != chosen_key(result)]
    affordable = [c for c in wanted if c.fits <= most_fits(p)]
    lines = [_line_of(result)]
    if affordable:
        made = dicts(run(estimate_study(p, affordable)))
        lines += [_line(c, m) for c, m in zip(affordable, made, strict=True) if m["made"]]
    table = pd.DataFrame(lines)
    rows = []
    for one in lines:
        row = "chosen" if one["chosen"] else str(one["name"])
        # without a standard error nothing else tells how many digits count
        error = round(one["error"], 1) if isnan(one["se"]) else one["error"]
        rows.append(Row("literal", row, "error-percent", error, one["se"], 1))
        further = {"low-percent": one["low"], "high-percent": one["high"], "fits": float(one["fits"])}
        rows += _rounded(row, {column: value for column, value in further.items() if not isnan(value)})
    meaning, *sentences = describe(result).sentences
    results = [f"**{describe(result).lead}: {meaning[:1].lower()}{meaning[1:]}**", *sentences]
    if costly := [f"{c.key} ({c.fits:,})" for c in wanted if c not in affordable]:
        limit = f"{most_fits(p):,} classifiers (`most_fits`)"
        results.append(f"Left out, since they train more than {limit}: {_listed(costly, 20)}.")
    if missed := [c.key for c in affordable if c.key not in set(table["name"])]:
        results.append(f"Impossible on these cases (too few, or the classifier fails): {_listed(missed, 20)}.")
    results += [f"Beware: {with_id(text)}." for text in result.warnings]
    covered = on_the_rest(p, p.inducer) if sets(p)[1].rest.size else None
    truth = pd.DataFrame({"classifier": [] if covered is None else [100 * covered[0] / covered[1]]}, dtype=float)
    return ArtifactResult(rows, {"estimates": table, "truth": truth}, [], results)


def _line(c: Candidate, made: Mapping[str, float]) -> dict[str, Any]:
    return {
        "name": c.key,
        "estimator": c.estimator if c.interval is None else "",
        "interval": c.interval or "",
        "error": 100 * made["estimate"],
        **{k: 100 * made[k] for k in ("low", "high", "se")},
        "fits": c.fits,
        "chosen": False,
        # a method that tests on cases it was trained on is too low as a rule
        "tested": "trained on" if c.key in SEEN else "left out",
    }


def _line_of(result: OwnEstimate) -> dict[str, Any]:
    interval = None if result.interval is None else result.interval.method
    se = nan if result.standard_error is None else result.standard_error
    low, high = _limits(result)
    c = Candidate(chosen_key(result), result.method, interval, result.n_fits)
    made = {"estimate": result.value, "low": low, "high": high, "se": se}
    return {**_line(c, made), "estimator": result.method, "chosen": True, "tested": "chosen"}


@artifact("guide-own-comparison", draw=draw_comparison, matrix=True)
def comparison(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Compare the classifier with another, and with always answering one class, on shared splits."""
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows, lines, match = [], [], []
    for rival in (c for c in dict.fromkeys((p.against, _BASELINE)) if c != p.inducer):
        encode = is_foreign(p.inducer, rival)
        result = compare(p.inducer, rival, sample, rng=p.seed, confidence_level=p.confidence, encode=encode)
        rest = nan
        if taken.rest.size:
            (ours, tested), (theirs, _) = (on_the_rest(p, c) for c in (p.inducer, rival))
            rest = 100 * (ours - theirs) / tested
        low, high = 100 * result.interval.low, 100 * result.interval.high
        lines.append({"rival": rival, "difference": 100 * result.value, "low": low, "high": high, "held back": rest})
        row = f"against {last_name(rival)}"
        rates = {"error-percent": 100 * result.value_a, "error of the other-percent": 100 * result.value_b}
        difference = Estimate(result.value, result.standard_error, 1)
        rows += _rounded(row, rates)
        rows += rows_of("literal", row, [("difference, points", difference)], factor=100)
        rows += _rounded(row, {"low": low, "high": high})
        match += [
            f"Against {last_name(rival)}: {gain_text(result.metric, result.value)}: {verdict(result)}.",
            *(f"Beware: {with_id(text)}." for text in result.warnings),
        ]
    return ArtifactResult(rows, {"differences": pd.DataFrame(lines)}, [], list(dict.fromkeys(match)))


@artifact("guide-own-truth", draw=draw_test_cases, matrix=True)
def errors_on_the_rest(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Measure what is unknown as a rule: the error on the cases held back."""
    _, taken = sets(p)
    result = chosen(p)
    low, high = _limits(result)
    truth: dict[str, Any] = {"estimate": 100 * result.value, "low": 100 * low, "high": 100 * high}
    if not taken.rest.size:
        data = {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": []})}
        return ArtifactResult(
            [], data, [], ["No case was held back: with fewer `cases` than the file has, this shows it."]
        )
    wrong, tested = on_the_rest(p, p.inducer)
    made = run(procedure_study(p))
    errors = 100 * (made["errors"] / made["tested"]).to_numpy()
    mean, spread = monte_carlo.mean(errors), monte_carlo.standard_deviation(errors)
    rate = wrong / tested
    measured = {
        "this classifier": Estimate(100 * rate, 100 * sqrt(rate * (1 - rate) / tested), tested),
        "mean of such classifiers": mean,
        "standard deviation of such classifiers": spread,
    }
    truths = {
        "the error of this classifier on the cases held back": 100 * rate,
        "the mean error of such classifiers": mean.value,
    }
    checks = [
        Check(
            f"The interval contains {what}.",
            f"{100 * low:.1f} to {100 * high:.1f} %; {value:.1f} %",
            "holds" if 100 * low <= value <= 100 * high else "fails",
        )
        for what, value in truths.items()
        if not isnan(low)
    ]
    truth |= {"classifier": 100 * rate, "procedure": mean.value}
    return ArtifactResult(
        [Row.of("literal", row, "error-percent", m) for row, m in measured.items()],
        {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": errors})},
        checks,
    )


@artifact("guide-own-tuning", draw=draw_tuning, matrix=True)
def tuning(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Ask how much of the gain over always answering one class tuning alone could have bought.

    The estimate is taken for the rate of errors on as many tested cases as were taken.
    """
    result = chosen(p)
    gain = _baseline_error(result) - min(1.0, max(0.0, result.value))
    answer = _bought(result, p.settings_tried, gain)
    rows = []
    for name, row in SCENARIOS.items():
        one = answer[name]
        rows += _rounded(row, {"bought, points": 100 * one.expected_bias})
        if gain > 0:
            rows += _rounded(row, {"share of the gain-percent": 100 * min(1.0, one.expected_bias / gain)})
            rows += _rounded(row, {"chance of all of it-percent": 100 * one.probability}, digits=2)
    curve = pd.DataFrame(
        {"settings": t, "way": s.name, "bought": 100 * s.expected_bias}
        for t in sorted({*_CURVE, p.settings_tried})
        for s in _bought(result, t, gain).scenarios
    )
    match = [] if gain > 0 else ["The estimate is no better than always answering with one class: there is no gain."]
    return ArtifactResult(rows, {"curve": curve, "gain": pd.DataFrame({"gain": [100 * gain]})}, [], match)


def _baseline_error(result: OwnEstimate) -> float:
    """Return the error rate of always answering with the most frequent class."""
    assert result.baseline.value is not None
    return result.baseline.value


def _bought(result: OwnEstimate, settings: int, gain: float) -> TuningBias:
    """Ask what so many settings gain by luck on the cases of an estimate, and how often a given gain."""
    classes = sum(k > 0 for k in result.class_counts.values())
    hits = round((1 - _baseline_error(result)) * result.n)
    extra = max(1, min(result.n - hits, round(gain * result.n)))
    return tuning_bias(result.n, hits=hits, classes=max(2, classes), trials=settings, extra=extra)
