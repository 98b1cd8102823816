"""How much memory the resamples and predictions of a run take: announced, or refused, before anything is drawn."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from errorest.assessment.splitters import SplitterScheme
from errorest.errors import UsageError
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold, LeaveOneOut

HELD = 2**30
"""Bytes that a default may take, and from which on a run says how many it takes."""

# Bytes of a case of a bootstrap sample or holdout, as measured at 20,000 cases: its count, and .37 of a test
_OF_A_CASE = 18

# Bytes of a test of folds, which are kept without counts: prediction, loss and what reductions make of them
_OF_A_TEST = 60


def bytes_of(schemes: Iterable[Scheme], n: int, cases: int) -> int:
    """Return about how many bytes schemes take, drawn for n units that hold some cases."""
    return sum(
        cases * (_OF_A_TEST * s.repeats if isinstance(s, KFold) else _OF_A_CASE * s.fits(n))
        for s in schemes
        if not isinstance(s, LeaveOneOut | SplitterScheme)
    )


def check_memory(schemes: Iterable[Scheme], n: int, cases: int) -> None:
    """Refuse what this machine's memory does not hold, and tell on standard error of what takes much."""
    listed = list(schemes)
    needed = bytes_of(listed, n, cases)
    if needed <= HELD:
        return
    largest = max(listed, key=lambda s: bytes_of([s], n, cases))
    text = f"{largest.id} of {cases:,} cases takes about {needed / 2**30:.1f} GiB of memory"
    there = max(HELD, physical_memory())
    if needed > there:
        raise UsageError(
            f"{text}; expected at most {there / 2**30:.1f} GiB", "ask for fewer resamples, or for cv(k=10)"
        )
    print(f"{text}; fewer resamples, or cv(k=10), take less", file=sys.stderr)


def physical_memory() -> int:
    """Return the bytes of this machine's memory; 0 where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 0
