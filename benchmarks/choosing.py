"""Choosing and testing against chance: what they cost beside single estimates and beside scikit-learn.

``choose`` with ten candidates of ours against ten calls of ``estimate`` with the same folds, and
``permutation_test`` against scikit-learn's ``permutation_test_score``, whose time is that of fewer permutations,
a permutation's share each.
"""

from __future__ import annotations

import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import KFold, permutation_test_score
from sklearn.neighbors import KNeighborsClassifier
from timing import interleaved, seconds

from errorest import choose, estimate, permutation_test

N = 36
PERMUTATIONS = 1000
FEWER = 20
PLUS = "632+(replicates=200)"
FOLDS = "cv(k=10, repeats=10)"
CANDIDATES = [
    *(f"knn(k={k}, standardize=none)" for k in (1, 3, 5, 7, 9)),
    "linear-discriminant(priors=equal)",
    "linear-discriminant(priors=sample)",
    "naive-bayes",
    "majority",
    "c4.5",
]
Figure = tuple[str, float, str]


def show(quantity: str, value: float, unit: str) -> Figure:
    """Print a figure and return it."""
    print(f"  {quantity:<92} {value:10.3g} {unit}", flush=True)
    return quantity, value, unit


def choice(X: np.ndarray, y: np.ndarray) -> list[Figure]:
    """Set a choice beside single estimates of the same candidates on the same folds."""

    def single() -> None:
        for one in CANDIDATES:
            estimate(one, X, y, method=FOLDS, rng=0)

    together, apart = interleaved(lambda: choose(CANDIDATES, X, y, rng=0), single, repeats=5)
    show(f"ten candidates, n = {N}, {FOLDS}: choose", 1e3 * together, "ms")
    quantity = f"ten candidates of ours, n = {N}: choose / mean of ten single estimates"
    return [show(quantity, 10 * together / apart, "single estimates")]


def chance(X: np.ndarray, y: np.ndarray) -> list[Figure]:
    """Set the permutation test beside scikit-learn's."""
    figures = []
    pairs: tuple[tuple[str, str, Any], ...] = (
        ("1-NN", "knn(k=1, standardize=none)", KNeighborsClassifier(1)),
        ("linear discriminant", "linear-discriminant", LinearDiscriminantAnalysis()),
    )
    for name, inducer, model in pairs:
        mine, loop = interleaved(
            lambda i=inducer: permutation_test(i, X, y, method="cv(k=10)", n_permutations=PERMUTATIONS, rng=0),
            lambda m=model: permutation_test_score(
                m, X, y, cv=KFold(10, shuffle=True, random_state=0), n_permutations=FEWER, random_state=0
            ),
        )
        # both estimate once more, on the labels as they are
        ratio = (loop / (FEWER + 1)) / (mine / (PERMUTATIONS + 1))
        quantity = f"{name}, n = {N}, 10 folds: permutation_test_score / permutation_test, a permutation"
        figures.append(show(quantity, ratio, "times"))
        plus = seconds(
            lambda i=inducer: permutation_test(i, X, y, method=PLUS, n_permutations=PERMUTATIONS, rng=0), repeats=2
        )
        figures.append(show(f"{name}, n = {N}: {PERMUTATIONS} permutations of .632+, 200 replicates", plus, "s"))
    return figures


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit) for the ratios to be recorded."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 4))
    y = np.where(X[:, 0] + rng.normal(size=N) > 0, "yes", "no")
    return choice(X, y) + chance(X, y)


if __name__ == "__main__":
    main()
