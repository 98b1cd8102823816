"""How often an interval held the truth in this project's own simulations, as numbers and as a sentence.

The coverage study (``guide/03-coverage``) draws samples of populations in which every classifier's error is
known.  What it counted is shipped with the library, a line for each interval, population, inducer and
sample size; :func:`measured_coverage` looks up what speaks of a person's own interval: lines of about as many cases,
and of errors about as large, since limits that cover where many cases are misclassified need not where few are.  Where
these are of fewer than :data:`FEWEST` populations, a model of all lines tells what to expect.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from errorest.estimation.intervals.coverage_model import EFFORT, CoverageModel, family_of, model_near
from errorest.estimation.intervals.method import IntervalMethod
from errorest.estimation.intervals.registry import parse_interval
from errorest.learners.base import Inducer
from errorest.spec import settings_of

TABLE = Path(__file__).with_name("coverage.csv")
"""What is shipped; a complete published build writes it."""

SCORE_TABLE = Path(__file__).with_name("score_coverage.csv")
"""The same for the default intervals of scores, of ``guide/04-scores``, which are named by the score; n counts the
cases of the smallest class where it ranks."""

CONFIDENCE = 0.95
"""The confidence at which the intervals were made."""

FEWEST = 8
"""Populations behind a sentence that counts samples; of fewer the model speaks, or of a score the mean of all kinds."""

KINDS = {
    "1-nn": "a nearest neighbour",
    "ldf": "a linear discriminant",
    "naive-bayes": "Naive Bayes",
    "c4.5": "a decision tree (C4.5)",
    "majority": "the majority class",
    "svm": "a support vector machine",
    "logistic": "logistic regression",
    "forest": "a random forest (of ten trees)",
    "boosting": "gradient boosting (of twenty trees)",
}
"""Inducers of the study, as a sentence names their kind."""

_SIZE = {"n_estimators", "n_jobs", "random_state", "verbose"}

# Ids of the study's inducers, with their settings
_NAMES = {
    "knn(k=1)": "1-nn",
    "linear-discriminant": "ldf",
    "naive-bayes": "naive-bayes",
    "naive-bayes(var_smoothing=1e-09)": "naive-bayes",
    "c4.5(release=8)": "c4.5",
    "majority": "majority",
}

# Classifiers of scikit-learn that make the same rules if this holds of the settings that are no defaults, and of all
_THEIRS: dict[str, tuple[str, Callable[[set[str], dict[str, Any]], bool]]] = {
    "GaussianNB": ("naive-bayes", lambda changed, _: not changed),
    "KNeighborsClassifier": ("1-nn", lambda changed, s: s["n_neighbors"] == 1 and changed <= {"n_neighbors", "n_jobs"}),
    "LinearDiscriminantAnalysis": ("ldf", lambda changed, s: changed == {"priors"} and len(set(s["priors"])) == 1),
    "DummyClassifier": ("majority", lambda _, s: s["strategy"] in ("prior", "most_frequent")),
    "LogisticRegression": ("logistic", lambda changed, _: changed <= {"max_iter", "tol", "n_jobs", "random_state"}),
    "RandomForestClassifier": ("forest", lambda changed, _: changed <= _SIZE),
    "GradientBoostingClassifier": ("boosting", lambda changed, _: changed <= _SIZE),
}

# Ends of the ranges of the error rate within which one coverage speaks for another.  How far a standard error that is
# taken from the errors seen may be off depends on their number k, by 1 / (2 root k) of itself: with as many cases, on
# the error by factors.  Above a tenth coverage varies with it less than from population to population.
_SIZES_OF_ERROR = (0.01, 0.025, 0.05, 0.1)

_TRUTHS = {
    "classifier": "the {} of the classifier trained on the sample",
    "procedure": "the procedure's mean {}",
}

# How sizes are written: of samples, and of one sample
_OF_SAMPLES = ("samples of {} cases", "{} cases")
_OF_GROUPS = ("samples of {} groups", "{} groups")
_OF_SMALLER = ("{} cases of the smaller class",) * 2
_OF_SMALLEST = ("{} cases of the smallest class",) * 2

# The score, how the id of the interval begins that was measured of it, and the words of sizes
_SCORES = {
    "auc": ("AUC", "cv-hanley-mcneil", _OF_SMALLER),
    "macro-auc": ("macro AUC", "cv-hanley-mcneil", _OF_SMALLEST),
    "average-precision": ("average precision", "cv-boyd", _OF_SMALLER),
    "auc-difference": ("difference of the AUCs", "corrected-t on cv(", _OF_SMALLER),
    "error-difference": ("difference of the errors", "corrected-t on cv(", _OF_SAMPLES),
    "brier": ("Brier score", "cv-corrected-t(k=5, stratified=True)", _OF_SAMPLES),
    "log-loss": ("log loss", "cv-corrected-t(k=5, stratified=True)", _OF_SAMPLES),
}


class Counted(NamedTuple):
    """One line: in how many of its samples an interval held the error of this classifier, and of the procedure."""

    interval: str
    population: str
    inducer: str
    n: int
    classifier: int
    procedure: int
    samples: int
    error: float = float("nan")  # mean true error, a proportion; of errors alone
    unit: str = "cases"  # what n counts: cases, or groups of them

    def share(self, target: str) -> float:
        """Return the share of samples in which it held a target, a proportion."""
        return int(getattr(self, target)) / self.samples


@dataclass(frozen=True)
class MeasuredCoverage:
    """How often an interval held the truth at sample sizes around a person's own."""

    inside: bool  # whether it was measured at such sizes
    sentence: str  # all that follows, in words
    coverage: float  # mean over the lines, or what the model predicts, a proportion; NaN where nothing was measured
    worst: float  # the least of the lines; NaN of a prediction
    sizes: tuple[int, ...]  # sample sizes that were looked at; of a prediction the smallest and the largest
    target: str
    kind: str | None  # of classifier that was looked at; None for all
    lines: int  # populations, inducers and sizes behind the mean; 0 of a prediction
    populations: int = 0  # different ones behind the number
    error: float = float("nan")  # standard error of the mean, or of the prediction, a proportion

    @property
    def promised(self) -> float:
        """The coverage that the sentence tells, a proportion: of a prediction no more than the nominal level.

        What is predicted above it is a trend of small samples; where nothing could be learned, limits of 1,000 cases
        held in .93 of samples for a prediction of .98.
        """
        return self.coverage if self.lines else min(self.coverage, CONFIDENCE)


