"""Archives without anything that differs from one making to the next: times, owners, the order of a folder."""

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

from errorest.errors import UsageError

__all__ = ["checksums", "normal_pdf", "normal_tar", "normal_zip", "pack", "release_notes", "seconds_of_day"]

_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:\d{14}[+\-]\d\d'\d\d'\)")


def seconds_of_day(date: str) -> int:
    """Return the seconds since 1970 at the beginning of a day, in UTC."""
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp())


def pack(folder: Path, name: str, date: str) -> bytes:
    """Pack a folder into a zip."""
    files = {f"{name}/{p.relative_to(folder).as_posix()}": p for p in folder.rglob("*") if p.is_file()}
    return _zip({entry: path.read_bytes() for entry, path in files.items()}, date)


def _zip(contents: Mapping[str, bytes], date: str) -> bytes:
    day = datetime.fromisoformat(date)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, (day.year, day.month, day.day, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents[name])
    return packed.getvalue()


def normal_zip(packed: bytes, date: str) -> bytes:
    """Pack a zip (a wheel is one) anew."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return _zip({entry.filename: archive.read(entry) for entry in archive.infolist()}, date)


def normal_tar(packed: bytes, date: str) -> bytes:
    """Pack a ``.tar.gz`` anew; only files and whether they can be executed are kept."""
    plain = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as old,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda m: m.name):
            content = old.extractfile(member) if member.isfile() else None
            if content is not None:
                entry = tarfile.TarInfo(member.name)
                entry.size = member.size
                entry.mtime = seconds_of_day(date)
                entry.mode = 0o755 if member.mode & 0o100 else 0o644
                new.addfile(entry, content)
    return gzip.compress(plain.getvalue(), 9, mtime=0)


def normal_pdf(printed: bytes, date: str) -> bytes:
    """Put a day in place of the time at which a browser printed a PDF; no length changes."""
    day = date.replace("-", "").encode()
    return _DATES.sub(lambda found: b"/" + found[1] + b" (D:" + day + b"000000+00'00')", printed)


def release_notes(changelog: str, version: str) -> str:
    """Take the part of a changelog that a release brings."""
    found = re.split(r"^## +(.+?) *$", changelog, flags=re.MULTILINE)[1:]
    parts = {heading.split()[0]: text.strip() for heading, text in zip(found[::2], found[1::2], strict=True)}
    if version not in parts:
        raise UsageError(f"CHANGELOG.md has no part on {version}; expected '## {version}'; write it")
    later = parts.get("Unreleased", "")
    since = f"## Since then, and part of this release\n\n{later}\n\n## {version}\n\n" if later else ""
    return f"# errorest {version}\n\n{since}{parts[version]}\n"


def checksums(folder: Path, but: str) -> str:
    """Write the SHA-256 of every file of a folder, as ``sha256sum --check`` reads it; one name is left out."""
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    return "".join(
        f"{hashlib.sha256(files[name].read_bytes()).hexdigest()}  {name}\n" for name in sorted(files) if name != but
    )
