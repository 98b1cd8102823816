"""Resolve a classifier specification to a learner: a name, an import path, an inducer or a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from errorest.assessment.labelling import Failure, Trainer, predict_row
from errorest.assessment.learner import is_random_state
from errorest.assessment.parallel import limited, map_items
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.learners import KNN
from errorest.learners.base import Inducer
from errorest.learners.named import EXPECTED, INDUCERS, named
from errorest.resampling.multisets import Resamples

_OURS = frozenset(INDUCERS.values())


def resolve_classifier(classifier: Any) -> Any:
    """Find what a name or import path stands for, and check that it is a classifier."""
    result = named(classifier) if isinstance(classifier, str) else classifier
    shown = f"'{classifier}'" if isinstance(classifier, str) else " ".join(repr(classifier).split())
    if isinstance(result, type):
        raise UsageError(
            f"{shown} is a class and not one of its classifiers; expected an instance; write {result.__name__}()"
        )
    if is_inducer(result):
        return result
    # an unfitted ensemble may not show its predict yet
    if not all(callable(getattr(result, name, None)) or hasattr(type(result), name) for name in ("fit", "predict")):
        raise UsageError(f"{shown} is no classifier: it has no fit and predict; {EXPECTED}")
    from sklearn.base import is_classifier

    try:
        classifies = is_classifier(result)
    except (AttributeError, TypeError):
        classifies = False
    if not classifies or not hasattr(result, "get_params"):
        raise UsageError(f"{shown} does not say that it is a classifier (it may be a regressor); {EXPECTED}")
    return result


def is_inducer(candidate: Any) -> bool:
    """Whether an object trains on samples, as inducers do, and not on X and y."""
    # asking a protocol takes longer than ten folds of a small sample
    return type(candidate) in _OURS or (
        isinstance(candidate, Inducer) and callable(getattr(candidate, "predict_resamples", None))
    )


def is_frozen(part: Any) -> bool:
    """Whether scikit-learn never trains a classifier, or a part of one, again."""
    return type(part).__name__ == "FrozenEstimator" and type(part).__module__.startswith("sklearn.")


def refuse_frozen(classifier: Any) -> None:
    """Refuse a scikit-learn classifier, or a pipeline that ends with one, that cannot be trained again."""
    last = classifier
    while getattr(last, "steps", None):
        last = last.steps[-1][1]
    if is_frozen(last):
        raise UsageError(
            "the classifier is a FrozenEstimator and is never trained again, so that resamples test it on cases that "
            "it may know; pass its .estimator, or count its errors on new cases"
        )


_DISTANCES = {"minkowski", "euclidean", "l2", "manhattan", "cityblock", "l1", "chebyshev"}
_KERNELS = {"rbf", "linear", "poly", "sigmoid"}
# Classifiers of scikit-learn that go by distances or kernels, and the values of a setting by which units count
_BY_DISTANCE = {
    "KNeighborsClassifier": ("metric", _DISTANCES),
    "RadiusNeighborsClassifier": ("metric", _DISTANCES),
    "SVC": ("kernel", _KERNELS),
    "NuSVC": ("kernel", _KERNELS),
}


def goes_by_distance(inducer: Any) -> bool:
    """Whether the unit of an attribute says how much it counts, since nothing before the classifier may scale it."""
    if isinstance(inducer, KNN):
        return inducer.standardize == "none" and inducer.metric != "hamming"
    made: Any = getattr(inducer, "estimator", None)
    before: list[Any] = []
    while hasattr(made, "steps") or hasattr(made, "estimator"):
        if hasattr(made, "steps"):
            before += [step for _, step in made.steps[:-1]]
            made = made.steps[-1][1]
        else:
            made = made.estimator
    of_sklearn = type(made).__module__.startswith("sklearn.")
    setting, known = _BY_DISTANCE.get(type(made).__name__ if of_sklearn else "", ("", set()))
    kind = getattr(made, setting, None) if setting else None
    return isinstance(kind, str) and kind in known and not any(map(_may_scale, before))


def _may_scale(step: Any) -> bool:
    """Whether a step of a pipeline may change units: anything but filling gaps, encoding and passing through."""
    parts: Any = getattr(step, "steps", None) or getattr(step, "transformers", ())
    if parts:
        return any(_may_scale(part[1]) for part in parts)
    return not (isinstance(step, str) or step is None or type(step).__name__ in ("SimpleImputer", "OneHotEncoder"))


def columns_seen(inducer: Any, X: Any) -> set[int]:
    """Return the positions of the columns of a frame that a classifier looks at: a ColumnTransformer may drop some."""
    return _seen_by(getattr(inducer, "estimator", None), X)


def _seen_by(made: Any, X: Any) -> set[int]:
    whole = set(range(X.shape[1]))
    if steps := [step for _, step in getattr(made, "steps", ()) if not isinstance(step, str) and step is not None]:
        return _seen_by(steps[0], X)
    if hasattr(made, "transformers") and hasattr(made, "remainder"):
        named = {True: set[int](), False: set[int]()}
        for _, step, key in made.transformers:
            named[isinstance(step, str) and step == "drop"] |= _positions(key, X)
        return named[False] if made.remainder == "drop" else named[False] | whole - named[True]
    named_parts: Any = getattr(made, "estimators", None) or getattr(made, "transformer_list", ())
    parts = [one for _, one in named_parts] + ([made.estimator] if hasattr(made, "estimator") else [])
    return set().union(*(_seen_by(part, X) for part in parts)) if parts else whole


def _positions(key: Any, X: Any) -> set[int]:
    """Return the positions of the columns that a ColumnTransformer names, in one of its ways."""
    import pandas as pd

    numbered = pd.DataFrame([range(X.shape[1])], columns=X.columns)
    try:
        key = key(X) if callable(key) else key
        key = [key] if isinstance(key, str | int) else key
        ends = (key.start, key.stop) if isinstance(key, slice) else key
        by_name = any(isinstance(one, str) for one in ends)
        selected = numbered.loc[:, key] if by_name else numbered.iloc[:, key]
    except Exception:  # a callable of the person's own may raise anything, and fit reports what is wrong
        return set(range(X.shape[1]))
    return set(selected.to_numpy().ravel().tolist())


@dataclass(frozen=True, eq=False)
class SklearnRowsLearner:
    """A scikit-learn classifier on the user's own rows; its sample holds one attribute, the row number."""

    estimator: Any
    X: Any
    codes: np.ndarray
    labels: np.ndarray
    n_jobs: int = 1
    name: str = ""
    threads: int | None = None
    groups: np.ndarray | None = None

    @cached_property
    def id(self) -> str:
        """The classifier's own text, on one line, unless it has a name."""
        return self.name or " ".join(repr(self.estimator).split())

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        """Names of the settings that take a seed and have none."""
        settings = self.estimator.get_params()
        return tuple(sorted(k for k, v in settings.items() if v is None and is_random_state(k)))

    @property
    def random(self) -> bool:
        """Whether every row needs a seed of its own."""
        return bool(self.seeds)

    @cached_property
    def trainer(self) -> Trainer:
        """What workers are handed."""
        from sklearn.utils import get_tags

        pairwise = bool(get_tags(self.estimator).input_tags.pairwise)
        return Trainer(self.estimator, self.X, self.codes, self.labels, self.seeds, pairwise, groups=self.groups)

    def predict_rows(
        self,
        sample: Sample,
        resamples: Resamples,
        rng: np.random.Generator | None = None,
        report: Callable[[int], None] | None = None,
        *,
        probabilities: bool = False,
    ) -> tuple[np.ndarray, list[Failure], list[str]]:
        """Predict labels, or probabilities, for the tested cases of every row; rows that fail are listed."""
        rows, trainer = sample.X[:, 0].astype(np.intp), replace(self.trainer, probabilities=probabilities)
        seeds: list[np.ndarray | None] = [None] * resamples.n_rows
        if rng is not None and self.random:
            seeds = [g.integers(2**31, size=len(self.seeds)) for g in rng.spawn(resamples.n_rows)]
        wanted = [r for r in range(resamples.n_rows) if resamples.start[r] < resamples.start[r + 1]]
        tests, k = resamples.cases.shape[0], self.labels.shape[0]
        predictions = np.full((tests, k), np.nan) if probabilities else np.full(tests, -1, dtype=np.int64)
        failures: list[Failure] = []
        warned: list[str] = []

        def work(r: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
            training = np.repeat(rows, resamples.training_counts(r, r + 1)[0])
            return training, rows[resamples.cases[resamples.start[r] : resamples.start[r + 1]]], seeds[r]

        predict, items = partial(predict_row, trainer), map(work, wanted)
        with limited(self.threads):
            answers = map_items(predict, items, len(wanted), self.n_jobs, self.threads, report)
        for r, (answer, of_row) in zip(wanted, answers, strict=True):
            warned += of_row
            if isinstance(answer, str):
                failures.append(Failure(r, answer))
            else:
                predictions[resamples.start[r] : resamples.start[r + 1]] = answer
        return predictions, failures, warned
