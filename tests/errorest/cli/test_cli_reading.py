"""How the command line reads a person's file, tells it, and keeps its answer clean.

Of hostile files text stays text, memory is bounded, and folders are found on crowded machines.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batteries import assert_refused
from compendium.plots.panels import legend_of
from errorest import determinism, estimate, plots, report
from errorest.cli import compiling
from errorest.cli import main as cli
from processes import run_python

QUICK = ["--model", "majority", "--method", "holdout(test=1/3)", "--interval", "none"]
CODE = "import sys; from errorest.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    path = tmp_path / "x.csv"
    rows = "".join(f"{k};{k % 7},5;{'uv?'[k % 3]};-9;{'ab'[k % 2]}\n" for k in range(30))
    path.write_bytes(("id;größe;c;d;art\n" + rows).encode("latin-1"))
    return path


def test_columns_as_understood_are_no_part_of_the_answer(data: Path, answer: Any) -> None:
    out, err = answer(["estimate", "x.csv", "--target", "art", *QUICK])
    assert err.startswith("columns as understood in x.csv: 30 cases; separator semicolon, decimal comma, Windows-1252")
    assert "a running number" in err
    assert "missing: '?' (10)" in err
    assert "understood" not in out


def test_what_is_stated_is_taken(data: Path, answer: Any) -> None:
    stated = ["--sep", "semicolon", "--decimal", ",", "--encoding", "latin-1", "--missing=-9,?", "--drop", "c"]
    command = ["estimate", "x.csv", "--target", "art", *QUICK, *stated, "--kind", "id=continuous"]
    _, err = answer(command)
    rows = {line.split()[0]: line for line in err.splitlines() if line.startswith("  ")}
    assert "continuous" in rows["id"]
    assert "(as stated)" in rows["c"]
    assert "no known value" in rows["d"]
    answer([*command, "--missing", ""])


def test_a_classifier_that_prints_does_not_break_the_answer(data: Path) -> None:
    (data.parent / "loud.py").write_text(
        "import os\nfrom sklearn.dummy import DummyClassifier\nprint('imported')\n"
        "class Loud(DummyClassifier):\n"
        "    def fit(self, X, y):\n"
        "        print('learning')\n"
        "        os.write(1, b'from below\\n')\n"
        "        return super().fit(X, y)\n"
    )
    command = ["estimate", "x.csv", "--target", "art", "--drop", "c", "--model", "loud.Loud", "--json"]
    ran = run_python("-c", CODE, *command, "--method", "cv(k=3)", "--interval", "none")
    assert ran.returncode == 0
    assert "value" in json.loads(ran.stdout)
    for text in ("imported", "learning", "from below"):
        assert text in ran.stderr


def test_own_words_name_options(data: Path, answer: Any) -> None:
    name = "sklearn.neighbors.KNeighborsClassifier"
    _, err = answer(["estimate", "x.csv", "--target", "art", "--model", name], 2)
    assert "pass --encode" in err
    assert "encode=True" not in err
    stated = ["estimate", "x.csv", "--target", "art", *QUICK, "--kind", "c=continuous"]
    assert "(--missing)" in answer(stated, 2).err


@pytest.mark.parametrize(
    ("place", "error", "status", "message"),
    [
        ("errorest.data.reading.read_csv", KeyboardInterrupt, 128 + signal.SIGINT, "nothing is kept"),
        ("errorest.estimate", MemoryError, 2, "error: there is not enough memory"),
    ],
)
def test_ctrl_c_and_too_little_memory_are_no_traceback(
    data: Path, answer: Any, monkeypatch: pytest.MonkeyPatch, place, error, status, message
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(place, stop)
    _, err = answer(["estimate", "x.csv", "--target", "art", *QUICK], status)
    assert message in err


@pytest.mark.parametrize(
    "command",
    [["warnings"], ["--help"], ["estimate", "--help"], ["--version"]],
)
@pytest.mark.parametrize(("where", "status"), [("full", 2), ("closed pipe", 0), ("closed", 0)])
def test_a_standard_output_that_takes_nothing_is_no_traceback(command: list[str], where: str, status: int) -> None:
    arguments = [sys.executable, "-c", CODE, *command]
    if where == "closed":
        ran = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *arguments], stderr=subprocess.PIPE, check=False)
    else:
        read, write = os.pipe()
        os.close(read)
        with open("/dev/full", "wb") if where == "full" else os.fdopen(write, "wb") as out:
            ran = subprocess.run(arguments, stdout=out, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == status
    assert (b"No space left on device" in ran.stderr) == (where == "full")
    assert b"Traceback" not in ran.stderr
    assert b"Exception ignored" not in ran.stderr


# hostile files and crowded machines

NAMES = ["$x^{$", "$10k-$20k", r"\$\frac{", "<script>alert(1)</script>", "a\x1b[31m\x07", "\u202eright to left", "%s{}"]


def test_a_module_of_the_working_folder_takes_the_place_of_no_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "colorsys.py").write_text("open('ran', 'w').close()\n")
    (tmp_path / "data.csv").write_text("x,class\n" + "1.5,a\n2.5,b\n" * 6)
    monkeypatch.chdir(tmp_path)
    # as a command starts that is installed: with the folder of the program first
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p not in ("", str(tmp_path))])
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert cli.main(["estimate", "data.csv", "--model", "colorsys:Mine"]) == 2
    assert "colorsys" in capsys.readouterr().err
    assert sys.path[-1] == str(tmp_path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.filterwarnings("ignore:Glyph")
def test_any_class_name_is_plotted_as_it_stands(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(45, 2))
    result = estimate("majority", X, NAMES[:5] * 9, method="cv(k=3)", interval=None, rng=0)
    figure = report.plot(result)
    labels = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert any(r"\$10k-\$20k" in label for label in labels), labels
    report.to_html(result, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in figure.legends[0].get_texts()[-1].get_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_writers_of_a_figure_take_any_text(name: str, tmp_path: Path) -> None:
    with plots.style(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure, grid = plots.new_figure(height=2.0)
        axes = grid[0, 0]
        plots.panel_title(axes, "", name)
        plots.note(axes, 0.0, 0.0, name)
        legend_of(figure, {name: {"color": plots.BLUE}})
        plots.label_ends(axes, [plots.EndLabel(0.0, 0.0, name, plots.BLUE)])
        plots.save(figure, tmp_path / "figure")
    assert (tmp_path / "figure.svg").is_file()


def test_compiled_code_finds_a_folder_where_neither_package_nor_home_is_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    home = tmp_path / "home"
    home.write_text("no folder")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(compiling.os, "access", lambda path, mode: Path(path) != determinism.project_root())
    compiling.keep_compiled()
    assert os.environ["NUMBA_CACHE_DIR"].startswith(str(tmp_path / f"errorest-{os.getuid()}"))
    monkeypatch.delenv("NUMBA_CACHE_DIR")

    def nowhere() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(compiling.tempfile, "gettempdir", nowhere)
    assert_refused("no folder for compiled code", compiling.keep_compiled)


def foreign_mode(place: Path) -> None:
    place.mkdir(parents=True)
    place.chmod(0o777)


def foreign_owner(place: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only the superuser gives a folder away")
    place.mkdir(parents=True)
    os.chown(place, 65534, 65534)


def link(place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    foreign_mode(place.with_name("elsewhere"))
    place.symlink_to(place.with_name("elsewhere"))


@pytest.mark.parametrize("level", ["", "numba"])
@pytest.mark.parametrize("made_before", [foreign_mode, foreign_owner, link], ids=lambda made: made.__name__)
def test_a_folder_that_another_made_or_may_change_holds_no_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_before: Any, level: str
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(compiling.determinism, "project_root", lambda: None)
    made_before(tmp_path / f"errorest-{os.getuid()}" / level)
    assert_refused("no folder for compiled code", compiling.keep_compiled)
    assert "NUMBA_CACHE_DIR" not in os.environ


NEIGHBOURS = """
import resource

import numpy as np
from errorest import estimate

def peak_memory():
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

def estimate_error(n, test):
    X = np.random.default_rng(0).normal(size=(n, 10)) + np.arange(n)[:, None] % 3
    estimate("knn(k=3, standardize=none)", X, np.arange(n) % 3, method=f"holdout(test={test})", interval=None, rng=0)

estimate_error(300, "1/3")
before = peak_memory()
estimate_error(100_000, "0.004")
print(peak_memory() - before)
"""


def test_nearest_neighbours_of_100_000_cases_are_detected_in_bounded_blocks() -> None:
    """With ``neighbors._BLOCK_BYTES = 1 << 40`` the process grows by more than all distances take."""
    assert int(run_python("-c", NEIGHBOURS).stdout) < 8 * 400 * 100_000 / 2
