"""Count the modules that one printed number passes: those of the project that are entered between ``show`` and the
verdict.

    .venv/bin/python benchmarks/walk.py martin-hirschberg-table-4

The artifact is computed at preview scale from an empty store, in this process, with every call traced and few
replicates, which pass the same modules as many; what is drawn after the verdict does not count, and calls between
compiled functions are not seen.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from errorest import bits

FEW = {"martin-hirschberg-table-4": 26, "kohavi-table-1": 28, "shakhnarovich-table-13": 30}
"""Artifacts that are recorded, and how many modules each may pass."""


_REPLICATES = 4


class Walk:
    """A profiler that notes the modules entered, in order, until the verdict is there."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.over = False

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note a call into the project."""
        module = frame.f_globals.get("__name__", "")
        if self.over or not module.startswith("errorest."):
            return
        name = frame.f_code.co_name
        if event == "call" and name != "<module>":
            self.modules.setdefault(module, name)
        elif event == "return" and (module, name) == ("compendium.evidence.verdicts", "compare"):
            self.over = True
            sys.setprofile(None)


def show(artifact: str, walk: Walk | None = None) -> None:
    """Show an artifact at preview scale, judged as if it were the published one, perhaps traced."""
    from compendium.book import catalogue, session
    from compendium.book.parameters import resolve

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"ERROREST_STORE": f"{folder}/store", "ERROREST_OUT": f"{folder}/out"}
        spec, _ = catalogue.artifact(artifact)
        opened = session.Session(spec, resolve(spec, {}, "preview"))
        # a preview has no verdict
        opened.scale = opened.relation = "published"
        run = opened._run
        opened._run = lambda study: run(replace(study, replicates=_REPLICATES))  # type: ignore[method-assign]
        sys.setprofile(walk)
        try:
            opened.show(artifact)
        finally:
            sys.setprofile(None)


def main() -> list[tuple[str, float, str]]:
    """Walk the recorded artifacts, each in a process of its own, and print how many modules each passes."""
    figures: list[tuple[str, float, str]] = []
    for artifact, most in FEW.items():
        done = subprocess.run([sys.executable, __file__, artifact], capture_output=True, text=True, check=True)
        *modules, last = done.stdout.splitlines()
        assert "no verdict" not in last, f"{artifact} came to no verdict"
        count = len(modules)
        print(f"{artifact}: {count} modules, at most {most} wanted")
        figures.append((artifact, count, "modules"))
    return figures


def one() -> int:
    """Walk the artifact that is named on the command line, and print the modules in the order of their first call."""
    parser = argparse.ArgumentParser(description="Count the modules that an artifact passes from show to verdict.")
    parser.add_argument("artifact", metavar="ARTIFACT")
    parser.add_argument("--untraced", action="store_true", help="only compile what the artifact needs")
    arguments = parser.parse_args()
    if arguments.untraced:
        show(arguments.artifact)
        return 0
    # a compiler that is traced takes many times as long; and what a process has read once it does not read again
    untraced = [sys.executable, __file__, arguments.artifact, "--untraced"]
    subprocess.run(untraced, stdout=subprocess.DEVNULL, check=True)
    found = Walk()
    show(arguments.artifact, found)
    for module, name in found.modules.items():
        print(f"{module:<60} {name}")
    print(f"{len(found.modules)} modules" + ("" if found.over else "; no verdict"))
    return 0


if __name__ == "__main__":
    if not bits.in_force():
        os.execve(sys.executable, [sys.executable, *sys.argv], dict(bits.apply(dict(os.environ))))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(bits.numba_cache_dir(Path(__file__).resolve().parents[1])))
    os.environ.setdefault("MPLBACKEND", "agg")
    sys.exit(one())
