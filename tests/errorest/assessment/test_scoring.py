"""What is measured: costs however they are written, scores, scikit-learn's scorers; and what is refused."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    f1_score,
    get_scorer,
    log_loss,
    make_scorer,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

from batteries import Scripted, assert_refused
from errorest import choose, compare, estimate, from_predictions, permutation_test
from errorest.assessment.cost_tables import cost_table, costs_in_words
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 2))
Y = np.where(X[:, 0] + RNG.normal(size=40) > 0.7, "yes", "no")
LABELS, COUNTS = np.unique(Y, return_counts=True)
CODES = (Y == "yes").astype(int)
ABC = np.array(["a", "b", "c"])
FOLDS, PAIRS = StratifiedKFold(4), np.arange(40) // 2


def found(**changes: Any) -> Any:
    return estimate("knn", X, Y, **{"method": "cv(k=5)", "rng": 0, **changes})


def test_the_balanced_error_is_the_mean_of_the_classes_errors() -> None:
    for y, majority_error in ((Y, 1 / 2), (np.where(X[:, 1] > 0.8, "c", Y), 2 / 3)):
        report = estimate("knn", X, y, method="cv(k=5)", scoring="balanced", rng=0)
        table = report.predictions.to_frame()
        assert report.value == pytest.approx(1 - balanced_accuracy_score(table["y_true"], table["y_pred"]))
        assert report.baseline.value == pytest.approx(majority_error)


@pytest.mark.parametrize(
    "loss",
    [
        {"fn": 5, "fp": 1},
        {"fn": 1, "fp": 5, "pos_label": "no"},
        "fn=5, fp=1",
        " fp = 1 ,fn=5,pos_label=yes",
        {"no": 1, "yes": 5},
        "yes=5,no=1",
        [[0, 1], [5, 0]],
        np.array([[0.0, 1.0], [5.0, 0.0]]),
        pd.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"]),
        lambda true, said: np.where(true == "yes", 5.0, 1.0) * (true != said),
    ],
)
def test_costs_are_the_same_however_they_are_written(loss: Any) -> None:
    report = found(scoring=loss)
    table = report.predictions.to_frame()
    each = np.where(table["y_true"] == "yes", 5.0, 1.0) * (table["y_true"] != table["y_pred"])
    assert report.value == pytest.approx(each.mean())
    assert not report.metric.percent
    # always 'no' costs five for each 'yes', always 'yes' one for each 'no'
    assert report.baseline.value == pytest.approx(min(5 * COUNTS[1], COUNTS[0]) / 40)


def test_limits_of_a_cost_lie_between_the_least_and_the_largest_cost() -> None:
    y = np.where(np.arange(24) % 12 == 0, "yes", "no")
    sure = (y == "yes").astype(float)[:, None] + 0.01 * np.arange(24)[:, None]
    report = estimate("knn", sure, y, scoring={"fn": 9, "fp": 1}, interval="corrected-t", rng=1)
    wide = estimate("majority", sure, y, scoring={"fn": 9, "fp": 1}, interval="corrected-t", rng=1)
    for one in (report, wide):
        assert 0 <= one.interval.low <= one.interval.high <= 9
    assert wide.interval.low == 0, "the plain limit is negative"
    gains = estimate("majority", sure, y, scoring=lambda true, said: np.where(true == said, -1.0, 1.0), rng=1)
    assert gains.interval.low < 0


def test_costs_of_one_are_the_error_rate() -> None:
    for loss in ({"fn": 1, "fp": 1}, [[0, 1], [1, 0]], "no=1,yes=1", lambda a, b: (a != b).astype(float)):
        assert str(found(scoring=loss).metric) == "error"
        assert found(scoring=loss).value == found().value


@pytest.mark.parametrize(
    "text",
    [
        "true,c,a,b\nb,1,2,0\na,5,0,1\nc,0,3,4\n",
        ";a;b;c\na;0;1;5\n\nb;2;0;1\nc;3;4;0\n",
        "\ufefftrue,a,b,c\n a ,0,1,5.0\nb,2,0,1\nc,3,4e0,0\n",
    ],
)
def test_costs_of_three_classes_come_from_a_file(text: str, tmp_path: Path) -> None:
    place = tmp_path / "costs.csv"
    place.write_text(text, encoding="utf-8")
    assert cost_table(str(place), ABC, "abc").tolist() == [[0, 1, 5], [2, 0, 1], [3, 4, 0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("true,a,b\na,0,1\nb,1,0\n", "expected the classes a, b, c in both"),
        ("true,a,b,c\na,0,1,1\na,1,0,1\nc,1,1,0\n", "rows a, a, c"),
        ("true,a,b,c\na,0,1,\nb,1,0,1\nc,1,1,0\n", "line 2 has '' as the cost of 'a' taken for 'c'"),
        ("true,a,b,c\na,0,1,much\nb,1,0,1\nc,1,1,0\n", "'much'"),
        ("true,a,b,c\na,0,1,inf\nb,1,0,1\nc,1,1,0\n", "'inf'"),
        ("true,a,b,c\na,0,0,0\nb,0,0,0\nc,0,0,0\n", "no wrong answer costs anything"),
        ("0,1,1\n1,0,1\n1,1,0\n", "only numbers"),
        ("", "the file is empty"),
        (None, "No such file"),
    ],
)
def test_a_file_of_costs_that_makes_no_sense_is_refused(text: str | None, words: str, tmp_path: Path) -> None:
    place = tmp_path / "costs.csv"
    if text is not None:
        place.write_text(text)
    assert_refused(words, cost_table, str(place), ABC, "abc")


def test_false_negatives_need_two_classes() -> None:
    assert_refused("for 3 classes", cost_table, {"fn": 5, "fp": 1}, ABC, "abc")
    names = ["fn", "fp"]
    assert costs_in_words(cost_table({"fn": 2, "fp": 3}, np.array(names), names), names).startswith("3 for 'fp'")


def test_a_foreign_classifier_scores_as_ours_whatever_the_workers() -> None:
    options: dict[str, Any] = {"scoring": "brier", "method": "cv(k=5)", "rng": 3}
    theirs = [estimate(KNeighborsClassifier(5), X, Y, **options, n_jobs=jobs) for jobs in (1, 2)]
    ours = estimate("knn(standardize=none)", X, Y, **options)
    assert theirs[0].value == theirs[1].value == pytest.approx(ours.value, abs=1e-12)
    assert theirs[0].interval.low == pytest.approx(ours.interval.low)


def test_resamples_of_one_class_are_left_out_and_counted() -> None:
    result = estimate("naive-bayes", X, Y, scoring="auc", method="cv(k=20, weights=folds)", rng=3)
    counted = [w for w in result.warnings if "test one class alone" in w]
    assert [w.id for w in counted] == ["E308"]
    left = int(counted[0].split()[0])
    assert 5 < left < 20
    assert counted[0].startswith(f"{left} of 20 resamples")


def test_scores_of_several_classes_need_to_know_of_which() -> None:
    y = ABC[np.arange(40) % 3]
    with pytest.raises(UsageError, match=r"about one class.*name it with pos_label, one of a, b, c"):
        estimate("knn", X, y, scoring="auc", rng=1)
    assert estimate("knn", X, y, scoring="auc", pos_label="b", rng=1).metric.pos_label == "b"
    assert estimate("knn", X, y, scoring="mcc", rng=1).metric.pos_label == ""
    assert estimate("knn", X, y, scoring="brier", method="loo", rng=1).interval.high <= 2


def test_the_log_loss_tells_how_much_of_it_is_clipping() -> None:
    result = estimate("knn", X, Y, scoring="log-loss", method="loo", rng=1)
    assert ["which costs 34.5 each" in w for w in result.warnings if w.id == "E305"] == [True]
    smooth = estimate("naive-bayes", X, Y, scoring="log-loss", method="loo", rng=1)
    assert not any("impossible" in w for w in smooth.warnings)


THREE_CODES = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
SCORERS = [
    *((name, CODES) for name in ("roc_auc", "balanced_accuracy", "matthews_corrcoef", "f1", "recall")),
    *((name, CODES) for name in ("neg_brier_score", "neg_log_loss", "average_precision", "accuracy")),
    *((name, CODES) for name in ("precision", "jaccard", "f1_weighted", "precision_macro")),
    *((name, THREE_CODES) for name in ("roc_auc_ovr", "f1_macro")),
]


@pytest.mark.parametrize("given", [str, get_scorer])
@pytest.mark.parametrize(("name", "y"), SCORERS)
def test_a_scorer_gives_what_scikit_learn_gives(name: str, y: np.ndarray, given: Any) -> None:
    result = estimate(GaussianNB(), X, y, method=FOLDS, scoring=given(name), rng=1)
    score = cross_val_score(GaussianNB(), X, y, cv=FOLDS, scoring=name).mean()
    wanted = {"neg_brier_score": -score, "neg_log_loss": -score}.get(name, score)
    assert result.value == pytest.approx(wanted, rel=1e-12)
    of_one_class = ("roc_auc", "f1", "recall", "average_precision", "precision")
    assert (result.metric.pos_label == "1") == (name in of_one_class)


def test_the_positive_class_is_that_of_the_scorer() -> None:
    twos = CODES + 1
    recall, f1 = make_scorer(recall_score), make_scorer(f1_score, pos_label=2)
    for scorer, label in (("recall", "1"), (recall, "1"), (f1, "2")):
        result = estimate(GaussianNB(), X, twos, method=FOLDS, scoring=scorer, rng=1)
        assert result.metric.pos_label == label
        scores = cross_val_score(GaussianNB(), X, twos, cv=FOLDS, scoring=scorer)
        assert result.value == pytest.approx(scores.mean(), rel=1e-12)
    assert estimate("naive-bayes", X, Y, scoring="recall", pos_label="no", rng=1).metric.pos_label == "no"
    with pytest.raises(UsageError, match="a scorer of 'yes'"):
        estimate("naive-bayes", X, Y, scoring=make_scorer(f1_score, pos_label="yes"), pos_label="no")


def test_every_function_takes_scorers() -> None:
    assert compare("naive-bayes", "knn", X, CODES, scoring="neg_brier_score", rng=1).metric.id == "brier"
    scorer = get_scorer("balanced_accuracy")
    result = permutation_test("naive-bayes", X, CODES, scoring=scorer, n_permutations=9, rng=1)
    assert result.metric.id == "balanced-accuracy"
    report = cross_val_predict(GaussianNB(), X, CODES, cv=FOLDS, method="predict_proba")
    given = from_predictions(CODES, y_prob=report, scoring="roc_auc")
    assert given.value == pytest.approx(roc_auc_score(CODES, report[:, 1]))


def test_a_decision_function_serves_metrics_that_rank_alone() -> None:
    result = estimate(LinearSVC(), X, CODES, method=FOLDS, scoring=["auc", "sensitivity(specificity=0.8)"], rng=1)
    scores = cross_val_score(LinearSVC(random_state=0), X, CODES, cv=FOLDS, scoring="roc_auc")
    assert result["auc"].value == pytest.approx(scores.mean(), abs=0.02)
    assert_refused("probabilities", estimate, LinearSVC(), X, CODES, method=FOLDS, scoring="brier", rng=1)


def test_an_accuracy_is_one_minus_the_error_with_mirrored_limits() -> None:
    both = found(scoring=["error", "accuracy"])
    error, accuracy = both["error"], both["accuracy"]
    assert accuracy.value == pytest.approx(1 - error.value, abs=1e-15)
    mirrored = 1 - error.interval.high, 1 - error.interval.low
    assert (accuracy.interval.low, accuracy.interval.high) == pytest.approx(mirrored, abs=1e-15)
    assert accuracy.baseline.value == pytest.approx(1 - error.baseline.value)
    assert accuracy.coverage.sentence == error.coverage.sentence
    # where nothing is wrong Wilson's limits have width, of the accuracy too
    X0, y0 = np.arange(20.0)[:, None] + 100 * (np.arange(20) % 2)[:, None], np.arange(20) % 2
    perfect = estimate("knn(k=1)", X0, y0, interval="cv-wilson(k=5)", scoring=["error", "accuracy"], rng=0)
    wrong, right = perfect["error"].interval, perfect["accuracy"].interval
    assert wrong.low == 0 < wrong.high < 0.25
    assert (right.low, right.high) == pytest.approx((1 - wrong.high, 1))


def test_a_function_of_labels_has_an_interval_on_folds_and_on_one_test_set() -> None:
    def youden(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        return float((y_pred[y_true == "yes"] == "yes").mean() - (y_pred[y_true == "no"] == "yes").mean())

    for method in ("cv(k=4, stratified=True)", "holdout(test=1/2)"):
        result = found(scoring=youden, method=method)
        assert str(result.metric) == "youden"
        assert result.interval.low < result.value < result.interval.high
    assert_refused("not legal", found, scoring=youden, method="632+(per=replicate)")


def test_a_random_state_repeats_itself_and_is_sampled_from() -> None:
    made = [estimate("knn", X, CODES, rng=np.random.RandomState(seed)) for seed in (3, 3, 4)]
    assert made[0].value == made[1].value != made[2].value
    assert made[0].seed is None
    state = np.random.RandomState(3)
    twice = [estimate("knn", X, CODES, rng=state).value for _ in range(2)]
    assert twice[0] == made[0].value != twice[1]
    assert_refused("a numpy Generator, RandomState", estimate, "knn", X, CODES, rng="3")


def unsure(*shares: float) -> Scripted:
    """Answers with what are no probabilities."""
    return Scripted(shares=lambda X: np.tile(shares, (len(X), 1)))


NO_PROBABILITIES = [(0.9, 0.9), (0.5, 0.6), (np.nan, 1.0), (-0.5, 1.5)]


FUNCTIONS = {
    "estimate": estimate,
    "compare": partial(compare, "linear-discriminant"),
    "choose": lambda model, X, Y, **more: choose(["linear-discriminant", model], X, Y, **more),
    "permutation_test": partial(permutation_test, n_permutations=5),
}
NONE_OF_OURS = "expected balanced, costs or one of error, accuracy, brier, log-loss, auc"
OF_PROBABILITIES = {"response_method": "predict_proba"}


def namesake(name: str, value: float, **more: Any) -> Any:
    """Return a scorer of a function that bears the name of scikit-learn's and gives another number."""

    def own(y_true: np.ndarray, y_pred: np.ndarray, **settings: Any) -> float:
        return value

    own.__name__ = name
    return make_scorer(own, **more)


