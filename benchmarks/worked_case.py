"""What other packages answer on the worked case of the guide, with the same bootstrap samples and folds.

They are no dependencies, but for scikit-learn: ``README.md`` says how they are put, pinned, into a folder of their own
beside the project, and how this is run with it on the path.  Scores are asked of three nearest neighbours, which tell
shares of classes, in two folds: the first four cases and the last four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from compendium.guide.other_packages import PACKAGES, PeersParameters, worked_case
from errorest import estimate

CASE = PeersParameters()
X, Y = np.array(CASE.values)[:, None], np.array(CASE.labels)
FOLDS = np.repeat([0, 1], 4)
Answer = tuple[str, float, str]


@contextmanager
def written_out(module: Any) -> Iterator[None]:
    """Put the bootstrap samples of the worked case in the place of mlxtend's random splits."""

    class WrittenOut:
        """Yields them one after another."""

        def __init__(self, **_: object) -> None: ...

        def split(self, X: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
            for drawn in CASE.bootstrap_samples:
                yield np.array(drawn), np.setdiff1d(np.arange(len(X)), drawn)

    random_splits = module.BootstrapOutOfBag
    module.BootstrapOutOfBag = WrittenOut
    try:
        yield
    finally:
        module.BootstrapOutOfBag = random_splits


def mlxtend_answers() -> list[Answer]:
    """Ask mlxtend for its .632 and .632+, and its .632 of the Brier score; empty where it is not there."""
    try:
        from mlxtend import evaluate
        from mlxtend.evaluate import bootstrap_point632 as module
    except ImportError:
        print("  mlxtend is not there; expected it beside the project; see benchmarks/README.md")
        return []

    def asked(k: int, method: str, **more: Any) -> float:
        drawn = len(CASE.bootstrap_samples)
        scores = evaluate.bootstrap_point632_score(KNeighborsClassifier(k), X, Y, n_splits=drawn, method=method, **more)
        return float(scores.mean())

    with written_out(module):
        errors = [(f"mlxtend, {m}, measured", 1 - asked(1, m), "error rate") for m in (".632", ".632+")]
        # a score as it takes one: what it calls accuracy may as well be a loss, since .632 is linear
        brier = asked(3, ".632", scoring_func=brier_score_loss, predict_proba=True)
    return [*errors, ("mlxtend, Brier score, .632, measured", brier, "Brier score")]


def scikit_learn_answers() -> list[Answer]:
    """Ask scikit-learn for scores of the two folds: averaged, as its cross_val_score does, and pooled."""
    model, split = KNeighborsClassifier(3), PredefinedSplit(FOLDS)

    def averaged(scoring: str) -> float:
        return float(cross_val_score(model, X, Y, cv=split, scoring=scoring).mean())

    pooled = cross_val_predict(model, X, Y, cv=split, method="predict_proba")[:, 1]
    return [
        ("scikit-learn, Brier score, cross_val_score", -averaged("neg_brier_score"), "Brier score"),
        ("scikit-learn, AUC, cross_val_score", averaged("roc_auc"), "AUC"),
        ("scikit-learn, AUC, cross_val_predict pooled", float(roc_auc_score(Y, pooled)), "AUC"),
    ]


def brier_632() -> float:
    """Return the .632 of the Brier score with the bootstrap samples of the worked case, as this library has it."""
    shares = [_shares(np.array(drawn)) for drawn in CASE.bootstrap_samples]
    left_out = np.array([~np.isin(np.arange(Y.size), drawn) for drawn in CASE.bootstrap_samples])
    losses = np.where(left_out, (np.array(shares) - Y) ** 2, 0.0)
    tested = left_out.sum(axis=0)
    err1 = (losses.sum(axis=0)[tested > 0] / tested[tested > 0]).mean()
    apparent = np.mean((_shares(np.arange(Y.size)) - Y) ** 2)
    return float(0.368 * apparent + 0.632 * err1)


def _shares(drawn: np.ndarray) -> np.ndarray:
    """Tell the share of ones among the three nearest of the cases drawn."""
    from errorest.data.sample import Sample
    from errorest.learners import KNN

    return KNN(3).fit(Sample.from_arrays(X, Y).take(np.sort(drawn))).predict_proba(X)[:, 1]


def own_answers() -> list[Answer]:
    """Return this library's answers to the same questions."""
    plain, plus = PACKAGES["errorest"][0](worked_case(CASE))

    def score(name: str, estimator: Any) -> float:
        raw = "knn(k=3, standardize=none)"
        return estimate(raw, X, Y, scoring=name, method=estimator, interval=None, rng=0).value

    split = PredefinedSplit(FOLDS)
    return [
        ("errorest, .632", plain, "error rate"),
        ("errorest, .632+", plus, "error rate"),
        ("errorest, Brier score, .632", brier_632(), "Brier score"),
        ("errorest, Brier score, the two folds", score("brier", split), "Brier score"),
        ("errorest, AUC, the two folds", score("auc", split), "AUC"),
    ]


ASKED: tuple[Callable[[], list[Answer]], ...] = (mlxtend_answers, scikit_learn_answers, own_answers)


def main() -> list[Answer]:
    """Print and return the measured answers beside this project's own."""
    answers = [answer for ask in ASKED for answer in ask()]
    for quantity, value, _ in answers:
        print(f"  {quantity}: {value:.4f}")
    return answers


if __name__ == "__main__":
    main()
