"""What the paper could not see: the same trials with the .632+ of its inventors, and every row under its own name.

The paper sets the relative overfitting rate to 0 where it exceeds 1; Efron & Tibshirani
(1997) cut it to 1.  The functions take cases, so that they serve both halves of the paper.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.shakhnarovich.claims import better_than_all, words_for
from errorest.papers.shakhnarovich.named import CORRECT_PLUS, NEW, OLD, REPEATED, TRUE_ERROR, symbol_of
from errorest.papers.shakhnarovich.synthetic.artifacts import SyntheticParameters, headline_cases
from errorest.papers.shakhnarovich.winners import Case, best_of
from errorest.streams import Streams

__all__ = ["COMPARED", "corrected_cases", "corrected_synthetic"]

COMPARED = (
    "bootstrap-632plus",
    "bootstrap-632plus-correct",
    "cloned-632plus",
    "cloned-632plus-correct",
    "cloned-loo",
    "cloned-bscv-10",
    "cloned-bscv-5",
)
"""Estimators whose RMSE the corrected table shows."""

_PAPER, _CORRECT = "cloned-632plus", CORRECT_PLUS["cloned-632plus"]
_PLAIN = CORRECT_PLUS["bootstrap-632plus"]


def corrected_cases(cases: Sequence[Case], streams: Streams, group: str, no_information: Sequence[str]) -> Regenerated:
    """Compare the two forms of the .632+, plain and on clones, with one another and with BS(1)*.

    Parameters
    ----------
    cases : sequence of Case
        One reading of each.
    streams : Streams
        Draws the sets of trials behind the counts' standard errors.
    group : str
        Row of the counts: ``synthetic``, ``uci`` or ``all``.
    no_information : sequence of str
        Rows of the cases whose classes do not depend on the attributes; may be empty.

    Returns
    -------
    Regenerated
        Own rows: ``rmse`` of each of :data:`COMPARED` by case (``<case>/<estimator>``), counts in
        row ``group``.  Data ``corrected`` (row, reading, estimator, rmse, rmse_se, n).
    """
    rows: list[Row] = []
    table = []
    for case in cases:
        for estimator in COMPARED:
            if estimator in case.estimates:
                m = accuracy.rms(case.estimates[estimator] - case.estimates[TRUE_ERROR])
                rows.append(Row(case.reading, f"{case.row}/{estimator}", "rmse", *m))
                table.append(
                    {"row": case.row, "reading": case.reading, "estimator": estimator, "rmse": m.value}
                    | {"rmse_se": m.se, "n": m.n}
                )
    questions = {
        "correct-cloned-632plus-beats-the-paper-s": (_CORRECT, [_PAPER]),
        "correct-632plus-beats-the-paper-s": (_PLAIN, ["bootstrap-632plus"]),
        "correct-cloned-632plus-beats-correct-632plus": (_CORRECT, [_PLAIN]),
        "correct-cloned-632plus-beats-cloned-loo": (_CORRECT, ["cloned-loo"]),
        "cloned-loo-beats-the-paper-s-cloned-632plus": ("cloned-loo", [_PAPER]),
        "cloned-bscv-10-beats-cloned-bscv-5": ("cloned-bscv-10", ["cloned-bscv-5"]),
    }
    counts = {name: better_than_all(cases, own, others, streams) for name, (own, others) in questions.items()}
    for name, c in counts.items():
        rows.append(Row("literal", group, name, float(c.value), c.se, c.n))
    headline = counts["correct-cloned-632plus-beats-correct-632plus"]
    lost = [c.row for c in cases if _CORRECT in c.estimates and c.row not in headline.cases]
    against = counts["correct-cloned-632plus-beats-cloned-loo"]
    blind = [c for c in cases if c.row in no_information]
    won = [c.row for c in blind if c.row in against.cases]
    places = "setting" if group == "synthetic" else ""
    checks = [
        Check(
            "The .632+ on clones is better than the plain one when both are as their inventors define them.",
            f"better in {headline.value} of {headline.of} cases (± {headline.se:.1f}); "
            f"not in {words_for(lost, places)}",
            "holds" if not lost else "holds in part" if headline.value else "fails",
        )
    ]
    if blind:
        checks.append(
            Check(
                "Without information the correct .632+ on clones is better than BS(1)*.",
                f"in {len(won)} of {len(blind)} cases without information: {words_for(won, places)}",
                "holds" if len(won) == len(blind) else "holds in part" if won else "fails",
            )
        )
    findings = [_changed(cases), _best(cases)]
    return Regenerated(rows, {"corrected": pd.DataFrame(table)}, checks, findings)


def _changed(cases: Sequence[Case]) -> str:
    """Say how often the two forms differ at all, and where most."""
    shares = {
        c.row: float((abs(c.estimates[_CORRECT] - c.estimates[_PAPER]) > 1e-12).mean())
        for c in cases
        if _CORRECT in c.estimates
    }
    most = max(shares, key=lambda row: shares[row])
    mean = sum(shares.values()) / len(shares)
    return (
        f"The two forms of the .632+ on clones differ in {100 * mean:.0f} % of trials on average, most often in case "
        f"{most} ({100 * shares[most]:.0f} %): there the leave-one-out bootstrap error lies above the no-information "
        "rate, where the paper's form falls back to the .632 and its inventors' goes over to that error."
    )


def _best(cases: Sequence[Case]) -> str:
    """Count the winners with the correct .632+ in place of the paper's."""
    names = [CORRECT_PLUS.get(e, e) for e in (*OLD, *REPEATED, *NEW)]
    winners: dict[str, int] = {}
    for case in cases:
        best = best_of(case.estimates, names)
        winners[best] = winners.get(best, 0) + 1
    ranked = sorted(winners.items(), key=lambda item: (-item[1], names.index(item[0])))
    told = ", ".join(f"{symbol_of(e)} {number}" for e, number in ranked)
    return f"Smallest RMSE of all, with the correct .632+ in place of the paper's; number of cases: {told}."


def corrected_synthetic(p: SyntheticParameters, run: Run) -> Regenerated:
    """Make the comparison of :func:`corrected_cases` over the synthetic cases."""
    cases = headline_cases(p, run)
    blind = [c.row for c in cases if c.row[0] in "24"]
    return corrected_cases(cases, Streams(p.seed).child("shakhnarovich-corrected"), "synthetic", blind)
