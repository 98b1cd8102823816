"""Executing notebooks: what decides a run, whether it is there already, and making it.

A run's key is a digest of all that can change its result or its text; the run
lies in ``_build/runs/<notebook>/<key>/``, complete or not at all.  Papermill
runs in a process of its own, whose death takes the kernel with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.compendium.design import changed, relation
from errorest.compendium.notebook import Notebook, sources
from errorest.compendium.parameters import scale_of
from errorest.compendium.places import build_folder, root, write_whole
from errorest.compendium.session import code_of
from errorest.errors import UsageError
from errorest.evidence.verdicts import read_published, read_regenerated
from errorest.papers.parameters import Parameters

__all__ = ["NotebookError", "Options", "Run", "environment", "execute", "explain", "plan"]

_POLL_SECONDS = 0.2
_SHOWING = ("matplotlib", "altair", "papermill", "nbclient", "nbformat", "ipykernel")
"""Packages whose versions decide what an executed notebook holds, beside those that compute."""
_USAGE_STATUS = 2


class NotebookError(RuntimeError):
    """A notebook failed in a way that is not the person's mistake."""


@dataclass(frozen=True)
class Options:
    """Run options: they change no result, so they are in no key.

    Parameters
    ----------
    jobs : int
        Worker processes of a study.
    dask : str or None
        Address of a Dask scheduler that computes instead.
    folder : Path or None
        Where the notebook's relative paths start; the project's root by default.
    """

    jobs: int = 1
    dask: str | None = None
    folder: Path | None = None


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
    def notebook(self) -> Path:
        """The executed notebook."""
        return self.folder / "notebook.ipynb"

    @property
    def took(self) -> Path:
        """The seconds of its studies, as they were last computed."""
        return self.folder.parent / f"took-{scale_of(self.spec, self.parameters)}.json"

    @property
    def complete(self) -> bool:
        """Whether the run is there."""
        return (self.folder / "key.json").is_file()

    def manifests(self) -> list[dict[str, Any]]:
        """Return the manifests of the run's artifacts, in the notebook's order."""
        return [json.loads((self.folder / "artifacts" / f"{a.id}.json").read_text()) for a in self.spec.artifacts]


