"""Table 2: for each setting and classifier the best new and the best old estimator, and the paired test."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.shakhnarovich.best_pairs import as_named, best_pairs, draw_best_pairs
from compendium.papers.shakhnarovich.cases import to_zero
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_of
from errorest.streams import Streams


def streams_of(p: SyntheticParameters) -> Streams:
    """Return the streams of the bootstrap of trials, shared by Table 2 and the counts."""
    return Streams(p.seed).child("shakhnarovich-contests")


@artifact("shakhnarovich-table-2", draw=draw_best_pairs, name_rows=as_named, labels=LABELS, enlarge=False, rerun=False)
def table_2(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Compare the best new with the best old estimator of every case and reading."""
    cases = [reading for case in cases_of(p, run) for reading in (case, to_zero(case))]
    return best_pairs(cases, streams_of(p))[0]
