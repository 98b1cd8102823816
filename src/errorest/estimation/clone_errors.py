"""Errors on clones: samples of the smoothed bootstrap, drawn in blocks and shared.

A clone is no multiset of cases, so it cannot stand in
:class:`~errorest.resampling.multisets.Resamples`; what is kept of it are counts of errors.
One pass draws every clone once, for all inducers and all ways of testing.

Estimators on clones are those of Shakhnarovich, El-Yaniv & Baram (2001), section 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from math import inf, nan
from typing import Any, Literal, NamedTuple

import numpy as np

from errorest.data.sample import Sample
from errorest.data.stacks import SampleStack, fold_labels
from errorest.errors import UsageError
from errorest.inducers.base import Inducer, cross_validate_stack, predict_stack
from errorest.resampling.clones import Cloner, leave_one_out_stacks
from errorest.resampling.clones.bandwidths import check_stages
from errorest.resampling.clones.kernels import check_kernel
from errorest.streams import Streams

__all__ = ["Bounds", "CloneTask", "Cloning", "ErrorCounts", "count_errors"]

Bounds = Literal["sample"] | tuple[tuple[float | None, float | None], ...]
"""Those of the sample, or the least and the greatest value of each attribute; None where there is none."""

Tested = Literal["cases", "folds", "left-out", "cases-by-second"]

_BLOCK_BYTES = 1 << 26


@dataclass(frozen=True)
class Cloning:
    """How clones are drawn: the settings of :class:`~errorest.resampling.clones.Cloner`, as plain values.

    Parameters
    ----------
    per_class : bool
        Whiten and smooth each class by itself.
    kernel : str
        Of continuous attributes.
    stages : int
        Of the plug-in bandwidth.
    bounds : "sample" or sequence of pairs, optional
        Those of the sample, or the least and the greatest value of each attribute; None or an infinite
        value where there is none.

    Raises
    ------
    UsageError
        If a setting is unknown, a bound is no number, or a pair is not in order.

    Examples
    --------
    >>> Cloning(bounds=[(0, None), (1, 10)]).settings
    (('bounds', ((0.0, None), (1.0, 10.0))),)
    """

    per_class: bool = True
    kernel: str = "epanechnikov"
    stages: int = 2
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        check_kernel(self.kernel)
        check_stages(self.stages)
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _checked(self.bounds))

    @property
    def settings(self) -> tuple[tuple[str, Any], ...]:
        """Settings that are not the defaults, sorted by name: part of the id of a scheme."""
        return tuple(sorted((f.name, getattr(self, f.name)) for f in fields(self) if self._differs(f)))

    def _differs(self, f: Any) -> bool:
        return bool(getattr(self, f.name) != f.default)

    @property
    def arguments(self) -> dict[str, Any]:
        """The settings as keyword arguments of :class:`~errorest.resampling.clones.Cloner`."""
        bounds: Any = self.bounds
        if isinstance(bounds, tuple):
            bounds = np.array([(-inf if low is None else low, inf if high is None else high) for low, high in bounds])
        return {"per_class": self.per_class, "kernel": self.kernel, "stages": self.stages, "bounds": bounds}

    @property
    def texts(self) -> dict[str, str]:
        """The same settings as they stand in the id of an estimator; :meth:`from_texts` reads them."""
        texts = {name: str(value) for name, value in self.settings}
        if isinstance(self.bounds, tuple):
            texts["bounds"] = "/".join(f"{_number(low)}:{_number(high)}" for low, high in self.bounds)
        return {f.name: texts[f.name] for f in fields(self) if f.name in texts}

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Cloning:
        """Read settings from texts, such as ``{"kernel": "gaussian", "bounds": "0:/1:10"}``.

        Raises
        ------
        UsageError
            If a text does not fit its setting.

        Examples
        --------
        >>> Cloning.from_texts({"per_class": "False", "bounds": "0:/1:10"}).bounds
        ((0.0, None), (1.0, 10.0))
        """
        read: dict[str, Any] = {}
        for name, text in texts.items():
            try:
                if name == "per_class":
                    read[name] = {"True": True, "true": True, "False": False, "false": False}[text]
                elif name == "stages":
                    read[name] = int(text)
                elif name == "bounds":
                    read[name] = text if text == "sample" else tuple(_pair(part) for part in text.split("/"))
                else:
                    read[name] = text
            except (KeyError, ValueError):
                likes = {"per_class": "True", "stages": "2", "bounds": "sample or 0:1/0:/: (a pair an attribute)"}
                raise UsageError(
                    f"cloning was given {name}={text}; expected a value like {likes[name]}; mend the value"
                ) from None
        return cls(**read)


def _checked(bounds: Any) -> Bounds:
    if isinstance(bounds, str):
        if bounds != "sample":
            raise UsageError(
                f"the bounds of clones are '{bounds}'; expected 'sample' or a pair of numbers an attribute; mend them"
            )
        return "sample"
    pairs = []
    for number, pair in enumerate(bounds, start=1):
        try:
            low, high = (float(v) if v is not None else v for v in pair)
        except (TypeError, ValueError):
            low = high = nan
        least, greatest = (-inf if low is None else low), (inf if high is None else high)
        if not least <= greatest:
            raise UsageError(
                f"the bounds of attribute {number} are {pair!r}; expected a least and a greatest value, in this order, "
                "None where there is none; mend the pair"
            )
        pairs.append((None if least == -inf else least, None if greatest == inf else greatest))
    return tuple(pairs)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _pair(text: str) -> tuple[float | None, float | None]:
    low, high = text.split(":")
    return (float(low) if low.strip() else None, float(high) if high.strip() else None)


class CloneTask(NamedTuple):
    """Clones of a sample, and how classifiers of them are tested.

    ``tested`` says on what: ``cases`` of the sample by the classifier of each clone, ``folds`` of each
    clone (k of them), the case ``left-out`` of the sample that was cloned, or the cases by the classifier
    of a bootstrap sample drawn from each clone, ``cases-by-second``.  ``clones`` names the random stream of
    the clones, shared by tasks that have it in common, and ``own`` that of everything else.

    Examples
    --------
    >>> CloneTask("folds", replicates=100, cloning=Cloning(), clones=1, own=2, k=5).tested
    'folds'
    """

    tested: Tested
    replicates: int
    cloning: Cloning
    clones: int
    own: int
    k: int = 0


class ErrorCounts(NamedTuple):
    """Errors and tested cases of each row, int arrays of shape (R,), and the replicate a row belongs to.

    Examples
    --------
    >>> counts = ErrorCounts(np.array([1, 0]), np.array([3, 3]), np.array([0, 1]))
    >>> float((counts.errors / counts.tested).mean()) == 1 / 6
    True
    """

    errors: np.ndarray
    tested: np.ndarray
    replicate: np.ndarray


def _draw(task: CloneTask) -> tuple[bool, int]:
    """Tell which clones a task needs; tasks of one answer share them."""
    return task.tested == "left-out", task.clones


def _blocks(replicates: int, bytes_each: int) -> Iterator[int]:
    """Yield how many clones to draw at a time; depends on the shape of the sample alone, as the draws do."""
    step = max(1, _BLOCK_BYTES // bytes_each)
    for first in range(0, replicates, step):
        yield min(step, replicates - first)


class _Work:
    """One task under way: its own random streams, and the errors of every inducer so far."""

    def __init__(self, task: CloneTask, sample: Sample, inducers: Sequence[Inducer], streams: Streams) -> None:
        self.task, self.sample, self.inducers = task, sample, inducers
        self._rng = streams.generator(task.own)
        self._streams = [
            streams.generator(task.own, "inducer") if getattr(inducer, "random", False) else None
            for inducer in inducers
        ]
        self._errors: list[list[np.ndarray]] = [[] for _ in inducers]
        self._tested: list[np.ndarray] = []

    def test(self, stack: SampleStack) -> None:
        """Test the classifiers of a block of clones."""
        if self.task.tested == "folds":
            self._test_folds(stack)
            return
        if self.task.tested == "cases-by-second":
            again = self._rng.integers(0, stack.n, size=stack.y.shape)
            X = np.take_along_axis(stack.X, again[:, :, None], axis=1)
            y = np.take_along_axis(stack.y, again, axis=1)
            stack = SampleStack(X, y, stack.attributes, stack.classes)
        self._tested.append(np.full(stack.n_samples, self.sample.n))
        for inducer, rng, errors in zip(self.inducers, self._streams, self._errors, strict=True):
            labels = predict_stack(inducer, stack, self.sample.X, rng)
            errors.append((labels != self.sample.y).sum(axis=1))

    def test_left_out(self, stack: SampleStack, i: int) -> None:
        """Test case i by the classifiers of clones of the others."""
        self._tested.append(np.array([stack.n_samples]))
        for inducer, rng, errors in zip(self.inducers, self._streams, self._errors, strict=True):
            labels = predict_stack(inducer, stack, self.sample.X[i : i + 1], rng)
            errors.append(np.array([np.count_nonzero(labels != self.sample.y[i])]))

    def _test_folds(self, stack: SampleStack) -> None:
        k = self.task.k
        folds = fold_labels(stack.n_samples, stack.n, k, self._rng)
        row = (np.arange(stack.n_samples)[:, None] * k + folds).ravel()
        rows = stack.n_samples * k
        self._tested.append(np.bincount(row, minlength=rows))
        for inducer, rng, errors in zip(self.inducers, self._streams, self._errors, strict=True):
            wrong = cross_validate_stack(inducer, stack, folds, rng) != stack.y
            errors.append(np.bincount(row[wrong.ravel()], minlength=rows))

    def counts(self) -> list[ErrorCounts]:
        """Return what has been counted, in the order of the inducers."""
        tested = np.concatenate(self._tested)
        if self.task.tested == "left-out":
            # each case holds all replicates: one repetition
            replicate = np.zeros(tested.shape[0], dtype=np.int32)
        else:
            rows = tested.shape[0] // self.task.replicates
            replicate = np.repeat(np.arange(self.task.replicates, dtype=np.int32), rows)
        return [ErrorCounts(np.concatenate(errors), tested, replicate) for errors in self._errors]


def count_errors(
    sample: Sample, inducers: Sequence[Inducer], tasks: Sequence[CloneTask], streams: Streams
) -> list[dict[CloneTask, ErrorCounts]]:
    """Draw clones of a sample once and count the errors of every inducer on them.

    Clones come in blocks bounded in bytes, so that never all n x B of them are held.
    What a task yields does not depend on the other tasks or inducers.

    Parameters
    ----------
    sample : Sample
    inducers : sequence of Inducer
    tasks : sequence of CloneTask
    streams : Streams
        The place of this sample in the tree of random streams.

    Returns
    -------
    list of dict of CloneTask to ErrorCounts
        In the order of the inducers.  A row is a clone (``cases``, ``cases-by-second``), a fold of a clone
        (``folds``) or a case with all its clones (``left-out``).

    Raises
    ------
    UsageError
        If the sample cannot be cloned, or there are no folds of it.

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> s = Sample.from_arrays([0.0, 1.0, 1.5, 4.0, 5.0, 5.5], ["a", "a", "a", "b", "b", "b"])
    >>> task = CloneTask("cases", replicates=10, cloning=Cloning(), clones=1, own=2)
    >>> counts = count_errors(s, [Majority()], [task], Streams(1))[0][task]
    >>> counts.tested.tolist() == [6] * 10, counts.errors.tolist() == [3] * 10
    (True, True)
    """
    counts: list[dict[CloneTask, ErrorCounts]] = [{} for _ in inducers]
    distinct = sorted(dict.fromkeys(tasks), key=_draw)
    for (left_out, _), group in groupby(distinct, key=_draw):
        work = [_Work(task, sample, inducers, streams) for task in group]
        first = work[0].task
        if first.replicates < 1:
            raise UsageError(
                f"{first.replicates} clones were asked for; expected at least 1; ask for one or more replicates"
            )
        rng = streams.generator(first.clones)
        if left_out:
            for i, stack in leave_one_out_stacks(sample, first.replicates, sample.n, rng, **first.cloning.arguments):
                for w in work:
                    w.test_left_out(stack, i)
        else:
            cloner = Cloner(sample, **first.cloning.arguments)
            for size in _blocks(first.replicates, 8 * sample.n * (sample.d + 1)):
                stack = cloner.stack(size, sample.n, rng)
                for w in work:
                    w.test(stack)
        for w in work:
            for one, made in zip(counts, w.counts(), strict=True):
                one[w.task] = made
    return counts
