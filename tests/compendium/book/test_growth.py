"""The page on speed draws how cost grows from what was recorded, and says what is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compendium.book import growth
from compendium.book.growth import draw_growth, grows_by, growth_html, read_growth, write_growth


def points() -> pd.DataFrame:
    rows: list[tuple[str, int, str, float, float]] = []
    for x in (25, 50, 100, 200):
        # a fixed cost that the upper half hides, then the square; the loop in proportion
        rows += [("cases", x, "1-NN", 1e-6 * x**2, np.nan), ("cases", x, "1-NN, plain loop", 0.01 * x, np.nan)]
        rows.append(("resamples", x, "1-NN", 0.001 * x, 0.5 + x / 100))
        rows.append(("samples", x, "Table 4, one reading", 0.1 * x, np.nan))
    rows += [("workers", 1, "processes", 8.0, np.nan), ("workers", 2, "processes", 4.2, np.nan)]
    rows.append(("workers", 2, "Dask", 4.6, np.nan))
    return pd.DataFrame(rows, columns=["line", "x", "side", "seconds", "mebibytes"])


def test_the_power_is_that_of_the_upper_half_of_a_line() -> None:
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert grows_by(x, np.array([5.0, 5.0, 3.0, 12.0])) == pytest.approx(2.0)
    # a line of two or three points is taken whole
    assert grows_by(x[:2], np.array([1.0, 2.0])) == pytest.approx(1.0)


def test_what_is_said_follows_the_points(tmp_path: Path) -> None:
    said = growth_html(points())
    assert "with cases: 1-NN 2.00 (plain loop 1.00); with resamples: 1-NN 1.00; with samples: Table 4" in said
    assert "0.8 to 2.5 MiB more than a small one before it, from 25 to 200 resamples." in said
    assert "one process 8 s, 2 processes 4.2 s, Dask cluster of two 4.6 s" in said
    assert said.count("<tr>") == 1 + len(points())
    steeper = points()
    steeper.loc[(steeper["line"] == "resamples") & (steeper["x"] == 200), "seconds"] *= 2
    assert "with resamples: 1-NN 2.00;" in growth_html(steeper)
    write_growth(tmp_path, points())
    assert {f.name for f in (tmp_path / "extra" / "growth").iterdir()} == {"growth.svg", "growth-dark.svg"}


def test_a_clone_in_which_nothing_was_recorded_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "root", lambda: tmp_path)
    assert read_growth().empty
    assert "Nothing is recorded" in growth_html(read_growth())
    write_growth(tmp_path, read_growth())
    assert not list(tmp_path.iterdir())


def test_what_is_recorded_has_every_line_and_can_be_drawn() -> None:
    recorded = read_growth()
    assert list(dict.fromkeys(recorded["line"])) == ["cases", "resamples", "samples", "workers"]
    assert (recorded["seconds"] > 0).all()
    assert "power" in draw_growth(recorded).alt
