"""The command ``compendium``: the book's notebooks, runs, verdicts, builds and releases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple

from compendium.cli.options import number, parent_parsers
from errorest.cli.output import complain
from errorest.cli.program import Parser, run_program


class _Command(NamedTuple):
    """A command: its function, help, the names of shared options, its options, and a longer description."""

    function: str
    help: str
    shared: str = ""
    options: tuple[tuple[str, dict[str, Any]], ...] = ()
    description: str | None = None


def _option(name: str, help: str, **how: Any) -> tuple[str, dict[str, Any]]:
    return name, {"help": help, **how}


def _flag(name: str, help: str) -> tuple[str, dict[str, Any]]:
    return _option(name, help, action="store_true")


_file = partial(_option, metavar="FILE", type=Path)
_folder = partial(_option, metavar="DIR", type=Path)
_seeds = number(int, lambda count: 1 <= count <= 1000, "number of seeds (a whole number from 1 to 1000)")
_share = number(float, lambda share: 0 < share <= 1, "share (a number above 0, at most 1)")

_COMMANDS = {
    "list": _Command("listing.list_notebooks", "notebooks and the artifacts that they make", "json"),
    "params": _Command(
        "listing.show_parameters",
        "a notebook's parameters: names, types, bounds, defaults, meaning",
        "notebook json",
        (_flag("--write", "write them from the model into the notebook's first cell"),),
    ),
    "run": _Command(
        "run.run_notebook",
        "execute a notebook, with parameters of your own if you like",
        "notebook assignments file scale jobs dask",
        (
            _folder("--out", "a new folder, or one of an earlier run; by default ./NOTEBOOK-run"),
            _flag("--no-page", "leave the HTML page out, which takes seconds"),
            _flag("--sweep", "run once for each value, as in -p samples=10,20,50, with one table of all results"),
        ),
    ),
    "replicate": _Command(
        "run.replicate_notebook",
        "the verdicts of a notebook under other seeds",
        "notebook jobs dask",
        (
            _option("--seeds", "how many further seeds; 20 by default", metavar="N", type=_seeds, default=20),
            _folder("--out", "where figure and tables go; by default ./NOTEBOOK-replicate"),
        ),
        "Does it hold under another seed? Run a notebook's experiment under the seeds that follow the published one, "
        "everything else as published, and judge the printed numbers under each.",
    ),
    "explain": _Command("run.explain_run", "cached or not, and which input changed", "notebook assignments file scale"),
    "verdicts": _Command(
        "listing.show_verdicts",
        "how the last complete build compares with the print",
        "json",
        (_option("--artifact", "every number of one artifact", metavar="ID"),),
    ),
    "build": _Command(
        "build.build",
        "execute everything, compare, build the book",
        "scale jobs dask",
        (
            _flag("--record", "keep the seconds and a line of every study"),
            _file("--store", "results of an archive, a share of them checked"),
        ),
    ),
    "numbers": _Command(
        "build.check_numbers",
        "the numbers in prose that data/regenerated does not have",
        options=(_flag("--write", "write them into notebooks and pages"),),
    ),
    "verify": _Command(
        "build.verify_record",
        "does this machine get the recorded numbers? compute a share of them again",
        "force jobs",
        (
            _option("--share", "of every study's replicates; 1 is all of it", type=_share, default=0.05),
            _option("--seed", "which share; drawn and printed by default", type=int),
            _file("--store", "check every chunk of this archive, too"),
            _file(
                "--report",
                "write the report, as JSON to a .json, else as text; may be given twice",
                action="append",
                default=[],
            ),
        ),
    ),
    "archive": _Command(
        "build.write_studies",
        "write every chunk of the recorded build into one file",
        "force",
        (_file("--out", "where to", default=Path("errorest-studies.tar.gz")),),
    ),
    "cite": _Command(
        "build.cite",
        "a reference to this work, or to one table or figure of it",
        options=(
            _option("artifact", "an id that 'compendium list' names", metavar="ARTIFACT", nargs="?"),
            _option(
                "--format",
                "style of the reference; apa by default",
                choices=("apa", "bibtex", "ris", "cff", "codemeta"),
                default="apa",
            ),
            _flag("--write", "write codemeta.json from CITATION.cff"),
        ),
    ),
    "release": _Command("build.release", "pack what is shipped: distributions, book, PDF, studies, checksums", "scale"),
    "clean": _Command(
        "build.clean",
        "remove what was built; finished studies stay",
        options=(_flag("--store", "remove finished studies and compiled code too"),),
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    try:
        return run_program(_parser, argv, compiled={"replicate"}, resumable={"run", "build", "replicate"})
    except RuntimeError as exc:
        # by name: importing it for its error costs every command a second
        if type(exc).__name__ not in ("NotebookError", "StudyError"):
            raise
        complain(f"error: {exc}")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="compendium",
        description="The compendium on error rates from small samples: run its notebooks, judge, build, verify, cite.",
    )
    parser.add_argument("--version", action="version", version=f"compendium {metadata.version('errorest')}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")
    parents = parent_parsers()
    for name, command in _COMMANDS.items():
        shared: list[Any] = [parents[parent] for parent in command.shared.split()]
        one = commands.add_parser(name, parents=shared, help=command.help, description=command.description)
        for argument, how in command.options:
            one.add_argument(argument, **how)
        one.set_defaults(command=partial(_call, command.function))
    return parser


def _call(function: str, arguments: argparse.Namespace) -> int | None:
    module, _, name = function.partition(".")
    status: int | None = getattr(import_module(f"compendium.cli.{module}"), name)(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
