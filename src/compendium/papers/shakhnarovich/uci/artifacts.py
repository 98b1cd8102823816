"""Section 8: three data sets (Table 3), every estimator on them (Tables 13 to 15), and who wins (Tables 4 to 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import every, exact
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, Check, ResultsByScale, Row, Run
from compendium.papers.own_code import studied_apart
from compendium.papers.shakhnarovich import wins
from compendium.papers.shakhnarovich.cases import (
    AS_PRINTED,
    STRATIFIED,
    Case,
    as_printed,
    case_of,
    first_of_each,
    reading_of,
    table_rows,
    to_zero,
    zero_reading,
)
from compendium.papers.shakhnarovich.figures import draw_best_pairs, numbers
from compendium.papers.shakhnarovich.methods import ESTIMATORS, PLUS, PROPOSED, REPEATED, classifier_named
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.uci import experiment
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR, wide
from errorest.plots import BLUE, ORANGE
from errorest.streams import Streams

_FAR = 3.0  # An estimator whose bias is larger than so many RMSE of the winner is no rival in variance


def cases_of(p: experiment.UciParameters, run: Run) -> list[Case]:
    """Return all cases; where samples are also drawn class by class, a case comes again under another reading."""
    frames: dict[str, pd.DataFrame] = {}
    for some in studied_apart(p.classifiers, lambda text: classifier_named(text.split("/", 1)[1]).reading == "own"):
        results = run(experiment.uci_study(p.model_copy(update={"classifiers": some})))
        frames |= {text: wide(results, text.split("/", 1)[1]) for text in some}
    return [
        case_of(
            frames[f"{name}/{key}"],
            classifier_named(key),
            name,
            STRATIFIED if drawing == "stratified" else "",
            set=name,
            drawing=drawing,
        )
        for name in experiment.PUBLISHED
        for key in p.keys_of(name, "uniform")
        for drawing in experiment.DRAWINGS
        if key in p.keys_of(name, drawing)
    ]


def _by_reading(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Return cases in each reading of the whole: the first, with R of the .632+ set to 0, and all rows as printed."""
    first = reading_of(cases)
    return {
        first: list(cases),
        zero_reading(first): [to_zero(case) for case in cases],
        "fitted:rows-as-printed": [as_printed(case) for case in cases],
    }


@artifact("shakhnarovich-table-3", labels=LABELS)
def table_3(p: experiment.SetsParameters, run: Run) -> ArtifactResult:
    """Table 3: what can be counted of each data set."""
    rows: list[Row] = []
    checks: list[Check] = []
    for one in experiment.sets_of(p):
        s = one.sample
        integers = sum(a.kind == "integer" for a in s.attributes)
        whole_numbers = int((np.round(s.X) == s.X).all(axis=0).sum())
        counted = {"size": s.n, "features": s.d, "classes": int(np.count_nonzero(s.class_counts()))}
        if 0 < integers < s.d:
            counted |= {"integer-features": integers, "continuous-features": s.d - integers}
        counted |= {"whole-number-features": whole_numbers, "distinct-points": len(np.unique(s.X, axis=0))}
        rows += [Row.exact("literal", one.name, column, value) for column, value in counted.items()]
        if claimed := s.d - integers:
            other = exact(s.d - whole_numbers, f"columns, of {s.d}, with other than whole numbers")
            words = {"claimed": claimed, "of": s.d, "name": symbol_of(one.name)}
            checks.append(judge_claim("shakhnarovich-table-3", "continuous", other.equals(claimed), **words))
    return ArtifactResult(rows, checks=checks)


def table(p: experiment.UciParameters, run: Run, *, name: str) -> ArtifactResult:
    """Tables 13 to 15: mean, standard deviation and RMSE of every estimator on one data set."""
    headers = _header_rows(p, name, run) if name != "breast-cancer" else []
    rows: list[Row] = []
    for case in cases_of(p, run):
        if case.place == name:
            rows += [*table_rows(case), *table_rows(to_zero(case), PLUS)]
            rows += table_rows(as_printed(case), [e for e in ESTIMATORS if e in AS_PRINTED and e not in PLUS])
    return ArtifactResult(rows + headers)


def _header_rows(p: experiment.UciParameters, name: str, run: Run) -> list[Row]:
    """Make rows of the true and the apparent error of a 3-NN and of the SVM that a table's second column must be."""
    machines = [c for c in map(classifier_named, p.keys_of(name, "uniform")) if c.row in ("svm-rbf", "svm-linear")]
    if not machines:
        return []
    compared = [classifier_named("knn(k=3)"), machines[0]]
    results = run(experiment.header_study(p, name, [c.key for c in compared]))
    cases = [case_of(wide(results, c.key), c, "header") for c in compared]
    return [Row.of(c.reading, c.row, name, c.mean(name)) for c in cases for name in (TRUE_ERROR, "resubstitution")]


for _number, _name in zip((13, 14, 15), experiment.PUBLISHED, strict=True):
    artifact(f"shakhnarovich-table-{_number}", labels=LABELS, matrix=True, name=_name)(table)


