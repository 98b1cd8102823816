"""Fit a foreign classifier and predict in a worker; imports no engine, so that the worker starts fast."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from errorest.errors import UsageError, quoted
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
    groups: np.ndarray | None = None

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
        X, y = self.cut(rows, rows), self.labels[self.codes[rows]]
        if self.groups is not None:
            # a search, or a step that tunes itself, divides whole groups of its training set
            settings = model.get_params()
            for name in self.group_splitters:
                model.set_params(**{name: list(settings[name].split(X, y, self.groups[rows]))})
        # what fit returns is left to it; some return nothing
        model.fit(X, y)
        return model

    @cached_property
    def group_splitters(self) -> tuple[str, ...]:
        """Names of the settings ``cv``, of the classifier or of steps of its pipeline, that divide by groups."""
        return tuple(_group_splitters(self.estimator))

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
                predicted = model.predict_proba(self.cut(tested, training))
                if not hasattr(predicted, "tocsr"):
                    predicted = np.asarray(predicted)
                    # complex numbers are refused, not cut
                    predicted = predicted if predicted.dtype.kind == "c" else predicted.astype(np.float64)
                known = getattr(model, "classes_", self.labels)
        except (Exception, SystemExit) as exc:  # a foreign classifier may raise anything
            return reason(exc)
        if hasattr(predicted, "tocsr"):
            raise UsageError("the classifier answers with a sparse matrix; expected an array; return .toarray()")
        if not self.probabilities:
            return self._codes(predicted, tested.shape[0])
        # the class numbers of the classifier's own classes; training may have lacked some
        columns = self._nearest(known)
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

    def _nearest(self, labels: Any) -> np.ndarray:
        """Return the class numbers of labels; some class number where there is none."""
        order = np.argsort(self.labels)  # those of a file are in the order of numbers, and may be text
        return order[np.minimum(np.searchsorted(self.labels, labels, sorter=order), order.size - 1)]

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
                codes = self._nearest(answer)
                if (self.labels[codes] == answer).all():
                    return codes
            except TypeError:  # text compared with numbers
                pass
        share = answer.dtype.kind == "f" and answer.size > 0 and bool(((answer >= 0) & (answer <= 1)).all())
        what = "probabilities" if share or answer.ndim == 2 else "something else than classes"
        shown = quoted(str(answer.flat[0])) if answer.size else "none"
        raise UsageError(
            f"the classifier predicts {what} (an array of shape {answer.shape}, such as {shown}); expected one "
            f"label of y for each case, such as {self.labels[0]!s}"
        )


def _group_splitters(estimator: Any, prefix: str = "") -> Iterator[str]:
    steps = getattr(estimator, "steps", None)
    if not steps:
        splitter = getattr(estimator, "cv", None)
        if callable(getattr(splitter, "split", None)) and _asks_for_groups(splitter):
            yield f"{prefix}cv"
    elif not any(hasattr(step, "fit_resample") for _, step in steps):  # which changes the number of cases
        for name, step in steps:
            yield from _group_splitters(step, f"{prefix}{name}__")


def _asks_for_groups(splitter: Any) -> bool:
    """Whether a splitter divides by groups: as scikit-learn's say, or else by what its ``split`` takes."""
    if hasattr(splitter, "get_metadata_routing"):
        return splitter.get_metadata_routing().split.requests.get("groups") is True
    return "groups" in inspect.signature(splitter.split).parameters


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
