"""``compendium cite``: a reference to this state of the work, or to one artifact of it; ``compendium release``."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add_parsers"]

_FORMATS = ("apa", "bibtex", "ris", "cff", "codemeta")


def add_parsers(commands: Any) -> None:
    """Add the commands to the parser."""
    one = commands.add_parser("cite", help="a reference to this work, or to one table or figure of it")
    one.add_argument("artifact", metavar="ARTIFACT", nargs="?", help="an id that 'compendium list' names")
    one.add_argument("--format", choices=_FORMATS, default="apa", help="style of the reference; apa by default")
    one.add_argument("--write", action="store_true", help="write codemeta.json anew from CITATION.cff")
    one.set_defaults(command=_cite)

    one = commands.add_parser("release", help="pack what is shipped: distributions, book, PDF, studies, checksums")
    one.add_argument("--scale", choices=("published", "preview"), default="published", help="of the book that is there")
    one.set_defaults(command=_release)


def _cite(arguments: argparse.Namespace) -> None:
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
        raise UsageError(
            f"--format {arguments.format} describes the whole work; expected apa, bibtex or ris for one artifact; "
            "leave the artifact out or choose one of these"
        )
    from compendium.book import catalogue

    spec, one = catalogue.artifact(arguments.artifact)
    part = Part(one.id, spec.paper, one.number, one.title)
    print({"apa": apa, "bibtex": bibtex, "ris": ris}[arguments.format](work, part))


def _release(arguments: argparse.Namespace) -> None:
    from compendium.book.release.make import make_release

    folder = make_release(arguments.scale)
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size / 1e6:9.2f} MB  {path.name}")
    print(f"\nRelease: {folder}")
