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
    fbeta_score,
    get_scorer,
    log_loss,
    make_scorer,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from batteries import Scripted, assert_refused
from errorest import choose, compare, estimate, from_predictions, permutation_test
from errorest.assessment.costs import read_costs
from errorest.assessment.measure import score_of
from errorest.assessment.scorers import read_scorer
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
        table = report.losses
        assert report.estimate == pytest.approx(1 - balanced_accuracy_score(table["class"], table["predicted"]))
        assert report.majority_error == pytest.approx(majority_error)


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
    table = report.losses
    each = np.where(table["class"] == "yes", 5.0, 1.0) * (table["class"] != table["predicted"])
    assert report.estimate == pytest.approx(each.mean())
    assert not report.zero_one
    # always 'no' costs five for each 'yes', always 'yes' one for each 'no'
    assert report.majority_error == pytest.approx(min(5 * COUNTS[1], COUNTS[0]) / 40)


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
        assert found(scoring=loss).zero_one
        assert found(scoring=loss).estimate == found().estimate
    assert compare("knn", "majority", X, Y, scoring={"fn": 5, "fp": 1}, rng=0).difference != pytest.approx(
        compare("knn", "majority", X, Y, rng=0).difference
    )


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
    report = read_costs(str(place), ABC, np.array([5, 5, 5]))
    expected = read_costs([[0, 1, 5], [2, 0, 1], [3, 4, 0]], ABC, np.array([5, 5, 5]))
    true, output = np.divmod(np.arange(9), 3)
    for one in (report, expected):
        assert one.loss.losses(true, output).tolist() == [0, 1, 5, 2, 0, 1, 3, 4, 0]
    assert report.words == expected.words


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
    assert_refused(words, read_costs, str(place), ABC, np.array([5, 5, 5]))


def test_false_negatives_need_two_classes() -> None:
    assert_refused("for 3 classes", read_costs, {"fn": 5, "fp": 1}, ABC, np.array([1, 2, 3]))
    assert read_costs({"fn": 2, "fp": 3}, np.array(["fn", "fp"]), np.array([1, 2])).words.startswith("3 for 'fp'")


def test_a_foreign_classifier_scores_as_ours_whatever_the_workers() -> None:
    options: dict[str, Any] = {"scoring": "brier", "method": "cv(k=5)", "rng": 3}
    theirs = [estimate(KNeighborsClassifier(5), X, Y, **options, n_jobs=jobs) for jobs in (1, 2)]
    ours = estimate("knn(standardize=none)", X, Y, **options)
    assert theirs[0].estimate == theirs[1].estimate == pytest.approx(ours.estimate, abs=1e-12)
    assert theirs[0].interval.low == pytest.approx(ours.interval.low)


def test_resamples_of_one_class_are_left_out_and_counted() -> None:
    result = estimate("naive-bayes", X, Y, scoring="auc", method="cv(k=20, weights=folds)", rng=3)
    counted = [w for w in result.warnings if "test one class alone" in w]
    assert [w.kind for w in counted] == ["E308"]
    left = int(counted[0].split()[0])
    assert 5 < left < 20
    assert counted[0].startswith(f"{left} of 20 resamples")


def test_scores_of_several_classes_need_to_know_of_which() -> None:
    y = ABC[np.arange(40) % 3]
    with pytest.raises(UsageError, match=r"speaks of one class.*name it with pos_label, one of a, b, c"):
        estimate("knn", X, y, scoring="auc", rng=1)
    assert estimate("knn", X, y, scoring="auc", pos_label="b", rng=1).pos_label == "b"
    assert estimate("knn", X, y, scoring="mcc", rng=1).pos_label == ""
    assert estimate("knn", X, y, scoring="brier", method="loo", rng=1).interval.high <= 2


def test_the_log_loss_tells_how_much_of_it_is_clipping() -> None:
    result = estimate("knn", X, Y, scoring="log-loss", method="loo", rng=1)
    assert ["which costs 34.5 each" in w for w in result.warnings if w.kind == "E305"] == [True]
    smooth = estimate("naive-bayes", X, Y, scoring="log-loss", method="loo", rng=1)
    assert not any("impossible" in w for w in smooth.warnings)


