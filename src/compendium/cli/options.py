"""Readers of the values of options, and the run options that several commands share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from errorest.cli.output import complain

if TYPE_CHECKING:
    from compendium.book.runs import Options


N = TypeVar("N")


def number(kind: Callable[[str], N], holds: Callable[[N], bool], words: str) -> Callable[[str], N]:
    """Return a reader of a number that must have a property; ``words`` name it in the message."""

    def read(text: str) -> N:
        with suppress(ValueError):
            if holds(value := kind(text)):
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is no {words}")

    return read


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_whole = number(int, lambda n: n >= 1 or n == -1, "number of workers (a whole number from 1, or -1 for all cores)")


def workers(text: str) -> int:
    """Read a number of worker processes."""
    count: int = _whole(text)
    return cores() if count == -1 else count


def options_of(arguments: argparse.Namespace, folder: Path | None = None) -> Options:
    """Read the run options, and check that a cluster answers: not only when a notebook needs it."""
    from compendium.book.runs import Options

    if arguments.dask:
        from compendium.studies.workers import Cluster, unprotected

        with Cluster(arguments.dask):
            if warning := unprotected(arguments.dask):
                complain(warning)
    return Options(arguments.jobs, arguments.dask, folder)
