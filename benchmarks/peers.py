"""Whole calls with scikit-learn's classifiers against what other packages take for the same, in turn in one run.

All classes but the tree have compiled batches.  mlxtend's bootstrap takes part where it can be imported; elsewhere a
loop of ``clone``, ``fit`` and ``predict`` on the same number of bootstrap samples stands for it.  ``cross_val_score``
is compared twice: with folds that this library draws, and with its own splitter, whose splits both sides have to make.
The last figures are of fits one by one: a bare loop of ``clone``, ``fit`` and ``predict`` on the training sets of a
call.
"""

from __future__ import annotations

import importlib
import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
    permutation_test_score,
)
from sklearn.model_selection import learning_curve as scikit_learn_curve
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from timing import interleaved

from errorest import estimate, learning_curve, permutation_test, resample

SIZES = (36, 150, 500)
BARE = 100
RESAMPLES, PERMUTATIONS, TRAINED = 200, 100, (0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
FOLDS = f"cv(k=10, repeats={RESAMPLES // 10}, stratified=true)"
COMPILED: dict[str, Any] = {
    "GaussianNB": GaussianNB(),
    "BernoulliNB": BernoulliNB(),
    "CategoricalNB": CategoricalNB(min_categories=5),
    "KNeighborsClassifier": KNeighborsClassifier(),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
    "QuadraticDiscriminantAnalysis": QuadraticDiscriminantAnalysis(),
    "LogisticRegression": LogisticRegression(),
}
ONE_BY_ONE: dict[str, Any] = {
    "DecisionTreeClassifier": DecisionTreeClassifier(random_state=0),
}
Figure = tuple[str, float, str]
Work = Callable[[], object]


def bootstrap(model: Any, X: np.ndarray, y: np.ndarray) -> object:
    """Return the .632 by mlxtend, or the errors of a loop over bootstrap samples."""
    try:
        score = importlib.import_module("mlxtend.evaluate").bootstrap_point632_score
    except ImportError:
        rng, errors = np.random.default_rng(0), []
        for _ in range(RESAMPLES):
            train = rng.integers(0, y.size, y.size)
            test = np.setdiff1d(np.arange(y.size), train)
            errors.append(np.mean(clone(model).fit(X[train], y[train]).predict(X[test]) != y[test]))
        return errors
    return score(model, X, y, n_splits=RESAMPLES, method=".632", random_seed=0)


def calls(model: Any, X: np.ndarray, y: np.ndarray) -> dict[str, tuple[Work, Work]]:
    """Return for each question the call of another package and that of this library, with as many fits."""
    ten_by_twenty = RepeatedStratifiedKFold(n_splits=10, n_repeats=RESAMPLES // 10, random_state=0)
    five, ten_by_five = StratifiedKFold(5), RepeatedKFold(n_splits=10, n_repeats=5, random_state=0)
    sizes = list(TRAINED)
    return {
        "cross_val_score": (
            lambda: cross_val_score(model, X, y, cv=ten_by_twenty),
            lambda: estimate(model, X, y, method=FOLDS, interval=None, rng=0),
        ),
        "cross_val_score, the same splitter": (
            lambda: cross_val_score(model, X, y, cv=ten_by_twenty),
            lambda: estimate(model, X, y, method=ten_by_twenty, interval=None, rng=0),
        ),
        "bootstrap": (
            lambda: bootstrap(model, X, y),
            lambda: estimate(model, X, y, method=f"632(replicates={RESAMPLES})", interval=None, rng=0),
        ),
        "permutation_test_score": (
            lambda: permutation_test_score(model, X, y, cv=five, n_permutations=PERMUTATIONS, random_state=0),
            lambda: permutation_test(model, X, y, method="cv(k=5)", n_permutations=PERMUTATIONS, rng=0),
        ),
        "learning_curve": (
            lambda: scikit_learn_curve(model, X, y, train_sizes=sizes, cv=ten_by_five),
            lambda: learning_curve(model, X, y, train_sizes=sizes, repeats=5, at=[], rng=0),
        ),
    }


def one_by_one(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[Work, Work]:
    """Return a bare loop over the training sets of a call, and the call without compiled batches."""
    how: dict[str, Any] = {"method": f"e0(replicates={RESAMPLES})", "interval": None, "rng": 0, "compiled": False}
    (run,) = resample(model, X, y, scoring="error", **how).runs.values()
    trained, bounds = run.resamples.training_counts(), run.resamples.start
    rows = [
        (np.repeat(np.arange(y.size), counts), run.resamples.cases[first:last])
        for counts, first, last in zip(trained, bounds[:-1], bounds[1:], strict=True)
    ]
    return (
        lambda: [clone(model).fit(X[train], y[train]).predict(X[test]) for train, test in rows],
        lambda: estimate(model, X, y, **how),
    )


def sample(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw two classes of normal vectors, with as many cases each."""
    y = np.arange(n) % 2
    return np.random.default_rng(0).normal(size=(n, 3)) + 0.7 * y[:, None], y


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit) for the ratios to be recorded."""
    figures: list[Figure] = []

    def compare(what: str, works: tuple[Work, Work], repeats: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other, ours = interleaved(*works, repeats=repeats)
        figures.append((what, other / ours, "times"))
        print(f"  {what:<80} {other / ours:8.3g} times ({1e3 * ours:.0f} ms)", flush=True)

    for n in SIZES:
        X, y = sample(n)
        codes = np.clip(np.rint(X + 2), 0, 4)
        for name, model in (COMPILED | ONE_BY_ONE).items():
            values = codes if name == "CategoricalNB" else X
            for question, works in calls(model, values, y).items():
                compare(f"{name}, n = {n}: {question} / errorest", works, repeats=2)
    for name in ("LogisticRegression", "DecisionTreeClassifier"):
        works = one_by_one((COMPILED | ONE_BY_ONE)[name], *sample(BARE))
        compare(f"{name}, n = {BARE}: bare loop / errorest, one by one", works, repeats=7)
    return figures


if __name__ == "__main__":
    main()
