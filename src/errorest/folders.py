"""Folders of results: made, held by one run at a time, filled whole, and emptied of nothing but what we made.

A folder of ours holds the file ``.errorest``, a list of what we wrote there with a digest each.  A file that is
not in the list, or was changed since, belongs to a person and is neither written over nor removed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from errorest.errors import UsageError
from errorest.files import flush, held, read_regular, sweep, unfinished, write_whole

__all__ = ["FOLDER_MARK", "check_folder", "fill_folder", "output_folder"]

FOLDER_MARK = ".errorest"
"""Name of the file that stands in every folder of results that we made."""

_MEANING = "errorest made the files below, and its next run may replace those that nobody has changed since"


def check_folder(path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Refuse a folder of results that is not new, empty or made by us, that holds an input, or a result changed since.

    Parameters
    ----------
    path : path-like
    inputs : iterable of path-like
        Files that are read.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as new, tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(new) / "notebook.ipynb").write_text("{}")
    ...     fill_folder(folder, new)
    ...     check_folder(folder)
    ...     _ = (Path(folder) / "notebook.ipynb").write_text("an edited notebook")
    ...     try:
    ...         check_folder(folder)
    ...     except ValueError as refused:
    ...         print(str(refused).replace(folder, "."))
    ./notebook.ipynb was changed since errorest wrote it; expected results that nobody has touched; move it, or choose
    another folder with --out
    """
    place = Path(path)
    try:
        # a run that is at work, or was killed, left what is unfinished
        names = {name for name in os.listdir(place) if not (name.startswith(".") and name.endswith(".tmp"))}
    except FileNotFoundError:
        return
    except (OSError, ValueError) as exc:
        raise UsageError(
            f"output folder {place} cannot be written ({getattr(exc, 'strerror', None) or exc}); expected a folder "
            "that is yours to write; choose another with --out"
        ) from None
    if names and FOLDER_MARK not in names:
        raise UsageError(
            f"output folder {place} exists, is not empty and was not made by errorest; expected a new or empty folder, "
            f"or one of an earlier run (it holds {FOLDER_MARK}); choose another with --out"
        )
    for read in inputs:
        if _lies_in(Path(read), place):
            raise UsageError(
                f"{read} is read from and lies in the output folder {place}; expected another folder to write to; "
                "choose another with --out"
            )
    if names:
        _check_untouched(place, _listed(place))


@contextmanager
def output_folder(path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = ()) -> Iterator[None]:
    """Check a folder of results, make it, and hold it: another run is refused; one that fails leaves no empty folder.

    Parameters
    ----------
    path : path-like
    inputs : iterable of path-like
        Files that are read.

    Raises
    ------
    UsageError
        If the folder may not be used, cannot be written, or another run writes to it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     try:
    ...         with output_folder(Path(parent) / "mine" / "first"):
    ...             raise KeyboardInterrupt
    ...     except KeyboardInterrupt:
    ...         print(os.listdir(parent))
    []
    """
    place = Path(path)
    check_folder(place, inputs=inputs)
    made = [folder for folder in (place, *place.parents) if not os.path.lexists(folder)]
    try:
        try:
            place.mkdir(parents=True, exist_ok=True)
            _check_writable(place)
        except OSError as exc:
            raise UsageError(
                f"output folder {place} cannot be written ({exc.strerror}); expected a folder that is yours to write; "
                "choose another with --out"
            ) from None
        with held(
            place, f"another run writes to {place}; expected one at a time; wait for it, or choose another folder"
        ):
            # what happened between the check and the lock
            check_folder(place, inputs=inputs)
            sweep(place)
            yield
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def fill_folder(path: str | os.PathLike[str], new: str | os.PathLike[str]) -> None:
    """Put the files of one folder in the place of those that we wrote into another; what others put there stays.

    Interrupted at any moment, by a loss of power too, it leaves whole files only, and the next run completes it.

    Parameters
    ----------
    path : path-like
        The folder of results, on the same disk as ``new``.
    new : path-like
        What is to lie there; its files are moved.

    Raises
    ------
    UsageError
        If a file that we did not write, or that was changed since, is in the way.
    OSError
        If the folder cannot be written.
    """
    place, source = Path(path), Path(new)
    before = _listed(place)
    coming = {str(p.relative_to(source)): {_digest(p)} for p in sorted(source.rglob("*")) if p.is_file()}
    _check_untouched(place, {name: before.get(name, set()) for name in {*before, *coming}})
    for name in coming:
        flush(source / name)
    _mark(place, {name: before.get(name, set()) | coming.get(name, set()) for name in {*before, *coming}})
    for name in coming:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(source / name, place / name)
    gone = before.keys() - coming.keys()
    for name in gone:
        (place / name).unlink(missing_ok=True)
        for folder in (place / name).relative_to(place).parents:
            with suppress(OSError):
                if folder.name:
                    (place / folder).rmdir()
    # the list forgets what lay there before as soon as that cannot come back
    for folder in sorted({place / inner for name in {*coming, *gone} for inner in Path(name).parents}):
        with suppress(FileNotFoundError):
            flush(folder)
    _mark(place, coming)


def _mark(place: Path, files: Mapping[str, Iterable[str]]) -> None:
    listed = {name: sorted(digests) for name, digests in sorted(files.items())}
    write_whole(place / FOLDER_MARK, json.dumps({"meaning": _MEANING, "files": listed}, indent=0) + "\n")


def _listed(place: Path) -> dict[str, set[str]]:
    """Read what we wrote into a folder: the digests that a file may have."""
    try:
        files = json.loads(read_regular(place / FOLDER_MARK) or b"")["files"]
        return {str(name): {str(d) for d in digests} for name, digests in files.items() if _is_inside(str(name))}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _is_inside(name: str) -> bool:
    return not os.path.isabs(name) and ".." not in Path(name).parts


def _check_untouched(place: Path, files: Mapping[str, set[str]]) -> None:
    for name, digests in sorted(files.items()):
        found = place / name
        if not os.path.lexists(found):
            continue
        linked = any((place / part).is_symlink() for part in (Path(name), *Path(name).parents[:-1]))
        if linked or not found.is_file() or _digest(found) not in digests:
            was = "was changed since errorest wrote it" if digests else "is in the way and was not made by errorest"
            raise UsageError(
                f"{found} {was}; expected results that nobody has touched; move it, or choose another folder with --out"
            )


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_writable(place: Path) -> None:
    probe = unfinished(place / "probe")
    os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    probe.unlink()


def _lies_in(file: Path, folder: Path) -> bool:
    try:
        return file.exists() and file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
