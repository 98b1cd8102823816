"""Every public function refuses wrong arguments in one line that names the argument and says what is expected."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB

from batteries import assert_refused
from errorest import (
    check_classifier,
    choose,
    compare,
    estimate,
    from_predictions,
    learning_curve,
    permutation_test,
    report,
    test_size_for,
)
from errorest.errors import UsageError
from errorest.estimation.estimators import Bootstrap632Plus, CrossValidation, RandomSubsampling

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = (X[:, 0] + RNG.normal(size=30) / 2 > 0).astype(int)
PAIR = ["naive-bayes", "knn"]


def of(name: str, **more: Any) -> Any:
    """Call a function with wrong arguments beside right ones."""
    named = {"method": "cv(k=3)", "rng": 1, **more}
    plain = {key: value for key, value in named.items() if key != "method"}
    calls: dict[str, Any] = {
        "estimate": lambda: estimate("naive-bayes", X, Y, **named),
        "compare": lambda: compare(*PAIR, X, Y, **named),
        "choose": lambda: choose(PAIR, X, Y, **named),
        "permutation_test": lambda: permutation_test("naive-bayes", X, Y, **named),
        "learning_curve": lambda: learning_curve("naive-bayes", X, Y, **plain),
        "from_predictions": lambda: from_predictions(Y, more.pop("y_pred", Y), **more),
        "check_classifier": lambda: check_classifier("naive-bayes", **more),
    }
    return calls[name]()


FIVE = ("estimate", "compare", "choose", "permutation_test", "learning_curve")
EVERY: list[tuple[tuple[str, ...], str, list[Any]]] = [
    (FIVE, "confidence_level", [95, 0, 1, "0.9", None, float("nan"), True]),
    (("from_predictions",), "confidence_level", [95, "0.9", None]),
    (FIVE, "n_jobs", [0, 1.5, "2", True]),
    (FIVE, "threads", [0, "1", 1.5]),
    (FIVE, "rng", [-1, 1.5, "1", [1], True]),
    ((*FIVE, "check_classifier"), "ignore", [5, None]),
    (FIVE, "progress", ["yes", 1, None]),
    (FIVE, "encode", ["yes", None]),
    (("estimate", "compare", "choose", "permutation_test"), "error_score", ["skip", 0, None]),
    (("permutation_test",), "n_permutations", [0, 1.5, "9", None]),
    (("choose",), "nested", [0, 1.5, -1]),
    (("choose",), "n_resamples", [0, "5", None]),
    (("compare",), "rope", [-1, "x", float("nan"), True]),
    (("learning_curve",), "train_sizes", [[], 5, 0.5, "abc", [5, 5], [2.5, 9]]),
    (("learning_curve",), "at", ["x", [0], 1.5, [None]]),
    (("learning_curve",), "folds", [0, 1, "5", None]),
    (("learning_curve",), "repeats", [0, "5", None]),
    (("estimate", "permutation_test"), "method", [None, 2.5, 0, {}]),
]
WRONG = [(function, name, value) for functions, name, values in EVERY for function in functions for value in values]


@pytest.mark.parametrize(("function", "name", "value"), WRONG, ids=map(str, range(len(WRONG))))
def test_a_wrong_argument_is_named(function: str, name: str, value: Any) -> None:
    assert_refused(rf"^{name} = ", of, function, **{name: value})


def test_a_base_without_settings_is_refused() -> None:
    assert_refused("base was given", of, "choose", base="knn")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bootstrap632Plus("200"), "632+ was given replicates = '200'"),  # type: ignore[arg-type]
        (lambda: Bootstrap632Plus(2.5), "632+ was given replicates = 2.5; expected an integer"),  # type: ignore[arg-type]
        (lambda: CrossValidation(2.5), "cv was given k = 2.5; expected an integer or 'n'"),  # type: ignore[arg-type]
        (lambda: CrossValidation(True), "cv was given k = True"),
        (lambda: CrossValidation(5, stratified="yes"), "expected True or False"),  # type: ignore[arg-type]
        (lambda: RandomSubsampling("x"), "holdout was given test = 'x'"),  # type: ignore[arg-type]
        (lambda: of("estimate", method="cv(k=0)"), "cv was given k = 0; expected at least 2"),
        (lambda: of("compare", method="cv(k=1)"), "cv was given k = 1; expected at least 2"),
        (lambda: of("estimate", method="632+(replicates=0)"), "632+ was given replicates = 0"),
    ],
    ids=map(str, range(9)),
)
def test_a_wrong_setting_is_told_under_the_name_that_was_given(make: Any, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert message in str(caught.value)


def test_numbers_of_numpy_are_settings() -> None:
    assert CrossValidation(np.int64(5), stratified=bool(np.True_)).id == "cv(k=5, stratified=True)"
    assert RandomSubsampling(np.float64(0.25), np.int64(2)).schemes


@pytest.mark.parametrize(
    "given", [(None, 0.1), ("x", 0.1), (0.1, "x"), (0.1, None), (0.1, 0.1, "x")], ids=map(str, range(5))
)
def test_a_width_an_error_and_a_level_are_proportions(given: tuple[Any, ...]) -> None:
    assert_refused(" = .*; expected a proportion", test_size_for, *given)


def test_a_wanted_error_lies_between_none_and_the_worst() -> None:
    curve = of("learning_curve", repeats=2)
    for error in ("x", None, 0, 1.5):
        assert_refused("error = .*expected a number between 0 and 1", curve.cases_for, error)


class Sparse(GaussianNB):
    """Answers with sparse matrices."""

    def predict(self, rows: Any) -> Any:
        return csr_matrix(super().predict(rows).reshape(-1, 1))

    def predict_proba(self, rows: Any) -> Any:
        return csr_matrix(super().predict_proba(rows))


@pytest.mark.parametrize("scoring", ["error", "auc"])
def test_sparse_predictions_are_refused_in_one_line(scoring: str) -> None:
    assert_refused("sparse matrix", estimate, Sparse(), X, Y, scoring=scoring, method=3, rng=1)
    assert_refused("sparse matrix", of, "from_predictions", y_pred=csr_matrix(Y.reshape(-1, 1)), scoring=scoring)


def test_fewer_than_two_tested_cases_have_no_paired_test() -> None:
    for method, groups in (
        ("holdout(test=1)", None),
        ("holdout(test=1)", np.arange(30) // 2),
        ("resubstitution", None),
    ):
        result = of("estimate", method=method, groups=groups)
        assert result.against_baseline is None
        assert "fewer than two cases or groups were tested" in report.verdict(result)


def test_boosted_trees_read_text_in_columns_of_categories_alone() -> None:
    frame = pd.DataFrame({"a": X[:, 0], "t": ["u", "v", "w"] * 10})
    model = HistGradientBoostingClassifier(max_iter=2)
    options: dict[str, Any] = {"method": 3, "rng": 1}
    assert_refused("column 't' holds text .*encode=True", estimate, model, frame, Y, **options)
    assert estimate(model, frame.astype({"t": "category"}), Y, **options).n_fits == 3
    assert estimate(model, frame, Y, encode=True, **options).n_fits == 3