@lru_cache(maxsize=2)
def counted(table: Path = TABLE) -> tuple[Counted, ...]:
    """Return the lines of a table that is shipped."""
    with table.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    return tuple(
        Counted(
            a,
            b,
            c,
            int(n),
            int(own),
            int(mean),
            int(of),
            *(read(v) for read, v in zip((float, str), rest, strict=False)),
        )
        for a, b, c, n, own, mean, of, *rest in rows
    )


def kind_of(inducer: Inducer) -> str | None:
    """Return the inducer of the study with the same settings; None where there is none.

    Wrapped scikit-learn classifiers, and the last step of their pipelines, are matched if their settings make the same
    rule: defaults, but equal priors for the linear discriminant, and the majority class for ``DummyClassifier``.
    """
    made: Any = inducer if hasattr(inducer, "get_params") else getattr(inducer, "estimator", inducer)
    made = made.steps[-1][1] if hasattr(made, "steps") else made
    if not hasattr(made, "get_params"):
        return _NAMES.get(str(getattr(made, "id", "")))
    if type(made).__name__ not in _THEIRS or not type(made).__module__.startswith("sklearn."):
        return None
    settings, usual = made.get_params(deep=False), type(made)().get_params(deep=False)
    kind, same_rule = _THEIRS[type(made).__name__]
    return kind if same_rule({k for k, v in usual.items() if repr(settings.get(k)) != repr(v)}, settings) else None


def measured_coverage(
    interval: IntervalMethod | str,
    n: int,
    estimate: float,
    inducer: Inducer | str | None = None,
    confidence: float = CONFIDENCE,
    unit: str = "cases",
) -> MeasuredCoverage:
    """Tell how often an interval for the error rate held the truth in samples and at errors like a person's own.

    Parameters
    ----------
    interval : IntervalMethod or str
        The method, or its id.
    n : int
        Number of cases, or of groups.
    estimate : float
        The estimated error rate, a proportion.  Only lines whose mean true error is of its size are looked at.
    inducer : Inducer or str, optional
        Its kind narrows the lines.  Where these are of fewer than :data:`FEWEST` populations, the model of
        :mod:`~errorest.estimation.intervals.coverage_model` predicts the coverage from all lines.
    confidence : float
        A proportion; 95 % was measured.
    unit : "cases" or "groups"
        What n counts.

    Returns
    -------
    MeasuredCoverage
        Show ``.sentence`` beside the interval: it is complete, and says where nothing was measured.

    Raises
    ------
    UsageError
        If the interval is unknown.

    Examples
    --------
    >>> few, many = (measured_coverage("cv-wald", 50, error) for error in (0.004, 0.3))
    >>> few.coverage < many.coverage
    True
    """
    method = parse_interval(interval) if isinstance(interval, str) else interval
    kind = inducer if isinstance(inducer, str) or inducer is None else kind_of(inducer)
    other = inducer is not None and kind is None
    lines = [line for line in _shipped(method) if line.unit == unit]
    return promised(lines, method, n, estimate, kind, model_near(method, unit), other=other, confidence=confidence)