@artifact("shakhnarovich-table-4", draw=draw_best_pairs, name_rows=wins.as_named, labels=LABELS, rerun=False)
def table_4(p: experiment.UciParameters, run: Run) -> ArtifactResult:
    """Table 4: the best new estimator against the best old one, by case."""
    cases = cases_of(p, run)
    streams = Streams(p.seed).child("table-4")
    result, tests = wins.best_pairs(
        [form for case in cases for form in (case, to_zero(case), as_printed(case))], streams
    )
    first = first_of_each(cases)
    sure = wins.significantly_better(first, streams, p.level)
    least = wins.count_cases(first, lambda case, w: _varies_least(case, tests[case.row].best["new"], w), streams, "std")
    words = "; ".join(t.case.title for t in tests.values() if t.case.row in sure.rows)
    checks = [
        judge_claim("shakhnarovich-table-4", "new-beats-old", sure.in_most(), level=p.level, sure=words or "none"),
        judge_claim("shakhnarovich-table-4", "least-variance", least.in_most(), far=_FAR),
    ]
    return result + ArtifactResult(checks=checks)


def _varies_least(case: Case, winner: str, weights: np.ndarray) -> np.ndarray:
    """Whether a winner varies least of the estimators whose bias is no larger than three times its own RMSE."""
    reach = _FAR * case.rms(winner).value
    others = [e for e in ESTIMATORS if case.has(e) and e not in (winner, "resubstitution")]
    rivals = [wins.sd(case, e, weights) for e in others if abs(case.bias(e).value) <= reach]
    # rounding leaves 1e-8 of the deviation of a constant
    return np.asarray(wins.sd(case, winner, weights) <= np.min(rivals, axis=0) + 1e-7)


@artifact("shakhnarovich-table-5", labels=LABELS)
def table_5(p: experiment.UciParameters, run: Run) -> ArtifactResult:
    """Table 5: RMSE of the .632+ with and without cloning.

    The printed alpha of a case in which cloning loses is small too, so alpha is taken for the better of the two.
    """
    rows: list[Row] = []
    cases = cases_of(p, run)
    for case in (form for one in cases for form in (one, to_zero(one))):
        rows += [Row.of(case.reading, name, case.row, case.rms(name)) for name in PLUS]
        alpha = float(wins.p_values(case, *PLUS, wins.equal_weights(case))[0])
        rows.append(Row(case.reading, "alpha", case.row, min(alpha, 1 - alpha), nan, case.n))
    first, streams, checks = first_of_each(cases), Streams(p.seed).child("table-5"), []
    for form, of in (("as the text has it", first), ("R set to 0", [to_zero(case) for case in first])):
        better = wins.better_than_all(of, PLUS[1], PLUS[:1], streams)
        sure = wins.significant(of, *PLUS, p.strict_level, streams).named("").words
        lost = ", ".join(case.title for case in of if case.row not in better.rows) or "none"
        words = {"form": form, "level": p.strict_level, "sure": sure, "lost": lost}
        checks.append(judge_claim("shakhnarovich-table-5", "cloning", better.in_most(), **words))
    return ArtifactResult(rows, checks=checks)


_BARS: Mapping[str, tuple[str, str]] = {
    "worse": ("RCV worse", BLUE),
    "undecided": ("not decided", "#D5D5D5"),
    "better": ("RCV better", ORANGE),
}


def draw_table_6(p: experiment.UciParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw in how many cases repeated cross-validation is worse, undecided or better, beside the print."""
    scale, result = made.largest
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
def table_6(p: experiment.UciParameters, run: Run) -> ArtifactResult:
    """Table 6: in how many cases repeated cross-validation is worse or better than a proposed estimator."""
    streams = Streams(p.seed).child("table-6")
    readings = _by_reading(first_of_each(cases_of(p, run)))
    first = next(iter(readings))
    results = {
        (reading, repeated, new): wins.win_tie_loss(cases, repeated, new, p.level, streams)
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
    checks: list[Check] = []
    # the paper claims nothing of the third
    for new in PROPOSED[:2]:
        worse = [results[first, repeated, new]["worse"].in_most(symbol_of(repeated)) for repeated in REPEATED]
        words = {"new": symbol_of(new), "level": p.level}
        checks.append(judge_claim("shakhnarovich-table-6", "better-than-repeated", every("cases", worse), **words))
    return ArtifactResult(rows, {"counts": pd.DataFrame(table)}, checks)


@artifact("shakhnarovich-claims-uci", labels=LABELS)
def text_claims(p: experiment.UciParameters, run: Run) -> ArtifactResult:
    """Section 8's and 9's counts of cases.

    "RCV" without a number of folds is read as ten folds: the text repeats the numbers of that row of Table 6.
    """
    streams = Streams(p.seed).child("uci-claims")
    rows: list[Row] = []
    for reading, cases in _by_reading(first_of_each(cases_of(p, run))).items():
        best = wins.significantly_better(cases, streams, p.level)
        plus, five = (wins.win_tie_loss(cases, "repeated-cv-10", new, p.level, streams) for new in PROPOSED[:2])
        ten = "unstated:against-ten-folds" if reading == "literal" else f"{reading}-against-ten-folds"
        counts = [
            (reading, "cases-with-significantly-better-new", best),
            (reading, "cases-with-significantly-better-new/section-9", best),
            (ten, "cloned-632plus-beats-repeated-cv", plus["worse"]),
            (ten, "cloned-bscv-5-significantly-beats-repeated-cv", five["worse"]),
            (ten, "cloned-bscv-5-ties-repeated-cv", five["undecided"]),
            (reading, "cloned-632plus-beats-632plus", wins.better_than_all(cases, PLUS[1], PLUS[:1], streams)),
            (
                reading,
                "cloned-632plus-significantly-beats-632plus",
                wins.significant(cases, *PLUS, p.strict_level, streams),
            ),
        ]
        rows += [count.row(filed, "uci", column, wins.CLAIMS) for filed, column, count in counts]
    return ArtifactResult(rows)
