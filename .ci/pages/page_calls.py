"""Calls of the kinds that pages make in the reader's browser: every learner, method, metric and task that they offer.

``.ci/kernels.py`` compiles the kernels ahead for the types that are passed there; ``smoke.py`` compares the results.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import errorest
from compendium.papers.kohavi.iris import IrisParameters
from compendium.papers.kohavi.text_632 import memorizer_study
from compendium.papers.martin_hirschberg.discriminant.study import DiscriminantParameters, study_of
from compendium.studies.study import run_here

OWN = ("naive-bayes", "knn", "linear-discriminant", "c4.5", "majority")
METHODS = (
    "cv(k=10)",
    "cv(k=5, repeats=3)",
    "loo",
    "holdout",
    "632+(replicates=30)",
    "632(replicates=30)",
    "e0(replicates=30)",
)
METRICS = ("error", "balanced-accuracy", "macro-auc", "brier", "log-loss", "macro-f1", "mcc")
OF_TWO = ("auc", "f1", "sensitivity", "specificity", "precision")


def all_calls() -> dict[str, Callable[[], Any]]:
    """Return the calls by name; what each returns has a ``to_dict``."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    two = (y == 1).map({True: "yes", False: "no"})
    mixed = with_words(X)
    groups = np.arange(len(y)) // 5
    calls: dict[str, Callable[[], Any]] = {}
    for own in OWN:
        calls[f"{own} default"] = lambda own=own: errorest.estimate(own, X, y, rng=1)
        calls[f"{own} groups"] = lambda own=own: errorest.estimate(own, X, y, rng=1, groups=groups)
        for method in METHODS:
            calls[f"{own} {method}"] = lambda own=own, method=method: errorest.estimate(own, X, y, rng=1, method=method)
        for metrics, of in ((METRICS, y), (OF_TWO, two)):
            for metric in metrics if own != "majority" else ("error", "mcc"):
                options = {"pos_label": "yes"} if of is two else {}
                calls[f"{own} {metric}"] = lambda own=own, metric=metric, of=of, options=options: errorest.estimate(
                    own, X, of, rng=1, method="cv(k=5)", scoring=metric, **options
                )
    for own in ("naive-bayes", "c4.5", "majority"):
        calls[f"{own} with words"] = lambda own=own: errorest.estimate(own, mixed, y, rng=1)
    foreign = {
        "sklearn-bayes": GaussianNB(),
        "sklearn-knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "sklearn-lda": LinearDiscriminantAnalysis(),
        "sklearn-logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    for name, model in foreign.items():
        calls[f"{name} default"] = lambda model=model: errorest.estimate(model, X, y, rng=1)
        calls[f"{name} cv"] = lambda model=model: errorest.estimate(model, X, y, rng=1, method="cv(k=10)")
    calls["compare"] = lambda: errorest.compare("naive-bayes", "knn", X, y, rng=1)
    calls["compare by auc"] = lambda: errorest.compare("naive-bayes", "c4.5", X, two, rng=1, scoring="auc")
    calls["choose"] = lambda: errorest.choose(list(OWN[:3]), X, y, rng=1)
    calls["choose by brier"] = lambda: errorest.choose(list(OWN[:3]), X, y, rng=1, scoring="brier")
    calls["permutation test"] = lambda: errorest.permutation_test("naive-bayes", X, y, rng=1, n_permutations=39)
    calls["learning curve"] = lambda: errorest.learning_curve("naive-bayes", X, y, rng=1)
    return dict(chain(calls.items(), predictions().items(), studies().items()))


def with_words(X: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column of words and missing cells."""
    mixed = X.copy()
    mixed["colour"] = np.where(X["color_intensity"] > 5.0, "deep", np.where(X["hue"] > 1.0, "bright", "pale"))
    mixed.loc[::7, "ash"] = np.nan
    mixed.loc[::11, "colour"] = None
    return mixed


def predictions() -> dict[str, Callable[[], Any]]:
    """Return calls about predictions that were made elsewhere."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 200)
    p = np.clip(0.3 + 0.25 * y + 0.3 * rng.standard_normal(200), 0.01, 0.99)
    fold = np.arange(200) % 10
    judged = errorest.from_predictions
    return {
        "predictions": lambda: judged(y, (p > 0.5).astype(int)),
        "predictions in folds": lambda: judged(y, (p > 0.5).astype(int), fold=fold),
        "predictions by auc": lambda: judged(y, p, fold=fold, scoring="auc"),
        "predictions by brier": lambda: judged(y, p, scoring="brier"),
        "predictions by log loss": lambda: judged(y, p, scoring="log-loss"),
    }


def studies() -> dict[str, Callable[[], Any]]:
    """Return studies of artifacts that pages run with other parameters, small ones."""
    discriminant = DiscriminantParameters(
        sizes=[10], inherent_errors=[0.4], samples=2, cv_repeats=2, bootstrap_replicates=20
    )
    memorizer = IrisParameters(memorizer_sizes=[20], memorizer_samples=2, bootstrap_replicates=20)
    return {
        "study of a discriminant": lambda: run_here(study_of(discriminant)),
        "study of a memorizer": lambda: run_here(memorizer_study(memorizer)),
    }
