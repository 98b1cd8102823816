"""What set-up and ``errorest compile`` compile: everything that a first estimate with an inducer of ours calls."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
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


def test_what_set_up_installs_first_is_locked_and_enough(tmp_path: Path) -> None:
    listed = re.search(r"local computing='([^']+)'", (ROOT / ".ci" / "setup").read_text())
    assert listed
    first = set(listed[1].split("|"))
    lock = (ROOT / "requirements.lock").read_text()
    assert all(re.search(rf"^{name}==", lock, re.MULTILINE) for name in first)
    # every other package that is installed is hidden
    owners = metadata.packages_distributions()
    hidden = sorted(module for module, names in owners.items() if not {*names} & first and module != "errorest")
    code = f"""
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {hidden!r} else super().find_spec(name, path, target)

sys.meta_path = [Without if found is PathFinder else found for found in sys.meta_path]
from errorest import estimate
estimate("majority", [[0.0], [1.0], [2.0], [3.0]] * 5, [0, 0, 1, 1] * 5, rng=1)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
