"""The greedy optimizer of Scheffer & Herbrich (1997), section 2.2, run as an algorithm.

It sees hit counts and nothing else: for each of the first c positions it has every class told in turn, keeps the one
with the most hits, and goes on.  Many experiments run side by side, on made-up test sets or on the tested cases of a
real classifier, so that the equations can be compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compendium.methods.tuning_bias.distributions import Setting
from errorest.counting import count_each
from errorest.errors import UsageError


@dataclass(frozen=True, eq=False)
class GreedyRuns:
    """Repeated experiments: hits before tuning and hits gained, over all folds, int arrays of shape (repeats,).

    ``trials`` are those of one experiment, c times the number of classes.
    """

    gained: np.ndarray
    hits: np.ndarray
    trials: int

    def share_gaining(self, extra: int) -> float:
        """Return the share of the experiments that gained ``extra`` hits or more."""
        return float(np.mean(self.gained >= extra))


def _optimize(
    labels: np.ndarray, correct: np.ndarray, others: np.ndarray, classes: int, shared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Run the optimizer; labels and correct have shape (repeats, folds, c), others (repeats, folds).

    With ``shared`` one list of labels is told to all folds and the optimizer sees the hits of all folds together;
    otherwise each fold has its own list and its own count.
    """
    repeats, folds, c = labels.shape
    revealed = np.full((repeats, 1 if shared else folds, c), -1)

    def hit_counts() -> np.ndarray:
        # told labels where told (>= 0), the classifier elsewhere
        counts = np.where(revealed >= 0, revealed == labels, correct).sum(axis=2) + others
        return np.asarray(counts.sum(axis=1, keepdims=True) if shared else counts)

    before = hit_counts().sum(axis=1)
    after = before
    for position in range(c):
        counts = np.empty((classes, repeats, revealed.shape[1]), dtype=np.int64)
        for label in range(classes):
            revealed[:, :, position] = label
            counts[label] = hit_counts()
        revealed[:, :, position] = counts.argmax(axis=0)
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

    m, hits and c are of one fold; the untuned classifier's hits lie at random.  ``shares`` are the probabilities of
    the classes, equal by default; labels are drawn independently of the hits.
    """
    p = np.full(classes, 1.0 / classes) if shares is None else np.asarray(shares, dtype=float)
    among = rng.hypergeometric(hits, m - hits, c, size=(repeats, folds))
    place = rng.random((repeats, folds, c)).argsort(axis=2)
    correct = place < among[:, :, None]
    labels = rng.choice(classes, size=(repeats, folds, c), p=p / p.sum())
    before, gained = _optimize(labels, correct, hits - among, classes, setting == "fixed")
    return GreedyRuns(gained, before, c * classes)


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
    """Run the greedy optimizer on the tested cases of a real classifier: an entry a case; folds are numbered from 0.

    Each experiment puts the cases of every fold in a random order and tunes the first c positions, so hits and
    classes are coupled as the classifier couples them.
    """
    y, right, fold = np.asarray(labels), np.asarray(correct, dtype=bool), np.asarray(fold)
    sizes = count_each(fold)
    if c > sizes.min():
        raise UsageError(f"c = {c} labels are told, but a fold has {sizes.min()} cases; lower c")
    sampled = np.empty((repeats, sizes.size, c), dtype=np.int64)
    for f in range(sizes.size):
        cases = np.nonzero(fold == f)[0]
        order = rng.random((repeats, cases.size)).argsort(axis=1)[:, :c]
        sampled[:, f] = cases[order]
    tuned = right[sampled]
    others = count_each(fold, weights=right, minlength=sizes.size).astype(np.int64) - tuned.sum(axis=2)
    classes = max(2, int(y.max()) + 1)
    before, gained = _optimize(y[sampled], tuned, others, classes, setting == "fixed")
    return GreedyRuns(gained, before, c * classes)
