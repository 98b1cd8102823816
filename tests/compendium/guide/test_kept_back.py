"""The default intervals on populations that no default was chosen on: the record of kept_back.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

_FOLDER = Path(__file__).parents[3] / "benchmarks"
_SPEC = importlib.util.spec_from_file_location("kept_back", _FOLDER / "kept_back.py")
assert _SPEC is not None
assert _SPEC.loader is not None
kept_back = importlib.util.module_from_spec(_SPEC)
sys.modules["kept_back"] = kept_back
_SPEC.loader.exec_module(kept_back)


def lines_of(which: str) -> list[kept_back.Line]:
    """Read the lines of a list of the record."""
    return [line for line in kept_back.read_record() if line.list == which]


def test_the_record_is_of_all_cells_and_cells_come_out_again() -> None:
    lines = kept_back.read_record()
    assert [line[:5] for line in lines] == [cell for name in kept_back.LISTS for cell in kept_back.cells(name)]
    for place in (
        ("seen", "rare", "ldf", "error", 20),
        ("fresh", "ties", "naive-bayes", "error", 20),
        ("fresh", "sites", "ldf", "error", 8),
        ("second", "ranks", "naive-bayes", "error", 25),
    ):
        recorded = next(line for line in lines if line[:5] == place)
        assert kept_back.measure(kept_back.Cell(*place)) == recorded
