"""Runs of notebooks: their keys, whether a finished one can be reused, and executing them.

A run's key is a digest of all that can change its result or its text.  The run lies in
``_build/runs/<notebook>/<key>/`` with the checksums of its files, and is reused only while these hold.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from compendium import versions
from compendium.book import engine
from compendium.book.events import Event
from compendium.book.notebook import Notebook, sources
from compendium.book.parameters import relation, scale_of
from compendium.book.places import build_folder, not_writable, read_mapping, root, store_folder, write_whole
from compendium.book.session import code_of
from compendium.evidence.names import read_names
from compendium.evidence.records import Values
from compendium.evidence.results import read_errata
from compendium.evidence.verdicts import read_published, read_regenerated
from compendium.folders import MISSING, locked, remove, working_folder
from compendium.papers.parameters import Parameters
from compendium.studies import digests
from errorest import determinism
from errorest.cli.output import say
from errorest.errors import UsageError, lacking_in, remedy

# Packages whose versions decide what an executed notebook holds, besides those that compute
_DISPLAYING = ("matplotlib", "papermill", "nbformat", "ipython")
# What executes a notebook and shows an artifact, with the modules of the book, of evidence and of plots that these
# import.  An artifact's own modules and theirs are its code; pages are rendered from finished runs.
_SHOWING = ("compendium.book.engine", "compendium.book.session")
_NOT_SHOWING = ("compendium.papers", "compendium.studies", "errorest")
# The file in a run's folder with the parts of its key, and the SHA-256 of each file
_LIST = "key.json"
_TEMPORARY, _LOG, _NOTEBOOK = "tmp", "log.txt", "notebook.ipynb"
# joblib's warning that there are no semaphores: then one process computes, which a line of ours says
_NO_SEMAPHORES = "ignore::UserWarning:joblib._multiprocessing_helpers"
# Bytes on the disk below which a failure is for want of room
_LEAST_ROOM = 1 << 20

# Lines of notebooks that this command has printed: each is printed once
_printed: set[str] = set()


Parts = Mapping[str, object]
"""What decides a run, by name, as JSON has it."""


class NotebookError(RuntimeError):
    """A notebook failed by a fault of ours."""


@dataclass(frozen=True)
class Options:
    """Run options: they change no result, so they are in no key."""

    jobs: int = 1
    dask: str | None = None
    folder: Path | None = None


@dataclass(frozen=True)
class Run:
    """A notebook with its parameters, and all that decides its results."""

    spec: Notebook
    parameters: Parameters
    parts: Parts

    @property
    def key(self) -> str:
        return _key_of(self.parts)

    @property
    def folder(self) -> Path:
        return build_folder() / "runs" / self.spec.folder / self.key

    @property
    def scale(self) -> str:
        return scale_of(self.spec, self.parameters)

    @property
    def latest(self) -> Path:
        """The file with the parts of the last run at this scale."""
        return self.folder.with_name(f"latest-{self.scale}.json")

    def files(self) -> dict[str, str]:
        """Return the files of the run with their checksums; none if it does not exist or was damaged."""
        try:
            result = json.loads((self.folder / _LIST).read_bytes())
            files: dict[str, str] = dict(result["files"])
            actual = {name: _digest((self.folder / name).read_bytes()) for name in files}
            return files if result["parts"] == self.parts and files == actual else {}
        except (*MISSING, ValueError, TypeError, LookupError):
            return {}
        except OSError as exc:
            raise UsageError(
                f"the finished run {self.folder} cannot be read ({exc.strerror})", f"{remedy(exc)}; nothing was removed"
            ) from None

    @property
    def complete(self) -> bool:
        return bool(self.files())

    @property
    def damaged(self) -> bool:
        return os.path.lexists(self.folder) and not self.complete

    def read(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError as exc:
            raise UsageError(
                f"the run of {self.spec.id} was damaged meanwhile ({name}: {exc.strerror})", "run the command again"
            ) from None

    def manifests(self) -> list[Values]:
        return [json.loads(self.read(f"artifacts/{a.id}.json")) for a in self.spec.artifacts]

    def parts_before(self) -> Parts | None:
        """Return the parts of the last run at this scale; None where they are not known."""
        return read_mapping(self.latest)

    def record(self) -> None:
        write_whole(self.latest, json.dumps(self.parts, indent=1, sort_keys=True))


def last_folder(notebook: str, scale: str) -> Path | None:
    """Return the folder of the last run of a notebook at a scale, without planning one; None where there is none."""
    runs = build_folder() / "runs" / notebook.replace("/", "--")
    parts = read_mapping(runs / f"latest-{scale}.json")
    folder = runs / _key_of(parts) if parts else None
    return folder if folder is not None and (folder / _LIST).is_file() else None


def _key_of(parts: Parts) -> str:
    return _digest(json.dumps(parts, sort_keys=True, separators=(",", ":")))[:24]


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def plan(spec: Notebook, parameters: Parameters) -> Run:
    """Collect what decides a run; checks the data that the notebook reads."""
    parts = {
        "notebook": _digest(json.dumps(list(sources(spec.file)))),
        "parameters": parameters.model_dump(),
        "data": parameters.inputs(),
        "published numbers": _digest(read_published(spec.paper).to_csv()),
        "errata": _digest(json.dumps(read_errata(spec.paper), sort_keys=True)),
        "code": code_of(spec),
        "results": determinism.RESULTS_VERSION,
        "display": digests.code_digest(_SHOWING, without=_NOT_SHOWING),
        "versions": versions.installed((*versions.COMPUTING, *_DISPLAYING)),
        "processor": versions.processor(),
        "wording": [
            spec.title,
            *(
                part
                for a in spec.artifacts
                for part in (a.id, a.number, a.title, a.caption, a.figure, a.figure_printed, a.alt, a.subtitle)
            ),
            *(a.id for a in spec.artifacts if a.matrix),
            *(read_names(source) for source in ("common", "words", spec.paper)),
        ],
    }
    if scale_of(spec, parameters) == "own" and relation(spec, parameters) != "design":
        # they give the spread of the printed numbers
        parts["recorded numbers"] = _digest(read_regenerated(spec.paper).to_csv())
    return Run(spec, parameters, json.loads(json.dumps(parts)))


def environment() -> dict[str, str]:
    """Return the environment of notebooks and workers: one thread, the same kernels, a folder for compiled code."""
    variables = dict(determinism.apply(dict(os.environ)))
    variables["NUMBA_CACHE_DIR"] = str(build_folder() / "numba" / determinism.numba_cache_dir(root()).name)
    # a module in the working folder takes the place of no installed one
    variables |= {"PYTHONSAFEPATH": "1", "IPYTHONDIR": str(build_folder() / "ipython"), "MPLBACKEND": "agg"}
    variables["PYTHONWARNINGS"] = ",".join(filter(None, (variables.get("PYTHONWARNINGS"), _NO_SEMAPHORES)))
    return variables


def execute(run: Run, options: Options, progress: Callable[[float], None] = lambda share: None) -> None:
    """Execute a notebook, unless its run exists."""
    if run.damaged:
        print(f"the run of {run.spec.id} was damaged; executing it again", file=sys.stderr, flush=True)
    elif run.complete:
        if run.parts_before() is None:  # killed right after the run was finished, or damaged
            with suppress(UsageError):
                run.record()
        progress(1.0)
        return
    try:
        with working_folder(run.folder) as work:
            _execute_in(work, run, options, progress)
            progress(1.0)
            shutil.rmtree(work / _TEMPORARY, ignore_errors=True)
            (work / _LOG).unlink(missing_ok=True)
            files = {str(p.relative_to(work)): _digest(p.read_bytes()) for p in sorted(work.rglob("*")) if p.is_file()}
            write_whole(work / _LIST, json.dumps({"files": files, "parts": run.parts}, indent=1, sort_keys=True) + "\n")
            with locked(run.folder.parent):
                # another process may have finished the same run first; both hold the same bytes
                if not run.complete:
                    remove(run.folder)
                    os.rename(work, run.folder)
            run.record()
    except OSError as exc:
        raise not_writable(run.folder.parent, exc) from None


def _execute_in(work: Path, run: Run, options: Options, progress: Callable[[float], None]) -> None:
    parameters = run.parameters.model_dump()
    temporary = work / _TEMPORARY
    temporary.mkdir()
    variables = {
        "TMPDIR": str(temporary),
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(store_folder()),
        "ERROREST_JOBS": str(options.jobs),
        "ERROREST_DASK": options.dask or "",
        "ERROREST_PARAMETERS": json.dumps(parameters, sort_keys=True),
    }
    folder = options.folder or root()
    request = engine.Request(run.spec.file, work / _NOTEBOOK, folder, work / _LOG, parameters, variables)
    share = 0.0

    def on_event(event: Event) -> None:
        nonlocal share
        share = event.get("share", share)
        progress(share)
        if (line := event.get("line")) and line not in _printed:
            _printed.add(line)
            say(line, sys.stderr)

    if (failure := engine.run_notebook(request, environment(), on_event)) is not None:
        raise _error_of(run, work, failure)


def _error_of(run: Run, work: Path, failure: engine.Failure | int) -> Exception:
    """Return the error that a failed notebook ends the command with."""
    if isinstance(failure, int):
        free = shutil.disk_usage(work).free
        if failure < 0 or free < _LEAST_ROOM:
            how = signal.Signals(-failure).name if failure < 0 else f"status {failure}"
            return UsageError(
                f"notebook {run.spec.id} was ended ({how}, {free >> 20} MiB free on the disk of {work.parent})",
                "finished studies are kept: free memory or disk space and run again, perhaps with fewer jobs",
            )
        log = (work / _LOG).read_text(errors="replace").strip()
        failure = engine.Failure(f"status {failure}", log[-3000:] or "no message")
    if failure.name == "UsageError":
        return UsageError(failure.text)
    if lacking := lacking_in(failure.text, str(build_folder())):
        return UsageError(
            f"notebook {run.spec.id} was stopped: {lacking}; finished studies are kept, and the same command goes on"
        )
    executed, where = work / _NOTEBOOK, ""
    if executed.is_file():
        write_whole(copy := build_folder() / "failed" / f"{run.spec.folder}.ipynb", executed.read_bytes())
        where = f"\nThe executed notebook: {copy}"
    return NotebookError(f"notebook {run.spec.id} failed with {failure.name}: {failure.text}{where}")
