"""Tables 13 to 15: mean, standard deviation and RMSE of every estimator on one data set."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.cases import AS_PRINTED, as_printed, case_of, table_rows, to_zero
from compendium.papers.shakhnarovich.methods import ESTIMATORS, PLUS, classifier_named
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.uci.study import UciParameters, cases_of, header_study
from compendium.studies.experiment import TRUE_ERROR, wide


@artifact("shakhnarovich-table-13", labels=LABELS, matrix=True, name="breast-cancer")
@artifact("shakhnarovich-table-14", labels=LABELS, matrix=True, name="vehicle")
@artifact("shakhnarovich-table-15", labels=LABELS, matrix=True, name="pima")
def table(p: UciParameters, run: Run, *, name: str) -> ArtifactResult:
    """Tables 13 to 15: mean, standard deviation and RMSE of every estimator on one data set."""
    headers: list[Row] = []
    machines = [c for c in map(classifier_named, p.keys_of(name, "uniform")) if c.row in ("svm-rbf", "svm-linear")]
    if machines and name != "breast-cancer":
        # the true and the apparent error of a 3-NN and of the SVM that the table's second column must be
        compared = [classifier_named("knn(k=3)"), machines[0]]
        results = run(header_study(p, name, [c.key for c in compared]))
        for case in (case_of(wide(results, c.key), c, "header") for c in compared):
            headers += [Row.of(case.reading, case.row, q, case.mean(q)) for q in (TRUE_ERROR, "resubstitution")]
    rows: list[Row] = []
    for case in cases_of(p, run):
        if case.place == name:
            rows += [*table_rows(case), *table_rows(to_zero(case), PLUS)]
            rows += table_rows(as_printed(case), [e for e in ESTIMATORS if e in AS_PRINTED and e not in PLUS])
    return ArtifactResult(rows + headers)
