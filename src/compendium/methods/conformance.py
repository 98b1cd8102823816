"""Checks of inducers: purity, labels and probabilities, and the batch methods against one fit a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from compendium.methods import stacks
from errorest.counting import repeat_each
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.errors import UsageError
from errorest.learners.base import (
    ConstantClassifier,
    Inducer,
    predict_by_loop,
    predict_proba_by_loop,
)
from errorest.resampling import draw
from errorest.resampling.multisets import Resamples, concatenate, from_positions

__all__ = ["check_inducer"]

T = TypeVar("T")

# Probabilities made of scores lose as much as exponentials of large numbers do
_SUM_TOLERANCE = 1e-6


def require(met: object, problem: str, hint: str) -> None:
    """Raise a UsageError where a requirement is not met."""
    if not met:
        raise UsageError(problem, hint)


def call_or_none(call: Callable[[], T]) -> T | None:
    """Call, and return None where the input is refused with a UsageError."""
    try:
        return call()
    except UsageError:
        return None


def hard_samples(seed: int = 0) -> dict[str, Sample]:
    """Make small samples with what learners fail on: ties, repeated cases, one class, categories, missing values."""
    rng = np.random.default_rng(seed)
    n = 24
    two, three = rng.integers(0, 2, n), rng.integers(0, 3, n)
    normal, grid = rng.normal(size=(n, 2)), rng.integers(0, 3, (n, 2)).astype(float)
    colours = (Attribute("colour", "nominal", ("red", "green", "blue")), Attribute("wet", "nominal", ("no", "yes")))
    names = np.column_stack([rng.integers(0, 3, n), rng.integers(0, 2, n)])
    gaps = np.where(rng.random((n, 2)) < 0.15, np.nan, 1.0)
    tables: dict[str, tuple[Any, Any, Any]] = {
        "numbers": (normal, two, None),
        "one attribute": (normal[:, 0], two, None),
        "ties": (grid, two, None),
        "ties of one attribute": (grid[:, 0], two, None),
        "repeated cases": (repeat_each(normal[:8], 3, axis=0), repeat_each(two[:8], 3), None),
        "repeated cases of one attribute": (repeat_each(normal[:8, 0], 3), repeat_each(two[:8], 3), None),
        "one class": (normal, np.ones(n, dtype=int), None),
        "one class, one attribute": (normal[:, 0], np.ones(n, dtype=int), None),
        "one case of a class": (normal, np.eye(n, dtype=int)[4], None),
        "equal values": (np.full((n, 2), 0.1), two, None),
        "three classes": (normal, three, None),
        "categories": (names, two, colours),
        "categories, three classes": (names, three, colours),
        "numbers and categories": (np.column_stack([normal[:, 0], names[:, 1]]), two, (Attribute("x"), colours[1])),
        "missing values": (normal * gaps, two, None),
        "missing categories": (names * gaps, three, colours),
    }
    return {
        name: Sample.from_arrays(
            X, y, attributes=attributes, classes=["a", "b", "c"][: 3 if y is three else 2], name=f"'{name}'"
        )
        for name, (X, y, attributes) in tables.items()
    }


def every_scheme(n: int) -> dict[str, Resamples]:
    """Draw resamples of n cases by every scheme."""
    rng = np.random.default_rng(1)
    positions = rng.integers(0, n, size=(2, n), dtype=np.int32)
    folds = draw.k_fold(n, min(n, 3), rng, repeats=2).compact.labels
    several = [draw.k_fold(n, min(n, 3), rng), draw.bootstrap(n, 5, rng), draw.leave_one_out(n)]
    return {
        "resubstitution": draw.resubstitution(n),
        "holdout": draw.holdout(n, rng, repeats=3),
        "repeated cross-validation": draw.k_fold(n, 2, rng, repeats=2),
        "the bootstrap": draw.bootstrap(n, 8, rng),
        "the bootstrap, tested on all cases": draw.bootstrap(n, 3, rng, test="all"),
        "folds of bootstrap samples": from_positions(n, positions, folds),
        "the leave-one-out bootstrap": draw.leave_one_out_bootstrap(n, 1, rng),
        "several schemes in one list": concatenate(several),
    }


def check_inducer(
    inducer: Inducer, samples: Mapping[str, Sample] | None = None, *, argmax: bool | None = None
) -> tuple[str, ...]:
    """Check an inducer: it is pure, and its batch method labels as one fit a row does.

    A sample that an inducer cannot take must be refused with :class:`~errorest.errors.UsageError` by ``fit`` and by
    ``predict_resamples``.  Required are an id that stays the same; labels that are class numbers, equal for equal
    inputs and for a case alone or among others; ``predict_resamples`` that equals one ``fit`` a row to the label,
    each row drawing from its own of ``rng.spawn(R)`` where the inducer draws (its ``random`` is true); inputs that are
    not changed; and stacked methods, where there are any, that equal the plain ones.

    An inducer with ``predict_proba_resamples`` must give probabilities: from 0 to 1 for each class, with sum 1 and no
    NaN, the same for a case alone, among others and in any order, and in the batch bit for bit those of one ``fit``
    a row.

    Parameters
    ----------
    inducer : Inducer
    samples : mapping of str to Sample, optional
        By default small samples with ties, repeated cases, one class, categories and missing values.
    argmax : bool, optional
        Whether each label must be a class of the largest probability; by default the inducer's attribute ``argmax``,
        and not required without one.

    Returns
    -------
    tuple of str
        The samples that it took.

    Raises
    ------
    UsageError
        If a requirement is not met, or no sample is taken.

    Examples
    --------
    >>> from errorest.learners import KNN
    >>> check_inducer(KNN(1))[:2]
    ('numbers', 'one attribute')
    """
    name: Any = getattr(inducer, "id", None)
    require(
        isinstance(name, str) and name.strip() == name != "" and "\n" not in name,
        f"{type(inducer).__name__}: the id must be one line of text; got {name!r}",
        "write an id property with every setting that results depend on, such as 'knn(k=3)'",
    )
    require(
        all(callable(getattr(inducer, method, None)) for method in ("fit", "predict_resamples")),
        f"{name}: an inducer must have fit(sample, rng) and predict_resamples(sample, resamples, rng)",
        "let predict_resamples return predict_by_loop(self, sample, resamples, rng)",
    )
    given = hard_samples() if samples is None else samples
    if argmax is None:
        argmax = bool(getattr(inducer, "argmax", False))
    taken = tuple(key for key, sample in given.items() if _takes(f"{name} on {key}", inducer, sample, argmax))
    require(taken, f"{name}: refuses every sample ({', '.join(given)})", "pass samples that it takes")
    require(inducer.id == name, f"{name}: the id is {inducer.id!r} after fitting", "change no setting in fit")
    return taken


def gives_probabilities(inducer: Inducer) -> bool:
    """Whether an inducer gives probabilities; an adapter does where what it wraps has predict_proba."""
    inner = getattr(inducer, "estimator", None)
    able = inner is None or callable(getattr(inner, "predict_proba", None))
    return able and callable(getattr(inducer, "predict_proba_resamples", None))


def _takes(where: str, inducer: Inducer, sample: Sample, argmax: bool) -> bool:
    """Check an inducer on one sample; false where it refuses the sample."""
    before = sample.digest()
    if call_or_none(lambda: inducer.fit(sample, np.random.default_rng(0))) is None:
        whole = draw.resubstitution(sample.n)
        batch = call_or_none(lambda: inducer.predict_resamples(sample, whole, np.random.default_rng(0)))
        require(batch is None, f"{where}: fit refuses the sample, but predict_resamples takes it", "check it in both")
        return False
    kinds = (LABELS, PROBABILITIES) if gives_probabilities(inducer) else (LABELS,)
    answers = [_check_classifier(where, inducer, sample, kind) for kind in kinds]
    if argmax and len(kinds) == 2:
        _check_argmax(where, *answers)
    for scheme, resamples in every_scheme(sample.n).items():
        answers = [_check_batch(f"{where}, {scheme}", inducer, sample, resamples, kind) for kind in kinds]
        if argmax and len(kinds) == 2:
            _check_argmax(f"{where}, {scheme}", *answers)
        require(sample.digest() == before, f"{where}: the inducer changes the sample", "copy it first")
    if stacks.knows_stacks(inducer):
        rng = np.random.default_rng(3)
        stack = SampleStack.of_cases(sample, np.sort(rng.integers(0, sample.n, (3, sample.n)), axis=1))
        plain: Any = _WithoutStacks(inducer)
        folds = [np.argsort(rng.random((3, sample.n)), axis=1) % k for k in (2, 4, sample.n)]
        for name, given in [("predict_stack", X) for X in (sample.X, stack.X[:, ::2])] + [
            ("cross_validate_stack", labels) for labels in folds
        ]:
            answered = call_or_none(partial(getattr(inducer, name), stack, given))
            if answered is not None:
                wanted = getattr(stacks, name)(plain, stack, given)
                _equal(f"{where}: {name} differs from fit", wanted, answered, "compute as fit does")
    return True


class _Kind(NamedTuple):
    """What classifiers answer: labels or probabilities."""

    what: str
    method: str
    loop: Callable[..., np.ndarray]
    check: Callable[[str, Any, int, int], np.ndarray]
    tolerance: float  # a product of matrices rounds a case alone differently than among others

    @property
    def batch(self) -> str:
        return f"{self.method}_resamples"


def _check_labels(where: str, given: Any, cases: int, classes: int) -> np.ndarray:
    labels = np.asarray(given)
    require(
        labels.shape == (cases,) and labels.dtype == np.int64 and ((labels >= 0) & (labels < classes)).all(),
        f"{where} must return int64 class numbers 0 to {classes - 1} of shape ({cases},); got {labels.dtype} "
        f"{labels.ravel()[:3].tolist()} ... of shape {labels.shape}",
        "return one label a tested case, not probabilities or names",
    )
    return labels


def _check_probabilities(where: str, given: Any, cases: int, classes: int) -> np.ndarray:
    values = np.asarray(given)
    require(
        values.shape == (cases, classes) and values.dtype == np.float64,
        f"{where} must return float64 values of shape {(cases, classes)}; got {values.dtype} of shape {values.shape}",
        "keep a column for classes that the training set lacks",
    )
    for wrong, what, hint in (
        (np.isnan(values).any(axis=1), "NaN", "decide what a case gets that no class can have"),
        (((values < 0) | (values > 1)).any(axis=1), "values below 0 or above 1", "clip, or divide by the sum"),
        (np.abs(values.sum(axis=1) - 1) > _SUM_TOLERANCE, "values that do not sum to 1", "divide by the sum"),
    ):
        first = values[int(np.argmax(wrong))][:4].tolist()
        require(not wrong.any(), f"{where} gives {what} for {wrong.sum()} of {cases} cases, such as {first}", hint)
    return values


LABELS = _Kind("labels", "predict", predict_by_loop, _check_labels, 0.0)
PROBABILITIES = _Kind("probabilities", "predict_proba", predict_proba_by_loop, _check_probabilities, 1e-9)


def _check_classifier(where: str, inducer: Inducer, sample: Sample, kind: _Kind) -> np.ndarray | None:
    """Check and return the answers of the classifier of a whole sample; None of one that is certain of its class."""
    one, again = (inducer.fit(sample, np.random.default_rng(0)) for _ in range(2))
    if kind is PROBABILITIES and isinstance(one, ConstantClassifier):
        return None
    require(
        callable(getattr(one, kind.method, None)),
        f"{where}: the inducer has {kind.batch}, but its classifier has no {kind.method}",
        f"give the classifier {kind.method}(X)",
    )
    X = sample.X.copy()
    ask = getattr(one, kind.method)
    given = kind.check(f"{where}: {kind.method}", ask(X), sample.n, sample.n_classes)
    require(np.array_equal(X, sample.X, equal_nan=True), f"{where}: {kind.method} changes X", "copy it first")
    same = f"{where}: two fits on the same sample give different {kind.what}"
    _equal(same, given, getattr(again, kind.method)(X), "draw from rng alone, and set random = True")
    order = np.random.default_rng(4).permutation(sample.n)
    hint, tolerance = "use nothing but the case itself", kind.tolerance
    _equal(f"{where}: {kind.what} depend on the order of the cases", given[order], ask(X[order]), hint, tolerance)
    alone = np.concatenate([ask(X[i : i + 1]) for i in range(sample.n)])
    _equal(f"{where}: the {kind.what} of a case depend on the other cases", given, alone, hint, tolerance)
    return given


def _check_batch(where: str, inducer: Inducer, sample: Sample, resamples: Resamples, kind: _Kind) -> np.ndarray | None:
    """Check that all rows in one pass equal one fit a row, bit for bit; None where both refuse a training set."""
    cases = resamples.cases.copy()
    loop = call_or_none(lambda: kind.loop(inducer, sample, resamples, np.random.default_rng(2)))
    batch = call_or_none(lambda: getattr(inducer, kind.batch)(sample, resamples, np.random.default_rng(2)))
    require(np.array_equal(cases, resamples.cases), f"{where}: the batch method changes its resamples", "copy them")
    require(
        (loop is None) == (batch is None),
        f"{where}: {'fit' if loop is None else 'the batch method'} refuses a training set that "
        f"{'the batch method' if loop is None else 'fit'} takes",
        "check each row's training set as fit does",
    )
    if loop is None or batch is None:
        return None
    checked = kind.check(f"{where}: {kind.batch}", batch, cases.size, sample.n_classes)
    _equal(f"{where}: {kind.batch} differs from one fit a row", loop, checked, "compute as fit does, in the same order")
    return checked


def _check_argmax(where: str, labels: np.ndarray | None, proba: np.ndarray | None) -> None:
    """Check that each label is a class of the largest probability, or ties with it."""
    if labels is None or proba is None:
        return
    short = proba.max(axis=1, initial=0.0) - proba[np.arange(labels.size), labels]
    wrong = np.flatnonzero(short > PROBABILITIES.tolerance)
    example = f", such as {labels[wrong[0]]} of {proba[wrong[0]][:4].tolist()}" if wrong.size else ""
    require(
        not wrong.size,
        f"{where}: {wrong.size} of {labels.size} labels are no class of the largest probability{example}",
        "label by the probabilities, or set argmax = False",
    )


class _WithoutStacks:
    """An inducer without its stacked methods, so that the generic loops serve it."""

    def __init__(self, inducer: Inducer) -> None:
        self.id, self.fit, self.predict_resamples = inducer.id, inducer.fit, inducer.predict_resamples


def _equal(problem: str, wanted: np.ndarray, given: np.ndarray, hint: str, tolerance: float = 0.0) -> None:
    """Refuse answers of another shape, or that differ by more than a tolerance."""
    require(np.shape(wanted) == np.shape(given), f"{problem} (another shape)", hint)
    off = np.abs(np.asarray(wanted, dtype=float) - given).reshape(len(wanted), -1).max(axis=1, initial=0.0)
    differ = np.flatnonzero(~(off <= tolerance))
    at = f" ({differ.size} of {off.size}, the first at {differ[0]}, by up to {off.max():.2g})" if differ.size else ""
    require(not differ.size, problem + at, hint)
