"""The library alone: it works where matplotlib and all that the book needs are not installed."""

import os
import re
from importlib import metadata
from pathlib import Path
from subprocess import CompletedProcess

from processes import run_python

ROOT = Path(__file__).parents[2]

# what stands in for an environment with the library alone
ABSENT = {"matplotlib", "compendium", "pydantic", "papermill", "nbformat", "jinja2", "tqdm", "yaml", "distributed"}


def run(code: str, folder: Path, absent: set[str] = ABSENT) -> CompletedProcess[str]:
    """Run code where some packages cannot be imported."""
    without = f"""
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {sorted(absent)!r} else super().find_spec(name, path, target)

sys.meta_path = [Without if found is PathFinder else found for found in sys.meta_path]
"""
    return run_python("-c", without + code, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})


def test_the_package_and_its_library_import_and_all_that_it_names_is_there(tmp_path: Path) -> None:
    rooms = "assessment conformance data estimation learners resampling"
    code = f"""
import inspect, errorest
from errorest import *
estimate
inspect.getmembers(errorest)
for room in "{rooms}".split():
    __import__("errorest." + room)
"""
    done = run(code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_library_works_without_the_modules_of_posix(tmp_path: Path) -> None:
    code = """
from errorest import compare, estimate, report
X, y = [[i * 37 % 101] for i in range(40)], ["a", "b"] * 20
print(estimate("naive-bayes", X, y, rng=1).n, compare("naive-bayes", "majority", X, y, rng=1).n)
report.to_html(estimate("majority", X, y, rng=1), "page.html")
"""
    done = run(code, tmp_path, {"fcntl", "resource"})
    assert (done.returncode, done.stdout.split()) == (0, ["40", "40"]), done.stderr
    assert (tmp_path / "page.html").is_file()


COMMANDS = [
    ("estimate", "wine.csv", "--model", "knn(k=3)", "--method", "cv(k=3)"),
    ("compare", "wine.csv", "--a", "knn(k=3)", "--b", "majority"),
    ("estimators",),
    ("intervals",),
]


def test_its_commands_run(tmp_path: Path) -> None:
    (tmp_path / "wine.csv").write_bytes((ROOT / "data" / "examples" / "wine.csv").read_bytes())
    done = run(f"from errorest.cli.main import main; print([main(list(c)) for c in {COMMANDS!r}])", tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str([0] * len(COMMANDS))


def test_a_report_without_matplotlib_names_the_extra_in_one_line_before_anything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "wine.csv").write_bytes((ROOT / "data" / "examples" / "wine.csv").read_bytes())
    command = ["estimate", "wine.csv", "--html", "page.html"]
    done = run(f"from errorest.cli.main import main; sys.exit(main({command!r}))", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert line.endswith("run: pip install 'errorest[plot]'")
    assert not (tmp_path / "page.html").exists()


def test_a_picture_names_its_extra_without_a_chain_of_causes(tmp_path: Path) -> None:
    done = run("import errorest.plots", tmp_path)
    assert done.stderr.count("Traceback") == 1
    assert "MissingExtra: a picture needs matplotlib" in done.stderr


def test_what_set_up_installs_first_is_locked_and_enough(tmp_path: Path) -> None:
    listed = re.search(r"local computing='([^']+)'", (ROOT / ".ci" / "setup").read_text())
    assert listed
    first = set(listed[1].split("|"))
    lock = (ROOT / "requirements.lock").read_text()
    assert all(re.search(rf"^{name}==", lock, re.MULTILINE) for name in first)
    owners = metadata.packages_distributions()
    others = {module for module, names in owners.items() if not {*names} & first and module != "errorest"}
    estimate = 'estimate("majority", [[0.0], [1.0], [2.0], [3.0]] * 5, [0, 0, 1, 1] * 5, rng=1)'
    done = run(f"from errorest import estimate; {estimate}", tmp_path, others)
    assert done.returncode == 0, done.stderr
