"""Tables 8 to 12: mean, standard deviation and RMSE of every estimator in one setting."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.shakhnarovich.cases import table_rows, to_zero
from compendium.papers.shakhnarovich.methods import PLUS
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_in
from compendium.studies.experiment import TRUE_ERROR

_NO_INFORMATION = (2, 4)
_SAME = 0.005  # A mean error no further from 1/2 than this, a proportion, is 1/2


# setting 5 costs too much for an enlarged scale
@artifact("shakhnarovich-table-8", labels=LABELS, matrix=True, setting=1)
@artifact("shakhnarovich-table-9", labels=LABELS, matrix=True, setting=2)
@artifact("shakhnarovich-table-10", labels=LABELS, matrix=True, setting=3)
@artifact("shakhnarovich-table-11", labels=LABELS, matrix=True, setting=4)
@artifact("shakhnarovich-table-12", labels=LABELS, matrix=True, setting=5, enlarge=False)
def table(p: SyntheticParameters, run: Run, *, setting: int) -> ArtifactResult:
    """Tables 8 to 12: mean, standard deviation and RMSE of every estimator in one setting."""
    cases = cases_in(p, run, setting)
    rows = [row for case in cases for row in (*table_rows(case), *table_rows(to_zero(case), PLUS))]
    if setting not in _NO_INFORMATION:
        return ArtifactResult(rows)
    label = f"mean true error of {symbol_of(cases[0].classifier)}"
    error = cases[0].mean(TRUE_ERROR).named(label, "", digits=4, sign="")
    half = error.within(0.5 - _SAME, 0.5 + _SAME)
    return ArtifactResult(rows, checks=[judge_claim("shakhnarovich-table-1", "one-half", half)])
