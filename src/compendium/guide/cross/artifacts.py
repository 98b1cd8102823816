"""Each paper's recommended estimator in every other paper's settings: error, bias, spread, coverage, cost, claims.

Artifacts of this project's own; there is nothing printed to compare them with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every
from compendium.evidence.results import ArtifactResult, Check, Row, Run, rows_of
from compendium.guide.cross.cases import (
    READING,
    Case,
    average,
    by_paper,
    cases_of,
    complete,
    count_pair,
    least_of,
    mean_ratio,
    pair_cases,
)
from compendium.guide.cross.experiment import (
    CONTENDERS,
    ESTIMATORS,
    INTERVALS,
    REFERENCE,
    CrossParameters,
    estimator_ids,
    settings_of,
)
from compendium.guide.cross.figures import draw_biases, draw_coverages, draw_errors, draw_pairs
from compendium.guide.names import FAMILIES, GROUNDS, LEARNERS, PAIRED_INTERVALS, symbol, unbroken
from compendium.methods.estimators import parse_estimator
from compendium.studies.experiment import TRUE_ERROR

# Estimators that each paper favours
FAVOURED: Mapping[str, tuple[str, ...]] = {
    "martin-hirschberg": ("bootstrap-632", "loo-star"),
    "shakhnarovich": ("cloned-632-plus", "cloned-bscv-5"),
    "kohavi": (REFERENCE,),
}

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

Cases = Sequence[Case]


def _matrix(cases: Cases, of: Callable[[Case, str], Estimate], columns: Iterable[str]) -> list[Row]:
    """Make a row a case and a column an estimator."""
    names = list(columns)
    return [row for c in cases for row in rows_of(READING, c.key, ((e, of(c, e)) for e in names if c.has(e)))]


def _long(cases: Cases, of: Mapping[str, Callable[[Case, str], float]], columns: Iterable[str]) -> pd.DataFrame:
    """Make a table of a row a case and estimator."""
    return pd.DataFrame(
        {
            "case": c.key,
            "paper": c.paper,
            "n": c.setting.n,
            "inducer": c.inducer,
            "learner": c.learner,
            "estimator": e,
            **{name: value(c, e) for name, value in of.items()},
        }
        for e in columns
        for c in cases
        if c.has(e)
    )


@artifact("guide-cross-rmse", draw=draw_errors, matrix=True)
def errors(p: CrossParameters, run: Run) -> ArtifactResult:
    """Root mean squared error of every estimator in every case."""
    cases = cases_of(p, run)
    kinds = {f.title: [c for c in cases if c.setting.family == key] for key, f in FAMILIES.items()}
    ratios = {
        (kind, e): mean_ratio([c for c in own if c.has(e)], e)
        for kind, own in {**kinds, "all": complete(cases)}.items()
        for e in CONTENDERS
    }
    long = {
        "error": lambda c, e: c.rms(e).value,
        "error se": lambda c, e: c.rms(e).se,
        # squared errors against those of stratified ten-fold cross-validation: negative where the estimator errs less
        "z": lambda c, e: c.versus(e, REFERENCE),
        "fits": Case.fits,
    }
    rows = [
        Row.of(READING, unbroken(f"ratio to stratified 10-CV/{kind}"), e, m) for (kind, e), m in ratios.items() if m.n
    ]
    return ArtifactResult(
        _matrix(cases, Case.rms, ESTIMATORS) + rows,
        {
            "cases": _long(cases, long, ESTIMATORS),
            "ratios": pd.DataFrame(
                {"kind": kind, "estimator": e, "ratio": m.value, "se": m.se, "cases": m.n}
                for (kind, e), m in ratios.items()
                if m.n
            ),
        },
        [check for paper, own in FAVOURED.items() for e in own for check in _smallest(cases, paper, e)],
    )


SMALLEST = Claims(
    "guide-cross-rmse",
    {
        "smallest": lambda cases, e: [
            every(GROUNDS[paper].title, [_lead(c, e) > 0 for c in own])
            for paper, own in by_paper(c for c in cases if c.has(e)).items()
        ]
    },
)


def _smallest(cases: Cases, paper: str, estimator: str) -> list[Check]:
    return judge_claims(SMALLEST, cases, estimator, symbol=symbol(estimator), paper=GROUNDS[paper])


def _lead(case: Case, estimator: str) -> Estimate:
    """Mean squared error of the best other estimator, unless it is the same by definition, minus this one's."""
    others = [e for e in CONTENDERS if e != estimator and not case.same(e, estimator)]
    return case.excess(least_of(case, others), estimator)