class OwnScorer:
    """Holds a function of scikit-learn, as its scorers do, and gives another number."""

    _score_func, _sign, _kwargs, _response_method = staticmethod(f1_score), 1, {}, "predict"

    def __call__(self, model: Any, X: np.ndarray, y: np.ndarray) -> float:
        return 0.123


NO_SCORE: list[tuple[Any, Any, str]] = [
    ("naive-bayes", namesake("roc_auc_score", 0.123, **OF_PROBABILITIES), "not known"),
    ("naive-bayes", namesake("log_loss", 0.1, greater_is_better=False, **OF_PROBABILITIES), "not known"),
    ("naive-bayes", OwnScorer(), "other arguments than"),
    ("knn", lambda true, said: np.full(len(true), 1 - np.mean(true == said)), "depends on the other cases"),
    ("knn", "acu", "did you mean 'auc'"),
    ("knn", 3, NONE_OF_OURS),
    ("majority", "brier", "has no predict_proba"),
    (SVC(), "brier", "predict_proba"),
    *((unsure(*shares), "brier", "that are no probabilities") for shares in NO_PROBABILITIES),
    (unsure(1.0), "brier", "probabilities of shape"),
    *(("knn", text, "probability") for text in ("f1(threshold=2)", "log-loss(clip=0)", "calibration-slope(clip=1)")),
    ("naive-bayes", "roc_auc_ovr_weighted", "not known"),
    ("naive-bayes", "r2", "score r2_score failed"),
    ("naive-bayes", make_scorer(roc_auc_score, max_fpr=0.1, **OF_PROBABILITIES), "not known"),
    ("naive-bayes", make_scorer(log_loss), "not known"),
    ("knn", "balancd", "did you mean 'balanced'"),
    ("knn", {"fn": 5}, "the costs name fn and the classes are no, yes"),
    ("knn", {"fn": 5, "fp": "much"}, "a cost of 'much'"),
    ("knn", {"fn": 5, "fp": -1}, "a cost of -1"),
    ("knn", {"fn": 5, "fp": 1, "pos_label": "yess"}, "did you mean 'yes'"),
    ("knn", {"no": 1, "maybe": 2}, "the costs name no, maybe"),
    ("knn", [[0, 1]], r"shape \(1, 2\)"),
    ("knn", [[0, 0], [0, 0]], "no wrong answer costs anything"),
    ("knn", [[0, float("inf")], [1, 0]], "no finite numbers"),
    ("knn", pd.DataFrame([[0, 1], [1, 0]]), "rows 0, 1 and columns 0, 1"),
    ("knn", "fn=5;fp=1", "fn=5;fp"),
]
"""What none of the functions takes, for one of the classifiers."""


