"""Section 6: five settings (Table 1), every estimator on them (Tables 8 to 12), and who wins (Table 2, in the text)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import NotRun, judge_claim
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.own_code import studied_apart
from compendium.papers.shakhnarovich import wins
from compendium.papers.shakhnarovich.cases import (
    Case,
    case_of,
    first_of_each,
    reading_of,
    table_rows,
    to_zero,
    zero_reading,
)
from compendium.papers.shakhnarovich.figures import draw_best_pairs, mark
from compendium.papers.shakhnarovich.methods import BSCV, CV, NEW, OLD, PLUS, classifier_named
from compendium.papers.shakhnarovich.names import LABELS, symbol_of, words_for
from compendium.papers.shakhnarovich.synthetic.experiment import SETTINGS, SyntheticParameters, study
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR, wide
from errorest.plots import COLOURS
from errorest.streams import Streams

_NO_INFORMATION = (2, 4)
_POPULATION_CASES = 200_000
_SAME = 0.005  # A mean error no further from 1/2 than this, a proportion, is 1/2

_CHEAP = 20


def cases_of(p: SyntheticParameters, run: Run) -> list[Case]:
    """Return every case in every reading; the first reading of a case is the headline."""
    frames: dict[str, pd.DataFrame] = {}
    for some in studied_apart(p.classifiers, lambda text: classifier_named(text).reading == "own"):
        results = run(study(p.model_copy(update={"classifiers": some})))
        frames |= {text: wide(results, text) for text in some}
    return [
        case_of(frames[c.key], c, str(setting), setting=setting)
        for setting in p.settings
        for c in map(classifier_named, p.classifiers)
    ]


def _in_setting(p: SyntheticParameters, run: Run, setting: int) -> list[Case]:
    if setting not in p.settings:
        raise NotRun(f"setting {setting}")
    return [case for case in cases_of(p, run) if case.place == str(setting)]


@artifact("shakhnarovich-table-1", labels=LABELS, matrix=True, enlarge=False)
def table_1(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Table 1: the Bayes error of each setting."""
    rows = []
    for setting in p.settings:
        population, _ = SETTINGS[setting]
        if (population.covariances[0] == population.covariances[1]).all():
            direction = population.means[1] - population.means[0]
            least = Estimate(population.linear_error(direction, 0.0) if direction.any() else 0.5, 0.0, 1)
        else:
            rng = Streams(p.seed).child("shakhnarovich-table-1").generator(setting)
            sampled = population.balanced_sample(_POPULATION_CASES, rng)
            least = monte_carlo.mean(((population.log_ratio(sampled.X) > 0) != sampled.y).astype(float))
        rows.append(Row.of("literal", str(setting), "least-error", least))
    return ArtifactResult(rows)


def table(p: SyntheticParameters, run: Run, *, setting: int) -> ArtifactResult:
    """Tables 8 to 12: mean, standard deviation and RMSE of every estimator in one setting."""
    cases = _in_setting(p, run, setting)
    rows = [row for case in cases for row in (*table_rows(case), *table_rows(to_zero(case), PLUS))]
    if setting not in _NO_INFORMATION:
        return ArtifactResult(rows)
    label = f"mean true error of {symbol_of(cases[0].classifier)}"
    error = cases[0].mean(TRUE_ERROR).named(label, "", digits=4, sign="")
    half = error.within(0.5 - _SAME, 0.5 + _SAME)
    return ArtifactResult(rows, checks=[judge_claim("shakhnarovich-table-1", "one-half", half)])


for _number, _setting in ((8, 1), (9, 2), (10, 3), (11, 4), (12, 5)):
    _cheap = SETTINGS[_setting][1] <= _CHEAP
    artifact(f"shakhnarovich-table-{_number}", labels=LABELS, matrix=True, enlarge=_cheap, setting=_setting)(table)