def plan(spec: Notebook, parameters: Parameters) -> Run:
    """Find out what decides a run; checks the data that the notebook reads.

    Raises
    ------
    UsageError
        If the notebook is missing or its data cannot be read.
    """
    cells = list(sources(spec.file))
    parts = {
        "notebook": hashlib.sha256(json.dumps(cells).encode()).hexdigest(),
        "parameters": parameters.model_dump(mode="json"),
        "data": parameters.inputs(),
        "published numbers": hashlib.sha256(read_published(spec.paper).to_csv().encode()).hexdigest(),
        "code": code_of(spec),
        "display": bits.code_digest(["errorest.compendium.execute", "errorest.compendium.session"]),
        "versions": bits.installed((*bits.COMPUTING, *_SHOWING)),
        "processor": bits.processor(),
        "wording": [
            spec.title,
            *(part for a in spec.artifacts for part in (a.id, a.number, a.title, a.caption)),
            *(a.id for a in spec.artifacts if a.matrix),
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
    latest = _latest(run, scale)
    if not latest.is_file():
        return f"{run.spec.id}: not executed yet at scale '{scale}'"
    before = json.loads(latest.read_text())
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


def _latest(run: Run, scale: str) -> Path:
    return build_folder() / "runs" / run.spec.folder / f"latest-{scale}.json"


def environment(base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment that kernels and workers start with: equal bits, compiled code kept apart."""
    variables = dict(bits.apply(dict(os.environ if base is None else base)))
    variables["NUMBA_CACHE_DIR"] = str(build_folder() / "numba" / bits.numba_cache_dir(root()).name)
    ipython = build_folder() / "ipython"
    config = ipython / "profile_default" / "ipython_kernel_config.py"
    if not config.is_file():
        # the kernel would warn on each start that its loopback connection is not encrypted
        write_whole(config, "c.IPKernelApp.log_level = 40\n")
    variables |= {"IPYTHONDIR": str(ipython), "PYDEVD_DISABLE_FILE_VALIDATION": "1", "MPLBACKEND": "agg"}
    return variables


def execute(run: Run, options: Options, progress: Callable[[float], None] | None = None) -> None:
    """Execute a notebook, unless its run is there already.

    Parameters
    ----------
    run : Run
    options : Options
    progress : callable, optional
        Told the finished share, 0 to 1, as the notebook goes on.

    Raises
    ------
    UsageError
        If the notebook stopped at a mistake of the person's.
    NotebookError
        If it failed otherwise.
    """
    if run.complete:
        if progress is not None:
            progress(1.0)
        return
    try:
        run.folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{run.key}.", dir=run.folder.parent))
    except OSError as exc:
        raise UsageError(
            f"{run.folder.parent} cannot be written ({exc.strerror}); expected a writable folder; "
            "check its permissions and the free space, or set ERROREST_BUILD to another folder"
        ) from None
    try:
        _execute_in(work, run, options, progress)
        write_whole(run.took, json.dumps(_told(work / "progress.json")["took"]))
        for leftover in ("request.json", "progress.json", "said.txt", "error.json", "log.txt"):
            (work / leftover).unlink(missing_ok=True)
        write_whole(work / "key.json", json.dumps(run.parts, indent=1, sort_keys=True) + "\n")
        try:
            os.rename(work, run.folder)
        except OSError:
            # another process finished the same run first; both hold the same bytes
            if not run.complete:
                shutil.rmtree(run.folder, ignore_errors=True)
                os.rename(work, run.folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    write_whole(_latest(run, scale_of(run.spec, run.parameters)), json.dumps(run.parts, sort_keys=True))


def _execute_in(work: Path, run: Run, options: Options, progress: Callable[[float], None] | None) -> None:
    folder = options.folder or root()
    request = {
        "source": str(run.spec.file),
        "target": str(work / "notebook.ipynb"),
        "parameters": run.parameters.model_dump(mode="json"),
        "folder": str(folder),
        "parent": os.getpid(),
        "changed": changed(run.spec, run.parameters),
    }
    write_whole(work / "request.json", json.dumps(request))
    variables = environment() | {
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(build_folder() / "store"),
        "ERROREST_PROGRESS": str(work / "progress.json"),
        "ERROREST_SAID": str(work / "said.txt"),
        "ERROREST_JOBS": str(options.jobs),
        "ERROREST_DASK": options.dask or "",
        "ERROREST_PARAMETERS": json.dumps(request["parameters"], sort_keys=True),
    }
    with open(work / "log.txt", "w") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "errorest.compendium.execute", str(work / "request.json")],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        try:
            while child.poll() is None:
                if progress is not None:
                    progress(min(1.0, _told(work / "progress.json")["share"]))
                time.sleep(_POLL_SECONDS)
        except BaseException:
            child.kill()
            child.wait()
            raise
    if (work / "said.txt").is_file():
        print((work / "said.txt").read_text(encoding="utf-8"), end="", file=sys.stderr)
    if child.returncode:
        _raise(run, work, child.returncode)
    if progress is not None:
        progress(1.0)


def _told(path: Path) -> dict[str, Any]:
    """Read what the kernel tells: the share that is done, and the seconds of each study so far."""
    try:
        return {"share": 0.0, "took": [], **json.loads(path.read_text())}
    except (OSError, ValueError):
        return {"share": 0.0, "took": []}


def _raise(run: Run, work: Path, status: int) -> None:
    try:
        error = json.loads((work / "error.json").read_text())
    except (OSError, ValueError):
        log = (work / "log.txt").read_text(errors="replace").strip()
        error = {"name": f"status {status}", "text": log[-3000:] or "no message"}
    if error["name"] == "UsageError":
        raise UsageError(error["text"])
    raise NotebookError(f"notebook {run.spec.id} failed with {error['name']}: {error['text']}")
