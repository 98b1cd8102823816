"""Whether a classifier is better than chance: a permutation test of any estimate of its error, or of a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.cautions import never_tested_in_time, training_cautions
from errorest.assessment.chance.permuting import permuting_of
from errorest.assessment.chance.result import ChanceTest
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import Scoring
from errorest.assessment.options import Options, checked_count, progress_bar
from errorest.assessment.paired import measure_to_rank
from errorest.assessment.parallel import limited, map_items
from errorest.assessment.plan import Plan, check_fits, plan_measure, suited_to
from errorest.assessment.runs import draw, run
from errorest.assessment.splitters import is_splitter
from errorest.data.sample import Sample, SampleStack
from errorest.errors import UsageError
from errorest.estimation.estimators import CrossValidation
from errorest.estimation.groups import unit_sample
from errorest.estimation.outcomes import measured
from errorest.estimation.proportions import clopper_pearson_interval
from errorest.estimation.run import predict_schemes
from errorest.learners import KNN, LinearDiscriminant
from errorest.resampling.multisets import Layout, Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Seed, Streams

# What takes less time
_FEWER = "n_permutations=99"

# Of cases, of the arrangements that are answered in one pass
_BLOCK_BYTES = 1 << 20


def permutation_test(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    method: Any = "auto",
    n_permutations: int = 1000,
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
) -> ChanceTest:
    """Test whether a classifier errs less, or scores better, than if labels had nothing to do with attributes.

    The whole estimate is repeated with permuted labels.  Where there are no more arrangements than permutations
    requested, all are used and the p-value is exact.

    Parameters
    ----------
    model, X, y, rng, pos_label, error_score, encode, n_jobs, threads, progress, ignore
        As :func:`~errorest.assessment.estimate` takes them.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        As there, but ``"auto"`` is 5-fold cross-validation, since the estimate is repeated under every arrangement;
        for a score of many cases the folds are stratified.  What it costs,
        :func:`~errorest.assessment.predict_runtime` says with ``of="permutation_test"``.
    groups, stratify : array-like, optional
        As there.  Where every group has one label, whole groups change places; where some has several, labels change
        places inside groups.  Strata are never left.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to test, as there, but for the two of calibration, which have their ideal value where the class prior is
        always predicted.  Where more is better, an arrangement is as good as the observed one if its score is no
        smaller.
    n_permutations : int
        Arrangements of the labels to draw.
    confidence_level : float
        Of the limits of a drawn p-value; one less it is the level of the verdict.

    Returns
    -------
    ChanceTest

    Raises
    ------
    UsageError
        As :func:`~errorest.assessment.estimate`; or if no label can change places, as within strata of the class, or
        the estimate is undefined on the labels as they are.

    Notes
    -----
    Arrangements under which the estimate is undefined (no AUC where every test set has one class) are left out and
    counted.  The p-value keeps its meaning: as the labels at hand have an estimate, under the hypothesis they are one
    of the arrangements that have, each as likely as any.

    References
    ----------
    Ojala & Garriga (2010), test 1; Phipson & Smyth (2010) for the p-value of drawn permutations.

    Examples
    --------
    >>> X, y = np.arange(30.0)[:, None], [0] * 15 + [1] * 15
    >>> found = permutation_test("knn", X, y, n_permutations=99, rng=1)
    >>> found.exact, found.p_value, found.as_good
    (False, 0.01, 0)
    >>> found = permutation_test("naive-bayes", X[11:19], y[11:19], scoring="auc", method="cv(k=2)", rng=1)
    >>> found.exact, found.estimate, found.as_good, found.permutations
    (True, 1.0, 2, 70)
    """
    options = Options.of(
        rng, confidence_level, ignore, n_jobs, threads, progress=progress, error_score=error_score, cheaper=_FEWER
    )
    problem, streams = options.prepare(model, X, y, groups, stratify, encode=encode), options.streams
    number = checked_count("n_permutations", n_permutations)
    measure = measure_to_rank([problem], scoring, pos_label)
    plan = plan_of_test(problem, measure, method, streams)
    assert plan.estimator is not None
    name = plan.estimator.id
    places = permuting_of(problem.sample.y, problem.groups, problem.strata)
    exact = places.number <= number
    total = places.number if exact else number
    n_fits = (1 + total) * sum(s.fits(problem.n) for s in plan.schemes)
    check_fits(n_fits)
    wanted = places.all() if exact else places.draw(streams.generator("permutations"), number)
    estimate, items = _estimate_of_labels(problem, method, plan, options, measure, chain([problem.sample.y], wanted))
    own, chance = _under_permutations(estimate, items, problem, name, total, options)
    as_good, baseline = measure.as_good(chance, own), measure.baseline(problem)
    p, low, high = (as_good / chance.size,) * 3 if exact else monte_carlo_p(as_good, int(chance.size), confidence_level)
    return ChanceTest(
        p_value=p,
        low=low,
        high=high,
        exact=exact,
        estimate=own,
        permutations=int(chance.size),
        as_good=as_good,
        permuted=places.words,
        estimator=name,
        n_fits=n_fits,
        confidence=confidence_level,
        undefined=total - int(chance.size),
        baseline=baseline.value,
        baseline_name=baseline.name,
        constant=baseline.constant,
        **problem.fields,
        **measure.fields,
        **options.fields(_cautions(problem, plan)),
        _chance=chance,
    )


def _cautions(problem: Problem, plan: Plan) -> list[str]:
    ordered = never_tested_in_time(plan.schemes) is not None
    return training_cautions("the classifier", problem.inducer) + ([Caution.of("E309.chance")] if ordered else [])


def _under_permutations(
    estimate: Callable[[Any], float], items: Iterator[Any], problem: Problem, name: str, total: int, options: Options
) -> tuple[float, np.ndarray]:
    """Return the estimate of the labels as they are, and those under the arrangements that have one."""
    inducer = problem.inducer
    bar = progress_bar(f"{inducer.id}, permuted") if options.progress else options.notice.watch()
    workers = (inducer.n_jobs, inducer.threads) if isinstance(inducer, SklearnRowsLearner) else (1, None)
    with limited(workers[1]):
        own = estimate(next(items))
        if np.isnan(own):
            raise UsageError(f"{name} is undefined on the labels as they are; name cv(k=10), or more replicates")
        every = np.array(map_items(estimate, items, total, *workers, lambda done: bar(done, total)))
    chance = every[~np.isnan(every)]
    if not chance.size:
        raise UsageError(f"{name} is undefined under all {total} arrangements; name cv(k=10), or more permutations")
    return own, chance


def plan_of_test(problem: Problem, measure: Scoring, estimator: Any, streams: Streams) -> Plan:
    """Match the estimator; "auto" is few folds, since the estimate is repeated under every arrangement."""
    wanted = estimator
    if isinstance(estimator, str) and estimator == "auto":
        k = max(2, min(5, unit_sample(problem.sample, problem.groups).n))
        wanted = suited_to(measure.bound, problem, CrossValidation(k, stratified=not measure.metric.decomposable), k, 1)
    return plan_measure(problem, measure, wanted, None, streams)


def _estimate_of_labels(
    problem: Problem, method: Any, plan: Plan, options: Options, measure: Scoring, arrangements: Iterator[np.ndarray]
) -> tuple[Callable[[Any], float], Iterator[Any]]:
    """Return a function and its arguments that give the error or score under each arrangement, by the same streams.

    Resamples do not look at labels, unless they are stratified by class: they are drawn once.  A classifier of somebody
    else's is refitted under every arrangement.
    """
    sample, inducer, streams, estimator = problem.sample, problem.inducer, options.streams, plan.estimator
    assert estimator is not None
    blind = not any(getattr(s, "stratified", False) for s in plan.schemes)
    foreign = isinstance(inducer, SklearnRowsLearner) or bool(getattr(inducer, "random", False))
    if blind and not foreign and not is_splitter(method):
        drawn = draw(problem, plan.schemes, streams)[0]

        def on_resamples(item: tuple[np.ndarray, dict[Scheme, np.ndarray] | None]) -> float:
            labels, answers = item
            other = Sample(sample.X, labels, sample.attributes, sample.classes, sample.name)
            metric = measure.rebound(other, problem.labels)
            if answers is None:
                # nothing random: the streams are not used
                made = predict_schemes(other, inducer, drawn, Streams(0), metric)
            else:
                made = {s: measured(r, answers[s], labels, metric) for s, r in drawn.items()}
            return float(measure.value(estimator.reduce(other, made)))

        return on_resamples, _answered(problem, drawn, arrangements, measure.bound.needs_probabilities)

    def one(labels: np.ndarray) -> float:
        rule = inducer
        if isinstance(rule, SklearnRowsLearner):
            # workers take whole arrangements, and limit their threads
            rule = replace(rule, codes=labels, n_jobs=1, threads=None)
        other = replace(problem, sample=replace(sample, y=labels), inducer=rule)
        # a splitter may look at labels
        of = plan_of_test(other, measure, method, streams) if is_splitter(method) else plan
        metric = measure.rebound(other.sample, other.labels)
        drawn = draw(other, of.schemes, streams)
        ran = run(other, of.schemes, streams, drawn, metric=metric, on_failure=options.on_failure)
        return float(measure.value((of.estimator or estimator).reduce(other.sample, ran.outcomes)))

    return one, arrangements


def _answered(
    problem: Problem, drawn: Mapping[Scheme, Resamples], arrangements: Iterator[np.ndarray], probabilities: bool
) -> Iterator[tuple[np.ndarray, dict[Scheme, np.ndarray] | None]]:
    """Yield arrangements, and their predictions where these take less than a call of the inducer for each."""
    sample, inducer = problem.sample, problem.inducer
    rows, *others = drawn.values()
    # one division of the cases, not of the positions of a bootstrap sample
    divided = rows.layout == Layout(0, 1, rows.n_rows) and not rows.compact.source.size
    # a class of somebody's that is made of ours may answer otherwise
    if type(inducer) is KNN and inducer.k == 1:
        # the nearest case is the label where each case is a class of its own
        every = Sample(sample.X, np.arange(sample.n), sample.attributes, tuple(map(str, range(sample.n))), sample.name)
        nearest = {s: o.predictions for s, o in predict_schemes(every, inducer, drawn, Streams(0)).items()}
        for labels in arrangements:
            of = np.eye(sample.n_classes)[labels] if probabilities else labels
            yield labels, {s: of[nearest[s]] for s in drawn}
    elif type(inducer) is LinearDiscriminant and divided and not (others or probabilities):
        # of the labels as they are, to refuse the values that the inducer refuses
        yield next(arrangements), None
        while block := list(islice(arrangements, max(1, _BLOCK_BYTES // sample.X.nbytes))):
            X, folds = (np.repeat(a, len(block), axis=0) for a in (sample.X[None], rows.compact.labels))
            stack = SampleStack(X, np.array(block), sample.attributes, sample.classes)
            answers = inducer.cross_validate_stack(stack, folds)[:, rows.cases]
            yield from zip(block, (dict.fromkeys(drawn, own) for own in answers), strict=True)
    else:
        yield from ((labels, None) for labels in arrangements)


def monte_carlo_p(as_good: int, drawn: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the p-value of drawn permutations, and limits of what all of them would give.

    Parameters
    ----------
    as_good : int
        Drawn permutations whose estimate is at least as good as the one at hand, b.
    drawn : int
        m.
    confidence : float

    Returns
    -------
    p : float
        (1 + b) / (1 + m), which is no smaller than the level more often than it may be.
    low, high : float
        Clopper & Pearson's limits of the share of all permutations.

    References
    ----------
    Phipson & Smyth (2010); Clopper & Pearson (1934).

    Examples
    --------
    >>> p, low, high = monte_carlo_p(0, 99)
    >>> p, low, round(high, 4)
    (0.01, 0.0, 0.0366)
    """
    low, high = clopper_pearson_interval(as_good, drawn, confidence)
    return (1 + as_good) / (1 + drawn), float(low), float(high)
