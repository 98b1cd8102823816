"""The command ``compendium``: the book's notebooks, runs, verdicts, builds and releases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

from compendium.cli import build, cite, listing, run, verify
from compendium.cli.options import number, parent_parsers
from errorest.cli.output import complain
from errorest.cli.program import Parser, run_program

__all__ = ["main"]

_REPLICATE = """\
Does it hold under another seed?  Run a notebook's experiment under the seeds that follow the published one,
everything else as published, and judge the printed numbers under each.
"""
_seeds = number(int, lambda count: 1 <= count <= 1000, "number of seeds (a whole number from 1 to 1000)")
_share = number(float, lambda share: 0 < share <= 1, "share (a number above 0, at most 1)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
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
    shared = parent_parsers()

    def command(
        name: str, function: Callable[[argparse.Namespace], int | None], help: str, parents: str = "", **more: str
    ) -> Callable[..., argparse.Action]:
        one = commands.add_parser(name, parents=[shared[parent] for parent in parents.split()], help=help, **more)
        one.set_defaults(command=function)
        return one.add_argument

    command("list", listing.list_notebooks, "notebooks and the artifacts that they make", "json")

    add = command(
        "params",
        listing.show_parameters,
        "a notebook's parameters: names, types, bounds, defaults, meaning",
        "notebook json",
    )
    add("--write", action="store_true", help="write them from the model into the notebook's first cell")

    add = command(
        "run", run.run_notebook, "execute a notebook, with parameters of your own if you like",
        "notebook assignments file scale jobs dask patience",
    )  # fmt: skip
    add("--out", metavar="DIR", type=Path, help="a new folder, or one of an earlier run; by default ./NOTEBOOK-run")
    add("--no-page", action="store_true", help="leave the HTML page out, which takes seconds")
    add(
        "--sweep", action="store_true",
        help="run once for each of the values that -p names, as in -p samples=10,20,50, with one table of all results",
    )  # fmt: skip

    add = command(
        "replicate", run.replicate_notebook, "the verdicts of a notebook under other seeds", "notebook jobs dask",
        description=_REPLICATE,
    )  # fmt: skip
    add("--seeds", metavar="N", type=_seeds, default=20, help="how many further seeds; 20 by default")
    add("--out", metavar="DIR", type=Path, help="where figure and tables go; by default ./NOTEBOOK-replicate")

    command(
        "explain", run.explain_run, "cached or not, and which input changed", "notebook assignments file scale"
    )  # fmt: skip

    add = command("verdicts", listing.show_verdicts, "how the last complete build compares with the print", "json")
    add("--artifact", metavar="ID", help="every number of one artifact")

    add = command("build", build.build, "execute everything, compare, build the book", "scale jobs dask patience")
    add("--record", action="store_true", help="keep the seconds and a line of every study")
    add("--store", metavar="FILE", type=Path, help="results of an archive, a share of them checked")
    add("--only", metavar="NOTEBOOK", help="execute one notebook and build its page alone")

    add = command("numbers", build.check_numbers, "the numbers in prose that data/regenerated does not have")
    add("--write", action="store_true", help="write them into notebooks and pages")

    add = command(
        "verify", verify.verify_record, "does this machine get the recorded numbers? compute a share of them again",
        "force jobs",
    )  # fmt: skip
    add("--share", type=_share, default=0.05, help="of every study's replicates; 1 is all of it")
    add("--seed", type=int, help="which share; drawn and printed by default")
    add("--store", metavar="FILE", type=Path, help="compare with the chunks of this archive, too")
    add(
        "--report", metavar="FILE", type=Path, action="append", default=[],
        help="write the report: as JSON to a .json, as text to any other file; may be given twice",
    )  # fmt: skip

    add = command("archive", verify.write_studies, "write every chunk of the recorded build into one file", "force")
    add("--out", metavar="FILE", type=Path, default=Path("errorest-studies.tar.gz"), help="where to")

    add = command("cite", cite.cite, "a reference to this work, or to one table or figure of it")
    add("artifact", metavar="ARTIFACT", nargs="?", help="an id that 'compendium list' names")
    add("--format", choices=cite.FORMATS, default="apa", help="style of the reference; apa by default")
    add("--write", action="store_true", help="write codemeta.json from CITATION.cff")

    command("release", cite.release, "pack what is shipped: distributions, book, PDF, studies, checksums", "scale")

    add = command("clean", build.clean, "remove what was built; finished studies stay")
    add("--store", action="store_true", help="remove finished studies and compiled code too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
