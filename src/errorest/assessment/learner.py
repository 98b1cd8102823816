"""The learner protocol and its two adapters: the library's learners, and users' scikit-learn classifiers.

Workers import this module, which imports no engine, so that they start fast.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from errorest.assessment.workers import Report, limited, map_items
from errorest.errors import UsageError, quoted, refuse_sparse
from errorest.probabilities import checked_probabilities

if TYPE_CHECKING:
    from errorest.data.sample import Sample
    from errorest.resampling.multisets import Resamples

# Tests of compiled passes from which these are made in parts, so that a long run can be announced
_LARGE, _PARTS = 20_000_000, 20

# Cases on which it is tried whether a classifier learns
_PROBED = 60


@dataclass(frozen=True)
class Failure:
    """A resample on which a classifier could not be fitted or asked."""

    row: int
    reason: str


class Answers(NamedTuple):
    """Predictions for the tests of resamples.

    ``labels`` are class numbers, small integers of shape (T,); ``scores`` probabilities or values of a decision
    function, float array of shape (T, K); None where they were not asked for.  ``warned`` counts the classifier's own
    warnings by text.
    """

    labels: np.ndarray | None
    scores: np.ndarray | None
    failures: tuple[Failure, ...] = ()
    warned: Mapping[str, int] = MappingProxyType({})


class Learner(Protocol):
    """A classifier with the data that it is trained and tested on."""

    @property
    def model(self) -> Any:
        """The user's classifier, or the library's learner."""

    @property
    def id(self) -> str:
        """Name with settings."""

    @property
    def settings(self) -> str:
        """Every setting, where the id leaves some out."""

    @property
    def random(self) -> bool:
        """Whether every fit needs a seed."""

    @property
    def scores(self) -> Literal["predict_proba", "decision_function", ""]:
        """What it predicts in addition to labels."""

    @property
    def n_jobs(self) -> int:
        """Number of workers that fit it."""

    def with_labels(self, codes: np.ndarray) -> Learner:
        """Return the same classifier on the same data with other class numbers; it fits in this process alone."""

    @property
    def learns_nothing(self) -> bool:
        """Whether its labels do not depend on those that it is trained with."""

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit on every row of resamples and predict its tests."""


