"""Hostile files and crowded machines: one line, nothing run that was not asked for, bounded time and memory."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compendium.book import catalogue, staging
from compendium.book.engine import Failure
from compendium.book.parameters import check_imports_nothing, from_assignments, resolve
from compendium.book.places import root
from compendium.book.runs import NotebookError, _error_of, environment, plan
from compendium.cli import listing
from compendium.cli import main as book_cli
from errorest import bits, plots
from errorest.assessment import estimate
from errorest.cli import compiling, program
from errorest.cli import main as cli
from errorest.errors import UsageError

SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")
NAMES = ["$x^{$", "$10k-$20k", r"\$\frac{", "<script>alert(1)</script>", "a\x1b[31m\x07", "\u202eright to left", "%s{}"]


def sample_of(names: list[str], n: int = 48) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), np.array([names[k % len(names)] for k in range(n)])


# what runs code


PATHS = ["subprocess:Popen(args='touch x', shell=True)", "side_effect:Mine", "side_effect.Mine", "a-b.side_effect:x"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("place", [("guide/01-your-own-data", "inducer"), ("guide/01-your-own-data", "against")])
def test_explain_imports_nothing_that_a_file_names(
    path: str, place: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "side_effect.py").write_text("open('ran', 'w').close()\nclass Mine: pass\n")
    (tmp_path / "p.yml").write_text(f'{place[1]}: "{path}"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert book_cli.main(["explain", place[0], "-f", "p.yml"]) == 2
    report = capsys.readouterr().err
    assert "'explain' runs nothing" in report
    assert report.count("\n") == 1
    assert not {"ran", "x"} & set(os.listdir(tmp_path))
    assert "side_effect" not in sys.modules


def test_every_parameter_that_takes_an_import_path_is_known() -> None:
    named = {
        name
        for notebook in catalogue.notebooks()
        for name, field in notebook.parameters.model_fields.items()
        if "import path" in (field.description or "") or name == "against"
    }
    for name in named:
        for value in ("some.module:thing", ["c4.5", "some.module:thing"]):
            with pytest.raises(UsageError, match="runs nothing"):
                check_imports_nothing({name: value})
    check_imports_nothing({name: ["c4.5", "c4.5-release-8", "sklearn.svm.SVC(C=2)"] for name in named})


def test_notebooks_look_for_modules_in_the_working_folder_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')\n")
    variables = environment()
    done = subprocess.run(
        [sys.executable, "-m", "json.tool", "--help"], cwd=tmp_path, env=variables, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


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


# input bombs


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: 1\nseed: 2\n", "a key twice"),
        ("a: {b: 1, b: 2}\n", "a key twice"),
        ("seed: " + "9" * 5000, "is not YAML"),
        ("seed: 2001-13-45\n", "is not YAML"),
        ("a: !!python/object/apply:os.system [ls]\n", "is not YAML"),
        ("? [a, b]\n: c\n", "is not YAML"),
    ],
)
def test_a_malformed_parameter_file_is_reported_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "p.yml").write_text(text)
    with pytest.raises(UsageError, match=told) as caught:
        from_assignments([], tmp_path / "p.yml")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("value", ["9" * 5000, "0x" + "f" * 5000, "9" * 400, "[1, 0x" + "f" * 5000 + "]"])
@pytest.mark.parametrize("name", ["seed", "sizes"])
def test_a_number_of_thousands_of_digits_is_one_line(name: str, value: str) -> None:
    with pytest.raises(UsageError, match="expected") as caught:
        resolve(SPEC, from_assignments([f"{name}={value}"]))
    assert len(str(caught.value)) < 400


# text as text


@pytest.mark.filterwarnings("ignore:Glyph")
def test_any_class_name_is_plotted_as_it_stands(tmp_path: Path) -> None:
    X, y = sample_of(NAMES[:5])
    result = estimate("majority", X, y, method="cv(k=3)", interval=None, rng=0)
    sampled = result.drawn()
    labels = [text.get_text() for legend in sampled.figure.legends for text in legend.get_texts()]
    assert any(r"\$10k-\$20k" in label for label in labels), labels
    result.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in sampled.figure.legends[0].get_texts()[-1].get_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_writers_of_a_figure_take_any_text(name: str, tmp_path: Path) -> None:
    with plots.style(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure, (axes,) = plots.panels([name], lambda rows: 2.0 * rows)
        plots.as_table(axes, [name], [name])
        plots.note(axes, 0.0, 0.0, name)
        plots.legend_of(figure, {name: {"color": plots.BLUE}})
        plots.label_ends(axes, [plots.EndLabel(0.0, 0.0, name, plots.BLUE)])
        plots.save(figure, tmp_path / "figure")
    assert (tmp_path / "figure.svg").is_file()


# crowded machines


SMALL_STUDY = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from errorest import bits
bits.apply()
from compendium.studies.study import run_study
import study_measures
made = run_study(study_measures.coins(), jobs=2, say=lambda t: print(t))
print(len(made))
"""


