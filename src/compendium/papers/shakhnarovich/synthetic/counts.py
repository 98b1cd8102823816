"""Section 6's counts of the cases in which one estimator is better than another."""

from __future__ import annotations

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.shakhnarovich.best_pairs import significantly_better
from compendium.papers.shakhnarovich.case_counts import CLAIMS, better_than_all, count_cases
from compendium.papers.shakhnarovich.cases import Case, first_of_each, reading_of, to_zero, zero_reading
from compendium.papers.shakhnarovich.methods import BSCV, CV, NEW, OLD, PLUS
from compendium.papers.shakhnarovich.names import LABELS, words_for
from compendium.papers.shakhnarovich.paired_tests import absolute_bias, sd
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_of
from compendium.papers.shakhnarovich.synthetic.table_2 import streams_of

# By claim the column of its count
COLUMNS = {
    "new-better": "cases-with-significantly-better-new",
    "632plus": "cloned-632plus-beats-632plus",
    "five-fold": "cloned-bscv-5-beats-all-cv-and-bscv",
}


@artifact("shakhnarovich-claims-synthetic", labels=LABELS, enlarge=False)
def claims(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Count over the synthetic cases, in the first reading of each case and in the others."""
    cases, streams = cases_of(p, run), streams_of(p)
    # the 20 cases in each reading of all: of the LDF, and of the .632+
    first = first_of_each(cases)
    by_reading = {reading_of(first): first}
    for reading in sorted({c.reading for c in cases if c.classifier == "ldf"} - {c.reading for c in first}):
        other = {c.row: c for c in cases if c.reading == reading}
        by_reading[reading] = [other.get(c.row, c) for c in first]
    by_reading |= {zero_reading(reading): [to_zero(c) for c in of] for reading, of in by_reading.items()}
    counts = {
        reading: {
            "new-better": significantly_better(of, streams, p.level),
            "632plus": better_than_all(of, PLUS[1], PLUS[:1], streams),
            "five-fold": better_than_all(of, "cloned-bscv-5", [*CV, *BSCV], streams),
        }
        for reading, of in by_reading.items()
    }
    rows = [
        count.row(reading, "synthetic", COLUMNS[name], CLAIMS)
        for reading, of in counts.items()
        for name, count in of.items()
    ]
    best = {case.row: (case.best_of(NEW), case.best_of(OLD)) for case in first}

    def varies_less(case: Case, weights: np.ndarray) -> np.ndarray:
        new, old = (sd(case, e, weights) for e in best[case.row])
        return np.asarray(new < old)

    def more_biased(case: Case, weights: np.ndarray) -> np.ndarray:
        new, old = (absolute_bias(case, e, weights) for e in best[case.row])
        return np.asarray(new > old)

    less = count_cases(first, varies_less, streams.child("variance"))
    more = count_cases(first, more_biased, streams.child("bias"))
    in_most = {**counts[reading_of(first)], "varies-less": less}
    conditions = {name: (count, count.in_most()) for name, count in in_most.items()}
    conditions["more-biased"] = more, more.estimate > 0
    checks = [
        judge_claim("shakhnarovich-claims-synthetic", name, condition, where=words_for(count.rows))
        for name, (count, condition) in conditions.items()
    ]
    return ArtifactResult(rows, checks=checks)
