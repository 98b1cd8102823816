"""Hostile files and crowded machines, for the library: text stays text, bounded memory, folders that are found."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errorest import determinism, plots
from errorest.assessment import estimate
from errorest.cli import compiling
from errorest.cli import main as cli
from errorest.errors import UsageError

NAMES = ["$x^{$", "$10k-$20k", r"\$\frac{", "<script>alert(1)</script>", "a\x1b[31m\x07", "\u202eright to left", "%s{}"]


def sample_of(names: list[str], n: int = 48) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), np.array([names[k % len(names)] for k in range(n)])


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
        plots.note(axes, 0.0, 0.0, name)
        plots.legend_of(figure, {name: {"color": plots.BLUE}})
        plots.label_ends(axes, [plots.EndLabel(0.0, 0.0, name, plots.BLUE)])
        plots.save(figure, tmp_path / "figure")
    assert (tmp_path / "figure.svg").is_file()


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
    with pytest.raises(UsageError, match="no folder for compiled code"):
        compiling.keep_compiled()


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


def test_nearest_neighbours_of_100_000_cases_are_detected_in_bounded_blocks() -> None:
    """With ``block=1 << 40`` all distances are there at once, and the process grows by more than they take."""
    all_distances = 8 * 400 * 100_000
    assert measured("knn(k=3)", 100_000, 10, 3, "holdout(test=0.004)") < all_distances / 2
