"""Whether a classifier is better than chance: a permutation test of any estimate of its error, or of a score."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.checks import OF_TRAINING, run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning
from errorest.assessment.defaults import default_method, is_auto, make_plan, one_of, read_method
from errorest.assessment.options import Options, Progress, checked_count
from errorest.assessment.problem import Problem, prepare
from errorest.assessment.resample import draw, fit_predict
from errorest.assessment.results import Result, plain
from errorest.assessment.scoring import Baseline, Scoring
from errorest.assessment.shared_splits import resolve_ranking_metric
from errorest.assessment.splitters import SplitterScheme, is_splitter
from errorest.assessment.workers import limited, map_items
from errorest.counting import repeat_each
from errorest.data.sample import ClassNumbers, SampleStack
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.groups import most_frequent
from errorest.estimation.outcomes import measured
from errorest.estimation.proportions import clopper_pearson_interval
from errorest.learners import KNN, LinearDiscriminant
from errorest.resampling.multisets import Layout, Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import ErrorScore, Label, Method, MetricLike, Model, Rng, Table

Answers = Mapping[Scheme, np.ndarray]
"""Predictions for the tests of each scheme."""

# Classifiers that a test may ask for
_MOST_FITS = 10_000_000

# Bytes of cases, of the arrangements that are answered in one pass
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PermutationTest(Result):
    """Whether a classifier does better than it would if labels had nothing to do with attributes.

    Parameters
    ----------
    p_value : float
        Of all arrangements of the labels where ``exact``; else (1 + b) / (1 + m), b of m drawn ones being as good.
        Those without an estimate are not counted.
    low, high : float
        Clopper & Pearson's limits of the p-value that all arrangements would give; both the p-value where it is exact.
    exact : bool
        Whether every arrangement was used.
    value : float
        The estimate with the labels as they are, a proportion or in the unit of the metric.
    n_permutations : int
        Arrangements that have an estimate: of all of them, or of those drawn.
    as_good : int
        Of these, those whose estimate is at least as good (with the observed one, where all were used).
    permuted : str
        What was permuted.
    method, model : str
        Ids of the resampling method and of the classifier.
    undefined : int
        Arrangements that were left out, since the estimate is undefined under them.
    baseline : Baseline
    chance : float array, shape (n_permutations,)
        The estimates under the arrangements that have one.

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(8.0)[:, None], [0] * 4 + [1] * 4
    >>> test = errorest.permutation_test("knn", X, y, method="loo", rng=0)
    >>> test.exact, test.n_permutations, round(test.p_value, 4)
    (True, 70, 0.0286)
    """

    p_value: float
    low: float
    high: float
    exact: bool
    value: float
    n_permutations: int
    as_good: int
    permuted: str
    method: str
    model: str
    undefined: int = 0
    baseline: Baseline
    chance: np.ndarray

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain types for JSON, with a summary of the estimates under permutation.

        Returns
        -------
        dict
        """
        chance = {"mean": self.chance.mean(), "min": self.chance.min(), "max": self.chance.max()}
        result: dict[str, Any] = {**super().to_dict(), "chance": plain(chance)}
        return result


