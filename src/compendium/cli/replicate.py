"""``compendium replicate``: a notebook's experiment under other seeds, and the verdicts of each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from errorest.errors import UsageError

__all__ = ["add_parser"]

_MOST = 1000

_DESCRIPTION = """\
Does it hold under another seed?  Run a notebook's experiment under the seeds that follow the published one,
everything else as published, and judge the printed numbers under each.
"""


def add_parser(commands: Any, add_run_options: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the subcommand to the command line."""
    one = commands.add_parser(
        "replicate", help="the verdicts of a notebook under other seeds", description=_DESCRIPTION
    )
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("--seeds", metavar="N", type=_seeds, default=20, help="how many further seeds; 20 by default")
    one.add_argument(
        "--out", metavar="DIR", type=Path, help="where figure and tables go; by default ./NOTEBOOK-replicate"
    )
    add_run_options(one)
    one.set_defaults(command=_replicate)


def _seeds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seeds (a whole number from 1 to {_MOST})")
    return int(text)


def _replicate(arguments: argparse.Namespace) -> None:
    from compendium.book import catalogue
    from compendium.book.folders import output_folder
    from compendium.book.progress import Bar
    from compendium.book.replicate import expected_seconds, replicate, write_replication
    from compendium.book.runs import Options

    spec = catalogue.notebook(arguments.notebook)
    out = arguments.out or Path(f"{spec.name}-replicate")
    seconds = expected_seconds(spec, arguments.seeds, arguments.jobs)
    try:
        with output_folder(out) as new:
            print(
                f"{spec.id} under {_counted(arguments.seeds, 'seed')}: at most about {_duration(seconds)} with "
                f"{_counted(arguments.jobs, 'worker')}; interrupt it when you like, what is finished is kept",
                file=sys.stderr,
            )
            bar = Bar([seconds / arguments.seeds] * arguments.seeds)
            try:
                found = replicate(spec, arguments.seeds, Options(arguments.jobs, arguments.dask), bar.report)
            finally:
                bar.close()
            files = [out / file.name for file in write_replication(found, new)]
    except OSError as exc:
        raise UsageError(
            f"the results could not be written to {out} ({exc.strerror}); expected free space in a writable "
            "folder; the runs are kept, so the same command with another --out takes seconds"
        ) from None
    print(found.said)
    print(found.by_seed.to_string())
    print("\n".join(str(file) for file in files))


def _counted(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number} {what}" + "s" * (number != 1)


def _duration(seconds: float) -> str:
    """Write a time as a person says it."""
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"
