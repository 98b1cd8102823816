"""The battery for inducers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from errorest.conformance.probabilities import (
    check_batch_probabilities,
    check_probabilities,
    follows_probabilities,
    tells_probabilities,
)
from errorest.conformance.requirements import Rejected, both_ways, call_or_rejected, check_id, require
from errorest.data.sample import Attribute, Sample
from errorest.data.stacks import SampleStack
from errorest.inducers import base
from errorest.inducers.base import Inducer, StackInducer, predict_by_loop
from errorest.resampling import draw
from errorest.resampling.draw import Resamples

__all__ = ["check_inducer", "hard_samples"]


def hard_samples(seed: int = 0) -> dict[str, Sample]:
    """Make small samples that hold what an inducer can stumble over."""
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


def _schemes(n: int) -> dict[str, Resamples]:
    rng = np.random.default_rng(1)
    several = [draw.k_fold(n, 3, rng), draw.bootstrap(n, 5, rng), draw.leave_one_out(n)]
    return {
        "resubstitution": draw.resubstitution(n),
        "holdout": draw.holdout(n, rng, repeats=3),
        "repeated cross-validation": draw.k_fold(n, 2, rng, repeats=2),
        "the bootstrap": draw.bootstrap(n, 8, rng),
        "the bootstrap, tested on all cases": draw.bootstrap(n, 3, rng, test="all"),
        "folds of bootstrap samples": draw.bootstrap_folds(n, 2, 3, rng),
        "the leave-one-out bootstrap": draw.leave_one_out_bootstrap(n, 1, rng),
        "several schemes in one list": draw.concatenate(several),
    }


def check_inducer(
    inducer: Inducer, samples: Mapping[str, Sample] | None = None, *, argmax: bool | None = None
) -> tuple[str, ...]:
    """Put an inducer to the test: is it pure, and does its batch face label as one fit a row does?

    A sample that an inducer cannot take is refused with :class:`~errorest.errors.UsageError`, by both
    faces alike.  The demands: an id that stays; labels that are class numbers, equal for equal inputs,
    equal for one case and for many; ``predict_resamples`` that equals one ``fit`` a row to the label,
    each row drawing from its own of ``rng.spawn(R)`` where the inducer draws (its ``random`` is true);
    inputs that are left as they are; and, where there are stacked faces, these equal to the plain one.

    An inducer with ``predict_proba_resamples`` says that it gives probabilities: a number from 0 to 1 of each class,
    which sum to 1 and are no NaN, the same for a case alone, among others and in any order, and in the batch those of
    one ``fit`` a row to the byte.

    Parameters
    ----------
    inducer : Inducer
    samples : mapping of str to Sample, optional
        By default :func:`hard_samples`: ties, repeated cases, one class, categories, missing values.
    argmax : bool, optional
        Whether each label must be a class of the largest probability; by default what the inducer claims by an
        attribute ``argmax``, and no demand where there is none.

    Returns
    -------
    tuple of str
        The samples that it took.

    Raises
    ------
    UsageError
        If a demand is not met, or no sample is taken.

    Examples
    --------
    >>> from errorest.inducers import Threshold
    >>> check_inducer(Threshold())[:2]
    ('one attribute', 'ties of one attribute')
    """
    who = check_id(inducer)
    require(
        all(callable(getattr(inducer, face, None)) for face in ("fit", "predict_resamples")),
        who,
        "it has not both faces",
        "fit(sample, rng) and predict_resamples(sample, resamples, rng)",
        "let predict_resamples return predict_by_loop(self, sample, resamples, rng)",
    )
    given = hard_samples() if samples is None else samples
    follows = follows_probabilities(inducer, argmax)
    taken = tuple(name for name, sample in given.items() if _takes(who, inducer, name, sample, follows))
    require(taken, who, f"it refused all of {', '.join(given)}", "one that it takes", "pass samples of your own")
    require(inducer.id == who, who, f"its id is {inducer.id!r} after work", "one text always", "change nothing in fit")
    return taken


def _takes(who: str, inducer: Inducer, name: str, sample: Sample, argmax: bool) -> bool:
    before = sample.digest()
    fitted = call_or_rejected(lambda: inducer.fit(sample, np.random.default_rng(0)))
    if isinstance(fitted, Rejected):
        batch = call_or_rejected(
            lambda: inducer.predict_resamples(sample, draw.resubstitution(sample.n), np.random.default_rng(0))
        )
        require(
            isinstance(batch, Rejected),
            who,
            f"fit refuses {name} and predict_resamples takes them",
            "that both refuse alike",
            "check the sample in both",
        )
        return False
    _check_classifier(who, inducer, name, sample)
    tells = tells_probabilities(inducer)
    if tells:
        check_probabilities(f"{who} on {name}", inducer, sample, argmax)
    for scheme, resamples in _schemes(sample.n).items():
        where = f"{who} on {name}, {scheme}"
        _check_batch(where, inducer, sample, resamples)
        if tells:
            check_batch_probabilities(where, inducer, sample, resamples, argmax)
        require(
            sample.digest() == before, who, f"the values of {name} are others now", "that inputs stay", "copy first"
        )
    if isinstance(inducer, StackInducer):
        _check_stacks(f"{who} on stacks of {name}", inducer, sample)
    return True


def _check_classifier(who: str, inducer: Inducer, name: str, sample: Sample) -> None:
    who = f"{who} on {name}"
    one, again = (inducer.fit(sample, np.random.default_rng(0)).predict(sample.X.copy()) for _ in range(2))
    require(
        np.shape(one) == (sample.n,) and np.asarray(one).dtype.kind == "i" and _are_classes(one, sample),
        who,
        f"predict returned {np.ravel(one)[:3].tolist()} ... of shape {np.shape(one)}",
        f"the class number of each of {sample.n} cases, 0 to {sample.n_classes - 1}",
        "return labels, not probabilities or names",
    )
    _same(
        who,
        one,
        again,
        "two fits on the same sample label cases differently",
        "draw from rng alone, and say random = True",
    )
    fitted = inducer.fit(sample, np.random.default_rng(0))
    alone = np.concatenate([fitted.predict(sample.X[i : i + 1]) for i in range(sample.n)])
    _same(who, one, alone, "a case alone is labelled otherwise than among others", "label each case by itself")


def _check_batch(who: str, inducer: Inducer, sample: Sample, resamples: Resamples) -> None:
    found = both_ways(
        who,
        resamples,
        "takes it",
        lambda: predict_by_loop(inducer, sample, resamples, np.random.default_rng(2)),
        lambda: inducer.predict_resamples(sample, resamples, np.random.default_rng(2)),
    )
    if found is None:
        return
    loop, batch = found
    require(
        np.shape(batch) == resamples.cases.shape and batch.dtype == np.int64,
        who,
        f"predict_resamples returned {batch.dtype} values of shape {np.shape(batch)}",
        f"int64 class numbers of shape {resamples.cases.shape}, aligned with resamples.cases",
        "return one label a tested case",
    )
    _same(
        who,
        loop,
        batch,
        "predict_resamples labels otherwise than one fit a row",
        "compute as fit does",
    )


def _check_stacks(who: str, inducer: StackInducer, sample: Sample) -> None:
    rng = np.random.default_rng(3)
    stack = SampleStack.of_cases(sample, np.sort(rng.integers(0, sample.n, (3, sample.n)), axis=1))
    folds = np.argsort(rng.random((3, sample.n)), axis=1) % 4
    plain: Any = _PlainFaces(inducer)
    labels = call_or_rejected(lambda: inducer.predict_stack(stack, sample.X))
    if not isinstance(labels, Rejected):
        _same(
            who,
            base.predict_stack(plain, stack, sample.X),
            labels,
            "predict_stack labels otherwise than fit",
            "see fit",
        )
    own = call_or_rejected(lambda: inducer.cross_validate_stack(stack, folds))
    if not isinstance(own, Rejected):
        wanted = base.cross_validate_stack(plain, stack, folds)
        _same(who, wanted, own, "cross_validate_stack labels otherwise than one fit a fold", "see fit")


class _PlainFaces:
    """An inducer without its stacked faces, so that the generic loops serve it."""

    def __init__(self, inducer: Inducer) -> None:
        self.id, self.fit, self.predict_resamples = inducer.id, inducer.fit, inducer.predict_resamples


def _are_classes(labels: np.ndarray, sample: Sample) -> bool:
    return bool(((labels >= 0) & (labels < sample.n_classes)).all())


def _same(who: str, wanted: np.ndarray, labels: np.ndarray, seen: str, remedy: str) -> None:
    differ = np.flatnonzero(np.ravel(wanted) != np.ravel(labels))
    at = f" ({differ.size} of {np.size(wanted)} labels, the first at {differ[0]})" if differ.size else ""
    require(not differ.size, who, seen + at, "equal labels", remedy)
