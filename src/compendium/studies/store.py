"""Results on disk in chunks that are whole or not there at all.

A chunk is one file: a line of JSON that says what it holds, with a checksum,
and the raw little-endian numbers behind it.  It is written under another name,
flushed and renamed, so a killed run leaves finished chunks only; one that was
damaged later is found by its checksum, said, and computed again.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from compendium.studies.columns import Coded, Column
from errorest.errors import UsageError
from errorest.files import unfinished, write_whole

__all__ = ["Store"]

_FORMAT = 1
_TYPES = {"float64": "<f8", "int64": "<i8"}
_CODES = "<i4"
_KEY = re.compile(r"[0-9a-f]{16,64}")


class Store:
    """A folder of chunks, each a few named arrays under a key.

    Any number of processes may use one folder at once: names of unfinished files are
    unique, finished ones appear whole, and equal keys hold equal bytes.

    Parameters
    ----------
    root : path
        The folder; made when first written to.
    claims : path, optional
        A file by which processes that use the folder tell one another what they compute, so that nothing is
        computed twice; made where it is missing.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store(folder.name)
    >>> store.put("0123456789abcdef", {"estimate": np.array([0.25, 0.5])})
    >>> store.get("0123456789abcdef")["estimate"].tolist()
    [0.25, 0.5]
    >>> store.get("fedcba9876543210") is None
    True
    >>> store.clear()
    1
    >>> folder.cleanup()
    """

    def __init__(self, root: str | os.PathLike[str], claims: str | os.PathLike[str] | None = None) -> None:
        self.root = Path(root)
        self.claims = None if claims is None else Path(claims)
        self._prepared = False

    def path(self, key: str) -> Path:
        """Return the file of a chunk, there or not; a key is 16 to 64 hexadecimal digits.

        Raises
        ------
        ValueError
            If the key is anything else.
        """
        if not _KEY.fullmatch(key):
            raise ValueError(f"a key is 16 to 64 hexadecimal digits, not {key!r}")
        return self.root / f"{key}.chunk"

    def get(self, key: str, *, say: Callable[[str], None] | None = None) -> dict[str, Column] | None:
        """Read a chunk.

        Parameters
        ----------
        key : str
            16 to 64 hexadecimal digits.
        say : callable, optional
            Told, in one line, of a chunk that is damaged; by default a warning is given.

        Returns
        -------
        dict of arrays and coded texts, or None
            None where there is no such chunk, or it was damaged and is now removed.

        Raises
        ------
        UsageError
            If the chunk is there and may not be read.
        """
        path = self.path(key)
        try:
            content = _read(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as exc:
            raise UsageError(
                f"chunk '{path}' cannot be read ({exc.strerror}); expected a file this user may read; "
                "mend its permissions or remove it"
            ) from exc
        try:
            if content is None:
                raise _DamagedError("it is no regular file")
            return _decode(key, content)
        except _DamagedError as exc:
            self.drop(key, str(exc), say=say)
            return None

    def drop(self, key: str, why: str, *, say: Callable[[str], None] | None = None) -> None:
        """Remove a chunk that cannot be believed, and say so.

        Parameters
        ----------
        key : str
        why : str
            What is wrong with it.
        say : callable, optional
            Told in one line; by default a warning is given.
        """
        message = f"chunk {key[:16]} is damaged ({why}); recomputing"
        if say is None:
            warnings.warn(message, stacklevel=3)
        else:
            say(message)
        with suppress(OSError):
            self.path(key).unlink()

    def content(self, key: str) -> bytes | None:
        """Return the bytes of a sound chunk; None where there is none."""
        return self.path(key).read_bytes() if self.get(key) is not None else None

    def put(self, key: str, arrays: Mapping[str, Column], description: Any = None) -> None:
        """Write a chunk, whole or not at all; one that is there is replaced.

        Parameters
        ----------
        key : str
            16 to 64 hexadecimal digits.
        arrays : mapping of name to float64 or int64 array, or to Coded texts
        description : JSON-like, optional
            What the chunk is, for a person who opens the file.

        Raises
        ------
        UsageError
            If the disk is full or the folder cannot be written.
        TypeError
            If an array holds anything but float64 or int64 (texts must be coded).
        """
        path = self.path(key)
        content = _encode(key, arrays, description)
        self.prepare()
        try:
            write_whole(path, content)
        except OSError as exc:
            raise self._mistake(exc, len(content)) from exc

    def prepare(self) -> None:
        """Make the folder, and see that it can be written; done once.

        Raises
        ------
        UsageError
            If the folder cannot be made or written.
        """
        if self._prepared:
            return
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            probe = unfinished(self.root / "probe")
            probe.touch()
            probe.unlink()
        except OSError as exc:
            raise self._mistake(exc, 0) from exc
        self._prepared = True

    def clear(self) -> int:
        """Remove every chunk; return the number of chunks removed.

        Raises
        ------
        UsageError
            If a file may not be removed.
        """
        removed = 0
        try:
            for path in self._entries():
                if path.suffix == ".chunk":
                    with suppress(FileNotFoundError):
                        path.unlink()
                        removed += 1
        except OSError as exc:
            raise self._mistake(exc, 0) from exc
        return removed

    def size(self) -> int:
        """Return the bytes that all chunks take."""
        total = 0
        for path in self._entries():
            if path.suffix == ".chunk":
                with suppress(FileNotFoundError):
                    total += path.stat().st_size
        return total

    def _entries(self) -> Iterator[Path]:
        try:
            names = sorted(os.listdir(self.root))
        except (FileNotFoundError, NotADirectoryError):
            return
        yield from (self.root / name for name in names)

    def _mistake(self, exc: OSError, size: int) -> UsageError:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            return UsageError(
                f"the disk of '{self.root}' is full; expected room for another {size} bytes; "
                "free some space and run again (finished chunks are kept)"
            )
        if exc.errno in (errno.ENOTDIR, errno.EEXIST):
            return UsageError(
                f"'{self.root}' is not a folder; expected a folder for results; choose another place or move the file"
            )
        reason = "" if exc.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else f" ({exc.strerror})"
        return UsageError(
            f"folder '{self.root}' is not writable{reason}; expected a folder this user may write to; "
            "mend its permissions or choose another"
        )


class _DamagedError(Exception):
    """What is wrong with the content of a chunk."""


def _read(path: Path) -> bytes | None:
    """Read a file whole; None for what is none, such as a pipe, which would keep a reader waiting."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def _encode(key: str, arrays: Mapping[str, Column], description: Any) -> bytes:
    columns, payload = [], []
    for name, array in arrays.items():
        column: dict[str, Any] = {"name": name}
        if isinstance(array, Coded):
            numbers, kind = array.codes, _CODES
            column |= {"type": "text", "shape": list(numbers.shape), "texts": list(array.texts)}
        elif array.dtype.name in _TYPES:
            numbers, kind = array, _TYPES[array.dtype.name]
            column |= {"type": array.dtype.name, "shape": list(array.shape)}
        else:
            raise TypeError(f"a chunk holds float64, int64 and coded texts; '{name}' is {array.dtype}")
        columns.append(column)
        payload.append(np.ascontiguousarray(numbers, dtype=kind).tobytes())
    return _seal({"format": _FORMAT, "key": key, "description": description, "columns": columns}, b"".join(payload))


