"""Choosing and comparing by a score: by hand, by plain loops with scikit-learn's scores, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
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

from errorest import choose, compare, estimate
from errorest.assessment.caution import kinds_of
from errorest.assessment.choosing.nested import draw_within
from errorest.assessment.inputs import prepare
from errorest.assessment.runs import draw
from errorest.cli.main import main
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.metrics import METRICS, Statistic, parse_metric
from errorest.estimation.metrics.ranking import Auc
from errorest.inducers.base import predict_by_loop, predict_proba_by_loop
from errorest.resampling.multisets import Resamples
from errorest.resampling.schemes import Holdout, KFold
from errorest.streams import Streams

RAW_1NN = "knn(k=1, standardize=none)"

RNG = np.random.default_rng(7)
Y = np.repeat([0, 1], 18)
X = RNG.normal(size=(36, 3)) + 1.2 * Y[:, None]
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


SIX = np.array([[0.1, 0.2], [0.4, 0.3], [0.6, 0.5], [0.5, 0.1], [0.7, 0.5], [0.9, 0.8]])
SIX_Y = [0, 0, 0, 1, 1, 1]


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


def out_of_fold(candidates: list[Any], repeats: int, k: int, seed: int) -> np.ndarray:
    """Probabilities of the second class, shape (candidates, repetitions, n), by a plain loop over the same folds."""
    scheme = KFold(k, repeats=repeats)
    folds = draw(prepare("knn", X, Y), [scheme], Streams.from_generator(np.random.default_rng(seed)))[0][scheme]
    out = np.empty((len(candidates), repeats, 36))
    for row in range(folds.n_rows):
        train = np.flatnonzero(folds.training_counts(row, row + 1)[0])
        test = folds.cases[folds.start[row] : folds.start[row + 1]]
        for c, one in enumerate(candidates):
            out[c, folds.replicate[row], test] = one.fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    return out


def test_the_auc_of_two_candidates_is_that_by_hand() -> None:
    # a: 8 of 9 pairs in order; b: 5 of 9 and one tie
    result = choose({"b": Says(1), "a": Says(0)}, SIX, SIX_Y, scoring="auc", method="cv(k=3)", rng=1)
    assert result.best == "a"
    assert [r.name for r in result.candidates] == ["a", "b"]
    assert [r.error for r in result.candidates] == pytest.approx([8 / 9, 5.5 / 9])
    assert result.error == pytest.approx(8 / 9)
    assert result.interval.low <= result.corrected_error <= result.interval.high <= 1
    # every stratified fold has a case of each class: its AUC is 0, 1/2 or 1
    estimator = "cv(k=3, repeats=2, stratified=True)"
    folded = choose({"b": Says(1), "a": Says(0)}, SIX, SIX_Y, scoring="auc", method=estimator, rng=1)
    scheme = KFold(3, repeats=2, stratified=True)
    streams = Streams.from_generator(np.random.default_rng(1))
    folds = draw(prepare("knn", SIX, SIX_Y), [scheme], streams)[0][scheme]
    behind = []
    for row in range(6):
        low, high = sorted(folds.cases[folds.start[row] : folds.start[row + 1]])
        a, b = ((np.sign(SIX[high, c] - SIX[low, c]) + 1) / 2 for c in (0, 1))
        behind.append(b - a)
    se = np.sqrt(np.var(behind, ddof=1) * (1 / 6 + 2 / 4))
    rival = folded.candidates[1]
    assert rival.difference == pytest.approx(rival.error - folded.error)
    half = t(5).ppf(0.975) * se
    assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
    assert folded.paired.startswith(f"corrected-t on {estimator}, max-T")


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("grouped", [False, True])
def test_the_corrected_statistic_is_that_of_a_plain_loop(name: str, grouped: bool) -> None:
    candidates = [KNeighborsClassifier(k) for k in (1, 3, 7)]
    groups = np.arange(36) // 2 if grouped else None
    draws, repeats = 30, 2
    options = {
        "groups": groups,
        "method": "cv(k=4, repeats=2)",
        "n_resamples": draws,
        "confidence_level": 0.8,
        "rng": 9,
    }
    result = choose(candidates, X, Y, scoring=name, **options)
    if grouped:
        # whole groups are in a fold: the same loop over the folds of groups
        scheme = KFold(4, repeats=2)
        problem = prepare("knn", X, Y, groups=groups)
        folds = draw(problem, [scheme], Streams.from_generator(np.random.default_rng(9)))[0][scheme]
        output = np.empty((3, repeats, 36))
        for row in range(folds.n_rows):
            train = np.flatnonzero(folds.training_counts(row, row + 1)[0])
            test = folds.cases[folds.start[row] : folds.start[row + 1]]
            for c, one in enumerate(candidates):
                output[c, folds.replicate[row], test] = one.fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    else:
        output = out_of_fold(candidates, repeats, 4, 9)
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
    assert own.corrected_error == pytest.approx(auc.corrected_error)
    assert own.best == auc.best


@pytest.mark.parametrize("name", ["auc", "mcc", "brier"])
def test_nested_cross_validation_by_a_score_is_that_of_a_plain_loop(name: str) -> None:
    candidates = [KNeighborsClassifier(k) for k in (3, 5, 9)]
    result = choose(candidates, X, Y, scoring=name, method="cv(k=4)", nested="cv(k=3)", rng=9)
    problem, streams = prepare("knn", X, Y), Streams.from_generator(np.random.default_rng(9))
    outer = draw(problem, [KFold(4)], streams)[0][KFold(4)]
    inner = draw_within(problem, outer, KFold(3), streams)

    def loss(y: np.ndarray, p: np.ndarray) -> float:
        return float(np.mean((p - y) ** 2)) if name == "brier" else -statistic(name, y, p)

    output = np.empty(36)
    for row in range(4):
        train = np.flatnonzero(outer.training_counts(row, row + 1)[0])
        test = outer.cases[outer.start[row] : outer.start[row + 1]]
        within = np.full((3, 36), np.nan)
        for r in np.flatnonzero(inner.replicate == row):
            fit = np.flatnonzero(inner.training_counts(r, r + 1)[0])
            covered = inner.cases[inner.start[r] : inner.start[r + 1]]
            for c, one in enumerate(candidates):
                within[c, covered] = one.fit(X[fit], Y[fit]).predict_proba(X[covered])[:, 1]
        best = int(np.argmin([round(loss(Y[train], w[train]), 9) for w in within]))
        output[test] = candidates[best].fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
    value = loss(Y, output) * (1 if name == "brier" else -1)
    assert result.nested_error == pytest.approx(value)
    assert result.nested_interval is not None
    assert result.nested_interval.low <= value <= result.nested_interval.high
    assert result.nested_interval.high <= 1


def test_a_brier_score_has_the_paired_interval_by_hand() -> None:
    p = 1 / (1 + np.exp(-X))
    result = compare(Says(0), Says(1), p, Y, scoring="brier", rope=0.01, rng=4)
    scheme = Holdout(0.1, repeats=25)
    sampled = draw(prepare("knn", p, Y), [scheme], Streams.from_generator(np.random.default_rng(4)))[0][scheme]
    tests = [sampled.cases[sampled.start[i] : sampled.start[i + 1]] for i in range(25)]
    a, b = (np.array([((p[s, c] - Y[s]) ** 2).mean() for s in tests]) for c in (0, 1))
    assert (result.error_a, result.error_b) == pytest.approx((a.mean(), b.mean()))
    se = np.sqrt((a - b).var(ddof=1) * (1 / 25 + 4 / 32))
    half = t(24).ppf(0.975) * se
    mean = (a - b).mean()
    assert (result.difference, result.standard_error) == pytest.approx((mean, se))
    assert (result.interval.low, result.interval.high) == pytest.approx((mean - half, mean + half))
    assert result.practical is not None
    assert result.practical.a_better == pytest.approx(t(24).cdf((-0.01 - mean) / se))
    assert result.sign_test is None
    assert result.n_fits == 50
    chosen = choose({"a": Says(0), "b": Says(1)}, p, Y, scoring="brier", method="cv(k=4)", rng=4)
    means = ((p[:, :2] - Y[:, None]) ** 2).mean(axis=0)
    assert {r.name: r.error for r in chosen.candidates} == pytest.approx(dict(zip("ab", means, strict=True)))


def test_splits_without_a_statistic_are_left_out_for_both_and_counted() -> None:
    p = 1 / (1 + np.exp(-X))
    splits = "holdout(test=1/10, repeats=25)"
    result = compare(Says(0), Says(1), p, Y, scoring="auc", rope=0.05, method=splits, rng=4)
    scheme = Holdout(0.1, repeats=25)
    sampled = draw(prepare("knn", p, Y), [scheme], Streams.from_generator(np.random.default_rng(4)))[0][scheme]
    tests = [sampled.cases[sampled.start[i] : sampled.start[i + 1]] for i in range(25)]
    areas = np.array([[statistic("auc", Y[s], p[s, c]) for s in tests] for c in (0, 1)])
    known = ~np.isnan(areas[0])
    assert 2 <= (~known).sum() < 10
    a, b = areas[:, known]
    assert (result.error_a, result.error_b) == pytest.approx((a.mean(), b.mean()))
    se = np.sqrt((a - b).var(ddof=1) * (1 / known.sum() + 4 / 32))
    assert result.standard_error == pytest.approx(se)
    assert result.practical is not None
    # of the AUC more is better
    assert result.practical.a_better == pytest.approx(t(known.sum() - 1).sf((0.05 - (a - b).mean()) / se))
    messages = [w for w in result.warnings if w.kind == "E602"]  # type: ignore[attr-defined]
    assert [w.split(",")[0] for w in messages] == [f"{(~known).sum()} of 25 splits test one class alone"]
    assert len(result.splits) == known.sum()
    hushed = compare(Says(0), Says(1), p, Y, scoring="auc", method=splits, rng=4, ignore="E602")
    assert "E602" not in kinds_of(hushed.warnings)
    with pytest.raises(UsageError, match=r"undefined on 36 of 36 splits .* ask for larger test sets"):
        compare(Says(0), Says(1), p, Y, scoring="auc", method="cv(k=n)", rng=4)


def test_draws_and_folds_without_a_statistic_are_counted() -> None:
    p = 1 / (1 + np.exp(-X))
    rare = np.r_[np.zeros(32, dtype=int), np.ones(4, dtype=int)]
    result = choose({"a": Says(0), "b": Says(1)}, p, rare, scoring="auc", method="cv(k=9)", rng=4)
    messages = [w for w in result.warnings if w.kind == "E602"]  # type: ignore[attr-defined]
    folds, draws = messages
    assert "folds test one class alone" in folds
    assert "bootstrap of the cases" in folds
    number = int(draws.split()[0])
    streams = Streams.from_generator(np.random.default_rng(4))
    sampled = streams.generator("choose", 1000).integers(36, size=(1000, 36), dtype=np.int32)
    covered = [len(set(line.tolist()) & {32, 33, 34, 35}) for line in sampled]
    assert number == sum(h in (0, 4) for h in covered) > 0
    assert draws.startswith(f"{number} of 1000 bootstrap samples")
    # the bootstrap's standard error and the quantile of the one pair, by hand
    inside = np.array(
        [[statistic("auc", rare[s], p[s, c]) for c in (0, 1)] for s, h in zip(sampled, covered, strict=True) if h]
    )
    best = 0 if result.best == "a" else 1
    gaps, rival = inside[:, 1 - best] - inside[:, best], result.candidates[1]
    assert rival.difference == pytest.approx(rival.error - result.error)
    half = np.quantile(np.abs(gaps - rival.difference), 0.95)
    assert (rival.low, rival.high) == pytest.approx((rival.difference - half, rival.difference + half))
    assert result.paired.startswith("bootstrap of the cases, max-T")


def test_what_fails_for_one_is_left_out_for_all() -> None:
    class Fussy(DecisionTreeClassifier):
        def fit(self, X: Any, y: Any) -> Any:
            if 0.0 not in np.asarray(X)[:, 0].tolist():
                raise ValueError("no zero")
            return super().fit(X, y)

    values = np.column_stack([np.arange(36.0), X])
    candidates = [KNeighborsClassifier(3), Fussy(max_depth=2)]
    options: dict[str, Any] = {"scoring": "auc", "method": "cv(k=4)", "error_score": float("nan"), "rng": 1}
    result = choose(candidates, values, Y, **options)
    folds = draw(prepare("knn", values, Y), [KFold(4)], Streams.from_generator(np.random.default_rng(1)))[0][KFold(4)]
    output, tested = np.empty(36), []
    for row in range(4):
        train = np.flatnonzero(folds.training_counts(row, row + 1)[0])
        if 0 in train:
            test = folds.cases[folds.start[row] : folds.start[row + 1]]
            output[test] = candidates[0].fit(values[train], Y[train]).predict_proba(values[test])[:, 1]
            tested += test.tolist()
    assert len(tested) == 27
    errors = {r.position: r.error for r in result.candidates}
    assert errors[0] == pytest.approx(metrics.roc_auc_score(Y[tested], output[tested]))


def test_results_name_the_score_and_its_direction(tmp_path: Path) -> None:
    candidates = ["majority", "naive-bayes", "knn(k=3)"]
    result = choose(candidates, X, Y, scoring="mcc", method="cv(k=4, stratified=True)", rng=1)
    lines = dict(result.lines())
    assert lines["corrected"].endswith("Matthews correlation of this choice")
    assert "optimistic since" in lines["best"]
    assert lines["score"] == "mcc"
    assert result.candidates[-1].name == "majority"
    assert result.candidates[-1].worse
    assert result.candidates[-1].difference < 0
    assert "majority" not in result.level
    report = result.to_dict()
    assert report["score"] == "mcc"
    assert report["greater_is_better"] is True
    assert report["loss"] is report["constant"] is None
    assert report["corrected_value"] == result.corrected_error
    assert "error" not in json.dumps(report)
    assert "value" in result.table
    page = tmp_path / "page.html"
    result.to_html(page)
    text = page.read_text()
    assert "<h1>Which of three classifiers has the highest Matthews correlation?</h1>" in text
    # its own column, and nothing that speaks of errors but the name of the package
    assert "error" not in text.replace("errorest", "")
    area = choose(["naive-bayes", "knn(k=3)"], X, Y, scoring="auc", pos_label=0, method="cv(k=4)", rng=1)
    assert dict(area.lines())["score"] == "auc of 0"
    assert dict(area.lines())["held against"] == "a random ranking: 0.5"
    brier = choose(["naive-bayes", "knn(k=3)"], X, Y, scoring="brier", method="cv(k=4)", rng=1)
    assert "optimistic since" in dict(brier.lines())["best"]
    assert not brier.greater_is_better


def test_a_comparison_names_the_score_and_its_direction(tmp_path: Path) -> None:
    options: dict[str, Any] = {"method": "cv(k=4, repeats=3, stratified=True)", "rng": 1}
    result = compare("naive-bayes", "majority", X, Y, scoring="balanced-accuracy", **options)
    assert result.verdict.endswith("a (naive-bayes(var_smoothing=1e-09)) has the higher balanced accuracy")
    assert result.difference > 0
    assert "error" not in json.dumps(result.to_dict()).replace("standard_error", "")
    assert result.sign_test is not None
    assert dict(result.lines())["sign test"].endswith("(of labels, not the balanced accuracy)")
    page = tmp_path / "page.html"
    result.to_html(page)
    text = page.read_text()
    assert "<h1>Which has the higher balanced accuracy, naive-bayes(var_smoothing=1e-09) or majority?</h1>" in text
    assert "Right of the dashed line a is better" in text
    assert "Error rate" not in text
    p = np.column_stack([0.1 + 0.8 * Y, np.full(36, 0.5)])
    other = compare(Says(1), Says(0), p, Y, scoring="log-loss", **options)
    assert other.verdict.endswith("b (Says()) has the lower log loss") or "has the lower log loss" in other.verdict
    assert other.verdict.split(": ")[1].startswith("b ")
    assert dict(other.lines())["sign test"].startswith("none: it counts wrong labels")
    assert other.to_dict()["sign_test"] is None


def test_a_log_loss_that_hangs_on_its_clip_is_reported_for_whom() -> None:
    result = choose(["naive-bayes", RAW_1NN], X, Y, scoring="log-loss", method="cv(k=4)", rng=1)
    assert [w.split(":")[0] for w in result.warnings if w.kind == "E305"] == ["knn(k=1)"]  # type: ignore[attr-defined]
    both = compare(RAW_1NN, "naive-bayes", X, Y, scoring="log-loss", rng=1)
    assert [w.split(":")[0] for w in both.warnings if w.kind == "E305"] == ["a"]  # type: ignore[attr-defined]


def test_a_correction_that_noise_flatters_is_reported_and_nested_folds_take_the_caution_back() -> None:
    candidates = ["knn", "knn(k=3)", "naive-bayes"]
    for options in ({}, {"scoring": "auc"}, {"scoring": "brier"}, {"scoring": {"fn": 5, "fp": 1}}):
        result = choose(candidates, X, NOISE, method="cv(k=4)", rng=1, **options)
        messages = [w for w in result.warnings if w.kind == "E601"]  # type: ignore[attr-defined]
        assert len(messages) == 1
        assert "nested='auto'" in messages[0]
        assert "best of three" in messages[0]
        nested = choose(candidates, X, NOISE, method="cv(k=4)", nested="cv(k=3)", rng=1, **options)
        assert "E601" not in kinds_of(nested.warnings)
    far = X + 5 * Y[:, None]
    for options in ({}, {"scoring": "auc"}, {"scoring": "brier"}):
        clear = choose(candidates, far, Y, method="cv(k=4)", rng=1, **options)
        assert "E601" not in kinds_of(clear.warnings)
    silent = choose(candidates, X, NOISE, method="cv(k=4)", rng=1, ignore="E601")
    assert silent.warnings == ()


class Strange(DecisionTreeClassifier):
    def predict_proba(self, X: Any, check_input: bool = True) -> np.ndarray:
        return np.full((len(X), 2), np.nan)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"scoring": "acu"}, "did you mean 'auc'"),
        ({"scoring": 3}, "costs or one of brier"),
        ({"pos_label": 1}, "pos_label = 1 was given and scoring is no score of one class"),
        ({"scoring": "auc", "pos_label": 7}, "pos_label = '7' was given"),
        ({"scoring": "calibration-slope"}, "take brier, log-loss or auc"),
        ({"scoring": "calibration-intercept"}, "take brier, log-loss or auc"),
        ({"scoring": "log-loss(clip=2)"}, "clip = 2"),
    ],
)
def test_what_is_no_score_to_go_by_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as one:
        choose(["knn", "naive-bayes"], X, Y, rng=0, **more)
    with pytest.raises(UsageError, match=message) as two:
        compare("knn", "naive-bayes", X, Y, rng=0, **more)
    assert "\n" not in str(one.value) + str(two.value)


def test_what_does_not_go_with_a_score_is_refused() -> None:
    rivals: tuple[tuple[Any, str], ...] = (
        (SVC(), "has no predict_proba and score auc"),
        ("svm", "tells labels alone and score auc"),
        (Strange(), "that are no probabilities"),
    )
    for rival, message in rivals:
        with pytest.raises(UsageError, match=message):
            choose(["naive-bayes", rival], X, Y, scoring="auc", method="cv(k=3)", rng=0)
        with pytest.raises(UsageError, match=message):
            compare("naive-bayes", rival, X, Y, scoring="auc", method="cv(k=3)", rng=0)
    for score in ("mcc", "f1"):
        assert choose(["majority", SVC()], X, Y, scoring=score, method="cv(k=3)", rng=0).n_fits == 6
    three = np.arange(36) % 3
    with pytest.raises(UsageError, match="speaks of one class and there are 3"):
        choose(["knn", "naive-bayes"], X, three, scoring="auc", rng=0)
    with pytest.raises(UsageError, match="averages folds of one case"):
        compare("knn", "naive-bayes", X, Y, scoring="auc", method="cv(k=n, weights=folds)", rng=0)
    with pytest.raises(UsageError, match="rope = -1"):
        compare("knn", "naive-bayes", X, Y, scoring="auc", rope=-1, rng=0)
    with pytest.raises(UsageError, match="n_resamples = 0"):
        choose(["knn", "naive-bayes"], X, Y, scoring="auc", n_resamples=0, rng=0)


def weak_and_weaker(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Sixty cases on which a much shrunken linear model ranks better than a small tree."""
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 2
    return rng.normal(size=(60, 10)) + 0.26 * y[:, None], y


