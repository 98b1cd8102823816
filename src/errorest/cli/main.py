"""The command line: list, params, run, replicate, explain, verdicts, tuning-bias, clone, cite, build, clean, ...

A person's mistake is one line on standard error and exit status 2, with no
traceback; a fault of ours keeps its traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.cli.chance import add_parser as add_chance
from errorest.cli.checking import add_parsers as add_checking
from errorest.cli.choose import add_parsers as add_choose
from errorest.cli.cite import add_parsers as add_cite
from errorest.cli.clean import add_parser as add_clean
from errorest.cli.clone import add_parser as add_clone
from errorest.cli.compiling import add_parser as add_compile
from errorest.cli.compiling import keep_compiled, keep_settings, tell_when_compiling
from errorest.cli.estimate import add_parsers as add_own_data
from errorest.cli.growing import add_parsers as add_growing
from errorest.cli.listing import add_parsers as add_listing
from errorest.cli.output import complain, leave_output
from errorest.cli.replicate import add_parser as add_replicate
from errorest.cli.run import add_parser as add_run
from errorest.cli.run import add_run_options, add_worker_options, cores, jobs, options_of, planned
from errorest.cli.score import add_parsers as add_score
from errorest.cli.tuning_bias import add_parser as add_tuning_bias
from errorest.cli.verdicts import add_parser as add_verdicts
from errorest.cli.verify import add_parsers as add_verify
from errorest.errors import UsageError, lacking

__all__ = ["main"]

_COMPILED = frozenset(
    {"estimate", "score", "compare", "check", "learning-curve", "clone", "tuning-bias", "replicate", "choose", "chance"}
)
"""Commands that call compiled functions in this very process."""

_PYTHONS = ((3, 11), (3, 13))
_NOTHING_KEPT = "nothing is kept, and the same command starts anew"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; by default those of the process.

    Returns
    -------
    int
        0; 2 for a mistake of the person's; 1 where a build or notebook has a fault; 130 when interrupted.
    """
    # before numpy is imported by anything below
    bits.apply()
    warnings.filterwarnings("ignore", category=UserWarning, module=r"joblib\._multiprocessing_helpers")
    _open_output()
    keeps = False
    try:
        _check_python()
        options = _parser().parse_args(argv)
        options.typed = list(sys.argv[1:] if argv is None else argv)
        keeps = options.name in ("run", "build", "replicate")
        # every command that knows the notebooks imports compiled functions, which need a place to be kept
        keep_compiled()
        keep_settings()
        if options.name in _COMPILED:
            tell_when_compiling()
        status = int(options.command(options) or 0)
        sys.stdout.flush()
        return status
    except UsageError as exc:
        complain(f"error: {exc}")
        return 2
    except KeyboardInterrupt:
        kept = "finished chunks are kept, and the same command goes on from there" if keeps else _NOTHING_KEPT
        complain(f"interrupted; {kept}")
        return 130
    except BrokenPipeError:
        # the reader of our output left, as `head` does
        leave_output()
        return 0
    except MemoryError:
        complain("error: there is not enough memory; expected what fits into it; ask for fewer cases or replicates")
        return 2
    except OSError as exc:
        if (told := lacking(exc)) is None:
            raise
        leave_output()
        complain(f"error: {told}")
        return 2
    except RuntimeError as exc:
        if type(exc).__name__ in ("NotebookError", "StudyError"):
            complain(f"error: {exc}")
            return 1
        raise


def _open_output() -> None:
    """Give the process a standard output where it was started without one, and let it take any name of a file."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _check_python() -> None:
    found = sys.version_info[:2]
    if not _PYTHONS[0] <= found <= _PYTHONS[1]:
        raise UsageError(
            f"Python {found[0]}.{found[1]} is not supported; expected 3.11, 3.12 or 3.13; "
            "run: make PY=/path/to/python3.12"
        )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(
            f"{' '.join(message.split())}; expected the usage that '{self.prog} --help' shows; mend the command"
        )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="errorest", description="How far can you trust a measured error rate? Re-execute the compendium."
    )
    parser.add_argument("--version", action="version", version=f"errorest {metadata.version('errorest')}")
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

    add_own_data(commands)
    add_score(commands)
    add_growing(commands)
    add_checking(commands)
    add_choose(commands)
    add_chance(commands)
    add_tuning_bias(commands)
    add_clone(commands)
    add_cite(commands)

    one = commands.add_parser("build", help="execute everything, compare, build the book")
    add_run_options(one)
    one.add_argument("--record", action="store_true", help="keep the seconds and a line of every study")
    one.add_argument("--store", metavar="FILE.tar", type=Path, help="results of an archive, a share of them checked")
    one.add_argument("--only", metavar="NOTEBOOK", help="execute one notebook and build its page alone")
    one.set_defaults(command=_build)

    add_verify(commands, jobs, cores())

    add_compile(commands)

    add_clean(commands)
    return parser


def _explain(arguments: argparse.Namespace) -> None:
    from errorest.compendium.runner import explain

    # whoever asks what a file of parameters would do has not decided to run what it names
    print(explain(planned(arguments, imports=False)))


def _build(arguments: argparse.Namespace) -> int:
    from errorest.compendium.places import alone
    from errorest.compendium.standing import recall, where

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
        from errorest.compendium.build import build_book, build_page

        if arguments.only is not None:
            return build_page(arguments.only, arguments.scale, options_of(arguments))
        return build_book(arguments.scale, options_of(arguments), record=arguments.record, archive=arguments.store)


if __name__ == "__main__":
    sys.exit(main())
