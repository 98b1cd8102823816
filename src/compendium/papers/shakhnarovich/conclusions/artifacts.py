"""Section 9: both halves of the paper counted together, as it counts them and with the correct .632+.

The studies are those of the notebooks on synthetic and on real data; with the same numbers
of trials they are found in the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import correlation
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.conclusions.experiment import ConclusionsParameters
from compendium.papers.shakhnarovich.contests import (
    CLAIMS,
    Count,
    Rule,
    better_than_all,
    counted_over,
    log_ratio,
    significantly_better,
    spread_of,
    square_of,
    trials_drawn,
    whole_trials,
)
from compendium.papers.shakhnarovich.corrected.artifacts import corrected_cases
from compendium.papers.shakhnarovich.corrected.figures import draw_corrected
from compendium.papers.shakhnarovich.methods import ESTIMATORS, PLUS, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of, words_for
from compendium.papers.shakhnarovich.synthetic import artifacts as synthetic
from compendium.papers.shakhnarovich.tables import Case, first_of_each, reading_of, to_zero, zero_reading
from compendium.papers.shakhnarovich.uci import cases as uci
from errorest.streams import Streams

__all__ = [
    "all_claims",
    "all_corrected",
    "all_variances",
    "best_of_halves",
    "compared_half",
    "gains_compared",
]


def _halves(p: ConclusionsParameters, run: Run) -> tuple[list[Case], list[Case]]:
    return first_of_each(synthetic.cases_of(p.synthetic, run)), first_of_each(uci.cases_of(p.uci, run))


@artifact("shakhnarovich-claims-all", labels=LABELS)
def all_claims(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Count all cases in which a new estimator is significantly better, each half at its own level."""
    streams = Streams(p.seed).child("shakhnarovich-conclusions")
    drawn, sets = _halves(p, run)
    rows, told = [], []
    for form in (list, lambda cases: [to_zero(case) for case in cases]):
        made = significantly_better(form(drawn), streams, p.synthetic_level)
        real = significantly_better(form(sets), streams, p.uci_level)
        both = _together(made, real)
        reading = reading_of([*drawn, *sets])
        rows.append(both.row(reading if form is list else zero_reading(reading), "all", _BETTER, CLAIMS))
        told.append((made, real, both))
    (made, real, both), (_, _, zero) = told
    strict = significantly_better(sets, streams, p.synthetic_level)
    claim = (
        "In most cases one of the new estimators is significantly better than any of the old ones.",
        lambda both: both.most(),
        "{made} synthetic cases at the {made_level:g} level, {real} real ones at {real_level:g}; with R = 0 {zero}",
    )
    told_apart = {"made": f"{made.value} of {made.of}", "real": f"{real.value} of {real.of}", "zero": zero.told}
    checks = judge_claims([claim], both, made_level=p.synthetic_level, real_level=p.uci_level, **told_apart)
    finding = (
        f"The two halves are counted at different levels. With {p.synthetic_level:g} for both it is "
        f"{made.value + strict.value} of {both.of}; of real data: {words_for(strict.cases, '')}."
    )
    return ArtifactResult(rows, checks=checks, findings=[finding])


_BETTER = "cases-with-significantly-better-new"


def _together(one: Count, other: Count) -> Count:
    """Add two counts of other cases."""
    se = hypot(one.se, other.se)
    shares = one.shares + other.shares
    return Count(one.value + other.value, se, one.cases + other.cases, one.of + other.of, min(one.n, other.n), shares)


