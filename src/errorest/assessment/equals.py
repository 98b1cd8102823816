"""Compiled batches in the place of scikit-learn's fits, compared with scikit-learn on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from errorest.assessment.learner import Answers, parts_of

if TYPE_CHECKING:
    from errorest.assessment.user_model import UserModel
    from errorest.assessment.workers import Report
    from errorest.learners.equals import Batch
    from errorest.resampling.multisets import Resamples

# Training sets from which a batch is worth its comparison; fewer are fitted one by one
_LEAST_ROWS = 40
# Rows that scikit-learn fits too, although the batch is sure of them
_COMPARED = 5
# Largest difference of probabilities that are equal
_TOLERANCE = 1e-9


@dataclass(eq=False)
class Equal:
    """The compiled batch of a user's classifier, and what came of comparing it with scikit-learn so far.

    Copies of the classifier with other labels share it: after one difference all of them are fitted one by one.

    Parameters
    ----------
    learner : UserModel
    n_rows : int
        Training sets of all calls, where they are known to be more than those of each.
    """

    learner: UserModel
    n_rows: int = 0
    compared: int = 0
    difference: str = ""

    @cached_property
    def batch(self) -> Batch | None:
        """The batch, if the classifier with its settings has one on these data."""
        if self.learner.fit_params or self.learner.pairwise:
            return None
        from errorest.learners.equals import batch_of

        return batch_of(self.learner.model, self.learner.X, self.learner.labels.shape[0])

    def serves(self, n_rows: int, scores: bool) -> bool:
        """Whether a batch that has not differed answers so many rows, with probabilities where scores are wanted.

        So it does where it was compared before, or where the rows are worth the comparison.
        """
        worth = self.compared >= _COMPARED or max(n_rows, self.n_rows) >= _LEAST_ROWS
        if not worth or self.difference or self.batch is None:
            return False
        return not scores or self.learner.scores == "predict_proba"

    def fit_predict(
        self,
        learner: UserModel,
        resamples: Resamples,
        seeds: list[np.ndarray] | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None,
    ) -> Answers | None:
        """Answer all tests, by scikit-learn those of which the batch is not sure; None after a difference."""
        assert self.batch is not None
        # among equal classes scikit-learn takes the first of the sorted labels
        order = np.argsort(learner.labels, kind="stable")
        rank = np.argsort(order)
        parts = [self.batch.answer(rank[learner.codes], order.size, p, scores) for p in parts_of(resamples)]
        codes = order[np.concatenate([p.labels for p in parts])].astype(np.min_scalar_type(-order.size))
        values = np.concatenate([p.probabilities for p in parts])[:, rank] if scores else None
        doubtful = np.concatenate([p.doubtful for p in parts])
        tested, row = np.diff(resamples.start) > 0, resamples.row_of_test()
        # rows that the batch fits; scikit-learn fits the others, those with a doubtful test, and the first ones
        sure = tested & ~np.concatenate([p.left for p in parts])
        fitted = tested & ~sure
        fitted[row[doubtful]] = True
        fitted[np.flatnonzero(sure)[: max(0, _COMPARED - self.compared)]] = True
        if report is not None and (alone := int((tested & ~fitted).sum())):
            report(alone)
        rows = np.flatnonzero(fitted)
        if not rows.size:
            return Answers(codes if labels else None, values)
        theirs, warned = learner.fit_rows(resamples, rows, seeds, labels=labels, scores=scores, report=report)
        compared = (fitted & sure)[row] & ~doubtful
        if sure[warned].any() or any(sure[f.row] for f in theirs.failures):
            self.difference = "it warns or fails in scikit-learn alone"
        elif theirs.labels is not None and (codes[compared] != theirs.labels[compared]).any():
            self.difference = "its labels differ"
        elif values is not None and (np.abs(values - theirs.scores)[compared] > _TOLERANCE).any():
            self.difference = "its probabilities differ"
        if self.difference:
            return None
        self.compared += int((fitted & sure).sum())
        replaced = ~sure[row] | doubtful
        if theirs.labels is not None:
            codes[replaced] = theirs.labels[replaced]
        if values is not None and theirs.scores is not None:
            values[replaced] = theirs.scores[replaced]
        return Answers(codes if labels else None, values, theirs.failures, theirs.warned)
