"""The layers of the two packages: who may import whom."""

import shutil
import subprocess
import sys
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


def test_every_module_imports_only_from_its_own_layer_and_those_below() -> None:
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


WRONG = {
    "errorest/data/sample.py": (
        "import errorest.estimation.run\nfrom compendium.studies import Study",
        ["errorest.data.sample -> errorest.estimation.run", "errorest is not allowed to import compendium"],
    ),
    "errorest/attic.py": ("", ["- errorest.attic"]),
    "errorest/learners/majority.py": (
        "import matplotlib.pyplot",
        ["errorest.learners is not allowed to import matplotlib"],
    ),
}
"""What is added to a module, or is a new one, and what is reported of it."""


def test_imports_from_above_new_modules_and_plots_in_what_computes_are_refused(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name, (line, _) in WRONG.items():
        with (tmp_path / "src" / name).open("a") as module:
            module.write(f"\n{line}\n")
    checked = lint_imports(tmp_path)
    assert checked.returncode == 1
    assert [text for _, texts in WRONG.values() for text in texts if text not in checked.stdout] == []
