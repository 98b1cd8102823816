"""The default intervals on populations that no default was chosen on: the record of kept_back.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

_FOLDER = Path(__file__).parents[3] / "benchmarks"
_SPEC = importlib.util.spec_from_file_location("kept_back", _FOLDER / "kept_back.py")
assert _SPEC is not None
assert _SPEC.loader is not None
kept_back = importlib.util.module_from_spec(_SPEC)
# a named tuple looks its module up
sys.modules["kept_back"] = kept_back
_SPEC.loader.exec_module(kept_back)


def lines_of(which: str) -> list[kept_back.Line]:
    """Read the lines of a list of the record."""
    return [line for line in kept_back.read_record() if line.list == which]


def test_cells_of_the_record_come_out_again() -> None:
    lines = kept_back.read_record()
    for place in (
        ("seen", "rare", "ldf", "error", 20),
        ("fresh", "ties", "naive-bayes", "error", 20),
        ("fresh", "sites", "ldf", "error", 8),
        ("second", "ranks", "naive-bayes", "error", 25),
    ):
        recorded = next(line for line in lines if line[:5] == place)
        assert kept_back.measure(kept_back.Cell(*place)) == recorded


def test_the_lists_that_were_run_whole_are_complete() -> None:
    for which in ("seen", "normals"):
        assert [line[:5] for line in lines_of(which)] == list(kept_back.cells(which))
    for which in ("fresh", "second"):
        assert {line[:5] for line in lines_of(which)} <= set(kept_back.cells(which))
