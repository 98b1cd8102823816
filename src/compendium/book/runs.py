"""Runs of notebooks: what decides one, whether it is there already, and making it.

A run's key is a digest of all that can change its result or its text; the run lies in
``_build/runs/<notebook>/<key>/`` with a list of its files and their checksums.  It is reused as long as every file is
what was written, and executed again otherwise.
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
from typing import Any

from compendium.book import engine
from compendium.book.notebook import Notebook, sources
from compendium.book.parameters import relation, scale_of
from compendium.book.places import build_folder, keep, root, store_folder
from compendium.book.session import code_of
from compendium.evidence.errata import read_errata
from compendium.evidence.names import read_names
from compendium.evidence.verdicts import read_published, read_regenerated
from compendium.papers.parameters import Parameters
from compendium.studies import digests
from errorest import bits
from errorest.errors import UsageError, lacking_in
from errorest.files import discard, held, kept, working_folder, write_whole

__all__ = ["NotebookError", "Options", "Run", "environment", "execute", "explain", "plan"]

_SHOWING = ("matplotlib", "papermill", "nbformat", "ipython")
"""Packages whose versions decide what an executed notebook holds, beside those that compute."""
_LIST = "key.json"
"""The name of the list in a run's folder: what decided the run, and the SHA-256 of each file."""
_TEMPORARY, _LOG = "tmp", "log.txt"
_SERIAL = "ignore::UserWarning:joblib._multiprocessing_helpers"
_LEAST_ROOM = 1 << 20
"""Bytes on the disk below which a failure is for want of room."""


_printed: set[str] = set()
"""Lines of notebooks that this command has printed: each is printed once."""


class NotebookError(RuntimeError):
    """A notebook failed in a way that is not the person's mistake."""


@dataclass(frozen=True)
class Options:
    """Run options: they change no result, so they are in no key."""

    jobs: int = 1
    dask: str | None = None
    folder: Path | None = None
    patience: float | None = None
    timed: bool = True


