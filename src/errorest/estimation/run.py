"""Running schemes: resamples or clones drawn, all classifiers made in one pass, errors counted.

A :class:`Scheme` is a resampling scheme with its settings; :func:`run_schemes`
applies several to one sample, each with a random stream of its own name, and
returns what every reduction needs.  :func:`run_inducers` does so for several
inducers at once, which share all that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numba as nb
import numpy as np

from errorest.data.sample import Sample
from errorest.data.stacks import SampleStack
from errorest.errors import UsageError
from errorest.estimation.clone_errors import CloneTask, Cloning, ErrorCounts, Tested, count_errors
from errorest.inducers.base import Inducer, StackInducer
from errorest.resampling import draw as resampling
from errorest.resampling.draw import Resamples
from errorest.resampling.multisets import NO_ROWS, Compact
from errorest.streams import Streams, stable_hash

__all__ = ["Outcome", "Scheme", "draw_schemes", "predict_schemes", "run_inducers", "run_schemes"]


_BLOCK_BYTES = 1 << 26


class _Shared(NamedTuple):
    """A scheme whose samples are drawn by the stream of another scheme, of the same replicates."""

    samples: str
    tested: Tested


_OF_BOOTSTRAP = {
    "naive_bootstrap": _Shared("bootstrap", "cases"),
    "cross_validated_bootstrap": _Shared("bootstrap", "folds"),
    "double_bootstrap": _Shared("bootstrap", "cases-by-second"),
}
_OF_CLONES = {
    "clones": _Shared("clones", "cases"),
    "cross_validated_clones": _Shared("clones", "folds"),
    "double_clones": _Shared("clones", "cases-by-second"),
    "leave_one_out_clones": _Shared("leave_one_out_clones", "left-out"),
}


@dataclass(frozen=True)
class Scheme:
    """A resampling scheme with its settings, not yet applied to a sample.

    Parameters
    ----------
    name : str
        A function of :mod:`errorest.resampling.draw`; or ``naive_bootstrap``, ``cross_validated_bootstrap`` or
        ``double_bootstrap``, which share the bootstrap samples of ``bootstrap``; or ``clones``,
        ``cross_validated_clones`` or ``double_clones``, which share their clones; or ``leave_one_out_clones``.
    settings : tuple of (str, value) pairs
        Its keyword arguments, sorted; ``stratified`` stands for the sample's own classes as strata, ``k='n'`` for as
        many folds as cases.  Of clones, those of :class:`~errorest.estimation.clone_errors.Cloning` too.

    Examples
    --------
    >>> Scheme("k_fold", (("k", 10), ("repeats", 100))).id
    'k_fold(k=10, repeats=100)'
    """

    name: str
    settings: tuple[tuple[str, Any], ...] = ()

    @cached_property
    def id(self) -> str:
        """Unambiguous name; the random stream of the scheme is named by it."""
        return f"{self.name}({', '.join(f'{k}={v}' for k, v in self.settings)})"

    @cached_property
    def key(self) -> int:
        """Stable hash of :attr:`id`."""
        return stable_hash(self.id)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # a scheme is looked up many times a sample, and the hash of a fraction is slow
        return hash((self.name, self.settings))

    @cached_property
    def cloned(self) -> bool:
        """Whether its samples are clones, which no resamples can hold."""
        return self.name in _OF_CLONES

    @cached_property
    def _samples_key(self) -> int:
        """Key of the stream that draws the samples, which other schemes may share."""
        shared = _OF_BOOTSTRAP.get(self.name) or _OF_CLONES.get(self.name)
        if shared is None:
            return self.key
        return Scheme(shared.samples, tuple(s for s in self.settings if s[0] != "k")).key

    def resamples(self, sample: Sample, rng: np.random.Generator) -> Resamples:
        """Apply a scheme that shares no samples with others to a sample."""
        settings = dict(self.settings)
        if settings.pop("stratified", False):
            settings["strata"] = sample.y
        if self.name in ("resubstitution", "leave_one_out"):
            return getattr(resampling, self.name)(sample.n)
        if self.name == "k_fold":
            return resampling.k_fold(sample.n, _folds(settings.pop("k"), sample.n), rng, **settings)
        if self.name in ("bootstrap", "leave_one_out_bootstrap"):
            return getattr(resampling, self.name)(sample.n, settings.pop("replicates"), rng, **settings)
        return getattr(resampling, self.name)(sample.n, rng=rng, **settings)

    def draw(self, sample: Sample, streams: Streams) -> Resamples:
        """Apply the scheme to a sample, with the random streams of its name.

        Raises
        ------
        UsageError
            If the scheme does not fit the sample, or draws clones.
        """
        if self.cloned:
            raise UsageError(f"{self.id} draws clones, which are no resamples; expected another scheme; run it instead")
        shared = _OF_BOOTSTRAP.get(self.name)
        if shared is None:
            return self.resamples(sample, streams.generator(self.key))
        settings = dict(self.settings)
        n, replicates, rng = sample.n, settings["replicates"], streams.generator(self._samples_key)
        if shared.tested == "cases":
            return resampling.bootstrap(n, replicates, rng, test="all")
        own = streams.generator(self.key)
        if shared.tested == "folds":
            return resampling.bootstrap_folds(n, replicates, _folds(settings["k"], n), rng, folds=own)
        return resampling.double_bootstrap(n, replicates, rng, second=own)

    def fits(self, n: int) -> int:
        """Count the classifiers that are made of a sample of n cases, those of empty test sides among them."""
        settings = dict(self.settings)
        folds = _folds(settings.get("k", 1), n)
        if self.name.startswith("leave_one_out"):
            folds = n
        return folds * settings.get("replicates", 1) * settings.get("repeats", 1)

    def _task(self, n: int) -> CloneTask:
        settings = dict(self.settings)
        replicates, k = settings.pop("replicates"), settings.pop("k", 0)
        tested = _OF_CLONES[self.name].tested
        return CloneTask(tested, replicates, Cloning(**settings), self._samples_key, self.key, _folds(k, n))


def _folds(k: Any, n: int) -> int:
    return n if k == "n" else int(k)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one scheme yielded on one sample.

    Parameters
    ----------
    resamples : Resamples
        Of clones, only which replicate a row belongs to: no case is listed.
    labels : int array, shape (T,)
        Predicted classes, aligned with ``resamples.cases``; of clones, none.
    errors, tested : int arrays, shape (R,)
        Wrong labels and tested cases of each row.

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Scheme("leave_one_out")
    >>> outcome = run_schemes(s, Majority(), [scheme], Streams(1))[scheme]
    >>> outcome.labels.tolist(), round(outcome.rate, 3)
    ([1, 0, 0], 1.0)
    """

    resamples: Resamples
    labels: np.ndarray
    errors: np.ndarray
    tested: np.ndarray

    @cached_property
    def rate(self) -> float:
        """Error rate, a proportion: the rows of each repeat pooled, then the repeats averaged."""
        repeats = self.resamples.repeats
        if repeats == 1:
            tested = int(self.tested.sum())
            return int(self.errors.sum()) / tested if tested else float("nan")
        return float(_rates_of_repeats(self.errors, self.tested, self.resamples.replicate, repeats).mean())

    @cached_property
    def mean_row_rate(self) -> float:
        """Mean of the rows' own error rates, a proportion; NaN where no row tests anything."""
        some = self.tested > 0
        return float((self.errors[some] / self.tested[some]).mean()) if some.any() else float("nan")

    def losses(self, sample: Sample) -> np.ndarray:
        """0/1 loss of every tested case; bool array, shape (T,)."""
        return self.labels != sample.y[self.resamples.cases]

    @classmethod
    def of_clones(cls, n: int, counts: ErrorCounts, repeats: int) -> Outcome:
        """Make the outcome of clones of a sample of n cases from the counts of errors."""
        rows, nothing = counts.errors.shape[0], np.empty(0, dtype=np.int32)
        side = Compact(n, nothing.astype(np.int8), nothing, nothing, NO_ROWS, NO_ROWS, NO_ROWS)
        resamples = Resamples(side, np.zeros(rows + 1, dtype=np.int64), nothing, counts.replicate, repeats)
        return cls(resamples, nothing.astype(np.int64), counts.errors, counts.tested)


