"""``compendium build``, ``pages``, ``numbers``, ``verify``, ``archive``, and what a release and its citing need."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress

from compendium.cli.options import options_of
from compendium.folders import folders_in_use, remove
from errorest import determinism
from errorest.cli.output import complain, say
from errorest.errors import UsageError
from errorest.files import check_output, unfinished


def build(arguments: argparse.Namespace) -> int:
    """Build the book, unless it is as the last build left it; with Pyodide's parts where it is to be self-contained."""
    from compendium.book.places import alone, site_folder
    from compendium.book.source_state import note_pages

    if arguments.parts is not None and not arguments.self_contained:
        raise UsageError("--parts is for a self-contained book", "add --self-contained")
    with alone(complain):
        status = _build(arguments)
        if arguments.self_contained and not status:
            from compendium.book.in_page import self_contained_files, write_files

            write_files(site_folder(arguments.scale), self_contained_files(arguments.parts))
            note_pages(arguments.scale)
            say("Self-contained: Pyodide's parts lie beside the pages")
        return status


def _build(arguments: argparse.Namespace) -> int:
    from compendium.book.places import site_folder
    from compendium.book.source_state import recall

    # a cluster that is named must answer, whether it is needed or not
    plain = not (arguments.record or arguments.store or arguments.dask)
    if plain and (summary := recall(arguments.scale)) is not None:
        say(f"{summary}\n\nOpen {site_folder(arguments.scale) / 'index.html'}")
        return 0
    from compendium.book.build import build_book

    return build_book(arguments.scale, options_of(arguments), record=arguments.record, archive=arguments.store)


def build_pages(arguments: argparse.Namespace) -> None:
    """Build the pages that have changed, from finished runs and the record; nothing is executed."""
    from compendium.book.places import alone, site_folder
    from compendium.book.site import build_site

    with alone(complain):
        build_site(arguments.scale, arguments.jobs, afresh=False)
    say(f"Open {site_folder(arguments.scale) / 'index.html'}")


def check_numbers(arguments: argparse.Namespace) -> int:
    from compendium.book.prose_numbers import check_files, rewrite_files

    lines = [f"{name}: written" for name in rewrite_files()] if arguments.write else check_files()
    print("\n".join(lines) or "every number is as data/regenerated has it")
    return 1 if lines and not arguments.write else 0


def clean(arguments: argparse.Namespace) -> None:
    """Remove what was built, and nothing else, unless a process works there."""
    from compendium.book.places import LOCKS, alone, build_folder, is_site, root

    folder = build_folder()
    if not folder.is_dir():
        print("nothing to clean")
        return
    left = {*LOCKS} if arguments.store else {*LOCKS, *_KEPT}
    with alone():
        places = (folder, folder / "stage", *folder.glob("runs/*"))
        if busy := [work for place in places for work in folders_in_use(place)]:
            raise UsageError(f"another errorest works in {busy[0].parent}", "wait until it has ended")
        before = {path.name for path in folder.iterdir()} - left
        # what builds and runs made in the build folder, which may be a person's with files of their own
        built = {path for path in (folder / "html", folder / "preview" / "html") if is_site(path)}
        patterns = (*_MADE, *(_STORED if arguments.store else ()))
        built |= {path for pattern in patterns for path in folder.glob(pattern)}
        if folder.resolve() == root() / "_build":
            built |= {*folder.glob("lab")}  # `make lab` makes it there and nowhere else
            # pages that builds write beside the others
            built |= {*root().glob("book/reference/api")}
            built |= {p for p in root().glob("artifacts/*.md") if "{whole-artifact}" in p.read_text(encoding="utf-8")}
        for path in sorted(built):
            # an interrupted removal leaves nothing that looks whole
            hidden = unfinished(path)
            os.rename(path, hidden)
            remove(hidden)
        for place in sorted((p for top in {*_FOLDERS} - left for p in folder.glob(f"{top}/**")), reverse=True):
            with suppress(OSError):
                place.rmdir()
    stay = {path.name for path in folder.iterdir()} - left
    foreign = f"; what errorest did not make stays ({', '.join(sorted(stay)[:5])})" if stay else ""
    selected = "" if arguments.store else "; finished studies are kept"
    say(f"removed {len(before - stay)} entries of {folder.name}{selected}{foreign}")


