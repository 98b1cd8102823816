"""What set-up and ``errorest compile`` compile: everything that a first estimate with an inducer of ours calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from errorest import bits
from errorest.cli import compiling
from errorest.cli.main import main
from errorest.inducers.named import named

ROOT = Path(__file__).parents[1]


def test_what_is_compiled_are_inducers_of_ours() -> None:
    assert [named(name).id for name in compiling.INDUCERS]


def test_the_command_tells_each_and_where_one_fails(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "INDUCERS", ("majority", "no-such"))
    assert main(["compile"]) == 1
    told = capfd.readouterr().out
    assert "compiled majority (" in told
    assert "not compiled, the first estimate will try again: no-such (" in told


def test_a_checkout_compiles_for_its_tests_and_keeps_the_same_beside_its_sources(tmp_path: Path) -> None:
    package = tmp_path / "src" / "errorest"
    shutil.copytree(ROOT / "src" / "errorest", package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "errorest"\n')
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "src")}
    environment.pop("NUMBA_CACHE_DIR", None)
    one = "from errorest.cli import compiling; compiling.INDUCERS = ('majority',); print(compiling.compile_all())"
    done = subprocess.run([sys.executable, "-c", one], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("0\n")
    (shared,) = (tmp_path / "_build" / "numba").iterdir()
    assert shared == bits.numba_cache_dir(tmp_path)
    compiled = {path.name: path.read_bytes() for path in shared.rglob("*.nb[ci]")}
    beside = {path.name: path.read_bytes() for path in package.rglob("*.nb[ci]")}
    assert beside == compiled
    assert any(name.endswith(".nbi") for name in compiled)
    # both are taken: neither way is anything compiled again
    asked = (
        "from numba.core import event; from errorest.cli.compiling import compile_inducer\n"
        "with event.install_recorder('numba:compile') as told: compile_inducer('majority')\n"
        "print(len(told.buffer))"
    )
    for more in ({}, {"NUMBA_CACHE_DIR": str(shared)}):
        again = subprocess.run(
            [sys.executable, "-c", asked], env=environment | more, capture_output=True, text=True, check=True
        )
        assert again.stdout == "0\n", more


def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PYTHONPATH": str(ROOT / "src")}
    estimate = [
        *(sys.executable, "-m", "errorest.cli.main", "estimate"),
        *(str(ROOT / "data" / "examples" / "wine.csv"), "--class-column", "class", "--inducer", "knn(k=3)"),
    ]
    compile_one = "from errorest.cli.compiling import compile_inducer; compile_inducer('knn(k=1)')"
    cold = subprocess.run(
        [sys.executable, "-c", compile_one], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert cold.stderr == ""
    warm = subprocess.run(estimate, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "compiling once" not in warm.stderr


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
from errorest.cli.compiling import compile_inducer
compile_inducer("majority")
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "NUMBA_CACHE_DIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
