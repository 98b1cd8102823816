"""Tables 4 to 6 and section 8's claims: which estimator wins, with cloning, without, and against repetition.

All tests are the paper's paired test of squared errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import every
from compendium.evidence.monte_carlo import rms
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.shakhnarovich.contests import (
    CLAIMS,
    Count,
    better_than_all,
    contested,
    counted_over,
    paired_test,
    said_p,
    sides,
    significant,
    significantly_better,
    spread_of,
)
from compendium.papers.shakhnarovich.figures import draw_contests
from compendium.papers.shakhnarovich.methods import CV, ESTIMATORS, PLUS, PROPOSED, REPEATED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.printed import as_named
from compendium.papers.shakhnarovich.tables import Case, first_of_each, to_zero
from compendium.papers.shakhnarovich.uci.cases import as_printed, cases_of, readings_of
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from compendium.papers.shakhnarovich.uci.figures import draw_table_6
from errorest.streams import Streams

__all__ = ["table_4", "table_5", "table_6", "text_claims"]

_BETTER = "cases-with-significantly-better-new"


@artifact("shakhnarovich-table-4", draw=draw_contests, name_rows=as_named, labels=LABELS, rerun=False)
def table_4(p: UciParameters, run: Run) -> ArtifactResult:
    """Table 4: the best new estimator against the best old one, by case."""
    cases = [one for case in cases_of(p, run) for one in (case, to_zero(case), as_printed(case))]
    streams = Streams(p.seed).child("table-4")
    rows, data, first = contested(cases, streams)
    won = {one.case.row: one for one in first.values()}
    sure = significantly_better([one.case for one in first.values()], streams, p.level)
    least = counted_over(
        [one.case for one in first.values()], lambda case, w: _least_spread(case, won[case.row].new, w), streams, "std"
    )
    said = "; ".join(
        f"{one.case.on}: {symbol_of(one.new)} against {symbol_of(one.old)} (alpha {said_p(one.test.alpha)})"
        for one in first.values()
    )
    checks = judge_claims(TABLE_4, sure, least, level=p.level, said=said, far=_FAR)
    finding = f"A new estimator has the smallest RMSE, significantly so, {sure.told}."
    columns = ["row", "reading", "new", "old", "n", "new_share", "old_share", "mu_d", "sigma_d", "alpha"]
    columns += ["new_rmse", "old_rmse", "new_rmse_se", "old_rmse_se"]
    return ArtifactResult(rows, {**data, "contests": data["contests"][columns]}, checks, [finding])


_FAR = 3.0

TABLE_4 = [
    (
        "In most cases one of the new estimators beats every old one (alpha at most {level:g}).",
        lambda sure, least: sure.most(),
        "{said}",
    ),
    (
        "In most cases the winning new estimator has the least variance of all but the apparent error.",
        lambda sure, least: least.most(),
        "estimators with a bias over {far:g} times the winner's RMSE are passed over",
    ),
]


def _least_spread(case: Case, winner: str, weights: np.ndarray) -> np.ndarray:
    """Whether a winner varies least of the estimators whose bias is no larger than three times its own RMSE."""
    reach = _FAR * rms(case.errors(winner)).value
    rivals = [
        spread_of(case, e, weights)
        for e in ESTIMATORS
        if e in case.estimates and e not in (winner, "resubstitution") and abs(float(case.errors(e).mean())) <= reach
    ]
    # the spread of a constant comes to 1e-8, since a difference of squares is left of rounding noise
    return np.asarray(spread_of(case, winner, weights) <= np.min(rivals, axis=0) + 1e-7)


@artifact("shakhnarovich-table-5", labels=LABELS)
def table_5(p: UciParameters, run: Run) -> ArtifactResult:
    """Table 5: RMSE of the .632+ with and without cloning.

    The printed alpha of a case in which cloning loses is small too, so that alpha is taken for
    the better of the two.
    """
    rows: list[Row] = []
    table = []
    cases = cases_of(p, run)
    for case in (form for one in cases for form in (one, to_zero(one))):
        for name in PLUS:
            m = rms(case.errors(name))
            rows.append(Row.of(case.reading, name, case.row, m))
            table.append({"case": case.row, "reading": case.reading, "estimator": name, "rmse": m.value, "se": m.se})
        alpha = paired_test(case.truth, *(case.estimates[name] for name in PLUS)).alpha
        rows.append(Row(case.reading, "alpha", case.row, min(alpha, 1 - alpha), nan, case.n))
    first = first_of_each(cases)
    streams = Streams(p.seed).child("table-5")
    return ArtifactResult(rows, {"pairs": pd.DataFrame(table)}, _checks_5(first, p.strict_level, streams))


def _checks_5(first: Sequence[Case], level: float, streams: Streams) -> list[Check]:
    forms = (("as the text has it", first), ("R set to 0", [to_zero(case) for case in first]))
    return [check for form, own in forms for check in _cloning_wins(own, form, level, streams)]


def _cloning_wins(cases: Sequence[Case], form: str, level: float, streams: Streams) -> list[Check]:
    wins = better_than_all(cases, PLUS[1], PLUS[:1], streams)
    sure = significant(cases, *PLUS, level, streams)
    lost = [case.on for case in cases if case.row not in wins.cases]
    claim = (
        "In most cases the .632+ has a smaller RMSE with cloning than without. [.632+ {form}]",
        lambda wins: wins.most(),
        "below the {level:g} level {sure}; not for: {lost}",
    )
    return judge_claims([claim], wins, form=form, level=level, sure=sure.told, lost=", ".join(lost) or "none")


@artifact("shakhnarovich-table-6", draw=draw_table_6, labels=LABELS)
def table_6(p: UciParameters, run: Run) -> ArtifactResult:
    """Table 6: in how many cases repeated cross-validation is worse or better than a proposed estimator."""
    rows: list[Row] = []
    table = []
    cases = first_of_each(cases_of(p, run))
    streams = Streams(p.seed).child("table-6")
    whole = readings_of(cases)
    found = {
        (reading, repeated, new): sides(own, repeated, new, p.level, streams)
        for reading, own in whole.items()
        for repeated in REPEATED
        for new in PROPOSED
    }
    for (reading, repeated, new), counts in found.items():
        rows += [c.row(reading, repeated, f"{new}/{name}") for name, c in counts.items()]
        counted = {name: c.value for name, c in counts.items()}
        table.append({"reading": reading, "repeated": repeated, "new": new} | counted)
    checks: list[Check] = []
    # of the third the paper claims nothing
    for new in PROPOSED[:2]:
        worse = {repeated: found[next(iter(whole)), repeated, new]["worse"] for repeated in REPEATED}
        claim = (
            "In most cases {new} is better than repeated cross-validation, with any number of folds.",
            lambda worse: every("cases", [count.most(symbol_of(name)) for name, count in worse.items()]),
            "repetition is significantly worse (alpha at most {level:g})",
        )
        checks += judge_claims([claim], worse, new=symbol_of(new), level=p.level)
    return ArtifactResult(rows, {"counts": pd.DataFrame(table)}, checks, _gains(cases))


def _gains(cases: Sequence[Case]) -> list[str]:
    """Say what repeating does to the spread of cross-validation."""
    found = []
    for once, often in zip(CV, REPEATED, strict=True):
        spreads = [(float(np.std(c.estimates[often])), float(np.std(c.estimates[once]))) for c in cases]
        ratios = [repeated / single for repeated, single in spreads if single > 0]
        if ratios:
            low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
            found.append(
                f"Repeating multiplies the standard deviation of {symbol_of(once)} by {np.mean(ratios):.2f} on average "
                f"({low if low == high else f'{low} to {high}'})."
            )
    return found


@artifact("shakhnarovich-claims-uci", labels=LABELS)
def text_claims(p: UciParameters, run: Run) -> ArtifactResult:
    """Section 8's and 9's counts of cases.

    "RCV" without a number of folds is taken with ten: that is the row of Table 6 whose numbers
    the text repeats.
    """
    streams = Streams(p.seed).child("uci-claims")
    counts: list[tuple[str, str, Count]] = []
    for reading, own in readings_of(first_of_each(cases_of(p, run))).items():
        best = significantly_better(own, streams, p.level)
        plus, five = (sides(own, "repeated-cv-10", new, p.level, streams) for new in PROPOSED[:2])
        ten = "unstated:against-ten-folds" if reading == "literal" else f"{reading}-against-ten-folds"
        counts += [
            (reading, _BETTER, best),
            (reading, f"{_BETTER}/section-9", best),
            (ten, "cloned-632plus-beats-repeated-cv", plus["worse"]),
            (ten, "cloned-bscv-5-significantly-beats-repeated-cv", five["worse"]),
            (ten, "cloned-bscv-5-ties-repeated-cv", five["undecided"]),
            (reading, "cloned-632plus-beats-632plus", better_than_all(own, PLUS[1], PLUS[:1], streams)),
            (reading, "cloned-632plus-significantly-beats-632plus", significant(own, *PLUS, p.strict_level, streams)),
        ]
    rows = [count.row(reading, "uci", column, CLAIMS) for reading, column, count in counts]
    named = {column: count for _, column, count in reversed(counts)}
    finding = (
        f"A new estimator is significantly better than every old one {named[_BETTER].told}; the cloned .632+ has a "
        f"smaller RMSE than the .632+ {named['cloned-632plus-beats-632plus'].told}."
    )
    return ArtifactResult(rows, findings=[finding])
