"""Section 8's and 9's counts of the cases in which one estimator is better than another."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.best_pairs import significantly_better
from compendium.papers.shakhnarovich.case_counts import CLAIMS, better_than_all, significant, win_tie_loss
from compendium.papers.shakhnarovich.cases import first_of_each
from compendium.papers.shakhnarovich.methods import PLUS, PROPOSED
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.uci.study import UciParameters, by_reading, cases_of
from errorest.streams import Streams


@artifact("shakhnarovich-claims-uci", labels=LABELS)
def text_claims(p: UciParameters, run: Run) -> ArtifactResult:
    """Count over the cases of real data.

    "RCV" without a number of folds is read as ten folds: the text repeats the numbers of that row of Table 6.
    """
    streams = Streams(p.seed).child("uci-claims")
    rows: list[Row] = []
    for reading, cases in by_reading(first_of_each(cases_of(p, run))).items():
        best = significantly_better(cases, streams, p.level)
        plus, five = (win_tie_loss(cases, "repeated-cv-10", new, p.level, streams) for new in PROPOSED[:2])
        ten = "unstated:against-ten-folds" if reading == "literal" else f"{reading}-against-ten-folds"
        counts = [
            (reading, "cases-with-significantly-better-new", best),
            (reading, "cases-with-significantly-better-new/section-9", best),
            (ten, "cloned-632plus-beats-repeated-cv", plus["worse"]),
            (ten, "cloned-bscv-5-significantly-beats-repeated-cv", five["worse"]),
            (ten, "cloned-bscv-5-ties-repeated-cv", five["undecided"]),
            (reading, "cloned-632plus-beats-632plus", better_than_all(cases, PLUS[1], PLUS[:1], streams)),
            (
                reading,
                "cloned-632plus-significantly-beats-632plus",
                significant(cases, *PLUS, p.strict_level, streams),
            ),
        ]
        rows += [count.row(filed, "uci", column, CLAIMS) for filed, column, count in counts]
    return ArtifactResult(rows)