@nb.njit(cache=True)
def _rates_of_repeats(errors, tested, replicate, repeats):  # type: ignore[no-untyped-def]
    wrong = np.zeros(repeats, dtype=np.int64)
    cases = np.zeros(repeats, dtype=np.int64)
    for r in range(errors.shape[0]):
        wrong[replicate[r]] += errors[r]
        cases[replicate[r]] += tested[r]
    rates = np.empty(repeats)
    for m in range(repeats):
        rates[m] = wrong[m] / cases[m] if cases[m] > 0 else np.nan
    return rates


@nb.njit(cache=True)
def _row_errors(labels, y, start, cases):  # type: ignore[no-untyped-def]
    rows = start.shape[0] - 1
    errors = np.zeros(rows, dtype=np.int64)
    for r in range(rows):
        wrong = 0
        for j in range(start[r], start[r + 1]):
            wrong += labels[j] != y[cases[j]]
        errors[r] = wrong
    return errors


def run_schemes(sample: Sample, inducer: Inducer, schemes: Iterable[Scheme], streams: Streams) -> dict[Scheme, Outcome]:
    """Run schemes on a sample, each once, all classifiers in one pass.

    The random stream of a scheme depends on its id alone, so that asking for
    other schemes beside it changes nothing, and every inducer sees the same resamples.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    schemes : iterable of Scheme
        Repeats are run once.
    streams : Streams
        The place of this sample in the tree of random streams.

    Returns
    -------
    dict of Scheme to Outcome

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Scheme("resubstitution")
    >>> round(run_schemes(s, Majority(), [scheme], Streams(1))[scheme].rate, 3)
    0.333
    """
    return run_inducers(sample, {"": inducer}, schemes, streams)[""]


