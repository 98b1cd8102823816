"""Users' scikit-learn classifiers: cloned, fitted and asked for every training set, or by a compiled batch."""

from __future__ import annotations

import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from errorest.assessment.equals import Equal
from errorest.assessment.learner import Answers, Failure
from errorest.assessment.workers import Report, limited, map_items
from errorest.counting import count_each, repeat_each
from errorest.errors import UsageError, quoted, refuse_sparse
from errorest.probabilities import checked_probabilities
from errorest.sklearn_models import copier, seeds_of

if TYPE_CHECKING:
    from errorest.resampling.multisets import Resamples

# Cases on which it is tried whether a classifier learns
_PROBED = 60
# Bytes of training counts that are expanded at a time
_BLOCK_BYTES = 1 << 22


@dataclass(frozen=True, eq=False)
class UserModel:
    """A scikit-learn classifier or pipeline on the user's rows; it is cloned before every fit, or compiled.

    Workers import this module, which imports no engine, so that they start fast.
    """

    settings: ClassVar[str] = ""  # the id has all

    model: Any
    X: Any
    codes: np.ndarray
    labels: np.ndarray
    groups: np.ndarray | None = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    n_jobs: int = 1
    threads: int | None = None
    equal: Equal | None = None

    @cached_property
    def id(self) -> str:
        """The classifier's own text on one line, unless it has a name."""
        return self.name or " ".join(repr(self.model).split())

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """Names of the settings that take a seed, have none, and are read."""
        return seeds_of(self.model)

    @cached_property
    def copy(self) -> Callable[..., Any]:
        """Makes unfitted copies of the classifier, with seeds by keyword."""
        return copier(self.model)

    @cached_property
    def y(self) -> np.ndarray:
        """The label of each case."""
        return self.labels[self.codes]

    @cached_property
    def sorted_labels(self) -> tuple[np.ndarray, np.ndarray]:
        """The labels in the order of their values, and their class numbers."""
        order = np.argsort(self.labels)  # those of a file are in the order of numbers, and may be text
        return self.labels[order], order

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
        if self.equal is not None and self.equal.learns:
            return False
        # with the labels of each class exchanged for the next one's, a classifier that learns must answer otherwise
        take = min(1.0, _PROBED / self.codes.size)
        cases = [np.flatnonzero(self.codes == c) for c in np.unique(self.codes)]
        parts = sorted((own[: max(1, round(take * own.size))] for own in cases), key=len)
        # one class has the most, or a classifier that answers with it may not change
        if len(parts) > 1 and len(parts[-1]) == len(parts[-2]) > 1:
            parts[:-1] = [p[: max(1, len(parts[-1]) - 1)] for p in parts[:-1]]
        rows = np.sort(np.concatenate(parts))
        from errorest.resampling.multisets import from_training_counts

        counts = count_each(rows, minlength=self.codes.size).astype(np.int32)[None]
        once = from_training_counts(counts, np.array([0, rows.size]), rows)
        seeds = [np.arange(len(self.seeds))] if self.seeds else None
        predictions: list[Any] = []
        for codes in (self.codes, (self.codes + 1) % self.labels.shape[0]):
            taught = replace(self, codes=codes, n_jobs=1)
            try:
                answers = taught._answers(once, seeds, labels=True, scores=False)
            except UsageError:  # the resamples report it
                return False
            if answers.failures:
                return False
            predictions.append(answers.labels)
        return np.array_equal(*predictions)

    @cached_property
    def group_splitters(self) -> tuple[str, ...]:
        """Names of the settings ``cv``, of the classifier or of steps of its pipeline, that divide by groups."""
        return () if self.groups is None else tuple(_group_splitters(self.model))

    @property
    def note(self) -> str:
        """Why it is not fitted by a compiled batch that it has."""
        return "" if self.equal is None else self.equal.difference

    def with_labels(self, codes: np.ndarray) -> UserModel:
        """Return the same classifier on the same rows with other class numbers; it fits in this process alone."""
        result = replace(self, codes=codes, n_jobs=1, threads=None)
        # what does not depend on labels is not worked out again for each of many permutations
        for name in ("id", "seeds", "copy", "scores", "pairwise", "group_splitters", "sorted_labels"):
            result.__dict__[name] = getattr(self, name)
        return result

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit on every row of resamples and predict its tests, failures of the classifier counted."""
        # a seed for each fit and setting, spawned by row, so that workers and their order change nothing
        seeds = None
        if rng is not None and self.random:
            seeds = [g.integers(2**31, size=len(self.seeds)) for g in rng.spawn(resamples.n_rows)]
        return self._answers(resamples, seeds, labels=labels, scores=scores, report=report)

    def _answers(
        self,
        resamples: Resamples,
        seeds: list[np.ndarray] | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Answer in a batch that is known to give the same, or has enough rows to be compared, else row by row."""
        wanted = np.flatnonzero(np.diff(resamples.start))
        if self.equal is not None and self.equal.serves(wanted.size, scores):
            answers = self.equal.fit_predict(self, resamples, seeds, labels=labels, scores=scores, report=report)
            if answers is not None:
                return answers
        return self.fit_rows(resamples, wanted, seeds, labels=labels, scores=scores, report=report)[0]

    def fit_rows(
        self,
        resamples: Resamples,
        wanted: np.ndarray,
        seeds: list[np.ndarray] | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> tuple[Answers, list[int]]:
        """Fit and predict some rows one by one, by workers where that is faster; other tests have class number -1.

        The second result lists the rows on which the classifier warned.
        """
        start, k = resamples.start, self.labels.shape[0]
        codes = np.full(resamples.cases.size, -1, dtype=np.min_scalar_type(-k)) if labels else None
        values = np.full((resamples.cases.size, k), np.nan) if scores else None
        listed = wanted.tolist()

        def work() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
            cases = np.arange(resamples.n)
            for first, last in resamples.blocks(_BLOCK_BYTES):
                rows = wanted[(wanted >= first) & (wanted < last)].tolist()
                if not rows:
                    continue
                counts = resamples.training_counts(first, last)
                for r in rows:
                    tested = resamples.cases[start[r] : start[r + 1]]
                    yield repeat_each(cases, counts[r - first]), tested, None if seeds is None else seeds[r]

        # workers need no batch; here what was looked up once serves all fits
        learner = self if self.n_jobs == 1 else replace(self, equal=None)
        predict = partial(_fit_and_predict, learner, labels, self.scores if scores else "")
        with limited(self.threads if listed else None):
            answers = map_items(predict, work(), len(listed), self.n_jobs, self.threads, report)
        failures, warned, warned_rows = [], Counter[str](), []
        for r, (answer, texts) in zip(listed, answers, strict=True):
            warned.update(texts)
            if texts:
                warned_rows.append(r)
            if isinstance(answer, str):
                failures.append(Failure(r, answer))
                continue
            if codes is not None:
                codes[start[r] : start[r + 1]] = answer[0]
            if values is not None:
                values[start[r] : start[r + 1]] = answer[1]
        return Answers(codes, values, tuple(failures), warned), warned_rows

    def fit(self, rows: np.ndarray, seeds: np.ndarray | None = None) -> Any:
        """Fit a clone on rows, repeats kept."""
        model = self.copy(**({} if seeds is None else dict(zip(self.seeds, seeds.tolist(), strict=True))))
        X, y = self.cut(rows, rows), self.y[rows]
        if self.groups is not None and self.group_splitters:
            # a search, or a step that tunes itself, divides whole groups of its training set
            settings = model.get_params()
            for name in self.group_splitters:
                model.set_params(**{name: list(settings[name].split(X, y, self.groups[rows]))})
        params = {}
        for name, value in self.fit_params.items():
            shape: Any = np.shape(value) if isinstance(value, list | tuple) else getattr(value, "shape", ())
            # a parameter that has one value for each case is cut
            of_cases = bool(shape) and shape[0] == self.codes.size
            params[name] = (
                value if not of_cases else value.iloc[rows] if hasattr(value, "iloc") else np.asarray(value)[rows]
            )
        # what fit returns is left to it; some return nothing
        model.fit(X, y, **params)
        return model

    def predict(self, model: Any, rows: np.ndarray, trained: np.ndarray) -> np.ndarray:
        """Ask a fitted classifier for rows; class numbers."""
        return self._codes(model.predict(self.cut(rows, trained)), rows.shape[0])

    def cut(self, rows: np.ndarray, columns: np.ndarray) -> Any:
        """Return the user's own rows; columns only matter where X holds distances or a kernel."""
        if self.pairwise:
            return self.X[np.ix_(rows, columns)]
        return self.X.iloc[rows] if hasattr(self.X, "iloc") else self.X[rows]

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
        own = self._codes(predicted, tested.shape[0]) if labels else None
        if not method:
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
        ordered, order = self.sorted_labels
        return order[np.minimum(np.searchsorted(ordered, labels), order.size - 1)]

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


def _group_splitters(model: Any, prefix: str = "") -> Iterator[str]:
    steps = getattr(model, "steps", None)
    if not steps:
        splitter: Any = getattr(model, "cv", None)
        if not callable(getattr(splitter, "split", None)):
            return
        # scikit-learn's splitters say whether they divide by groups; of others ``split`` takes them
        if hasattr(splitter, "get_metadata_routing"):
            by_groups = splitter.get_metadata_routing().split.requests.get("groups") is True
        else:
            by_groups = "groups" in inspect.signature(splitter.split).parameters
        if by_groups:
            yield f"{prefix}cv"
    elif not any(hasattr(step, "fit_resample") for _, step in steps):  # which changes the number of cases
        for name, step in steps:
            yield from _group_splitters(step, f"{prefix}{name}__")


def reason(exc: BaseException) -> str:
    """Tell an exception's type and message on one line of at most 300 characters or so."""
    text = " ".join(str(exc).split())
    return f"{type(exc).__name__}: {text if len(text) <= 300 else text[:297] + '...'}"
