"""How many times faster a compiled pass is than a bare loop of scikit-learn fits, inducer by inducer.

Both make a classifier of every bootstrap sample and label the cases that it leaves out.  The loop does nothing
else: no cloning, no scoring, no splitter, one estimator object that is fitted again and again.
"""

from __future__ import annotations

import os
from typing import Any

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from timing import interleaved

from errorest.data.sample import Sample
from errorest.inducers import C45, KNN, SVM, LinearDiscriminant, NaiveBayes
from errorest.resampling.draw import Resamples, bootstrap

SIZES = (36, 200)
ATTRIBUTES = 4
REPLICATES = 1000
LOOPED = 200
PAIRS: tuple[tuple[str, Any, Any], ...] = (
    ("1-NN", KNN(1), KNeighborsClassifier(1)),
    ("linear discriminant", LinearDiscriminant(), LinearDiscriminantAnalysis()),
    ("Naive Bayes", NaiveBayes(), GaussianNB()),
    ("SVM, RBF", SVM(gamma=0.25, C=1), SVC(gamma=0.25, C=1)),
    ("C4.5 tree", C45(), DecisionTreeClassifier(criterion="entropy")),
)
Figure = tuple[str, float, str]


def loop(model: Any, X: np.ndarray, y: np.ndarray, rows: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Fit and predict, and nothing else."""
    for training, tested in rows:
        model.fit(X[training], y[training]).predict(X[tested])


def rows_of(resamples: Resamples, number: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Spell out training sets of two classes and tested cases beforehand."""
    return [
        (
            np.repeat(np.arange(resamples.n), resamples.training_counts(r, r + 1)[0]),
            resamples.cases[resamples.start[r] : resamples.start[r + 1]],
        )
        for r in range(number)
    ]


def ratio(inducer: Any, model: Any, n: int) -> tuple[float, float]:
    """Microseconds of a fit of ours, and of one in a bare loop, on bootstrap samples of n cases."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, ATTRIBUTES))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    sample, resamples = Sample.from_arrays(X, y), bootstrap(n, REPLICATES, rng)
    rows = rows_of(resamples, LOOPED)
    ours, theirs = interleaved(lambda: inducer.predict_resamples(sample, resamples), lambda: loop(model, X, y, rows))
    return 1e6 * ours / REPLICATES, 1e6 * theirs / LOOPED


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit)."""
    figures = []
    for n in SIZES:
        for name, inducer, model in PAIRS:
            ours, theirs = ratio(inducer, model, n)
            print(f"  {f'{name}, n = {n}':<30} {ours:9.2f} us a fit, {theirs:9.1f} in a bare loop", end="")
            print(f"  {theirs / ours:8.3g} times", flush=True)
            figures.append((f"{name}, n = {n}: bare loop of scikit-learn fits / compiled pass", theirs / ours, "times"))
    return figures


if __name__ == "__main__":
    main()
