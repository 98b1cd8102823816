"""Checks of inducers: purity, labels, and the batch method against one fit a row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from errorest.conformance.probabilities import check_batch_probabilities, check_probabilities, gives_probabilities
from errorest.conformance.requirements import call_or_none, check_id, loop_and_batch, require
from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.inducers import base
from errorest.inducers.base import Inducer, StackInducer, predict_by_loop
from errorest.resampling import draw
from errorest.resampling.draw import Resamples


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
        "repeated cases": (np.repeat(normal[:8], 3, axis=0), np.repeat(two[:8], 3), None),
        "repeated cases of one attribute": (np.repeat(normal[:8, 0], 3), np.repeat(two[:8], 3), None),
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
    several = [draw.k_fold(n, min(n, 3), rng), draw.bootstrap(n, 5, rng), draw.leave_one_out(n)]
    return {
        "resubstitution": draw.resubstitution(n),
        "holdout": draw.holdout(n, rng, repeats=3),
        "repeated cross-validation": draw.k_fold(n, 2, rng, repeats=2),
        "the bootstrap": draw.bootstrap(n, 8, rng),
        "the bootstrap, tested on all cases": draw.bootstrap(n, 3, rng, test="all"),
        "folds of bootstrap samples": draw.bootstrap_folds(n, 2, min(n, 3), rng),
        "the leave-one-out bootstrap": draw.leave_one_out_bootstrap(n, 1, rng),
        "several schemes in one list": draw.concatenate(several),
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
    >>> from errorest.inducers import Threshold
    >>> check_inducer(Threshold())[:2]
    ('one attribute', 'ties of one attribute')
    """
    name = check_id(inducer)
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


def _takes(where: str, inducer: Inducer, sample: Sample, argmax: bool) -> bool:
    """Check an inducer on one sample; false where it refuses the sample."""
    before = sample.digest()
    if call_or_none(lambda: inducer.fit(sample, np.random.default_rng(0))) is None:
        whole = draw.resubstitution(sample.n)
        batch = call_or_none(lambda: inducer.predict_resamples(sample, whole, np.random.default_rng(0)))
        require(batch is None, f"{where}: fit refuses the sample, but predict_resamples takes it", "check it in both")
        return False
    _check_classifier(where, inducer, sample)
    probabilities = gives_probabilities(inducer)
    if probabilities:
        check_probabilities(where, inducer, sample, argmax)
    for scheme, resamples in every_scheme(sample.n).items():
        _check_batch(f"{where}, {scheme}", inducer, sample, resamples)
        if probabilities:
            check_batch_probabilities(f"{where}, {scheme}", inducer, sample, resamples, argmax)
        require(sample.digest() == before, f"{where}: the inducer changes the sample", "copy it first")
    if isinstance(inducer, StackInducer):
        _check_stacks(where, inducer, sample)
    return True


def _check_classifier(where: str, inducer: Inducer, sample: Sample) -> None:
    one, again = (inducer.fit(sample, np.random.default_rng(0)).predict(sample.X.copy()) for _ in range(2))
    labels = np.asarray(one)
    require(
        labels.shape == (sample.n,) and labels.dtype.kind == "i" and _are_classes(labels, sample),
        f"{where}: predict must return class numbers 0 to {sample.n_classes - 1} of shape ({sample.n},); "
        f"got {labels.ravel()[:3].tolist()} ... of shape {labels.shape}",
        "return labels, not probabilities or names",
    )
    _equal(f"{where}: two fits on the same sample differ", one, again, "draw from rng alone, and set random = True")
    fitted = inducer.fit(sample, np.random.default_rng(0))
    alone = np.concatenate([fitted.predict(sample.X[i : i + 1]) for i in range(sample.n)])
    _equal(f"{where}: the label of a case depends on the other cases", one, alone, "use nothing but the case itself")


def _check_batch(where: str, inducer: Inducer, sample: Sample, resamples: Resamples) -> None:
    result = loop_and_batch(
        where,
        resamples,
        lambda: predict_by_loop(inducer, sample, resamples, np.random.default_rng(2)),
        lambda: inducer.predict_resamples(sample, resamples, np.random.default_rng(2)),
    )
    if result is None:
        return
    loop, batch = result
    require(
        np.shape(batch) == resamples.cases.shape and batch.dtype == np.int64,
        f"{where}: predict_resamples must return int64 class numbers of shape {resamples.cases.shape}; "
        f"got {batch.dtype} of shape {np.shape(batch)}",
        "return one label a tested case, aligned with resamples.cases",
    )
    _equal(f"{where}: predict_resamples differs from one fit a row", loop, batch, "compute as fit does")


def _check_stacks(where: str, inducer: StackInducer, sample: Sample) -> None:
    rng = np.random.default_rng(3)
    stack = SampleStack.of_cases(sample, np.sort(rng.integers(0, sample.n, (3, sample.n)), axis=1))
    plain: Any = _WithoutStacks(inducer)
    for X in (sample.X, stack.X[:, ::2]):
        labels = call_or_none(partial(inducer.predict_stack, stack, X))
        if labels is not None:
            wanted = base.predict_stack(plain, stack, X)
            _equal(f"{where}: predict_stack differs from fit", wanted, labels, "compute as fit does")
    for k in (2, 4, sample.n):
        folds = np.argsort(rng.random((3, sample.n)), axis=1) % k
        labels = call_or_none(partial(inducer.cross_validate_stack, stack, folds))
        if labels is not None:
            wanted = base.cross_validate_stack(plain, stack, folds)
            _equal(f"{where}: cross_validate_stack differs from one fit a fold", wanted, labels, "compute as fit does")


class _WithoutStacks:
    """An inducer without its stacked methods, so that the generic loops serve it."""

    def __init__(self, inducer: Inducer) -> None:
        self.id, self.fit, self.predict_resamples = inducer.id, inducer.fit, inducer.predict_resamples


def _are_classes(labels: np.ndarray, sample: Sample) -> bool:
    return bool(((labels >= 0) & (labels < sample.n_classes)).all())


def _equal(problem: str, wanted: np.ndarray, labels: np.ndarray, hint: str) -> None:
    differ = np.flatnonzero(np.ravel(wanted) != np.ravel(labels))
    at = f" ({differ.size} of {np.size(wanted)} labels, the first at {differ[0]})" if differ.size else ""
    require(not differ.size, problem + at, hint)
