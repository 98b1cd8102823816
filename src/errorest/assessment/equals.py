"""Compiled batches in the place of scikit-learn's fits, compared with scikit-learn on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from errorest.assessment.learner import Answers

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
# Rows of which it is tried whether scikit-learn must fit most of them, so that a batch would save nothing, if all of
# them train on more values than this: smaller batches take less than the trial
_TRIED, _MANY_VALUES = 3, 2_000_000


@dataclass(eq=False)
class Equal:
    """The compiled batch of a user's classifier, and what came of comparing it with scikit-learn so far.

    Copies of the classifier with other labels share it: after one difference all of them are fitted one by one.

    Parameters
    ----------
    learner : UserModel
    n_rows, n_label_rows : int
        Training sets of all calls, and of those for labels alone, where they are known to be more than those of each.
    """

    learner: UserModel
    n_rows: int = 0
    n_label_rows: int = 0
    compared: int = 0
    difference: str = ""

    @cached_property
    def batch(self) -> Batch | None:
        """The batch, if the classifier with its settings has one on these data."""
        if self.learner.fit_params or self.learner.pairwise:
            return None
        from errorest.learners.equals import batch_of

        return batch_of(self.learner.model, self.learner.X, self.learner.labels.shape[0])

    @cached_property
    def learns(self) -> bool:
        """Whether exchanged labels are known to exchange what is predicted: no class has a prior of its own."""
        settings = self.learner.model.get_params()
        return self.batch is not None and not any(
            name.split("__")[-1] in ("priors", "class_prior") and value is not None for name, value in settings.items()
        )

    @cached_property
    def _alike(self) -> np.ndarray:
        """A number for each case, the same for cases with equal values, which every fit gives equal probabilities."""
        return np.unique(np.asarray(self.learner.X), axis=0, return_inverse=True)[1].ravel()

    def serves(self, n_rows: int, scores: bool) -> bool:
        """Whether a batch that has not differed answers so many rows, with probabilities where scores are wanted.

        So it does where the rows are worth the comparison, or, for labels, where it was compared before or more rows
        follow.  Last bits of probabilities are the batch's or scikit-learn's: whose they are depends on these rows
        alone, never on what else was asked.
        """
        worth = max(n_rows, self.n_rows, 0 if scores else self.n_label_rows) >= _LEAST_ROWS
        worth = worth or (self.compared >= _COMPARED and not scores)
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
        """Answer all tests, by scikit-learn where the batch is not sure; None if it differs or saves nothing."""
        from errorest.resampling.multisets import keep_rows

        tested, row = np.diff(resamples.start) > 0, resamples.row_of_test()
        first = np.arange(resamples.n_rows) < _TRIED
        large = resamples.n_rows * np.size(learner.X) > _MANY_VALUES
        if large and resamples.n_rows >= _LEAST_ROWS and tested[first].any():
            *_, sure, doubtful, tied = self._answer(learner, keep_rows(resamples, first), scores)
            unsure = ~sure
            unsure[row[: doubtful.size][doubtful | tied]] = True
            if 2 * unsure.sum() > unsure.size:
                return None
        codes, values, sure, doubtful, tied = self._answer(learner, resamples, scores)
        # scikit-learn answers rows that the batch does not, or with a doubtful test, and fits the first ones too
        unsure = tested & ~sure
        unsure[row[doubtful | tied]] = True
        fitted = unsure.copy()
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
        # whole rows, so that equal cases of one keep equal probabilities
        replaced = unsure[row]
        if theirs.labels is not None:
            codes[replaced] = theirs.labels[replaced]
        if values is not None and theirs.scores is not None:
            values[replaced] = theirs.scores[replaced]
        return Answers(codes if labels else None, values, theirs.failures, theirs.warned)

    def _answer(
        self, learner: UserModel, resamples: Resamples, scores: bool
    ) -> tuple[np.ndarray, np.ndarray | None, np.ndarray, np.ndarray, np.ndarray]:
        """Return labels and probabilities of a batch, the rows that it fits, and its doubtful and nearly tied tests."""
        assert self.batch is not None
        # among equal classes scikit-learn takes the first of the sorted labels
        order = np.argsort(learner.labels, kind="stable")
        rank = np.argsort(order)
        parts = [self.batch.answer(rank[learner.codes], order.size, p, scores) for p in resamples.parts()]
        codes = order[np.concatenate([p.labels for p in parts])].astype(np.min_scalar_type(-order.size))
        values = np.concatenate([p.probabilities for p in parts])[:, rank] if scores else None
        doubtful, row = np.concatenate([p.doubtful for p in parts]), resamples.row_of_test()
        sure = (np.diff(resamples.start) > 0) & ~np.concatenate([p.left for p in parts])
        tied = np.zeros_like(doubtful)
        if values is not None and self.batch.rounding > 0:
            # a probability that is another's up to rounding, which decides how the two are ranked
            tests = np.flatnonzero(sure[row])
            row_of, alike = row[tests], self._alike[resamples.cases[tests]]
            for column in values[tests].T:
                order_of = np.argsort(column, kind="stable")
                lower, upper = order_of[:-1], order_of[1:]
                near = column[upper] - column[lower] <= self.batch.rounding * column[upper]
                # absent classes have probability 0, and equal cases of one training set equal ones
                same = (row_of[lower] == row_of[upper]) & (alike[lower] == alike[upper])
                near &= (column[upper] > 0) & ~same
                tied[tests[lower[near]]] = tied[tests[upper[near]]] = True
        return codes, values, sure, doubtful, tied