@dataclass(frozen=True, eq=False)
class Arrangements:
    """All ways in which labels may change places: those of units, within blocks.

    Units are cases, or whole groups where every group has one label; blocks are strata, and groups where some has
    several labels.  If labels have nothing to do with attributes, every arrangement is as likely as the observed one.
    """

    labels: np.ndarray
    blocks: np.ndarray
    unit: np.ndarray
    words: str

    @classmethod
    def of(cls, y: np.ndarray, groups: np.ndarray | None = None, strata: np.ndarray | None = None) -> Arrangements:
        """Return the arrangements of the labels of cases; int arrays, shape (n,)."""
        n = y.shape[0]
        within = "" if strata is None else " within strata"
        blocks = np.zeros(n, dtype=np.int64) if strata is None else strata
        if groups is None:
            found = cls(y, blocks, np.arange(n), f"labels{within or ' over all cases'}")
        # labels that belong to groups move with them: cases of a group are dependent, groups are exchangeable
        elif (y == y[(first := np.unique(groups, return_index=True)[1])][groups]).all():
            # a group is of the stratum of most of its cases, as where groups are resampled
            of_group = blocks[first] if strata is None else most_frequent(strata, groups)
            found = cls(y[first], of_group, groups, f"labels of whole groups{within}")
        else:
            # groups with several labels: labels are exchangeable within a group, whose common effects then cancel
            both = np.unique(np.stack([groups, blocks]), axis=1, return_inverse=True)[1].ravel()
            words = "labels within groups" + (" and strata" if within else "")
            fixed = sum(np.unique(y[groups == g]).size == 1 for g in range(int(groups.max()) + 1))
            found = cls(y, both, np.arange(n), words + (f" ({fixed} groups have one class and stay)" if fixed else ""))
        if found.number < 2:
            what = "strata" if groups is None else "groups" if strata is None else "groups and strata"
            raise UsageError(
                f"no label can change places ({found.words}: every block has one class); expected {what} with several "
                f"classes in one of them; leave out {what}, or name others"
            )
        return found

    @cached_property
    def movable(self) -> list[np.ndarray]:
        """Units of each block in which labels differ."""
        members = [np.flatnonzero(self.blocks == b) for b in np.unique(self.blocks)]
        return [m for m in members if np.unique(self.labels[m]).size > 1]

    @cached_property
    def number(self) -> int:
        """Number of distinct arrangements, the observed one among them: a multinomial coefficient for each block."""
        counts = [np.unique(self.labels[m], return_counts=True)[1].tolist() for m in self.movable]
        # n! / (n_1! ... n_K!) for each block, and blocks are independent
        return prod(factorial(sum(c)) // prod(factorial(k) for k in c) for c in counts)

    def all(self) -> Iterator[np.ndarray]:
        """Yield the labels of the cases under every distinct arrangement, in lexical order; int arrays, shape (n,)."""
        for parts in itertools.product(*(list(_distinct_orders(self.labels[m])) for m in self.movable)):
            labels = self.labels.copy()
            for m, part in zip(self.movable, parts, strict=True):
                labels[m] = part
            yield labels[self.unit]

    def draw(self, rng: np.random.Generator, number: int) -> np.ndarray:
        """Draw arrangements at random; int array, shape (number, n)."""
        labels = repeat_each(self.labels[None], number, axis=0)
        for m in self.movable:
            labels[:, m] = rng.permuted(labels[:, m], axis=1)
        return labels[:, self.unit]


def _distinct_orders(labels: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the distinct orders of a list, each the lexical successor of the one before."""
    now = np.sort(labels).tolist()
    while True:
        yield np.array(now)
        # the last ascent; its first member is exchanged for the least larger one behind, and what follows is reversed
        i = next((i for i in range(len(now) - 2, -1, -1) if now[i] < now[i + 1]), None)
        if i is None:
            return
        j = next(j for j in range(len(now) - 1, i, -1) if now[j] > now[i])
        now[i], now[j] = now[j], now[i]
        now[i + 1 :] = now[:i:-1]


def permutation_test(
    model: Model,
    X: Table,
    y: ArrayLike | None = None,
    *,
    method: Method = "auto",
    cv: Method | None = None,
    n_permutations: int = 1000,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    scoring: MetricLike = "error",
    pos_label: Label | None = None,
    error_score: ErrorScore = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    progress: bool | Progress = False,
    ignore: Iterable[str] | str = (),
) -> PermutationTest:
    """Test whether a classifier errs less, or scores better, than if labels had nothing to do with attributes.

    The whole estimate is repeated with permuted labels.  Where there are no more arrangements than permutations
    requested, all are used and the p-value is exact.

    Parameters
    ----------
    model, X, y, cv, rng, pos_label, error_score, encode, fit_params, n_jobs, threads, compiled, progress, ignore
        As :func:`errorest.estimate` takes them.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        As there, but ``"auto"`` is 5-fold cross-validation, since the estimate is repeated under every arrangement;
        for a score of many cases the folds are stratified.
    groups, stratify : array-like, optional
        As there.  Where every group has one label, whole groups change places; where some has several, labels change
        places inside groups.  Labels stay inside their strata.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to test, as there, but for the two of calibration, which have their ideal value where the class prior is
        always predicted.
    n_permutations : int
        Arrangements of the labels to draw.
    confidence_level : float
        Of the limits of a drawn p-value; one less it is the level of the verdict.

    Returns
    -------
    PermutationTest

    Raises
    ------
    UsageError
        As :func:`errorest.estimate`; or if no label can change places, as within strata of the class, or the estimate
        is undefined on the labels as they are.

    Notes
    -----
    Arrangements under which the estimate is undefined (no AUC where every test set has one class) are left out and
    counted.  The p-value keeps its meaning: as the observed labels have an estimate, under the hypothesis they are one
    of the arrangements that have, each as likely as any.

    References
    ----------
    Ojala & Garriga (2010), test 1; Phipson & Smyth (2010) for the p-value of drawn permutations.

    Examples
    --------
    >>> X, y = np.arange(30.0)[:, None], [0] * 15 + [1] * 15
    >>> test = permutation_test("knn", X, y, n_permutations=99, rng=1)
    >>> test.exact, test.p_value, test.as_good
    (False, 0.01, 0)
    >>> test = permutation_test("naive-bayes", X[11:19], y[11:19], scoring="auc", method="cv(k=2)", rng=1)
    >>> test.exact, test.value, test.as_good, test.n_permutations
    (True, 1.0, 2, 68)

    A pipeline of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> print(permutation_test(model, X, y, n_permutations=99, rng=1))  # doctest: +ELLIPSIS
    Error rate 6.0 %, 52.0 % by chance; p = 0.01 (95 % limits 0 to 0.037)
      verdict    better than chance at alpha = 0.05
    ...
    """
    cheaper = "n_permutations=99"
    options = Options.of(
        rng, confidence_level, ignore, n_jobs, threads, progress, compiled, error_score, cheaper=cheaper
    )
    problem = prepare(model, X, y, groups, stratify, encode, fit_params, options)
    metric = resolve_ranking_metric([problem], scoring, pos_label)
    learner, scores = problem.learner, metric.metric.needs_probabilities
    method = one_of(method, cv)
    wanted = _method_of_test(method, problem, metric, options)

    # under the hypothesis labels are exchangeable: over all cases, or only within strata, groups, or of whole groups
    arrangements = Arrangements.of(problem.y, problem.groups, problem.strata)
    number = checked_count("n_permutations", n_permutations)
    # all arrangements once, with the observed one among them, give the exact p-value; else a random sample of them
    exact = arrangements.number <= number
    total = arrangements.number if exact else number
    n_fits = (1 + total) * sum(s.fits(problem.n) for s in wanted.schemes)
    if n_fits > _MOST_FITS:
        raise UsageError(f"{n_fits:,} classifiers were asked for; expected at most {_MOST_FITS:,}")
    permuted = None if exact else arrangements.draw(options.streams.generator("permutations"), number)
    if (equal := getattr(learner, "equal", None)) is not None:
        equal.n_rows = n_fits

    # resamples do not look at labels, unless they are stratified by class or a splitter's
    blind = not is_splitter(method) and not any(getattr(s, "stratified", False) for s in wanted.schemes)
    drawn = {s: own for s, (own, _) in draw(problem, wanted.schemes, options.streams).items()} if blind else {}
    quiet = options.quiet()

    def estimate(item: tuple[np.ndarray, Answers | None]) -> float:
        """Estimate the metric under an arrangement, with the same random streams; NaN where it is undefined."""
        labels, answers = item
        # the same resamples and seeds for every arrangement, so that the labels alone differ
        data, estimator = ClassNumbers(labels, problem.n_classes), wanted
        # balanced costs depend on the sizes of classes
        bound = metric.rebound(data)
        if answers is not None:
            outcomes = {s: measured(drawn[s], own, labels, bound) for s, own in answers.items()}
        else:
            # workers take whole arrangements, and limit their threads
            of = replace(problem, y=labels, learner=learner.with_labels(labels))
            if is_splitter(method):
                estimator = _method_of_test(method, of, metric, options)
            outcomes = fit_predict(of, estimator.schemes, quiet, labels=not scores, scores=scores).outcomes(bound)
        return float(metric.value(estimator.reduce(data, outcomes)))

    bar = options.reporter(f"{learner.id}, permuted")
    limit = getattr(learner, "threads", None)

    def run() -> tuple[float, np.ndarray]:
        """Estimate the metric for the observed labels, and for all arrangements."""
        arranged = arrangements.all() if permuted is None else iter(permuted)
        items = _answered(problem, drawn, itertools.chain([problem.y], arranged), scores, options.streams)
        value = estimate(next(items))
        # a batch that workers compared would differ for some of them alone
        n_jobs = 1 if equal is not None and equal.serves(n_fits, scores) else learner.n_jobs
        every = map_items(estimate, items, total, n_jobs, limit, lambda done: bar(done, total))
        return value, np.array(every)

    with limited(limit):
        value, every = run()
        if learner.note:  # the arrangements before the difference are fitted one by one too
            options.add_note(learner)
            value, every = run()
    # arrangements without an estimate are no members of the reference set
    chance = every[~np.isnan(every)]
    if np.isnan(value) or not chance.size:
        where = "on the labels as they are" if np.isnan(value) else f"under all {total} arrangements"
        raise UsageError(f"{wanted.id} is undefined {where}; name cv(k=10), or ask for more permutations")

    # at least as good: ties count against the classifier, which keeps the test valid where estimates are discrete
    as_good = metric.as_good(chance, value)
    p_value, low, high = (
        (as_good / chance.size,) * 3 if exact else monte_carlo_p(as_good, chance.size, confidence_level)
    )
    notes = run_checks(Checked(problems=(problem,)), OF_TRAINING)
    if any(isinstance(s, SplitterScheme) and s.time_ordered for s in wanted.schemes):
        notes.append(CheckWarning.of("E309.chance"))
    return PermutationTest(
        metric=metric,
        p_value=p_value,
        low=low,
        high=high,
        exact=exact,
        value=value,
        n_permutations=int(chance.size),
        as_good=as_good,
        permuted=arrangements.words,
        method=wanted.id,
        model=problem.learner.id,
        undefined=total - int(chance.size),
        baseline=metric.baseline(problem),
        chance=chance,
        n=problem.n,
        n_groups=problem.n_groups,
        n_fits=n_fits,
        confidence_level=confidence_level,
        _source=problem.source,
        **options.fields(notes),
    )


def monte_carlo_p(as_good: int, drawn: int, confidence_level: float = 0.95) -> tuple[float, float, float]:
    """Return the p-value of b of m drawn permutations that are as good, and limits of what all of them would give.

    The p-value (1 + b) / (1 + m) is valid (Phipson & Smyth 2010); the limits of the share of all permutations are
    Clopper & Pearson's (1934).
    """
    low, high = clopper_pearson_interval(as_good, drawn, confidence_level)
    # the observed arrangement counts as one of those drawn: b / m would be 0 too often, and not valid
    return (1 + as_good) / (1 + drawn), float(low), float(high)


def _method_of_test(method: Any, problem: Problem, metric: Scoring, options: Options) -> Estimator:
    """Return the default method, or the one that was named, if it suits metric and problem."""
    method = read_method(method, problem, options.streams)
    wanted = default_method("permutation test", metric, problem) if is_auto(method) else method
    estimator = make_plan(problem, metric, wanted, None).method
    assert estimator is not None
    return estimator


def _answered(
    problem: Problem,
    drawn: Mapping[Scheme, Resamples],
    arrangements: Iterator[np.ndarray],
    scores: bool,
    streams: Streams,
) -> Iterator[tuple[np.ndarray, Answers | None]]:
    """Yield arrangements, with predictions where these come from compiled batches."""
    model, rows = problem.learner.model, list(drawn.values())
    sample: Any = getattr(problem.learner, "sample", None)
    # a class derived from ours may predict otherwise
    if rows and type(model) is KNN and model.k == 1:
        # the nearest case is the label where each case is a class of its own
        every = replace(sample, y=np.arange(sample.n), classes=tuple(map(str, range(sample.n))))
        nearest = {s: model.predict_resamples(every, r) for s, r in drawn.items()}
        for labels in arrangements:
            of = np.eye(problem.n_classes)[labels] if scores else labels
            yield labels, {s: of[own] for s, own in nearest.items()}
        return
    # one division of the cases, not of the positions of a bootstrap sample
    divided = len(rows) == 1 and rows[0].layout == Layout(0, 1, rows[0].n_rows) and not rows[0].compact.source.size
    if type(model) is LinearDiscriminant and divided and not scores:
        # of the labels as they are, to refuse the values that the learner refuses
        yield next(arrangements), None
        while block := list(itertools.islice(arrangements, max(1, _BLOCK_BYTES // sample.X.nbytes))):
            X, folds = (repeat_each(a, len(block), axis=0) for a in (sample.X[None], rows[0].compact.labels))
            stack = SampleStack(X, np.array(block), sample.attributes, sample.classes)
            answers = model.cross_validate_stack(stack, folds)[:, rows[0].cases]
            yield from zip(block, (dict.fromkeys(drawn, own) for own in answers), strict=True)
    equal = getattr(problem.learner, "equal", None)
    for labels in arrangements:
        by_scheme: dict[Scheme, np.ndarray] = {}
        if drawn and equal is not None and equal.serves(0, scores):
            # a user's classifier that has a batch; where a fit fails or warns the arrangement is estimated by itself
            learner = problem.learner.with_labels(labels)
            for s, resamples in drawn.items():
                rng = streams.generator(s.key, "inducer") if learner.random else None
                own = learner.fit_predict(resamples, rng, labels=not scores, scores=scores)
                if own.failures or own.warned:
                    by_scheme = {}
                    break
                predicted = own.scores if scores else own.labels
                assert predicted is not None
                by_scheme[s] = predicted if scores else predicted.astype(np.int64)
        yield labels, by_scheme or None
