"""Which estimator when: the cross-examination's results turned into advice, and what tuning alone would buy.

For a kind of inducer and a range of sample sizes the advice is the estimator with the fewest fits
among those whose error is close to the least.  Every number comes from the study; nothing is a
rule of thumb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, below
from compendium.evidence.estimate import Estimate, exact, signed
from compendium.evidence.records import each, smallest
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.guide.advice.experiment import PLAIN, AdviceParameters, bands_of, choose, usual_fits
from compendium.guide.advice.figures import draw_advice, draw_price
from compendium.guide.cross.cases import READING, Case, average, cases_of, complete, least_of, mean_ratio
from compendium.guide.cross.claims import tenfold_of_ten
from compendium.guide.cross.experiment import CLONED, CONTENDERS, INTERVALS, REFERENCE
from compendium.guide.names import LEARNERS, PAIRED_INTERVALS, symbol, unbroken
from errorest.tuning_bias import needed_test_size, tuning_bias
from errorest.tuning_bias.sizing import OutOfReachError

__all__ = ["advice", "good_enough", "price_of_tuning"]

_INTERVAL_OF = {
    "cv-10": "cv-wald",
    "stratified-cv-10": "kohavi",
    "loo": "loo-kohavi",
    "bootstrap-632-plus": "632-plus",
}
_GOOD_ENOUGH = 1.25


@artifact("guide-which-estimator", draw=draw_advice, matrix=True)
def advice(p: AdviceParameters, run: Run) -> ArtifactResult:
    """What to use by kind of inducer and sample size, what it costs, and how far off it is."""
    cases = cases_of(p, run)
    rows: list[Row] = []
    lines, everything = [], []
    for learner, band, own in _groups(p, cases):
        line, measured = _advised(p, learner, band, own)
        lines.append(line)
        told = f"use {symbol(line['use'])}" if line["use"] else "too few cases for advice"
        rows += rows_of(READING, unbroken(f"{line['title']}/{band}: {told}"), measured.items())
        everything += [_of_group(learner, band, name, own) for name in CONTENDERS if any(c.has(name) for c in own)]
    table = pd.DataFrame(lines)
    return ArtifactResult(
        rows,
        {"advice": table, "groups": pd.DataFrame(everything)},
        [good_enough(cases).check()],
        [*_sentences(p, cases, table), *tenfold_of_ten(cases)],
    )


def _groups(p: AdviceParameters, cases: Sequence[Case]) -> Iterator[tuple[str, str, list[Case]]]:
    """Yield each kind of inducer and range of sizes with its cases, if there are any."""
    for learner in LEARNERS:
        for band in bands_of(p):
            own = [c for c in cases if c.learner == learner and band.holds(c.setting.n)]
            if own:
                yield learner, band.title, own


def _advised(
    p: AdviceParameters, learner: str, band: str, cases: Sequence[Case]
) -> tuple[dict[str, Any], dict[str, Estimate]]:
    """Choose for one group: the line of the table, and the numbers of the row; too few cases give no advice."""
    place = {"learner": learner, "title": LEARNERS[learner].title, "band": band, "cases": len(cases)}
    if len(cases) < p.fewest_cases:
        return {**place, "use": ""}, {"cases": exact(len(cases))}
    plain = choose(cases, PLAIN, p.tolerance, p.most_bias)
    clone = choose(cases, CONTENDERS, 0.0, p.most_bias)
    rmse, bias = (average([of(c, plain.estimator) for c in cases]) for of in (Case.rmse, Case.bias))
    interval = _INTERVAL_OF.get(plain.estimator, "")
    covered = average([c.coverage(interval) for c in cases]) if interval else Estimate(float("nan"), 0.0, 0)
    line = {
        **place,
        "use": plain.estimator,
        "fits": plain.fits,
        "rmse": rmse.value,
        "rmse_se": rmse.se,
        "bias": bias.value,
        "bias_se": bias.se,
        "ratio": plain.ratio.value,
        "ratio_se": plain.ratio.se,
        "coverage": covered.value,
        "interval": interval,
        "least": clone.least,
        "least_ratio": clone.least_ratio.value,
        "least_fits": usual_fits(clone.least, cases),
    }
    measured = {
        "cases": exact(len(cases)),
        "fits": exact(plain.fits),
        "off-by-percent": rmse,
        "bias-percent": bias,
        unbroken("ratio to stratified 10-CV"): plain.ratio,
    }
    return line, {**measured, "coverage-percent": covered} if interval else measured


def _of_group(learner: str, band: str, estimator: str, cases: Sequence[Case]) -> dict[str, Any]:
    held = [c for c in cases if c.has(estimator)]
    m = mean_ratio(held, estimator)
    return {
        "learner": learner,
        "band": band,
        "estimator": estimator,
        "ratio": m.value,
        "se": m.se,
        "cases": m.n,
        "fits": usual_fits(estimator, held),
    }


def good_enough(cases: Sequence[Case]) -> Claim:
    """Say that one estimator never does much worse than the best of a case, of those that draw no clones."""
    least = [(c, least_of(c, PLAIN)) for c in cases]
    worst = {}
    for name in PLAIN:
        ratios = [(c.log_ratio(name, best), c) for c, best in least if c.has(name)]
        known = [(m, c) for m, c in ratios if np.isfinite(m.value)]
        if known:
            worst[name] = max(known, key=lambda pair: pair[0].value)
    ranked = sorted(worst, key=lambda e: worst[e][0].value)
    log, case = worst[ranked[0]]
    ratio = float(np.exp(log.value))
    others = ", ".join(f"{symbol(e)} {np.exp(worst[e][0].value):.1f}" for e in ranked[1:])
    return Claim(
        f"One estimator is good enough for everything (at most {_GOOD_ENOUGH:g} times the least error of any case).",
        [
            below(
                f"{symbol(ranked[0])} for {case.title}",
                Estimate(ratio, ratio * log.se, log.n),
                _GOOD_ENOUGH,
                "times",
                sign="",
            )
        ],
        context=f"largest ratio of its error to the least of the same case, of {len(cases)} cases: {others}; least",
    )


def _what_to_use(p: AdviceParameters, table: pd.DataFrame) -> list[str]:
    """Say what is advised, how far off it is, and which groups get no advice."""
    advised = table[table["use"] != ""]
    silent = table[table["use"] == ""]
    few = "; ".join(f"{r.title}, {r.band} ({r.cases})" for r in each(silent))
    said = [f"**No advice.** Fewer than {p.fewest_cases} cases stand behind: {few}."] if few else []
    if advised.empty:
        return said
    uses = "; ".join(f"{symbol(str(name))} in {int(count)}" for name, count in advised["use"].value_counts().items())
    return [
        (
            f"**What to use.** Of {len(advised)} groups without clones: {uses}. Each is the estimator with the fewest "
            f"fits within {100 * p.tolerance:g} % of the least error, of those whose bias is at most "
            f"{100 * p.most_bias:g} points on the average."
        ),
        *said,
        (
            f"**How far off.** The advised estimate is off by {advised['rmse'].min():.1f} to "
            f"{advised['rmse'].max():.1f} points (root mean square, average of a group)."
        ),
        *_what_clones_gain(p, advised),
    ]


def _sentences(p: AdviceParameters, cases: Sequence[Case], table: pd.DataFrame) -> list[str]:
    whole = complete(cases)
    plus, clones = (mean_ratio(whole, e) for e in ("bootstrap-632-plus", "cloned-632-plus-correct"))
    dear = max(cases, key=lambda c: c.rmse(REFERENCE).value)
    correlations = [accuracy.correlation(c.columns[REFERENCE], c.truth).value for c in cases]
    size, few = _middle(p.test_cases), _middle(p.settings_tried)
    return [
        *_what_to_use(p, table),
        (
            f"**When in doubt.** Over the {len(whole)} cases in which everything was run, the error of .632+ is "
            f"{plus.value:.2f} ± {plus.se:.2f} times that of stratified ten-fold cross-validation, for "
            f"{p.bootstrap_samples + 1} fits instead of 10."
        ),
        (
            f"**Clones.** .632+ on clones brings this to {clones.value:.2f} ± {clones.se:.2f}, for at least as many "
            "fits and the density of each sample that lacks a case."
        ),
        (
            f"**At the worst** stratified ten-fold cross-validation is off by {100 * dear.rmse(REFERENCE).value:.0f} "
            f"points, {dear.title}."
        ),
        _what_intervals_hold(cases),
        (
            f"**Tried several settings?** The best of {few} equally good settings looks {_bought(p, size, few):.1f} "
            f"points better than it is on {size} tested cases, by luck alone, at an accuracy of {p.accuracy:g}. "
            "Subtract that, or test the chosen setting on cases that had no say in the choice."
        ),
        (
            "**Do not compare samples.** Between samples of one setting the correlation of stratified ten-fold "
            f"cross-validation with the true error is at the median {signed(float(np.nanmedian(correlations)), 2)}; at "
            "1 an estimate would tell which sample was lucky, at 0 it tells of the problem alone."
        ),
    ]


def _what_clones_gain(p: AdviceParameters, table: pd.DataFrame) -> list[str]:
    gain = table[(table["least"].isin(CLONED)) & (table["least_ratio"] < (1 - p.tolerance) * table["ratio"])]
    if gain.empty:
        return []
    most = smallest(gain.assign(share=gain["least_ratio"] / gain["ratio"]), "share")
    return [
        (
            f"Clones pay by more than {100 * p.tolerance:g} % in {len(gain)} groups, most for {most.title}, "
            f"{most.band}: {symbol(most.least)}, {most.least_ratio:.2f} against {most.ratio:.2f}, for "
            f"{most.least_fits} fits instead of {most.fits}."
        )
    ]


def _what_intervals_hold(cases: Sequence[Case]) -> str:
    coverage = {name: 100 * float(np.mean([c.coverage(name).value for c in cases])) for name in INTERVALS}
    nearest = min(coverage, key=lambda k: abs(coverage[k] - 95))
    told = ", ".join(f"{PAIRED_INTERVALS[name].words} {value:.0f} %" for name, value in coverage.items())
    return (
        f"**An interval.** Asked for 95 %, {told} contain the true error on the average of all cases; nearest is "
        f"{PAIRED_INTERVALS[nearest].words}."
    )


def _middle(values: Sequence[int]) -> int:
    return sorted(values)[len(values) // 2]


def _bought(p: AdviceParameters, m: int, t: int) -> float:
    """Points that the best of t equally good settings seems to gain on m cases."""
    return 100 * tuning_bias(m, accuracy=p.accuracy, classes=2, trials=t)["independent"].expected_bias


@artifact("guide-price-of-tuning", draw=draw_price, matrix=True)
def price_of_tuning(p: AdviceParameters, run: Run | None = None) -> ArtifactResult:
    """How much the best of t equally good settings seems to gain on m tested cases, by luck alone."""
    lines = [(m, t, round(_bought(p, m, t), 9)) for m in p.test_cases for t in p.settings_tried]
    # a column with an equals sign would count as a label, and is left out of grids
    rows = [Row(READING, f"m={m}", f"{t} settings", value, 0.0, 1) for m, t, value in lines]
    most = max(p.settings_tried)
    try:
        size = needed_test_size(most, p.gain, p.risk, accuracy=p.accuracy, scenario="independent", classes=2)
        told = (
            f"So that {most} settings do not buy {100 * p.gain:g} points with a probability over {100 * p.risk:g} %, "
            f"{size:,} tested cases are needed."
        )
    except OutOfReachError:
        told = f"No test set is large enough for {most} settings not to buy {100 * p.gain:g} points."
    few, many = min(p.test_cases), max(p.test_cases)
    finding = (
        f"At an accuracy of {p.accuracy:g}, trying {most} settings on {few} cases seems to gain "
        f"{_bought(p, few, most):.1f} points though all are equally good, and {_bought(p, many, most):.1f} on {many}. "
        f"{told}"
    )
    return ArtifactResult(rows, {"price": pd.DataFrame(lines, columns=["m", "trials", "bias"])}, [], [finding])