def run_inducers(
    sample: Sample, inducers: Mapping[str, Inducer], schemes: Iterable[Scheme], streams: Streams
) -> dict[str, dict[Scheme, Outcome]]:
    """Run schemes on a sample for several inducers, on the same resamples and clones.

    Every inducer yields what :func:`run_schemes` yields for it alone.

    Parameters
    ----------
    sample : Sample
    inducers : mapping of str to Inducer
    schemes : iterable of Scheme
        Repeats are run once.
    streams : Streams
        The place of this sample in the tree of random streams.

    Returns
    -------
    dict of str to dict of Scheme to Outcome
        Keyed as ``inducers``.

    Examples
    --------
    >>> from errorest.inducers import KNN, Majority
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0], ["a", "a", "b"])
    >>> loo = Scheme("leave_one_out")
    >>> made = run_inducers(s, {"1-nn": KNN(1), "majority": Majority()}, [loo], Streams(0))
    >>> {name: outcomes[loo].errors.tolist() for name, outcomes in made.items()}
    {'1-nn': [0, 0, 1], 'majority': [0, 0, 1]}
    """
    distinct = list(dict.fromkeys(schemes))
    tasks = {s: s._task(sample.n) for s in distinct if s.cloned}
    drawn = draw_schemes(sample, [s for s in distinct if not s.cloned], streams)
    counted = count_errors(sample, list(inducers.values()), list(tasks.values()), streams)
    made = {}
    for (name, inducer), counts in zip(inducers.items(), counted, strict=True):
        outcomes = predict_schemes(sample, inducer, drawn, streams)
        for s, task in tasks.items():
            repeats = 1 if task.tested == "left-out" else task.replicates
            outcomes[s] = Outcome.of_clones(sample.n, counts[task], repeats)
        made[name] = {s: outcomes[s] for s in distinct}
    return made


def draw_schemes(sample: Sample, schemes: Iterable[Scheme], streams: Streams) -> dict[Scheme, Resamples]:
    """Draw the resamples of schemes for a sample, to be shared by several inducers.

    Parameters
    ----------
    sample : Sample
    schemes : iterable of Scheme
        Repeats are drawn once.
    streams : Streams
        The place of this sample in the tree of random streams.

    Returns
    -------
    dict of Scheme to Resamples

    Raises
    ------
    UsageError
        If a scheme does not fit the sample, or draws clones, which only :func:`run_schemes` and
        :func:`run_inducers` test.

    Examples
    --------
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Scheme("bootstrap", (("replicates", 5),))
    >>> draw_schemes(s, [scheme], Streams(1))[scheme].n_rows
    5
    """
    return {s: s.draw(sample, streams) for s in dict.fromkeys(schemes)}


