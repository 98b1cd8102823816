"""The paths below the project's root, what is written there, and folders of results that a command may write to."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from compendium.evidence.records import Values
from compendium.folders import locked, read_or_empty, remove
from errorest import determinism, files
from errorest.errors import UsageError, remedy

# Files in the build folder that commands lock; removing one would let two run at once
LOCKS = ("build.lock", "setup.lock")


def root() -> Path:
    result = determinism.project_root()
    if result is None:
        raise UsageError("the notebooks were not found", "clone the project, install it with 'make', run it from there")
    return result


def build_folder() -> Path:
    """Return ``_build``, or the folder that ERROREST_BUILD names."""
    return Path(os.environ.get("ERROREST_BUILD") or root() / "_build")


def store_folder() -> Path:
    """Return the folder of finished studies: ``store`` in the build folder, or what ERROREST_STORE names."""
    return Path(os.environ.get("ERROREST_STORE") or build_folder() / "store").absolute()


def note_of_origin() -> Path:
    """Return the file that says which results came from an archive."""
    return store_folder() / "origin.json"


def site_folder(scale: str) -> Path:
    return build_folder() / "html" if scale == "published" else build_folder() / "preview" / "html"


def is_site(folder: Path) -> bool:
    """Tell whether a folder has pages that a build of ours wrote."""
    return (folder / "edition.json").is_file()


def refuse_foreign(folder: Path) -> None:
    """Refuse to put pages in the place of what no build of ours wrote."""
    ours = is_site(folder) or not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir()))
    if not ours:
        raise UsageError(
            f"{folder} is in the way: errorest did not make it", "move it, or set ERROREST_BUILD to another folder"
        )


@contextmanager
def alone(waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Let one command at a time build pages, write regenerated numbers, or remove what was built."""
    folder = build_folder()
    busy = f"another errorest builds in {folder}"
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            try:
                stack.enter_context(locked(folder / LOCKS[0], f"{busy}; wait for its end"))
            except UsageError:
                if waiting is None:
                    raise
                waiting(f"{busy}; waiting for it to end")
                stack.enter_context(locked(folder / LOCKS[0]))
        except OSError as exc:
            raise not_writable(folder, exc) from None
        yield


def not_writable(folder: Path, exc: OSError) -> UsageError:
    """Return the message about a folder below ``_build`` that cannot be written."""
    hint = f"{remedy(exc)}, or set ERROREST_BUILD to another folder"
    return UsageError(f"{folder} cannot be written ({exc.strerror})", hint)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder, whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, content)
    except OSError as exc:
        raise UsageError(
            f"{path} cannot be written ({exc.strerror})", f"{remedy(exc)}, or choose another folder"
        ) from None


def read_mapping(path: Path) -> Values | None:
    """Return the mapping in a JSON file; None where there is none, or another content."""
    try:
        result = json.loads(read_or_empty(path))
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) else None


# Name of the file in every folder of results that lists the digests of what was written there
FOLDER_MARK = ".errorest"

_NEW = ".results.tmp"
_MEANING = "errorest wrote files of these SHA-256, and its next run replaces them"


@contextmanager
def output_folder(place: Path, inputs: Iterable[str | Path] = ()) -> Iterator[Path]:
    """Lock a folder of results, and yield an empty one in it whose files replace those of the run before at the end.

    A folder is refused that another run writes to, that an input lies in, or that holds anything but what errorest
    wrote there.  A run that fails leaves the folder as it was.
    """
    made = [folder for folder in (place, *place.parents) if not os.path.lexists(folder)]
    new, mark = place / _NEW, place / FOLDER_MARK
    try:
        place.mkdir(parents=True, exist_ok=True)
        with locked(place, f"another run writes to {place}; wait for it, or choose another folder"):
            for source in map(Path, inputs):
                if os.path.exists(source) and source.resolve().is_relative_to(place.resolve()):
                    raise _refused(f"{source} is read from and lies in the output folder {place}")
            shutil.rmtree(new, ignore_errors=True)
            _refuse_changed(place)
            try:
                new.mkdir()
                yield new
                before = _refuse_changed(place)
                coming = sorted(_digest(path) for path in new.rglob("*") if path.is_file())
                # interrupted, it leaves files of the run before or of this one, which the next one replaces
                _write_digests(mark, {*before, *coming})
                for path in place.iterdir():
                    if path not in (new, mark):
                        remove(path)
                for path in new.iterdir():
                    os.replace(path, place / path.name)
                _write_digests(mark, {*coming})
            finally:
                shutil.rmtree(new, ignore_errors=True)
    except OSError as exc:
        raise UsageError(
            f"the results could not be written to {place} ({exc.strerror or ' '.join(str(exc).split())[:200]})",
            "choose another folder with --out; finished runs are kept, so that the command takes seconds",
        ) from None
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def _refuse_changed(place: Path) -> set[str]:
    """Refuse a folder with a file that errorest did not write, or that has changed; return the digests of its own."""
    mark, new = place / FOLDER_MARK, place / _NEW
    listed = (read_mapping(mark) or {}).get("sha256")
    written = set(map(str, listed)) if isinstance(listed, list) else set()
    for path in sorted(place.rglob("*")):
        ours = path in (mark, new) or path.is_relative_to(new) or (path.is_dir() and not path.is_symlink())
        if not ours and (path.is_symlink() or not path.is_file() or _digest(path) not in written):
            raise _refused(f"{path} is in the way: errorest did not write it, or it has changed", "move it, or ")
    return written


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_digests(mark: Path, digests: Iterable[str]) -> None:
    text = json.dumps({"meaning": _MEANING, "sha256": sorted(digests)}, indent=0, sort_keys=True)
    files.write_whole(mark, f"{text}\n")


def _refused(problem: str, first: str = "") -> UsageError:
    return UsageError(problem, f"{first}choose another folder with --out")
