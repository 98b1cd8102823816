"""Executing notebooks: what decides a run, whether it is there already, and making it.

A run's key is a digest of all that can change its result or its text; the run
lies in ``_build/runs/<notebook>/<key>/`` with a list of its files: it is reused as long as every
file is what was written, and executed anew otherwise.  Papermill runs in a
process of its own, forked from one that has imported everything; its death takes the kernel with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compendium.book import forks
from compendium.book.design import changed, relation
from compendium.book.notebook import Notebook, sources
from compendium.book.parameters import scale_of
from compendium.book.places import build_folder, keep, root, store_folder, write_whole
from compendium.book.seals import opened, seal
from compendium.book.session import code_of
from compendium.book.watching import Watch, end_with_children, lines_from
from compendium.evidence.errata import read_errata
from compendium.evidence.names import read_names
from compendium.evidence.verdicts import read_published, read_regenerated
from compendium.papers.parameters import Parameters
from compendium.studies import digests
from errorest import bits
from errorest.errors import UsageError, lacking_in
from errorest.files import discard, held, kept, working_folder

__all__ = ["NotebookError", "Options", "Run", "environment", "execute", "explain", "plan"]

_POLL_SECONDS = 0.2
_SHOWING = ("matplotlib", "papermill", "nbclient", "nbformat", "ipykernel")
"""Packages whose versions decide what an executed notebook holds, beside those that compute."""
_TEMPORARY = "tmp"
_BESIDE = ("request.json", "progress.json", "said.txt", "error.json", "log.txt")
_SERIAL = "ignore::UserWarning:joblib._multiprocessing_helpers"
_LEAST_ROOM = 1 << 20
"""Bytes on the disk below which a failure is for want of room."""

_KERNEL = """# the kernel would warn on each start that its loopback connection is not encrypted
c.IPKernelApp.log_level = 40
c.InteractiveShellApp.ignore_cwd = True
"""


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

    @property
    def complete(self) -> bool:
        """Whether the run is there, and every file of it as it was written."""
        found = opened(self.folder)
        return found is not None and found.parts == json.loads(json.dumps(self.parts))

    @property
    def damaged(self) -> bool:
        """Whether the run is there, and not to be believed."""
        return os.path.lexists(self.folder) and not self.complete

    def read(self, name: str) -> bytes:
        """Read a file of the run."""
        try:
            return (self.folder / name).read_bytes()
        except OSError as exc:
            raise UsageError(
                f"the run of {self.spec.id} was damaged meanwhile ({name}: {exc.strerror}); expected what was written; "
                "run the same command again, which executes it anew"
            ) from None

    def files(self) -> list[str]:
        """List the files of the run by their paths in its folder."""
        found = opened(self.folder)
        return [] if found is None else sorted(found.files)

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
        "display": digests.code_digest(["compendium.book.execute", "compendium.book.session"]),
        "versions": bits.installed((*bits.COMPUTING, *_SHOWING)),
        "processor": bits.processor(),
        "wording": [
            spec.title,
            *(part for a in spec.artifacts for part in (a.id, a.number, a.title, a.caption)),
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


def environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment that kernels and workers start with: equal bits, compiled code kept apart."""
    variables = dict(bits.apply(dict(os.environ if base is None else base)))
    variables["NUMBA_CACHE_DIR"] = str(build_folder() / "numba" / bits.numba_cache_dir(root()).name)
    ipython = build_folder() / "ipython"
    config = ipython / "profile_default" / "ipython_kernel_config.py"
    if kept(config) != _KERNEL.encode():
        keep(config, _KERNEL)
    # a module in the working folder takes the place of no installed one, here and in the kernel
    variables |= {"PYTHONSAFEPATH": "1", "IPYTHONDIR": str(ipython)}
    # without semaphores one process computes, which is told in a line of ours
    variables["PYTHONWARNINGS"] = ",".join(filter(None, (variables.get("PYTHONWARNINGS"), _SERIAL)))
    if not os.path.isabs(os.path.expanduser("~")):
        # no kernel starts for a user who is in no list of users and has no home
        variables["HOME"] = str(ipython)
    return variables | {"PYDEVD_DISABLE_FILE_VALIDATION": "1", "MPLBACKEND": "agg"}