@lru_cache(maxsize=64)
def _shipped(method: IntervalMethod) -> tuple[Counted, ...]:
    """Return the shipped lines that speak of a method: a few of many hundreds, looked for once."""
    return tuple(lines_of(method, counted()))


def promised(
    lines: Sequence[Counted],
    method: IntervalMethod,
    n: int,
    estimate: float,
    kind: str | None,
    modelled: tuple[str, CoverageModel] | None,
    *,
    other: bool = False,
    confidence: float = CONFIDENCE,
) -> MeasuredCoverage:
    """Make :func:`measured_coverage` of lines of the interval, and of a model of the interval that has an id."""
    size = _size_of(estimate)
    if lines and kind is not None and all(line.inducer != kind for line in lines):
        # a kind that was not run with this interval: all that were speak
        kind, other = None, True
    # errors of a like size: at n = 100 an error of .005 leaves most samples without an error, one of .3 none
    of_size = [line for line in lines if _size_of(line.error) == size]
    of_kind = [line for line in of_size if kind in (None, line.inducer)]
    if confidence == CONFIDENCE and len({line.population for line in _around(n, of_kind)}) >= FEWEST:
        words = _OF_GROUPS if of_kind[0].unit == "groups" else _OF_SAMPLES
        return _words(of_kind, "error", method.target, n, kind, other, words, method)
    if confidence == CONFIDENCE and modelled is not None:
        return _predicted(*modelled, method, n, estimate, kind, other)
    where = f" at a confidence of {100 * confidence:g} %" if modelled else ""
    text = f"{method.id} was not measured{where} in our simulations: how often it contains the truth is not known."
    kind = kind if any(line.inducer == kind for line in of_size) else None
    return MeasuredCoverage(False, text, float("nan"), float("nan"), (), method.target, kind, 0)


def _predicted(
    modelled_as: str,
    model: CoverageModel,
    method: IntervalMethod,
    n: int,
    estimate: float,
    kind: str | None,
    other: bool,
) -> MeasuredCoverage:
    """Return what the model of an interval, or of the one that is most like it, predicts."""
    if kind is not None and kind not in model.kinds:
        kind, other = None, True
    coverage, off_by = model.predict(n, estimate, kind), model.off_by
    more = " or more" if round(100 * coverage) > 100 * CONFIDENCE else ""
    # one digit, of tens of points two
    off = f"{100 * off_by:.1g}" if off_by < 0.095 else f"{100 * off_by:.0f}"
    of_kind = f" and {KINDS.get(kind, kind)}" if kind else ""
    as_other = "" if family_of(parse_interval(modelled_as)) == family_of(method) else f", as {modelled_as},"
    share = f"{100 * min(coverage, CONFIDENCE):.0f} % of samples{more}"
    text = (
        f"A model of our simulations of {model.populations} populations predicts for this size of sample and of "
        f"error{of_kind} that the interval{as_other} contains {_TRUTHS[method.target].format('error')} in {share}; "
        f"coverages of populations that were left out were off by {off} points (root mean square)."
    )
    inside = model.least <= n <= model.most
    if not inside:
        text = f"Samples of {n:,} are outside the measured range ({model.least:,} to {model.most:,}). {text}"
    if other:
        text += " This kind of classifier was not among them."
    sizes = (model.least, model.most)
    nan = float("nan")
    return MeasuredCoverage(inside, text, coverage, nan, sizes, method.target, kind, 0, model.populations, off_by)


def _size_of(error: float) -> int:
    """Return the number of the range of error rates that one falls into; of rounded ones, that of the higher."""
    return bisect_right(_SIZES_OF_ERROR, error + 1e-9)


def lines_of(method: IntervalMethod, lines: Iterable[Counted]) -> list[Counted]:
    """Return the lines of a method, perhaps with another number of repeats."""
    lines = tuple(lines)
    made = {text: family_of(parse_interval(text)) for text in {line.interval for line in lines}}
    return [line for line in lines if made[line.interval] == family_of(method)]