@pytest.mark.parametrize(
    ("function", "model", "given", "message"),
    [
        *(
            (function, model, {"scoring": scoring, "method": "cv(k=3)"}, message)
            for function in FUNCTIONS
            for model, scoring, message in NO_SCORE
        ),
        *((one, "knn", {"scoring": "auc", "pos_label": "maybe"}, "pos_label = 'maybe' was given") for one in FUNCTIONS),
        ("estimate", "knn", {"scoring": "auc", "interval": "cv-wald"}, "unknown interval of a statistic"),
        ("estimate", "knn", {"scoring": "auc", "method": "cv(k=5)", "interval": "cv-influence(k=9)"}, "surrounds"),
        ("estimate", "knn", {"scoring": "mcc", "interval": "holdout-delong"}, "not legal with score mcc"),
        ("estimate", "knn", {"scoring": "auc", "interval": "two-stage", "groups": PAIRS}, "can count groups"),
        ("estimate", "knn", {"scoring": "brier", "interval": "kohavi", "method": "cv(k=10)"}, "0/1"),
        ("estimate", "knn", {"scoring": "auc", "method": "632+(per=case)"}, "averages cases"),
        (
            "estimate",
            "knn",
            {"scoring": "calibration-slope", "method": "632+(per=replicate)"},
            "one of resubstitution,",
        ),
        ("estimate", "majority", {"scoring": "brier", "method": "loo"}, "no predict_proba.*balanced-accuracy"),
        ("estimate", "knn", {"ignore": "E999"}, "E999"),
        ("permutation_test", "knn", {"scoring": "calibration-slope"}, "does not rank classifiers"),
        *(
            (function, "knn", {"scoring": f"calibration-{one}"}, "take brier, log-loss or auc")
            for function in ("choose", "compare")
            for one in ("slope", "intercept")
        ),
        *(
            ("compare", "knn", {"rope": r}, "rope = .*; expected a number from 0 to below 1, a difference")
            for r in (
                -0.01,
                float("nan"),
                "0.1",
                True,
                np.bool_(True),
                1j,
                np.complex64(0.1),
                1,
                5.0,
                float("inf"),
            )
        ),
    ],
)
def test_what_is_no_score_or_does_not_go_with_it_is_refused(
    function: str, model: Any, given: dict[str, Any], message: str
) -> None:
    assert_refused(message, FUNCTIONS[function], model, X, Y, rng=1, **given)


