"""Fit a foreign classifier and predict in a worker; imports no engine, so that the worker starts fast."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from errorest.errors import UsageError
from errorest.probabilities import checked_probabilities


@dataclass(frozen=True)
class Failure:
    """A resample on which a classifier could not be made or asked."""

    row: int
    reason: str


@dataclass(frozen=True, eq=False)
class Trainer:
    """A classifier with the person's own rows and labels, which predicts labels or probabilities."""

    estimator: Any
    X: Any
    codes: np.ndarray
    labels: np.ndarray
    seeds: tuple[str, ...] = ()
    pairwise: bool = False
    probabilities: bool = False

    @property
    def y(self) -> np.ndarray:
        """The label of each case; array, shape (n,)."""
        return self.labels[self.codes]

    def fit(self, rows: np.ndarray, seeds: np.ndarray | None) -> Any:
        """Fit a clone on rows, repeats kept."""
        from sklearn.base import clone

        model = clone(self.estimator)
        if seeds is not None and self.seeds:
            model.set_params(**dict(zip(self.seeds, seeds.tolist(), strict=True)))
        # what fit returns is left to it; some return nothing
        model.fit(self.cut(rows, rows), self.labels[self.codes[rows]])
        return model

    def predict(self, model: Any, rows: np.ndarray, trained: np.ndarray) -> np.ndarray:
        """Ask a fitted classifier for rows; class numbers."""
        return self._codes(model.predict(self.cut(rows, trained)), rows.shape[0])

    def predict_row(self, training: np.ndarray, tested: np.ndarray, seeds: np.ndarray | None) -> np.ndarray | str:
        """Train and test once; a failure of the classifier is returned as text, a user's mistake is raised."""
        codes = self.codes[training]
        if codes.size and (codes == codes[0]).all():
            alone = np.full(tested.shape[0], codes[0], dtype=np.int64)
            return np.eye(self.labels.shape[0])[alone] if self.probabilities else alone
        try:
            model = self.fit(training, seeds)
            if not self.probabilities:
                predicted = model.predict(self.cut(tested, training))
            else:
                predicted = np.asarray(model.predict_proba(self.cut(tested, training)), dtype=np.float64)
                known = getattr(model, "classes_", self.labels)
        except (Exception, SystemExit) as exc:  # a foreign classifier may raise anything
            return reason(exc)
        if not self.probabilities:
            return self._codes(predicted, tested.shape[0])
        # the class numbers of the classifier's own classes; training may have lacked some
        columns = np.minimum(np.searchsorted(self.labels, known), self.labels.shape[0] - 1)
        if not (self.labels[columns] == known).all():
            raise UsageError(
                f"the classifier tells probabilities of the classes {', '.join(map(str, known))}; expected those of y"
            )
        out = np.zeros((tested.shape[0], self.labels.shape[0]))
        out[:, columns] = checked_probabilities(predicted, tested.shape[0], columns.shape[0], "the classifier")
        return out

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
                f"the classifier answers with {answer.shape[0]} label(s) for {cases} cases; expected one for each"
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
            f"one label of y for each case, such as {self.labels[0]!s}"
        )


def reason(exc: BaseException) -> str:
    """Tell an exception's type and message on one line of at most 300 characters or so."""
    text = " ".join(str(exc).split())
    return f"{type(exc).__name__}: {text if len(text) <= 300 else text[:297] + '...'}"


def predict_row(
    trainer: Trainer, work: tuple[np.ndarray, np.ndarray, np.ndarray | None]
) -> tuple[np.ndarray | str, list[str]]:
    """Train and test for a row; return predictions, or a reason of failure, and the classifier's warnings."""
    # for each fit, or a warning that is shown once a place would count once
    with warnings.catch_warnings(record=True) as caught:
        answer = trainer.predict_row(*work)
    return answer, [f"{c.category.__name__}: {(str(c.message).splitlines() or [''])[0][:160]}" for c in caught]
