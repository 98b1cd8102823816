"""Choosing and comparing by a score: by hand, by plain loops with scikit-learn's scores, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import rows_of
from errorest import choose, compare, estimate
from errorest.assessment.caution import kinds_of
from errorest.assessment.choosing.shared import draw_within
from errorest.assessment.inputs import prepare
from errorest.assessment.runs import draw
from errorest.errors import UsageError
from errorest.estimation.metrics import METRICS, Statistic, parse_metric
from errorest.estimation.metrics.ranking import Auc
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import Holdout, KFold
from errorest.streams import Streams

RAW_1NN = "knn(k=1, standardize=none)"

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.2 * Y[:, None]
RARE = np.r_[np.zeros(32, dtype=int), np.ones(4, dtype=int)]
P = 1 / (1 + np.exp(-X))
"""Probabilities that the columns of X stand for."""
NOISE = np.random.default_rng(2).permutation(Y)
STATISTICS = ["auc", "balanced-accuracy", "mcc", "f1", "sensitivity", "specificity", "f1(threshold=0.3)"]


class Says(ClassifierMixin, BaseEstimator):
    """Learns nothing: a column of the data is the probability of the second class."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, X: Any, y: Any) -> Says:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        p = np.asarray(X)[:, self.column]
        return np.column_stack([1 - p, p])

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[(np.asarray(X)[:, self.column] >= 0.5).astype(int)]


def statistic(name: str, y: np.ndarray, p: np.ndarray) -> float:
    """The statistic by scikit-learn; NaN where what it rests on is not there."""
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
    drawn = draw(problem, [scheme], Streams.from_generator(np.random.default_rng(seed)))[0][scheme]
    return [(row.replicate, row.trained, row.tested) for row in rows_of(drawn)]


def test_two_candidates_have_the_paired_interval_of_their_aucs_by_hand() -> None:
    estimator = "cv(k=3, repeats=2, stratified=True)"
    result = choose({"b": Says(1), "a": Says(0)}, P, Y, scoring="auc", method=estimator, rng=1)
    tests = [test for _, _, test in splits_of(KFold(3, repeats=2, stratified=True), 1)]
    a, b = (np.array([metrics.roc_auc_score(Y[test], P[test, c]) for test in tests]) for c in (0, 1))
    rival, half = result.candidates[1], t(5).ppf(0.975) * np.sqrt(np.var(b - a, ddof=1) * (1 / 6 + 12 / 24))
    assert {r.name: r.error for r in result.candidates} == pytest.approx(
        {name: metrics.roc_auc_score(Y, P[:, c]) for c, name in enumerate("ab")}
    )
    assert rival.difference == pytest.approx(rival.error - result.error)
    assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
    assert result.paired.startswith(f"corrected-t on {estimator}, max-T")


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("grouped", [False, True])
def test_the_corrected_statistic_is_that_of_a_plain_loop(name: str, grouped: bool) -> None:
    candidates = [KNeighborsClassifier(k) for k in (1, 3, 7)]
    groups = np.arange(36) // 2 if grouped else None
    draws, repeats, method = 30, 2, "cv(k=4, repeats=2)"
    options: dict[str, Any] = {"groups": groups, "n_resamples": draws, "confidence_level": 0.8, "rng": 9}
    result = choose(candidates, X, Y, scoring=name, method=method, **options)
    output = np.empty((3, repeats, 36))
    for m, train, test in splits_of(KFold(4, repeats=2), 9, groups=groups):
        for c, one in enumerate(candidates):
            output[c, m, test] = one.fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    values = [mean_of_known([statistic(name, Y, output[c, m]) for m in range(repeats)]) for c in range(3)]
    assert {r.position: r.error for r in result.candidates} == pytest.approx(dict(enumerate(values)))
    units = 18 if grouped else 36
    streams = Streams.from_generator(np.random.default_rng(9))
    sampled = streams.generator("choose", draws).integers(units, size=(draws, units), dtype=np.int32)
    outside, wins = [], np.zeros(3)
    for line in sampled:
        inside = np.concatenate([np.flatnonzero(groups == g) for g in line]) if groups is not None else line
        left = np.setdiff1d(np.arange(36), inside)

        def value(c: int, cases: np.ndarray) -> float:
            return mean_of_known([statistic(name, Y[cases], output[c, m, cases]) for m in range(repeats)])

        own = np.array([value(c, inside) for c in range(3)])
        best = np.flatnonzero(np.isclose(own, own.max(), rtol=0, atol=1e-9))
        wins[best] += 1 / best.size
        outside.append(value(int(best[0]), left))
    assert result.corrected_error == pytest.approx(np.mean(outside))
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(np.quantile(outside, [0.1, 0.9])))
    assert {r.position: r.wins for r in result.candidates} == pytest.approx(dict(enumerate(wins / draws)))