def test_an_estimate_has_the_interval_that_surrounds_it_or_none() -> None:
    """Every pair of an estimator and an interval that is not refused is of one number."""
    pairs, refused = 0, []
    names = [*ESTIMATORS, "cv(k=10, repeats=5)", "holdout(test=1/4)", "holdout(test=1/10, repeats=25)", "e0(per=case)"]
    for estimator in names:
        for interval in INTERVALS:
            try:
                messages = estimate("knn(k=3)", X, Y, method=estimator, interval=interval, rng=0)
            except UsageError as exc:
                refused.append((estimator, interval, str(exc)))
                continue
            assert "surrounds" not in messages.interval.note
            pairs += 1
            if INTERVALS[interval].symmetric:
                low, high = messages.interval.low, messages.interval.high
                cut = low == 0 or high == 1
                assert cut or (low + high) / 2 == pytest.approx(messages.value, abs=1e-12), (estimator, interval)
    assert pairs >= 16
    messages = {(e, i): text for e, i, text in refused}
    for pair in (("cv", "5x2cv"), ("cv", "nested-cv"), ("holdout", "corrected-t"), ("cv(k=10, repeats=5)", "cv-wald")):
        assert "surrounds" in messages[pair]
    assert "the estimate of cv(k=2, repeats=5)" in messages["cv", "5x2cv"]
