#!/usr/bin/env python3
"""Build the source distribution and the wheel, and use the wheel as a stranger would: outside the checkout.

    .venv/bin/python .ci/try_wheel.py [--doctests lowest|newest|both|none]

Two fresh environments hold the lowest allowed versions of the dependencies and the newest.  In each the commands
and the library's own examples run; both must give the same estimates.  Needs a package index.  Exit status 0 only
if all of it passes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIBRARY = [
    "assessment",
    "conformance",
    "data",
    "estimation",
    "learners",
    "resampling",
]
TOLERANCE = 1e-12

DOCTESTS = f"""
import doctest, importlib, pkgutil, sys
failed = tried = 0
for room in {LIBRARY!r}:
    package = importlib.import_module("errorest." + room)
    named = [package.__name__, *(m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + "."))]
    for name in named:
        found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
        failed, tried = failed + found.failed, tried + found.attempted
print(failed, "of", tried, "lines of examples failed")
sys.exit(bool(failed or not tried))
"""


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a command and return what it prints; end with its whole output where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        shown = " ".join(str(part) for part in command)[:200]
        sys.exit(f"error: '{shown}' ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def build(folder: Path) -> Path:
    """Build both distributions from a copy of the tree; refuse a wheel that the source distribution does not give."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / "tree" / name)
    make = "import sys; from setuptools import build_meta; getattr(build_meta, 'build_' + sys.argv[1])(sys.argv[2])"
    when = {"SOURCE_DATE_EPOCH": "946684800"}
    run(sys.executable, "-c", make, "sdist", folder, folder=folder / "tree", **when)
    run(sys.executable, "-c", make, "wheel", folder / "direct", folder=folder / "tree", **when)
    (packed,) = folder.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    run(sys.executable, "-c", make, "wheel", folder / "from-sdist", folder=unpacked, **when)
    (one,), (two,) = (folder / "direct").glob("*.whl"), (folder / "from-sdist").glob("*.whl")
    if hashlib.sha256(one.read_bytes()).digest() != hashlib.sha256(two.read_bytes()).digest():
        sys.exit("error: the wheel from the source distribution is not the wheel from the checkout")
    with zipfile.ZipFile(one) as wheel:
        others = [name for name in wheel.namelist() if not re.match(r"errorest(-[^/]*\.dist-info)?/", name)]
    if others:
        sys.exit(f"error: the wheel holds more than the library: {', '.join(others[:5])}")
    print(f"sdist {packed.stat().st_size / 1e6:.1f} MB, wheel {one.stat().st_size / 1e6:.1f} MB, the same from both")
    return one


def lowest() -> str:
    """Write the lower bounds of the library and of its pictures as constraints."""
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["plot"]]
    return "\n".join(re.sub(r"^([\w.-]+)>=([\w.]+).*$", r"\1==\2", line) for line in lines)


def estimates(python: Path, folder: Path) -> dict[str, float]:
    """Ask for every estimator and some classifiers on the example that the project ships."""
    code = """
import json, sys
from errorest import estimate
from errorest.data import read_csv
from errorest.estimation.estimators import ESTIMATORS
sample = read_csv("wine.csv", "class")
found = {name: estimate("naive-bayes", sample, method=name, interval=None, rng=1).value
         for name in ESTIMATORS}
for inducer in ("knn(k=3)", "linear-discriminant", "c4.5"):
    found[inducer] = estimate(inducer, sample, method="cv(k=10)", interval=None, rng=1).value
json.dump(found, sys.stdout)
"""
    return json.loads(run(python, "-c", code, folder=folder).splitlines()[-1])


def try_out(name: str, wheel: Path, folder: Path, doctests: bool) -> dict[str, float]:
    """Install the wheel into a fresh environment and use it from an empty folder."""
    began = time.monotonic()
    home = folder / name
    empty = home / "empty"
    empty.mkdir(parents=True)
    shutil.copy(ROOT / "data" / "examples" / "wine.csv", empty)
    (home / "constraints.txt").write_text(lowest() if name == "lowest" else "", encoding="utf-8")
    run(sys.executable, "-m", "venv", home / "env", folder=home)
    pip = [home / "env" / "bin" / "python", "-m", "pip", "-qq", "install", "--only-binary", ":all:", "-c"]
    run(*pip, home / "constraints.txt", f"{wheel}[plot]", folder=home)
    installed = time.monotonic() - began
    python, errorest = home / "env" / "bin" / "python", home / "env" / "bin" / "errorest"
    first = run(errorest, "estimate", "wine.csv", "--target", "class", "--html", "report.html", folder=empty)
    if "compiling once" not in first or not (empty / "report.html").is_file():
        sys.exit(f"error: the first call does not say that it compiles, or writes no report:\n{first}")
    second = run(errorest, "estimate", "wine.csv", "--target", "class", folder=empty)
    if "compiling once" in second:
        sys.exit(f"error: the second call compiles again:\n{second}")
    run(errorest, "compare", "wine.csv", "--target", "class", "--a", "knn(k=3)", "--b", "majority", folder=empty)
    found = estimates(python, empty)
    told = run(python, "-c", DOCTESTS, folder=empty).splitlines()[-1] if doctests else "examples not run"
    versions = run(python, "-m", "pip", "list", "--format=freeze", folder=empty)
    kept = re.findall(r"^(?:numpy|scipy|pandas|scikit-learn|numba|matplotlib)==.*$", versions, re.MULTILINE)
    print(f"{name}: installed in {installed:.0f} s, {time.monotonic() - began:.0f} s in all; {told}; {' '.join(kept)}")
    return found


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Build the wheel and use it in fresh environments.")
    parser.add_argument("--doctests", choices=("lowest", "newest", "both", "none"), default="both")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="errorest-wheel-") as made:
        folder = Path(made)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        for name in ("PYTHONPATH", "NUMBA_CACHE_DIR", "ERROREST_DATA", "ERROREST_STORE"):
            os.environ.pop(name, None)
        wheel = build(folder)
        with ThreadPoolExecutor(2) as both:
            names = ("lowest", "newest")
            asked = [both.submit(try_out, n, wheel, folder, options.doctests in (n, "both")) for n in names]
            low, new = (one.result() for one in asked)
    apart = {key: (low[key], new[key]) for key in low if not abs(low[key] - new[key]) <= TOLERANCE}
    if apart:
        sys.exit(f"error: estimates differ between the lowest and the newest versions: {apart}")
    print(f"{len(low)} estimates are the same within {TOLERANCE:g} with the lowest and the newest versions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