def test_counted_tests_have_the_statistic_of_tests_written_out() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 4, size=(40, 12))
    counts[0] = 0
    for name in [n for n in METRICS if not parse_metric(n).decomposable]:
        one = parse_metric(name)
        assert isinstance(one, Statistic)
        p = rng.integers(1, 5, size=12) / 5
        output = np.column_stack([1 - p, p]) if one.needs_probabilities else (p > 0.5).astype(int)
        truth, answers, classes = one.coded(rng.integers(0, 2, size=12), output, 1, 2)
        plain = [
            one.of(np.repeat(truth, line), np.repeat(answers, line, axis=0), classes) if line.any() else np.nan
            for line in counts
        ]
        np.testing.assert_allclose(one.weighted(truth, answers, counts, classes), plain, atol=1e-12)
    three = parse_metric("mcc")
    assert isinstance(three, Statistic)
    y, output = rng.integers(0, 3, size=(2, 12))
    plain = [three.of(np.repeat(y, line), np.repeat(output, line), 3) for line in counts[1:]]
    np.testing.assert_allclose(three.weighted(y, output, counts[1:], 3), plain, atol=1e-12)


def test_a_statistic_of_ones_own_chooses_as_the_one_that_it_repeats() -> None:
    class Own(Statistic):
        name = "own-area"
        title = "own area"
        greater_is_better = True
        best = 1.0
        of_one_class = True

        def coded(self, *given: Any) -> Any:
            return Auc().coded(*given)

        def of_rows(self, *given: Any) -> Any:
            return Auc().of_rows(*given)

    options: dict[str, Any] = {"method": "cv(k=4)", "n_resamples": 20, "rng": 1}
    own, auc = (choose(["knn(k=3)", "naive-bayes"], X, Y, scoring=s, **options) for s in (Own(), "auc"))
    assert (own.corrected_error, own.best) == (pytest.approx(auc.corrected_error), auc.best)


@pytest.mark.parametrize("name", ["auc", "mcc", "brier", "error"])
def test_nested_cross_validation_is_that_of_a_plain_loop(name: str) -> None:
    candidates = [KNeighborsClassifier(k) for k in (3, 5, 9)]
    result = choose(candidates, X, Y, scoring=name, method="cv(k=4)", nested="cv(k=3)", rng=9)
    problem, streams = prepare("knn", X, Y), Streams.from_generator(np.random.default_rng(9))
    outer = draw(problem, [KFold(4)], streams)[0][KFold(4)]
    inner = draw_within(problem, outer, KFold(3), streams)
    losses = {"brier": lambda y, p: np.mean((p - y) ** 2), "error": lambda y, p: np.mean((p > 0.5) != y)}

    def loss(y: np.ndarray, p: np.ndarray) -> float:
        return float(losses[name](y, p)) if name in losses else -statistic(name, y, p)

    output = np.empty(36)
    for number, (train, test, *_) in enumerate(rows_of(outer)):
        within = np.full((3, 36), np.nan)
        for fit, covered, *_ in (row for row in rows_of(inner) if row.replicate == number):
            assert sorted([*fit, *covered]) == train.tolist()
            for c, one in enumerate(candidates):
                within[c, covered] = one.fit(X[fit], Y[fit]).predict_proba(X[covered])[:, 1]
        best = int(np.argmin([round(loss(Y[train], w[train]), 9) for w in within]))
        output[test] = candidates[best].fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    value = loss(Y, output) * (1 if name in losses else -1)
    assert result.nested_error == pytest.approx(value)
    assert result.nested_interval.low <= value <= result.nested_interval.high <= 1
    assert result.n_fits == 3 * 4 + 3 * 12


