"""Which estimator when: the cross-examination's results turned into advice, and what tuning alone would gain.

For a kind of learner and a range of sample sizes the advice is the estimator with the fewest fits among those whose
error is close to the least.  Every number comes from the study; nothing is a rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, exact
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.guide.advice.experiment import PLAIN, AdviceParameters, bands_of, choose, usual_fits
from compendium.guide.advice.figures import draw_advice, draw_price
from compendium.guide.cross.cases import READING, Case, average, cases_of, least_of, mean_ratio
from compendium.guide.cross.experiment import CONTENDERS
from compendium.guide.names import LEARNERS, symbol, unbroken
from compendium.methods.tuning_bias import needed_test_size, tuning_bias
from compendium.methods.tuning_bias.sizing import OutOfReachError

# The interval that the cross-examination pairs with an estimator
_INTERVAL_OF = {
    "cv-10": "cv-wald",
    "stratified-cv-10": "kohavi",
    "loo": "loo-kohavi",
    "bootstrap-632-plus": "632-plus",
}


# What is a difference of error rates is in points
_LABELS = {"off-by-percent": "Root mean square error, points", "bias-percent": "Bias, points"}


@artifact("guide-which-estimator", draw=draw_advice, matrix=True, labels=_LABELS)
def advice(p: AdviceParameters, run: Run) -> ArtifactResult:
    """What to use by kind of learner and sample size, what it costs, and how far off it is."""
    cases = cases_of(p, run)
    rows: list[Row] = []
    lines, groups = [], []
    for learner in LEARNERS:
        for band in bands_of(p):
            own = [c for c in cases if c.learner == learner and band.holds(c.setting.n)]
            if not own:
                continue
            place = {"learner": learner, "title": LEARNERS[learner].title, "band": band.title}
            line, result = _advised(p, own)
            lines.append({**place, **line})
            rows += [row._replace(row=unbroken(f"{place['title']}/{place['band']}: {row.row}")) for row in result]
            groups += [{**place, **_ratio_of(name, own)} for name in CONTENDERS if any(c.has(name) for c in own)]
    data = {"advice": pd.DataFrame(lines), "groups": pd.DataFrame(groups)}
    return ArtifactResult(rows, data, judge_claims(GOOD_ENOUGH, cases))


def _advised(p: AdviceParameters, cases: Sequence[Case]) -> tuple[dict[str, Any], list[Row]]:
    """Choose for one group: the line of the table, and the rows; too few problems give no advice."""
    number = exact(len(cases))
    if len(cases) < p.fewest_cases:
        return {"problems": len(cases), "use": ""}, [Row.of(READING, "too few problems for advice", "problems", number)]
    plain = choose(cases, PLAIN, p.tolerance, p.most_bias)
    least = choose(cases, CONTENDERS, 0.0, p.most_bias).least
    name, interval = plain.estimator, _INTERVAL_OF.get(plain.estimator)
    measured = {
        "problems": number,
        "fits": exact(plain.fits),
        "off-by-percent": average([c.rms(name) for c in cases]),
        "bias-percent": average([c.bias(name) for c in cases]),
        unbroken("ratio to stratified 10-CV"): plain.ratio,
    }
    if interval:
        measured["coverage-percent"] = average([c.coverage(interval) for c in cases])
    line = {"problems": len(cases), "use": name, "fits": plain.fits, "error": measured["off-by-percent"].value}
    with_clones = {"least": least, "least fits": usual_fits(least, cases)}
    return {**line, **with_clones}, rows_of(READING, f"use {symbol(name)}", measured.items())


def _ratio_of(estimator: str, cases: Sequence[Case]) -> dict[str, Any]:
    own = [c for c in cases if c.has(estimator)]
    m = mean_ratio(own, estimator)
    return {"estimator": estimator, "ratio": m.value, "se": m.se, "cases": m.n, "fits": usual_fits(estimator, own)}


def _never_much_worse(cases: Sequence[Case]) -> list[Condition]:
    """Ask of the estimator with the smallest largest ratio, of those without clones, to stay near the best."""
    largest = {}
    for name in PLAIN:
        ratios = [(c.log_ratio(name, least_of(c, PLAIN)), c) for c in cases if c.has(name)]
        known = [(log, c) for log, c in ratios if np.isfinite(log.value)]
        if known:
            largest[name] = max(known, key=lambda pair: pair[0].value)
    name = min(largest, key=lambda e: largest[e][0].value)
    log, case = largest[name]
    ratio = float(np.exp(log.value))
    worst = replace(log, value=ratio, se=ratio * log.se)
    return [worst.named(f"{symbol(name)} for {case.label}", "times", sign="") < 1.25]


GOOD_ENOUGH = Claims("guide-which-estimator", {"good-enough": _never_much_worse})


@artifact("guide-price-of-tuning", draw=draw_price, matrix=True)
def price_of_tuning(p: AdviceParameters, run: Run | None = None) -> ArtifactResult:
    """How much the best of t equally good settings seems to gain on m tested cases, by luck alone."""
    tried = [(m, t) for m in p.test_cases for t in p.settings_tried]
    answers = [tuning_bias(m, accuracy=p.accuracy, classes=2, trials=t)["independent"] for m, t in tried]
    lines = [(*cell, round(100 * answer.expected_bias, 9)) for cell, answer in zip(tried, answers, strict=True)]
    # a column with an equals sign would count as a label, and is left out of grids
    rows = [Row.exact(READING, f"m={m}", f"{t} settings", value) for m, t, value in lines]
    most, wanted = max(p.settings_tried), f"that {100 * p.gain:g} points are not gained"
    try:
        size = needed_test_size(most, p.gain, p.risk, accuracy=p.accuracy, scenario="independent", classes=2)
        rows.append(Row.exact(READING, f"cases needed so {wanted}", f"{most} settings", size))
    except OutOfReachError:
        pass
    return ArtifactResult(rows, {"price": pd.DataFrame(lines, columns=["m", "trials", "bias"])})