@dataclass(frozen=True, eq=False)
class BuiltIn:
    """A learner of the library, or any object with ``predict_resamples``, on a sample of values."""

    model: Any
    sample: Sample
    n_jobs: int = 1

    @property
    def id(self) -> str:
        """Name with settings."""
        return str(self.model.id)

    @property
    def settings(self) -> str:
        """Every setting, defaults too; nothing for objects of another kind."""
        from errorest.spec import Spec, settings_of

        if not isinstance(self.model, Spec):
            return ""
        return ", ".join(f"{s.name}={self.model.written(s.name)}" for s in settings_of(type(self.model)))

    @property
    def random(self) -> bool:
        """Whether every fit needs a seed."""
        return bool(getattr(self.model, "random", False))

    @property
    def scores(self) -> Literal["predict_proba", "decision_function", ""]:
        """``predict_proba`` where the learner has ``predict_proba_resamples``."""
        return "predict_proba" if callable(getattr(self.model, "predict_proba_resamples", None)) else ""

    def with_labels(self, codes: np.ndarray) -> BuiltIn:
        """Return the same learner on the same data with other class numbers."""
        return replace(self, sample=replace(self.sample, y=codes))

    @property
    def learns_nothing(self) -> bool:
        """False: it is made for this protocol."""
        return False

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit and predict in one compiled pass, or in parts where it is long and progress is reported."""
        if report is not None and rng is None and resamples.n_rows * resamples.n >= _LARGE:
            from errorest.resampling.multisets import keep_rows

            rows = np.arange(resamples.n_rows) * _PARTS // resamples.n_rows
            parts = []
            for part in np.unique(rows):
                parts.append(self.fit_predict(keep_rows(resamples, rows == part), None, labels=labels, scores=scores))
                report(int((rows == part).sum()))
            return Answers(
                np.concatenate([p.labels for p in parts]) if labels else None,
                np.concatenate([p.scores for p in parts]) if scores else None,
            )
        codes = values = None
        who = f"inducer {self.id}"
        if labels:
            own = () if rng is None else (copy.deepcopy(rng),)  # labels do not depend on whether scores are asked for
            codes = self.model.predict_resamples(self.sample, resamples, *own)
            if codes.shape != resamples.cases.shape:
                raise UsageError(
                    f"{who} answered {codes.size} of {resamples.cases.size} tested cases (an array of shape "
                    f"{codes.shape}); expected one class number for each"
                )
            codes = codes.astype(np.min_scalar_type(-self.sample.n_classes))
        if scores:
            values = self.model.predict_proba_resamples(self.sample, resamples, *(() if rng is None else (rng,)))
            values = checked_probabilities(values, resamples.cases.size, self.sample.n_classes, who)
        if report is not None:
            report(resamples.n_rows)
        return Answers(codes, values)


@dataclass(frozen=True, eq=False)
class UserModel:
    """A scikit-learn classifier or pipeline on the user's own rows; it is cloned before every fit."""

    model: Any
    X: Any
    codes: np.ndarray
    labels: np.ndarray
    groups: np.ndarray | None = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    n_jobs: int = 1
    threads: int | None = None

    @cached_property
    def id(self) -> str:
        """The classifier's own text on one line, unless it has a name."""
        return self.name or " ".join(repr(self.model).split())

    @property
    def settings(self) -> str:
        """Nothing: the id has all."""
        return ""

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """Names of the settings that take a seed and have none."""
        return tuple(sorted(k for k, v in self.model.get_params().items() if v is None and is_random_state(k)))

    @property
    def random(self) -> bool:
        """Whether every fit needs a seed."""
        return bool(self.seeds)

    @cached_property
    def scores(self) -> Literal["predict_proba", "decision_function", ""]:
        """The method that predicts scores, probabilities where there are any."""
        if callable(getattr(self.model, "predict_proba", None)):
            return "predict_proba"
        # values of pairs of classes rank no class; of three classes there are as many pairs
        settings = self.model.get_params() if self.labels.shape[0] > 2 else {}
        if any(name.endswith("decision_function_shape") and value == "ovo" for name, value in settings.items()):
            return ""
        return "decision_function" if callable(getattr(self.model, "decision_function", None)) else ""

    @cached_property
    def pairwise(self) -> bool:
        """Whether X holds distances or a kernel, whose columns are cut too."""
        from sklearn.utils import get_tags

        return bool(get_tags(self.model).input_tags.pairwise)

    @cached_property
    def learns_nothing(self) -> bool:
        """Whether exchanged labels change nothing; two fits on at most 60 cases.

        A classifier that cannot be trained on these cases is not reported.
        """
        # with the labels of each class exchanged for the next one's, a classifier that learns must answer otherwise
        take = min(1.0, _PROBED / self.codes.size)
        cases = [np.flatnonzero(self.codes == c) for c in np.unique(self.codes)]
        parts = sorted((own[: max(1, round(take * own.size))] for own in cases), key=len)
        # one class has the most, or a classifier that answers with it may not change
        if len(parts) > 1 and len(parts[-1]) == len(parts[-2]) > 1:
            parts[:-1] = [p[: max(1, len(parts[-1]) - 1)] for p in parts[:-1]]
        rows = np.sort(np.concatenate(parts))
        seeds = np.arange(len(self.seeds)) if self.seeds else None
        predictions = []
        for codes in (self.codes, (self.codes + 1) % self.labels.shape[0]):
            taught = replace(self, codes=codes)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    predictions.append(taught.predict(taught.fit(rows, seeds), rows, rows))
                except (Exception, SystemExit):  # whatever it is, the resamples report it
                    return False
        return bool((predictions[0] == predictions[1]).all())

    @cached_property
    def group_splitters(self) -> tuple[str, ...]:
        """Names of the settings ``cv``, of the classifier or of steps of its pipeline, that divide by groups."""
        return () if self.groups is None else tuple(_group_splitters(self.model))

    def with_labels(self, codes: np.ndarray) -> UserModel:
        """Return the same classifier on the same rows with other class numbers; it fits in this process alone."""
        return replace(self, codes=codes, n_jobs=1, threads=None)

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit and predict row by row, by workers where that is faster."""
        rows, start, k = np.arange(resamples.n), resamples.start, self.labels.shape[0]
        seeds: list[np.ndarray | None] = [None] * resamples.n_rows
        if rng is not None and self.random:
            # a seed for each fit and setting, spawned by row, so that workers and their order change nothing
            seeds = [g.integers(2**31, size=len(self.seeds)) for g in rng.spawn(resamples.n_rows)]
        wanted = np.flatnonzero(np.diff(start)).tolist()
        codes = np.full(resamples.cases.size, -1, dtype=np.min_scalar_type(-k)) if labels else None
        values = np.full((resamples.cases.size, k), np.nan) if scores else None

        def work(r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
            training = np.repeat(rows, resamples.training_counts(r, r + 1)[0])
            return training, resamples.cases[start[r] : start[r + 1]], seeds[r]

        predict = partial(_fit_and_predict, self, labels, self.scores if scores else "")
        with limited(self.threads):
            answers = map_items(predict, map(work, wanted), len(wanted), self.n_jobs, self.threads, report)
        failures, warned = [], Counter[str]()
        for r, (answer, texts) in zip(wanted, answers, strict=True):
            warned.update(texts)
            if isinstance(answer, str):
                failures.append(Failure(r, answer))
                continue
            if codes is not None:
                codes[start[r] : start[r + 1]] = answer[0]
            if values is not None:
                values[start[r] : start[r + 1]] = answer[1]
        return Answers(codes, values, tuple(failures), warned)

    def fit(self, rows: np.ndarray, seeds: np.ndarray | None = None) -> Any:
        """Fit a clone on rows, repeats kept."""
        from sklearn.base import clone

        model = clone(self.model)
        if seeds is not None and self.seeds:
            model.set_params(**dict(zip(self.seeds, seeds.tolist(), strict=True)))
        X, y = self.cut(rows, rows), self.labels[self.codes[rows]]
        if self.groups is not None and self.group_splitters:
            # a search, or a step that tunes itself, divides whole groups of its training set
            settings = model.get_params()
            for name in self.group_splitters:
                model.set_params(**{name: list(settings[name].split(X, y, self.groups[rows]))})
        # what fit returns is left to it; some return nothing
        model.fit(X, y, **{name: self._cut_param(value, rows) for name, value in self.fit_params.items()})
        return model

    def predict(self, model: Any, rows: np.ndarray, trained: np.ndarray) -> np.ndarray:
        """Ask a fitted classifier for rows; class numbers."""
        return self._codes(model.predict(self.cut(rows, trained)), rows.shape[0])

    def cut(self, rows: np.ndarray, columns: np.ndarray) -> Any:
        """Return the user's own rows; columns only matter where X holds distances or a kernel."""
        if self.pairwise:
            return self.X[np.ix_(rows, columns)]
        return self.X.iloc[rows] if hasattr(self.X, "iloc") else self.X[rows]

    def _cut_param(self, value: Any, rows: np.ndarray) -> Any:
        """Cut a parameter of ``fit`` that has one value for each case."""
        shape = np.shape(value) if isinstance(value, list | tuple) else getattr(value, "shape", ())
        if not shape or shape[0] != self.codes.size:
            return value
        return value.iloc[rows] if hasattr(value, "iloc") else np.asarray(value)[rows]

    def answer(
        self, labels: bool, method: str, training: np.ndarray, tested: np.ndarray, seeds: np.ndarray | None
    ) -> tuple[np.ndarray | None, np.ndarray | None] | str:
        """Fit and predict once; a failure of the classifier is returned as text, a user's mistake is raised."""
        codes, k = self.codes[training], self.labels.shape[0]
        if codes.size and (codes == codes[0]).all():
            # a training set of one class makes a classifier that is certain of it: many classifiers refuse one class;
            # the only rule that such a training set supports is that class
            alone = np.full(tested.shape[0], codes[0], dtype=np.int64)
            return alone, np.eye(k)[alone]
        try:
            model, X = self.fit(training, seeds), self.cut(tested, training)
            predicted = model.predict(X) if labels else None
            values = getattr(model, method)(X) if method else None
            known = getattr(model, "classes_", self.labels)
        except (Exception, SystemExit) as exc:  # a user's classifier may raise anything
            return reason(exc)
        refuse_sparse(predicted, "predict's answer")
        refuse_sparse(values, f"{method}'s answer")
        own = None if predicted is None else self._codes(predicted, tested.shape[0])
        if values is None:
            return own, None
        # the class numbers of the classifier's own classes; training may have lacked some
        columns = self._nearest(known)
        if not (self.labels[columns] == known).all():
            raise UsageError(
                f"the classifier tells probabilities of the classes {', '.join(map(str, known))}; expected those of y"
            )
        values = np.asarray(values)
        if method == "predict_proba":
            values, lacking = checked_probabilities(values, tested.shape[0], columns.shape[0], "the classifier"), 0.0
        else:
            # of two classes there is one number, that of the second
            values = np.stack([-values, values], axis=1) if values.ndim == 1 else values
            lacking = -np.inf
            if values.shape != (tested.shape[0], columns.shape[0]):
                raise UsageError(
                    f"decision_function answers with an array of shape {values.shape}; expected one column for each of "
                    f"{columns.shape[0]} classes (decision_function_shape='ovr')"
                )
            if np.isnan(values).any():
                raise UsageError("decision_function answers with NaN; expected numbers", "look at the classifier")
        out = np.full((tested.shape[0], k), lacking)
        out[:, columns] = values
        return own, out

    def _nearest(self, labels: Any) -> np.ndarray:
        """Return the class numbers of labels; some class number where there is none."""
        order = np.argsort(self.labels)  # those of a file are in the order of numbers, and may be text
        return order[np.minimum(np.searchsorted(self.labels, labels, sorter=order), order.size - 1)]

    def _codes(self, predicted: Any, cases: int) -> np.ndarray:
        """Turn predicted labels into class numbers; anything else is the user's mistake."""
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


def _fit_and_predict(
    learner: UserModel, labels: bool, method: str, work: tuple[np.ndarray, np.ndarray, np.ndarray | None]
) -> tuple[Any, list[str]]:
    """Fit and predict for a row, in a worker; return predictions, or why it failed, and the classifier's warnings."""
    # for each fit, or a warning that is shown once a place would count once
    with warnings.catch_warnings(record=True) as caught:
        answer = learner.answer(labels, method, *work)
    return answer, [f"{c.category.__name__}: {(str(c.message).splitlines() or [''])[0][:160]}" for c in caught]


def is_random_state(name: str) -> bool:
    """Whether a setting of a scikit-learn classifier, or of a part of one, takes a seed."""
    return name == "random_state" or name.endswith("__random_state")


def _group_splitters(model: Any, prefix: str = "") -> Iterator[str]:
    steps = getattr(model, "steps", None)
    if not steps:
        splitter = getattr(model, "cv", None)
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