def test_a_brier_score_has_the_paired_interval_by_hand() -> None:
    result = compare(Says(0), Says(1), P, Y, scoring="brier", rope=0.01, rng=4)
    tests = [test for _, _, test in splits_of(Holdout(0.1, repeats=25), 4)]
    a, b = (np.array([((P[s, c] - Y[s]) ** 2).mean() for s in tests]) for c in (0, 1))
    assert (result.error_a, result.error_b) == pytest.approx((a.mean(), b.mean()))
    se = np.sqrt((a - b).var(ddof=1) * (1 / 25 + 4 / 32))
    half = t(24).ppf(0.975) * se
    mean = (a - b).mean()
    assert (result.difference, result.standard_error) == pytest.approx((mean, se))
    assert (result.interval.low, result.interval.high) == pytest.approx((mean - half, mean + half))
    assert (result.practical.a_better, result.sign_test) == (pytest.approx(t(24).cdf((-0.01 - mean) / se)), None)
    assert result.n_fits == 50
    chosen = choose({"a": Says(0), "b": Says(1)}, P, Y, scoring="brier", method="cv(k=4)", rng=4)
    means = ((P[:, :2] - Y[:, None]) ** 2).mean(axis=0)
    assert {r.name: r.error for r in chosen.candidates} == pytest.approx(dict(zip("ab", means, strict=True)))


def test_splits_without_a_statistic_are_left_out_for_both_and_counted() -> None:
    splits = "holdout(test=1/10, repeats=25)"
    result = compare(Says(0), Says(1), P, Y, scoring="auc", rope=0.05, method=splits, rng=4)
    tests = [test for _, _, test in splits_of(Holdout(0.1, repeats=25), 4)]
    areas = np.array([[statistic("auc", Y[s], P[s, c]) for s in tests] for c in (0, 1)])
    known = ~np.isnan(areas[0])
    assert 2 <= (~known).sum() < 10
    a, b = areas[:, known]
    assert (result.error_a, result.error_b) == pytest.approx((a.mean(), b.mean()))
    se = np.sqrt((a - b).var(ddof=1) * (1 / known.sum() + 4 / 32))
    assert result.standard_error == pytest.approx(se)
    # of the AUC more is better
    assert result.practical.a_better == pytest.approx(t(known.sum() - 1).sf((0.05 - (a - b).mean()) / se))
    messages = [w for w in result.warnings if w.kind == "E602"]  # type: ignore[attr-defined]
    assert [w.split(",")[0] for w in messages] == [f"{(~known).sum()} of 25 splits test one class alone"]
    assert len(result.splits) == known.sum()
    with pytest.raises(UsageError, match=r"undefined on 36 of 36 splits .* ask for larger test sets"):
        compare(Says(0), Says(1), P, Y, scoring="auc", method="cv(k=n)", rng=4)


def test_draws_and_folds_without_a_statistic_are_counted() -> None:
    result = choose({"a": Says(0), "b": Says(1)}, P, RARE, scoring="auc", method="cv(k=9)", n_resamples=200, rng=4)
    messages = [w for w in result.warnings if w.kind == "E602"]  # type: ignore[attr-defined]
    folds, draws = messages
    assert "folds test one class alone" in folds
    assert "bootstrap of the cases" in folds
    number = int(draws.split()[0])
    streams = Streams.from_generator(np.random.default_rng(4))
    sampled = streams.generator("choose", 200).integers(36, size=(200, 36), dtype=np.int32)
    covered = [len(set(line.tolist()) & {32, 33, 34, 35}) for line in sampled]
    assert number == sum(h in (0, 4) for h in covered) > 0
    assert draws.startswith(f"{number} of 200 bootstrap samples")
    # the bootstrap's standard error and the quantile of the one pair, by hand
    inside = np.array(
        [[statistic("auc", RARE[s], P[s, c]) for c in (0, 1)] for s, h in zip(sampled, covered, strict=True) if h]
    )
    best = 0 if result.best == "a" else 1
    gaps, rival = inside[:, 1 - best] - inside[:, best], result.candidates[1]
    assert rival.difference == pytest.approx(rival.error - result.error)
    half = np.quantile(np.abs(gaps - rival.difference), 0.95)
    assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
    assert result.paired.startswith("bootstrap of the cases, max-T")


