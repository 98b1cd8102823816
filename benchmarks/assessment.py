"""One's own data: ``estimate_error`` against scikit-learn's ``cross_val_score`` on the same splits.

With inducers of ours at n = 36, and with scikit-learn's own classifiers, where only the loop around the
fits differs.  mlxtend's bootstrap takes part where it is installed.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from errorest import estimate_error
from errorest.assessment import BootstrapSplit, RepeatedDealKFold

N = 36
ROUNDS = 5


def seconds(*works: Callable[[], Any], rounds: int = ROUNDS) -> list[float]:
    """Least processor seconds of each work, taken in turn so that a busy machine meets all alike."""
    least = [np.inf] * len(works)
    for work in works:
        work()
    for _ in range(rounds):
        for i, work in enumerate(works):
            began = time.process_time()
            work()
            least[i] = min(least[i], time.process_time() - began)
    return least


def ours(figures: list[tuple[str, float, str]], X: np.ndarray, y: np.ndarray) -> None:
    """Time inducers of ours against the loop of scikit-learn's fits that makes the same number of classifiers."""
    estimates = (
        ("632+(replicates=200)", BootstrapSplit(200, random_state=0)),
        ("cv(k=10, repeats=20)", RepeatedDealKFold(10, 20, random_state=0)),
        ("loo", LeaveOneOut()),
        ("cv(k=10)", RepeatedDealKFold(10, random_state=0)),
    )
    pairs = (
        ("1-NN", "knn", KNeighborsClassifier(1)),
        ("linear discriminant", "linear-discriminant", LinearDiscriminantAnalysis()),
    )
    for name, inducer, model in pairs:
        for estimator, splitter in estimates:
            (mine,) = seconds(lambda i=inducer, e=estimator: estimate_error(i, X, y, estimator=e, rng=0), rounds=20)
            (loop,) = seconds(lambda m=model, s=splitter: cross_val_score(m, X, y, cv=s), rounds=2)
            figures.append((f"{name}, n = {N}, {estimator}: estimate_error", 1e3 * mine, "ms"))
            figures.append((f"{name}, n = {N}, {estimator}: cross_val_score / estimate_error", loop / mine, "times"))


def theirs(figures: list[tuple[str, float, str]]) -> None:
    """Time scikit-learn's classifiers in both loops, on the same folds."""
    rng = np.random.default_rng(1)
    for n in (N, 500):
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
            mine, loop = seconds(
                lambda m=model, X=X, y=y, f=folds: estimate_error(m, X, y, estimator=f, rng=0),
                lambda m=model, X=X, y=y, f=folds: cross_val_score(m, X, y, cv=f),
            )
            name = type(model[-1] if hasattr(model, "steps") else model).__name__
            scaled = ", scaled" if hasattr(model, "steps") else ""
            quantity = f"{name}{scaled}, n = {n}, 10 folds: estimate_error / cross_val_score"
            figures.append((quantity, mine / loop, "times"))


def mlxtend(figures: list[tuple[str, float, str]], X: np.ndarray, y: np.ndarray) -> None:
    """Time mlxtend's .632+ of 200 bootstrap samples, where it is installed."""
    try:
        score = importlib.import_module("mlxtend.evaluate").bootstrap_point632_score
    except ImportError:
        print("  mlxtend is not installed here: its bootstrap is left out")
        return
    codes = (y == "yes").astype(int)
    (mine,) = seconds(lambda: estimate_error("knn", X, y, rng=0), rounds=20)
    work = lambda: score(KNeighborsClassifier(1), X, codes, n_splits=200, method=".632+", random_seed=0)  # noqa: E731
    (loop,) = seconds(work, rounds=2)
    figures.append((f"1-NN, n = {N}, .632+ of 200: mlxtend / estimate_error", loop / mine, "times"))


def main() -> list[tuple[str, float, str]]:
    """Measure and print; return the figures."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 4))
    y = np.where(X[:, 0] + rng.normal(size=N) > 0, "yes", "no")
    figures: list[tuple[str, float, str]] = []
    ours(figures, X, y)
    mlxtend(figures, X, y)
    theirs(figures)
    for quantity, value, unit in figures:
        print(f"  {quantity:<90} {value:10.3g} {unit}")
    return figures


if __name__ == "__main__":
    main()
