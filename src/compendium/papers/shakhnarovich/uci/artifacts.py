"""Table 3, and Tables 13 to 15: every estimator on breast cancer, vehicle and Pima.

Numbers are proportions, as printed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, equal
from compendium.evidence.monte_carlo import mean, rms
from compendium.evidence.results import ArtifactResult, Check, Erratum, Row, Run
from compendium.papers.shakhnarovich.methods import ESTIMATORS, NEW, PLUS, classifier_named
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.tables import (
    Case,
    estimates_of,
    estimator_frame,
    first_of_each,
    table_rows,
    to_zero,
)
from compendium.papers.shakhnarovich.uci.cases import MOVED, as_printed, cases_of
from compendium.papers.shakhnarovich.uci.experiment import (
    PUBLISHED,
    SetsParameters,
    UciParameters,
    UciSet,
    header_study,
    sets_of,
)

__all__ = ["table", "table_3"]


@artifact("shakhnarovich-table-3", labels=LABELS)
def table_3(p: SetsParameters, run: Run) -> ArtifactResult:
    """Table 3: what can be counted of each data set."""
    rows: list[Row] = []
    errata, checks, findings = [], [], []
    for one in sets_of(p):
        s = one.sample
        counted, whole_numbers = _counted(one)
        rows += [Row.exact("literal", one.name, column, value) for column, value in counted.items()]
        claimed = s.d - _integers(one)
        if claimed:
            checks.append(continuous(one.name, claimed, s.d, whole_numbers))
        if one.name == "vehicle":
            evidence = f"{whole_numbers} of the {s.d} columns of {one.name} hold nothing but whole numbers."
            errata.append(Erratum("Table 3", "vehicle: 18 features, all continuous", "18 integer features", evidence))
        rarest = s.class_counts()[s.class_counts() > 0].min() * one.n / s.n
        findings.append(
            f"{symbol_of(one.name)}: {counted['distinct-points']} of {s.n} cases are distinct; a sample of {one.n} has "
            f"{rarest:.1f} cases of the rarest class on average, and {s.n - one.n} cases are left to test on."
        )
    return ArtifactResult(rows, checks=checks, findings=findings, errata=errata)


def continuous(name: str, claimed: int, features: int, whole_numbers: int) -> Check:
    """Hold a number of continuous features against the columns that hold whole numbers only."""
    return Claim(
        f"{claimed} of the {features} features of {symbol_of(name)} are continuous.",
        [equal(f"columns, of {features}, with other than whole numbers", features - whole_numbers, claimed)],
        context="counted",
    ).check()


def _integers(one: UciSet) -> int:
    return sum(a.kind == "integer" for a in one.sample.attributes)


def _counted(one: UciSet) -> tuple[dict[str, int], int]:
    """Count what Table 3 counts, and the attributes that hold whole numbers only."""
    s, integers = one.sample, _integers(one)
    whole_numbers = int((np.round(s.X) == s.X).all(axis=0).sum())
    counted = {"size": s.n, "features": s.d, "classes": int(np.count_nonzero(s.class_counts()))}
    if 0 < integers < s.d:
        counted |= {"integer-features": integers, "continuous-features": s.d - integers}
    distinct_points = int(np.unique(s.X, axis=0).shape[0])
    return counted | {"whole-number-features": whole_numbers, "distinct-points": distinct_points}, whole_numbers


_NUMBERS = dict(zip(PUBLISHED, (13, 14, 15), strict=True))


def table(p: UciParameters, run: Run, *, name: str) -> ArtifactResult:
    """Tables 13 to 15: mean, standard deviation and RMSE of every estimator on one data set."""
    cases = [case for case in cases_of(p, run) if case.place == name]
    first = first_of_each(cases)
    rows: list[Row] = []
    for case in cases:
        rows += [*table_rows(case), *table_rows(to_zero(case), PLUS)]
        rows += table_rows(as_printed(case), [e for e in ESTIMATORS if e in MOVED])
    errata: list[Erratum] = []
    if name != "breast-cancer":
        more, errata = _headers(p, name, _NUMBERS[name], run)
        rows += more
    return ArtifactResult(rows, {"estimators": estimator_frame(cases)}, findings=[*map(_nearest, first)], errata=errata)


def _headers(p: UciParameters, name: str, number: int, run: Run) -> tuple[list[Row], list[Erratum]]:
    """Tell a 3-NN from the SVM that the second column of a table must be."""
    named = [classifier_named(key) for key in p.keys_of(name, "uniform")]
    machines = [c for c in named if c.row in ("svm-rbf", "svm-linear")]
    if not machines:
        return [], []
    compared = [classifier_named("knn(k=3)"), machines[0]]
    table = run(header_study(p, name, [c.key for c in compared]))
    rows, said = [], []
    for classifier in compared:
        told = []
        for estimator, values in estimates_of(table, classifier.key)[0].items():
            m = mean(values)
            rows.append(Row.of(classifier.reading, f"header/{classifier.row}", estimator, m))
            told.append(f"{m.value:.3f}")
        said.append(f"{symbol_of(classifier.row)} has a true error of {told[0]} and an apparent error of {told[1]}")
    erratum = Erratum(
        f"Table {number}, header of the second column",
        "3-NN",
        "SVM with RBF kernel, as in Tables 4, 5 and 7",
        f"On samples of {table['n'].iloc[0]} cases {'; '.join(said)}. Compare the first two rows of the printed "
        "column.",
    )
    return rows, [erratum]


def _nearest(case: Case) -> str:
    best = case.best_of(ESTIMATORS)
    errors = {e: rms(case.errors(e)).value for e in (best, *PLUS)}
    return (
        f"{case.on}: true error {mean(case.truth).value:.3f}; smallest RMSE {errors[best]:.4f}, by {symbol_of(best)} "
        f"({'new' if best in NEW else 'old'}); {symbol_of(PLUS[1])} has {errors[PLUS[1]]:.4f}, {symbol_of(PLUS[0])} "
        f"{errors[PLUS[0]]:.4f}."
    )


def _alike(name: str) -> dict[str, Any]:
    """Say what the tables of all data sets have alike."""
    return {
        "labels": LABELS,
        "matrix": True,
        "name": name,
    }


artifact("shakhnarovich-table-13", **_alike("breast-cancer"))(table)
artifact("shakhnarovich-table-14", **_alike("vehicle"))(table)
artifact("shakhnarovich-table-15", **_alike("pima"))(table)