def test_choosing_by_the_auc_averages_stratified_folds_and_finds_the_better_ranking() -> None:
    candidates = {"linear": LogisticRegression(C=0.001), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    pooled, result = [], []
    for seed in range(8):
        values, y = weak_and_weaker(seed)
        result.append(choose(candidates, values, y, scoring="auc", n_resamples=50, rng=seed))
        pooled.append(choose(candidates, values, y, scoring="auc", method="cv(k=10)", n_resamples=50, rng=seed).best)
    assert {one.estimator for one in result} == {"cv(k=10, repeats=10, stratified=True, weights=folds)"}
    # pooled over folds that are not stratified, a constant ranking error of the linear model costs it the choice
    assert pooled.count("linear") <= 2
    assert [one.best for one in result].count("linear") >= 6


def test_the_auc_of_a_choice_is_the_mean_of_the_folds() -> None:
    estimator = "cv(k=4, repeats=2, stratified=True, weights=folds)"
    result = choose(["naive-bayes", "knn(k=5)"], X, Y, scoring="auc", method=estimator, n_resamples=20, rng=3)
    for rival in result.candidates:
        alone = estimate(rival.name, X, Y, scoring="auc", method=estimator, interval=None, rng=3)
        assert rival.error == pytest.approx(alone.estimate, abs=1e-12)


def test_folds_for_the_auc_are_no_more_than_cases_of_the_rarer_class() -> None:
    rare = np.r_[np.zeros(32, dtype=int), np.ones(4, dtype=int)]
    wanted = "cv(k=4, repeats=10, stratified=True, weights=folds)"
    assert choose(["knn", "naive-bayes"], X, rare, scoring="auc", n_resamples=20, rng=1).estimator == wanted
    assert estimate("naive-bayes", X, rare, scoring="auc", rng=1).estimator == wanted
    compared = compare("knn", "naive-bayes", X, rare, scoring="auc", rng=1)
    assert compared.resamples == "k_fold(k=4, repeats=10, stratified=True)"
    others = choose(["knn", "naive-bayes"], X, Y, scoring="brier", n_resamples=20, rng=1)
    assert others.estimator == "cv(k=10, repeats=10)"


def test_nested_choosing_by_the_auc_averages_inner_folds() -> None:
    result = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested=True, n_resamples=20, rng=2)
    assert result.nested_interval is not None
    assert result.nested_interval.method == "corrected-t on nested k_fold(k=5, stratified=True)"
    assert 0 <= result.nested_error <= 1
    named = choose(["knn(k=3)", "naive-bayes"], X, Y, scoring="auc", nested="auto", n_resamples=20, rng=2)
    assert named.nested_error == result.nested_error


