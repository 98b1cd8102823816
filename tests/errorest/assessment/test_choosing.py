"""Comparing two classifiers and choosing among several: by plain loops, intervals, nested folds, and refusals."""

import itertools
import json
import re
from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from sklearn import metrics
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    LeaveOneGroupOut,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import RAW_1NN, RAW_3NN, Scripted, assert_refused, rows_of
from errorest import choose, compare, estimate, resample
from errorest.assessment.bias_corrected import MeanLosses, bias_corrected_error, max_t_quantile
from errorest.assessment.compare import practical_equality
from errorest.assessment.nested import folds_of_training_sets
from errorest.assessment.problem import prepare
from errorest.assessment.resample import draw
from errorest.assessment.shared_splits import Spread
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.metrics import METRICS, Statistic, parse_metric
from errorest.estimation.metrics.ranking import Auc, auc_variance
from errorest.estimation.proportions import wilson_interval
from errorest.learners import KNN
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.2 * Y[:, None]
RARE = np.r_[np.zeros(32, dtype=int), np.ones(4, dtype=int)]
P = 1 / (1 + np.exp(-X))
"""Probabilities that the columns of X stand for."""
X_2 = X[:, :2]
NOISE = np.random.default_rng(2).permutation(Y)
GROUPS = np.arange(36) % 9
LOSSES: dict[str, Any] = {"brier": lambda y, p: np.mean((p - y) ** 2), "error": lambda y, p: np.mean((p > 0.5) != y)}
STATISTICS = ["auc", "balanced-accuracy", "mcc", "f1", "sensitivity", "specificity", "f1(threshold=0.3)"]
POOLED = "cv(k=4, weights=test-size)"
THREE = ["majority", "knn(k=3)", "linear-discriminant"]


def measure(name: str, y: np.ndarray, p: np.ndarray) -> float:
    """The mean loss, or the statistic by scikit-learn; NaN where what it rests on is not there."""
    if name in LOSSES:
        return float(LOSSES[name](y, p))
    output = (p >= 0.3).astype(int) if "threshold" in name else (p > 0.5).astype(int)
    have = set(y.tolist())
    needed = {"sensitivity": {1}, "specificity": {0}}.get(name, {1} if name.startswith("f1") else {0, 1})
    if not needed <= have:
        return float("nan")
    functions: dict[str, Any] = {
        "auc": lambda: metrics.roc_auc_score(y, p),
        "balanced-accuracy": lambda: metrics.balanced_accuracy_score(y, output),
        "mcc": lambda: metrics.matthews_corrcoef(y, output),
        "sensitivity": lambda: metrics.recall_score(y, output),
        "specificity": lambda: metrics.recall_score(y, output, pos_label=0),
    }
    return float(functions.get(name, lambda: metrics.f1_score(y, output))())


def mean_of_known(values: list[float]) -> float:
    known = [v for v in values if not np.isnan(v)]
    return float(np.mean(known)) if known else float("nan")


