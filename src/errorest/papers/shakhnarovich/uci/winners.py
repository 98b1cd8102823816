"""Tables 4 to 6 and section 8's claims: which estimator wins, with cloning, without, and against repetition.

All tests are the paper's paired test of squared errors; a count of cases has the standard
error that new sets of trials leave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from errorest.evidence.monte_carlo import mean, rms
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.shakhnarovich.claims import Count, better_than_all, significantly_better
from errorest.papers.shakhnarovich.named import CORRECT_PLUS, PLUS_READING, REPEATED, TRUE_ERROR, symbol_of
from errorest.papers.shakhnarovich.uci.cases import EXCHANGED, UciCase, UciParameters, cases_of
from errorest.papers.shakhnarovich.winners import Case, contest, contest_rows, paired_test
from errorest.streams import Streams

__all__ = ["PROPOSED", "headlines", "table_4", "table_5", "table_6", "text_claims"]

PROPOSED = ("cloned-632plus", "cloned-bscv-5", "cloned-bscv-loo")
"""The new estimators that Table 6 sets against repeated cross-validation."""

_RESAMPLED = 1000
_LITERAL = "literal"
_TEN_FOLDS = "unstated:against-ten-folds"
_PLUS = ("bootstrap-632plus", "cloned-632plus")


def headlines(cases: Sequence[UciCase], exchanged: bool = False) -> list[Case]:
    """Return each case under its headline reading, or with its rows put where the paper prints them."""
    found = []
    for one in cases:
        reading = EXCHANGED if exchanged else next(iter(one.readings))
        found.append(Case(one.key, reading, one.readings[reading]))
    return found


def table_4(p: UciParameters, run: Run) -> Regenerated:
    """Table 4: the best new estimator against the best old one, by case.

    Returns
    -------
    Regenerated
        Printed keys (proportions; labels by the share of resampled trials in which they hold).
        Data ``contests``.
    """
    rows: list[Row] = []
    table, said, significant, least = [], [], 0, 0
    cases = cases_of(p, run)
    streams = Streams(p.seed).child("table-4")
    for one in cases:
        for reading, estimates in one.readings.items():
            found = contest(estimates, streams.child(one.key))
            rows += contest_rows(found, mean(estimates[TRUE_ERROR]), reading, one.key)
            test = found.test
            table.append(
                {"row": one.key, "reading": reading, "new": found.new, "old": found.old, "n": test.n}
                | {"new_share": found.new_share, "old_share": found.old_share}
                | {"mu_d": test.mu_d, "sigma_d": test.sigma_d, "alpha": test.alpha}
                | {f"{side}_rmse": found.values[f"{side}-rmse"] for side in ("new", "old")}
                | {f"{side}_rmse_se": found.errors[f"{side}-rmse"] for side in ("new", "old")}
            )
            if reading == next(iter(one.readings)):
                significant += test.alpha <= p.level
                least += _least_spread(one, found.new)
                said.append(
                    f"{one.title}: {symbol_of(found.new)} against {symbol_of(found.old)} (alpha {test.alpha:.2g})"
                )
    checks = [
        Check(
            f"In most cases one of the new estimators beats every old one (alpha at most {p.level:g}).",
            f"{significant} of {len(cases)} cases: {'; '.join(said)}",
            "holds" if significant > len(cases) / 2 else "holds in part" if significant else "fails",
        ),
        Check(
            "In most cases the winning estimator has the least variance of all but the apparent error.",
            f"in {least} of {len(cases)} cases",
            "holds" if least > len(cases) / 2 else "holds in part" if least else "fails",
        ),
    ]
    finding = f"A new estimator has the smallest RMSE, significantly so, in {significant} of {len(cases)} cases."
    return Regenerated(rows, {"contests": pd.DataFrame(table)}, checks, [finding])


def _least_spread(one: UciCase, winner: str) -> bool:
    """Whether a winner varies least of the estimators whose bias is no larger than three times its own RMSE."""
    truth = one.headline[TRUE_ERROR]
    rival = {k: v for k, v in one.headline.items() if k not in (TRUE_ERROR, "resubstitution")}
    reach = 3 * rms(rival[winner] - truth).value
    spreads = {k: float(np.std(v)) for k, v in rival.items() if abs(float(np.mean(v - truth))) <= reach}
    return min(spreads, key=lambda k: spreads[k]) == winner


def _either_side(truth: np.ndarray, old: np.ndarray, new: np.ndarray) -> float:
    """One-sided p-value for whichever estimator is the better one."""
    alpha = paired_test(truth, old, new).alpha
    return min(alpha, 1 - alpha)


def table_5(p: UciParameters, run: Run) -> Regenerated:
    """Table 5: RMSE of the .632+ with and without cloning.

    The printed alpha of a case in which cloning loses is small too, so that alpha is taken for
    the better of the two.

    Returns
    -------
    Regenerated
        Printed keys (proportions); own rows for Efron & Tibshirani's .632+.  Data ``pairs``.
    """
    rows: list[Row] = []
    table = []
    cases = cases_of(p, run)
    for one in cases:
        for reading, estimates in one.readings.items():
            if reading.endswith(EXCHANGED.partition(":")[2]):
                continue
            truth = estimates[TRUE_ERROR]
            for names, alpha_row in ((_PLUS, "alpha"), (tuple(CORRECT_PLUS[k] for k in _PLUS), "alpha-correct")):
                plain, cloned = (estimates[k] for k in names)
                filed = PLUS_READING if reading == _LITERAL and alpha_row == "alpha" else reading
                for name, values in zip(names, (plain, cloned), strict=True):
                    m = rms(values - truth)
                    rows.append(Row(filed, name, one.key, *m))
                    table.append({"case": one.key, "reading": reading, "estimator": name, "rmse": m.value, "se": m.se})
                rows.append(Row(filed, alpha_row, one.key, _either_side(truth, plain, cloned), nan, truth.shape[0]))
    checks, findings = [], []
    for names, whose in ((_PLUS, "the paper's"), (tuple(CORRECT_PLUS[k] for k in _PLUS), "Efron & Tibshirani's")):
        wins, sure = _wins(cases, names, p.strict_level)
        checks.append(
            Check(
                f"With cloning the .632+ has a smaller RMSE. [{whose} .632+]",
                f"in {len(wins)} of {len(cases)} cases, in {len(sure)} of them below {p.strict_level:g}; not for: "
                f"{', '.join(c.title for c in cases if c.title not in wins) or 'none'}",
                "holds" if len(wins) == len(cases) else "holds in part" if wins else "fails",
            )
        )
        findings.append(
            f"With {whose} .632+, cloning lowers the RMSE in {len(wins)} of {len(cases)} cases, significantly (alpha "
            f"below {p.strict_level:g}) in {len(sure)}."
        )
    return Regenerated(rows, {"pairs": pd.DataFrame(table)}, checks, findings)


def _wins(cases: Sequence[UciCase], names: Sequence[str], level: float) -> tuple[list[str], list[str]]:
    wins, sure = [], []
    for one in cases:
        test = paired_test(one.headline[TRUE_ERROR], *(one.headline[k] for k in names))
        wins += [one.title] if test.mu_d > 0 else []
        sure += [one.title] if test.alpha < level else []
    return wins, sure


class _Counts(NamedTuple):
    """Cases in which one estimator is worse, better, or neither, than another; with standard errors."""

    worse: int
    better: int
    undecided: int
    errors: tuple[float, float, float]
    n: int


def _alphas(squares: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """P-values of weighted sets of differences of squared errors, shape (R,)."""
    n = squares.shape[0]
    mu = weights @ squares
    spread = np.sqrt(np.maximum(weights @ squares**2 - mu**2, 0.0) * n / max(n - 1, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, mu / (spread / sqrt(n)), np.sign(mu) * np.inf)
    return np.asarray(np.where(mu == 0, 0.5, ndtr(-z)))


def _count(cases: Sequence[Case], repeated: str, new: str, level: float, streams: Streams) -> _Counts:
    """Count, over the cases, whether repeated cross-validation is worse or better than a new estimator."""
    total = np.zeros(3, dtype=np.int64)
    variance = np.zeros(3)
    for one in cases:
        truth = one.estimates[TRUE_ERROR]
        n = truth.shape[0]
        d = (one.estimates[repeated] - truth) ** 2 - (one.estimates[new] - truth) ** 2
        drawn = streams.child(one.row).generator(repeated, new).multinomial(n, np.full(n, 1 / n), size=_RESAMPLED) / n
        alpha = paired_test(truth, one.estimates[repeated], one.estimates[new]).alpha
        low, high = alpha <= level, 1 - alpha <= level
        total += np.array([low, high, not (low or high)])
        alphas = _alphas(d, drawn)
        shares = np.array([np.mean(alphas <= level), np.mean(1 - alphas <= level)])
        shares = np.append(shares, 1 - shares.sum())
        variance += shares * (1 - shares)
    worse, better, undecided = (int(v) for v in total)
    errors = [float(v) for v in np.sqrt(variance)]
    return _Counts(worse, better, undecided, (errors[0], errors[1], errors[2]), _trials(cases))


def _trials(cases: Sequence[Case]) -> int:
    return min(one.estimates[TRUE_ERROR].shape[0] for one in cases)


def table_6(p: UciParameters, run: Run) -> Regenerated:
    """Table 6: in how many cases repeated cross-validation is worse or better than a proposed estimator.

    Returns
    -------
    Regenerated
        Printed keys, numbers of cases, literally and with the rows of five and ten folds as printed.
        Data ``counts``.
    """
    rows: list[Row] = []
    table = []
    cases = cases_of(p, run)
    streams = Streams(p.seed).child("table-6")
    for exchanged in (False, True):
        own = headlines(cases, exchanged)
        reading = EXCHANGED if exchanged else _LITERAL
        for repeated in REPEATED:
            for new in PROPOSED:
                found = _count(own, repeated, new, p.level, streams)
                numbers = {"worse": found.worse, "better": found.better, "undecided": found.undecided}
                for (name, number), error in zip(numbers.items(), found.errors, strict=True):
                    rows.append(Row(reading, repeated, f"{new}/{name}", float(number), error, found.n))
                table.append({"reading": reading, "repeated": repeated, "new": new} | found._asdict())
    frame = pd.DataFrame(table).drop(columns=["errors", "n"])
    literal = frame[frame["reading"] == _LITERAL]
    checks = []
    for new in PROPOSED:
        worse = [int(v) for v in literal[literal["new"] == new]["worse"]]
        checks.append(
            Check(
                f"Repeating cross-validation is no match for {symbol_of(new)}.",
                f"significantly worse (alpha at most {p.level:g}) in "
                + ", ".join(f"{w} ({symbol_of(r)})" for w, r in zip(worse, REPEATED, strict=True))
                + f" of {len(cases)} cases",
                "holds" if min(worse) > len(cases) / 2 else "holds in part" if max(worse) else "fails",
            )
        )
    return Regenerated(rows, {"counts": frame}, checks, _gains(cases))


def _gains(cases: Sequence[UciCase]) -> list[str]:
    """Say what repeating does to the spread of cross-validation."""
    found = []
    for once, often in (("loo", "repeated-loo"), ("cv-10", "repeated-cv-10"), ("cv-5", "repeated-cv-5")):
        ratios = [_spread_ratio(one.headline[often], one.headline[once]) for one in cases]
        known = [r for r in ratios if r == r]
        if known:
            found.append(
                f"Repeating multiplies the standard deviation of {symbol_of(once)} by {np.mean(known):.2f} on average "
                f"({min(known):.2f} to {max(known):.2f})."
            )
    return found


def _spread_ratio(often: np.ndarray, once: np.ndarray) -> float:
    spread = float(np.std(once))
    return float(np.std(often)) / spread if spread > 0 else nan


def text_claims(p: UciParameters, run: Run) -> Regenerated:
    """Section 8's and 9's counts of cases.

    "RCV" without a number of folds is taken with ten: that is the row of Table 6 whose numbers
    the text repeats.

    Returns
    -------
    Regenerated
        Printed keys of artifact ``shakhnarovich-claims``, row ``uci``; numbers of cases.
    """
    cases = cases_of(p, run)
    rows: list[Row] = []
    streams = Streams(p.seed).child("uci-claims")
    add = partial(_claim_row, rows)
    for exchanged in (False, True):
        own = headlines(cases, exchanged)
        reading = EXCHANGED if exchanged else _LITERAL
        best = significantly_better(own, streams, p.level)
        add(reading, "cases-with-significantly-better-new", best)
        add(reading, "cases-with-significantly-better-new/section-9", best)
        ten = EXCHANGED if exchanged else _TEN_FOLDS
        for new, column in (
            ("cloned-632plus", "cloned-632plus-beats-repeated-cv"),
            ("cloned-bscv-5", "cloned-bscv-5-significantly-beats-repeated-cv"),
        ):
            found = _count(own, "repeated-cv-10", new, p.level, streams)
            add(ten, column, Count(found.worse, found.errors[0], (), len(own), found.n))
            if new == "cloned-bscv-5":
                tied = Count(found.undecided, found.errors[2], (), len(own), found.n)
                add(ten, "cloned-bscv-5-ties-repeated-cv", tied)
        if not exchanged:
            headline_best = best
    own = headlines(cases)
    beats = better_than_all(own, "cloned-632plus", ["bootstrap-632plus"], streams)
    add(_LITERAL, "cloned-632plus-beats-632plus", beats)
    add(_LITERAL, "cloned-632plus-significantly-beats-632plus", _significant(own, _PLUS, p.strict_level, streams))
    correct = (CORRECT_PLUS[_PLUS[0]], CORRECT_PLUS[_PLUS[1]])
    add(
        _LITERAL,
        "cloned-632plus-beats-632plus/correct",
        better_than_all(own, correct[1], [correct[0]], streams),
    )
    add(
        _LITERAL,
        "cloned-632plus-significantly-beats-632plus/correct",
        _significant(own, correct, p.strict_level, streams),
    )
    errata = [
        Erratum(
            "Section 9",
            "in 7 of 8 UCI cases a new estimator is significantly better than any old one",
            "in 6 of 8, as section 8 and Table 4 say",
            f"Counted with alpha at most {p.level:g}: {headline_best.value} of {headline_best.of} "
            f"(standard error {headline_best.se:.1f}).",
        )
    ]
    finding = (
        f"A new estimator is significantly better than every old one in {headline_best.value} of {headline_best.of} "
        f"cases (standard error {headline_best.se:.1f}); the cloned .632+ has a smaller RMSE than the .632+ in "
        f"{beats.value}."
    )
    return Regenerated(rows, findings=[finding], errata=errata)


def _claim_row(rows: list[Row], reading: str, column: str, count: Count) -> None:
    rows.append(Row(reading, "uci", column, float(count.value), count.se, count.n, "shakhnarovich-claims"))


def _significant(cases: Sequence[Case], names: Sequence[str], level: float, streams: Streams) -> Count:
    """Count the cases in which the second estimator is better than the first below a level."""
    found, variance = [], 0.0
    for one in cases:
        truth = one.estimates[TRUE_ERROR]
        n = truth.shape[0]
        old, new = (one.estimates[k] for k in names)
        weights = streams.child(one.row).generator(*names).multinomial(n, np.full(n, 1 / n), size=_RESAMPLED) / n
        share = float(np.mean(_alphas((old - truth) ** 2 - (new - truth) ** 2, weights) < level))
        variance += share * (1 - share)
        found += [one.row] if paired_test(truth, old, new).alpha < level else []
    return Count(len(found), sqrt(variance), tuple(found), len(cases), _trials(cases))
