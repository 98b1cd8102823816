"""Peak memory of a command: the summed proportional set size of its whole process tree.

The figure is the operating system's own (``Pss`` in ``/proc/*/smaps_rollup``):
a page that several processes share counts once, in parts.  Linux only.

    benchmarks/memory.py [--record NAME] -- compendium run NOTEBOOK
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

INTERVAL = 0.05  # seconds between looks; a peak that is shorter may be missed
PROC = Path("/proc")


def tree(root: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents: dict[int, int] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue  # it has ended
            # the name stands in parentheses and may hold anything
            parents[int(entry.name)] = int(text.rpartition(")")[2].split()[1])
    found = [root]
    for parent in found:
        found += [child for child, own in parents.items() if own == parent]
    return found


def pss(process: int) -> int:
    """Return the proportional set size of a process in bytes; 0 once it has ended."""
    try:
        lines = (PROC / str(process) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def peak(command: list[str]) -> tuple[int, int]:
    """Run a command; return the peak of its tree in bytes and its exit status."""
    highest = 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            highest = max(highest, sum(pss(p) for p in tree(process.pid)))
            time.sleep(INTERVAL)
    return highest, process.returncode


def main() -> int:
    """Measure the command that stands after ``--``."""
    parser = argparse.ArgumentParser(description="Peak memory of a command and all that it starts.")
    parser.add_argument("--record", metavar="NAME", help="write the figure to measured.csv under this name")
    parser.add_argument("command", nargs="+", help="the command, after --")
    arguments = parser.parse_args()
    if not os.access(PROC / "self" / "smaps_rollup", os.R_OK):
        print("error: /proc/self/smaps_rollup cannot be read; expected Linux; measure there", file=sys.stderr)
        return 2
    try:
        highest, status = peak(arguments.command)
    except OSError as exc:
        print(
            f"error: '{arguments.command[0]}' cannot be started ({exc.strerror}); expected a command", file=sys.stderr
        )
        return 2
    print(f"peak {highest / 2**20:.0f} MiB: {' '.join(arguments.command)}")
    if status != 0:
        print(f"error: the command ended with status {status}; nothing is recorded; correct it first", file=sys.stderr)
        return status
    if arguments.record:
        from run import record

        record("memory", [(arguments.record, round(highest / 2**20), "MiB")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
