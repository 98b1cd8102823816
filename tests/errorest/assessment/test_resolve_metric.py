"""Metrics as users name them: what each name, scorer or function becomes, and what is refused."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.metrics import f1_score, fbeta_score, make_scorer, recall_score

from batteries import assert_refused
from errorest.assessment.scoring import resolve_metric, several_metrics
from errorest.estimation.metrics import METRICS, parse_metric
from errorest.estimation.outcomes import measured
from errorest.resampling.multisets import from_training_counts

RNG = np.random.default_rng(5)
TRUE, PREDICTED = RNG.integers(0, 2, (2, 60))
SCORES = np.round(RNG.random(60) + 0.4 * TRUE, 2)


def cases(y: Any) -> Any:
    """Return labels as a problem has them."""
    labels, codes = np.unique(y, return_inverse=True)
    names, counts = tuple(map(str, labels)), np.bincount(codes)
    return SimpleNamespace(y=codes, labels=labels, names=names, n_classes=labels.size, class_counts=lambda: counts)


OF = cases(TRUE)
TEXTS = cases(np.where(TRUE == 1, "yes", "no"))


def value_of(scoring: Any, of: Any = OF) -> float:
    """Return the value of labels predicted for all cases at once."""
    found = resolve_metric(of, scoring)
    whole = from_training_counts(np.ones((1, 60), dtype=np.int64), np.array([0, 60]), np.arange(60))
    answers = np.column_stack([1 - SCORES, SCORES]) if found.metric.needs_probabilities else PREDICTED
    return float(found.value(measured(whole, answers, of.y, found).rate))


@pytest.mark.parametrize(
    ("scoring", "id", "expected"),
    [
        ("accuracy", "accuracy", metrics.accuracy_score(TRUE, PREDICTED)),
        (metrics.accuracy_score, "accuracy", metrics.accuracy_score(TRUE, PREDICTED)),
        ("error", "error", metrics.zero_one_loss(TRUE, PREDICTED)),
        (make_scorer(metrics.zero_one_loss, greater_is_better=False), "error", metrics.zero_one_loss(TRUE, PREDICTED)),
        ("precision", "precision", metrics.precision_score(TRUE, PREDICTED)),
        ("npv", "npv", metrics.precision_score(1 - TRUE, 1 - PREDICTED)),
        (make_scorer(metrics.cohen_kappa_score), "cohen-kappa", metrics.cohen_kappa_score(TRUE, PREDICTED)),
        ("recall", "sensitivity", metrics.recall_score(TRUE, PREDICTED)),
        (f1_score, "f1", f1_score(TRUE, PREDICTED)),
        ("roc_auc", "auc", metrics.roc_auc_score(TRUE, SCORES)),
        (metrics.roc_auc_score, "auc", metrics.roc_auc_score(TRUE, SCORES)),
        ("jaccard", "jaccard_score", metrics.jaccard_score(TRUE, PREDICTED)),
        ("f1_weighted", "f1_score", f1_score(TRUE, PREDICTED, average="weighted")),
        (make_scorer(fbeta_score, beta=2), "fbeta_score", fbeta_score(TRUE, PREDICTED, beta=2)),
        (lambda true, predicted: float(np.mean(true == predicted)), "<lambda>", np.mean(TRUE == PREDICTED)),
        (lambda true, predicted: 2.0 * (true != predicted), "loss", 2 * np.mean(TRUE != PREDICTED)),
        ({"fn": 5, "fp": 1}, "costs", np.mean([{0: 0, 1: 5, -1: 1}[d] for d in (TRUE - PREDICTED).tolist()])),
        (pd.DataFrame([[0, 1], [5, 0]]), "costs", np.mean([{0: 0, 1: 5, -1: 1}[d] for d in TRUE - PREDICTED])),
        ("balanced", "balanced", 1 - metrics.balanced_accuracy_score(TRUE, PREDICTED)),
    ],
)
def test_a_metric_has_scikit_learns_value(scoring: Any, id: str, expected: float) -> None:
    found = resolve_metric(OF, scoring)
    assert str(found) == found.id == id
    assert value_of(scoring) == pytest.approx(expected, abs=1e-12)
    assert found.greater_is_better == (id not in ("error", "loss", "costs", "balanced"))


def test_a_function_is_known_by_identity_and_not_by_its_name() -> None:
    def own(y_true: np.ndarray, y_pred: np.ndarray) -> float:
        return 0.123

    for name in ("f1_score", "accuracy_score", "recall_score"):
        own.__name__ = name
        assert value_of(make_scorer(own)) == value_of(own) == 0.123
    losing = resolve_metric(OF, make_scorer(own, greater_is_better=False))
    assert not losing.greater_is_better
    assert value_of(make_scorer(own, greater_is_better=False)) == 0.123


def test_limits_of_an_accuracy_mirror_those_of_the_error() -> None:
    found = resolve_metric(OF, "accuracy")
    assert found.limits(0.1, 0.3) == (0.7, 0.9)
    assert found.bounds() == (0.0, 1.0)
    assert found.baseline(OF).value == max(np.bincount(TRUE)) / 60 == 1 - resolve_metric(OF, "error").baseline(OF).value
    assert found.as_good(np.array([0.7, 0.8, 0.9]), 0.8) == 2
    assert resolve_metric(OF, "error").as_good(np.array([0.1, 0.2, 0.3]), 0.2) == 2


def test_the_positive_class_is_the_one_named_or_the_scorers_or_the_last() -> None:
    twos = cases(TRUE + 1)
    for scorer, label in (("recall", "1"), ("sensitivity", "2"), (make_scorer(f1_score, pos_label=2), "2")):
        assert resolve_metric(twos, scorer).pos_label == label
    assert resolve_metric(TEXTS, "recall").pos_label == "yes"
    assert resolve_metric(TEXTS, "precision", "no").pos_label == "no"
    # labels of text need a positive class, which scikit-learn's functions do not guess
    assert value_of(make_scorer(fbeta_score, beta=2), TEXTS) == pytest.approx(fbeta_score(TRUE, PREDICTED, beta=2))
    assert (
        resolve_metric(TEXTS, {"fn": 5, "fp": 1}, "no").costs
        == "1 for 'yes' taken for 'no', 5 for 'no' taken for 'yes'"
    )
    assert resolve_metric(TEXTS, "error", "no").pos_label == ""
    assert_refused("beside a scorer of 'yes'", resolve_metric, TEXTS, make_scorer(f1_score, pos_label="yes"), "no")
    assert_refused("about one class and there are 3", resolve_metric, cases(["a", "b", "c"]), "auc")
    assert_refused("about one class and there are 3", resolve_metric, cases([0, 1, 2]), "recall")
    assert_refused("did you mean 'yes'", resolve_metric, TEXTS, "auc", "yess")


@pytest.mark.parametrize(
    ("scoring", "message"),
    [
        ("acu", "did you mean 'auc'"),
        (3, "expected balanced, costs or one of error"),
        (None, "expected balanced, costs or one of error"),
        (["auc", "brier"], "one metric at a time, such as scoring='auc'"),
        ([], "scoring is empty"),
        (fbeta_score, "write make_scorer"),
        (make_scorer(metrics.log_loss), "not known"),
        (make_scorer(metrics.roc_auc_score, max_fpr=0.1, response_method="predict_proba"), "not known"),
        (make_scorer(recall_score, greater_is_better=False), "not known"),
        ("neg_mean_squared_error", "score mean_squared_error failed"),
        (lambda true, predicted: np.full(len(true), np.mean(true == predicted)), "depends on the other cases"),
        (lambda true, predicted: 1 / 0, "ZeroDivisionError"),
        ("sensitivity(threshold=0.5, specificity=0.9)", "expected one of them"),
        ("sensitivity(specificity=90)", "90 % is written 0.9"),
    ],
)
def test_what_is_no_metric_is_refused(scoring: Any, message: str) -> None:
    assert_refused(message, resolve_metric, TEXTS, scoring)


def test_a_list_of_metrics_is_told_from_a_table_of_costs() -> None:
    assert several_metrics(["error", "auc"]) == ["error", "auc"]
    assert several_metrics({"a": "auc", "b": f1_score}) == ["auc", f1_score]
    assert several_metrics({"a": "roc_auc", "b": "f1_macro"}) == ["roc_auc", "f1_macro"]
    assert several_metrics(["error", {"fn": 5, "fp": 1}]) == ["error", {"fn": 5, "fp": 1}]
    for one in ([[0, 1], [5, 0]], {"fn": 5, "fp": 1}, "auc", np.eye(2), f1_score):
        assert several_metrics(one) is None


@pytest.mark.parametrize("name", ["precision", "npv", "cohen-kappa", "f1", "mcc", "sensitivity", "accuracy", "auc"])
def test_a_baseline_is_what_shuffled_predictions_have(name: str) -> None:
    baseline = resolve_metric(OF, name).baseline(OF).value
    if baseline is None or name == "accuracy":
        return
    rng = np.random.default_rng(1)
    metric = parse_metric(name)
    answers = SCORES if metric.needs_probabilities else PREDICTED
    shuffled = [metric.of(TRUE, rng.permutation(answers), 2) for _ in range(2000)]
    assert np.mean(shuffled) == pytest.approx(baseline, abs=5 * np.std(shuffled) / 2000**0.5 + 1e-9)
    assert metric.no_information(TRUE, answers, 2) == pytest.approx(baseline, abs=1e-12)


def test_sensitivity_at_a_specificity_is_a_point_of_the_roc_curve() -> None:
    metric = parse_metric("sensitivity(specificity=0.9)")
    false, true, _ = metrics.roc_curve(TRUE, SCORES, drop_intermediate=False)
    assert metric.of(TRUE, SCORES, 2) == true[false <= 0.1 + 1e-12].max()
    assert np.isnan(metric.of(np.ones(5, dtype=int), SCORES[:5], 2))


def test_the_influence_of_a_function_is_that_of_the_same_metric() -> None:
    own = resolve_metric(OF, lambda true, predicted: f1_score(true, predicted)).metric
    exact = parse_metric("f1").influence(TRUE, PREDICTED, 2)
    assert own.influence(TRUE, PREDICTED, 2) == pytest.approx(exact, abs=0.1)
    assert own.influence(TRUE, PREDICTED, 2).std() == pytest.approx(exact.std(), rel=0.05)


def test_the_influence_at_a_specificity_gives_the_spread_of_new_tests() -> None:
    """Two normal classes: the standard error from influences against the spread over 400 sets, within a tenth."""
    rng, metric = np.random.default_rng(2), parse_metric("sensitivity(specificity=0.8)")
    truth = np.arange(400) % 2
    values, errors = np.array(
        [
            (metric.of(truth, x, 2), metric.influence(truth, x, 2).std() / 400**0.5)
            for x in rng.normal(size=(400, 400)) + truth
        ]
    ).T
    assert errors.mean() == pytest.approx(values.std(), rel=0.1)


def test_every_metric_by_name_has_a_title_and_bounds() -> None:
    for name in METRICS:
        metric = parse_metric(name)
        low, high = metric.bounds(2)
        assert metric.title
        assert low < high
