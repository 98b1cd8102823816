"""``make release``: distributions, book, PDF, studies, paper, crate, checksums, from one committed state."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from compendium.book.citing.citation import Work, cff, codemeta, read_work
from compendium.book.citing.crate import CC_BY, CRATE, DATA_TERMS, Action, Input, crate_json
from compendium.book.citing.identity import commit_of, refuse_changes, source_files, tree_id
from compendium.book.places import build_folder, root, store_folder, write_whole
from compendium.book.record.archive import write_archive
from compendium.book.record.ledger import read_ledger
from compendium.book.release.packing import (
    checksums,
    normal_pdf,
    normal_tar,
    normal_zip,
    pack,
    release_notes,
    seconds_of_day,
)
from compendium.book.release.printing import print_book
from compendium.book.standing import as_built, site_folder
from compendium.studies.store import Store
from errorest import bits
from errorest.errors import UsageError

__all__ = ["journal_paper", "make_release"]

_SUMS = "SHA256SUMS"


def make_release(scale: str) -> Path:
    """Make everything that is shipped."""
    refuse_changes(root())
    work, site = read_work(root(), tree_id(root())), site_folder(scale)
    _check_built(site, work.tree, scale)
    name = f"errorest-{work.version}" + ("" if scale == "published" else f"-{scale}")
    folder = build_folder() / "release" / name
    shutil.rmtree(folder, ignore_errors=True)
    for made, content in _distributions(work.date).items():
        write_whole(folder / made, content)
    write_whole(folder / f"{name}-book.zip", pack(site, f"{name}-book", work.date))
    contents = yaml.safe_load((root() / "book" / "_toc.yml").read_text(encoding="utf-8"))
    write_whole(
        folder / f"{name}-book.pdf", normal_pdf(print_book(site, contents, f"errorest {work.version}"), work.date)
    )
    if scale == "published":
        write_archive(folder / f"{name}-studies.tar.gz", read_ledger(), Store(store_folder()))
    written = {
        "paper.md": journal_paper((site / "_sources" / "book" / "paper.md").read_text(encoding="utf-8"), work),
        "paper.bib": (root() / "book" / "references.bib").read_text(encoding="utf-8"),
        "CITATION.cff": cff(work),
        "codemeta.json": codemeta(work),
        "RELEASE-NOTES.md": release_notes((root() / "CHANGELOG.md").read_text(encoding="utf-8"), work.version),
        **{
            licence: (root() / licence).read_text(encoding="utf-8")
            for licence in ("LICENSE", "LICENSE-text", "LICENSE-data")
        },
    }
    for made, text in written.items():
        write_whole(folder / made, text)
    files = [p.name for p in folder.iterdir()]
    write_whole(folder / CRATE, crate_json(folder, work, _action(work, scale), files))
    write_whole(folder / _SUMS, checksums(folder, _SUMS))
    return folder


def _check_built(site: Path, tree: str, scale: str) -> None:
    """Refuse pages that are not of this state, or not as a build without a fault left them."""
    edition = site / "edition.json"
    told = json.loads(edition.read_text(encoding="utf-8")) if edition.is_file() else {}
    if not as_built(scale) or told.get("tree") != tree:
        target = "book" if scale == "published" else "preview"
        raise UsageError(
            f"the {scale} book of this state is not built; expected it in {site}; run 'make {target}', and if it "
            "changes recorded numbers, commit them and run it again"
        )


def _distributions(date: str) -> dict[str, bytes]:
    """Build the source distribution and the wheel from a copy of the project's files."""
    build = "import sys; from setuptools import build_meta as b; b.build_sdist(sys.argv[1]); b.build_wheel(sys.argv[1])"
    with tempfile.TemporaryDirectory(prefix="errorest-release-") as work:
        copy, out = Path(work) / "tree", Path(work) / "dist"
        for name in source_files(root()):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root() / name, copy / name)
        out.mkdir()
        variables = os.environ | {"SOURCE_DATE_EPOCH": str(seconds_of_day(date)), "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [sys.executable, "-c", build, out], cwd=copy, env=variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise UsageError(
                f"the distributions could not be built; expected setuptools to take pyproject.toml; its last words: "
                f"{done.stderr.strip().splitlines()[-1:]}"
            )
        made = {path.name: path.read_bytes() for path in out.iterdir()}
    return {
        n: normal_zip(content, date) if n.endswith(".whl") else normal_tar(content, date) for n, content in made.items()
    }


def journal_paper(page: str, work: Work) -> str:
    """Turn the book's page into the form in which a journal takes it."""
    people = [
        {"name": a.get("name") or f"{a['given-names']} {a['family-names']}"}
        | {key: a[key] for key in ("orcid", "affiliation") if key in a}
        for a in work.authors
    ]
    head = {
        "title": work.title,
        "tags": list(work.fields.get("keywords", [])),
        "authors": people,
        "date": work.date,
        "bibliography": "paper.bib",
    }
    text = re.sub(r"\A\s*# .*\n", "", page)
    text = re.sub(r"\{cite:t\}`([\w-]+)`", r"@\1", text)
    text = re.sub(
        r"\{cite(?::p)?\}`([^`]+)`", lambda m: "[" + "; ".join(f"@{k.strip()}" for k in m[1].split(",")) + "]", text
    )
    text = re.sub(r"\{doc\}`([^`<]+?)\s*<[^`>]+>`|\{term\}`([^`<]+?)(?:\s*<[^`>]+>)?`", lambda m: m[1] or m[2], text)
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{text.strip()}\n"


def _action(work: Work, scale: str) -> Action:
    data = [
        name for name in source_files(root()) if re.match(r"src/errorest/data/shipped/.*\.gz$|data/published/", name)
    ]
    inputs = [
        Input(
            name,
            "A data set, as shipped." if name.startswith("src") else "Numbers that a paper prints.",
            hashlib.sha256((root() / name).read_bytes()).hexdigest(),
            DATA_TERMS if name.startswith("src") else CC_BY,
        )
        for name in data
    ]
    return Action(
        f"errorest {work.version}",
        f"{work.title}: every notebook executed at the {scale} scale, compared with the print, built and packed. "
        "Parameters are those of the notebooks, which the source distribution holds.",
        inputs,
        {"scale": scale},
        bits.installed(),
        commit_of(root()),
    )
