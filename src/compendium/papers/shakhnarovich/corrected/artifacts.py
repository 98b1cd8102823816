"""Both forms of the .632+ on the same trials: as the text describes it, and as it gives the printed tables.

The text cuts the relative overfitting rate to [0, 1], as Efron & Tibshirani (1997) do; the printed numbers come out
if it is set to 0 there.  :func:`corrected_cases` takes cases, so that it serves both halves of the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claims
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.shakhnarovich.contests import Count, better_than_all
from compendium.papers.shakhnarovich.corrected.experiment import CorrectedParameters
from compendium.papers.shakhnarovich.corrected.figures import draw_corrected
from compendium.papers.shakhnarovich.methods import NEW, OLD, PLUS, REPEATED, TO_ZERO
from compendium.papers.shakhnarovich.names import LABELS, symbol_of, words_for
from compendium.papers.shakhnarovich.synthetic.artifacts import cases_of
from compendium.papers.shakhnarovich.tables import Case, first_of_each, reading_of, zero_reading
from errorest.streams import Streams

__all__ = ["corrected_cases", "corrected_synthetic"]

_PLAIN, _CLONED = PLUS
_ZERO = TO_ZERO[_CLONED]
_COMPARED = (_PLAIN, TO_ZERO[_PLAIN], _CLONED, _ZERO, "cloned-loo", "cloned-bscv-10", "cloned-bscv-5")

_QUESTIONS = {
    "cloned-632plus-beats-cloned-632plus-to-zero": (_CLONED, _ZERO),
    "bootstrap-632plus-beats-bootstrap-632plus-to-zero": (_PLAIN, TO_ZERO[_PLAIN]),
    "cloned-632plus-beats-632plus": (_CLONED, _PLAIN),
    "cloned-632plus-beats-cloned-loo": (_CLONED, "cloned-loo"),
    "cloned-loo-beats-cloned-632plus-to-zero": ("cloned-loo", _ZERO),
    "cloned-bscv-10-beats-cloned-bscv-5": ("cloned-bscv-10", "cloned-bscv-5"),
}


def corrected_cases(cases: Sequence[Case], streams: Streams, group: str) -> ArtifactResult:
    """Compare both forms of the .632+, plain and on clones, with one another and with BS(1)*."""
    rows: list[Row] = []
    table = []
    for case in cases:
        for estimator in _COMPARED:
            if estimator in case.estimates:
                m = accuracy.rms(case.errors(estimator))
                reading = zero_reading(case.reading) if estimator in TO_ZERO.values() else case.reading
                rows.append(Row.of(reading, f"{case.row}/{estimator}", "rmse", m))
                table.append(
                    {"row": case.row, "reading": reading, "estimator": estimator, "rmse": m.value}
                    | {"rmse_se": m.se, "n": m.n}
                )
    counts = {name: better_than_all(cases, own, [other], streams) for name, (own, other) in _QUESTIONS.items()}
    # in none of the cases of a small sample were ten folds made
    rows += [count.row(reading_of(cases), group, name) for name, count in counts.items() if count.of]
    checks = _checks(cases, counts, "setting" if group == "synthetic" else "", streams)
    return ArtifactResult(rows, {"corrected": pd.DataFrame(table)}, checks, [_changed(cases), _best(cases)])


def _checks(cases: Sequence[Case], counts: dict[str, Count], places: str, streams: Streams) -> list[Check]:
    headline = counts["cloned-632plus-beats-632plus"]
    lost = [c.row for c in cases if _CLONED in c.estimates and c.row not in headline.cases]
    claim = "In most cases the .632+ on clones is better than the plain one, both as their inventors define them."
    context = "not better in {lost}"
    checks = judge_claims([(claim, lambda own: own.most(), context)], headline, lost=words_for(lost, places))
    # the classes of settings 2 and 4 do not depend on the attributes
    blind = [c for c in cases if c.place in ("2", "4")]
    if blind:
        won = better_than_all(blind, _CLONED, ["cloned-loo"], streams)
        claim = (
            "In most cases without information the .632+ on clones, as its inventors define it, is better than BS(1)*."
        )
        checks += judge_claims([(claim, lambda own: own.most(), "{won}")], won, won=words_for(won.cases, places))
    return checks


def _changed(cases: Sequence[Case]) -> str:
    """Say how often the two forms differ at all, and where most."""
    shares = {
        c.row: float((abs(c.estimates[_CLONED] - c.estimates[_ZERO]) > 1e-12).mean())
        for c in cases
        if _CLONED in c.estimates
    }
    most = max(shares, key=lambda row: shares[row])
    mean = sum(shares.values()) / len(shares)
    return (
        f"The two forms of the .632+ on clones differ in {100 * mean:.0f} % of trials on average, most often in case "
        f"{most} ({100 * shares[most]:.0f} %): where the leave-one-out bootstrap error lies above the no-information "
        "rate, the form of the printed tables falls back to the .632, and its inventors' goes over to that error."
    )


def _best(cases: Sequence[Case]) -> str:
    """Count the winners with the .632+ in its inventors' form."""
    names = (*OLD, *REPEATED, *NEW)
    winners = Counter(case.best_of(names) for case in cases)
    ranked = sorted(winners.items(), key=lambda item: (-item[1], names.index(item[0])))
    told = ", ".join(f"{symbol_of(e)} {number}" for e, number in ranked)
    return f"Smallest RMSE of all, with the .632+ in its inventors' form; number of cases: {told}."


@artifact("shakhnarovich-corrected-synthetic", draw=draw_corrected, labels=LABELS)
def corrected_synthetic(p: CorrectedParameters, run: Run) -> ArtifactResult:
    """Make the comparison of :func:`corrected_cases` over the synthetic cases."""
    cases = first_of_each(cases_of(p, run))
    return corrected_cases(cases, Streams(p.seed).child("shakhnarovich-corrected"), "synthetic")
