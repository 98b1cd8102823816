"""The one loop over replicates: what one replicate yields is said by a function, and put into columns here.

A *design* turns the parameters of a cell into what happens in one of its replicates: a function of the
replicate's random streams.  The loop is apart from :mod:`~compendium.studies.study`, for which a layout number in the
keys of chunks stands: a change of the loop asks for a check of every study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from compendium.studies.columns import Coded
from errorest.streams import Streams

__all__ = ["Cell", "Design", "Each", "Replicate", "each_replicate", "measure_each"]

Cell = Mapping[str, Any]
"""The parameters of one cell of a study's grid."""

Replicate = Callable[[Streams], Mapping[str, Any]]
"""``replicate(place)`` yields named numbers and texts, one line; or named lists of one length, as many lines."""

Design = Callable[[Cell], Replicate]
"""``design(cell)`` is called once a chunk; what it prepares serves all replicates."""


@dataclass(frozen=True)
class Each:
    """The measure of a study that :func:`each_replicate` makes; two of one design are equal.

    Examples
    --------
    >>> each_replicate(len) == Each(len)
    True
    """

    design: Design

    def __call__(self, cell: Cell, replicates: range, streams: Streams) -> dict[str, Any]:
        """Measure replicates of a cell."""
        return measure_each(self.design, cell, replicates, streams)


def each_replicate(design: Design) -> Each:
    """Make the measure of a study from what happens in one replicate.

    Parameters
    ----------
    design : callable
        ``design(cell) -> replicate``, ``replicate(place) -> mapping``; a function at the top of a module wherever a
        store or workers are used.  A change of its module, or of what this imports, asks for a check of the study.

    Examples
    --------
    >>> from compendium.studies.study import Study, run_study
    >>> def tosses(cell):
    ...     return lambda place: {"heads": int((place.generator("tosses").random(cell["n"]) < 0.5).sum())}
    >>> run_study(Study("coins", [{"n": 10}], 3, each_replicate(tosses))).columns.tolist()
    ['n', 'replicate', 'heads']
    """
    return Each(design)


def measure_each(design: Design, cell: Cell, replicates: range, streams: Streams) -> dict[str, Any]:
    """Call what a cell's design made for every replicate, and collect what it yields by column.

    Raises
    ------
    ValueError
        If a replicate yields other names than the first did, or lists of different lengths.

    Examples
    --------
    >>> found = measure_each(lambda cell: lambda place: {"k": [1, 2]}, {}, range(2), Streams(0))
    >>> found["replicate"].tolist(), found["k"]
    ([0, 0, 1, 1], [1, 2, 1, 2])
    """
    one = design(cell)
    columns: dict[str, list[Any]] = {}
    numbers: list[int] = []
    several = False
    for replicate in replicates:
        result = one(streams.child(replicate))
        if not columns:
            columns = {name: [] for name in result}
            several = any(isinstance(values, list) for values in result.values())
        if result.keys() != columns.keys():
            raise ValueError(f"replicate {replicate} yielded {list(result)} where the first yielded {list(columns)}")
        if not several:
            for name, value in result.items():
                columns[name].append(value)
            continue
        lengths = {len(values) for values in result.values()}
        if len(lengths) > 1:
            raise ValueError(f"replicate {replicate} yielded columns of {sorted(lengths)} lines; expected one length")
        numbers += [replicate] * lengths.pop()
        for name, values in result.items():
            columns[name] += values
    read = {name: Coded.of(c) if c and isinstance(c[0], str) else c for name, c in columns.items()}
    return {"replicate": np.array(numbers, dtype=np.int64), **read} if several else read
