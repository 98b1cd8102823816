"""Results on disk: a file of arrays a chunk, whole or missing.

A chunk is a file of ``np.savez``: a structured array with a field a column, the texts of coded columns, and what the
chunk is.  It is written under another name and renamed; a damaged one is found by its checksums and computed again.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np

from compendium.folders import locked, read_or_empty
from compendium.studies.columns import Coded, Column
from errorest.errors import UsageError, remedy
from errorest.files import unfinished, write_whole

__all__ = ["Store"]

_KEY = re.compile(r"[0-9a-f]{16,64}")
_KINDS = {"float64": "<f8", "int64": "<i8"}
_SUFFIX = ".npz"
CHECKED = "checked.json"
DAMAGE = (zipfile.BadZipFile, NotImplementedError, ValueError, TypeError, LookupError, EOFError)
"""What reading a file raises whose bytes are not those of a chunk; any other error says nothing of the file."""

# numpy reads the head of an array by `ast`, which two threads of Python 3.11 may not use at once
_one_at_a_time = threading.Lock()


Description = Mapping[str, object]

Chunk = tuple[dict[str, Column], Description]
"""The columns of a chunk, and what it is."""


class Store:
    """A folder of chunks, each a few named columns under a key; any number of processes may use it at once.

    Parameters
    ----------
    root : path
        The folder; made when first written to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(folder)
    ...     store.put("0123456789abcdef", {"estimate": np.array([0.25, 0.5])})
    ...     store.get("0123456789abcdef")["estimate"].tolist(), store.get("fedcba9876543210") is None
    ([0.25, 0.5], True)
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root)
        self._prepared = False

    def path(self, key: str) -> Path:
        """Return the file of a chunk; a key is 16 to 64 hexadecimal digits."""
        if not _KEY.fullmatch(key):
            raise ValueError(f"a key is 16 to 64 hexadecimal digits, not {key!r}")
        return self.root / f"{key}{_SUFFIX}"

    def get(self, key: str) -> dict[str, Column] | None:
        """Read the columns of a chunk; None where there is none."""
        chunk = self.read(key)
        return None if chunk is None else chunk[0]

    def read(self, key: str, *, say: Callable[[str], None] | None = None) -> Chunk | None:
        """Read a chunk and its description; None where there is none, or a damaged one was removed.

        A line about a damaged one goes to ``say``, by default a warning.
        """
        path = self.path(key)
        try:
            if os.path.lexists(path) and not path.is_file():
                raise ValueError("it is no regular file")
            return decode(key, path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except DAMAGE as exc:
            (say or partial(warnings.warn, stacklevel=2))(f"chunk {key[:16]} is damaged ({_why(exc)}); recomputing")
            _remove(path)
            return None
        except Exception as exc:  # of the machine or the interpreter: it says nothing of the file
            hint = remedy(exc) if isinstance(exc, OSError) else "free some memory and run again"
            raise UsageError(f"chunk '{path}' cannot be read ({_why(exc)})", hint) from exc

    def put(self, key: str, columns: Mapping[str, Column], description: Description | None = None) -> None:
        """Write or replace a chunk; ``description`` says what it is, for a person who opens the file."""
        path = self.path(key)
        content = _encode(key, columns, description or {})
        self.prepare()
        try:
            write_whole(path, content)
        except OSError as exc:
            raise self._mistake(exc, len(content)) from exc

    def checked(self) -> dict[str, str]:
        """Return, by key, the digest of the code that was last seen to yield the bits of a chunk."""
        try:
            known = json.loads(read_or_empty(self.root / CHECKED))
        except ValueError:
            return {}
        return known if isinstance(known, dict) else {}

    def note_checked(self, keys: Iterable[str], code: str) -> None:
        """Note that code yields the bits of some chunks."""
        try:
            with locked(self.root / f"{CHECKED}.lock"):
                write_whole(self.root / CHECKED, json.dumps(self.checked() | dict.fromkeys(keys, code), indent=0))
        except OSError as exc:
            raise self._mistake(exc, 0) from exc

    @contextmanager
    def claimed(self, keys: Iterable[str], most: int) -> Iterator[list[str]]:
        """Lock chunks that no other process computes, at most so many, and yield their keys."""
        with ExitStack() as stack:
            claimed: list[str] = []
            for key in keys:
                if len(claimed) == most:
                    break
                path = self.root / f"{key}.lock"
                try:
                    # on a file system without locks equal chunks may be computed twice
                    stack.enter_context(locked(path, "another process computes it"))
                except UsageError:
                    continue
                except OSError as exc:
                    raise self._mistake(exc, 0) from exc
                stack.callback(_remove, path)
                claimed.append(key)
            yield claimed

    def prepare(self) -> None:
        """Make the folder, and check once that it can be written."""
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

    def _mistake(self, exc: OSError, size: int) -> UsageError:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            return UsageError(
                f"the disk of '{self.root}' is full, and another {size} bytes are needed",
                "free some space and run again (finished chunks are kept)",
            )
        if exc.errno in (errno.ENOTDIR, errno.EEXIST):
            return UsageError(f"'{self.root}' is not a folder", "choose another place for results, or move the file")
        return UsageError(f"folder '{self.root}' cannot be written ({exc.strerror})", remedy(exc))


def _remove(path: Path) -> None:
    with suppress(OSError):  # a lock's file that stays is nobody's lock
        path.unlink()


def _why(exc: Exception) -> str:
    """Say on one line what an error was."""
    if isinstance(exc, OSError) and exc.strerror:
        return exc.strerror
    return " ".join(str(exc).split()) or type(exc).__name__


def _encode(key: str, columns: Mapping[str, Column], description: Description) -> bytes:
    texts = {name: list(column.texts) for name, column in columns.items() if isinstance(column, Coded)}
    numbers = {name: column.codes if isinstance(column, Coded) else column for name, column in columns.items()}
    for name, array in numbers.items():
        if name not in texts and array.dtype.name not in _KINDS:
            raise TypeError(f"a chunk holds float64, int64 and coded texts; '{name}' is {array.dtype}")
    kinds = [(name, "<i4" if name in texts else _KINDS[array.dtype.name]) for name, array in numbers.items()]
    lines = np.empty(max(map(len, numbers.values()), default=0), dtype=kinds)
    for name, array in numbers.items():
        lines[name] = array
    file = io.BytesIO()
    about = json.dumps({"key": key, **description})
    np.savez(file, lines=lines, texts=np.array(json.dumps(texts)), about=np.array(about))
    return file.getvalue()


def decode(key: str, content: bytes) -> Chunk:
    """Read the bytes of a chunk; raises one of :data:`DAMAGE` for any others."""
    with zipfile.ZipFile(io.BytesIO(content)) as whole:
        if whole.testzip() is not None:
            raise ValueError("its checksums are not those of its content")
    with _one_at_a_time, np.load(io.BytesIO(content), allow_pickle=False) as chunk:
        lines, texts, about = chunk["lines"], json.loads(str(chunk["texts"])), json.loads(str(chunk["about"]))
    if about["key"] != key:
        raise ValueError("it holds something else than its name says")
    columns: dict[str, Column] = {}
    for name in lines.dtype.names or ():
        numbers = np.ascontiguousarray(lines[name])
        if name in texts:
            if len(numbers) and not 0 <= numbers.min() <= numbers.max() < len(texts[name]):
                raise ValueError("a text that is not in the table")
            columns[name] = Coded(numbers, tuple(texts[name]))
        else:
            columns[name] = numbers
    del about["key"]
    return columns, about