THREE_CODES = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
SCORERS = [
    *((name, CODES) for name in ("roc_auc", "balanced_accuracy", "matthews_corrcoef", "f1", "recall")),
    *((name, CODES) for name in ("neg_brier_score", "neg_log_loss", "average_precision")),
    *((name, THREE_CODES) for name in ("roc_auc_ovr", "f1_macro")),
]


@pytest.mark.parametrize("given", [str, get_scorer])
@pytest.mark.parametrize(("name", "y"), SCORERS)
def test_a_scorer_gives_what_scikit_learn_gives(name: str, y: np.ndarray, given: Any) -> None:
    result = estimate(GaussianNB(), X, y, method=FOLDS, scoring=given(name), rng=1)
    score = cross_val_score(GaussianNB(), X, y, cv=FOLDS, scoring=name).mean()
    wanted = {"neg_brier_score": -score, "neg_log_loss": -score, "accuracy": 1 - score}.get(name, score)
    assert result.estimate == pytest.approx(wanted, rel=1e-12)
    assert (result.quantity == "error rate") == (name == "accuracy")
    assert (result.pos_label == "1") == (name in ("roc_auc", "f1", "recall", "average_precision"))


def test_the_positive_class_is_that_of_the_scorer() -> None:
    twos = CODES + 1
    recall, f1 = make_scorer(recall_score), make_scorer(f1_score, pos_label=2)
    for scorer, label in (("recall", "1"), (recall, "1"), (f1, "2")):
        result = estimate(GaussianNB(), X, twos, method=FOLDS, scoring=scorer, rng=1)
        assert result.pos_label == label
        scores = cross_val_score(GaussianNB(), X, twos, cv=FOLDS, scoring=scorer)
        assert result.estimate == pytest.approx(scores.mean(), rel=1e-12)
    assert estimate("naive-bayes", X, Y, scoring="recall", pos_label="no", rng=1).pos_label == "no"
    with pytest.raises(UsageError, match="beside a scorer of 'yes'"):
        estimate("naive-bayes", X, Y, scoring=make_scorer(f1_score, pos_label="yes"), pos_label="no")


def test_every_function_takes_scorers() -> None:
    assert compare("naive-bayes", "knn", X, CODES, scoring="neg_brier_score", rng=1).quantity == "Brier score"
    result = permutation_test("naive-bayes", X, CODES, scoring=get_scorer("balanced_accuracy"), n_permutations=9, rng=1)
    assert result.quantity == "balanced accuracy"
    report = cross_val_predict(GaussianNB(), X, CODES, cv=FOLDS, method="predict_proba")
    assert from_predictions(CODES, report, scoring="roc_auc").estimate == pytest.approx(
        roc_auc_score(CODES, report[:, 1])
    )


def test_our_own_names_stay_as_they_are() -> None:
    for scoring in ("error", "balanced", "auc", "f1", "sensitivity(threshold=0.3)", "a=1,b=2", {"fn": 2}, None):
        assert read_scorer(scoring, "x", ()) == (scoring, "x")
    assert_refused("did you mean", score_of, read_scorer("brierr", None, ())[0])


def test_a_random_state_repeats_itself_and_is_sampled_from() -> None:
    made = [estimate("knn", X, CODES, rng=np.random.RandomState(seed)) for seed in (3, 3, 4)]
    assert made[0].estimate == made[1].estimate != made[2].estimate
    assert made[0].seed is None
    state = np.random.RandomState(3)
    twice = [estimate("knn", X, CODES, rng=state).estimate for _ in range(2)]
    assert twice[0] == made[0].estimate != twice[1]
    assert_refused("a numpy Generator or RandomState", estimate, "knn", X, CODES, rng="3")


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
NONE_OF_OURS = "brier, log-loss, auc"
OF_PROBABILITIES = {"response_method": "predict_proba"}
STRANGE_SCORERS: list[tuple[Any, dict[str, Any]]] = [
    (fbeta_score, {"beta": 2}),
    (roc_auc_score, {}),
    (roc_auc_score, {"max_fpr": 0.1, **OF_PROBABILITIES}),
    *((one, OF_PROBABILITIES) for one in (log_loss, f1_score)),
    (lambda true, predicted: 1.0, {}),
]


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