@artifact("guide-cross-bias", draw=draw_biases, matrix=True)
def biases(p: CrossParameters, run: Run) -> ArtifactResult:
    """Bias of every estimator in every case."""
    cases = cases_of(p, run)
    table = _long(cases, {"bias": lambda c, e: c.bias(e).value, "se": lambda c, e: c.bias(e).se}, ESTIMATORS)
    return ArtifactResult(_matrix(cases, Case.bias, ESTIMATORS), {"biases": table})


@artifact("guide-cross-spread", matrix=True)
def spreads(p: CrossParameters, run: Run) -> ArtifactResult:
    """Standard deviation of every estimator in every case, beside that of the true error itself."""
    return ArtifactResult(_matrix(cases_of(p, run), Case.sd, (TRUE_ERROR, *ESTIMATORS)))


COVERAGE = Claims(
    "guide-cross-coverage",
    {
        "nominal": lambda cases, interval: [
            average([c.coverage(interval) for c in cases if c.learner == k])
            .named(LEARNERS[k].plural, "%", 1, "")
            # a mean coverage may miss the nominal one by two points
            .within(93.0, 97.0)
            for k in dict.fromkeys(c.learner for c in cases)
        ]
    },
)


@artifact("guide-cross-coverage", draw=draw_coverages, matrix=True)
def coverages(p: CrossParameters, run: Run) -> ArtifactResult:
    """How often intervals that ask for 95 % contain the true error of the classifier at hand."""
    cases = cases_of(p, run)
    rows, lines = [], []
    for c in cases:
        for name in INTERVALS:
            covered, width = c.coverage(name), c.width(name)
            rows += rows_of(READING, c.key, [(f"{name}/coverage-percent", covered), (f"{name}/width-percent", width)])
            kind = "memorizers" if c.learner == "memorizer" else "other learners"
            lines.append((c.key, kind, c.setting.n, name, covered.value, covered.se, width.value))
    columns = ["case", "kind", "n", "interval", "coverage", "se", "width"]
    checks = [
        check for name in INTERVALS for check in judge_claims(COVERAGE, cases, name, title=PAIRED_INTERVALS[name].title)
    ]
    return ArtifactResult(rows, {"coverages": pd.DataFrame(lines, columns=columns)}, checks)


@artifact("guide-cross-cost", matrix=True)
def costs(p: CrossParameters, run: Run) -> ArtifactResult:
    """Exact number of classifiers that each estimator makes of one sample; what was left out is on the page."""
    settings = settings_of(p)
    usual = {s.n: s for s in settings if not (s.without or s.effort.clones < p.clones)}
    # of settings of one size the last counts, in the place of the first
    effort = next(iter(usual.values()), settings[0]).effort
    rows = [
        Row.exact(READING, f"{what}/N={n}", name, float(parse_estimator(text).fits(n)))
        for what, full in (("this design", False), ("with 100 clones each", True))
        for n in sorted({s.n for s in settings})
        for name, text in estimator_ids(
            n, effort._replace(clones=100, left_out_clones=100 * n) if full else effort
        ).items()
    ]
    left_out = [(s.family, s.at, s.n, *s.effort, ", ".join(s.without)) for s in settings]
    columns = ["family", "at", "n", *settings[0].effort._fields, "left out"]
    return ArtifactResult(rows, {"settings": pd.DataFrame(left_out, columns=columns)})


