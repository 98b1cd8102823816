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
from collections.abc import Mapping
from math import ceil
from pathlib import Path

from compendium.book.survey import OneReplicate, every_artifact, survey
from compendium.studies.workers import Task, in_process
from errorest import determinism

SHARE = 0.005
LEAST = 3
SHOWN = 20
PACKAGE = Path(determinism.__file__).parent
PACKAGES = (PACKAGE, PACKAGE.parent / "compendium" / "methods")
Figure = tuple[str, float, str]
Function = tuple[str, int, str]
Callers = Mapping[Function, tuple[int, int, float, float]]
_STEPS = 40
"""Calls of other packages within one another, at most; what circles among them longer is lost."""


def _name(function: Function) -> str | None:
    """Name a function of the project; None for one of Python or of another package."""
    path = Path(function[0])
    for package in PACKAGES:
        if path.is_relative_to(package):
            return ".".join((*path.relative_to(package).with_suffix("").parts, function[2]))
    return None


def profiled(tasks: list[Task]) -> Counter[str]:
    """Return the processor seconds of each function of the project, with what it calls of others, in some tasks."""
    profiler = cProfile.Profile(time.process_time)
    profiler.enable()
    for _ in in_process(tasks):
        pass
    profiler.disable()
    return _by_project(pstats.Stats(profiler).stats)  # type: ignore[attr-defined]


def _by_project(stats: Mapping[Function, tuple[int, int, float, float, Callers]]) -> Counter[str]:
    """Add to each function of the project its own seconds and those that other packages took for it.

    A function of another package hands its own seconds to its callers, as it took them for each; what it was handed
    itself goes on in proportion to the seconds that it took for each in all.  So no second counts twice, also where
    such a function calls the project back.
    """
    seconds: Counter[str] = Counter()
    handed: Counter[Function] = Counter()
    for function, (_, _, own, _, callers) in stats.items():
        if name := _name(function):
            seconds[name] += own
        else:
            for caller, (_, _, taken, _) in callers.items():
                handed[caller] += taken
    for _ in range(_STEPS):
        waiting, handed = handed, Counter()
        for function, own in waiting.items():
            if name := _name(function):
                seconds[name] += own
                continue
            callers = stats[function][4]
            whole = sum(within for _, _, _, within in callers.values())
            for caller, (_, _, _, within) in callers.items():
                handed[caller] += own * within / whole if whole else 0.0
    return seconds


def main() -> list[Figure]:
    """Print the functions that take most of the studies' time."""
    asked, _ = survey(every_artifact(), OneReplicate())
    whole: Counter[str] = Counter()
    for study in asked.values():
        pieces = list(study.pieces.values())
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