def splits_of(scheme: Scheme, seed: int, y: Any = Y, groups: Any = None) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Repetition, training and tested cases of each resample, as a call with this seed draws them."""
    problem = prepare("knn", np.zeros((len(y), 1)), y, groups=groups)
    drawn = draw(problem, [scheme], Streams.from_generator(np.random.default_rng(seed)))[scheme][0]
    return [(row.replicate, row.trained, row.tested) for row in rows_of(drawn)]


BY_NAME: list[tuple[str, Any, Any]] = [
    *(("error", method, None) for method in ("holdout(test=1/4, repeats=8)", "cv(k=6, repeats=3)")),
    ("brier", "holdout(test=1/10, repeats=25)", None),
    # some splits test one class alone, and have no area
    ("auc", "holdout(test=1/10, repeats=25)", None),
    ("auc", "cv(k=3, repeats=2, stratified=True)", None),
]
BY_SPLITTER = [
    *((StratifiedKFold(4), None), (RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1), None)),
    *((list(StratifiedKFold(4).split(X, Y)), None), (GroupKFold(3), GROUPS), (LeaveOneGroupOut(), GROUPS)),
]


@pytest.mark.parametrize(("scoring", "method", "groups"), [*BY_NAME, *(("error", *one) for one in BY_SPLITTER)])
def test_a_comparison_is_the_corrected_t_of_the_differences_of_splits(scoring: str, method: Any, groups: Any) -> None:
    models = (GaussianNB(), KNeighborsClassifier(3))
    result = compare(*models, X_2, Y, scoring=scoring, method=method, groups=groups, rope=0.02, rng=4)
    if isinstance(method, str):
        splits = [one[1:] for one in splits_of(parse_estimator(method).schemes[0], 4)]
    else:
        splits = method if isinstance(method, list) else list(method.split(X, Y, groups))

    def rate(model: Any, train: np.ndarray, test: np.ndarray) -> float:
        return measure(scoring, Y[test], clone(model).fit(X_2[train], Y[train]).predict_proba(X_2[test])[:, 1])

    rates = [[rate(one, *split) for one in models] for split in splits]
    known = [line for line in rates if not np.isnan(line[0])]
    a, b = np.transpose(known)
    d, tested = a - b, np.mean([test.size for _, test in splits])
    # Nadeau & Bengio (2003), section 3: the variance of the splits' differences times 1/J + n2/n1, and J no more than
    # there are disjoint test sets
    se = np.sqrt(d.var(ddof=1) * (1 / min(d.size, 36 / tested) + tested / (36 - tested)))
    if scoring == "auc":
        se = max(se, np.sqrt(auc_variance(np.clip((a.mean() + b.mean()) / 2, 0.5, 0.97), 18, 18) / 2))
    df = min(d.size, 36 if groups is None else 9, 35 if scoring == "auc" else 99) - 1
    half = t(df).ppf(0.975) * se
    assert result.splits["difference"].tolist() == pytest.approx(d.tolist())
    assert (result.value_a, result.value_b) == pytest.approx((a.mean(), b.mean()))
    assert (result.value, result.standard_error) == pytest.approx((d.mean(), se))
    assert (result.interval.low, result.interval.high) == pytest.approx((d.mean() - half, d.mean() + half))
    # the posterior of Corani and Benavoli has the same centre and scale; of the AUC more is better
    below, above = (t(df).cdf((-0.02 - sign * d.mean()) / se) for sign in (1, -1))
    better = (above, below) if scoring == "auc" else (below, above)
    assert (result.practical.a_better, result.practical.b_better) == pytest.approx(better)
    assert result.practical.equal == pytest.approx(1 - below - above)
    assert (result.sign_test is None) == (scoring != "error")
    left_out = [w.split(",")[0] for w in result.warnings if w.id == "E602"]
    missing = len(rates) - len(known)
    assert left_out == ([f"{missing} of 25 splits test one class alone"] if missing else [])
    assert (missing > 0) == ((scoring, method) == ("auc", "holdout(test=1/10, repeats=25)"))
    if not isinstance(method, str) or method.startswith("cv"):
        choice = choose([*models], X_2, Y, scoring=scoring, method=method, groups=groups, rng=4)
        rival = choice.candidates[1]
        assert rival.difference == pytest.approx(rival.value - choice.value)
        assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
        assert choice.paired.startswith(f"corrected-t on {choice.method}, max-T")


def test_comparing_a_classifier_with_itself_finds_no_difference() -> None:
    same = compare(RAW_1NN, KNeighborsClassifier(1), X, Y, rng=0)
    assert same.interval.degenerate
    assert (same.sign_test.p_value, json.loads(json.dumps(same.to_dict()))["value"]) == (1, 0)


def test_differences_without_spread_are_certain() -> None:
    for difference, r, likeliest in ((0.0, 0.0, "equal"), (0.2, 0.1, "b_better"), (-0.2, 0.1, "a_better")):
        result = practical_equality(difference, Spread(0.0, 9), r)
        assert getattr(result, likeliest) == 1.0


@pytest.mark.parametrize(
    ("scoring", "method", "groups"),
    [
        ("error", "cv(k=6, repeats=3)", None),
        ("auc", "cv(k=4, repeats=2, stratified=True, weights=folds)", None),
        *(("error", *one) for one in BY_SPLITTER),
    ],
)
def test_every_candidate_errs_as_it_does_alone(scoring: str, method: Any, groups: Any) -> None:
    options: dict[str, Any] = {"scoring": scoring, "method": method, "groups": groups, "rng": 4}
    result = choose(["naive-bayes", *THREE[1:]], X, Y, nested=2, n_resamples=20, **options)
    alone = [estimate(name, X, Y, interval=None, **options) for name in ("naive-bayes", *THREE[1:])]
    errors = {r.position: r.value for r in result.candidates}
    assert [errors[i] for i in range(3)] == pytest.approx([one.value for one in alone], abs=1e-12)
    assert result.value == (min if scoring == "error" else max)(errors.values())
    assert result.nested_interval.low < result.nested_value < result.nested_interval.high


def test_limits_of_three_candidates_are_wider_than_of_a_pair_and_narrower_than_bonferronis() -> None:
    result = choose(THREE, X, Y, method="cv(k=6, repeats=3)", rng=4)
    worst, best = THREE[result.candidates[-1].position], THREE[result.candidates[0].position]
    pair = compare(worst, best, X, Y, method="cv(k=6, repeats=3)", rng=4)
    half = result.candidates[-1].high - result.candidates[-1].difference
    # at most Bonferroni's, up to rounding
    assert t(17).ppf(1 - 0.05 / 2) < half / pair.standard_error < t(17).ppf(1 - 0.05 / 6) + 1e-9
    assert result.n_fits == 3 * 18


def test_losses_that_are_no_whole_numbers_are_corrected_in_proportion() -> None:
    losses = np.random.default_rng(3).integers(0, 4, size=(25, 6)).astype(float)
    whole, halves = (
        bias_corrected_error(MeanLosses.of_cases(share * losses), rng=np.random.default_rng(1)) for share in (1.0, 0.5)
    )
    assert halves.inside.tolist() == (whole.inside / 2).tolist()
    assert halves.outside.tolist() == (whole.outside / 2).tolist()


@pytest.mark.parametrize(
    ("name", "grouped"),
    [*((name, False) for name in (*STATISTICS, *LOSSES)), *((name, True) for name in ("auc", "mcc", "error"))],
)
def test_the_corrected_result_is_that_of_a_plain_loop(name: str, grouped: bool) -> None:
    candidates = [KNeighborsClassifier(k) for k in (1, 3, 7)]
    groups = np.arange(36) // 2 if grouped else None
    sign = 1 if name in LOSSES else -1
    draws, repeats, method = 18, 2, "cv(k=4, repeats=2, weights=test-size)"
    options: dict[str, Any] = {"groups": groups, "n_resamples": draws, "confidence_level": 0.8, "rng": 9}
    result = choose(candidates, X, Y, scoring=name, method=method, **options)
    output = np.empty((3, repeats, 36))
    for m, train, test in splits_of(KFold(4, repeats=2), 9, groups=groups):
        for c, one in enumerate(candidates):
            output[c, m, test] = one.fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    values = [mean_of_known([measure(name, Y, output[c, m]) for m in range(repeats)]) for c in range(3)]
    assert {r.position: r.value for r in result.candidates} == pytest.approx(dict(enumerate(values)))
    units = 18 if grouped else 36
    streams = Streams.from_generator(np.random.default_rng(9))
    sampled = streams.generator("choose", draws).integers(units, size=(draws, units), dtype=np.int32)
    outside, wins = [], np.zeros(3)
    for line in sampled:
        inside = np.concatenate([np.flatnonzero(groups == g) for g in line]) if groups is not None else line
        left = np.setdiff1d(np.arange(36), inside)

        def value(c: int, cases: np.ndarray) -> float:
            return mean_of_known([measure(name, Y[cases], output[c, m, cases]) for m in range(repeats)])

        own = np.array([sign * value(c, inside) for c in range(3)])
        best = np.flatnonzero(np.isclose(own, own.min(), rtol=0, atol=1e-9))
        wins[best] += 1 / best.size
        outside.append(value(int(best[0]), left))
    assert result.corrected_value == pytest.approx(np.mean(outside))
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(np.quantile(outside, [0.1, 0.9])))
    assert {r.position: r.wins for r in result.candidates} == pytest.approx(dict(enumerate(wins / draws)))


def test_the_max_t_quantile_is_that_of_a_plain_loop() -> None:
    inside, errors = RNG.normal(size=(200, 4)), RNG.normal(size=4)
    largest = [
        max(
            abs(line[a] - line[b] - errors[a] + errors[b]) / (inside[:, a] - inside[:, b]).std()
            for a, b in itertools.combinations(range(4), 2)
        )
        for line in inside
    ]
    assert max_t_quantile(inside, errors, 0.9) == pytest.approx(np.quantile(largest, 0.9))
    # candidates that never differ have no say
    same = np.c_[inside[:, 0], inside]
    twice = np.r_[errors[0], errors]
    assert max_t_quantile(same, twice, 0.9) == pytest.approx(np.quantile(largest, 0.9))


@pytest.mark.parametrize(
    ("name", "k"), [*((name, 2) for name in METRICS if not parse_metric(name).decomposable), ("mcc", 3)]
)
def test_counted_tests_have_the_statistic_of_tests_written_out(name: str, k: int) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 4, size=(40, 12))
    counts[0] = 0
    one = parse_metric(name)
    assert isinstance(one, Statistic)
    p = rng.integers(1, 5, size=12) / 5
    output = np.column_stack([1 - p, p]) if one.needs_probabilities else rng.integers(0, k, size=12)
    truth, answers, classes = one.encode(rng.integers(0, k, size=12), output, 1, k)
    plain = [
        one.of(np.repeat(truth, line), np.repeat(answers, line, axis=0), classes) if line.any() else np.nan
        for line in counts
    ]
    np.testing.assert_allclose(one.weighted(truth, answers, counts, classes), plain, atol=1e-12)


def test_a_statistic_of_ones_own_chooses_as_the_one_that_it_repeats() -> None:
    class Own(Statistic):
        name = "own-area"
        title = "own area"
        greater_is_better = True
        best = 1.0
        of_one_class = True

        def encode(self, *given: Any) -> Any:
            return Auc().encode(*given)

        def score_splits(self, *given: Any) -> Any:
            return Auc().score_splits(*given)

    options: dict[str, Any] = {"method": POOLED, "n_resamples": 20, "rng": 1}
    own, auc = (choose(["knn(k=3)", "naive-bayes"], X, Y, scoring=s, **options) for s in (Own(), "auc"))
    assert (own.corrected_value, own.best) == (pytest.approx(auc.corrected_value), auc.best)


@pytest.mark.parametrize(
    ("name", "groups"), [("auc", None), ("mcc", None), ("brier", None), ("error", None), ("error", GROUPS)]
)
def test_nested_cross_validation_is_that_of_a_plain_loop(name: str, groups: Any) -> None:
    candidates = [KNeighborsClassifier(k) for k in (3, 5, 9)]
    result = choose(
        candidates, X, Y, scoring=name, method=POOLED, nested="cv(k=3, weights=test-size)", groups=groups, rng=9
    )
    problem, streams = prepare("knn", X, Y, groups=groups), Streams.from_generator(np.random.default_rng(9))
    outer = draw(problem, [KFold(4)], streams)[KFold(4)][0]
    inner = folds_of_training_sets(problem, outer, KFold(3), streams)
    sign = 1 if name in LOSSES else -1
    output = np.empty(36)
    for number, (train, test, *_) in enumerate(rows_of(outer)):
        within = np.full((3, 36), np.nan)
        for fit, covered, *_ in (row for row in rows_of(inner) if row.replicate == number):
            assert sorted([*fit, *covered]) == train.tolist()
            assert groups is None or not {*groups[fit]} & {*groups[covered]}
            for c, one in enumerate(candidates):
                within[c, covered] = one.fit(X[fit], Y[fit]).predict_proba(X[covered])[:, 1]
        best = int(np.argmin([round(sign * measure(name, Y[train], w[train]), 9) for w in within]))
        output[test] = candidates[best].fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    value = measure(name, Y, output)
    assert result.nested_value == pytest.approx(value)
    assert result.nested_interval.low <= value <= result.nested_interval.high <= 1
    assert result.n_fits == 3 * 4 + 3 * 12


@pytest.mark.parametrize(("folds", "divisor"), [("cv(k=4, repeats=2)", 1), ("cv(k=6, repeats=2)", 1.25)])
def test_the_nested_interval_is_wilson_s_of_fewer_cases(folds: str, divisor: float) -> None:
    result = choose(THREE, X, Y, method=folds, nested="cv(k=3)", rng=9)
    once = choose(THREE, X, Y, method=folds.replace("2", "1"), nested="cv(k=3)", rng=9)
    for one, n in ((result, 36 / divisor), (once, 36 / (1.3 * divisor))):
        limits = one.nested_interval
        assert (limits.low, limits.high) == pytest.approx(wilson_interval(one.nested_value * n, n))


def test_fewer_cases_than_usual_folds_are_chosen_on_as_many_folds() -> None:
    choice = choose(["knn(k=1)", "majority"], X[:8], np.arange(8) % 2, n_resamples=20, nested="auto", rng=1)
    assert choice.method == "cv(k=8, repeats=10)"
    grouped = choose(["knn(k=1)", "majority"], X, Y, groups=np.arange(36) // 9, n_resamples=20, rng=1)
    assert grouped.method == "cv(k=4, repeats=10)"


def test_of_equal_candidates_the_first_is_chosen() -> None:
    rules: list[Any] = [KNN(1), KNN(2)]
    for listed in (rules, rules[::-1]):
        result = choose(listed, X, Y, method="cv(k=3)", rng=0)
        assert (result.best, [r.wins for r in result.candidates]) == (listed[0].id, [0.5, 0.5])
        assert result.not_worse == tuple(r.name for r in result.candidates)


def test_a_search_and_a_list_of_settings_are_the_same_candidates() -> None:
    tree = DecisionTreeClassifier(random_state=0)
    options: dict[str, Any] = {"method": "cv(k=4)", "rng": 2}
    by_search = choose(GridSearchCV(tree, {"max_depth": [1, 3]}), X, Y, **options)
    by_list = choose([{"max_depth": 1}, {"max_depth": 3}], X, Y, base=tree, **options)
    named = {n: DecisionTreeClassifier(max_depth=d, random_state=0) for n, d in (("a", 1), ("b", 3))}
    one_by_one = choose(named, X, Y, **options)
    for other in (by_list, one_by_one):
        assert [r.value for r in by_search.candidates] == [r.value for r in other.candidates]
    assert {r.name for r in by_list.candidates} == {"max_depth=1", "max_depth=3"}
    assert ({r.name for r in one_by_one.candidates}, tree.get_params()["max_depth"]) == ({"a", "b"}, None)
    sampled = RandomizedSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, n_iter=2)
    assert len(choose(sampled, X, Y, **options).candidates) == 2


def test_draws_and_folds_without_a_statistic_are_counted() -> None:
    # nothing is learnt: a column of the data is the probability of the second class
    pair = {
        name: Scripted(shares=lambda X, c=c: np.column_stack([1 - X[:, c], X[:, c]])) for c, name in enumerate("ab")
    }
    result = choose(pair, P, RARE, scoring="auc", method="cv(k=9, weights=test-size)", n_resamples=200, rng=4)
    messages = [w for w in result.warnings if w.id == "E602"]
    folds, draws = messages
    assert "folds test one class alone" in folds
    assert "bootstrap of the cases" in folds
    number = int(draws.split()[0])
    streams = Streams.from_generator(np.random.default_rng(4))
    sampled = streams.generator("choose", 200).integers(36, size=(200, 36), dtype=np.int32)
    covered = [len(set(line.tolist()) & {32, 33, 34, 35}) for line in sampled]
    assert number == sum(h in (0, 4) for h in covered) > 0
    assert draws.startswith(f"{number} of 200 bootstrap samples")
    # the bootstrap's standard error, with a quantile of as many degrees of freedom as cases less one
    inside = np.array(
        [[measure("auc", RARE[s], P[s, c]) for c in (0, 1)] for s, h in zip(sampled, covered, strict=True) if h]
    )
    best = 0 if result.best == "a" else 1
    gaps, rival = inside[:, 1 - best] - inside[:, best], result.candidates[1]
    assert rival.difference == pytest.approx(rival.value - result.value)
    half = t(35).ppf(0.975) * gaps.std()
    assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
    assert result.paired.startswith("bootstrap of the cases, max-T")


def test_a_log_loss_that_hangs_on_its_clip_is_reported_for_whom() -> None:
    result = choose(["naive-bayes", RAW_1NN], X, Y, scoring="log-loss", method="cv(k=4)", rng=1)
    assert [w.split(":")[0] for w in result.warnings if w.id == "E305"] == ["knn(k=1)"]  # type: ignore[attr-defined]
    both = compare(RAW_1NN, "naive-bayes", X, Y, scoring="log-loss", rng=1)
    assert [w.split(":")[0] for w in both.warnings if w.id == "E305"] == ["a"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("scoring", ["error", "auc", {"fn": 5, "fp": 1}])
def test_a_correction_that_noise_flatters_is_reported_and_nested_folds_take_the_warning_back(scoring: Any) -> None:
    candidates, options = ["knn", "knn(k=3)", "naive-bayes"], {"method": POOLED, "scoring": scoring, "rng": 1}
    (message,) = choose(candidates, X, NOISE, **options).warnings
    assert "nested='auto'" in message
    assert "best of 3" in message
    assert choose(candidates, X, NOISE, nested="cv(k=3)", **options).warnings == ()
    assert "E601" not in [w.id for w in choose(candidates, X + 5 * Y[:, None], Y, **options).warnings]


def test_a_score_of_labels_needs_no_probabilities_and_one_of_one_class_two_classes() -> None:
    assert choose(["majority", SVC()], X, Y, scoring="mcc", method="cv(k=3)", rng=0).n_fits == 6
    pair, y = ["knn", "naive-bayes"], np.arange(36) % 3
    assert_refused("about one class and there are 3", choose, pair, X, y, scoring="auc", rng=0)
    for method, message in (("cv(k=n, weights=folds)", "averages folds of one case"), ("cv(k=n)", "36 of 36 splits")):
        assert_refused(message, compare, *pair, X, Y, scoring="auc", method=method, rng=0)


def test_choosing_by_the_auc_averages_stratified_folds_and_finds_the_better_ranking() -> None:
    candidates = {"linear": LogisticRegression(C=0.001), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    pooled, result = [], []
    for seed in range(4):
        # sixty cases on which a much shrunken linear model ranks better than a small tree
        y = np.arange(60) % 2
        values = np.random.default_rng(seed).normal(size=(60, 10)) + 0.26 * y[:, None]
        result.append(choose(candidates, values, y, scoring="auc", n_resamples=50, rng=seed))
        pooled.append(
            choose(
                candidates, values, y, scoring="auc", method="cv(k=10, weights=test-size)", n_resamples=50, rng=seed
            ).best
        )
    assert {one.method for one in result} == {"cv(k=10, repeats=10, stratified=True, weights=folds)"}
    # pooled over folds that are not stratified, a constant ranking error of the linear model costs it the choice
    assert pooled.count("linear") <= 1
    assert [one.best for one in result].count("linear") >= 3


def test_folds_for_the_auc_are_no_more_than_cases_of_the_rarer_class() -> None:
    wanted = "cv(k=4, repeats=10, stratified=True, weights=folds)"
    assert choose(["knn", "naive-bayes"], X, RARE, scoring="auc", n_resamples=20, rng=1).method == wanted
    assert estimate("naive-bayes", X, RARE, scoring="auc", rng=1).method == wanted
    compared = compare("knn", "naive-bayes", X, RARE, scoring="auc", rng=1)
    assert compared.method == wanted
    others = choose(["knn", "naive-bayes"], X, Y, scoring="brier", n_resamples=20, rng=1)
    assert others.method == "cv(k=10, repeats=10)"


def test_nested_choosing_by_the_auc_averages_inner_folds() -> None:
    result = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested=True, n_resamples=20, rng=2)
    assert result.nested_interval.method == "corrected-t on nested k_fold(k=5, stratified=True)"
    assert 0 <= result.nested_value <= 1
    named = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested="auto", n_resamples=20, rng=2)
    assert named.nested_value == result.nested_value


def test_a_clear_difference_is_found_and_a_useless_choice_reaches_the_baseline() -> None:
    far = np.arange(60.0)[:, None] + 100 * (np.arange(60) >= 30)[:, None]
    split = (np.arange(60) >= 30).astype(int)
    clear = choose(["majority", RAW_1NN], far, split, rng=1)
    assert (clear.best, clear.not_worse, clear.reaches_baseline) == ("knn(k=1)", ("knn(k=1)",), False)
    assert [one.not_worse for one in clear.candidates] == [True, False]
    noise = choose(["majority", RAW_1NN, RAW_3NN], X, NOISE, rng=1)
    assert (len(noise.not_worse), noise.reaches_baseline) == (3, True)


@pytest.mark.parametrize(("scoring", "method"), [("error", "cv(k=4, repeats=2)"), ("auc", "cv(k=4, stratified=True)")])
def test_predictions_are_chosen_among_as_their_models(scoring: str, method: str) -> None:
    models = {"nb": "naive-bayes", "1-nn": RAW_1NN, "ldf": "linear-discriminant"}
    options: dict[str, Any] = {"scoring": scoring, "n_resamples": 50, "rng": 3}
    of_models = choose(models, X, Y, method=method, **options)
    folds = {name: resample(model, X, Y, method=method, rng=3) for name, model in models.items()}
    for given in (folds, of_models.predictions):
        of_predictions = choose(given, **options)
        assert {c.name: c for c in of_predictions.candidates}.keys() == models.keys()
        for one, other in zip(of_predictions.candidates, of_models.candidates, strict=True):
            assert (one.name, one.value, one.difference, one.wins) == (
                other.name,
                other.value,
                other.difference,
                other.wins,
            )
            assert (one.low, one.high) == pytest.approx((other.low, other.high), nan_ok=True, rel=1e-12)
        assert of_predictions.corrected_value == of_models.corrected_value
        assert (of_predictions.method, of_predictions.interval) == (of_models.method, of_models.interval)
    # a list has the names of the classifiers
    assert choose(list(folds.values()), **options).best == folds[of_models.best].model


ONE = KNeighborsClassifier(3)
SCALED = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize(
    ("candidates", "more", "message"),
    [
        ([ONE, "majority", ONE], {}, "candidates 1 and 3 are the same"),
        (["knn", "knn(k=5)"], {}, "candidates 1 and 2 are the same, knn"),
        ([SCALED, make_pipeline(StandardScaler(), LogisticRegression())], {}, "are the same"),
        (["knn"], {}, "1 candidate"),
        ("knn", {}, "put it into a list"),
        (["knn", "knnn"], {}, "did you mean 'knn'"),
        ([{"k": 1}, {"k": 2}], {}, "expected base="),
        ([{"k": 1}, {"k": 1}], {"base": "knn"}, "stand twice"),
        ([{"k": 1}, {"q": 1}], {"base": "knn"}, "do not fit the base"),
        ([{"C": 1}, {"Q": 1}], {"base": SVC()}, "do not fit the base"),
        (["knn", "majority"], {"method": "632+"}, "expected several splits"),
        (["knn", "majority"], {"method": "holdout(repeats=9)"}, "expected folds, which test every case"),
        (["knn", "majority"], {"nested": "loo"}, "expected several splits"),
        (["knn", "majority"], {"n_resamples": 0}, "n_resamples = 0"),
        (["knn", "majority"], {"method": "cv(k=99)"}, "99 folds"),
    ],
)
def test_what_is_no_choice_is_refused(candidates: Any, more: dict[str, Any], message: str) -> None:
    assert_refused(message, choose, candidates, X, Y, rng=0, **more)


def test_limits_without_width_are_spoken_of() -> None:
    apart, options = X + 1000 * Y[:, None], {"method": "cv(k=3, repeats=2, stratified=True)", "rng": 0}
    alike = choose(["naive-bayes", "linear-discriminant"], apart, Y, **options)
    assert alike.interval.low == alike.interval.high
    assert ["corrected" in w for w in alike.warnings if w.id == "E401"] == [True]
    far = choose(["naive-bayes", "majority"], apart, Y, **options)
    assert ["majority" in w for w in far.warnings if w.id == "E401"] == [False, True]
    ranked = choose(["naive-bayes", "linear-discriminant"], apart, Y, scoring="auc", nested=3, rng=0)
    assert ["nested" in w for w in ranked.warnings if w.id == "E401"] == [False, True]
    assert "E401" not in [w.id for w in choose(["knn", "majority"], X, Y, **options).warnings]


def test_long_pipelines_with_other_settings_are_not_the_same() -> None:
    steps = [make_pipeline(*[StandardScaler() for _ in range(40)], LogisticRegression(C=c)) for c in (1.0, 2.0)]
    result = choose(steps, X, Y, method="cv(k=2)", rng=0)
    assert len({r.name for r in result.candidates}) == 2


def test_classes_of_one_name_are_distinct_candidates() -> None:
    def named_alike(label: int) -> Any:
        class Constant(Scripted):
            def predict(self, rows: Any) -> np.ndarray:
                return np.full(len(rows), label)

        return Constant()

    result = choose([named_alike(0), named_alike(1)], X[:18], Y[9:27], method="cv(k=2)", rng=0)
    assert len(result.candidates) == 2


def fails(model: Any, rows: np.ndarray) -> None:
    raise ValueError("will not learn")


GAPS = np.where(np.arange(36)[:, None] % 9 == 0, np.nan, X)


@pytest.mark.parametrize(
    ("candidates", "data", "failed"),
    [
        (["majority", SVC(C=-1), "knn(k=3)"], X, "SVC(C=-1): the classifier failed on every resample"),
        ({"one": Scripted(fitting=fails), "two": "majority", "three": "knn(k=3)"}, X, "one: the classifier failed"),
        (["majority", "knn", "naive-bayes"], GAPS, "knn(k=5, standardize=training): "),
    ],
)
def test_a_candidate_that_fails_is_named_and_left_out_where_that_was_asked(
    candidates: Any, data: np.ndarray, failed: str
) -> None:
    options: dict[str, Any] = {"method": "cv(k=4)", "rng": 1}
    assert_refused(re.escape(f"candidate {failed}"), choose, candidates, data, Y, **options)
    result = choose(candidates, data, Y, error_score=float("nan"), nested=True, **options)
    (left_out,) = [w for w in result.warnings if w.id == "E604"]
    assert failed in left_out
    given = list(candidates.values() if isinstance(candidates, dict) else candidates)
    assert len(result.candidates) == 2
    without = [given[r.position] for r in sorted(result.candidates, key=lambda one: one.position)]
    again = choose(without, data, Y, nested=True, **options)
    assert again.corrected_value == result.corrected_value
    assert again.nested_value == result.nested_value
    assert (again.ranks.to_numpy() == result.ranks.to_numpy()).all()


def test_fewer_than_two_candidates_that_can_be_trained_are_no_choice() -> None:
    every = [SVC(C=-1), Scripted(fitting=fails), "majority"]
    words = ["1 of 3 candidates can be trained", "SVC(C=-1)", "will not learn"]
    assert_refused(words, choose, every, X, Y, error_score=float("nan"), method="cv(k=4)", rng=1)


def test_a_comparison_names_the_classifier_that_fails() -> None:
    assert_refused(r"b \(SVC\(C=-1\)\): the classifier failed", compare, "knn", SVC(C=-1), X, Y, rng=1)
