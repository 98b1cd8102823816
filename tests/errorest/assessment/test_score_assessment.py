"""Scores of a person's own data, and scikit-learn's scorers: the function, the command, the report, refusals."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score, fbeta_score, get_scorer, log_loss, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from batteries import assert_refused
from errorest import choose, compare, estimate, from_predictions, permutation_test
from errorest.assessment.measure import score_of
from errorest.assessment.scorers import read_scorer
from errorest.errors import UsageError

RNG = np.random.default_rng(4)
N = 60
Y = np.where(np.arange(N) % 2, "yes", "no")
X = RNG.normal(size=(N, 2)) + (Y == "yes")[:, None]
RNG_40 = np.random.default_rng(0)
X_40 = RNG_40.normal(size=(40, 2))
Y_40 = (X_40[:, 0] + RNG_40.normal(size=40) > 0).astype(int)
FOLDS = StratifiedKFold(4)
SIGNS = {"neg_brier_score": -1, "neg_log_loss": -1}
NAMES = [*SIGNS, "roc_auc", "balanced_accuracy", "matthews_corrcoef", "f1", "recall", "average_precision"]


def test_a_foreign_classifier_scores_as_ours_whatever_the_workers():
    theirs = [
        estimate(KNeighborsClassifier(5), X, Y, scoring="brier", method="cv(k=5)", rng=3, n_jobs=j) for j in (1, 2)
    ]
    ours = estimate("knn(standardize=none)", X, Y, scoring="brier", method="cv(k=5)", rng=3)
    assert theirs[0].estimate == theirs[1].estimate == pytest.approx(ours.estimate, abs=1e-12)
    assert theirs[0].interval.low == pytest.approx(ours.interval.low)


def test_resamples_of_one_class_are_left_out_and_counted():
    result = estimate("naive-bayes", X, Y, scoring="auc", method="cv(k=30, weights=folds)", rng=3)
    counted = [w for w in result.warnings if "test one class alone" in w]
    assert [w.kind for w in counted] == ["E308"]
    left = int(counted[0].split()[0])
    assert 5 < left < 30
    assert counted[0].startswith(f"{left} of 30 resamples")


def test_scores_of_several_classes_need_to_know_of_which():
    y = np.array(["a", "b", "c"])[np.arange(N) % 3]
    with pytest.raises(UsageError, match=r"speaks of one class.*name it with pos_label, one of a, b, c"):
        estimate("knn", X, y, scoring="auc", rng=1)
    assert estimate("knn", X, y, scoring="auc", pos_label="b", rng=1).pos_label == "b"
    assert estimate("knn", X, y, scoring="mcc", rng=1).pos_label == ""
    assert estimate("knn", X, y, scoring="brier", method="loo", rng=1).interval.high <= 2


class Unsure(DecisionTreeClassifier):
    """Answers with what are no probabilities."""

    def __init__(self, said: float = 0.9) -> None:
        super().__init__()
        self.said = said

    def predict_proba(self, X: Any, check_input: bool = True) -> np.ndarray:
        return np.full((len(X), 2), self.said)


FUNCTIONS = {
    "estimate": estimate,
    "compare": partial(compare, "linear-discriminant"),
    "choose": lambda model, X, Y, **more: choose(["linear-discriminant", model], X, Y, **more),
    "permutation_test": partial(permutation_test, n_permutations=5),
}
NONE_OF_OURS = "expected error, balanced, costs or one of brier, log-loss, auc"


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("model", "scoring", "more", "message"),
    [
        ("knn", "acu", {}, "did you mean 'auc'"),
        ("knn", 3, {}, "costs or one of brier"),
        ("knn", "auc", {"pos_label": "maybe"}, "pos_label = 'maybe' was given"),
        ("svm", "brier", {}, "predicts labels only"),
        (SVC(), "auc", {}, "has no predict_proba"),
        (Unsure(), "brier", {}, "that are no probabilities"),
        (Unsure(np.nan), "brier", {}, "that are no probabilities"),
        ("knn", "auc", {"method": "632+"}, "per=replicate|expected several splits"),
        *(
            ("naive-bayes", scoring, {}, NONE_OF_OURS)
            for scoring in ("f1_micro", "roc_auc_ovr_weighted", "precision", "r2")
        ),
        ("naive-bayes", make_scorer(fbeta_score, beta=2), {}, NONE_OF_OURS),
        ("naive-bayes", make_scorer(roc_auc_score), {}, NONE_OF_OURS),
        *(
            ("naive-bayes", make_scorer(one, response_method="predict_proba", **more), {}, NONE_OF_OURS)
            for one, more in ((roc_auc_score, {"max_fpr": 0.1}), (log_loss, {}), (f1_score, {}))
        ),
        ("naive-bayes", make_scorer(lambda true, predicted: 1.0), {}, NONE_OF_OURS),
    ],
    ids=str,
)
def test_what_is_no_score_to_go_by_is_refused_by_every_function(
    function: str, model: Any, scoring: Any, more: dict[str, Any], message: str
) -> None:
    assert_refused(
        message, FUNCTIONS[function], model, X, Y, **{"method": "cv(k=3)", "rng": 0, "scoring": scoring, **more}
    )


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        ("estimate", {"scoring": "auc", "interval": "cv-wald"}, "unknown interval of a statistic"),
        ("estimate", {"scoring": "auc", "method": "cv(k=5)", "interval": "cv-influence(k=9)"}, "surrounds"),
        ("estimate", {"scoring": "mcc", "interval": "holdout-delong"}, "not legal with score mcc"),
        ("estimate", {"scoring": "auc", "interval": "two-stage", "groups": np.arange(N) // 2}, "can count groups"),
        ("estimate", {"scoring": "brier", "interval": "kohavi", "method": "cv(k=10)"}, "0/1"),
        ("estimate", {"ignore": "E999"}, "E999"),
        ("permutation_test", {"scoring": "calibration-slope"}, "does not rank classifiers"),
        *(
            (function, {"scoring": f"calibration-{one}"}, "take brier, log-loss or auc")
            for function in ("choose", "compare")
            for one in ("slope", "intercept")
        ),
        *(("compare", {"rope": r}, "expected a number from 0, the difference") for r in (-0.01, float("nan"), "0.1")),
    ],
)
def test_what_is_wrong_with_a_score_its_interval_or_a_margin_is_refused(
    function: str, given: dict[str, Any], message: str
) -> None:
    assert_refused(message, FUNCTIONS[function], "knn", X, Y, rng=1, **given)


def test_the_log_loss_tells_how_much_of_it_is_clipping():
    result = estimate("knn", X, Y, scoring="log-loss", method="loo", rng=1)
    assert ["which costs 34.5 each" in w for w in result.warnings if w.kind == "E305"] == [True]
    smooth = estimate("naive-bayes", X, Y, scoring="log-loss", method="loo", rng=1)
    assert not any("impossible" in w for w in smooth.warnings)


@pytest.mark.parametrize("given", [str, get_scorer])
@pytest.mark.parametrize("name", NAMES)
def test_a_scorer_gives_what_scikit_learn_gives(name: str, given: Any) -> None:
    result = estimate(GaussianNB(), X_40, Y_40, method=FOLDS, scoring=given(name), rng=1).estimate
    scores = cross_val_score(GaussianNB(), X_40, Y_40, cv=FOLDS, scoring=name)
    assert result == pytest.approx(SIGNS.get(name, 1) * scores.mean(), rel=1e-12)


def test_scorers_of_several_classes() -> None:
    three = np.digitize(X_40[:, 0] + X_40[:, 1], [-1, 1])
    for name in ("roc_auc_ovr", "f1_macro"):
        result = estimate(GaussianNB(), X_40, three, method=FOLDS, scoring=name, rng=1)
        scores = cross_val_score(GaussianNB(), X_40, three, cv=FOLDS, scoring=name)
        assert result.estimate == pytest.approx(scores.mean(), rel=1e-12), name
        assert result.pos_label == ""


def test_accuracy_is_one_less_the_error() -> None:
    result = estimate(GaussianNB(), X_40, Y_40, method=FOLDS, scoring="accuracy", rng=1)
    assert result.estimate == pytest.approx(1 - cross_val_score(GaussianNB(), X_40, Y_40, cv=FOLDS).mean(), rel=1e-12)
    assert result.quantity == "error rate"


def test_the_positive_class_is_that_of_the_scorer() -> None:
    twos = Y_40 + 1
    for scorer in ("recall", make_scorer(recall_score), make_scorer(f1_score, pos_label=2)):
        result = estimate(GaussianNB(), X_40, twos, method=FOLDS, scoring=scorer, rng=1)
        if scorer != "recall" and scorer._kwargs:
            assert result.pos_label == "2"
        else:
            assert result.pos_label == "1"
        scores = cross_val_score(GaussianNB(), X_40, twos, cv=FOLDS, scoring=scorer)
        assert result.estimate == pytest.approx(scores.mean(), rel=1e-12)
    words = np.array(["no", "yes"])[Y_40]
    assert estimate("naive-bayes", X_40, words, scoring="recall", pos_label="no", rng=1).pos_label == "no"
    with pytest.raises(UsageError, match="beside a scorer of 'yes'"):
        estimate("naive-bayes", X_40, words, scoring=make_scorer(f1_score, pos_label="yes"), pos_label="no")


def test_every_function_takes_scorers() -> None:
    assert compare("naive-bayes", "knn", X_40, Y_40, scoring="neg_brier_score", rng=1).quantity == "Brier score"
    result = permutation_test(
        "naive-bayes", X_40, Y_40, scoring=get_scorer("balanced_accuracy"), n_permutations=9, rng=1
    )
    assert result.quantity == "balanced accuracy"
    report = cross_val_predict(GaussianNB(), X_40, Y_40, cv=FOLDS, method="predict_proba")
    assert from_predictions(Y_40, report, scoring="roc_auc").estimate == pytest.approx(
        roc_auc_score(Y_40, report[:, 1])
    )


def test_our_own_names_stay_as_they_are() -> None:
    for scoring in ("error", "balanced", "auc", "f1", "sensitivity(threshold=0.3)", "a=1,b=2", {"fn": 2}, None):
        assert read_scorer(scoring, "x", ()) == (scoring, "x")
    assert_refused("did you mean", score_of, read_scorer("brierr", None, ())[0])


def test_a_random_state_repeats_itself_and_is_sampled_from() -> None:
    made = [estimate("knn", X_40, Y_40, rng=np.random.RandomState(seed)) for seed in (3, 3, 4)]
    assert made[0].estimate == made[1].estimate != made[2].estimate
    assert made[0].seed is None
    state = np.random.RandomState(3)
    twice = [estimate("knn", X_40, Y_40, rng=state).estimate for _ in range(2)]
    assert twice[0] == made[0].estimate != twice[1]
    assert_refused("a numpy Generator or RandomState", estimate, "knn", X_40, Y_40, rng="3")
