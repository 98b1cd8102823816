"""scikit-learn's scorers and random states in place of our names and seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score, fbeta_score, get_scorer, log_loss, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB

from errorest.assessment import compare, estimate, from_predictions, permutation_test
from errorest.assessment.measure import score_of
from errorest.assessment.scorers import read_scorer
from errorest.errors import UsageError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = (X[:, 0] + RNG.normal(size=40) > 0).astype(int)
FOLDS = StratifiedKFold(4)
SIGNS = {"neg_brier_score": -1, "neg_log_loss": -1}
NAMES = [*SIGNS, "roc_auc", "balanced_accuracy", "matthews_corrcoef", "f1", "recall", "average_precision"]


@pytest.mark.parametrize("given", [str, get_scorer])
@pytest.mark.parametrize("name", NAMES)
def test_a_scorer_gives_what_scikit_learn_gives(name: str, given: Any) -> None:
    result = estimate(GaussianNB(), X, Y, method=FOLDS, scoring=given(name), rng=1).estimate
    scores = cross_val_score(GaussianNB(), X, Y, cv=FOLDS, scoring=name)
    assert result == pytest.approx(SIGNS.get(name, 1) * scores.mean(), rel=1e-12)


def test_scorers_of_several_classes() -> None:
    three = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
    for name in ("roc_auc_ovr", "f1_macro"):
        result = estimate(GaussianNB(), X, three, method=FOLDS, scoring=name, rng=1)
        scores = cross_val_score(GaussianNB(), X, three, cv=FOLDS, scoring=name)
        assert result.estimate == pytest.approx(scores.mean(), rel=1e-12), name
        assert result.pos_label == ""


def test_accuracy_is_one_less_the_error() -> None:
    result = estimate(GaussianNB(), X, Y, method=FOLDS, scoring="accuracy", rng=1)
    assert result.estimate == pytest.approx(1 - cross_val_score(GaussianNB(), X, Y, cv=FOLDS).mean(), rel=1e-12)
    assert result.quantity == "error rate"


def test_the_positive_class_is_that_of_the_scorer() -> None:
    twos = Y + 1
    for scorer in ("recall", make_scorer(recall_score), make_scorer(f1_score, pos_label=2)):
        result = estimate(GaussianNB(), X, twos, method=FOLDS, scoring=scorer, rng=1)
        if scorer != "recall" and scorer._kwargs:
            assert result.pos_label == "2"
        else:
            assert result.pos_label == "1"
        scores = cross_val_score(GaussianNB(), X, twos, cv=FOLDS, scoring=scorer)
        assert result.estimate == pytest.approx(scores.mean(), rel=1e-12)
    words = np.array(["no", "yes"])[Y]
    assert estimate("naive-bayes", X, words, scoring="recall", pos_label="no", rng=1).pos_label == "no"
    with pytest.raises(UsageError, match="beside a scorer of 'yes'"):
        estimate("naive-bayes", X, words, scoring=make_scorer(f1_score, pos_label="yes"), pos_label="no")


def test_every_function_takes_scorers() -> None:
    assert compare("naive-bayes", "knn", X, Y, scoring="neg_brier_score", rng=1).quantity == "Brier score"
    result = permutation_test("naive-bayes", X, Y, scoring=get_scorer("balanced_accuracy"), n_permutations=9, rng=1)
    assert result.quantity == "balanced accuracy"
    report = cross_val_predict(GaussianNB(), X, Y, cv=FOLDS, method="predict_proba")
    assert from_predictions(Y, report, scoring="roc_auc").estimate == pytest.approx(roc_auc_score(Y, report[:, 1]))


@pytest.mark.parametrize(
    "scoring",
    [
        "f1_micro",
        "roc_auc_ovr_weighted",
        "precision",
        "r2",
        make_scorer(fbeta_score, beta=2),
        make_scorer(roc_auc_score),
        make_scorer(roc_auc_score, response_method="predict_proba", max_fpr=0.1),
        make_scorer(log_loss, response_method="predict_proba"),
        make_scorer(f1_score, response_method="predict_proba"),
        make_scorer(lambda true, predicted: 1.0),
    ],
    ids=str,
)
def test_a_scorer_without_an_equal_is_refused_by_the_names_of_ours(scoring: Any) -> None:
    with pytest.raises(UsageError, match="expected error, balanced, costs or one of brier, log-loss, auc"):
        estimate("naive-bayes", X, Y, scoring=scoring)


def test_our_own_names_stay_as_they_are() -> None:
    for scoring in ("error", "balanced", "auc", "f1", "sensitivity(threshold=0.3)", "a=1,b=2", {"fn": 2}, None):
        assert read_scorer(scoring, "x", ()) == (scoring, "x")
    with pytest.raises(UsageError, match="did you mean"):
        score_of(read_scorer("brierr", None, ())[0])


def test_a_random_state_repeats_itself_and_is_sampled_from() -> None:
    made = [estimate("knn", X, Y, rng=np.random.RandomState(seed)) for seed in (3, 3, 4)]
    assert made[0].estimate == made[1].estimate != made[2].estimate
    assert made[0].seed is None
    state = np.random.RandomState(3)
    twice = [estimate("knn", X, Y, rng=state).estimate for _ in range(2)]
    assert twice[0] == made[0].estimate != twice[1]
    with pytest.raises(UsageError, match="a numpy Generator or RandomState"):
        estimate("knn", X, Y, rng="3")
