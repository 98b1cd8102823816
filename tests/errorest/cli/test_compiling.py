"""What set-up and ``errorest compile`` compile: everything that a first estimate with an inducer of ours calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from errorest import determinism
from errorest.cli import compiling

ROOT = Path(__file__).parents[3]


def test_a_checkout_keeps_compiled_code_where_its_tests_and_its_book_look_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    compiling.keep_compiled()
    assert os.environ["NUMBA_CACHE_DIR"] == str(determinism.numba_cache_dir(ROOT))


def test_a_second_estimate_compiles_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PYTHONPATH": str(ROOT / "src")}
    estimate = [
        *(sys.executable, "-m", "errorest.cli.main", "estimate"),
        *(str(ROOT / "data" / "examples" / "wine.csv"), "--target", "class", "--model", "knn(k=3)"),
        *("--method", "cv(k=3)", "--interval", "none"),
    ]
    for output in (True, False):
        done = subprocess.run(estimate, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert ("compiling once" in done.stderr) == output
