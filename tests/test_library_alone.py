"""The library without its extras: it works where matplotlib, papermill and Sphinx are not installed, and says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from errorest.extras import EXTRAS

ROOT = Path(__file__).parents[1]

# what stands in for an environment without the extras
BLOCKED = f"""
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in {sorted({name for names in EXTRAS.values() for name in names})!r}:
            return None
        return super().find_spec(name, path, target)

sys.meta_path = [Without if found is PathFinder else found for found in sys.meta_path]
"""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def errorest(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return run(f"from errorest.cli.main import main; sys.exit(main({list(arguments)!r}))", folder)


def test_the_package_and_its_library_import(tmp_path: Path) -> None:
    rooms = "assessment conformance data estimation experiment inducers resampling study tuning_bias"
    done = run(f"import errorest\nfor room in '{rooms}'.split(): __import__('errorest.' + room)", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ("estimate", "wine.csv", "--inducer", "knn(k=3)", "--estimator", "cv(k=10)"),
        ("compare", "wine.csv", "--a", "knn(k=3)", "--b", "majority"),
        ("estimators",),
        ("intervals",),
        ("clone", "iris", "--n", "3"),
        ("tuning-bias", "--test-size", "100", "--hits", "80", "--trials", "10"),
    ],
    ids=lambda c: c[0],
)
def test_its_commands_run(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "wine.csv").write_bytes((ROOT / "data" / "examples" / "wine.csv").read_bytes())
    done = errorest(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (("list",), "book"),
        (("params", "kohavi/01-iris"), "book"),
        (("run", "kohavi/01-iris"), "book"),
        (("estimate", "wine.csv", "--html", "page.html"), "plot"),
    ],
    ids=lambda c: c[0] if isinstance(c, tuple) else c,
)
def test_what_needs_an_extra_names_it_in_one_line_before_anything_is_computed(
    command: tuple[str, ...], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "wine.csv").write_bytes((ROOT / "data" / "examples" / "wine.csv").read_bytes())
    done = errorest(*command, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert line.endswith(f"run: pip install 'errorest[{extra}]'")
    assert not (tmp_path / "page.html").exists()


def test_a_picture_names_its_extra_without_a_chain_of_causes(tmp_path: Path) -> None:
    done = run("import errorest.plots", tmp_path)
    assert done.stderr.count("Traceback") == 1
    assert "MissingExtra: a picture needs matplotlib" in done.stderr
