"""Options and arguments that several commands share, as parents of their parsers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.cli.output import complain

if TYPE_CHECKING:
    from compendium.book.runs import Options


def option(*names: str, **how: Any) -> argparse.ArgumentParser:
    """Return a parser with one argument, to be a parent of others."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(*names, **how)
    return parser


def number(kind: type, holds: Callable[[Any], bool], words: str) -> Callable[[str], Any]:
    """Return a reader of a number that must have a property; ``words`` name it in the message."""

    def read(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not holds(value):
            raise argparse.ArgumentTypeError(f"{text!r} is no {words}")
        return value

    return read


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_whole = number(int, lambda n: n >= 1 or n == -1, "number of workers (a whole number from 1, or -1 for all cores)")


def workers(text: str) -> int:
    """Read a number of worker processes."""
    count: int = _whole(text)
    return cores() if count == -1 else count


def parent_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the shared arguments by name."""
    return {
        "notebook": option("notebook", metavar="NOTEBOOK"),
        "assignments": option(
            "-p", dest="assignments", metavar="NAME=VALUE", action="append", default=[], help="a parameter"
        ),
        "file": option(
            "-f", dest="file", metavar="PARAMS.yml", type=Path,
            help="parameters as YAML; an import path in it runs code",
        ),
        "scale": option("--scale", choices=("published", "preview"), default="published", help="the paper's, or small"),
        "jobs": option(
            "--jobs", metavar="N", type=workers, default=cores(), help="worker processes; changes no result"
        ),
        "dask": option("--dask", metavar="ADDRESS", help="a Dask scheduler, tls:// or tcp://, that computes instead"),
        "json": option("--json", action="store_true", help="for programs"),
        "force": option("--force", action="store_true", help="overwrite a file that exists"),
    }  # fmt: skip


def options_of(arguments: argparse.Namespace, folder: Path | None = None) -> Options:
    """Read the run options, and check that a cluster answers: not only when a notebook needs it."""
    from compendium.book.runs import Options

    if arguments.dask:
        from compendium.studies.workers import Cluster, unprotected

        with Cluster(arguments.dask):
            if warning := unprotected(arguments.dask):
                complain(warning)
    return Options(arguments.jobs, arguments.dask, folder)
