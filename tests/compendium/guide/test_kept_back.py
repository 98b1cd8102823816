"""The default interval of an error on populations that no default was chosen on: the record of kept_back.py."""

from __future__ import annotations

import importlib.util
from csv import DictReader
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from errorest.estimation.intervals import measured_coverage, parse_interval
from errorest.learners import C45, KNN, LinearDiscriminant, NaiveBayes

_FOLDER = Path(__file__).parents[3] / "benchmarks"
_SPEC = importlib.util.spec_from_file_location("kept_back", _FOLDER / "kept_back.py")
assert _SPEC is not None
assert _SPEC.loader is not None
kept_back = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(kept_back)

MADE = {"1-nn": KNN(1), "5-nn": KNN(5), "ldf": LinearDiscriminant(), "naive-bayes": NaiveBayes(), "c4.5": C45()}


def read_record() -> list[kept_back.Line]:
    """Read the record."""
    with kept_back.RECORD.open(newline="", encoding="utf-8") as file:
        return [
            kept_back.Line(
                *(r["population"], r["learner"], int(r["n"]), int(r["samples"]), r["interval"], float(r["error"])),
                *(float(r["estimate"]), int(r["classifier"]), int(r["procedure"]), float(r["width"])),
            )
            for r in DictReader(file)
        ]


def held(line: kept_back.Line) -> int:
    """Count the samples in which the interval held what it aims at."""
    return line.classifier if parse_interval(line.interval).target == "classifier" else line.procedure


def below(line: kept_back.Line, coverage: float) -> bool:
    """Whether a cell holds significantly less than a coverage, at the one-sided level .01."""
    return bool(binom.cdf(held(line), line.samples, coverage) < 0.01)


def test_the_record_is_of_all_cells_and_a_cell_comes_out_again() -> None:
    lines = read_record()
    assert [line[:4] for line in lines] == list(kept_back.cells([]))
    assert len(lines) == 410
    first = next(line for line in lines if line[:3] == ("rare", "ldf", 20))
    assert kept_back.measure(*first[:4]) == first


def test_few_cells_of_populations_that_were_kept_back_lie_below_what_the_library_tells() -> None:
    lines = [line for line in read_record() if line.population in kept_back.WORLDS]
    told = [measured_coverage(x.interval, x.n, x.estimate, MADE[x.learner]).coverage for x in lines]
    low = [x[:3] for x, c in zip(lines, told, strict=True) if below(x, c - 0.05)]
    # significantly more than five points below: at most one in fifty, and only trees
    assert len(low) <= len(lines) / 50, low
    assert {learner for _, learner, _ in low} <= {"c4.5"}
    mean = np.mean([held(x) / x.samples for x in lines])
    assert mean == pytest.approx(np.mean(told), abs=0.02)


def test_the_default_holds_two_normals_at_errors_from_a_fifth_of_a_percent_to_45_percent() -> None:
    lines = [line for line in read_record() if line.population in kept_back.NORMALS]
    assert (min(x.error for x in lines), max(x.error for x in lines)) == pytest.approx((0.002, 0.49), abs=0.02)
    # .92 or more: of 150 cells of 200 samples chance puts some lower, none significantly
    assert [x[:3] for x in lines if below(x, 0.92)] == []