@pytest.mark.parametrize("options", ["ro", "size=4k"])
def test_a_study_ends_well_without_a_usable_shared_memory(options: str, tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("a file system of one's own needs root")
    script = tmp_path / "small.py"
    script.write_text(textwrap.dedent(SMALL_STUDY).format(tests=str(Path(__file__).parents[2])))
    mounted = f"mount -t tmpfs -o {options} none /dev/shm && exec {sys.executable} {script}"
    done = subprocess.run(
        ["unshare", "-m", "--propagation", "private", "sh", "-c", mounted],
        capture_output=True, text=True, check=False, timeout=300,
        env=dict(os.environ) | {"PYTHONPATH": str(Path(bits.__file__).parents[1])},
    )  # fmt: skip
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "32"
    assert "one process computes" in done.stdout


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC, errno.EAGAIN, errno.EACCES])
def test_what_the_machine_lacks_is_one_line(number: int, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def failing(_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(listing, "list_notebooks", failing)
    monkeypatch.setattr(program, "leave_output", lambda: None)
    assert book_cli.main(["list"]) == 2
    report = capsys.readouterr().err
    assert report.startswith(f"error: {os.strerror(number)}")
    assert report.count("\n") == 1


def failing(folder: Path, failure: Failure | int) -> str:
    """The one line of advice that a failed notebook ends with."""
    with pytest.raises(UsageError) as caught:
        raise _error_of(plan(SPEC, resolve(SPEC, {})), folder, failure)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_notebook_that_is_killed_or_stopped_by_the_machine_is_one_line(tmp_path: Path) -> None:
    assert "was ended (SIGKILL" in failing(tmp_path, -9)
    full = Failure(
        "OSError",
        "[Errno 28] No space left on device: 'x.nbi'\nTraceback ...\nOSError: [Errno 28] No space left on device",
    )
    assert "was stopped: No space left" in failing(tmp_path, full)
    denied = Failure("PermissionError", "[Errno 13] Permission denied: 'x.svg'\nTraceback ...")
    assert "was stopped: Permission denied" in failing(tmp_path, denied)
    (tmp_path / "log.txt").write_text("a fault of ours")
    for failure in (1, Failure("FileNotFoundError", "[Errno 2] No such file")):
        with pytest.raises(NotebookError, match=r"a fault of ours|No such file"):
            raise _error_of(plan(SPEC, resolve(SPEC, {})), tmp_path, failure)


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (
            1,
            "Traceback\n  pickle.dump(x)\nOSError: [Errno 28] No space left on device\nmore",
            "No space left on device",
        ),
        (1, "shutil.Error: [('a', 'b', \"[Errno 13] Permission denied: 'b'\")]", "Permission denied"),
        (-9, "", "Sphinx was ended by a signal (9)"),
    ],
)
def test_pages_that_the_machine_does_not_let_be_built_are_one_line(
    status: int, said: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    done = subprocess.CompletedProcess([], status, "", said)
    monkeypatch.setattr(staging.subprocess, "run", lambda *_, **__: done)
    (tmp_path / "stage").mkdir()
    with pytest.raises(UsageError) as caught:
        staging.build_pages(tmp_path / "stage", tmp_path / "html")
    assert str(caught.value).startswith(f"the pages could not be built: {told}")
    problem, _, hint = str(caught.value).partition("; ")
    assert problem
    assert hint
    assert "Traceback" not in str(caught.value)


def test_drawings_find_a_folder_for_settings_where_home_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "x")
        monkeypatch.delenv(name)
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    monkeypatch.setenv("HOME", str(tmp_path / "mine"))
    compiling.keep_settings()
    assert "MPLCONFIGDIR" not in os.environ
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "no folder"))
    compiling.keep_settings()
    own = Path(os.environ["MPLCONFIGDIR"])
    assert own.is_dir()
    assert own.is_relative_to(tmp_path / "temporary")
    # named by somebody, it is left alone
    monkeypatch.setenv("MPLCONFIGDIR", "elsewhere")
    compiling.keep_settings()
    assert os.environ["MPLCONFIGDIR"] == "elsewhere"


def test_a_notebook_without_semaphores_says_so_in_our_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error::DeprecationWarning")
    ours = "ignore::UserWarning:joblib._multiprocessing_helpers"
    assert environment()["PYTHONWARNINGS"] == f"error::DeprecationWarning,{ours}"


def test_compiled_code_finds_a_folder_where_neither_package_nor_home_is_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    home = tmp_path / "home"
    home.write_text("no folder")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(compiling.os, "access", lambda path, mode: Path(path) != root())
    compiling.keep_compiled()
    assert os.environ["NUMBA_CACHE_DIR"].startswith(str(tmp_path / f"errorest-{os.getuid()}"))
    monkeypatch.delenv("NUMBA_CACHE_DIR")

    def nowhere() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(compiling.tempfile, "gettempdir", nowhere)
    with pytest.raises(UsageError, match="no folder for compiled code"):
        compiling.keep_compiled()


# load


MEASURED = """
import sys
import numpy as np
from errorest.assessment import estimate
from errorest.assessment.cost import peak_memory
from errorest.inducers import neighbors

def extra_memory(inducer, n, d, classes, method):
    y = np.arange(n) % classes
    X = np.random.default_rng(0).normal(size=(n, d)) + y[:, None] % 7
    before = peak_memory()
    estimate(inducer, X, y, method=method, interval=None, rng=0)
    return peak_memory() - before

name, n, d, classes, method, block = sys.argv[1:]
neighbors._BLOCK_BYTES = int(block)
extra_memory(name, 300, 4, 3, "holdout(test=1/3)")
print(extra_memory(name, int(n), int(d), int(classes), method))
"""


def measured(inducer: str, n: int, d: int, classes: int, estimator: str, block: int = 1 << 25) -> int:
    """Return the bytes by which a process grew for an estimate."""
    arguments = [inducer, str(n), str(d), str(classes), estimator, str(block)]
    done = subprocess.run([sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_nearest_neighbours_of_200_000_cases_are_detected_in_bounded_blocks() -> None:
    """With ``block=1 << 40`` all distances are there at once, and the process grows by more than they take."""
    all_distances = 8 * 400 * 200_000
    assert measured("knn(k=3)", 200_000, 20, 3, "holdout(test=0.002)") < all_distances / 2
