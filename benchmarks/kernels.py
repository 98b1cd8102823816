"""Where the processor time of all studies goes: a share of each study's chunks, measured again under a profiler.

The profiler sees Python's functions; the time in compiled code counts for the function that calls it, and so does
that in numpy and other packages.  Each study's seconds are multiplied by what it costs as a whole over what the
profiled chunks cost, so that the shares are those of the complete build.  Every chunk is measured once before,
unprofiled, for compiled functions to be there.
"""

from __future__ import annotations

import os

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import cProfile
import pstats
import time
from collections import Counter
from math import ceil
from pathlib import Path

from errorest import bits
from errorest.compendium.ledger import read_ledger
from errorest.study.workers import Task, in_process

SHARE = 0.005
LEAST = 3
SHOWN = 20
PACKAGE = Path(bits.__file__).parent
Figure = tuple[str, float, str]


def _name(function: tuple[str, int, str]) -> str | None:
    """Name a function of the project; None for one of Python or of another package."""
    path = Path(function[0])
    if not path.is_relative_to(PACKAGE):
        return None
    return ".".join((*path.relative_to(PACKAGE).with_suffix("").parts, function[2]))


def profiled(tasks: list[Task]) -> Counter[str]:
    """Return the processor seconds of each function of the project, with what it calls of others, in some tasks."""
    profiler = cProfile.Profile(time.process_time)
    profiler.enable()
    for _ in in_process(tasks):
        pass
    profiler.disable()
    seconds: Counter[str] = Counter()
    for function, (_, _, own, _, callers) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
        if name := _name(function):
            seconds[name] += own
            continue
        for caller, (_, _, _, within) in callers.items():
            if of := _name(caller):
                seconds[of] += within
    return seconds


def main() -> list[Figure]:
    """Print the functions that take most of the studies' time."""
    ledger = read_ledger()
    whole: Counter[str] = Counter()
    for described in ledger.studies:
        pieces = [piece for piece, _ in ledger.pieces(described)]
        step = max(1, len(pieces) // max(LEAST, ceil(SHARE * len(pieces))))
        drawn = pieces[step // 2 :: step]
        tasks = [piece.task for piece in drawn]
        for _ in in_process(tasks):
            pass
        scale = sum(piece.cost for piece in pieces) / sum(piece.cost for piece in drawn)
        for name, seconds in profiled(tasks).items():
            whole[name] += seconds * scale
    total = whole.total()
    figures: list[Figure] = [("all studies, one core, under the profiler", total / 60, "min")]
    figures += [(f"share of it: {name}", 100 * seconds / total, "%") for name, seconds in whole.most_common(SHOWN)]
    for quantity, value, unit in figures:
        print(f"  {quantity:<90} {value:8.4g} {unit}")
    return figures
