"""Which of two classifiers errs less, or scores better, on shared resamples.

Both are trained and tested on the same splits, so that what a split has in itself cancels; the interval
of the mean difference is the corrected resampled t of Nadeau & Bengio (2003), which widens the usual one
for the cases that splits share.  The exact sign test on one holdout is given too, and with a region of practical
equality the probability that the two are as good as equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from errorest.assessment.caution import Caution
from errorest.assessment.cautions import shared_cautions
from errorest.assessment.estimates import coverage_dict
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.options import Options
from errorest.assessment.paired import (
    ENOUGH,
    Spread,
    measure_to_rank,
    read_splits,
    split_rates,
    spread_of_difference,
    too_few_to_rank,
    within_scale,
)
from errorest.assessment.plan import class_sizes, plan_measure, suited_to
from errorest.assessment.result import ConfidenceInterval, Result
from errorest.assessment.runs import RunOutcomes
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation, Estimator
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals.coverage_table import MeasuredCoverage, measured_coverage_of_score
from errorest.estimation.metrics.metric import ERROR_RATE
from errorest.estimation.outcomes import Outcome
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout

if TYPE_CHECKING:
    import pandas as pd
from errorest.streams import Seed, Streams

# Folds that errors are compared on; fewer cases (or groups) are tested one by one, or too few are left to train on
_FOLDS, _REPEATS, _FOLDS_FROM = 5, 5, 10

# What the sign test is done on
_HOLDOUT = Holdout(Fraction(1, 3))


@dataclass(frozen=True)
class SignTest:
    """The sign test of two classifiers on one holdout: of its cases, or of its groups where groups were given."""

    only_a: int  # cases that a alone gets wrong, or groups of which it gets more cases wrong
    only_b: int
    tested: int
    p_value: float
    unit: str = "cases"

    def __str__(self) -> str:
        wrong = "a alone gets {} wrong, b alone {}" if self.unit == "cases" else "a errs more often in {}, b in {}"
        counts = wrong.format(self.only_a, self.only_b)
        return f"of {self.tested} held-out {self.unit} {counts}: p = {self.p_value:.3g}"


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value of the sign test."""
    # the import takes a third of a second, and every estimate imports this module
    from scipy.stats import binomtest

    number = only_a + only_b
    return float(binomtest(only_a, number).pvalue) if number else 1.0


def sign_test(held_out: Sequence[Outcome], groups: np.ndarray | None = None) -> SignTest:
    """Count on one holdout which of two classifiers errs alone, with one sign for each group.

    Cases of a group are dependent, so that each group has the sign of its sum, and one with as many errors of either
    none (Dixon & Mood 1946 drop ties).
    """
    wrong_a, wrong_b = (ERROR_RATE.losses(o.truth, o.predictions).astype(int) for o in held_out)
    cases = held_out[0].resamples.cases
    units, of_unit = np.unique(cases if groups is None else groups[cases], return_inverse=True)
    sums = np.bincount(of_unit, wrong_a - wrong_b)
    only_a, only_b = int((sums > 0).sum()), int((sums < 0).sum())
    return SignTest(only_a, only_b, units.size, mcnemar_exact(only_a, only_b), "cases" if groups is None else "groups")


@dataclass(frozen=True)
class PracticalEquality:
    """Whether two classifiers are as good as equal, as posterior probabilities that sum to 1.

    Parameters
    ----------
    r : float
        Errors that differ by no more than this are practically equal; a proportion, or in the unit of the loss.
    a_better, equal, b_better : float
        That a errs less by more than r, that the errors are within r, that b errs less by more than r.

    Examples
    --------
    >>> PracticalEquality(0.01, 0.25, 0.5, 0.25).likeliest
    'equal'
    """

    r: float
    a_better: float
    equal: float
    b_better: float

    @property
    def likeliest(self) -> str:
        """The likeliest of ``a_better``, ``equal`` and ``b_better``."""
        return max(("equal", "a_better", "b_better"), key=lambda name: getattr(self, name))


def practical_equality(difference: float, spread: Spread, r: float) -> PracticalEquality:
    """Say how probable it is that one of two classifiers is better by more than r, or neither.

    The posterior of the mean difference is Student's t about the observed one (Corani & Benavoli 2015), with the scale
    and degrees of freedom of the interval: a flat prior, and splits that share cases.
    """
    if spread.se == 0:
        below, above = float(difference < -r), float(difference > r)
    else:
        below = float(special.stdtr(spread.df, (-r - difference) / spread.se))
        above = float(special.stdtr(spread.df, (difference - r) / spread.se))
    return PracticalEquality(r, below, max(0.0, 1.0 - below - above), above)


