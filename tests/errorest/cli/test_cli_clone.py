"""The subcommand clone: the CSV that it writes, and one line for every mistake."""

from __future__ import annotations

import numpy as np
import pytest

from errorest.data.reading import read_csv
from errorest.resampling.clones import Cloner

ROWS = "x,size,colour,y\n1.5,3,red,a\n2.25,4,red,a\n3.5,4,blue,a\n,5,blue,b\n4.75,5,red,b\n5.5,7,,b\n"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(ROWS)
    return path


SETTINGS = "--pooled --kernel gaussian --stages 1 --bounds x=1: --bounds size=:9"
BOUNDS = {"x": (1, np.inf), "size": (-np.inf, 9)}


@pytest.mark.parametrize(
    ("typed", "settings"),
    [
        ("", {}),
        (SETTINGS, {"per_class": False, "kernel": "gaussian", "stages": 1, "bounds": BOUNDS}),
        ("--bounds sample", {"bounds": "sample"}),
    ],
)
def test_the_clone_is_that_of_the_cloner_and_reads_back(typed, settings, data, tmp_path, answer):
    out = tmp_path / "clone.csv"
    command = ["clone", str(data), "--target", "y", "--n", "40", "--seed", "3", "--out", str(out)]
    output = answer([*command, *typed.split()])
    assert out.read_text().splitlines()[0] == "x,size,colour,y"
    expected = Cloner(read_csv(data, "y"), **settings).sample(40, np.random.default_rng(3))
    assert np.array_equal(read_csv(out, "y").X, expected.X, equal_nan=True)
    assert output.out == ""
    assert "40 cases from 6" in output.err
    assert "1 continuous, 1 integer, 1 nominal" in output.err


def test_without_a_file_the_clone_is_printed_and_seeds_repeat(data, answer):
    texts = [answer(["clone", str(data), "--target", "y", "--seed", seed]).out for seed in ("1", "1", "2")]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0].splitlines()) == 7


def test_whole_numbers_can_be_smoothed_as_continuous(data, answer):
    clone = answer(["clone", str(data), "--target", "y", "--kind", "size=continuous"]).out
    sizes = [line.split(",")[1] for line in clone.splitlines()[1:]]
    assert any("." in size and not size.endswith(".0") for size in sizes)


def test_the_class_column_keeps_its_name_and_place_among_others(tmp_path, answer):
    (tmp_path / "data.csv").write_text("id,class,y\n7,1.5,a\n8,2.5,a\n9,4.5,b\n")
    stated = ["--target", "y", "--drop", "id"]
    assert answer(["clone", str(tmp_path / "data.csv"), "--n", "2", *stated]).out.splitlines()[0] == "class,y"


def test_a_set_of_the_project_is_cloned_by_name(answer):
    assert len(answer(["clone", "contact-lenses", "--n", "5"]).out.splitlines()) == 6


def test_kinds_of_the_projects_sets_are_theirs(answer):
    assert "leave it out" in answer(["clone", "pima", "--kind", "age=continuous"], 2).err
