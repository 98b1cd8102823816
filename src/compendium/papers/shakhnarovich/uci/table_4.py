"""Table 4: the best new estimator against the best old one, by data set and classifier."""

from __future__ import annotations

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.shakhnarovich.best_pairs import as_named, best_pairs, draw_best_pairs, significantly_better
from compendium.papers.shakhnarovich.case_counts import count_cases
from compendium.papers.shakhnarovich.cases import Case, as_printed, first_of_each, to_zero
from compendium.papers.shakhnarovich.methods import ESTIMATORS
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.paired_tests import sd
from compendium.papers.shakhnarovich.uci.study import UciParameters, cases_of
from errorest.streams import Streams

_FAR = 3.0  # An estimator whose bias is larger than so many RMSE of the winner is no rival in variance


@artifact("shakhnarovich-table-4", draw=draw_best_pairs, name_rows=as_named, labels=LABELS, rerun=False)
def table_4(p: UciParameters, run: Run) -> ArtifactResult:
    """Compare the best new with the best old estimator of every case and reading."""
    cases = cases_of(p, run)
    streams = Streams(p.seed).child("table-4")
    result, tests = best_pairs([form for case in cases for form in (case, to_zero(case), as_printed(case))], streams)

    def varies_least(case: Case, weights: np.ndarray) -> np.ndarray:
        """Whether the winner varies least of the estimators whose bias is within three times its RMSE."""
        winner = tests[case.row].best["new"]
        reach = _FAR * case.rms(winner).value
        others = [e for e in ESTIMATORS if case.has(e) and e not in (winner, "resubstitution")]
        rivals = [sd(case, e, weights) for e in others if abs(case.bias(e).value) <= reach]
        # rounding leaves 1e-8 of the deviation of a constant
        return np.asarray(sd(case, winner, weights) <= np.min(rivals, axis=0) + 1e-7)

    first = first_of_each(cases)
    better = significantly_better(first, streams, p.level)
    least = count_cases(first, varies_least, streams, "std")
    won = "; ".join(case.title for case in first if case.row in better.rows) or "none"
    checks = [
        judge_claim("shakhnarovich-table-4", "new-beats-old", better.in_most(), level=p.level, sure=won),
        judge_claim("shakhnarovich-table-4", "least-variance", least.in_most(), far=_FAR),
    ]
    return ArtifactResult(result.rows, result.data, checks)