def checked_margin(r: Any, measure: Scoring) -> float:
    """Check the difference up to which two classifiers count as equal: none is as large as the scale of the metric."""
    scale = float(np.ptp(measure.bounds()))
    number = isinstance(r, float | int | np.integer | np.floating) and not isinstance(r, bool)
    if not number or not 0 <= r < scale:
        raise UsageError(
            f"rope = {r!r}; expected a number from 0 to below {scale:g}, a difference that does not matter",
            "write rope=0.01 for one percentage point" if measure.percent else "",
        )
    return float(r)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ErrorDifference(Result):
    """How much more a errs than b, or how far its score is from that of b.

    Parameters
    ----------
    difference : float
        Mean over the splits of the rate of a minus that of b, a proportion (or in the unit of the loss, or the score).
    interval : ConfidenceInterval
        Within the scale of the metric: two error rates differ by no more than 1.  NaN for scores that rank where a
        class has fewer than four cases.
    standard_error : float
        With Nadeau & Bengio's correction, counting disjoint test sets; NaN where the interval is.
    a, b : str
        Ids of the classifiers.
    error_a, error_b : float
        Mean rates over the same splits; with a score, its means.
    sign_test : SignTest or None
        Of wrong labels; None where the score is one of probabilities.
    resamples : str
        Id of the scheme.
    practical : PracticalEquality or None
        Where it was said which difference does not matter, and there are limits.
    coverage : MeasuredCoverage or None
        How often the default interval held the difference of two error rates, or AUCs, in the project's simulations;
        None for others.

    Examples
    --------
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> d = compare("knn", "majority", X, y, rng=3)
    >>> d.difference < 0, d.interval.high < 0
    (True, True)
    """

    difference: float
    interval: ConfidenceInterval
    standard_error: float
    a: str
    b: str
    error_a: float
    error_b: float
    sign_test: SignTest | None = None
    resamples: str
    practical: PracticalEquality | None = None
    coverage: MeasuredCoverage | None = None
    _rates: np.ndarray = field(repr=False)
    _picture = "draw_difference"

    @cached_property
    def splits(self) -> pd.DataFrame:
        """Each split that has both: rate (or score) of a, that of b, and their difference."""
        import pandas as pd

        a, b = self._rates
        return pd.DataFrame({"split": np.arange(a.size), "a": a, "b": b, "difference": a - b})

    def _values(self) -> dict[str, Any]:
        value = "error" if self.score is None else "value"
        return {
            "difference": self.difference,
            "standard_error": self.standard_error,
            "interval": self.interval,
            "a": {"classifier": self.a, value: self.error_a},
            "b": {"classifier": self.b, value: self.error_b},
            "sign_test": self.sign_test,
            "practical": self.practical,
            "resamples": self.resamples,
            **({} if self.coverage is None else {"coverage": coverage_dict(self.coverage)}),
        }

    @property
    def names(self) -> tuple[str, str]:
        """The letters with the classifiers' ids."""
        return f"a ({self.a})", f"b ({self.b})"

    def _facts(self) -> list[tuple[str, str]]:
        between, practical, test = self.interval, self.practical, self.sign_test
        facts = [
            ("verdict", self.verdict),
            ("a", f"{self.quantity} {self.value_text(self.error_a)}, {self.a}"),
            ("b", f"{self.quantity} {self.value_text(self.error_b)}, {self.b}"),
            ("a minus b", self.gain_text(self.difference)),
            (f"{between.share} interval", f"{self._limits()} ({between.method})"),
            ("aims at", between.aim),
        ]
        if self.coverage is not None:
            facts.append(("measured", self.coverage.sentence))
        elif not np.isnan(between.low):
            facts.append(
                ("measured", "The coverage of such an interval of a difference was not measured in simulations.")
            )
        if practical is not None:
            equal = f"equal within {self.gain_text(practical.r, signed=False)} with probability {practical.equal:.3f}"
            better = f"a better by more {practical.a_better:.3f}, b {practical.b_better:.3f}"
            facts.append(("as good as", f"{equal}; {better}"))
        if test is None:
            signs = f"none: it counts wrong labels, and the {self.quantity} is one of probabilities"
        else:
            signs = f"{test}" if self.score is None else f"{test} (of labels, not the {self.quantity})"
        return [*facts, ("sign test", signs)]

    @property
    def verdict(self) -> str:
        """Which is better and by how much, as far as the interval says."""
        lead = self.gain_text(self.difference)
        a, b = self.names
        if np.isnan(self.interval.low):
            return f"{lead}: undecided between {a} and {b}, since there is no interval"
        if self.interval.low <= 0 <= self.interval.high:
            return f"{lead}: undecided between {a} and {b}, since the interval contains zero"
        return f"{lead}: {a if (self.difference < 0) != self.greater_is_better else b} {self._better}"

    @property
    def _better(self) -> str:
        if self.score is None:
            return "errs less"
        return f"has the {'higher' if self.greater_is_better else 'lower'} {self.quantity}"

    def _limits(self) -> str:
        if np.isnan(self.interval.low):
            return f"undefined: {self.interval.note}"
        return self.limits_text(self.interval.low, self.interval.high, gain=True)

    def _headline(self) -> tuple[str, str]:
        what = f"Does {self.a} err less than {self.b}?"
        if self.score is not None:
            what = f"Which {self._better}, {self.a} or {self.b}?"
        return what, f"{self.verdict} ({self.interval.share} interval {self._limits()})"


