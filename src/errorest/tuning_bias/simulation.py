"""The greedy optimizer of Scheffer & Herbrich (1997), section 2.2, run as an algorithm.

It sees hit counts and nothing else: for each of the first c positions it has every class told in
turn, keeps the one with the most hits, and goes on.  Many experiments run side by side, on made-up
test sets or on the tested cases of a real classifier, so that the equations can be held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from errorest.errors import UsageError, nearest
from errorest.tuning_bias.distributions import check_probability, check_test_set, check_whole
from errorest.tuning_bias.one_shot import check_classes

__all__ = ["GreedyRuns", "Setting", "simulate_greedy", "simulate_greedy_on"]

Setting = Literal["one-shot", "per-fold", "fixed"]


@dataclass(frozen=True, eq=False)
class GreedyRuns:
    """What the greedy optimizer reached in repeated experiments.

    Parameters
    ----------
    gained : int array, shape (repeats,)
        Hits after tuning minus hits before, over all folds.
    hits : int array, shape (repeats,)
        Hits before tuning, over all folds.
    trials : int
        Trials that each experiment took, c times the number of classes.
    cases : int
        Tested cases over all folds.

    Examples
    --------
    >>> runs = GreedyRuns(np.array([0, 2, 3]), np.array([20, 21, 19]), trials=8, cases=30)
    >>> round(runs.share_gaining(2), 3)
    0.667
    """

    gained: np.ndarray
    hits: np.ndarray
    trials: int
    cases: int

    def share_gaining(self, extra: int) -> float:
        """Return the share of the experiments that gained ``extra`` hits or more."""
        return float(np.mean(self.gained >= extra))

    def bias(self) -> float:
        """Return the mean gain as a proportion of the tested cases."""
        return float(self.gained.mean() / self.cases)


def check_setting(setting: str, folds: int) -> None:
    """Refuse an unknown setting, and more than one fold in the one-shot setting."""
    if setting not in get_args(Setting):
        raise UsageError(
            f"unknown setting '{setting}'; expected one of {', '.join(get_args(Setting))}; "
            + nearest(setting, get_args(Setting))
        )
    if setting == "one-shot" and folds != 1:
        raise UsageError(
            f"{folds} folds in the one-shot setting; expected one test set; choose the setting per-fold or fixed"
        )


def _hit_counts(told: np.ndarray, labels: np.ndarray, correct: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Count the hits of every fold, (repeats, folds): told labels where told (>= 0), the classifier elsewhere."""
    hit = np.where(told >= 0, told == labels, correct)
    return hit.sum(axis=2) + others