def _mean_bias(cases: Cases, estimator: str, label: str = "") -> Estimate:
    return average([c.bias(estimator) for c in cases]).named(label, "points")


def _errs_less(cases: Cases, better: str, than: str) -> list[Condition]:
    """Ask for a geometric mean of the ratio of root mean squared errors below 1 in the settings of every paper."""
    pairs = by_paper(pair_cases(cases, better, than))
    return [mean_ratio(own, better, than).named(GROUNDS[paper].title) < 1 for paper, own in pairs.items()]


def _unbiased(cases: Cases, estimator: str) -> list[Conditions]:
    return [
        every(GROUNDS[paper].title, [abs(c.bias(estimator)) <= 1 for c in own])
        for paper, own in by_paper(cases).items()
    ]


def _sd_ratio(cases: Cases, estimator: str, other: str) -> list[Condition]:
    return [
        (mean_ratio(own, estimator, other, Case.log_sd_ratio) * 100).named(GROUNDS[paper].title, "%", 1).within(70, 90)
        for paper, own in by_paper(cases).items()
    ]


def _where(cases: Cases, wanted: Callable[[Case], bool]) -> Cases:
    results = [c for c in cases if wanted(c)]
    if not results:
        raise NotRun("no such case")
    return results


def _bias_by_overfitting(cases: Cases) -> Condition:
    a = _mean_bias(_where(cases, lambda c: c.learner == "memorizer"), "bootstrap-632")
    b = _mean_bias(_where(cases, lambda c: c.learner != "memorizer"), "bootstrap-632")
    return (a - b).named("memorizers minus others") < 0


def _synthetic_against_real(cases: Cases) -> list[Condition]:
    a = mean_ratio(_where(cases, lambda c: c.setting.family == "synthetic"), "cloned-bscv-5")
    b = mean_ratio(_where(cases, lambda c: c.setting.family in ("uci", "data")), "cloned-bscv-5")
    return [a.named("synthetic data") < 1, b.named("real data") > 1]


CLAIMS = Claims(
    "guide-cross-contradictions",
    {
        **{"/".join(pair): lambda cases, pair=pair: _errs_less(cases, *pair) for pair in PAIRS},
        "ten-folds-unbiased": lambda cases: _unbiased(cases, "cv-10"),
        "spread-of-632": lambda cases: _sd_ratio(cases, "bootstrap-632", "cv-10"),
        "bias-of-632": _bias_by_overfitting,
        "clones-by-data": _synthetic_against_real,
    },
)


@artifact("guide-cross-contradictions", draw=draw_pairs, matrix=True)
def contradictions(p: CrossParameters, run: Run) -> ArtifactResult:
    """Test what the papers say of one another's estimators, in the settings of each paper."""
    cases = cases_of(p, run)
    rows, lines = [], []
    for better, than in PAIRS:
        key = unbroken(f"{symbol(better)} against {symbol(than)}")
        for paper, own in by_paper(pair_cases(cases, better, than)).items():
            result = count_pair(own, better, than)
            lines.append({"pair": key, "better_one": better, "than": than, "paper": paper, **result._asdict()})
            rows += [
                Row(READING, key, f"{GROUNDS[paper].title}, {what}", float(count), 0.0, result.cases)
                for what, count in result._asdict().items()
            ]
    return ArtifactResult(rows, {"pairs": pd.DataFrame(lines), "reasons": _reasons(cases)}, judge_claims(CLAIMS, cases))


def _reasons(cases: Cases) -> pd.DataFrame:
    """Split the mean squared error of each case into squared bias and variance of the error, in squared points."""
    of = {
        "true error": lambda c, e: float(c[TRUE_ERROR].mean()),
        "squared bias": lambda c, e: float(c.difference(e).mean() ** 2),
        "variance": lambda c, e: float(c.difference(e).var()),
        "correlation with truth": lambda c, e: c.corr(e).value,
    }
    return _long(cases, of, (REFERENCE, "bootstrap-632", "bootstrap-632-plus", "cloned-bscv-5"))
