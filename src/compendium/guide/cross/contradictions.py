"""The papers' claims about one another's estimators, tested in the settings of each."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, every
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.cross.cases import (
    READING,
    Case,
    Cases,
    average,
    by_paper,
    cases_of,
    count_pair,
    long_table,
    mean_ratio,
    pair_cases,
)
from compendium.guide.cross.settings import REFERENCE, CrossParameters
from compendium.guide.names import ESTIMATORS, PAPERS, symbol, unbroken
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR
from errorest import plots
from errorest.plots import BLUE, ORANGE

# Pairs of which a paper claims that the first estimator errs less than the second
PAIRS = (
    (REFERENCE, "cv-10"),
    (REFERENCE, "bootstrap-632"),
    ("repeated-stratified-cv-10", REFERENCE),
    ("bootstrap-632", "cv-10"),
    ("loo-star", "loo"),
    ("cloned-632-plus", "bootstrap-632-plus"),
    ("cloned-632-plus-correct", "bootstrap-632-plus"),
    ("cloned-bscv-5", REFERENCE),
    ("bootstrap-632-plus", "repeated-stratified-cv-10"),
    ("bootstrap-632-plus", "bootstrap-632"),
)


def errs_less(cases: Cases, better: str, than: str) -> list[Condition]:
    """Ask for a geometric mean of the ratio of root mean squared errors below 1 in the settings of every paper."""
    pairs = by_paper(pair_cases(cases, better, than))
    return [mean_ratio(own, better, than).named(PAPERS[paper].title) < 1 for paper, own in pairs.items()]


CLAIMS = Claims(
    "guide-cross-contradictions",
    {f"{better}/{than}": partial(errs_less, better=better, than=than) for better, than in PAIRS},
)


@CLAIMS.claim
def ten_folds_unbiased(cases: Cases) -> list[Conditions]:
    by = by_paper(cases)
    return [every(PAPERS[paper].title, [abs(c.bias("cv-10")) <= 1 for c in own]) for paper, own in by.items()]


@CLAIMS.claim
def spread_of_632(cases: Cases) -> list[Condition]:
    by = by_paper(cases)
    ratios = {k: mean_ratio(own, "bootstrap-632", "cv-10", Case.log_sd_ratio) * 100 for k, own in by.items()}
    return [ratio.named(PAPERS[paper].title, "%", 1).within(70, 90) for paper, ratio in ratios.items()]


@CLAIMS.claim
def bias_of_632(cases: Cases) -> Condition:
    memorizers = [c.bias("bootstrap-632") for c in cases if c.learner == "memorizer"]
    others = [c.bias("bootstrap-632") for c in cases if c.learner != "memorizer"]
    if not memorizers or not others:
        raise NotRun("one kind of learner only")
    return (average(memorizers) - average(others)).named("memorizers minus others", "points") < 0


@CLAIMS.claim
def clones_by_data(cases: Cases) -> list[Condition]:
    synthetic = [c for c in cases if c.setting.family == "synthetic"]
    real = [c for c in cases if c.setting.family in ("uci", "data")]
    if not synthetic or not real:
        raise NotRun("one kind of data only")
    a, b = (mean_ratio(own, "cloned-bscv-5") for own in (synthetic, real))
    return [a.named("synthetic data") < 1, b.named("real data") > 1]


@plots.in_style
def draw_pairs(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["pairs"]
    table = table.assign(neither=table["cases"] - table["better"] - table["worse"])
    shares = table.melt(["pair", "paper", "cases"], ["better", "neither", "worse"], "outcome", "count")
    shares["share"] = 100 * shares["count"] / shares["cases"]
    pairs = {r.pair: f"{ESTIMATORS[r.better_one].short}\nagainst {ESTIMATORS[r.than].short}" for r in each(table)}
    papers = {paper: one.short for paper, one in PAPERS.items() if paper in set(table["paper"])}
    picture = Picture(
        1.2 + 0.42 * len(pairs), papers, "paper", columns=3, x="cases (%)", y_levels=pairs, sharex=True, sharey=True
    )
    looks = {"better": BLUE, "neither": "#EDEDED", "worse": ORANGE}
    words = {
        "better": "first clearly errs less",
        "neither": "no clear difference",
        "worse": "first clearly errs more",
    }
    picture.bars(shares, "pair", "share", by="outcome", looks=looks, names=words, stacked=True)
    picture.limits(xlim=(0, 100))
    return picture.done()


@artifact("guide-cross-contradictions", draw=draw_pairs, matrix=True)
def contradictions(p: CrossParameters, run: Run) -> ArtifactResult:
    cases = cases_of(p, run)
    rows, lines = [], []
    for better, than in PAIRS:
        key = unbroken(f"{symbol(better)} against {symbol(than)}")
        for paper, own in by_paper(pair_cases(cases, better, than)).items():
            result = count_pair(own, better, than)
            lines.append({"pair": key, "better_one": better, "than": than, "paper": paper, **result._asdict()})
            rows += [
                Row(READING, key, f"{PAPERS[paper].title}, {what}", float(count), 0.0, result.cases)
                for what, count in result._asdict().items()
            ]
    explained = (REFERENCE, "bootstrap-632", "bootstrap-632-plus", "cloned-bscv-5")
    data = {"pairs": pd.DataFrame(lines), "reasons": long_table(cases, parts_of_error, explained)}
    return ArtifactResult(rows, data, judge_claims(CLAIMS, cases))


def parts_of_error(case: Case, estimator: str) -> dict[str, float]:
    """Split the mean squared error of a case into squared bias and variance of the error, in squared points."""
    errors = case.difference(estimator)
    return {
        "true error": float(case[TRUE_ERROR].mean()),
        "squared bias": float(errors.mean() ** 2),
        "variance": float(errors.var()),
        "correlation with truth": case.corr(estimator).value,
    }
