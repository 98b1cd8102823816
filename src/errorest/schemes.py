"""Running schemes: resamples drawn, all classifiers made in one pass, errors counted.

A :class:`Scheme` is a resampling scheme with its settings; :func:`run_schemes`
applies several to one sample, each with a random stream of its own name, and
returns what every reduction needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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

    def losses(self, sample: Sample) -> np.ndarray:
        """0/1 loss of every tested case; bool array, shape (T,)."""
        return self.labels != sample.y[self.resamples.cases]


@nb.njit(cache=True)
def _row_errors(labels, y, start, cases):  # type: ignore[no-untyped-def]
    rows = start.shape[0] - 1
    errors = np.zeros(rows, dtype=np.int64)
    for r in range(rows):
        for j in range(start[r], start[r + 1]):
            if labels[j] != y[cases[j]]:
                errors[r] += 1
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
        labels = [inducer.predict_resamples(sample, r, streams.generator(s.key, "inducer")) for s, r in drawn.items()]
    else:
        apart = [r.compact.source.shape[1] > 0 for r in drawn.values()]
        together = [r for r, a in zip(drawn.values(), apart, strict=True) if not a]
        pieces: Iterator[np.ndarray] = iter(())
        if together:
            whole = inducer.predict_resamples(sample, resampling.concatenate(together))
            pieces = iter(np.split(whole, np.cumsum([r.cases.shape[0] for r in together])[:-1]))
        labels = [
            inducer.predict_resamples(sample, r) if a else next(pieces)
            for r, a in zip(drawn.values(), apart, strict=True)
        ]
    return {
        s: Outcome(r, p, _row_errors(p, sample.y, r.start, r.cases), np.diff(r.start))
        for s, r, p in zip(drawn, drawn.values(), labels, strict=True)
    }