def test_the_command_nests_by_the_folds_that_suit_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [
        "choose",
        data(tmp_path),
        "--candidates",
        "knn(k=3)",
        "naive-bayes",
        "--n-resamples",
        "20",
        "--nested",
        "auto",
    ]
    for score, folds in (("auc", "k_fold(k=5, stratified=True)"), ("brier", "k_fold(k=5)")):
        assert main([*chosen, "--scoring", score]) == 0
        assert f"corrected-t on nested {folds}" in capsys.readouterr().out


def data(tmp_path: Path) -> str:
    file = tmp_path / "data.csv"
    file.write_text(
        "x,y,z,class\n" + "".join(f"{a:.3f},{b:.3f},{c:.3f},c{k}\n" for (a, b, c), k in zip(X, Y, strict=True))
    )
    return str(file)


def test_the_commands_take_a_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = data(tmp_path), tmp_path / "page.html"
    chosen = ["choose", file, "--candidates", "knn(k=3)", "naive-bayes", "--method", "cv(k=4, stratified=True)"]
    assert main([*chosen, "--scoring", "auc", "--pos-label", "c0", "--json", "--html", str(page)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["score"], report["pos_label"]) == ("auc", "c0")
    assert "highest area under the ROC curve" in page.read_text()
    compared = ["compare", file, "--a", "knn(k=3)", "--b", "naive-bayes", "--method", "cv(k=4, stratified=True)"]
    assert main([*compared, "--scoring", "brier", "--rope", "0.01"]) == 0
    out = capsys.readouterr()
    assert "Brier score" in out.out
    assert "none: it counts wrong labels" in out.out
    # four folds for each, and no holdout for a sign test
    assert "cost: 8 fits" in out.err
    assert main([*compared, "--scoring", "mcc", "--json"]) == 0
    out = capsys.readouterr()
    assert "cost: 10 fits" in out.err
    assert json.loads(out.out)["fits"] == 10


@pytest.mark.parametrize(
    "more",
    [
        ["--scoring", "acu"],
        ["--scoring", "auc", "--pos-label", "c7"],
        ["--pos-label", "c1"],
        ["--scoring", "calibration-slope"],
    ],
)
def test_the_commands_refuse_in_one_line_and_write_nothing(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = data(tmp_path), tmp_path / "page.html"
    for command in (
        ["choose", file, "--candidates", "knn", "naive-bayes"],
        ["compare", file, "--a", "knn", "--b", "naive-bayes"],
        ["choose", file, "--candidates", "svm", "naive-bayes", "--scoring", "auc"],
    ):
        assert main([*command, "--html", str(page), *more]) == 2
        err = capsys.readouterr().err
        assert err.count("error:") == 1
        assert not page.exists()


class Shrunken:
    """Log odds of the class shares plus a little of the first attribute, as strong regularisation leaves them."""

    id = "shrunken"
    shares: np.ndarray
    slope: np.ndarray

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Shrunken:
        made = Shrunken()
        made.shares = np.log(np.bincount(sample.y, minlength=2) + 0.5)
        made.slope = 0.01 * (sample.X[sample.y == 1].mean(axis=0) - sample.X[sample.y == 0].mean(axis=0))
        return made

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        p = 1 / (1 + np.exp(self.shares[0] - self.shares[1] - X @ self.slope))
        return np.stack([1 - p, p], axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.predict_proba(X).argmax(axis=1)

    def predict_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        return predict_by_loop(self, sample, resamples)

    def predict_proba_resamples(
        self, sample: Sample, resamples: Resamples, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        return predict_proba_by_loop(self, sample, resamples)


def test_the_default_chooses_the_better_of_a_shrunken_rule_and_a_tree_more_often_than_pooled_folds() -> None:
    # pooling ranks cases by the class shares of their training sets, which is nearly all that the rule says
    results: dict[str, list[str]] = {"auto": [], "cv(k=10)": []}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.arange(60) % 2
        x = rng.normal(size=(60, 2)) + y[:, None] / np.sqrt(2)
        for method, names in results.items():
            made = choose([Shrunken(), "c4.5"], x, y, scoring="auc", method=method, n_resamples=20, rng=seed)
            names.append(made.best)
    # five of five against at most one: by chance less than once in a hundred times
    assert results["auto"].count("shrunken") == 5
    assert results["cv(k=10)"].count("shrunken") <= 1
