"""How many times faster a compiled pass is than a bare loop of scikit-learn fits, inducer by inducer.

Both make a classifier of every bootstrap sample and label the cases that it leaves out.  The loop does nothing
else: no cloning, no scoring, no splitter, one estimator object that is fitted again and again.  Beside the pass
stands the whole call that a person makes: ``estimate`` as it comes, .632+ with its interval and warnings.

What a loop saves is what a fit costs whatever the cases: it is timed on six.  The share of it in a fit bounds what
any other way around the same arithmetic can gain, and falls as cases grow.
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

from compendium.methods.learners.svm import SVM
from errorest import estimate
from errorest.data.sample import Sample
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes
from errorest.resampling.draw import bootstrap
from errorest.resampling.multisets import Resamples

SIZES = (36, 500)
ATTRIBUTES = 4
REPLICATES = 1000
LOOPED = 100
FEW = 6
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


def microseconds(inducer: Any, model: Any, n: int) -> tuple[float, float, float, float]:
    """Time a fit: of a pass of ours, of a whole call, of a bare loop, all of n cases, and of that loop of six."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, ATTRIBUTES))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    sample, resamples = Sample.from_arrays(X, y), bootstrap(n, REPLICATES, rng)
    rows = rows_of(resamples, LOOPED)
    few = np.concatenate([np.flatnonzero(y == c)[: FEW // 2] for c in (0, 1)])
    works = (
        lambda: inducer.predict_resamples(sample, resamples),
        lambda: estimate(inducer, X, y, rng=0),
        lambda: loop(model, X, y, rows),
        lambda: loop(model, X, y, [(few, few)] * LOOPED),
    )
    fits = (REPLICATES, estimate(inducer, X, y, rng=0).n_fits, LOOPED, LOOPED)
    own, call, bare, fixed = (
        1e6 * took / number for took, number in zip(interleaved(*works, repeats=5), fits, strict=True)
    )
    return own, call, bare, fixed


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit)."""
    figures = []
    for n in SIZES:
        for name, inducer, model in PAIRS:
            own, call, bare, fixed = microseconds(inducer, model, n)
            print(f"  {f'{name}, n = {n}':<30} {own:9.2f} us a fit, {call:9.2f} in estimate", end="")
            print(f", {bare:9.1f} in a bare loop: {bare / own:8.3g} and {bare / call:8.3g} times", end="")
            print(f"; {100 * fixed / bare:.0f} % of the loop is there with {FEW} cases", flush=True)
            loops = f"{name}, n = {n}: bare loop of scikit-learn fits"
            figures.append((f"{loops} / compiled pass", bare / own, "times"))
            figures.append((f"{loops} / estimate", bare / call, "times"))
            figures.append((f"{loops}, what a fit of {FEW} cases takes of it", 100 * fixed / bare, "%"))
    return figures


if __name__ == "__main__":
    main()
