"""Notebooks run in a process each, forked from one that has imported everything; how they end is told."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from compendium.book.engine import Failure, Request, run_notebook
from compendium.book.runs import environment
from processes import ends


class Asked:
    """A notebook of some cells, run in a process of its own; what it sent."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.events = folder, []
        self.target = folder / "out.ipynb"

    def run(self, *code: str, on_event: Any = None) -> Failure | int | None:
        parameters = new_code_cell("n: int = 3")
        parameters.metadata["tags"] = ["parameters"]
        cells = [new_markdown_cell("# Words"), parameters, *map(new_code_cell, code)]
        nbformat.write(new_notebook(cells=cells), self.folder / "in.ipynb")  # without metadata of a language
        variables = {"TMPDIR": str(self.folder), "IPYTHONDIR": str(self.folder / "ipython")}
        folder = self.folder
        request = Request(folder / "in.ipynb", self.target, folder, folder / "log.txt", {"n": 4}, variables)
        return run_notebook(request, environment(), on_event or self.events.append)

    def outputs(self) -> list[Any]:
        return [output for cell in nbformat.read(self.target, as_version=4).cells for output in cell.get("outputs", [])]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    return Asked(tmp_path)


def test_cells_run_with_the_given_parameters_and_their_outputs_are_preserved(asked: Asked) -> None:
    shows = "from IPython.display import HTML, display\nprint('said')\ndisplay(HTML('<b>shown</b>'))\nn + 1"
    sends = "from compendium.book import events\nevents.send(share=0.5)\nimport os, sys; os.getcwd()"
    assert asked.run(shows, sends) is None
    output, shown, value, where = asked.outputs()
    assert (output.output_type, output.text) == ("stream", "said\n")
    assert (shown.output_type, shown.data["text/html"]) == ("display_data", "<b>shown</b>")
    assert (value.output_type, value.data["text/plain"]) == ("execute_result", "5")
    assert where.data["text/plain"] == repr(str(asked.folder))
    assert {"share": 0.5} in asked.events
    first = asked.target.read_bytes()
    assert asked.run(shows, sends) is None
    assert asked.target.read_bytes() == first, "equal runs are equal bytes"


def test_a_cell_may_print_as_many_lines_as_it_likes(asked: Asked) -> None:
    # a text that is copied for each line takes minutes
    assert asked.run("import sys\nfor i in range(200_000): print(i)\nprint('end', file=sys.stderr)") is None
    printed, end = asked.outputs()
    assert printed.text == "".join(f"{i}\n" for i in range(200_000))
    assert (end.name, end.text) == ("stderr", "end\n")


def test_a_cell_that_fails_ends_the_notebook_with_its_error(asked: Asked) -> None:
    failure = asked.run("def f():\n    return 1 / 0\nf()", "print('not reached')")
    assert failure.name == "ZeroDivisionError"
    assert "return 1 / 0" in failure.text
    broken = asked.run("1 +")
    assert broken.name == "SyntaxError"
    wrong = asked.run("from errorest.errors import UsageError\nraise UsageError('n is too small; use more')")
    assert wrong == Failure("UsageError", "n is too small; use more")


def test_a_process_that_is_ended_tells_its_status_and_the_next_one_runs(asked: Asked) -> None:
    assert asked.run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)") == -signal.SIGKILL
    assert asked.run("import os; os._exit(7)") == 7
    assert asked.run("1") is None


STARTS = """
import os, subprocess
p = subprocess.Popen(["sleep", "600"])
with open("half", "w") as file:
    file.write(f"{os.getpid()} {p.pid}")
os.replace("half", "pids")
p.wait()
"""


def test_who_requested_can_end_a_notebook(asked: Asked) -> None:
    def stop(event: dict[str, Any]) -> None:
        if (asked.folder / "pids").exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked.run(STARTS, on_event=stop)
    assert all(ends(int(pid)) for pid in (asked.folder / "pids").read_text().split())


def test_a_notebook_ends_with_the_process_that_requested(asked: Asked) -> None:
    asked.run("1")  # writes the notebook that is changed here
    script = f"""
import sys; sys.path[:0] = {[str(folder) for folder in Path(__file__).parents[:3:2]]}
from pathlib import Path
from test_engine import Asked, STARTS
Asked(Path({str(asked.folder)!r})).run(STARTS)
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, env=os.environ | {"ERROREST_BUILD": str(asked.folder / "build")}) as parent:
        while not (asked.folder / "pids").exists():
            assert parent.poll() is None
            time.sleep(0.05)
        parent.kill()
    assert all(ends(int(pid)) for pid in (asked.folder / "pids").read_text().split())
