"""Fitting and asking a foreign classifier, row after row: what a worker process runs.

Nothing here imports the engine, so that a worker starts as fast as scikit-learn's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from errorest.assessment.threads import limited
from errorest.errors import UsageError

__all__ = ["Failure", "Trainer", "label_chunk", "reason"]


@dataclass(frozen=True)
class Failure:
    """A resample on which a classifier could not be made or asked."""

    row: int
    reason: str


@dataclass(frozen=True, eq=False)
class Trainer:
    """A classifier with the person's own rows and labels."""

    estimator: Any
    X: Any
    y: np.ndarray
    labels: np.ndarray
    codes: np.ndarray
    seeds: tuple[str, ...] = ()
    pairwise: bool = False

    def fit(self, rows: np.ndarray, seeds: np.ndarray | None) -> Any:
        """Fit a clone on rows, repeats kept."""
        from sklearn.base import clone

        model = clone(self.estimator)
        if seeds is not None and self.seeds:
            model.set_params(**dict(zip(self.seeds, seeds.tolist(), strict=True)))
        # what fit returns is left to it; some return nothing
        model.fit(self.cut(rows, rows), self.y[rows])
        return model

    def predict(self, model: Any, rows: np.ndarray, trained: np.ndarray) -> np.ndarray:
        """Ask a fitted classifier for rows; class numbers."""
        return self._codes(model.predict(self.cut(rows, trained)), rows.shape[0])

    def label(self, training: np.ndarray, tested: np.ndarray, seeds: np.ndarray | None) -> np.ndarray | str:
        """Train and test once; a failure of the classifier's comes back as text, a person's mistake is raised."""
        codes = self.codes[training]
        if codes.size and (codes == codes[0]).all():
            return np.full(tested.shape[0], codes[0], dtype=np.int64)
        try:
            model = self.fit(training, seeds)
            predicted = model.predict(self.cut(tested, training))
        except Exception as exc:  # a foreign classifier may raise anything
            return reason(exc)
        return self._codes(predicted, tested.shape[0])

    def cut(self, rows: np.ndarray, columns: np.ndarray) -> Any:
        """Return the person's own rows; columns only matter where X holds distances or a kernel."""
        if self.pairwise:
            return self.X[np.ix_(rows, columns)]
        return self.X.iloc[rows] if hasattr(self.X, "iloc") else self.X[rows]

    def _codes(self, predicted: Any, cases: int) -> np.ndarray:
        """Turn predicted labels into class numbers; anything else is the person's mistake."""
        answer = np.asarray(predicted)
        if answer.ndim == 2 and answer.shape[1] == 1:
            answer = answer[:, 0]
        if answer.ndim and answer.shape[0] != cases:
            raise UsageError(
                f"the classifier answers with {answer.shape[0]} label(s) for {cases} cases; expected one label for "
                "each case; mend its predict"
            )
        if answer.ndim == 1:
            try:
                codes = np.searchsorted(self.labels, answer)
                codes = np.minimum(codes, self.labels.shape[0] - 1)
                if (self.labels[codes] == answer).all():
                    return codes
            except TypeError:  # text compared with numbers
                pass
        share = answer.dtype.kind == "f" and answer.size > 0 and bool(((answer >= 0) & (answer <= 1)).all())
        what = "probabilities" if share or answer.ndim == 2 else "something else than classes"
        raise UsageError(
            f"the classifier predicts {what} (an array of shape {answer.shape}, such as {answer.flat[0]!s}); expected "
            f"one of the labels of y for each case, such as {self.labels[0]!s}; let predict return labels, not "
            "predict_proba"
        )


def reason(exc: Exception) -> str:
    """Tell an exception's type and message on one line of at most 300 characters or so."""
    text = " ".join(str(exc).split())
    return f"{type(exc).__name__}: {text if len(text) <= 300 else text[:297] + '...'}"


def label_chunk(
    trainer: Trainer, work: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray | None]], threads: int | None = None
) -> tuple[list[np.ndarray | str], list[str]]:
    """Train and test for several rows, and keep what the classifier warned of."""
    answers, heard = [], []
    with limited(threads):
        for w in work:
            # anew for each fit, or a warning that is told once a place would count once
            with warnings.catch_warnings(record=True) as caught:
                answers.append(trainer.label(*w))
            heard += [f"{c.category.__name__}: {(str(c.message).splitlines() or [''])[0][:160]}" for c in caught]
    return answers, heard
