"""What `make test` runs: two commands side by side, and a last line that tells how they ended."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "side_by_side.py"


def started(*commands: str) -> subprocess.Popen[str]:
    named = [part for name, command in zip(("style", "tests"), commands, strict=True) for part in (name, command)]
    return subprocess.Popen([sys.executable, str(SCRIPT), *named], stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("commands", "status", "last"),
    [
        (("true", "true"), 0, ""),
        (("exit 3", "true"), 3, "error: failed: style"),
        (("true", "exit 1"), 1, "error: failed: tests"),
        (("exit 1", "exit 255"), 255, "error: failed: style, tests"),
        (("true", "kill -9 $$"), -9, "error: SIGKILL ended tests before its end; run it again"),
        (
            ("sh -c 'kill -15 $$'; exit $?", "true"),
            -15,
            "error: SIGTERM ended style before its end; run it again",
        ),
    ],
)
def test_the_failure_of_either_fails_and_the_last_line_names_it(commands, status, last):
    with started(*commands) as process:
        lines = process.stderr.read().splitlines()
    assert (process.returncode, ["", *lines][-1]) == (status, last)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_ends_both_and_is_the_last_line(tmp_path, number):
    os.mkfifo(tmp_path / "pipe")
    with started("sleep 600", f"echo begun > {tmp_path / 'pipe'}; sleep 600; true") as process:
        assert (tmp_path / "pipe").read_text() == "begun\n"
        process.send_signal(number)
        # at the end of the file no process is left that could write
        lines = process.stderr.read().splitlines()
    assert process.returncode == -number
    assert lines == [f"error: style and tests were interrupted by {number.name}; run them again"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_while_a_command_is_started_ends_it_too(number):
    with started("sleep 600", f"kill -{number.value} $PPID; exec sleep 600") as process:
        assert len(process.stderr.read().splitlines()) == 1
    assert process.returncode == -number
