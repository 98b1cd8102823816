"""Which estimator when: the cross-examination's results turned into advice.

For a kind of learner and a range of sample sizes the advice is the estimator with the fewest fits among those whose
error is close to the least.  Every number comes from the study; nothing is a rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run, rows_of
from compendium.guide.advice.parameters import AdviceParameters, bands_of
from compendium.guide.cross.cases import READING, Cases, average, cases_of, least_of, mean_ratio
from compendium.guide.cross.settings import CLONED, CONTENDERS
from compendium.guide.names import ESTIMATORS, LEARNERS, symbol, unbroken
from compendium.plots.dark import keep_colours
from compendium.plots.fitting import wrapped
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, FONT_SIZE, GREY

# Estimators that draw no clones
PLAIN = tuple(e for e in CONTENDERS if e not in CLONED)


class Choice(NamedTuple):
    """What a group of cases advises: an estimator with its fits and its ratio, and whose error is the least."""

    estimator: str
    fits: int
    ratio: Estimate
    least: str


def usual_fits(estimator: str, cases: Cases) -> int:
    """Fits at the median of the group's sample sizes, an existing one."""
    return sorted(cases, key=lambda c: c.setting.n)[len(cases) // 2].fits(estimator)


def choose(cases: Cases, candidates: Sequence[str], tolerance: float, most_bias: float) -> Choice:
    """Take the estimator with the fewest fits among those whose mean error is close to the least.

    Bias that no interval shows counts against an estimator however little it varies; if all are
    biased by more than is allowed, the least biased one is taken.
    """
    covered = [e for e in candidates if all(c.has(e) for c in cases)]
    bias = {e: float(np.mean([abs(c.bias(e).value) for c in cases])) for e in covered}
    covered = [e for e in covered if bias[e] <= 100 * most_bias] or [min(covered, key=lambda e: bias[e])]
    ratios = {e: mean_ratio(cases, e) for e in covered}
    known = [e for e in covered if np.isfinite(ratios[e].value)]
    least = min(known, key=lambda e: ratios[e].value)
    close = [e for e in known if ratios[e].value <= (1 + tolerance) * ratios[least].value]
    chosen = min(close, key=lambda e: (usual_fits(e, cases), ratios[e].value))
    return Choice(chosen, usual_fits(chosen, cases), ratios[chosen], least)


# The interval that the cross-examination pairs with an estimator
INTERVAL_OF = {
    "cv-10": "cv-wald",
    "stratified-cv-10": "kohavi",
    "loo": "loo-kohavi",
    "bootstrap-632-plus": "632-plus",
}

# What is a difference of error rates is in points
LABELS = {"off-by-percent": "Root mean square error, points", "bias-percent": "Bias, points"}


# Letters of a line of a learner's name
_NAME = 14
ADVICE = Claims("guide-which-estimator")


@ADVICE.claim
def good_enough(cases: Cases) -> list[Condition]:
    # of the estimators without clones, the one with the smallest largest ratio to the best stays near the best
    largest = {}
    for name in PLAIN:
        ratios = [(c.log_ratio(name, least_of(c, PLAIN)), c.label) for c in cases if c.has(name)]
        known = [(log.value, log, label) for log, label in ratios if np.isfinite(log.value)]
        if known:
            largest[name] = max(known, key=itemgetter(0))
    name, (_, log, label) = min(largest.items(), key=lambda item: item[1][0])
    ratio = float(np.exp(log.value))
    worst = replace(log, value=ratio, se=ratio * log.se)
    return [worst.named(f"{symbol(name)} for {label}", "times", sign="") < 1.25]


@plots.in_style
def draw_advice(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["advice"]
    if "error" not in table:
        table = table.assign(error=np.nan)
    # kinds of learner and ranges of sizes that have no advice at all are left out, unless nothing has any
    used = table[table["use"] != ""]
    if len(used):
        table = table[table["learner"].isin(used["learner"]) & table["band"].isin(used["band"])]
    bands = {b.title: b.title.removesuffix(" cases") for b in bands_of(p) if b.title in set(table["band"])}
    learners = {k: wrapped(v.title, _NAME) for k, v in LEARNERS.items() if k in set(table["learner"])}
    picture = Picture(0.9 + 0.85 * len(learners), x="cases in the sample", x_levels=bands, y_levels=learners)
    picture.heat_map(table, "band", "learner", "error", cmap="Oranges", vmin=0, vmax=40, written=True)
    (axes,) = picture.axes.values()
    # words are as wide as their field on a phone, and take no room beside the map
    centred: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT_SIZE - 1, "in_layout": False}
    advised = 0
    for r in each(table):
        x, y = list(bands).index(r.band), list(learners).index(r.learner)
        if not r.use:
            axes.text(x, y, f"no advice\n({r.problems:g})", color=GREY, **centred)
            continue
        advised += 1
        text = f"{r.fits:g} fits\n{r.error:.1f} points\n({r.problems:g})"
        keep_colours(axes.text(x, y - 0.33, ESTIMATORS[r.use].short, weight="bold", color=BLACK, **centred))
        keep_colours(axes.text(x, y + 0.12, text, linespacing=1.15, color=BLACK, **centred))
    axes.set_xlim(-0.5, len(bands) - 0.5)
    axes.tick_params(length=0)
    percent, bias = f"{100 * p.tolerance:g}", f"{100 * p.most_bias:g}"
    return picture.done(f"An estimator stands in {advised} fields.", percent=percent, bias=bias)


@artifact("guide-which-estimator", draw=draw_advice, matrix=True, labels=LABELS)
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
            for name in CONTENDERS:
                if with_it := [c for c in own if c.has(name)]:
                    m, fits = mean_ratio(with_it, name), usual_fits(name, with_it)
                    line = {"estimator": name, "ratio": m.value, "se": m.se, "cases": m.n, "fits": fits}
                    groups.append({**place, **line})
    data = {"advice": pd.DataFrame(lines), "groups": pd.DataFrame(groups)}
    return ArtifactResult(rows, data, judge_claims(ADVICE, cases))


def _advised(p: AdviceParameters, cases: Cases) -> tuple[dict[str, object], list[Row]]:
    """Choose for one group: the line of the table, and the rows; too few problems give no advice."""
    number = exact(len(cases))
    if len(cases) < p.fewest_cases:
        return {"problems": len(cases), "use": ""}, [Row.of(READING, "too few problems for advice", "problems", number)]
    plain = choose(cases, PLAIN, p.tolerance, p.most_bias)
    least = choose(cases, CONTENDERS, 0.0, p.most_bias).least
    name, interval = plain.estimator, INTERVAL_OF.get(plain.estimator)
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
