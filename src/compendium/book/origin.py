"""Where the results of a book come from: computed here, or taken from an archive, of which a share was computed again.

An archive is unpacked apart, every chunk of it is held against what is recorded of it, a share of some studies is
measured again on this machine and compared number by number, and only then do its chunks enter the store that builds
use.
"""

from __future__ import annotations

import json
import os
import tempfile
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any

from compendium.book.archive import Archive, read_archive
from compendium.book.ledger import Ledger, read_ledger
from compendium.book.places import keep, store_folder
from compendium.book.progress import Bar
from compendium.book.standing import note_of_origin
from compendium.book.verify import BYTE, DIFFERS, Verification, against_record, verify
from compendium.book.verify_report import as_text, unlike
from compendium.studies import digests
from compendium.studies.store import Store
from errorest.errors import UsageError
from errorest.files import kept

__all__ = ["check_origin", "origin_html", "restore"]

_SHARE = 0.01
_STUDIES = 8
"""Of how many studies a share is measured again: what takes time is to compile what each of them needs."""


def check_origin(archive: Archive, path: Path) -> None:
    """Refuse an archive whose results this machine would look for under other keys, and say what differs."""
    apart = unlike(archive.made)
    if apart:
        raise UsageError(
            f"the results in {path} were computed under other conditions, so none of them is found here: "
            f"{'; '.join(apart)}; expected the pinned packages, the same Python and a processor with AVX2 and FMA; "
            "run 'make setup' with that Python (PY=...), or build without STORE"
        )


def restore(path: Path, jobs: int, *, share: float = _SHARE) -> Verification:
    """Take an archive's chunks into the store, once they are those of the record and a share was measured again."""
    ledger = read_ledger()
    store = Store(store_folder())
    store.prepare()
    bar = Bar([1.0])
    try:
        bar.say("checking the archive")
        with tempfile.TemporaryDirectory(prefix="unpacked-", dir=store.root) as folder:
            apart = Store(folder)
            archive = read_archive(path, apart)
            check_origin(archive, path)
            _check_recorded(path, ledger, apart)
            seed = int(archive.sha256[:8], 16)
            found = verify(
                ledger,
                share=share,
                seed=seed,
                jobs=jobs,
                stored=apart,
                with_rows=False,
                studies=_STUDIES,
                progress=lambda done: bar.report(0, done),
            )
            if found.outcome == DIFFERS:
                raise UsageError(
                    f"results in {path} are not what this machine computes; expected equal numbers; build without "
                    f"STORE, and tell the project:\n{as_text(found, ledger, metadata.version('errorest'))}"
                )
            for key in archive.chunks:
                if not store.path(key).exists():
                    os.replace(apart.path(key), store.path(key))
            os.sync()
    finally:
        bar.close()
    keep(note_of_origin(), json.dumps(_told(path, archive, ledger, found), indent=1))
    for line in others(archive, ledger):
        print(line)
    return found


def _check_recorded(path: Path, ledger: Ledger, apart: Store) -> None:
    """Refuse an archive of which a chunk is not what the recorded build left a line about."""
    altered = [one for one in against_record(ledger, apart) if one.outcome == DIFFERS]
    if altered:
        more = f" and {len(altered) - 1} more" if len(altered) > 1 else ""
        raise UsageError(
            f"archive {path} is refused: {altered[0].where}: {altered[0].said}{more}; expected the results of the "
            "recorded build (data/regenerated/studies.json); fetch it again, or build without STORE"
        )


def others(archive: Archive, ledger: Ledger) -> list[str]:
    """Name the studies whose code is not that of the archive: their results are computed anew."""
    told = []
    for described in ledger.studies:
        code = digests.code_digest([described["measure"].partition(":")[0]])
        if archive.codes.get(described["id"]) != code:
            told.append(f"study {described['id']} is computed anew: its code is not that of the archive")
    return list(dict.fromkeys(told))


def _told(path: Path, archive: Archive, ledger: Ledger, found: Verification) -> dict[str, Any]:
    studies: dict[str, dict[str, Any]] = {}
    for described, one in zip(ledger.studies, found.studies, strict=True):
        keys = [piece.key for piece, _ in ledger.pieces(described)]
        study = studies.setdefault(
            one.name,
            {"measure": described["measure"], "code": "", "chunks": 0, "taken": 0, "again": 0, "equal": 0},
        )
        study["code"] = archive.codes.get(one.name, "")
        study["chunks"] += len(keys)
        study["taken"] += sum(key in archive.chunks for key in keys)
        study["again"] += one.checked
        study["equal"] += one.counts[BYTE]
    made = {"name": path.name, "sha256": archive.sha256, "version": archive.made["version"]}
    return {
        "archive": made,
        "share": found.share,
        "seed": found.seed,
        "outcome": found.outcome,
        "studies": list(studies.items()),
    }


def origin_html() -> str:
    """Say on a page where the results of this book come from."""
    if not os.path.lexists(note_of_origin()):
        return (
            "<p>All results of this book were computed by the build that made it; none was taken from an archive.</p>"
        )
    try:
        note = json.loads(kept(note_of_origin()))
    except ValueError:
        return "<p>Some results of this book may come from an archive; the note that says which was damaged.</p>"
    rows = []
    asked = sum(one["again"] > 0 for _, one in note["studies"])
    for name, one in note["studies"]:
        same = digests.code_digest([one["measure"].partition(":")[0]]) == one["code"]
        taken = one["taken"] if same else 0
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td class="num">{one["chunks"]}</td>'
            f'<td class="num">{taken}</td><td class="num">{one["again"]}</td><td class="num">{one["equal"]}</td></tr>'
        )
    archive = note["archive"]
    return (
        f"<p>Results of this book were taken from the archive <code>{escape(archive['name'])}</code> of errorest "
        f"{escape(archive['version'])} (SHA-256 <code>{archive['sha256']}</code>). Before they were, each chunk was "
        "held against the line that the recorded build left about it, and "
        f"{100 * note['share']:g} % of the chunks of {asked} studies, at least one of each, were computed again on the "
        f"machine that built this book (seed {note['seed']}); the outcome: {escape(note['outcome'])}.</p>"
        '<div class="errorest-scroll" role="region" tabindex="0" aria-label="What came from the archive">'
        '<table class="errorest-table"><caption>What came from the archive, in chunks of replicates</caption>'
        '<thead><tr><th scope="col">Study</th><th scope="col" class="num">In all</th>'
        '<th scope="col" class="num">From the archive</th><th scope="col" class="num">Computed again</th>'
        '<th scope="col" class="num">Equal to the byte</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
