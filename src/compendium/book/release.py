"""``make release``: distributions, book, PDF, studies, paper, crate and checksums of one committed state.

Archives have the same bytes whenever and wherever they are made: without times, owners, or the order of a folder.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import yaml

from compendium.book import catalogue, codecheck
from compendium.book.archive import write_archive
from compendium.book.citation import CRATE, Work, cff, codemeta, crate_json, full_name, part_of, read_work
from compendium.book.contents import read_contents
from compendium.book.look_ups import filled
from compendium.book.pdf import print_book
from compendium.book.places import build_folder, root, site_folder, store_folder, write_whole
from compendium.book.record import read_record
from compendium.book.source_state import as_built, check_committed, commit_of, source_files, tree_id
from compendium.studies.store import Store
from errorest.errors import UsageError

_COPIED = ("LICENSE", "LICENSE-text", "LICENSE-data")
_BUILD = "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_sdist(out); b.build_wheel(out)"


def make_release(scale: str) -> Path:
    """Make everything that is shipped, and return its folder; pages of another state, or damaged ones, are refused."""
    check_committed(root())
    work, site = read_work(root(), tree_id(root())), site_folder(scale)
    edition = site / "edition.json"
    if not as_built(scale) or json.loads(edition.read_text(encoding="utf-8")).get("tree") != work.tree:
        target = "book" if scale == "published" else "preview"
        raise UsageError(
            f"the {scale} book of this state is not built",
            f"run 'make {target}', and if it changes recorded numbers, commit them and run it again",
        )
    name = f"errorest-{work.version}" + ("" if scale == "published" else f"-{scale}")
    folder = build_folder() / "release" / name
    shutil.rmtree(folder, ignore_errors=True)
    contents = read_contents(root())
    # the folder where a build leaves the files of its artifacts, from the root of a checkout
    in_checkout = "_build/html/artifacts" if scale == "published" else "_build/preview/html/artifacts"
    parts = [part_of(notebook, one) for notebook in catalogue.notebooks() for one in notebook.artifacts]
    files: dict[str, str | bytes] = {
        **_distributions(work.date),
        f"{name}-book.zip": zip_folder(site, f"{name}-book", work.date),
        f"{name}-book.pdf": normalize_pdf(print_book(site, contents, f"errorest {work.version}"), work.date),
        "paper.md": journal_paper(filled(_text("book/paper.md")), work),
        "paper.bib": _text("book/references.bib"),
        "CITATION.cff": cff(work),
        "codemeta.json": codemeta(work),
        codecheck.NAME: codecheck.draft(work, parts, site / "artifacts", in_checkout),
        "RELEASE-NOTES.md": release_notes(_text("CHANGELOG.md"), work.version),
        **{licence: _text(licence) for licence in _COPIED},
    }
    for file, content in files.items():
        write_whole(folder / file, content)
    if scale == "published":
        write_archive(folder / f"{name}-studies.tar.gz", read_record(), Store(store_folder()))
    about = f"{work.title}: every notebook executed at the {scale} scale, compared with the print, built and packed."
    write_whole(folder / CRATE, crate_json(folder, work, about, commit_of(root())))
    write_whole(folder / "SHA256SUMS", checksums(folder))
    return folder


def _text(name: str) -> str:
    return (root() / name).read_text(encoding="utf-8")


def _distributions(date: str) -> dict[str, bytes]:
    """Build the source distribution and the wheel from a copy of the project's files."""
    with tempfile.TemporaryDirectory(prefix="errorest-release-") as work:
        copy, out = Path(work) / "tree", Path(work) / "dist"
        for name in source_files(root()):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root() / name, copy / name)
        out.mkdir()
        variables = os.environ | {"SOURCE_DATE_EPOCH": str(seconds_of_day(date)), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", _BUILD, str(out)]
        done = subprocess.run(command, cwd=copy, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UsageError(f"setuptools could not build the distributions: {done.stderr.strip().splitlines()[-1:]}")
        return {
            path.name: (normalize_wheel if path.suffix == ".whl" else normalize_sdist)(path.read_bytes(), date)
            for path in out.iterdir()
        }


def journal_paper(page: str, work: Work) -> str:
    """Turn the book's page into the form that a journal takes: a YAML head, and Pandoc's citations."""
    authors = [
        {"name": full_name(author)} | {key: author[key] for key in ("orcid", "affiliation") if key in author}
        for author in work.authors
    ]
    head = {
        "title": work.title,
        "tags": list(work.fields.get("keywords", [])),
        "authors": authors,
        "date": work.date,
        "bibliography": "paper.bib",
    }
    text = re.sub(r"\A\s*# .*\n", "", page)
    text = re.sub(r"\{cite:t\}`([\w-]+)`", r"@\1", text)
    text = re.sub(
        r"\{cite(?::p)?\}`([^`]+)`", lambda m: f"[{'; '.join(f'@{k.strip()}' for k in m[1].split(','))}]", text
    )
    text = re.sub(r"\{(?:doc|term)\}`([^`<]+?)(?:\s*<[^`>]+>)?`", r"\1", text)
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{text.strip()}\n"


def release_notes(changelog: str, version: str) -> str:
    """Take the part of a changelog that a release brings, and what is unreleased before it."""
    result = re.split(r"^## +(.+?) *$", changelog, flags=re.MULTILINE)[1:]
    parts = {heading.split()[0]: text.strip() for heading, text in zip(result[::2], result[1::2], strict=True)}
    if version not in parts:
        raise UsageError(f"CHANGELOG.md has no part '## {version}'")
    later = parts.get("Unreleased", "")
    since = f"## Since then, and part of this release\n\n{later}\n\n## {version}\n\n" if later else ""
    return f"# errorest {version}\n\n{since}{parts[version]}\n"


_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}[+\-]\d\d'\d\d'\)")


def zip_folder(folder: Path, name: str, date: str) -> bytes:
    files = (path for path in folder.rglob("*") if path.is_file())
    return _zip({f"{name}/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files}, date)


def _zip(contents: Mapping[str, bytes], date: str) -> bytes:
    day = datetime.fromisoformat(date)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, day.timetuple()[:6])
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, contents[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def normalize_wheel(packed: bytes, date: str) -> bytes:
    """Zip a wheel again."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return _zip({name: archive.read(name) for name in archive.namelist()}, date)


def normalize_sdist(packed: bytes, date: str) -> bytes:
    """Pack a ``.tar.gz`` again: its files, and whether they can be executed."""
    plain = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as old,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(filter(tarfile.TarInfo.isfile, old), key=lambda m: m.name):
            entry = tarfile.TarInfo(member.name)
            entry.size, entry.mode = member.size, 0o755 if member.mode & 0o100 else 0o644
            entry.mtime = seconds_of_day(date)
            new.addfile(entry, old.extractfile(member))
    return gzip.compress(plain.getvalue(), 9, mtime=0)


def seconds_of_day(date: str) -> int:
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp())


def normalize_pdf(printed: bytes, date: str) -> bytes:
    """Replace the time at which a PDF was printed by a day, with no change of length."""
    day = date.replace("-", "").encode()
    return _DATES.sub(lambda found: b"/" + found[1] + b" (D:" + day + b"000000+00'00')", printed)


def checksums(folder: Path) -> str:
    """Write the SHA-256 of every file of a folder as ``sha256sum --check`` reads it."""
    files = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in files)
