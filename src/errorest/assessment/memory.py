"""What an estimate needs of the machine's memory: what is known before anything is made, and what was reached so far.

Known beforehand are the arrays that grow faster than the data: the resamples themselves, a support vector machine's
kernel and machines, a linear discriminant's covariances.  What does not fit is refused in a line, before it starts.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from errorest.assessment.inputs import Problem
from errorest.errors import UsageError
from errorest.inducers.discriminant import LinearDiscriminant
from errorest.inducers.svm import SVM
from errorest.inducers.wide_scores import is_wide
from errorest.resampling.scheme import Scheme

__all__ = ["available", "check_memory", "needed", "reached"]

VARIABLE = "ERROREST_MEMORY"
_MIB = 1 << 20
_PER_COUNT, _PER_TEST = 4, 24
"""Bytes of a case in a bootstrap sample; of a tested case, with its label and loss."""

_UNSEEN = 0.368
_CONTROL = Path("/sys/fs/cgroup")


def needed(problem: Problem, schemes: Iterable[Scheme]) -> int:
    """Return the bytes of what is known to be made, beside the data.

    Parameters
    ----------
    problem : Problem
    schemes : iterable of Scheme

    Examples
    --------
    >>> from errorest.assessment.inputs import prepare
    >>> from errorest.resampling.schemes import KFold
    >>> problem = prepare("svm", np.arange(2000.0)[:, None], np.arange(2000) % 2)
    >>> needed(problem, [KFold(10)]) // 2**20
    61
    """
    n = problem.n
    total = 0
    for scheme in schemes:
        folds = getattr(scheme, "k", None)
        if "bootstrap" in scheme.name:
            total += int(scheme.fits(n) * n * (_PER_COUNT + _UNSEEN * _PER_TEST))
        elif isinstance(folds, int) and folds > 0:
            total += scheme.fits(n) // folds * n * _PER_TEST
    inducer, d, classes = problem.inducer, problem.sample.d, problem.labels.shape[0]
    if isinstance(inducer, SVM):
        u = n if problem.copies is None else np.unique(problem.copies).size
        # the kernel and its working copy; support vectors and weights of each pair of classes
        total += 16 * u * u + 32 * u * (classes * (classes - 1) // 2)
    if isinstance(inducer, LinearDiscriminant):
        # four matrices of attributes, or the rows of one and three matrices of cases
        total += 32 * classes * d + (8 * n * d + 24 * n * n if is_wide(d, n) else 32 * d * d)
    return total


def available() -> int:
    """Return the bytes that this process may still take: of the machine, its control group and its own limit.

    The environment variable ERROREST_MEMORY states another number, in MiB.

    Raises
    ------
    UsageError
        If the variable is no number.
    """
    stated = os.environ.get(VARIABLE)
    if stated is not None:
        if not (stated.isascii() and stated.isdigit() and 0 < len(stated) < 12):
            raise UsageError(
                f"{VARIABLE} is '{stated[:40]}'; expected a whole number of MiB; correct the variable or unset it"
            )
        return int(stated) * _MIB
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            found.append(1024 * int(line.split()[1]))
    most, used = (_lines(_CONTROL / name) for name in ("memory.max", "memory.current"))
    if most and used and most[0].isdigit():
        found.append(max(0, int(most[0]) - int(used[0])))
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and (sizes := _lines(Path("/proc/self/statm"))):
        found.append(max(0, limit - int(sizes[0].split()[0]) * os.sysconf("SC_PAGE_SIZE")))
    return min(found)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().split("\n")
    except OSError:
        return []


def check_memory(problem: Problem, schemes: Iterable[Scheme]) -> None:
    """Refuse what cannot fit, before any of it is made.

    Raises
    ------
    UsageError
    """
    wanted, room = needed(problem, schemes), available()
    if wanted > room:
        of = f"{problem.n:,} cases, {problem.sample.d:,} attributes and {problem.labels.shape[0]} classes"
        raise UsageError(
            f"this estimate needs about {wanted // _MIB:,} MiB of memory, for {of}; expected at most the "
            f"{room // _MIB:,} MiB that are available; take fewer cases or resamples, another classifier, or set "
            f"{VARIABLE} to more MiB"
        )


def reached() -> int:
    """Return the most bytes that this process has held in memory so far."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        # elsewhere than on Linux, where this figure begins at that of the process that started this one
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