@artifact("shakhnarovich-variance-all", labels=LABELS)
def all_variances(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Set what cloning gains in RMSE against what it gains in spread, over all cases."""
    drawn, sets = _halves(p, run)
    return gains_compared([*drawn, *sets], Streams(p.seed).child("shakhnarovich-gains"))


def gains_compared(cases: Sequence[Case], streams: Streams) -> ArtifactResult:
    """Compare the gains of :func:`all_variances` over any cases."""
    rows, checks, table = [], [], []
    for cloned, plain in UNCLONED.items():
        own = [case for case in cases if {cloned, plain} <= set(case.estimates)]
        if not own:
            continue
        better = better_than_all(own, cloned, [plain], streams)
        less = counted_over(own, _varies_less(cloned, plain), streams, cloned)
        gains = [(case.row, *_gains(case, cloned, plain)) for case in own]
        table += [{"row": row, "estimator": cloned, "rmse": rmse, "std": std} for row, rmse, std in gains]
        known = np.array([pair for _, *pair in gains if np.isfinite(pair).all()]).reshape(-1, 2)
        together = correlation(*known.T)
        reading = reading_of(own)
        rows += [
            better.row(reading, cloned, "cases-with-smaller-rmse"),
            less.row(reading, cloned, "cases-with-smaller-std"),
            Row.of(reading, cloned, "correlation-of-gains", together),
        ]
        together = together.named("correlation of log ratios", sign="")
        if cloned == PLUS[1]:
            checks += judge_claims(GAIN_OF_PLUS, together, high=_HIGH, fewer=better.told, less=less.told)
        checks += judge_claims(GAINS, better, cloned=symbol_of(cloned), plain=symbol_of(plain), told=together.words)
    return ArtifactResult(rows, {"gains": pd.DataFrame(table)}, checks)


def _varies_less(one: str, other: str) -> Rule:
    return lambda case, w: spread_of(case, one, w) < spread_of(case, other, w)


def _gains(case: Case, cloned: str, plain: str) -> tuple[float, float]:
    """Return the logarithms of the ratios of RMSE and of standard deviation, cloned over plain."""
    whole = whole_trials(case)
    return float(log_ratio(case, square_of, cloned, plain, whole)[0]) / 2, float(
        log_ratio(case, spread_of, cloned, plain, whole)[0]
    )


_HIGH = 0.5


GAIN_OF_PLUS = [
    (
        "Cloning's gain in the RMSE of the .632+ correlates highly (over {high:g}) with its gain in spread.",
        lambda correlation: correlation > _HIGH,
        "the RMSE falls {fewer}, the standard deviation {less}",
    )
]

GAINS = [
    (
        "In most cases cloning lowers the RMSE. [{cloned} against {plain}]",
        lambda better: better.most(),
        "{told}",
    )
]


@artifact("shakhnarovich-best-of-halves", labels=LABELS)
def best_of_halves(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Judge whether cloned five-fold CV is the best estimator on synthetic data, and not on real data."""
    drawn, sets = _halves(p, run)
    streams = Streams(p.seed).child("shakhnarovich-halves")
    return compared_half(drawn, "synthetic", streams) + compared_half(sets, "uci", streams)


_FIVE = "cloned-bscv-5"
_HALVES = {
    "synthetic": (
        "Five-fold cross-validation of clones is the best estimator on synthetic data.",
        lambda gap: gap < 0,
    ),
    "uci": (
        "Five-fold cross-validation of clones is not the best estimator on the UCI data.",
        lambda gap: gap > 0,
    ),
}


def compared_half(cases: Sequence[Case], half: str, streams: Streams) -> ArtifactResult:
    """Compare cloned five-fold CV with all others over the cases of a half, ``synthetic`` or ``uci``."""
    names = [e for e in ESTIMATORS if all(e in case.estimates for case in cases)]
    wins = {e: better_than_all(cases, e, [other for other in names if other != e], streams) for e in names}
    gaps = {e: _log_ratio(cases, _FIVE, e, streams) for e in names if e != _FIVE}
    reading = reading_of(cases)
    rows = [wins[e].row(reading, f"{half}/{e}", "cases-with-smallest-rmse") for e in names]
    for e, gap in gaps.items():
        over = Estimate(exp(gap.value), exp(gap.value) * gap.se, gap.n)
        rows.append(Row.of(reading, f"{half}/{e}", f"rmse-of-{_FIVE}-over-own", over))
    rival = max(gaps, key=lambda e: gaps[e].value)
    gap = gaps[rival].named(f"mean log ratio of the RMSE of {symbol_of(_FIVE)} to that of {symbol_of(rival)}", digits=3)
    context = "{rival} is the next best on average; {five} is the best {won}"
    words = {"rival": symbol_of(rival), "five": symbol_of(_FIVE), "won": wins[_FIVE].told}
    return ArtifactResult(rows, checks=judge_claims([(*_HALVES[half], context)], gap, **words))


def _log_ratio(cases: Sequence[Case], one: str, other: str, streams: Streams) -> Estimate:
    """Mean over cases of the logarithm of one RMSE over another, with the error that new trials leave it."""
    values, variance = [], 0.0
    for case in cases:
        values.append(float(log_ratio(case, square_of, one, other, whole_trials(case))[0]) / 2)
        variance += float(np.var(log_ratio(case, square_of, one, other, trials_drawn(case, streams)))) / 4
    return Estimate(float(np.mean(values)), sqrt(variance) / len(cases), min(case.n for case in cases))


@artifact("shakhnarovich-corrected-all", draw=draw_corrected, labels=LABELS)
def all_corrected(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Compare both forms of the .632+ over all cases."""
    drawn, sets = _halves(p, run)
    return corrected_cases([*drawn, *sets], Streams(p.seed).child("shakhnarovich-corrected"), "all")
