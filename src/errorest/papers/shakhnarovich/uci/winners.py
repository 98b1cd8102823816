"""Tables 4 to 6 and section 8's claims: which estimator wins, with cloning, without, and against repetition.

All tests are the paper's paired test of squared errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd

from errorest.evidence.artifact import artifact
from errorest.evidence.claims import graded
from errorest.evidence.monte_carlo import rms
from errorest.evidence.regenerated import Check, Erratum, Outcome, Regenerated, Row, Run
from errorest.papers.shakhnarovich.contests import (
    CLAIMS,
    Count,
    better_than_all,
    contested,
    paired_test,
    said_p,
    sides,
    significant,
    significantly_better,
)
from errorest.papers.shakhnarovich.figures import draw_contests
from errorest.papers.shakhnarovich.methods import CORRECT_PLUS, CV, PLUS, REPEATED, TRUE_ERROR
from errorest.papers.shakhnarovich.names import LABELS, symbol_of
from errorest.papers.shakhnarovich.printed import recomputed
from errorest.papers.shakhnarovich.tables import Case, filed, first_of_each
from errorest.papers.shakhnarovich.uci.cases import EXCHANGED, as_printed, cases_of
from errorest.papers.shakhnarovich.uci.experiment import UciParameters
from errorest.papers.shakhnarovich.uci.figures import PROPOSED, draw_table_5, draw_table_6
from errorest.streams import Streams

__all__ = ["table_4", "table_5", "table_6", "text_claims"]

_LITERAL = "literal"
_TEN_FOLDS = "unstated:against-ten-folds"
_CORRECT = (CORRECT_PLUS[PLUS[0]], CORRECT_PLUS[PLUS[1]])
_FORMS = ((PLUS, "alpha", "the paper's"), (_CORRECT, "alpha-correct", "Efron & Tibshirani's"))


@artifact(
    "shakhnarovich-table-4",
    "Table 4",
    "The best new and the best old estimator",
    "For each data set and classifier: the estimators with the smallest RMSE of their kind, and the paired test "
    "between them; proportions. The share beside a name says how often it comes first in trials drawn anew.",
    draw=draw_contests,
    examine=recomputed,
    labels=LABELS,
)
def table_4(p: UciParameters, run: Run) -> Regenerated:
    """Table 4: the best new estimator against the best old one, by case.

    Returns
    -------
    Regenerated
        Printed keys (proportions; labels by the share of resampled trials in which they hold).
        Data ``contests`` and ``rivals``.
    """
    cases = [one for case in cases_of(p, run) for one in (case, as_printed(case))]
    rows, data, first = contested(cases, Streams(p.seed).child("table-4"))
    sure = [one.test.alpha <= p.level for one in first.values()]
    least = [_least_spread(one.case, one.new) for one in first.values()]
    said = "; ".join(
        f"{one.case.on}: {symbol_of(one.new)} against {symbol_of(one.old)} (alpha {said_p(one.test.alpha)})"
        for one in first.values()
    )
    checks = [
        Check(
            f"In most cases one of the new estimators beats every old one (alpha at most {p.level:g}).",
            f"{sum(sure)} of {len(sure)} cases: {said}",
            _mostly(sure),
        ),
        Check(
            "In most cases the winning estimator has the least variance of all but the apparent error.",
            f"in {sum(least)} of {len(least)} cases",
            _mostly(least),
        ),
    ]
    finding = f"A new estimator has the smallest RMSE, significantly so, in {sum(sure)} of {len(sure)} cases."
    columns = ["row", "reading", "new", "old", "n", "new_share", "old_share", "mu_d", "sigma_d", "alpha"]
    columns += ["new_rmse", "old_rmse", "new_rmse_se", "old_rmse_se"]
    return Regenerated(rows, {**data, "contests": data["contests"][columns]}, checks, [finding])


def _mostly(holds: Sequence[bool]) -> Outcome:
    return "holds" if sum(holds) > len(holds) / 2 else "holds in part" if any(holds) else "fails"


def _least_spread(case: Case, winner: str) -> bool:
    """Whether a winner varies least of the estimators whose bias is no larger than three times its own RMSE."""
    rivals = [e for e in case.estimates if e not in (TRUE_ERROR, "resubstitution")]
    reach = 3 * rms(case.errors(winner)).value
    spreads = {e: float(np.std(case.estimates[e])) for e in rivals if abs(float(np.mean(case.errors(e)))) <= reach}
    return min(spreads, key=lambda e: spreads[e]) == winner


@artifact(
    "shakhnarovich-table-5",
    "Table 5",
    "The .632+ with and without cloning",
    "RMSE (a proportion) of the .632+ by data set and classifier, and the p-value of the difference.",
    draw=draw_table_5,
    labels=LABELS,
)
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
    for case in cases:
        for names, alpha_row, _ in _FORMS:
            reading = filed(case, names[0])
            for name in names:
                m = rms(case.errors(name))
                rows.append(Row.of(reading, name, case.row, m))
                table.append(
                    {"case": case.row, "reading": case.reading, "estimator": name, "rmse": m.value, "se": m.se}
                )
            alpha = paired_test(case.truth, *(case.estimates[name] for name in names)).alpha
            rows.append(Row(reading, alpha_row, case.row, min(alpha, 1 - alpha), nan, case.n))
    checks, findings = [], []
    for names, _, whose in _FORMS:
        check, finding = _cloning_wins(first_of_each(cases), names, whose, p.strict_level)
        checks.append(check)
        findings.append(finding)
    return Regenerated(rows, {"pairs": pd.DataFrame(table)}, checks, findings)


def _cloning_wins(cases: Sequence[Case], names: Sequence[str], whose: str, level: float) -> tuple[Check, str]:
    tests = {case.on: paired_test(case.truth, *(case.estimates[k] for k in names)) for case in cases}
    lost = [title for title, test in tests.items() if not test.mu_d > 0]
    wins, sure = len(tests) - len(lost), sum(test.alpha < level for test in tests.values())
    check = Check(
        f"With cloning the .632+ has a smaller RMSE. [{whose} .632+]",
        f"in {wins} of {len(tests)} cases, in {sure} of them below {level:g}; not for: {', '.join(lost) or 'none'}",
        graded(title not in lost for title in tests),
    )
    return check, (
        f"With {whose} .632+, cloning lowers the RMSE in {wins} of {len(tests)} cases, significantly (alpha "
        f"below {level:g}) in {sure}."
    )


@artifact(
    "shakhnarovich-table-6",
    "Table 6",
    "Is repetition enough?",
    "Number of cases in which repeated cross-validation is worse or better than a new estimator.",
    draw=draw_table_6,
    labels=LABELS,
)
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
    cases = first_of_each(cases_of(p, run))
    streams = Streams(p.seed).child("table-6")
    for reading, own in ((_LITERAL, cases), (EXCHANGED, [as_printed(case) for case in cases])):
        for repeated in REPEATED:
            for new in PROPOSED:
                found = sides(own, repeated, new, p.level, streams)
                rows += [c.row(reading, repeated, f"{new}/{name}") for name, c in found.items()]
                counted = {name: c.value for name, c in found.items()}
                table.append({"reading": reading, "repeated": repeated, "new": new} | counted)
    frame = pd.DataFrame(table)
    checks = []
    for new in PROPOSED:
        literal = frame[(frame["reading"] == _LITERAL) & (frame["new"] == new)]
        worse = dict(zip(literal["repeated"], literal["worse"], strict=True))
        checks.append(
            Check(
                f"Repeating cross-validation is no match for {symbol_of(new)}.",
                f"significantly worse (alpha at most {p.level:g}) in "
                + ", ".join(f"{number} ({symbol_of(name)})" for name, number in worse.items())
                + f" of {len(cases)} cases",
                "holds"
                if min(worse.values()) > len(cases) / 2
                else "holds in part"
                if max(worse.values())
                else "fails",
            )
        )
    return Regenerated(rows, {"counts": frame}, checks, _gains(cases))


def _gains(cases: Sequence[Case]) -> list[str]:
    """Say what repeating does to the spread of cross-validation."""
    found = []
    for once, often in zip(CV, REPEATED, strict=True):
        spreads = [(float(np.std(c.estimates[often])), float(np.std(c.estimates[once]))) for c in cases]
        ratios = [repeated / single for repeated, single in spreads if single > 0]
        if ratios:
            found.append(
                f"Repeating multiplies the standard deviation of {symbol_of(once)} by {np.mean(ratios):.2f} on average "
                f"({min(ratios):.2f} to {max(ratios):.2f})."
            )
    return found


@artifact(
    "shakhnarovich-claims-uci",
    "In the text",
    "How often the new estimators win",
    "Number of cases, one a data set and classifier.",
    labels=LABELS,
)
def text_claims(p: UciParameters, run: Run) -> Regenerated:
    """Section 8's and 9's counts of cases.

    "RCV" without a number of folds is taken with ten: that is the row of Table 6 whose numbers
    the text repeats.

    Returns
    -------
    Regenerated
        Printed keys of artifact ``shakhnarovich-claims``, row ``uci``; numbers of cases.
    """
    cases = first_of_each(cases_of(p, run))
    streams = Streams(p.seed).child("uci-claims")
    counts: list[tuple[str, str, Count]] = []
    for reading, own in ((_LITERAL, cases), (EXCHANGED, [as_printed(case) for case in cases])):
        best = significantly_better(own, streams, p.level)
        counts.append((reading, "cases-with-significantly-better-new", best))
        counts.append((reading, "cases-with-significantly-better-new/section-9", best))
        ten = _TEN_FOLDS if reading == _LITERAL else reading
        plus, five = (sides(own, "repeated-cv-10", new, p.level, streams) for new in PROPOSED[:2])
        counts.append((ten, "cloned-632plus-beats-repeated-cv", plus["worse"]))
        counts.append((ten, "cloned-bscv-5-significantly-beats-repeated-cv", five["worse"]))
        counts.append((ten, "cloned-bscv-5-ties-repeated-cv", five["undecided"]))
    for (plain, cloned), suffix in ((PLUS, ""), (_CORRECT, "/correct")):
        beats = better_than_all(cases, cloned, [plain], streams)
        counts.append((_LITERAL, f"cloned-632plus-beats-632plus{suffix}", beats))
        clearly = significant(cases, plain, cloned, p.strict_level, streams)
        counts.append((_LITERAL, f"cloned-632plus-significantly-beats-632plus{suffix}", clearly))
    rows = [count.row(reading, "uci", column, CLAIMS) for reading, column, count in counts]
    named = {column: count for _, column, count in reversed(counts)}
    best, beats = named["cases-with-significantly-better-new"], named["cloned-632plus-beats-632plus"]
    wins = f"{best.value} of {best.of}"
    errata = [
        Erratum(
            "Section 9",
            "in 7 of 8 UCI cases a new estimator is significantly better than any old one",
            "in 6 of 8, as section 8 and Table 4 say",
            f"Counted with alpha at most {p.level:g}: {wins} (standard error {best.se:.1f}).",
        )
    ]
    finding = (
        f"A new estimator is significantly better than every old one in {wins} cases (standard error {best.se:.1f}); "
        f"the cloned .632+ has a smaller RMSE than the .632+ in {beats.value}."
    )
    return Regenerated(rows, findings=[finding], errata=errata)