def compare(
    a: Any,
    b: Any,
    X: Any,
    y: Any = None,
    *,
    method: Any = "auto",
    rope: float | None = None,
    rng: Seed | None = None,
    groups: Any = None,
    stratify: Any = None,
    scoring: Any = "error",
    pos_label: Any = None,
    error_score: Any = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    progress: bool = False,
    ignore: Iterable[str] | str = (),
) -> ErrorDifference:
    """Compare two classifiers on the same resamples, by their errors or by a score.

    Parameters
    ----------
    a, b : scikit-learn classifier or pipeline, inducer, or str
    X, y, rng, groups, stratify, pos_label, confidence_level, encode, n_jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate` takes them.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        Repeated holdout or (repeated) cross-validation, or a splitter whose every split trains on all cases that it
        does not test.  ``"auto"`` is five repeats of stratified 5-fold cross-validation (below ten cases or groups, as
        many folds once); for scores that rank ten repeats of stratified 10-fold cross-validation, with fewer folds
        where the rarer class has fewer cases.
    rope : float, optional
        Errors that differ by no more than this are as good as equal, a proportion (0.01 is one point), or in the unit
        of the score: the result then gives the probability of that, and of either being better by more.  Below the
        range of the metric, which is 1 for error rates.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to compare by, as there, but for the two of calibration.
    error_score : "raise" or numpy.nan
        With NaN a resample that fails for one is left out for both.

    Returns
    -------
    ErrorDifference

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate`; if the resamples are of another kind or in the order of time, or
        ``rope`` is negative or no less than the range of the metric.

    Notes
    -----
    The sign test counts the wrong labels on one holdout of a third of the cases, or with groups the groups of which
    either classifier gets more cases wrong; of a score of probabilities there is none.

    A score that is no mean of cases, such as the AUC, is taken of every split's tests.  Splits that test one class
    alone, or nothing that the score rests on, are left out for both, and counted in the warnings.

    The variance of the mean difference of J splits is s^2 (1/k + n2/n1), for n2 cases in a test set, n1 in a training
    set and k = n/n2 (J, where that is less): Nadeau and Bengio's with k in place of J, as further splits test the same
    cases again.  Student's t has J - 1 degrees of freedom, and no more than cases (or groups) less one.  On classifiers
    that err alike the default's 95 % limits left 0 out in 4 % of simulated samples.

    AUCs have no more than 2 m - 2 degrees of freedom, for m cases of the smaller class, and below 20 of these a
    variance of at least half of Hanley and McNeil's at the mean of both AUCs; warning E603 says where that decides.
    Below four cases a score that ranks has no limits.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation; Corani & Benavoli (2015)
    for ``rope``; Hanley & McNeil (1982) for the least variance of AUCs.

    Examples
    --------
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> compare("knn", "knn", X, y, rope=0.01, rng=3).practical.equal
    1.0
    >>> d = compare("naive-bayes", "majority", X, y, scoring="mcc", method="cv(k=4, stratified=True)", rng=3)
    >>> d.difference > 0, d.verdict.endswith("has the higher Matthews correlation")
    (True, True)
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress=progress, error_score=error_score)
    problems = [options.prepare(c, X, y, groups, stratify, encode=encode) for c in (a, b)]
    measure = measure_to_rank(problems, scoring, pos_label)
    margin = None if rope is None else checked_margin(rope, measure)
    wanted, schemes = splits_of(method, problems[0], measure, options.streams)
    ran = [
        options.run(p, schemes, measure.bound, f"{'ab'[position]} ({p.inducer.id})", 2, position)
        for position, p in enumerate(problems)
    ]
    result = _difference(problems, ran, wanted, measure, confidence_level, margin)
    between, sizes = result.interval, class_sizes(problems[0], measure.bound).tolist()
    coverage = None
    if isinstance(method, str) and method == "auto" and groups is None and not np.isnan(between.low):
        named = f"{measure.metric.name}-difference", between.method, between.target
        coverage = measured_coverage_of_score(*named, sizes, confidence=confidence_level)
    signs = None
    if _HOLDOUT in schemes[1:]:
        signs = sign_test([r.outcomes[_HOLDOUT] for r in ran], problems[0].groups)
    return replace(result, coverage=coverage, sign_test=signs, **options.fields(result.warnings))


def splits_of(
    method: Any, problem: Problem, measure: Scoring, streams: Streams
) -> tuple[Estimator, tuple[Scheme, ...]]:
    """Return the splits to compare on, and what is run: they, and the holdout of the sign test where labels count."""
    if isinstance(method, str) and method == "auto":
        # as many fits as 25 splits of 9 : 1; of classifiers that err alike its limits left 0 out in 4 % of the samples
        # that `corrected_spread` speaks of, and of trees, the worst, in 4 to 8 %, those of 10 x 10 folds in 8 to 11 %
        plain, units = CrossValidation(_FOLDS, _REPEATS, stratified=True), unit_sample(problem.sample, problem.groups).n
        if units < _FOLDS_FROM:
            plain = CrossValidation(units, stratified=True)
        wanted = suited_to(measure.bound, problem, plain)
    else:
        wanted = read_splits(method, problem, measure, streams)
    (scheme,) = plan_measure(problem, measure, wanted, None, streams).schemes
    return wanted, (scheme,) if measure.metric.needs_probabilities else (scheme, _HOLDOUT)


def _difference(
    problems: list[Problem],
    ran: list[RunOutcomes],
    wanted: Estimator,
    measure: Scoring,
    confidence: float,
    margin: float | None,
) -> ErrorDifference:
    """Put together what the splits say; sign test, time and seed are told by who ran them."""
    scheme, n = wanted.schemes[0], problems[0].n
    rates, rows = split_rates(ran, scheme)
    known = ~np.isnan(rates).any(axis=0)
    left_out = f"{(~known).sum()} of {known.size} splits"
    if known.sum() < 2:
        raise UsageError(
            f"the {measure.noun} is undefined on {left_out} of {wanted.id}, which test one class alone, or nothing "
            "that it rests on; expected at least two splits; ask for larger test sets, or stratify='class'"
        )
    a, b = values = measure.value(rates[:, known])
    tested, mean, level = float(np.mean(rows[known])), float((a - b).mean()), float(values.mean())
    few = too_few_to_rank(problems[0], measure)
    spread = Spread(np.nan, 0) if few else spread_of_difference(problems[0], measure, a - b, tested, level)
    half = spread.half_width(confidence)
    low, high = within_scale(measure, (mean - half, mean + half)).tolist()
    what = "errors" if measure.score is None else measure.noun
    interval = ConfidenceInterval(
        low,
        high,
        f"corrected-t on {wanted.id}",
        "procedure",
        f"the difference of the mean {what} of classifiers made of {n - tested:.0f} cases",
        confidence,
        2 * half <= 1e-12,
        note=few,
        percent=measure.percent,
    )
    notes = shared_cautions(problems, ran, [scheme], measure)
    same = "the difference was the same on every split"
    notes += [Caution.of("E401", reason=same, wilson="")] if interval.degenerate else []
    notes += [] if known.all() else [Caution.of("E602", what=left_out, then="and are left out")]
    notes += [Caution.of("E603", enough=ENOUGH)] if spread.bounded else []
    notes += [Caution.of("E402", method=interval.method, note=interval.note)] if few else []
    return ErrorDifference(
        difference=mean,
        interval=interval,
        standard_error=spread.se,
        a=problems[0].inducer.id,
        b=problems[1].inducer.id,
        error_a=float(a.mean()),
        error_b=float(b.mean()),
        resamples=scheme.id,
        n_fits=sum(o.n_rows for r in ran for o in r.outcomes.values()),
        warnings=tuple(notes),
        practical=None if margin is None or few else practical_equality(measure.gain(mean), spread, margin),
        confidence=confidence,
        **measure.fields,
        _rates=values,
        **problems[0].fields_of_data,
    )
