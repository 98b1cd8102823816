"""Defaults do not warn of themselves: ordinary classifiers on well-known data, and where warnings are due."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from errorest import estimate
from errorest.data.sets import load

DATA: dict[str, Any] = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    **{name: (load(name), None) for name in ("breast-cancer", "heart", "soybean-large", "vehicle")},
}
MODELS: dict[str, Any] = {
    **{name: name for name in ("naive-bayes", "knn", "linear-discriminant", "c4.5")},
    "GaussianNB": GaussianNB(),
    "tree": DecisionTreeClassifier(),
}
PLAIN = ("iris", "wine", "heart")
TRIED = {
    "naive-bayes": DATA,
    "c4.5": (*PLAIN, "breast-cancer"),
    "linear-discriminant": (*PLAIN, "vehicle"),
    "knn": PLAIN,
    "GaussianNB": ("iris",),
    "tree": ("wine",),
}


@pytest.mark.parametrize(("data", "model"), [(data, model) for model in MODELS for data in TRIED[model]])
def test_defaults_do_not_warn_of_their_monte_carlo_error_or_of_a_pair_of_equal_cases(data: str, model: str) -> None:
    for seed in (1, 2, 3):
        kinds = [w.id for w in estimate(MODELS[model], *DATA[data], rng=seed).warnings]
        assert "E404" not in kinds
        assert "E203" not in kinds or data not in ("iris", "wine")


def test_few_replicates_are_warned_of_and_the_warning_says_what_to_ask_for() -> None:
    X, y = DATA["wine"]
    results = [estimate("c4.5", X, y, method="632+(replicates=30)", rng=seed).warnings for seed in range(8)]
    said = [str(w) for warnings in results for w in warnings if w.id == "E404"]
    assert len(said) >= 3
    assert all(text.endswith("632+(replicates=150)") for text in said)
    alone = [estimate("c4.5", X, y, interval="oob(replicates=25)", rng=seed).warnings for seed in range(8)]
    assert any(str(w).endswith("(replicates=125)") for warnings in alone for w in warnings if w.id == "E404")


@pytest.mark.parametrize(("n", "pairs", "warned"), [(100, 1, False), (100, 2, True), (1000, 2, False), (1000, 9, True)])
def test_copies_are_warned_of_from_two_on_that_may_move_the_estimate(n: int, pairs: int, warned: bool) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 2)), np.arange(n) % 2
    X[n - pairs :] = X[:pairs]
    assert any(w.id == "E203" for w in estimate("naive-bayes", X, y, method=10, rng=1).warnings) == warned