def draw_reused(p: SyntheticParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw leave-one-out against the true error of each trial."""
    scale, result = made.largest
    if not result.rows:
        return None
    trials = result.data["trials"]
    looks = {c: mark(COLOURS[k % 6], "os^v"[k % 4]) for k, c in enumerate(distinct(trials["classifier"]))}
    picture = Picture(3.6, x="true error (proportion)", y="CV×n (proportion)")
    picture.scatter(trials, "truth", "loo", by="classifier", looks=looks, names=symbol_of)
    return picture.done(scale=scale)


_INDEPENDENT = {
    "true-error-std": lambda case, _: case.sd(TRUE_ERROR),
    "loo-minus-true-error": lambda case, _: case.bias("loo"),
    "loo-correlation": lambda case, _: case.corr(TRUE_ERROR, "loo"),
}


@artifact("shakhnarovich-reused-samples", draw=draw_reused, labels=LABELS, enlarge=False)
def reused_samples(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Setting 5: how the true error varies over independent trials, and how leave-one-out varies with it."""
    cases = _in_setting(p, run, 5)
    rows = [row for case in cases for row in case.rows([case.classifier], _INDEPENDENT)]
    frames = [
        pd.DataFrame({"classifier": case.classifier, "truth": case[TRUE_ERROR], "loo": case["loo"]})
        for case in first_of_each(cases)
    ]
    return ArtifactResult(rows, {"trials": pd.concat(frames, ignore_index=True)})


def _streams(p: SyntheticParameters) -> Streams:
    return Streams(p.seed).child("shakhnarovich-contests")


@artifact(
    "shakhnarovich-table-2", draw=draw_best_pairs, name_rows=wins.as_named, labels=LABELS, enlarge=False, rerun=False
)
def table_2(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Table 2: for each setting and classifier the best new and the best old estimator, and the paired test."""
    cases = [reading for case in cases_of(p, run) for reading in (case, to_zero(case))]
    return wins.best_pairs(cases, _streams(p))[0]


def _by_reading(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Return the 20 cases in each reading of the whole: of the LDF, and of the .632+."""
    first = first_of_each(cases)
    results = {reading_of(first): first}
    for reading in sorted({c.reading for c in cases if c.classifier == "ldf"} - {c.reading for c in first}):
        other = {c.row: c for c in cases if c.reading == reading}
        results[reading] = [other.get(c.row, c) for c in first]
    return results | {zero_reading(reading): [to_zero(c) for c in of] for reading, of in results.items()}


BETTER = "cases-with-significantly-better-new"
PLUS_BETTER, FIVE_BEST = "cloned-632plus-beats-632plus", "cloned-bscv-5-beats-all-cv-and-bscv"


@artifact("shakhnarovich-claims-synthetic", labels=LABELS, enlarge=False)
def claims(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Section 6's counts over the synthetic cases, in the first reading of each case and in the others."""
    cases, streams = cases_of(p, run), _streams(p)
    counts = {
        reading: {
            BETTER: wins.significantly_better(of, streams, p.level),
            PLUS_BETTER: wins.better_than_all(of, PLUS[1], PLUS[:1], streams),
            FIVE_BEST: wins.better_than_all(of, "cloned-bscv-5", [*CV, *BSCV], streams),
        }
        for reading, of in _by_reading(cases).items()
    }
    rows = [
        count.row(reading, "synthetic", column, wins.CLAIMS)
        for reading, of in counts.items()
        for column, count in of.items()
    ]
    first = first_of_each(cases)
    best = {case.row: (case.best_of(NEW), case.best_of(OLD)) for case in first}
    less = wins.count_cases(
        first,
        lambda case, w: wins.sd(case, best[case.row][0], w) < wins.sd(case, best[case.row][1], w),
        streams.child("variance"),
    )
    more = wins.count_cases(
        first,
        lambda case, w: wins.absolute_bias(case, best[case.row][0], w) > wins.absolute_bias(case, best[case.row][1], w),
        streams.child("bias"),
    )
    better, plus, five = (counts[reading_of(first)][key] for key in (BETTER, PLUS_BETTER, FIVE_BEST))
    where = [words_for(count.rows) for count in (better, plus, five, less, more)]
    checks = [
        judge_claim("shakhnarovich-claims-synthetic", "new-better", better.in_most(), where=where[0]),
        judge_claim("shakhnarovich-claims-synthetic", "632plus", plus.in_most(), where=where[1]),
        judge_claim("shakhnarovich-claims-synthetic", "five-fold", five.in_most(), where=where[2]),
        judge_claim("shakhnarovich-claims-synthetic", "varies-less", less.in_most(), where=where[3]),
        judge_claim("shakhnarovich-claims-synthetic", "more-biased", more.named() > 0, where=where[4]),
    ]
    return ArtifactResult(rows, checks=checks)