@dataclass(frozen=True)
class Run:
    """A notebook with its parameters, and all that decides what it yields."""

    spec: Notebook
    parameters: Parameters
    parts: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Digest of the parts."""
        text = json.dumps(self.parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @property
    def folder(self) -> Path:
        """Where the run lies when it is complete."""
        return build_folder() / "runs" / self.spec.folder / self.key

    @property
    def took(self) -> Path:
        """The seconds of its studies, as they were last computed."""
        return self.folder.parent / f"took-{scale_of(self.spec, self.parameters)}.json"

    def files(self) -> dict[str, str]:
        """Return the files of the run with their checksums; none if it is not there, or not as it was written."""
        try:
            found = json.loads((self.folder / _LIST).read_text(encoding="utf-8"))
            files: dict[str, str] = dict(found["files"])
            whole = found["parts"] == json.loads(json.dumps(self.parts))
            return files if whole and files == {name: _digest(self.folder / name) for name in files} else {}
        except (OSError, ValueError, TypeError, LookupError):
            return {}

    @property
    def complete(self) -> bool:
        """Whether the run is there, and every file of it as it was written."""
        return bool(self.files())

    @property
    def damaged(self) -> bool:
        """Whether the run is there, and not as it was written."""
        return os.path.lexists(self.folder) and not self.complete

    def read(self, name: str) -> bytes:
        """Read a file of the run."""
        try:
            return (self.folder / name).read_bytes()
        except OSError as exc:
            raise UsageError(
                f"the run of {self.spec.id} was damaged meanwhile ({name}: {exc.strerror}); run the same command "
                "again, which executes it again"
            ) from None

    def manifests(self) -> list[dict[str, Any]]:
        """Return the manifests of the run's artifacts, in the notebook's order."""
        return [json.loads(self.read(f"artifacts/{a.id}.json")) for a in self.spec.artifacts]


def plan(spec: Notebook, parameters: Parameters) -> Run:
    """Find out what decides a run; checks the data that the notebook reads."""
    cells = list(sources(spec.file))
    parts = {
        "notebook": hashlib.sha256(json.dumps(cells).encode()).hexdigest(),
        "parameters": parameters.model_dump(mode="json"),
        "data": parameters.inputs(),
        "published numbers": hashlib.sha256(read_published(spec.paper).to_csv().encode()).hexdigest(),
        "errata": hashlib.sha256(json.dumps(read_errata(spec.paper), sort_keys=True).encode()).hexdigest(),
        "code": code_of(spec),
        "display": digests.code_digest(["compendium.book.engine", "compendium.book.session"]),
        "versions": bits.installed((*bits.COMPUTING, *_SHOWING)),
        "processor": bits.processor(),
        "wording": [
            spec.title,
            *(
                part
                for a in spec.artifacts
                for part in (a.id, a.number, a.title, a.caption, a.figure, a.figure_printed)
            ),
            *(a.id for a in spec.artifacts if a.matrix),
            read_names("common"),
            read_names(spec.paper),
        ],
    }
    if scale_of(spec, parameters) == "own" and relation(spec, parameters) != "design":
        # the spread of the printed numbers is known from there
        parts["recorded numbers"] = hashlib.sha256(read_regenerated(spec.paper).to_csv().encode()).hexdigest()
    return Run(spec, parameters, parts)


def explain(run: Run) -> str:
    """Say in one line a part whether a run is there, and if not, which input changed since the last."""
    if run.complete:
        return f"{run.spec.id}: cached ({run.key}); nothing to execute"
    scale = scale_of(run.spec, run.parameters)
    if run.damaged:
        return f"{run.spec.id}: will be executed, because its last run was damaged"
    latest = _latest(run, scale)
    if not os.path.lexists(latest):
        return f"{run.spec.id}: not executed yet at scale '{scale}'"
    before = _parts_before(latest)
    if before is None:
        return f"{run.spec.id}: will be executed; what changed is not known, because {latest.name} was damaged"
    lines = [f"{run.spec.id}: will be executed, because since the last run at scale '{scale}'"]
    for name, value in run.parts.items():
        old = before.get(name)
        if old == json.loads(json.dumps(value)):
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            names = [k for k in {**old, **value} if old.get(k) != value.get(k)]
            detail = ", ".join(f"{k}: {old.get(k)} -> {value.get(k)}" for k in names)
            lines.append(f"  {name} changed ({detail})")
        else:
            lines.append(f"  {name} changed")
    if len(lines) == 1:
        lines.append("  its folder was removed")
    return "\n".join(lines)


def _parts_before(latest: Path) -> dict[str, Any] | None:
    """Return what decided the last run; None where that is not known."""
    try:
        found = json.loads(kept(latest))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _record(run: Run) -> None:
    """Write down what decided the last run."""
    keep(_latest(run, scale_of(run.spec, run.parameters)), json.dumps(run.parts, indent=1, sort_keys=True))


def _latest(run: Run, scale: str) -> Path:
    return build_folder() / "runs" / run.spec.folder / f"latest-{scale}.json"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def environment() -> dict[str, str]:
    """Return the environment that notebooks and workers start with: equal bits, compiled code kept apart."""
    variables = dict(bits.apply(dict(os.environ)))
    variables["NUMBA_CACHE_DIR"] = str(build_folder() / "numba" / bits.numba_cache_dir(root()).name)
    # a module in the working folder takes the place of no installed one
    variables |= {"PYTHONSAFEPATH": "1", "IPYTHONDIR": str(build_folder() / "ipython"), "MPLBACKEND": "agg"}
    # without semaphores one process computes, which is told in a line of ours
    variables["PYTHONWARNINGS"] = ",".join(filter(None, (variables.get("PYTHONWARNINGS"), _SERIAL)))
    return variables


def execute(run: Run, options: Options, progress: Callable[[float], None] = lambda share: None) -> None:
    """Execute a notebook, unless its run is there already."""
    if run.damaged:
        print(f"the run of {run.spec.id} was damaged; executing it again", file=sys.stderr, flush=True)
    elif run.complete:
        if _parts_before(_latest(run, scale_of(run.spec, run.parameters))) is None:
            # a run that stopped right after its end, or damage; the run is as good without
            with suppress(UsageError):
                _record(run)
        progress(1.0)
        return
    try:
        with working_folder(run.folder) as work:
            took = _execute_in(work, run, options, progress)
            if options.timed:
                keep(run.took, json.dumps(took))
            progress(1.0)
            _finish(work, run)
            _record(run)
    except OSError as exc:
        raise UsageError(
            f"{run.folder.parent} cannot be written ({exc.strerror}); check its permissions and the free space, or set "
            "ERROREST_BUILD to another folder"
        ) from None


def _finish(work: Path, run: Run) -> None:
    """List what was executed with checksums, and put it in its place."""
    shutil.rmtree(work / _TEMPORARY, ignore_errors=True)
    (work / _LOG).unlink(missing_ok=True)
    files = {str(p.relative_to(work)): _digest(p) for p in sorted(work.rglob("*")) if p.is_file()}
    write_whole(work / _LIST, json.dumps({"files": files, "parts": run.parts}, indent=1, sort_keys=True) + "\n")
    with held(run.folder.parent):
        # another process may have finished the same run first; both hold the same bytes
        if not run.complete:
            discard(run.folder)
            os.rename(work, run.folder)


def _execute_in(work: Path, run: Run, options: Options, progress: Callable[[float], None]) -> list[Any]:
    """Execute a notebook into a folder; return the seconds of its studies."""
    parameters = run.parameters.model_dump(mode="json")
    temporary = work / _TEMPORARY
    temporary.mkdir()
    own = {
        # what a killed notebook leaves is removed with the folder
        "TMPDIR": str(temporary),
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(store_folder()),
        "ERROREST_JOBS": str(options.jobs),
        "ERROREST_DASK": options.dask or "",
        "ERROREST_PARAMETERS": json.dumps(parameters, sort_keys=True),
    }
    request = {
        "source": str(run.spec.file),
        "target": str(work / "notebook.ipynb"),
        "log": str(work / _LOG),
        "parameters": parameters,
        "folder": str(options.folder or root()),
        "environment": own,
    }
    state: dict[str, Any] = {"share": 0.0, "took": []}

    def on_event(event: dict[str, Any]) -> None:
        state.update(event)
        progress(min(1.0, state["share"]))
        if (line := event.get("line")) and line not in _printed:
            _printed.add(line)
            print(line, file=sys.stderr, flush=True)

    try:
        failure = engine.run_notebook(
            request, environment(), on_event, patience=60 * (options.patience or float("inf"))
        )
    except TimeoutError:
        raise NotebookError(
            f"notebook {run.spec.id} finished nothing for {options.patience:g} minutes, as long as --patience allows; "
            "it was ended; finished chunks are kept, and the same command goes on from there"
        ) from None
    if failure is not None:
        _raise(run, work, failure)
    return list(state["took"])


def _raise(run: Run, work: Path, failure: engine.Failure | int) -> None:
    if isinstance(failure, int):
        free = shutil.disk_usage(work).free
        if failure < 0 or free < _LEAST_ROOM:
            how = signal.Signals(-failure).name if failure < 0 else f"status {failure}"
            raise UsageError(
                f"notebook {run.spec.id} was ended ({how}, {free >> 20} MiB free on the disk of {work.parent}); "
                "finished studies are kept: make room in memory or on the disk and run again, perhaps with fewer jobs"
            )
        log = (work / _LOG).read_text(errors="replace").strip()
        failure = engine.Failure(f"status {failure}", log[-3000:] or "no message")
    if failure.name == "UsageError":
        raise UsageError(failure.text)
    if lacking := lacking_in(failure.text, str(build_folder())):
        raise UsageError(
            f"notebook {run.spec.id} was stopped: {lacking}; finished studies are kept, and the same command goes on"
        )
    raise NotebookError(f"notebook {run.spec.id} failed with {failure.name}: {failure.text}")
