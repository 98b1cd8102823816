"""How many one-token mutations the tests of a room catch: a seeded sample over rooms whose mistakes nobody would see.

A test that cannot fail is worth nothing, and the way to know is to break the code.  Each mutation changes one
operator, comparison, small number or word of one module in a copy of the project; the tests of that module's room
run against the copy until the first fails.  What survives is listed: a test is missing there, or the mutation
changes nothing that can be seen.

    .venv/bin/python benchmarks/mutations.py --number 30 --seed 1
    .venv/bin/python benchmarks/mutations.py --number 10 --room evidence
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "errorest"

# modules of each room, and the tests that are to catch what is broken in it
ROOMS = {
    "estimators": ("estimation/estimators/*.py", ["test_estimators.py", "test_cloned_estimators.py"]),
    "intervals": (
        "estimation/intervals/*.py",
        ["test_intervals_formulas.py", "test_intervals.py", "test_intervals_resamples.py"],
    ),
    "evidence": (
        "evidence/*.py",
        ["test_published.py", "test_accuracy.py", "test_wholes.py", "test_counted.py", "test_session.py"],
    ),
    "claims": ("evidence/claims.py", ["test_claims.py"]),
    "study": ("study/*.py", ["test_store.py", "test_study.py"]),
    "cautions": ("assessment/cautions.py", ["test_assessment_told.py", "test_assessment.py"]),
}
SECONDS = 240.0

_COMPARE: dict[type, str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
_BINARY: dict[type, str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*"}
_SYMBOLS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_SYMBOLS |= {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_SETTINGS = ("strict", "kw_only", "cache", "frozen", "eq")
_WORDS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutation(NamedTuple):
    """One token of a module and what stands there instead; ``start`` and ``end`` are places in its text."""

    path: Path
    line: int
    start: int
    end: int
    new: str

    def told(self, text: str) -> str:
        """Name the mutation."""
        line = text.splitlines()[self.line - 1].strip()
        return (
            f"{self.path.relative_to(SOURCE)}:{self.line}: {text[self.start : self.end]!r} -> {self.new!r} in: {line}"
        )


def mutations_of(path: Path) -> list[Mutation]:
    """Find every token of a module that can be mutated; annotations and texts are left alone."""
    text = path.read_text(encoding="utf-8")
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))

    def place(line: int, column: int) -> int:
        # columns count bytes of UTF-8
        own = text[begins[line - 1] : begins[line]]
        return begins[line - 1] + len(own.encode()[:column].decode())

    found: list[Mutation] = []

    def between(before: ast.expr, after: ast.expr, old: str, new: str) -> None:
        start = place(before.end_lineno or 0, before.end_col_offset or 0)
        stop = place(after.lineno, after.col_offset)
        at = text.find(old, start, stop)
        if at >= 0:
            found.append(Mutation(path, text.count("\n", 0, at) + 1, at, at + len(old), new))

    for node in _code(ast.parse(text)):
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            between(node.left, node.right, _SYMBOLS[type(node.op)], _BINARY[type(node.op)])
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
            old = _SYMBOLS[type(node.ops[0])]
            between(node.left, node.comparators[0], old, _COMPARE[type(node.ops[0])])
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            between(node.values[0], node.values[1], old, new)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            start, end = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
            new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
            found.append(Mutation(path, node.lineno, start, end, new))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _WORDS:
            start = place(node.func.lineno, node.func.col_offset)
            found.append(Mutation(path, node.lineno, start, start + len(node.func.id), _WORDS[node.func.id]))
    return found


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through what runs."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or (isinstance(node, ast.keyword) and node.arg in _SETTINGS):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                if not isinstance(child, ast.JoinedStr):
                    yield from _code(child)


def copied(folder: Path) -> Path:
    """Make a copy of the project in which only the source is its own."""
    for entry in ROOT.iterdir():
        if entry.name not in ("src", ".git", "_build", ".venv"):
            (folder / entry.name).symlink_to(entry)
    shutil.copytree(SOURCE, folder / "src" / "errorest", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def outcome(one: Mutation, tests: list[str], folder: Path) -> str:
    """Break the copy, run the tests and mend it: ``caught``, ``SURVIVED``, or ``no answer`` in the time allowed."""
    own = folder / "src" / "errorest" / one.path.relative_to(SOURCE)
    text = own.read_text(encoding="utf-8")
    own.write_text(text[: one.start] + one.new + text[one.end :], encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["NUMBA_CACHE_DIR"] = str(folder / ("numba-anew" if "njit" in text else "numba"))
    shutil.rmtree(folder / "numba-anew", ignore_errors=True)
    names = [f"tests/{test}" for test in tests]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header", *names]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS)
        return "caught" if done.returncode else "SURVIVED"
    except subprocess.TimeoutExpired:
        return "no answer"
    finally:
        own.write_text(text, encoding="utf-8")


def main() -> None:
    """Draw mutations, run the tests on each, and print the share that was caught and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--number", type=int, default=30, help="mutations drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", choices=sorted(ROOMS), help="one room; all by default")
    parser.add_argument("--minutes", type=float, default=600.0, help="draw no further after this time")
    given = parser.parse_args()
    rng, began = random.Random(given.seed), time.monotonic()
    rooms = [given.room] if given.room else list(ROOMS)
    every = {room: [m for p in sorted(SOURCE.glob(ROOMS[room][0])) for m in mutations_of(p)] for room in rooms}
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = copied(Path(name))
        for room in rooms:
            # what fails unbroken would catch everything
            whole = every[room][0]._replace(end=every[room][0].start, new="")
            if outcome(whole, ROOMS[room][1], folder) != "SURVIVED":
                sys.exit(f"the tests of {room} do not pass, or not in {SECONDS:g} s, before anything is broken")
        for number in range(given.number):
            if time.monotonic() - began > 60 * given.minutes:
                break
            room = rooms[number % len(rooms)]
            one = rng.choice(every[room])
            told = one.told(one.path.read_text(encoding="utf-8"))
            found.append(outcome(one, ROOMS[room][1], folder))
            print(f"{found[-1]:<10}{told}", flush=True)
    answered = len(found) - found.count("no answer")
    print(f"\n{found.count('caught')} of {answered} mutations caught (seed {given.seed}, {', '.join(rooms)})")


if __name__ == "__main__":
    main()
