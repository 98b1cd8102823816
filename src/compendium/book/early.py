"""What the book shows whatever its notebooks yield, laid out by a process of its own while they run.

That is the scripts of the chart and what the landing page's command prints.  Where the process
fails or the sources change meanwhile, the same is laid out in the build's own process, which says what was wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from compendium.book.chart import write_chart
from compendium.book.citing.identity import tree_id
from compendium.book.front import command_output
from compendium.book.places import root, write_whole
from compendium.book.runner import environment
from compendium.studies.orphans import watch_parent

__all__ = ["Early", "Told", "lay_out", "main"]

_TOLD = "told.json"


class Told(NamedTuple):
    """What pages take into their text."""

    chart: str
    command: str


def lay_out(stage: Path) -> Told:
    """Write the chart's scripts into the ``extra`` folder of a stage, and run the command."""
    return Told(write_chart(stage), command_output())


class Early:
    """The process, as a context: it begins with the block and ends with it at the latest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tree = ""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._tree = tree_id(root())
        self._process = subprocess.Popen(
            [sys.executable, "-m", "compendium.book.early", str(self._folder), str(os.getpid())],
            cwd=root(),
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def into(self, stage: Path) -> Told | None:
        """Wait for the process and move what it laid out into a stage."""
        if self._process is None or self._process.wait() or self._tree != tree_id(root()):
            return None
        told = json.loads((self._folder / _TOLD).read_text(encoding="utf-8"))
        shutil.copytree(self._folder / "extra", stage / "extra", dirs_exist_ok=True, copy_function=shutil.move)
        return Told(**told)


def main(folder: Path, parent: int) -> None:
    """Lay out into a folder, and write down there what pages take from it; ends with the process that asked."""
    watch_parent(parent, signal_on_death=False)
    write_whole(folder / _TOLD, json.dumps(lay_out(folder)._asdict()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
