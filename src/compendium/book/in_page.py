"""What pages need to run the library in the reader's browser: Pyodide's parts with their SHA-256, and the packages.

``page_parts.json`` is Pyodide's own lock file, cut to the packages that are used, with the sizes of all files.  The
pages ask for nothing before their reader presses a button.  Then the parts come from :data:`CDN`, or, in a book that
is self-contained, from the folder ``_static/page/parts``.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import errorest
from compendium.book import panels
from compendium.book.places import root, write_whole
from errorest.errors import UsageError

CDN = "https://cdn.jsdelivr.net/"
"""The only address outside the book from which a page loads anything, and only when it is asked to."""

FIRST = ("scipy", "matplotlib")
"""The packages that an answer with its picture takes; others are loaded when they are imported."""

FOLDER = "_static/page"
# Where the CDN has the core, as npm publishes it, and the packages
_ON_CDN = {"core": "npm/pyodide@{version}/", "packages": "pyodide/v{version}/full/"}
_PARTS = "parts"
_EPOCH = (1980, 1, 1, 0, 0, 0)


@cache
def page_parts() -> dict[str, Any]:
    """Read the lock file: ``info``, ``packages``, and ``files`` with folder, SHA-256 and bytes."""
    parts: dict[str, Any] = json.loads(Path(__file__).with_name("page_parts.json").read_text(encoding="utf-8"))
    return parts


def megabytes() -> int:
    """Return the size of everything that a page loads when it is asked to, rounded up."""
    size = len(library()) + sum(file["size"] for file in page_parts()["files"].values())
    return -(-size // 1_000_000)


def in_page_files() -> dict[str, bytes]:
    """Return the packages, the lock file that names the CDN, and the example, by path in the site."""
    example = root() / "data" / "examples" / "wine.csv"
    return {
        f"{FOLDER}/library.zip": library(),
        f"{FOLDER}/pyodide-lock.json": _lock(address_on_cdn),
        f"{FOLDER}/wine.csv": example.read_bytes(),
    }


def self_contained_files(folder: Path | None = None) -> dict[str, bytes]:
    """Return Pyodide's parts and a lock file that names them, by path in the site; from a folder, or else fetched."""
    files = {f"{FOLDER}/{_PARTS}/{name}": _read_part(name, folder) for name in page_parts()["files"]}
    return {**files, f"{FOLDER}/pyodide-lock.json": _lock(lambda name: f"{_PARTS}/{name}")}


def write_files(site: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        write_whole(site / name, content)


@cache
def library() -> bytes:
    """Zip the library and those modules of the compendium that a page runs; the same bytes from the same files."""
    own = Path(errorest.__file__).parent
    contents = {
        path.relative_to(own.parent).as_posix(): path.read_bytes()
        for path in own.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    contents |= panels.panel_files()
    # what importlib.metadata reads
    version = metadata.version("errorest")
    about = f"Metadata-Version: 2.1\nName: errorest\nVersion: {version}\n"
    contents[f"errorest-{version}.dist-info/METADATA"] = about.encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), contents[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def address_on_cdn(name: str) -> str:
    """Return where readers get a part."""
    parts = page_parts()
    folder = _ON_CDN[parts["files"][name]["folder"]]
    return CDN + folder.format(version=parts["info"]["version"]) + name


def _lock(address: Callable[[str], str]) -> bytes:
    """Write Pyodide's lock file with the address of each file, absolute or relative to the lock file."""
    parts = page_parts()
    files = {
        name: {"address": address(name), "sha256": file["sha256"], "size": file["size"], "folder": file["folder"]}
        for name, file in parts["files"].items()
    }
    return json.dumps({**parts, "first": FIRST, "files": files}, separators=(",", ":")).encode()


def _read_part(name: str, folder: Path | None) -> bytes:
    """Read a part from a folder or the CDN, and compare its SHA-256."""
    source = address_on_cdn(name) if folder is None else str(folder / name)
    try:
        if folder is None:
            with urlopen(source, timeout=60) as answer:
                content: bytes = answer.read()
        else:
            content = (folder / name).read_bytes()
    except (OSError, URLError) as exc:
        hint = "name a folder that has the parts with --parts; .ci/page_parts.py fills one"
        raise UsageError(f"{source} cannot be read ({exc})", hint) from None
    if hashlib.sha256(content).hexdigest() != page_parts()["files"][name]["sha256"]:
        raise UsageError(f"{source} is not the file with the SHA-256 in page_parts.json", "fetch it again")
    return content
