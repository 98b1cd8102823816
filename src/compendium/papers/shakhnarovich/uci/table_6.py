"""Table 6: in how many cases repeated cross-validation is worse or better than a proposed estimator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import every
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.papers.shakhnarovich.case_counts import win_tie_loss
from compendium.papers.shakhnarovich.cases import first_of_each
from compendium.papers.shakhnarovich.figures import numbers
from compendium.papers.shakhnarovich.methods import PROPOSED, REPEATED
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.uci.study import UciParameters, by_reading, cases_of
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, ORANGE
from errorest.streams import Streams

_BARS: Mapping[str, tuple[str, str]] = {
    "worse": ("RCV worse", BLUE),
    "undecided": ("not decided", "#D5D5D5"),
    "better": ("RCV better", ORANGE),
}


def draw_table_6(p: UciParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw in how many cases repeated cross-validation is worse, undecided or better, beside the print."""
    scale, result = made.shown
    printed = numbers(published)
    counts = result.data["counts"].melt(["repeated", "new"], list(_BARS), "outcome", "cases")
    whose = ["ours", "printed"] if printed else ["ours"]
    levels = {
        f"{repeated} {who}": symbol_of(repeated) if who == "ours" else "" for repeated in REPEATED for who in whose
    }
    titles, total = (
        {new: symbol_of(new) for new in PROPOSED},
        int(counts["cases"].sum() / len(REPEATED) / len(PROPOSED)),
    )
    picture = Picture(
        *(3.0, titles, "new"),
        columns=len(PROPOSED),
        letters=True,
        x="cases",
        y_levels=levels,
        sharex=True,
        sharey=True,
    )
    for who, strength in zip(whose, (1.0, 0.55), strict=False):
        cases = (
            counts["cases"] if who == "ours" else [printed[r.repeated, f"{r.new}/{r.outcome}"] for r in each(counts)]
        )
        looks = {outcome: {"color": colour, "alpha": strength} for outcome, (_, colour) in _BARS.items()}
        own = counts.assign(place=counts["repeated"] + f" {who}", cases=cases)
        names = (lambda outcome: _BARS[outcome][0]) if who == "ours" else (lambda _: "")
        picture.bars(own, "place", "cases", by="outcome", looks=looks, names=names, stacked=True)
    picture.limits(xticks=range(0, total + 1, 2))
    return replace(picture.done(cases=total, scale=scale), printed=bool(printed))


@artifact("shakhnarovich-table-6", draw=draw_table_6, labels=LABELS)
def table_6(p: UciParameters, run: Run) -> ArtifactResult:
    """Count wins, ties and losses of repeated cross-validation against each proposed estimator."""
    streams = Streams(p.seed).child("table-6")
    readings = by_reading(first_of_each(cases_of(p, run)))
    first = next(iter(readings))
    results = {
        (reading, repeated, new): win_tie_loss(cases, repeated, new, p.level, streams)
        for reading, cases in readings.items()
        for repeated in REPEATED
        for new in PROPOSED
    }
    rows = [
        count.row(reading, repeated, f"{new}/{name}")
        for (reading, repeated, new), counts in results.items()
        for name, count in counts.items()
    ]
    table = [
        {"repeated": repeated, "new": new, **{name: sum(count.holds) for name, count in counts.items()}}
        for (reading, repeated, new), counts in results.items()
        if reading == first
    ]
    checks = []
    # the paper claims nothing of the third
    for new in PROPOSED[:2]:
        worse = [results[first, repeated, new]["worse"].in_most(symbol_of(repeated)) for repeated in REPEATED]
        words = {"new": symbol_of(new), "level": p.level}
        checks.append(judge_claim("shakhnarovich-table-6", "better-than-repeated", every("cases", worse), **words))
    return ArtifactResult(rows, {"counts": pd.DataFrame(table)}, checks)
