"""Asking a foreign classifier for probabilities, row after row: what a worker process runs.

Nothing here imports the engine, so that a worker starts as fast as scikit-learn's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errorest.assessment.labelling import Trainer, reason
from errorest.errors import UsageError
from errorest.probabilities import checked_probabilities

__all__ = ["ProbabilityTrainer"]


@dataclass(frozen=True, eq=False)
class ProbabilityTrainer(Trainer):
    """A classifier with the person's own rows and labels, which answers with probabilities.

    They travel as whole numbers of the same bits, K for each test, since that is what rows of labels are made of.
    """

    def label(self, training: np.ndarray, tested: np.ndarray, seeds: np.ndarray | None) -> np.ndarray | str:
        """Train and test once; each tested row stands K times, and a failure of the classifier's comes back as text."""
        k = self.labels.shape[0]
        rows, codes = tested[::k], self.codes[training]
        said = np.zeros((rows.shape[0], k))
        if codes.size and (codes == codes[0]).all():
            # one class alone: it is certain
            said[:, codes[0]] = 1.0
        else:
            try:
                model = self.fit(training, seeds)
                answer = np.asarray(model.predict_proba(self.cut(rows, training)), dtype=np.float64)
                known = getattr(model, "classes_", self.labels)
            except Exception as exc:  # a foreign classifier may raise anything
                return reason(exc)
            columns = self._columns(known)
            said[:, columns] = checked_probabilities(answer, rows.shape[0], columns.shape[0], "the classifier")
        return said.view(np.int64).ravel()

    def _columns(self, known: np.ndarray) -> np.ndarray:
        """Find the class numbers of the classifier's own classes; training may have lacked some."""
        columns = np.minimum(np.searchsorted(self.labels, known), self.labels.shape[0] - 1)
        if not (self.labels[columns] == known).all():
            raise UsageError(
                f"the classifier tells probabilities of the classes {', '.join(map(str, known))}; expected classes of "
                f"y, such as {self.labels[0]!s}; mend its classes_"
            )
        return np.asarray(columns)