NAMES_OF_FUNCTIONS = ("accuracy_score", "f1_score", "recall_score", "matthews_corrcoef", "balanced_accuracy_score")


NO_SCORE: list[tuple[Any, Any, str]] = [
    *(("naive-bayes", namesake(name, 0.123), NONE_OF_OURS) for name in NAMES_OF_FUNCTIONS),
    ("naive-bayes", namesake("roc_auc_score", 0.123, **OF_PROBABILITIES), NONE_OF_OURS),
    ("naive-bayes", namesake("log_loss", 0.1, greater_is_better=False, **OF_PROBABILITIES), NONE_OF_OURS),
    ("naive-bayes", OwnScorer(), NONE_OF_OURS),
    ("naive-bayes", make_scorer(f1_score, labels=[0, 1]), NONE_OF_OURS),
    ("naive-bayes", f1_score, "scoring is the function f1_score; expected the name of a scorer"),
    ("knn", lambda true, said: np.full(len(true), 1 - np.mean(true == said)), "depends on the other cases"),
    *(("knn", several, "one score at a time") for several in (["auc", "brier"], ["error", "auc"], ("f1",))),
    *(("knn", several, "one score at a time") for several in ({"auc"}, {"a": "auc"}, [f1_score], np.array(["auc"]))),
    ("knn", "acu", "did you mean 'auc'"),
    ("knn", 3, NONE_OF_OURS),
    ("svm", "brier", "predicts labels only"),
    (SVC(), "auc", "has no predict_proba"),
    *((unsure(*shares), "brier", "that are no probabilities") for shares in NO_PROBABILITIES),
    (unsure(1.0), "brier", "probabilities of shape"),
    *(("knn", text, "probability") for text in ("f1(threshold=2)", "log-loss(clip=0)", "calibration-slope(clip=1)")),
    *(("naive-bayes", name, NONE_OF_OURS) for name in ("f1_micro", "roc_auc_ovr_weighted", "r2")),
    *(("naive-bayes", make_scorer(one, **more), NONE_OF_OURS) for one, more in STRANGE_SCORERS),
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
        *(
            (one, "knn", {"scoring": "auc", "method": "632+"}, "per=replicate|expected several splits")
            for one in FUNCTIONS
        ),
        ("estimate", "knn", {"scoring": "auc", "interval": "cv-wald"}, "unknown interval of a statistic"),
        ("estimate", "knn", {"scoring": "auc", "method": "cv(k=5)", "interval": "cv-influence(k=9)"}, "surrounds"),
        ("estimate", "knn", {"scoring": "mcc", "interval": "holdout-delong"}, "not legal with score mcc"),
        ("estimate", "knn", {"scoring": "auc", "interval": "two-stage", "groups": PAIRS}, "can count groups"),
        ("estimate", "knn", {"scoring": "brier", "interval": "kohavi", "method": "cv(k=10)"}, "0/1"),
        ("estimate", "knn", {"scoring": "auc", "method": "632+"}, "averages cases"),
        (
            "estimate",
            "knn",
            {"scoring": "calibration-slope", "method": "632+(per=replicate)"},
            "one of resubstitution,",
        ),
        ("estimate", "knn", {"scoring": "brier", "method": "bs(cloned=True)"}, "clones"),
        ("estimate", "majority", {"scoring": "brier", "method": "loo"}, "labels only.*balanced-accuracy"),
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
            if INTERVALS[interval].even:
                low, high = messages.interval.low, messages.interval.high
                cut = low == 0 or high == 1
                assert cut or (low + high) / 2 == pytest.approx(messages.estimate, abs=1e-12), (estimator, interval)
    assert pairs >= 16
    messages = {(e, i): text for e, i, text in refused}
    for pair in (("cv", "5x2cv"), ("cv", "nested-cv"), ("holdout", "corrected-t"), ("cv(k=10, repeats=5)", "cv-wald")):
        assert "surrounds" in messages[pair]
    assert "the estimate of cv(k=2, repeats=5)" in messages["cv", "5x2cv"]