def _optimize(
    labels: np.ndarray, correct: np.ndarray, others: np.ndarray, classes: int, shared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Run the optimizer; labels and correct have shape (repeats, folds, c), others (repeats, folds).

    With ``shared`` one list of labels is told to all folds and the optimizer sees the hits of all
    folds together; otherwise each fold has its own list and its own count.
    """
    repeats, folds, c = labels.shape
    told = np.full((repeats, 1 if shared else folds, c), -1)

    def seen() -> np.ndarray:
        counts = _hit_counts(told, labels, correct, others)
        return counts.sum(axis=1, keepdims=True) if shared else counts

    before = seen().sum(axis=1)
    after = before
    for position in range(c):
        counts = np.empty((classes, repeats, told.shape[1]), dtype=np.int64)
        for label in range(classes):
            told[:, :, position] = label
            counts[label] = seen()
        told[:, :, position] = counts.argmax(axis=0)
        after = counts.max(axis=0).sum(axis=1)
    return before, after - before


def simulate_greedy(
    m: int,
    hits: int,
    c: int,
    rng: np.random.Generator,
    *,
    setting: Setting = "one-shot",
    folds: int = 1,
    classes: int = 2,
    shares: Sequence[float] | None = None,
    repeats: int = 1000,
) -> GreedyRuns:
    """Run the greedy optimizer on made-up test sets.

    Parameters
    ----------
    m : int
        Test cases of a fold.
    hits : int
        Hits of the untuned classifier in a fold; they lie at random.
    c : int
        Positions whose labels are tuned.
    rng : numpy.random.Generator
    setting : {"one-shot", "per-fold", "fixed"}
        One test set; each fold tuned apart (each optimizer sees the hits of its own fold); one
        choice for all folds (it sees the hits of all together).
    folds : int
    classes : int
        Number of classes, at least 2.
    shares : sequence of float, length classes, optional
        Probabilities of the classes; by default equal.  Labels are drawn independently of the hits.
    repeats : int
        Experiments.

    Returns
    -------
    GreedyRuns

    Raises
    ------
    UsageError
        If a number is out of bounds, the shares do not add up to 1, or the setting is unknown.

    Examples
    --------
    >>> runs = simulate_greedy(2000, 1700, 60, np.random.default_rng(0), classes=6, repeats=200)
    >>> runs.trials, runs.share_gaining(6) > 0.8
    (360, True)
    """
    m, hits, c = check_test_set(m, hits, c)
    folds = check_whole(folds, "the number of folds n", 1)
    check_setting(setting, folds)
    classes, repeats = check_classes(classes), check_whole(repeats, "repeats", 1)
    p = np.full(classes, 1.0 / classes) if shares is None else np.asarray(shares, dtype=float)
    for share in p:
        check_probability(float(share), "a share of a class")
    if p.shape != (classes,) or abs(p.sum() - 1.0) > 1e-6:
        raise UsageError(
            f"shares {p.tolist()} of {classes} classes; expected one a class, adding up to 1; mend the shares"
        )
    among = rng.hypergeometric(hits, m - hits, c, size=(repeats, folds))
    place = rng.random((repeats, folds, c)).argsort(axis=2)
    correct = place < among[:, :, None]
    labels = rng.choice(classes, size=(repeats, folds, c), p=p / p.sum())
    before, gained = _optimize(labels, correct, hits - among, classes, setting == "fixed")
    return GreedyRuns(gained, before, c * classes, m * folds)


def simulate_greedy_on(
    labels: np.ndarray,
    correct: np.ndarray,
    fold: np.ndarray,
    c: int,
    rng: np.random.Generator,
    *,
    setting: Setting = "fixed",
    repeats: int = 1000,
) -> GreedyRuns:
    """Run the greedy optimizer on the tested cases of a real classifier.

    Each experiment puts the cases of every fold in a random order and tunes the first c positions,
    so hits and classes are coupled as the classifier couples them.

    Parameters
    ----------
    labels : int array, shape (n,)
        Class numbers of the tested cases.
    correct : bool array, shape (n,)
        Whether the untuned classifier got each case right.
    fold : int array, shape (n,)
        Fold of each case, 0 to folds - 1.
    c : int
        Positions tuned; at most the size of the smallest fold.
    rng : numpy.random.Generator
    setting : {"one-shot", "per-fold", "fixed"}
        As in :func:`simulate_greedy`.
    repeats : int
        Experiments.

    Returns
    -------
    GreedyRuns

    Raises
    ------
    UsageError
        If the arrays differ in length, a fold has fewer than c cases, or the setting is unknown.

    Examples
    --------
    >>> y, fold = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> simulate_greedy_on(y, y == 0, fold, 2, np.random.default_rng(0), setting="per-fold", repeats=3).gained.tolist()
    [2, 2, 2]
    """
    y, right, fold = np.asarray(labels), np.asarray(correct, dtype=bool), np.asarray(fold)
    if not y.shape == right.shape == fold.shape or y.ndim != 1 or y.size == 0:
        raise UsageError(
            f"labels, correct and fold have shapes {y.shape}, {right.shape} and {fold.shape}; "
            "expected one of each a tested case; align the arrays"
        )
    sizes = np.bincount(fold)
    check_setting(setting, sizes.size)
    c, repeats = check_whole(c, "the number of told labels c"), check_whole(repeats, "repeats", 1)
    if c > sizes.min():
        raise UsageError(f"c = {c} labels told and a fold has {sizes.min()} cases; expected at most that; lower c")
    drawn = np.empty((repeats, sizes.size, c), dtype=np.int64)
    for f in range(sizes.size):
        cases = np.nonzero(fold == f)[0]
        order = rng.random((repeats, cases.size)).argsort(axis=1)[:, :c]
        drawn[:, f] = cases[order]
    tuned = right[drawn]
    others = np.bincount(fold, weights=right, minlength=sizes.size).astype(np.int64) - tuned.sum(axis=2)
    classes = max(2, int(y.max()) + 1)
    before, gained = _optimize(y[drawn], tuned, others, classes, setting == "fixed")
    return GreedyRuns(gained, before, c * classes, y.size)
