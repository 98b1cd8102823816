"""One's own data: ``estimate`` against scikit-learn's ``cross_val_score`` on the same splits.

With inducers of ours at n = 36, and with scikit-learn's own classifiers, where only the loop around the
fits differs.  mlxtend's bootstrap takes part where it can be imported; ``README.md`` says how.
"""

from __future__ import annotations

import importlib
import os

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from timing import interleaved, seconds

from errorest import estimate
from errorest.resampling.schemes import Bootstrap, KFold

N = 36
ROUNDS = 5
Figure = tuple[str, float, str]


def show(quantity: str, value: float, unit: str) -> Figure:
    """Print a figure and return it."""
    print(f"  {quantity:<92} {value:10.3g} {unit}", flush=True)
    return quantity, value, unit


def ours(X: np.ndarray, y: np.ndarray) -> list[Figure]:
    """Time inducers of ours against the loop of scikit-learn's fits that makes the same number of classifiers."""
    figures = []
    estimates = (
        ("632+(replicates=200)", Bootstrap(200, random_state=0)),
        ("cv(k=10, repeats=20)", KFold(10, 20, random_state=0)),
        ("loo", LeaveOneOut()),
        ("cv(k=10)", KFold(10, random_state=0)),
    )
    pairs = (
        ("1-NN", "knn(k=1, standardize=none)", KNeighborsClassifier(1)),
        ("linear discriminant", "linear-discriminant", LinearDiscriminantAnalysis()),
    )
    for name, inducer, model in pairs:
        for estimator, splitter in estimates:
            mine = seconds(lambda i=inducer, e=estimator: estimate(i, X, y, method=e, rng=0), repeats=20)
            loop = seconds(lambda m=model, s=splitter: cross_val_score(m, X, y, cv=s), repeats=2)
            show(f"{name}, n = {N}, {estimator}: estimate", 1e3 * mine, "ms")
            quantity = f"{name} of ours, n = {N}, {estimator}: cross_val_score / estimate"
            figures.append(show(quantity, loop / mine, "times"))
    return figures


def theirs() -> list[Figure]:
    """Time scikit-learn's classifiers in both loops, on the same folds; the greatest ratio at each n is returned."""
    rng = np.random.default_rng(1)
    figures = []
    for n in (N, 500):
        ratios = []
        X = rng.normal(size=(n, 8))
        y = np.where(X[:, 0] + rng.normal(size=n) > 0, "yes", "no")
        for model in (
            KNeighborsClassifier(),
            LogisticRegression(),
            make_pipeline(StandardScaler(), LogisticRegression()),
            DecisionTreeClassifier(random_state=0),
            RandomForestClassifier(20, random_state=0),
        ):
            folds = StratifiedKFold(10)
            mine, loop = interleaved(
                lambda m=model, X=X, y=y, f=folds: estimate(m, X, y, method=f, rng=0),
                lambda m=model, X=X, y=y, f=folds: cross_val_score(m, X, y, cv=f),
            )
            name = type(model[-1] if hasattr(model, "steps") else model).__name__
            scaled = ", scaled" if hasattr(model, "steps") else ""
            quantity = f"{name}{scaled}, n = {n}, 10 folds: estimate / cross_val_score"
            ratios.append(show(quantity, mine / loop, "times")[1])
        quantity = f"greatest of {len(ratios)} classifiers of scikit-learn, n = {n}, 10 folds"
        figures.append(show(f"{quantity}: estimate / cross_val_score", max(ratios), "times"))
    return figures


def mlxtend(X: np.ndarray, y: np.ndarray) -> list[Figure]:
    """Time mlxtend's .632 and .632+ of 200 bootstrap samples of 1-NN; empty where it is not there."""
    try:
        score = importlib.import_module("mlxtend.evaluate").bootstrap_point632_score
    except ImportError:
        print("  mlxtend is not there: its bootstrap is left out; benchmarks/README.md says how it is installed")
        return []
    codes = (y == "yes").astype(int)
    figures = []
    for method in (".632", ".632+"):
        estimator = f"{method[1:]}(replicates=200)"
        mine = seconds(lambda e=estimator: estimate("knn(k=1, standardize=none)", X, y, method=e, rng=0), repeats=20)
        loop = seconds(
            lambda m=method: score(KNeighborsClassifier(1), X, codes, n_splits=200, method=m, random_seed=0), repeats=2
        )
        quantity = f"1-NN, n = {N}, {method} of 200 bootstrap samples: mlxtend / estimate"
        figures.append(show(quantity, loop / mine, "times"))
    return figures


def main() -> list[Figure]:
    """Measure and print; returns (quantity, value, unit) for the ratios to be recorded."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 4))
    y = np.where(X[:, 0] + rng.normal(size=N) > 0, "yes", "no")
    return ours(X, y) + mlxtend(X, y) + theirs()


if __name__ == "__main__":
    main()
