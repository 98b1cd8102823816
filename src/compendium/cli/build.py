"""``compendium build``, ``numbers`` and ``clean``."""

from __future__ import annotations

import argparse

from compendium.cli.options import options_of
from errorest.cli.output import complain
from errorest.errors import UsageError
from errorest.files import folders_in_use, remove


def build(arguments: argparse.Namespace) -> int:
    """Build the book, or one page of it."""
    from compendium.book.places import alone, site_folder
    from compendium.book.up_to_date import recall

    partial = arguments.only is not None
    if partial and (arguments.record or arguments.store):
        raise UsageError("--only builds one page, without --record and --store", "leave these out")
    with alone(complain):
        # a cluster that is named must answer, whether it is needed or not
        plain = not (partial or arguments.record or arguments.store or arguments.dask)
        if plain and (summary := recall(arguments.scale)) is not None:
            print(f"{summary}\n\nOpen {site_folder(arguments.scale) / 'index.html'}")
            return 0
        from compendium.book.build import build_book, build_page

        if partial:
            return build_page(arguments.only, arguments.scale, options_of(arguments))
        return build_book(arguments.scale, options_of(arguments), record=arguments.record, archive=arguments.store)


def check_numbers(arguments: argparse.Namespace) -> int:
    """Check the numbers in prose, or write them."""
    from compendium.book.prose_numbers import check_files, rewrite_files

    problems = [] if arguments.write else check_files()
    written = [f"{name}: written" for name in rewrite_files()] if arguments.write else []
    print("\n".join(problems or written) or "every number is as data/regenerated has it")
    return 1 if problems else 0


def clean(arguments: argparse.Namespace) -> None:
    """Remove what was built, unless a process works there."""
    from compendium.book.places import LOCKS, alone, build_folder

    folder = build_folder()
    if not folder.is_dir():
        print("nothing to clean")
        return
    left = {*LOCKS} if arguments.store else {*LOCKS, "store", "numba"}
    with alone():
        places = (folder, folder / "stage", *folder.glob("runs/*"))
        if busy := [work for place in places for work in folders_in_use(place)]:
            raise UsageError(f"another errorest works in {busy[0].parent}", "wait until it has ended")
        built = [path for path in sorted(folder.iterdir()) if path.name not in left]
        for path in built:
            remove(path)
    kept = "" if arguments.store else "; finished studies are kept"
    print(f"removed {len(built)} entries of {folder.name}{kept}")