def execute(run: Run, options: Options, progress: Callable[[float], None] | None = None) -> None:
    """Execute a notebook, unless its run is there already."""
    if run.damaged:
        print(f"the run of {run.spec.id} was damaged; executing it anew", file=sys.stderr, flush=True)
    elif run.complete:
        if _parts_before(_latest(run, scale_of(run.spec, run.parameters))) is None:
            # a run that stopped right after its end, or damage; the run is as good without
            with suppress(UsageError):
                _record(run)
        if progress is not None:
            progress(1.0)
        return
    try:
        with working_folder(run.folder) as work:
            _execute_in(work, run, options, progress)
            if options.timed:
                keep(run.took, json.dumps(_told(work / "progress.json")["took"]))
            if progress is not None:
                progress(1.0)
            _finish(work, run)
            _record(run)
    except OSError as exc:
        raise UsageError(
            f"{run.folder.parent} cannot be written ({exc.strerror}); expected a writable folder; "
            "check its permissions and the free space, or set ERROREST_BUILD to another folder"
        ) from None


def _finish(work: Path, run: Run) -> None:
    """Seal what was executed, and put it in its place."""
    shutil.rmtree(work / _TEMPORARY, ignore_errors=True)
    for leftover in _BESIDE:
        (work / leftover).unlink(missing_ok=True)
    seal(work, run.parts)
    with held(run.folder.parent):
        # another process may have finished the same run first; both hold the same bytes
        if not run.complete:
            discard(run.folder)
            os.rename(work, run.folder)


def _execute_in(work: Path, run: Run, options: Options, progress: Callable[[float], None] | None) -> None:
    folder = options.folder or root()
    parameters = run.parameters.model_dump(mode="json")
    temporary = work / _TEMPORARY
    temporary.mkdir()
    own = {
        # what a killed kernel leaves, such as the file of its connection, is swept with the folder
        "TMPDIR": str(temporary),
        "JUPYTER_RUNTIME_DIR": str(temporary),
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(store_folder()),
        "ERROREST_PROGRESS": str(work / "progress.json"),
        "ERROREST_SAID": str(work / "said.txt"),
        "ERROREST_JOBS": str(options.jobs),
        "ERROREST_DASK": options.dask or "",
        "ERROREST_PARAMETERS": json.dumps(parameters, sort_keys=True),
    }
    request = {
        "source": str(run.spec.file),
        "target": str(work / "notebook.ipynb"),
        "parameters": parameters,
        "folder": str(folder),
        "changed": changed(run.spec, run.parameters),
        "environment": own,
    }
    write_whole(work / "request.json", json.dumps(request))
    with open(work / "log.txt", "w") as log:
        child = forks.begin(work / "request.json", log, environment(), root())
        watch, said = Watch(run.spec.id, options.patience), lines_from(work / "said.txt")
        try:
            while child.poll() is None:
                told = _told(work / "progress.json")
                if progress is not None:
                    progress(min(1.0, told["share"]))
                for line in [*next(said), *watch.look(told)]:
                    print(line, file=sys.stderr, flush=True)
                if watch.over:
                    raise NotebookError(watch.over)
                time.sleep(_POLL_SECONDS)
        except BaseException:
            end_with_children(child)
            raise
    for line in next(said):
        print(line, file=sys.stderr, flush=True)
    if child.returncode:
        _raise(run, work, child.returncode)


def _told(path: Path) -> dict[str, Any]:
    """Read what the kernel tells: the share that is done, and the seconds of each study so far."""
    try:
        return {"share": 0.0, "took": [], **json.loads(path.read_text())}
    except (OSError, ValueError):
        return {"share": 0.0, "took": []}


def _last_words(work: Path, text: str) -> str:
    """Return what a kernel that ended said last; a kernel whose cell failed has said it."""
    if not text.startswith("the kernel of the notebook"):
        return ""
    try:
        said = [line for line in (work / "log.txt").read_text(errors="replace").splitlines() if line.strip()]
    except OSError:
        said = []
    return f" (its last words: {' '.join(said[-1].split())[:200]})" if said else ""


def _signal(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def _raise(run: Run, work: Path, status: int) -> None:
    try:
        error = json.loads((work / "error.json").read_text())
    except (OSError, ValueError):
        free = shutil.disk_usage(work).free
        if status < 0 or free < _LEAST_ROOM:
            raise UsageError(
                f"notebook {run.spec.id} was ended ({_signal(status)}, {free >> 20} MiB free on the disk of "
                f"{work.parent}); expected memory and room to write; finished studies are kept: make room and run "
                "again, perhaps with fewer jobs"
            ) from None
        log = (work / "log.txt").read_text(errors="replace").strip()
        error = {"name": f"status {status}", "text": log[-3000:] or "no message"}
    if error["name"] == "UsageError":
        raise UsageError(error["text"] + _last_words(work, error["text"]))
    if told := lacking_in(error["text"], str(build_folder())):
        raise UsageError(
            f"notebook {run.spec.id} was stopped: {told}; finished studies are kept, and the same command goes on"
        )
    raise NotebookError(f"notebook {run.spec.id} failed with {error['name']}: {error['text']}")
