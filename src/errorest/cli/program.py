"""Run a command-line program: a mistake is one line and status 2, a fault of ours keeps its traceback."""

from __future__ import annotations

import argparse
import io
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Collection, Sequence
from typing import Any

from errorest import determinism
from errorest.cli.compiling import keep_compiled, tell_when_compiling
from errorest.cli.output import complain, leave_output
from errorest.errors import UsageError, lacking

_RESTARTS = "nothing is kept, and the same command starts again"
_RESUMES = "finished chunks are kept, and the same command goes on from there"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> Any:
        """Raise the parser's message as a usage error."""
        raise UsageError(f"{' '.join(message.split())}; expected the usage that '{self.prog} --help' shows")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or version; argparse would keep silent about a standard output that takes none."""
        print(message, end="", file=file or sys.stderr)

    def exit(self, status: int = 0, message: str | None = None) -> Any:
        """End after what was printed is written."""
        sys.stdout.flush()
        super().exit(status, message)


def run_program(
    parser: Callable[[], argparse.ArgumentParser],
    argv: Sequence[str] | None = None,
    *,
    compiled: Collection[str] = (),
    resumable: Collection[str] = (),
) -> int:
    """Parse the arguments, run the command that they name, and turn a person's mistakes into one line."""
    # before numpy is imported by any command
    determinism.apply()
    warnings.filterwarnings("ignore", category=UserWarning, module=r"joblib\._multiprocessing_helpers")
    # a process may be started without a standard output, and a file may have any name
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    name = ""
    try:
        options = parser().parse_args(argv)
        options.typed = list(sys.argv[1:] if argv is None else argv)
        name = options.command
        keep_compiled()
        if name in compiled:
            tell_when_compiling()
        try:
            status = int(pkgutil.resolve_name(options.function)(options) or 0)
        except SystemExit as exc:  # of code of a person's own; it looks like success
            raise UsageError(
                f"code that the command ran ended the program (SystemExit: {exc})", "let it raise an error, or none"
            ) from None
        sys.stdout.flush()
        return status
    except UsageError as exc:
        complain(exc)
        return 2
    except KeyboardInterrupt:
        complain(f"interrupted; {_RESUMES if name in resumable else _RESTARTS}")
        return 130
    except BrokenPipeError:
        # the reader of our output left, as `head` does
        leave_output()
        return 0
    except MemoryError:
        complain("error: there is not enough memory; expected what fits into it; ask for fewer cases or replicates")
        return 2
    except OSError as exc:
        if (report := lacking(exc)) is None:
            raise
        leave_output()
        complain(f"error: {report}")
        return 2
