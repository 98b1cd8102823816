"""Folders of results: made, held by one run at a time, filled whole, and emptied of nothing but what we made.

A folder of ours holds the file ``.errorest``, a list of what we wrote there.  A file that is not in the list, or was
changed after it, belongs to a person and is neither written over nor removed.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from errorest.errors import UsageError
from errorest.files import held, write_whole

__all__ = ["FOLDER_MARK", "check_folder", "output_folder"]

FOLDER_MARK = ".errorest"
"""Name of the file that stands in every folder of results that we made."""

_NEW = ".results.tmp"
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
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "notes.txt").write_text("a week of work")
    ...     try:
    ...         check_folder(folder)
    ...     except ValueError as refused:
    ...         print(str(refused).replace(folder, "."))
    output folder . exists, is not empty and was not made by errorest; expected a new or empty folder, or one of an
    earlier run (it holds .errorest); choose another with --out
    """
    place = Path(path)
    try:
        # a run that is at work, or was killed, left what is unfinished
        names = {*os.listdir(place)} - {_NEW}
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
    _check_unchanged(place)


@contextmanager
def output_folder(path: str | os.PathLike[str], *, inputs: Iterable[str | os.PathLike[str]] = ()) -> Iterator[Path]:
    """Hold a folder of results, and give an empty one in it, whose files replace those of the run before at the end.

    What others put there stays.  Another run is refused meanwhile, and one that fails leaves the folder as it was.

    Parameters
    ----------
    path : path-like
    inputs : iterable of path-like
        Files that are read.

    Raises
    ------
    UsageError
        If the folder may not be used, cannot be written, or another run writes to it; or if a file that we did not
        write, or that was changed since, is in the way.
    OSError
        If the results cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     with output_folder(Path(parent) / "mine") as new:
    ...         _ = (new / "table.csv").write_text("1")
    ...     sorted(os.listdir(Path(parent) / "mine"))
    ['.errorest', 'table.csv']
    """
    place = Path(path)
    check_folder(place, inputs=inputs)
    made = [folder for folder in (place, *place.parents) if not os.path.lexists(folder)]
    new = place / _NEW
    try:
        _make(place)
        with held(
            place, f"another run writes to {place}; expected one at a time; wait for it, or choose another folder"
        ):
            # what happened between the check and the lock
            check_folder(place, inputs=inputs)
            shutil.rmtree(new, ignore_errors=True)
            _make(new)
            try:
                yield new
                _fill(place, new)
            finally:
                shutil.rmtree(new, ignore_errors=True)
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(
            f"output folder {folder} cannot be written ({exc.strerror}); expected a folder that is yours to write; "
            "choose another with --out"
        ) from None


def _fill(place: Path, new: Path) -> None:
    """Put new files in the place of those that we wrote; interrupted, it leaves whole files, all of them listed."""
    before = _listed(place)
    coming = {str(path.relative_to(new)) for path in new.rglob("*") if path.is_file()}
    _check_unchanged(place)
    for name in sorted(coming - before):
        if os.path.lexists(place / name):
            raise _refused(place / name, "is in the way and was not made by errorest")
    _mark(place, before | coming)
    for name in sorted(coming):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(new / name, place / name)
    for name in sorted(before - coming):
        (place / name).unlink(missing_ok=True)
        for folder in Path(name).parents[:-1]:
            with suppress(OSError):
                (place / folder).rmdir()
    _mark(place, coming)


def _mark(place: Path, names: Iterable[str]) -> None:
    write_whole(place / FOLDER_MARK, json.dumps({"meaning": _MEANING, "files": sorted(names)}, indent=0) + "\n")


def _listed(place: Path) -> set[str]:
    """Read what we wrote into a folder."""
    try:
        return {str(name) for name in json.loads((place / FOLDER_MARK).read_text())["files"]}
    except (OSError, ValueError, LookupError, TypeError):
        return set()


def _check_unchanged(place: Path) -> None:
    """Refuse a folder in which a person wrote over one of our files, or put a link in its way."""
    for name in sorted(_listed(place)):
        found = place / name
        if not os.path.lexists(found):
            continue
        linked = any((place / part).is_symlink() for part in (Path(name), *Path(name).parents[:-1]))
        if linked or found.stat().st_mtime_ns > (place / FOLDER_MARK).stat().st_mtime_ns:
            raise _refused(found, "was changed since errorest wrote it")


def _refused(path: Path, why: str) -> UsageError:
    return UsageError(
        f"{path} {why}; expected results that nobody has touched; move it, or choose another folder with --out"
    )


def _lies_in(file: Path, folder: Path) -> bool:
    try:
        return file.exists() and file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
