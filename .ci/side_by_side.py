"""Run commands side by side, and say in the last line which failed or was ended by a signal.

usage: side_by_side.py NAME COMMAND [NAME COMMAND ...]; a command is one of a shell.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SECONDS_TO_END = 20
# A shell tells by a status above it that its command was ended by a signal
_OF_SIGNALS = 128


class _Stopped(BaseException):
    """This process was asked to end."""


def _stop(number: int, _: Any) -> None:
    for ending in _ENDING:
        signal.signal(ending, signal.SIG_IGN)
    raise _Stopped(number)


def _send(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _end(number: int, message: str) -> None:
    """Print a message and end by the signal, so that make says the same."""
    print(f"error: {message}", file=sys.stderr, flush=True)
    with suppress(OSError):  # nobody handles SIGKILL
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def main(named: list[str]) -> int:
    started: dict[str, subprocess.Popen[bytes]] = {}
    early: list[int] = []
    for ending in _ENDING:  # one that comes while a command is started waits until its process is known
        signal.signal(ending, lambda number, _: early.append(number))
    for name, command in zip(named[::2], named[1::2], strict=True):
        started[name] = subprocess.Popen(command, shell=True, process_group=0)
    try:
        for ending in _ENDING:
            signal.signal(ending, _stop)
        if early:
            _stop(early[0], None)
        statuses = {name: process.wait() for name, process in started.items()}
    except _Stopped as stopped:
        (number,) = stopped.args
        for process in started.values():
            _send(process, number)
        for process in started.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS_TO_END)
            _send(process, signal.SIGKILL)
        _end(number, f"{' and '.join(started)} were interrupted by {signal.Signals(number).name}; run them again")
    for name, status in statuses.items():
        number = -status if status < 0 else status - _OF_SIGNALS
        if number in signal.valid_signals():
            _end(number, f"{signal.Signals(number).name} ended {name} before its end; run it again")
    failed = [name for name, status in statuses.items() if status]
    if failed:
        print(f"error: failed: {', '.join(failed)}", file=sys.stderr)
    return max(statuses.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
