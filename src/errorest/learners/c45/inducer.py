"""C4.5 as an inducer, with its settings, and its trees as classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.special import ndtri

from errorest.data.sample import Sample
from errorest.learners.base import ProbabilityLearner, empty_training_set
from errorest.learners.c45.batch import answer_cases, label_rows, one_tree
from errorest.learners.c45.work import Rule, lay_out
from errorest.learners.trees import DecisionTree
from errorest.resampling.multisets import Resamples


class C45Tree(DecisionTree):
    """A fitted tree; cases are weights.

    A missing value follows every branch in fractions; probabilities are the training proportions at the leaves that a
    case reaches, without correction.
    """

    _stroke = "|   "
    _goes_on = ":"

    def _answer(self, values: np.ndarray, labels: np.ndarray, probabilities: np.ndarray) -> None:
        which = np.arange(values.shape[0], dtype=np.int32)
        answer_cases(self.nodes, self.counts, self._kinds, values, which, labels, probabilities)

    def _leaf_text(self, node: int) -> str:
        label = int(self.nodes["label"][node])
        cases = float(self.counts[node].sum()) if self.nodes["share"][node] > 0 else 0.0
        wrong = cases - float(self.counts[node, label]) if cases > 0 else 0.0
        among = "" if wrong < 0.005 else f"/{round(wrong, 2):g}"
        return f"{self.classes[label]} ({round(cases, 2):g}{among})"


# Bytes of training counts that are expanded at once
_BLOCK_BYTES = 1 << 22


@dataclass(frozen=True, eq=False)
class C45(ProbabilityLearner):
    """The decision trees of C4.5, written from its published descriptions.

    Gain ratio among attributes of at least average gain; one branch a category, two branches
    a number, cut at a value of the training set; fractional cases where values are missing; pessimistic
    pruning.  A case that is listed several times counts as often, and the order of cases does not matter.

    Parameters
    ----------
    release : {8, 7}
        How numbers are cut.  Release 8 takes the cut of the largest gain, which then pays
        log2(cuts)/N bits for the choice (Quinlan 1996).  ``7`` means all earlier releases: the cut
        of the largest gain ratio among those of at least average gain (the last of equal ones),
        at no charge.
    min_cases : int
        At least two branches of a test must have this many cases; of the sides of a cut, both must have
        a tenth of the known cases per class if that is more, up to 25.
    confidence : float
        Of pessimistic pruning, in (0, 0.5]; smaller prunes more.
    subtree_raising : bool
        Whether pruning may put a node's largest branch in its place.
    prune : bool
        Without pruning, only subtrees that do not lower the training error become leaves.

    Raises
    ------
    UsageError
        If a setting is out of bounds.

    Notes
    -----
    Three allowances decide close calls: a gain may be 0.001 bits below the average, pruning accepts 0.1
    estimated errors more, and a subtree becomes a leaf, pruning or not, unless it saves 0.001 training errors.
    Without the first or the second, or without that step, some trees differ from those of J48, an independent
    implementation of Release 8, with which this one was compared as a black box.  All else is compared
    with a tolerance of 1e-6; of equal attributes, classes and (Release 8) cuts the first wins, of
    equally large branches the last is raised.

    References
    ----------
    Quinlan, C4.5: Programs for Machine Learning, 1993; Quinlan, Improved use of continuous
    attributes in C4.5, JAIR 4, 1996.

    Examples
    --------
    >>> from errorest.data.sets import load
    >>> print(C45().fit(load("contact-lenses")).to_text())
    tear-prod-rate = normal:
    |   astigmatism = no: soft (6/1)
    |   astigmatism = yes:
    |   |   spectacle-prescrip = hypermetrope: none (3/1)
    |   |   spectacle-prescrip = myope: hard (3)
    tear-prod-rate = reduced: none (12)
    """

    name = "c4.5"
    _who = "C4.5"
    sizes = ("release",)
    requirements: ClassVar = {
        "min_cases": (lambda m: m == int(m) and m >= 1, "a whole number from 1; the usual one is 2"),
        "confidence": (lambda c: 0.0 < c <= 0.5, "a number in (0, 0.5]; the usual one is 0.25"),
    }

    release: Literal[8, 7] = 8
    min_cases: int = 2
    confidence: float = 0.25
    subtree_raising: bool = True
    prune: bool = True

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> C45Tree:
        """Grow and prune the tree of a whole sample."""
        if sample.n == 0:
            raise empty_training_set(self._who, "the sample")
        cases, distinct = lay_out(sample)
        counts = np.ones(sample.n, dtype=np.int32)
        return C45Tree(*one_tree(cases, distinct, counts, self._rule()), sample.attributes, sample.classes)

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        cases, distinct = lay_out(sample)
        # copies, since a read-only array would make all be compiled again
        X, tested = np.array(sample.X, order="C"), np.array(resamples.cases, dtype=np.int32)
        for first, last in resamples.blocks(_BLOCK_BYTES):
            weights = resamples.training_counts(first, last)
            start = np.array(resamples.start[first : last + 1], dtype=np.int64)
            row, _, _ = label_rows(cases, distinct, weights, start, tested, X, self._rule(), labels, probabilities)
            if row >= 0:
                return int(first + row)
        return -1

    def _rule(self) -> Rule:
        return Rule(
            self.release,
            float(self.min_cases),
            float(self.confidence),
            # one-sided: an upper limit alone is used; .25 gives z = .674
            float(ndtri(1.0 - self.confidence)),
            self.prune,
            self.subtree_raising,
        )
