"""Section 9: both halves of the paper counted together, as it counts them and with the correct .632+."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, sqrt
from typing import Any

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import correlation
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.parameters import Even, Parameters, Trials, parameter
from compendium.papers.shakhnarovich import wins
from compendium.papers.shakhnarovich.cases import Case, first_of_each, reading_of, to_zero, zero_reading
from compendium.papers.shakhnarovich.corrected import compare_forms, draw_forms
from compendium.papers.shakhnarovich.methods import ESTIMATORS, PLUS, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.synthetic import artifacts as synthetic
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from compendium.papers.shakhnarovich.uci import artifacts as uci
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from errorest.streams import Streams

_HIGH = 0.5
_FIVE = "cloned-bscv-5"


class ConclusionsParameters(Parameters, notebook="shakhnarovich/06-conclusions"):
    """Parameters of both halves that a reader may change here; the others are their defaults."""

    seed: int = parameter(2001, ge=0)
    synthetic_trials: Trials = parameter([200] * 4 + [50], min_length=5, max_length=5, preview=[6, 6, 6, 6, 3])
    uci_trials: Trials = parameter([150, 100, 150], min_length=3, max_length=3, preview=[6, 4, 6])
    synthetic_level: float = parameter(0.01, gt=0, lt=0.5)
    uci_level: float = parameter(0.1, gt=0, lt=0.5)
    bootstrap_samples: int = parameter(100, ge=2, preview=20)
    uci_bootstrap_samples: int = parameter(100, ge=2, preview=5)
    validation: Even = parameter(20_000, ge=2, preview=2_000, replication=True)

    @property
    def synthetic(self) -> SyntheticParameters:
        """The design of the synthetic half."""
        return SyntheticParameters(
            seed=self.seed,
            trials=self.synthetic_trials,
            bootstrap_samples=self.bootstrap_samples,
            validation=self.validation,
            level=self.synthetic_level,
        )

    @property
    def uci(self) -> UciParameters:
        """The design of the half on real data."""
        return UciParameters(
            seed=self.seed, trials=self.uci_trials, bootstrap_samples=self.uci_bootstrap_samples, level=self.uci_level
        )

    def inputs(self) -> dict[str, str]:
        """Return the digest of each data set that is read."""
        return self.uci.inputs()


def _halves(p: ConclusionsParameters, run: Run) -> tuple[list[Case], list[Case]]:
    return first_of_each(synthetic.cases_of(p.synthetic, run)), first_of_each(uci.cases_of(p.uci, run))


@artifact("shakhnarovich-claims-all", labels=LABELS)
def all_claims(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Count all cases in which a new estimator is significantly better, each half at its own level."""
    streams = Streams(p.seed).child("shakhnarovich-conclusions")
    halves = _halves(p, run)
    reading = reading_of([*halves[0], *halves[1]])
    forms = {reading: halves, zero_reading(reading): [[to_zero(case) for case in half] for half in halves]}
    levels = p.synthetic_level, p.uci_level
    counts = [
        [wins.significantly_better(half, streams, level) for half, level in zip(of, levels, strict=True)]
        for of in forms.values()
    ]
    rows = [
        (of[0] + of[1]).row(name, "all", "cases-with-significantly-better-new", wins.CLAIMS)
        for name, of in zip(forms, counts, strict=True)
    ]
    (made, real), zero = counts[0], counts[1][0] + counts[1][1]
    words: dict[str, Any] = {"made": made.named("").words, "real": real.named("").words, "zero": zero.named("").words}
    words |= {"made_level": levels[0], "real_level": levels[1]}
    return ArtifactResult(
        rows, checks=[judge_claim("shakhnarovich-claims-all", "new", (made + real).in_most(), **words)]
    )


