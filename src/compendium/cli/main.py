"""The command ``compendium``: the book's notebooks, runs, verdicts, builds and releases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from compendium.cli.cite import add_parsers as add_cite
from compendium.cli.clean import add_parser as add_clean
from compendium.cli.listing import add_parsers as add_listing
from compendium.cli.replicate import add_parser as add_replicate
from compendium.cli.run import add_parser as add_run
from compendium.cli.run import add_run_options, add_worker_options, cores, jobs, options_of, planned
from compendium.cli.verdicts import add_parser as add_verdicts
from compendium.cli.verify import add_parsers as add_verify
from errorest.cli.output import complain
from errorest.cli.program import Parser, run_program
from errorest.errors import UsageError

__all__ = ["main"]


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

    add_listing(commands)
    add_run(commands)
    add_replicate(commands, add_worker_options)

    one = commands.add_parser("explain", help="cached or not, and which input changed")
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("-p", dest="assignments", metavar="NAME=VALUE", action="append", default=[], help="a parameter")
    one.add_argument("-f", dest="file", metavar="PARAMS.yml", type=Path, help="parameters as YAML")
    one.add_argument("--scale", choices=("published", "preview"), default="published")
    one.set_defaults(command=_explain)

    add_verdicts(commands)

    one = commands.add_parser("build", help="execute everything, compare, build the book")
    add_run_options(one)
    one.add_argument("--record", action="store_true", help="keep the seconds and a line of every study")
    one.add_argument("--store", metavar="FILE", type=Path, help="results of an archive, a share of them checked")
    one.add_argument("--only", metavar="NOTEBOOK", help="execute one notebook and build its page alone")
    one.set_defaults(command=_build)

    one = commands.add_parser("numbers", help="the numbers in prose that data/regenerated does not have")
    one.add_argument("--write", action="store_true", help="write them into notebooks and pages")
    one.set_defaults(command=_numbers)

    add_verify(commands, jobs, cores())
    add_cite(commands)
    add_clean(commands)
    return parser


def _explain(arguments: argparse.Namespace) -> None:
    from compendium.book.runs import explain

    # whoever asks what a file of parameters would do has not decided to run what it names
    print(explain(planned(arguments, imports=False)))


def _numbers(arguments: argparse.Namespace) -> int:
    from compendium.book.prose_numbers import check_files, rewrite_files

    if arguments.write:
        changed = rewrite_files()
        print("\n".join(f"{name}: written" for name in changed) or "every number is as data/regenerated has it")
        return 0
    problems = check_files()
    print("\n".join(problems) or "every number is as data/regenerated has it")
    return 1 if problems else 0


def _build(arguments: argparse.Namespace) -> int:
    from compendium.book.places import alone
    from compendium.book.standing import recall, where

    if arguments.only is not None and (arguments.record or arguments.store):
        raise UsageError(
            "one page is neither recorded nor built from an archive; expected --only without --record and --store; "
            "leave these out, or build the whole book"
        )
    with alone(complain):
        # a cluster that is named must answer, whether it is needed or not
        plain = not (arguments.only or arguments.record or arguments.store or arguments.dask)
        if plain and (said := recall(arguments.scale)) is not None:
            print(f"{said}\n{where(arguments.scale)}")
            return 0
        from compendium.book.build import build_book, build_page

        if arguments.only is not None:
            return build_page(arguments.only, arguments.scale, options_of(arguments))
        return build_book(arguments.scale, options_of(arguments), record=arguments.record, archive=arguments.store)


if __name__ == "__main__":
    sys.exit(main())
