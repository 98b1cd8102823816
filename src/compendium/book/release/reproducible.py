"""Archives with the same bytes whenever and wherever they are made: without times, owners, or the order of a folder."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["checksums", "normalize_pdf", "normalize_sdist", "normalize_wheel", "zip_folder"]

_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}[+\-]\d\d'\d\d'\)")


def zip_folder(folder: Path, name: str, date: str) -> bytes:
    """Zip a folder under a name."""
    return _zip({f"{name}/{file}": path.read_bytes() for file, path in _files(folder).items()}, date)


def _files(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


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
    """Return the seconds since 1970 at the beginning of a day, in UTC."""
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp())


def normalize_pdf(printed: bytes, date: str) -> bytes:
    """Replace the time at which a PDF was printed by a day, with no change of length."""
    day = date.replace("-", "").encode()
    return _DATES.sub(lambda found: b"/" + found[1] + b" (D:" + day + b"000000+00'00')", printed)


def checksums(folder: Path) -> str:
    """Write the SHA-256 of every file of a folder as ``sha256sum --check`` reads it."""
    files = sorted(_files(folder).items())
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in files)