def predict_schemes(
    sample: Sample, inducer: Inducer, drawn: Mapping[Scheme, Resamples], streams: Streams
) -> dict[Scheme, Outcome]:
    """Make all classifiers of drawn resamples and count their errors.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    drawn : mapping of Scheme to Resamples
        From :func:`draw_schemes`.
    streams : Streams
        Names the streams of an inducer that draws at random (its ``random`` is true).

    Returns
    -------
    dict of Scheme to Outcome

    Examples
    --------
    >>> from errorest.inducers import Majority
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Scheme("leave_one_out")
    >>> drawn = draw_schemes(s, [scheme], Streams(1))
    >>> predict_schemes(s, Majority(), drawn, Streams(1))[scheme].errors.tolist()
    [1, 1, 1]
    """
    if getattr(inducer, "random", False):
        # one stream a scheme, or the classifiers of one would depend on which others were asked for
        return {
            s: _outcome(sample, r, inducer.predict_resamples(sample, r, streams.generator(s.key, "inducer")))
            for s, r in drawn.items()
        }
    # folds of positions, not of cases, do not go into one list with the others
    together = {s: r for s, r in drawn.items() if not r.compact.source.shape[1]}
    outcomes = _predicted_together(sample, inducer, together) if together else {}
    for s, r in drawn.items():
        if s not in together:
            outcomes[s] = _outcome(sample, r, _predict_positions(sample, inducer, r))
    return {s: outcomes[s] for s in drawn}


def _predicted_together(sample: Sample, inducer: Inducer, drawn: Mapping[Scheme, Resamples]) -> dict[Scheme, Outcome]:
    """Make all classifiers in one pass, and cut what it yields."""
    everything = resampling.concatenate(list(drawn.values()))
    whole = _outcome(sample, everything, inducer.predict_resamples(sample, everything))
    row = case = 0
    out: dict[Scheme, Outcome] = {}
    for scheme, resamples in drawn.items():
        rows, cases = slice(row, row + resamples.n_rows), slice(case, case + resamples.cases.shape[0])
        out[scheme] = Outcome(resamples, whole.labels[cases], whole.errors[rows], whole.tested[rows])
        row, case = rows.stop, cases.stop
    return out


def _predict_positions(sample: Sample, inducer: Inducer, resamples: Resamples) -> np.ndarray:
    """Label the tests of folds of bootstrap samples, by the stacked face of an inducer that has one.

    The labels are those of its ``predict_resamples``; but a machine that knows all folds of a
    sample at once need not be made anew for each.
    """
    if not isinstance(inducer, StackInducer):
        return inducer.predict_resamples(sample, resamples)
    source, folds = resamples.compact.source, resamples.compact.labels
    # training sets are taken in the order of the cases, which decides ties, and not in that of the draws
    order = np.argsort(source, axis=1, kind="stable")
    labels = np.empty(source.shape, dtype=np.int64)
    step = max(1, _BLOCK_BYTES // (8 * source.shape[1] * (sample.d + 1)))
    for first in range(0, source.shape[0], step):
        lines = slice(first, first + step)
        stack = SampleStack.of_cases(sample, np.take_along_axis(source[lines], order[lines], axis=1))
        own = inducer.cross_validate_stack(stack, np.take_along_axis(folds[lines], order[lines], axis=1))
        np.put_along_axis(labels[lines], order[lines], own, axis=1)
    # rows go by sample, then by fold, and their tests by position
    return np.take_along_axis(labels, np.argsort(folds, axis=1, kind="stable"), axis=1).ravel()


def _outcome(sample: Sample, resamples: Resamples, labels: np.ndarray) -> Outcome:
    errors = _row_errors(labels, sample.y, resamples.start, resamples.cases)
    return Outcome(resamples, labels, errors, resamples.start[1:] - resamples.start[:-1])
