"""``compendium cite``: a reference to this state of the work, or to one artifact of it; ``compendium release``."""

from __future__ import annotations

import argparse


def cite(arguments: argparse.Namespace) -> None:
    """Print a reference, or write codemeta.json."""
    from compendium.book.citation import Part, apa, bibtex, cff, codemeta, read_work, ris
    from compendium.book.places import root, write_whole
    from compendium.book.source_state import tree_id
    from errorest.errors import UsageError

    folder = root()
    if arguments.write:
        write_whole(folder / "codemeta.json", codemeta(read_work(folder)))
        print("codemeta.json: written")
        return
    work = read_work(folder, tree_id(folder))
    if arguments.artifact is None:
        print({"apa": apa, "bibtex": bibtex, "ris": ris, "cff": cff, "codemeta": codemeta}[arguments.format](work))
        return
    if arguments.format in ("cff", "codemeta"):
        raise UsageError(f"--format {arguments.format} describes the whole work", "choose apa, bibtex or ris")
    from compendium.book import catalogue

    spec, one = catalogue.artifact(arguments.artifact)
    part = Part(one.id, spec.paper, one.number, one.title)
    print({"apa": apa, "bibtex": bibtex, "ris": ris}[arguments.format](work, part))


def release(arguments: argparse.Namespace) -> None:
    """Pack a release."""
    from compendium.book.release.make import make_release

    folder = make_release(arguments.scale)
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size / 1e6:9.2f} MB  {path.name}")
    print(f"\nRelease: {folder}")
