"""Table 5: RMSE of the .632+ with and without cloning, by data set and classifier."""

from __future__ import annotations

from math import nan

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.case_counts import better_than_all, significant
from compendium.papers.shakhnarovich.cases import first_of_each, to_zero
from compendium.papers.shakhnarovich.methods import PLUS
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.paired_tests import equal_weights, p_values
from compendium.papers.shakhnarovich.uci.study import UciParameters, cases_of
from errorest.streams import Streams


@artifact("shakhnarovich-table-5", labels=LABELS)
def table_5(p: UciParameters, run: Run) -> ArtifactResult:
    """Compare the .632+ with and without cloning.

    The printed alpha of a case in which cloning loses is small too, so alpha is taken for the better of the two.
    """
    rows: list[Row] = []
    cases = cases_of(p, run)
    for case in (form for one in cases for form in (one, to_zero(one))):
        rows += [Row.of(case.reading, name, case.row, case.rms(name)) for name in PLUS]
        alpha = float(p_values(case, *PLUS, equal_weights(case))[0])
        rows.append(Row(case.reading, "alpha", case.row, min(alpha, 1 - alpha), nan, case.n))
    first, streams, checks = first_of_each(cases), Streams(p.seed).child("table-5"), []
    for form, of in (("as the text has it", first), ("R set to 0", [to_zero(case) for case in first])):
        better = better_than_all(of, PLUS[1], PLUS[:1], streams)
        clearly = significant(of, *PLUS, p.strict_level, streams).words
        lost = ", ".join(case.title for case in of if case.row not in better.rows) or "none"
        words = {"form": form, "level": p.strict_level, "sure": clearly, "lost": lost}
        checks.append(judge_claim("shakhnarovich-table-5", "cloning", better.in_most(), **words))
    return ArtifactResult(rows, checks=checks)
