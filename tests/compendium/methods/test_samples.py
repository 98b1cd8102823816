"""Samples by name or from a file, and the way back to a file."""

import os
import stat

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batteries import assert_refused
from compendium.methods.samples import load_or_read, write_csv
from errorest.data.reading import read_csv
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import load


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("age,code,y\n31,7,a\n45,8,b\n40,9,b\n")
    return path


def test_a_name_of_the_project_or_a_path_will_do(own, monkeypatch):
    assert load_or_read("iris").digest() == load("iris").digest()
    assert load_or_read("iris", "class").n == 150
    assert load_or_read(own, "y").n == 3
    assert load_or_read(str(own), "y").n == 3
    bare = own.with_name("bare")
    bare.write_text("x,class\n1,a\n2,b\n")
    monkeypatch.chdir(own.parent)
    assert load_or_read("bare").n == 2


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda own: load_or_read("irs"), ("did you mean 'iris'?", "path")),
        (lambda own: load_or_read(own.with_name("none.csv")), ("No such file",)),
        (lambda own: load_or_read(own.parent), ("directory",)),
        (lambda own: load_or_read("iris", "petalwidth"), ("'petalwidth'", "'class'")),
    ],
)
def test_a_name_that_is_no_set_and_no_file_is_refused(own, call, parts):
    assert_refused([*parts], call, own)


def kinds_of(sample):
    return {a.name: a.kind for a in sample.attributes}


texts = st.text("abcxyz019 ,;\"'?é-", min_size=1, max_size=6).map(str.strip).filter(bool)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(2, 8), suffix=st.sampled_from([".csv", ".csv.gz"]))
def test_a_sample_that_is_written_reads_back_the_same(tmp_path_factory, data, n, suffix):
    def column(values):
        return data.draw(st.lists(st.none() | values, min_size=n, max_size=n).filter(lambda c: c != [None] * n))

    known = {
        "u": column(st.floats(allow_nan=False, allow_infinity=False)),
        "k": column(st.integers(-(2**53), 2**53)),
        "w": column(texts),
    }
    categories = tuple(sorted({v for v in known["w"] if v is not None}))
    codes = [None if v is None else categories.index(v) for v in known["w"]]
    classes = data.draw(st.lists(texts, min_size=2, max_size=2, unique=True).map(sorted))
    X = np.array([known["u"], known["k"], codes], dtype=float).T
    y = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda labels: len(set(labels)) == 2))
    sample = Sample.from_arrays(
        X,
        y,
        attributes=[Attribute("u"), Attribute("k", "integer"), Attribute("w", "nominal", categories)],
        classes=classes,
    )
    path = tmp_path_factory.mktemp("round") / f"t{suffix}"
    write_csv(sample, path, class_column="the class")
    back = read_csv(path, "the class", kinds=kinds_of(sample), sep=",", decimal=".", missing=[], quiet=True)
    assert back.digest() == sample.digest()
    assert back.name == "t"


def test_writing_twice_gives_equal_bytes_and_leaves_no_other_file(tmp_path):
    sample = Sample.from_arrays([[1.5], [np.nan]], ["a", "b"])
    for name in ("one.csv.gz", "two.csv.gz"):
        write_csv(sample, tmp_path / name)
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "two.csv.gz").read_bytes()
    assert (tmp_path / "one.csv.gz").read_bytes()[3:8] == bytes(5)  # no flags (so no file name), time 0
    assert sorted(os.listdir(tmp_path)) == ["one.csv.gz", "two.csv.gz"]
    assert stat.S_IMODE((tmp_path / "one.csv.gz").stat().st_mode) & 0o400


def test_what_would_not_read_back_is_not_written(tmp_path):
    path = tmp_path / "t.csv"
    for classes, column, words in (
        (("", "b"), "class", ["empty or has blanks"]),
        ((" a", "b"), "class", ["empty or has blanks"]),
        (("a", "b"), "x1", ["two columns", "'x1'"]),
    ):
        sample = Sample.from_arrays([[1], [2]], [0, 1], classes=classes)
        assert_refused(words, write_csv, sample, path, class_column=column)
    assert not os.listdir(tmp_path)


def test_a_disk_that_is_full_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    sample = Sample.from_arrays([[1], [2]], ["a", "b"])
    write_csv(sample, path)
    before = path.read_bytes()

    def full(new, old):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert_refused(["No space left on device"], write_csv, sample.take(np.array([1, 0])), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["t.csv"]
