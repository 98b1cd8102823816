"""Section 9: both halves of the paper counted together, as it counts them and with the correct .632+."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, sqrt

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import correlation
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.parameters import Even, Parameters, Trials, parameter
from compendium.papers.shakhnarovich.best_pairs import significantly_better
from compendium.papers.shakhnarovich.case_counts import CLAIMS, better_than_all, count_cases
from compendium.papers.shakhnarovich.cases import Case, first_of_each, reading_of, to_zero, zero_reading
from compendium.papers.shakhnarovich.corrected import compare_forms, draw_forms
from compendium.papers.shakhnarovich.methods import ESTIMATORS, PLUS, UNCLONED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.paired_tests import bootstrap_weights, equal_weights, mse, sd
from compendium.papers.shakhnarovich.synthetic import study as synthetic
from compendium.papers.shakhnarovich.uci import study as uci
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
    def synthetic(self) -> synthetic.SyntheticParameters:
        """The design of the synthetic half."""
        return synthetic.SyntheticParameters(
            seed=self.seed,
            trials=self.synthetic_trials,
            bootstrap_samples=self.bootstrap_samples,
            validation=self.validation,
            level=self.synthetic_level,
        )

    @property
    def uci(self) -> uci.UciParameters:
        """The design of the half on real data."""
        return uci.UciParameters(
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
    halves, levels = _halves(p, run), (p.synthetic_level, p.uci_level)
    reading = reading_of([*halves[0], *halves[1]])
    forms = {reading: halves, zero_reading(reading): [[to_zero(case) for case in half] for half in halves]}
    (of_synthetic, of_uci), zero = (
        [significantly_better(half, streams, level) for half, level in zip(of, levels, strict=True)]
        for of in forms.values()
    )
    totals = dict(zip(forms, (of_synthetic + of_uci, zero[0] + zero[1]), strict=True))
    rows = [total.row(name, "all", "cases-with-significantly-better-new", CLAIMS) for name, total in totals.items()]
    check = judge_claim(
        "shakhnarovich-claims-all",
        "new",
        totals[reading].in_most(),
        made=of_synthetic.words,
        real=of_uci.words,
        zero=totals[zero_reading(reading)].words,
        made_level=levels[0],
        real_level=levels[1],
    )
    return ArtifactResult(rows, checks=[check])


@artifact("shakhnarovich-variance-all", labels=LABELS)
def all_variances(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Compare what cloning gains in RMSE with what it gains in spread, over all cases."""
    streams = Streams(p.seed).child("shakhnarovich-gains")
    cases = [case for half in _halves(p, run) for case in half]
    rows: list[Row] = []
    checks: list[Check] = []
    for cloned, plain in UNCLONED.items():
        of = [case for case in cases if case.has(cloned, plain)]
        if not of:
            continue

        def varies_less(case: Case, weights: np.ndarray, cloned: str = cloned, plain: str = plain) -> np.ndarray:
            return np.asarray(sd(case, cloned, weights) < sd(case, plain, weights))

        better = better_than_all(of, cloned, [plain], streams)
        less = count_cases(of, varies_less, streams, cloned)
        gains = np.array(
            [[_log_ratio(case, size, cloned, plain, equal_weights(case))[0] for size in (mse, sd)] for case in of]
        )
        # the logarithm of a root mean square is half that of the mean square
        gains[:, 0] /= 2
        together = correlation(*gains[np.isfinite(gains).all(axis=1)].T).named("correlation of log ratios", sign="")
        reading = reading_of(of)
        rows += [
            better.row(reading, cloned, "cases-with-smaller-rmse"),
            less.row(reading, cloned, "cases-with-smaller-std"),
            Row.of(reading, cloned, "correlation-of-gains", together),
        ]
        if cloned == PLUS[1]:
            words = {"fewer": better.words, "less": less.words}
            high = together > _HIGH
            checks.append(judge_claim("shakhnarovich-variance-all", "correlation", high, high=_HIGH, **words))
        words = {"cloned": symbol_of(cloned), "plain": symbol_of(plain), "together": together.words}
        checks.append(judge_claim("shakhnarovich-variance-all", "lower", better.in_most(), **words))
    return ArtifactResult(rows, checks=checks)


def _log_ratio(
    case: Case, size: Callable[[Case, str, np.ndarray], np.ndarray], one: str, other: str, weights: np.ndarray
) -> np.ndarray:
    """Return the logarithm of one estimator's :func:`mse` or :func:`sd` over another's under each line of weights."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(size(case, one, weights) / size(case, other, weights)))


@artifact("shakhnarovich-best-of-halves", labels=LABELS)
def best_of_halves(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Judge whether cloned five-fold CV is the best estimator on synthetic data, and not on real data."""
    streams = Streams(p.seed).child("shakhnarovich-halves")
    one, other = _halves(p, run)
    return compare_on_half(one, "synthetic", streams) + compare_on_half(other, "uci", streams)


def compare_on_half(cases: Sequence[Case], half: str, streams: Streams) -> ArtifactResult:
    """Compare cloned five-fold CV with all others over the cases of a half, ``synthetic`` or ``uci``."""
    names = [e for e in ESTIMATORS if all(case.has(e) for case in cases)]
    firsts = {e: better_than_all(cases, e, [other for other in names if other != e], streams) for e in names}
    gaps = {}
    for e in (e for e in names if e != _FIVE):
        # the mean over cases of the logarithm of one RMSE over another; its error by the bootstrap of trials
        values = [_log_ratio(case, mse, _FIVE, e, equal_weights(case))[0] / 2 for case in cases]
        sampled = [np.var(_log_ratio(case, mse, _FIVE, e, bootstrap_weights(case, streams))) / 4 for case in cases]
        error = sqrt(sum(sampled)) / len(cases)
        gaps[e] = Estimate(float(np.mean(values)), error, min(case.n for case in cases))
    reading = reading_of(cases)
    rows = [firsts[e].row(reading, f"{half}/{e}", "cases-with-smallest-rmse") for e in names]
    for e, gap in gaps.items():
        over = Estimate(exp(gap.value), exp(gap.value) * gap.se, gap.n)
        rows.append(Row.of(reading, f"{half}/{e}", f"rmse-of-{_FIVE}-over-own", over))
    next_best = max(gaps, key=lambda e: gaps[e].value)
    five, rival = symbol_of(_FIVE), symbol_of(next_best)
    gap = gaps[next_best].named(f"mean log ratio of the RMSE of {five} to that of {rival}", digits=3)
    condition = gap < 0 if half == "synthetic" else gap > 0
    words = {"rival": rival, "five": five, "won": firsts[_FIVE].words}
    return ArtifactResult(rows, checks=[judge_claim("shakhnarovich-best-of-halves", half, condition, **words)])


@artifact("shakhnarovich-corrected-all", draw=draw_forms, labels=LABELS)
def all_corrected(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Compare both forms of the .632+ over all cases."""
    cases = [case for half in _halves(p, run) for case in half]
    return compare_forms(cases, Streams(p.seed).child("shakhnarovich-corrected"), "all")