# In the build folder, removed where nothing is left in them; the last two hold what a build may use again
_KEPT = ("store", "numba")
_FOLDERS = ("html", "pages", "preview", "runs", "interactive", "stage", "failed", "release", "ipython", *_KEPT)
_HEX = "[0-9a-f]"
_MADE = (
    *(f"{place}{name}" for place in ("", "preview/") for name in (".doctrees", "jupyter_execute", "html.json")),
    *(f"pages/{scale}" for scale in ("published", "preview")),
    *("release/errorest-[0-9]*/", "failed/*.ipynb", f"interactive/*/{_HEX * 12}"),
    *(f"runs/*/{name}" for name in (_HEX * 24, "latest-*.json", f".*.{_HEX * 12}.tmp")),
    *(f"ipython/{name}" for name in ("profile_default", "extensions", "nbextensions")),
    *(f"{place}.*.{_HEX * 12}.tmp" for place in ("", "preview/", "release/", "stage/")),
)
_STORED = (
    *(f"numba/{_HEX * 16}", f"store/{_HEX * 16}*.npz", f"store/{_HEX * 16}*.lock", f"store/.*.{_HEX * 12}.tmp"),
    *(f"store/{name}" for name in ("origin.json", "checked.json", "checked.json.lock", "unpacked-*")),
)


def verify(arguments: argparse.Namespace) -> int:
    """Measure again what the options ask for, compare it with the record, and report."""
    from compendium.book.places import build_folder, root

    folder = build_folder() / "numba" / determinism.numba_cache_dir(root()).name
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))  # before numba is imported, here and by workers

    from compendium.book.record import read_record
    from compendium.book.verify import report, verify
    from errorest.streams import stable_hash

    record = read_record()
    seed = stable_hash(os.urandom(8).hex()) % 10**6 if arguments.seed is None else arguments.seed
    if seed < 0:
        raise UsageError(f"the seed must be a whole number >= 0; got {seed}")
    if arguments.share:
        print(f"measuring {100 * arguments.share:g} % of every study's chunks again, seed {seed}", flush=True)
    results = verify(record, every=arguments.all, share=arguments.share, seed=seed, jobs=arguments.jobs, say=complain)
    say(report(results, record))
    return int(any(one.differences for one in results))


def write_studies(arguments: argparse.Namespace) -> None:
    from compendium.book.archive import write_archive
    from compendium.book.places import store_folder
    from compendium.book.record import read_record
    from compendium.studies.store import Store

    check_output(arguments.out, force=arguments.force)
    chunks = write_archive(arguments.out, read_record(), Store(store_folder()))
    say(f"{arguments.out}: {chunks} chunks, {arguments.out.stat().st_size / 1e6:.1f} MB")


def cite(arguments: argparse.Namespace) -> None:
    """Print a reference, or write codemeta.json."""
    from compendium.book import catalogue
    from compendium.book.citation import apa, bibtex, cff, codemeta, part_of, read_work, ris
    from compendium.book.places import root, write_whole
    from compendium.book.source_state import tree_id

    folder = root()
    if arguments.write:
        write_whole(folder / "codemeta.json", codemeta(read_work(folder)))
        print("codemeta.json: written")
        return
    work = read_work(folder, tree_id(folder))
    if arguments.artifact is None:
        of_work = {"apa": apa, "bibtex": bibtex, "ris": ris, "cff": cff, "codemeta": codemeta}
        print(of_work[arguments.format](work))
        return
    if arguments.format not in ("apa", "bibtex"):
        raise UsageError(f"--format {arguments.format} describes the whole work", "choose apa or bibtex")
    part = part_of(*catalogue.artifact(arguments.artifact))
    print(apa(work, part) if arguments.format == "apa" else bibtex(work, part))


def codecheck(arguments: argparse.Namespace) -> None:
    from compendium.book.codecheck import refuse_incomplete

    say(f"{arguments.file}: complete, with {refuse_incomplete(arguments.file)} files")


def release(arguments: argparse.Namespace) -> None:
    from compendium.book.release import make_release

    folder = make_release(arguments.scale)
    for path in sorted(folder.iterdir()):
        say(f"{path.stat().st_size / 1e6:9.2f} MB  {path.name}")
    say(f"\nRelease: {folder}")
