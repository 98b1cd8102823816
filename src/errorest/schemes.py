"""Running schemes: resamples drawn, all classifiers made in one pass, errors counted.

A :class:`Scheme` is a resampling scheme with its settings; :func:`run_schemes`
applies several to one sample, each with a random stream of its own name, and
returns what every reduction needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba as nb
import numpy as np

from errorest import resampling
from errorest.inducers.base import Inducer
from errorest.resampling import Resamples
from errorest.rng import Streams, stable_hash
from errorest.sample import Sample

__all__ = ["Outcome", "Scheme", "draw_schemes", "predict_schemes", "run_schemes"]


@dataclass(frozen=True)
class Scheme:
    """A resampling scheme with its settings, not yet applied to a sample.

    Parameters
    ----------
    name : str
        A function of :mod:`errorest.resampling`.
    settings : tuple of (str, value) pairs
        Its keyword arguments, sorted; ``stratified`` stands for the sample's own classes as strata.

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

    def resamples(self, sample: Sample, rng: np.random.Generator) -> Resamples:
        """Apply the scheme to a sample."""
        settings = dict(self.settings)
        if settings.pop("stratified", False):
            settings["strata"] = sample.y
        if self.name in ("resubstitution", "leave_one_out"):
            return getattr(resampling, self.name)(sample.n)
        if self.name == "k_fold":
            return resampling.k_fold(sample.n, settings.pop("k"), rng, **settings)
        if self.name in ("bootstrap", "leave_one_out_bootstrap"):
            return getattr(resampling, self.name)(sample.n, settings.pop("replicates"), rng, **settings)
        return getattr(resampling, self.name)(sample.n, rng=rng, **settings)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one scheme yielded on one sample.

    Parameters
    ----------
    resamples : Resamples
    labels : int array, shape (T,)
        Predicted classes, aligned with ``resamples.cases``.
    errors, tested : int arrays, shape (R,)
        Wrong labels and tested cases of each row.
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
            tested = self.resamples.cases.shape[0]
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
    """
    drawn = draw_schemes(sample, schemes, streams)
    return predict_schemes(sample, inducer, drawn, streams)


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
    """
    return {s: s.resamples(sample, streams.generator(s.key)) for s in dict.fromkeys(schemes)}


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
            outcomes[s] = _outcome(sample, r, inducer.predict_resamples(sample, r))
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


def _outcome(sample: Sample, resamples: Resamples, labels: np.ndarray) -> Outcome:
    errors = _row_errors(labels, sample.y, resamples.start, resamples.cases)
    return Outcome(resamples, labels, errors, resamples.start[1:] - resamples.start[:-1])
