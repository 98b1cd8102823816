"""What a command says: its answer alone on standard output, and messages in the words of its options."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import pairwise
from typing import TextIO

from errorest.errors import visible

_CUT = 60
_LONGEST = 4500
_LONG = re.compile(r"\S{200,}")
# A keyword of a function with its value; what is quoted, such as the name of a column, stays as it is
_QUOTED = r"(?<!\w)'[^']*'"
_KEYWORD = re.compile(r"\b([a-z_]+)=(True|None|numpy\.nan|'\w+'|\"\w+\")|" + _QUOTED)


def in_options(text: str) -> str:
    """Write keywords of functions as options of the command line: ``encode=True`` as ``--encode``.

    Settings in the parentheses of a call, such as a classifier's or an interval's, are no options and stay.
    """
    calls: list[bool] = []  # of each open parenthesis, whether it is a call's
    in_call = []
    for before, sign in pairwise(" " + re.sub(_QUOTED, lambda found: " " * len(found[0]), text)):
        if sign == "(":
            calls.append(before.isalnum())
        elif sign == ")" and calls:
            calls.pop()
        in_call.append(any(calls))

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        if name is None or in_call[found.start()]:
            return found[0]
        if name == "error_score":
            return "--skip-failures"
        return f"--{name.replace('_', '-')}" + ("" if value == "True" else f" {value.strip(chr(34) + chr(39)).lower()}")

    return _KEYWORD.sub(option, text)


def as_options(message: str) -> str:
    """Write a message on one line, in the words of the command line, without control characters."""
    line = visible(_LONG.sub(lambda found: found[0][:_CUT] + "...", " ".join(in_options(message).split())))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"


def complain(message: object) -> None:
    """Print one line on standard error, if it can be printed; of a mistake with the option that would change it."""
    parameter = getattr(message, "parameter", "")
    text = f"error: {message}" if isinstance(message, Exception) else str(message)
    with suppress(OSError, ValueError):
        print(as_options(f"{text} (--{parameter})" if parameter else text), file=sys.stderr, flush=True)


def say(text: str, file: TextIO | None = None) -> None:
    """Print text, by default on standard output; of what may come from a file, nothing commands a terminal."""
    print("\n".join(map(visible, text.split("\n"))), file=file, flush=True)


@contextmanager
def answer_alone() -> Iterator[None]:
    """Keep standard output for the answer: what a classifier prints meanwhile goes to standard error."""
    if sys.stdout is not None:
        sys.stdout.flush()
    selected = None
    with suppress(OSError):
        selected = os.dup(1)
        os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if selected is not None:
            # what compiled code printed and has not written yet
            with suppress(OSError, AttributeError):
                ctypes.CDLL(None).fflush(None)
            os.dup2(selected, 1)
            os.close(selected)


def leave_output() -> None:
    """Let nothing more be written to a standard output that takes nothing, so that the end of Python is quiet."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
