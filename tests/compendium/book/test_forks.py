"""Notebooks' processes are forks of one that has imported everything; their ends and its own are told."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from compendium.book import forks, runner
from compendium.book.catalogue import notebook
from compendium.book.kernels import ForkedKernels
from compendium.book.parameters import resolve
from compendium.book.runner import NotebookError, Options, execute, plan
from errorest.errors import UsageError

NOTEBOOK = "scheffer-herbrich/03-calculator"


@pytest.fixture
def request_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A request for a notebook that is not there, which fails in its process."""
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    asked = {
        "source": str(tmp_path / "none.ipynb"),
        "target": str(tmp_path / "out.ipynb"),
        "parameters": {},
        "folder": str(tmp_path),
        "changed": [],
        "environment": {},
    }
    file = tmp_path / "request.json"
    file.write_text(json.dumps(asked))
    yield file
    forks.end()


def asked(file: Path, log: Path, variables: dict[str, str]) -> forks.Forked:
    with open(log, "w") as open_log:
        return forks.begin(file, open_log, variables, file.parent)


def server() -> int:
    assert forks._serving is not None
    return forks._serving._process.pid


def test_a_process_of_its_own_ends_with_its_status_and_its_words_go_to_its_log(request_file: Path) -> None:
    folder = request_file.parent
    variables = runner.environment()
    first = asked(request_file, folder / "first.txt", variables)
    own = server()
    # the next one is a fork of the same
    second = asked(request_file, folder / "second.txt", variables)
    assert (first.wait(), second.wait()) == (3, 3)
    assert not {first.pid, second.pid} & {os.getpid(), own}
    assert json.loads((folder / "error.json").read_text())["name"] == "UsageError"
    assert server() == own
    assert second.pid != first.pid
    # with a second thread a fork might wait for ever for a lock that no thread will give back
    assert len(os.listdir(f"/proc/{own}/task")) == 1
    # of the ones that ended nothing is left open: one pipe may be about to be closed
    kinds = [os.readlink(f"/proc/{own}/fd/{n}") for n in os.listdir(f"/proc/{own}/fd")]
    assert sum(k.startswith("pipe:") for k in kinds) <= 1
    assert sum(k.startswith("socket:") for k in kinds) == 1
    # the log of a notebook is removed with its run: what the process says itself goes elsewhere
    assert not [k for k in kinds if k.startswith(str(folder))]

    # another environment is imported with anew
    third = asked(request_file, folder / "third.txt", variables | {"OTHER": "1"})
    assert third.wait() == 3
    assert server() != own
    with pytest.raises(ProcessLookupError):
        os.kill(own, 0)


def test_a_process_that_cannot_import_says_so_in_the_log(request_file: Path) -> None:
    folder = request_file.parent
    (folder / "papermill.py").write_text("raise MemoryError('no room to import')\n")
    sources = Path(forks.__file__).parents[2]
    variables = runner.environment() | {"PYTHONPATH": f"{folder}{os.pathsep}{sources}"}
    lost = asked(request_file, folder / "log.txt", variables)
    assert (lost.wait(), lost.poll(), lost.pid) == (1, 1, server())
    assert "no room to import" in (folder / "log.txt").read_text()


SERVING = """
import subprocess, sys, time
from compendium.book import forks
def warm():
    children.append(subprocess.Popen(["true"]))
    time.sleep(0.5)
children = []
forks._warm = warm
forks._become = lambda *asked: 7
forks.main(sys.argv[1:])
"""


@pytest.fixture
def serving() -> Iterator[Callable[..., list[bytes]]]:
    """A process that forks for each request, whose imports start another process; tells what it says of a fork."""
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with own, other, open(os.devnull, "w") as log:
        served = subprocess.Popen([sys.executable, "-c", SERVING, str(other.fileno())], pass_fds=[other.fileno()])
        other.close()

        def fork(heard: bool = True) -> list[bytes]:
            told, tell = os.pipe()
            with open(told, "rb") as lines:
                if not heard:
                    lines.close()
                socket.send_fds(own, [b"a request"], [log.fileno(), tell])
                os.close(tell)
                return lines.read().splitlines() if heard else []

        yield fork
        own.close()
        assert served.wait(20) == 0


def test_a_process_that_an_import_started_does_not_end_the_one_that_forks(serving: Any) -> None:
    assert [serving()[1:] for _ in range(2)] == [[b"7"], [b"7"]]


def test_one_who_asked_and_went_away_does_not_end_the_process_that_forks(serving: Any) -> None:
    serving(heard=False)
    assert [serving()[1:] for _ in range(3)] == [[b"7"]] * 3


def test_the_death_of_the_forked_process_is_one_line_and_the_next_notebook_starts_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    spec = notebook(NOTEBOOK)
    run = plan(spec, resolve(spec, {}, "preview"))
    begin, begun = forks.begin, []

    def ended_at_once(*given: object) -> forks.Forked:
        child = begin(*given)  # type: ignore[arg-type]
        begun.append(server())
        if len(begun) == 1:
            os.kill(server(), signal.SIGKILL)
        return child

    monkeypatch.setattr(forks, "begin", ended_at_once)
    with pytest.raises(UsageError, match="was ended"):
        execute(run, Options())
    assert not run.complete
    # a kernel that a user has installed under the same name takes the place of none
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        json.dumps({"argv": ["false", "{connection_file}"], "display_name": "mine", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    execute(run, Options())
    assert run.complete
    assert begun[0] != begun[1]
    forks.end()


def test_a_status_that_nobody_tells_is_that_of_the_one_who_would() -> None:
    told, tell = os.pipe()
    os.write(tell, b"77\n")
    child = forks.Forked(told, subprocess.Popen(["sh", "-c", "exit 5"]))
    assert child.poll() is None
    os.close(tell)
    assert (child.poll(), child.wait()) == (5, 5)
    child.kill()  # of what has ended is nothing


@pytest.mark.parametrize(("what", "status"), [(lambda: 4, 4), (lambda: exit_with("two"), 1), (lambda: 1 // 0, 1)])
def test_a_fork_ends_with_what_it_returned_or_raised(what: object, status: int) -> None:
    pid = forks.forked(what)  # type: ignore[arg-type]
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status


def exit_with(text: str) -> int:
    raise SystemExit(text)


def test_kernels_are_described_by_the_project_alone() -> None:
    assert ForkedKernels(kernel_name="whatever").kernel_spec.argv == ["-f", "{connection_file}"]


def test_a_failed_notebook_is_still_told_with_its_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))

    def broken(*given: object) -> forks.Forked:
        given[1].write("something else broke\n")  # type: ignore[attr-defined]
        given[1].flush()  # type: ignore[attr-defined]
        told, tell = os.pipe()
        os.close(tell)
        return forks.Forked(told, subprocess.Popen(["false"]))

    monkeypatch.setattr(forks, "begin", broken)
    spec = notebook(NOTEBOOK)
    with pytest.raises(NotebookError, match="something else broke"):
        execute(plan(spec, resolve(spec, {}, "preview")), Options())