def _seal(header: dict[str, Any], payload: bytes) -> bytes:
    """Join header and numbers under one checksum, so that damage to either shows."""
    digest = hashlib.sha256(json.dumps(header).encode() + payload).hexdigest()
    return json.dumps({**header, "sha256": digest}).encode() + b"\n" + payload


def _decode(key: str, content: bytes) -> dict[str, Column]:
    line, _, payload = content.partition(b"\n")
    try:
        header = json.loads(line)
        del header["sha256"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _DamagedError("its first line cannot be read") from None
    if _seal(header, payload) != content:
        raise _DamagedError("its checksum does not match")
    if header.get("format") != _FORMAT or header.get("key") != key:
        raise _DamagedError("it holds something else than its name says")
    try:
        return _columns(header["columns"], payload)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        raise _DamagedError("its numbers do not fit what it says of them") from None


def _columns(described: list[dict[str, Any]], payload: bytes) -> dict[str, Column]:
    arrays: dict[str, Column] = {}
    offset = 0
    for column in described:
        kind = _TYPES.get(column["type"], _CODES)
        size = int(np.prod(column["shape"], dtype=object))
        if size < 0:
            raise ValueError("a negative length")
        flat = np.frombuffer(payload, kind, count=size, offset=offset) if size else np.empty(0, kind)
        numbers = flat.reshape(column["shape"]).astype(kind[1:])
        coded = column["type"] == "text"
        if coded and len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(column["texts"])):
            raise ValueError("a text that is not in the table")
        arrays[column["name"]] = Coded(numbers, tuple(column["texts"])) if coded else numbers
        offset += flat.nbytes
    if offset != len(payload):
        raise ValueError("more numbers than columns")
    return arrays