def measured_coverage_of_score(
    score: str,
    interval: str,
    target: str,
    sizes: Sequence[int],
    inducer: Inducer | None = None,
    confidence: float = CONFIDENCE,
) -> MeasuredCoverage | None:
    """Return how often the default interval of a score held the truth in samples with classes of about such sizes.

    None for other scores and intervals, of which nothing was measured.
    """
    title, measured, words = _SCORES.get(score, ("", "", _OF_SAMPLES))
    if not measured or not interval.startswith(measured):
        return None
    kind = None if inducer is None else kind_of(inducer)
    lines = [line for line in counted(SCORE_TABLE) if line.interval == score]
    n = sum(sizes) if words is _OF_SAMPLES else min(sizes)
    if not lines or confidence != CONFIDENCE:
        return None
    # few populations tell little of another one: their kinds are pooled
    of_kind = [line for line in lines if line.inducer == kind]
    if len({line.population for line in _around(n, of_kind)}) < FEWEST:
        of_kind, kind = lines, None
    return _words(of_kind, title, target, n, kind, inducer is not None and kind is None, words)


def binomial_coverage(share: str, target: str, noun: str) -> MeasuredCoverage:
    """Tell what the limits of a proportion of one test set hold, which need not be measured."""
    text = (
        "These are limits of a binomial proportion: where the tested cases are independent, they contain the "
        f"{noun} of this classifier in {share} of test sets, by calculation."
    )
    return MeasuredCoverage(False, text, float("nan"), float("nan"), (), target, None, 0)


def _around(n: int, lines: Sequence[Counted]) -> list[Counted]:
    """Return the lines of the size itself, of those on both sides of it, or of the nearest."""
    known = sorted({line.n for line in lines})
    sizes = {*[k for k in known if k <= n][-1:], *[k for k in known if k >= n][:1]}
    return [line for line in lines if line.n in sizes]


def _words(
    own: Sequence[Counted],
    noun: str,
    target: str,
    n: int,
    kind: str | None,
    other: bool,
    words: tuple[str, str],
    method: IntervalMethod | None = None,
) -> MeasuredCoverage:
    """Return the coverage of the lines at sizes around n."""
    of_samples, of_one = words
    known, chosen = sorted({line.n for line in own}), _around(n, own)
    sizes = tuple(sorted({line.n for line in chosen}))
    shares = [line.share(target) for line in chosen]
    # the mean over populations and inducers, and the worst of them: a mean of .95 may hide one of .80
    mean, worst = sum(shares) / len(shares), chosen[shares.index(min(shares))]
    by_population: dict[str, list[float]] = {}
    for line, share in zip(chosen, shares, strict=True):
        by_population.setdefault(line.population, []).append(share)
    # sizes and kinds share samples: populations are what was drawn independently
    populations = len(by_population)
    se = stdev(map(fmean, by_population.values())) / sqrt(populations) if populations > 1 else float("nan")
    kinds, errors, settings = f" and {KINDS.get(kind, kind)}" if kind else "", "", ""
    if method is not None:
        low, high = (f"{100 * end(line.error for line in chosen):.2g}" for end in (min, max))
        errors = f"a mean error of {low} %" if low == high else f"mean errors of {low} to {high} %"
        errors = f"{',' if kinds else ' and'} {errors}"
        # with which settings it was measured, where these are not about the user's own
        made = [parse_interval(text) for text in dict.fromkeys(line.interval for line in chosen)]
        for key in (s.name for s in settings_of(type(method)) if s.name in EFFORT):
            drawn = [getattr(m, key) for m in made]
            if not min(drawn) <= getattr(method, key) <= max(drawn):
                settings = f", as {' and '.join(m.id for m in made)},"
    span = of_samples.format(" to ".join(f"{k:,}" for k in sizes))
    off = f" on average (standard error {100 * se:.1g} points)" if se > 0 else ""
    text = (
        f"n our simulations of {populations} population{'s' * (populations > 1)} with {span}{errors}{kinds}{settings} "
        f"the interval contained {_TRUTHS[target].format(noun)} in {100 * mean:.0f} % of samples{off}; worst "
        f"combination {100 * min(shares):.0f} % ({worst.inducer} on {worst.population}, {of_one.format(worst.n)})."
    )
    inside = known[0] <= n <= known[-1]
    if inside:
        text = f"I{text}"
    else:
        measured = f"{known[0]:,} to {known[-1]:,}"
        text = f"{of_one.format(f'{n:,}')} are outside the measured range ({measured}). I{text}"
    if other:
        text += " This kind of classifier was not among them."
    return MeasuredCoverage(inside, text, mean, min(shares), sizes, target, kind, len(chosen), populations, se)
