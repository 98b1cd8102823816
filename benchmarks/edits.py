"""Seconds from an edit to its page: of prose, a template, a drawing, nothing, and all pages from finished runs.

Each edit is made in this checkout, and taken back at the end; the pages are built as ``compendium pages`` does, in a
folder of their own that has copies of the runs of ``_build``.  An edit of a drawing has its notebook executed first,
from finished studies, as ``compendium run`` does.  Prints the seconds by the clock and of the processor.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROSE = "A sentence more.\n"
CODE = "\n_EDITED = True\n"
EDITS = {
    "nothing": None,
    "prose of a page": ("book/papers/lis.md", f"\n{PROSE}"),
    "prose of a notebook": ("notebooks/lis/01-field-guide.ipynb", "A field guide to all"),
    "the licence of texts": ("LICENSE-text", PROSE),
    "a template of tables": ("src/compendium/book/templates/grid.html", "{# edited #}"),
    "a drawing": ("src/compendium/papers/lis/field_guide.py", CODE),
    "a drawing, with reruns": ("src/compendium/papers/martin_hirschberg/discriminant/table_5.py", CODE),
}
# The notebooks that edits of drawings have executed
EXECUTED = {"a drawing": "lis/01-field-guide", "a drawing, with reruns": "martin-hirschberg/02-discriminant"}


@contextmanager
def edited(name: str, text: str) -> Iterator[None]:
    """Change a file of the checkout for a while: text at its end, or in a notebook in its title."""
    path = ROOT / name
    before = path.read_text(encoding="utf-8")
    after = before.replace("A field guide to", text, 1) if path.suffix == ".ipynb" else before + text
    try:
        path.write_text(after, encoding="utf-8")
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def seconds(build: Path, notebook: str | None = None) -> tuple[float, float]:
    """Execute a notebook and build the pages that have changed; return seconds by the clock and of the processor."""
    began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"ERROREST_BUILD": str(build)}
    commands = [["pages", "--jobs", str(os.cpu_count() or 1)]]
    if notebook:
        commands.insert(0, ["run", notebook, "--no-page", "--out", str(build / "executed")])
    for command in commands:
        line = [sys.executable, "-m", "compendium.cli.main", *command]
        subprocess.run(line, cwd=ROOT, env=environment, check=True, capture_output=True)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="errorest-edits-") as folder:
        build = Path(folder)
        if (ROOT / "_build" / "runs").is_dir():
            shutil.copytree(ROOT / "_build" / "runs", build / "runs", symlinks=True)
        for name in ("numba", "store"):
            if (ROOT / "_build" / name).is_dir():
                (build / name).symlink_to(ROOT / "_build" / name)
        print(f"{'edit':<24}{'clock':>8}{'processor':>11}")
        for name, edit in {"all pages": None, **EDITS}.items():
            with edited(*edit) if edit else nullcontext():
                clock, processor = seconds(build, EXECUTED.get(name))
            print(f"{name:<24}{clock:>8.1f}{processor:>11.1f}", flush=True)
            if edit:
                seconds(build, EXECUTED.get(name))


if __name__ == "__main__":
    main()
