"""The command ``clean``: remove what was built, while nobody is at work there."""

from __future__ import annotations

import argparse
import shutil
from typing import Any

from errorest.errors import UsageError
from errorest.files import at_work

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Add the command to a program's."""
    one = commands.add_parser("clean", help="remove what was built; finished studies stay")
    one.add_argument("--store", action="store_true", help="remove finished studies and compiled code too")
    one.set_defaults(command=_clean)


def _clean(arguments: argparse.Namespace) -> None:
    from compendium.book.places import LOCKS, alone, build_folder

    folder = build_folder()
    if not folder.is_dir():
        print("nothing to clean")
        return
    kept = {*LOCKS} if arguments.store else {*LOCKS, "store", "numba"}
    removed = 0
    with alone():
        if working := [path for place in (folder, folder / "stage", *folder.glob("runs/*")) for path in at_work(place)]:
            raise UsageError(
                f"another errorest works in {working[0].parent}; expected nobody at work; wait until it has ended"
            )
        for path in sorted(folder.iterdir()):
            if path.name not in kept:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
                removed += 1
    print(f"removed {removed} entries of {folder.name}" + ("" if arguments.store else "; finished studies are kept"))