@artifact("shakhnarovich-variance-all", labels=LABELS)
def all_variances(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Compare what cloning gains in RMSE with what it gains in spread, over all cases."""
    synthetic_half, uci_half = _halves(p, run)
    return compare_gains([*synthetic_half, *uci_half], Streams(p.seed).child("shakhnarovich-gains"))


def compare_gains(cases: Sequence[Case], streams: Streams) -> ArtifactResult:
    """Compare the gains of :func:`all_variances` over any cases."""
    rows: list[Row] = []
    checks: list[Check] = []
    for cloned, plain in UNCLONED.items():
        of = [case for case in cases if case.has(cloned, plain)]
        if not of:
            continue
        better = wins.better_than_all(of, cloned, [plain], streams)
        less = wins.count_cases(of, _varies_less(cloned, plain), streams, cloned)
        gains = np.array(
            [
                [_log_ratio(case, size, cloned, plain, wins.equal_weights(case))[0] for size in (wins.mse, wins.sd)]
                for case in of
            ]
        )
        gains[:, 0] /= 2
        together = correlation(*gains[np.isfinite(gains).all(axis=1)].T).named("correlation of log ratios", sign="")
        reading = reading_of(of)
        rows += [
            better.row(reading, cloned, "cases-with-smaller-rmse"),
            less.row(reading, cloned, "cases-with-smaller-std"),
            Row.of(reading, cloned, "correlation-of-gains", together),
        ]
        if cloned == PLUS[1]:
            words: dict[str, Any] = {"fewer": better.named("").words, "less": less.named("").words, "high": _HIGH}
            checks.append(judge_claim("shakhnarovich-variance-all", "correlation", together > _HIGH, **words))
        words = {"cloned": symbol_of(cloned), "plain": symbol_of(plain), "together": together.words}
        checks.append(judge_claim("shakhnarovich-variance-all", "lower", better.in_most(), **words))
    return ArtifactResult(rows, checks=checks)


def _varies_less(one: str, other: str) -> wins.Rule:
    return lambda case, weights: wins.sd(case, one, weights) < wins.sd(case, other, weights)


def _log_ratio(
    case: Case, size: Callable[[Case, str, np.ndarray], np.ndarray], one: str, other: str, weights: np.ndarray
) -> np.ndarray:
    """Return the logarithm of one estimator's :func:`mse` or :func:`sd` over another's under each line of weights."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(size(case, one, weights) / size(case, other, weights)))


BEST_OF_HALVES = {
    "synthetic": Claims("shakhnarovich-best-of-halves", {"synthetic": lambda gap: gap < 0}),
    "uci": Claims("shakhnarovich-best-of-halves", {"uci": lambda gap: gap > 0}),
}


@artifact("shakhnarovich-best-of-halves", labels=LABELS)
def best_of_halves(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Judge whether cloned five-fold CV is the best estimator on synthetic data, and not on real data."""
    streams = Streams(p.seed).child("shakhnarovich-halves")
    halves = zip(_halves(p, run), BEST_OF_HALVES, strict=True)
    one, other = (compare_on_half(cases, half, streams) for cases, half in halves)
    return one + other


def compare_on_half(cases: Sequence[Case], half: str, streams: Streams) -> ArtifactResult:
    """Compare cloned five-fold CV with all others over the cases of a half, ``synthetic`` or ``uci``."""
    names = [e for e in ESTIMATORS if all(case.has(e) for case in cases)]
    firsts = {e: wins.better_than_all(cases, e, [other for other in names if other != e], streams) for e in names}
    gaps = {e: _mean_log_ratio(cases, _FIVE, e, streams) for e in names if e != _FIVE}
    reading = reading_of(cases)
    rows = [firsts[e].row(reading, f"{half}/{e}", "cases-with-smallest-rmse") for e in names]
    for e, gap in gaps.items():
        over = Estimate(exp(gap.value), exp(gap.value) * gap.se, gap.n)
        rows.append(Row.of(reading, f"{half}/{e}", f"rmse-of-{_FIVE}-over-own", over))
    rival = max(gaps, key=lambda e: gaps[e].value)
    gap = gaps[rival].named(f"mean log ratio of the RMSE of {symbol_of(_FIVE)} to that of {symbol_of(rival)}", digits=3)
    words = {"rival": symbol_of(rival), "five": symbol_of(_FIVE), "won": firsts[_FIVE].named("").words}
    return ArtifactResult(rows, checks=judge_claims(BEST_OF_HALVES[half], gap, **words))


def _mean_log_ratio(cases: Sequence[Case], one: str, other: str, streams: Streams) -> Estimate:
    """Return the mean over cases of the logarithm of one RMSE over another; its error by the bootstrap of trials."""
    values = [_log_ratio(case, wins.mse, one, other, wins.equal_weights(case))[0] / 2 for case in cases]
    sampled = [
        np.var(_log_ratio(case, wins.mse, one, other, wins.bootstrap_weights(case, streams))) / 4 for case in cases
    ]
    return Estimate(float(np.mean(values)), sqrt(sum(sampled)) / len(cases), min(case.n for case in cases))


@artifact("shakhnarovich-corrected-all", draw=draw_forms, labels=LABELS)
def all_corrected(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Compare both forms of the .632+ over all cases."""
    synthetic_half, uci_half = _halves(p, run)
    streams = Streams(p.seed).child("shakhnarovich-corrected")
    return compare_forms([*synthetic_half, *uci_half], streams, "all")
