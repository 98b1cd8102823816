"""Execute a notebook by papermill in a process forked from one that has imported everything, without a kernel.

The process sends its progress through a pipe; it ends, with its workers, when its parent ends.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from multiprocessing import connection, forkserver
from pathlib import Path
from typing import NamedTuple

import nbformat
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_output
from papermill.engines import Engine, NotebookExecutionManager, papermill_engines
from papermill.exceptions import PapermillExecutionError
from traitlets import Type
from traitlets.config import Config

from compendium.book import events
from compendium.book.events import Event

# The name of the engine in papermill
ENGINE = "in-process"

_POLL_SECONDS = 0.2


class Request(NamedTuple):
    """A notebook to execute: its file, where the executed one goes, and what its process is given."""

    source: Path
    target: Path
    folder: Path
    log: Path
    parameters: Mapping[str, object]
    environment: Mapping[str, str]


class Failure(NamedTuple):
    """Why a notebook failed: the name of the exception, its text, and the traceback of a fault."""

    name: str
    text: str


# The outputs of the cell that is being executed
_outputs: list[nbformat.NotebookNode] = []


# Outputs by media type
Bundle = dict[str, object]


class _Stream(io.TextIOBase):
    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> int:
        last = _outputs[-1] if _outputs else None
        if last is not None and last.get("name") == self._name:
            last["text"].append(text)
        elif text:
            # in parts until the end of the cell: a text that is appended to would be copied for each line
            _outputs.append(new_output("stream", name=self._name, text=[text]))
        return len(text)


class _Hook(DisplayHook):
    """Collect the value of a cell's last line."""

    def write_output_prompt(self) -> None: ...

    def write_format_data(self, format_dict: Bundle, md_dict: Bundle | None = None) -> None:
        count = self.prompt_count
        _outputs.append(new_output("execute_result", format_dict, metadata=md_dict or {}, execution_count=count))

    def finish_displayhook(self) -> None: ...


class _Publisher(DisplayPublisher):
    """Collect what a cell displays."""

    def publish(self, data: Bundle, metadata: Bundle | None = None, source: object = None, **_: object) -> None:
        _outputs.append(new_output("display_data", data, metadata=metadata or {}))


class _Shell(InteractiveShell):
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def _showtraceback(self, etype: type, evalue: object, stb: Sequence[str]) -> None:
        _outputs.append(new_output("error", ename=etype.__name__, evalue=str(evalue), traceback=list(stb)))


class InProcessEngine(Engine):  # type: ignore[misc]
    """Execute the cells of a notebook in this process."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: NotebookExecutionManager, kernel_name: str, **_: object) -> None:
        """Execute the cells in order, up to the first that fails."""
        config = {"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}}
        shell = _Shell.instance(config=Config(config))
        for place, cell in enumerate(nb_man.nb.cells):
            nb_man.cell_start(cell, place)
            if cell.cell_type == "code" and cell.source.strip():
                _outputs.clear()
                with redirect_stdout(_Stream("stdout")), redirect_stderr(_Stream("stderr")):
                    result = shell.run_cell(cell.source, store_history=True)
                for output in _outputs:
                    if output["output_type"] == "stream":
                        output["text"] = "".join(output["text"])
                cell.execution_count, cell.outputs = result.execution_count, _outputs.copy()
                if not result.success:
                    nb_man.cell_exception(cell, place)
                    return
            nb_man.cell_complete(cell, place)


papermill_engines.register(ENGINE, InProcessEngine)


def run_notebook(
    request: Request, environment: Mapping[str, str], on_event: Callable[[Event], None]
) -> Failure | int | None:
    """Execute a notebook in a new process; return how a cell failed, the exit status of a killed process, or None.

    ``on_event`` is called several times a second with what the notebook has sent; an exception in it ends the notebook.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["compendium.book.preloaded"])
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(before)
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_become_notebook, args=(request, dict(environment), send))
    child.start()
    send.close()
    failure: Failure | None = None
    try:
        while True:
            event: Event = receive.recv() if receive.poll(_POLL_SECONDS) else {}
            failure = Failure(*event["failure"]) if "failure" in event else failure
            on_event(event)
    except EOFError:
        child.join()
    except BaseException:
        # its process group has its workers
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.kill()
        child.join()
        raise
    finally:
        receive.close()
    return failure or child.exitcode or None


def _become_notebook(request: Request, environment: dict[str, str], send: connection.Connection) -> None:
    """Execute a notebook in this forked process."""
    os.setsid()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with open(request.log, "w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.environ.clear()
    os.environ.update({**environment, **request.environment})
    os.chdir(request.folder)
    tempfile.tempdir = None  # found again from the environment
    events.send_to(send.send)
    failure = execute(request)
    if failure is not None:
        send.send(Event(failure=failure))
    send.close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os.killpg(0, signal.SIGKILL)


def execute(request: Request) -> Failure | None:
    """Execute a notebook with parameters in this process, and normalize the result."""
    import papermill

    try:
        papermill.execute_notebook(
            request.source,
            request.target,
            parameters=dict(request.parameters),
            engine_name=ENGINE,
            kernel_name="python3",
            language="python",
            progress_bar=False,
            log_output=False,
        )
    except PapermillExecutionError as exc:
        expected = exc.ename == "UsageError"
        return Failure(exc.ename, exc.evalue if expected else f"{exc.evalue}\n" + "\n".join(exc.traceback or []))
    except OSError as exc:
        return Failure(type(exc).__name__, str(exc))
    normalize(request.target)
    return None


def normalize(path: Path) -> None:
    """Remove what differs between equal runs: timings, paths, random cell ids."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.pop("papermill", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{position}"
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in ("tags", "mystnb")})
    nbformat.write(notebook, path)