def test_a_log_loss_that_hangs_on_its_clip_is_reported_for_whom() -> None:
    result = choose(["naive-bayes", RAW_1NN], X, Y, scoring="log-loss", method="cv(k=4)", rng=1)
    assert [w.split(":")[0] for w in result.warnings if w.kind == "E305"] == ["knn(k=1)"]  # type: ignore[attr-defined]
    both = compare(RAW_1NN, "naive-bayes", X, Y, scoring="log-loss", rng=1)
    assert [w.split(":")[0] for w in both.warnings if w.kind == "E305"] == ["a"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("scoring", ["error", "auc", {"fn": 5, "fp": 1}])
def test_a_correction_that_noise_flatters_is_reported_and_nested_folds_take_the_warning_back(scoring: Any) -> None:
    candidates, options = ["knn", "knn(k=3)", "naive-bayes"], {"method": "cv(k=4)", "scoring": scoring, "rng": 1}
    (message,) = choose(candidates, X, NOISE, **options).warnings
    assert "nested='auto'" in message
    assert "best of three" in message
    assert choose(candidates, X, NOISE, nested="cv(k=3)", **options).warnings == ()
    assert "E601" not in kinds_of(choose(candidates, X + 5 * Y[:, None], Y, **options).warnings)


def test_a_score_of_labels_needs_no_probabilities_and_one_of_one_class_two_classes() -> None:
    assert choose(["majority", SVC()], X, Y, scoring="mcc", method="cv(k=3)", rng=0).n_fits == 6
    with pytest.raises(UsageError, match="speaks of one class and there are 3"):
        choose(["knn", "naive-bayes"], X, np.arange(36) % 3, scoring="auc", rng=0)
    with pytest.raises(UsageError, match="averages folds of one case"):
        compare("knn", "naive-bayes", X, Y, scoring="auc", method="cv(k=n, weights=folds)", rng=0)


def test_choosing_by_the_auc_averages_stratified_folds_and_finds_the_better_ranking() -> None:
    candidates = {"linear": LogisticRegression(C=0.001), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    pooled, result = [], []
    for seed in range(4):
        # sixty cases on which a much shrunken linear model ranks better than a small tree
        y = np.arange(60) % 2
        values = np.random.default_rng(seed).normal(size=(60, 10)) + 0.26 * y[:, None]
        result.append(choose(candidates, values, y, scoring="auc", n_resamples=50, rng=seed))
        pooled.append(choose(candidates, values, y, scoring="auc", method="cv(k=10)", n_resamples=50, rng=seed).best)
    assert {one.estimator for one in result} == {"cv(k=10, repeats=10, stratified=True, weights=folds)"}
    # pooled over folds that are not stratified, a constant ranking error of the linear model costs it the choice
    assert pooled.count("linear") <= 1
    assert [one.best for one in result].count("linear") >= 3


def test_the_auc_of_a_choice_is_the_mean_of_the_folds() -> None:
    estimator = "cv(k=4, repeats=2, stratified=True, weights=folds)"
    result = choose(["naive-bayes", "knn(k=5)"], X, Y, scoring="auc", method=estimator, n_resamples=20, rng=3)
    for rival in result.candidates:
        alone = estimate(rival.name, X, Y, scoring="auc", method=estimator, interval=None, rng=3)
        assert rival.error == pytest.approx(alone.estimate, abs=1e-12)


def test_folds_for_the_auc_are_no_more_than_cases_of_the_rarer_class() -> None:
    wanted = "cv(k=4, repeats=10, stratified=True, weights=folds)"
    assert choose(["knn", "naive-bayes"], X, RARE, scoring="auc", n_resamples=20, rng=1).estimator == wanted
    assert estimate("naive-bayes", X, RARE, scoring="auc", rng=1).estimator == wanted
    compared = compare("knn", "naive-bayes", X, RARE, scoring="auc", rng=1)
    assert compared.resamples == "k_fold(k=4, repeats=10, stratified=True)"
    others = choose(["knn", "naive-bayes"], X, Y, scoring="brier", n_resamples=20, rng=1)
    assert others.estimator == "cv(k=10, repeats=10)"


def test_nested_choosing_by_the_auc_averages_inner_folds() -> None:
    result = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested=True, n_resamples=20, rng=2)
    assert result.nested_interval.method == "corrected-t on nested k_fold(k=5, stratified=True)"
    assert 0 <= result.nested_error <= 1
    named = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested="auto", n_resamples=20, rng=2)
    assert named.nested_error == result.nested_error
