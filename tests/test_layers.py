"""The layers of the two packages: who may import whom."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the pyproject.toml in a folder against the package in its src."""
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, 'src'); {command}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def copy_of_the_packages(folder: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return folder / "src"


def test_every_module_imports_only_from_its_own_floor_and_those_below() -> None:
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_an_import_from_a_higher_floor_is_refused(tmp_path: Path) -> None:
    package = copy_of_the_packages(tmp_path)
    with (package / "errorest" / "data" / "sample.py").open("a") as module:
        module.write("\nimport errorest.estimation.run\n")
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert "errorest.data.sample -> errorest.estimation.run" in checked.stdout


def test_a_module_without_a_floor_is_refused(tmp_path: Path) -> None:
    (copy_of_the_packages(tmp_path) / "errorest" / "attic.py").touch()
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert "- errorest.attic" in checked.stdout


def test_plots_in_what_computes_are_refused(tmp_path: Path) -> None:
    with (copy_of_the_packages(tmp_path) / "errorest" / "inducers" / "majority.py").open("a") as module:
        module.write("\nimport matplotlib.pyplot\n")
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert "errorest.inducers is not allowed to import matplotlib" in checked.stdout


def test_a_measure_that_knows_its_drawings_is_refused(tmp_path: Path) -> None:
    with (copy_of_the_packages(tmp_path) / "compendium" / "guide" / "cross" / "experiment.py").open("a") as module:
        module.write("\nimport errorest.plots\n")
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert "compendium.guide.cross.experiment is not allowed to import errorest.plots" in checked.stdout


def test_the_library_may_not_import_the_compendium(tmp_path: Path) -> None:
    with (copy_of_the_packages(tmp_path) / "errorest" / "data" / "sample.py").open("a") as module:
        module.write("\nfrom compendium.studies import Study\n")
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert "errorest is not allowed to import compendium" in checked.stdout


def test_the_layers_are_listed_from_the_command_line_down_to_the_sample() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    orders = {
        contract["containers"][0]: [name.strip("() ") for layer in contract["layers"] for name in layer.split(":")]
        for contract in contracts
        if contract["type"] == "layers"
    }
    library = ["cli", "assessment", "tuning_bias", "estimation", "inducers", "resampling", "data", "plots", "streams"]
    assert library == sorted(library, key=orders["errorest"].index)
    book = ["cli", "book", "guide", "papers", "evidence", "studies"]
    assert book == sorted(book, key=orders["compendium"].index)
