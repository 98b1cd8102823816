"""The command clone: what it writes and prints, what it never writes over, and one line for every mistake."""

import csv
import io
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from compendium.cli.main import main
from compendium.methods.clones import Cloner
from conftest import Answer
from errorest.data.reading import read_csv


@pytest.fixture
def clone(capsys):
    """Run the command, compare its status, and return what it printed."""

    def run(*arguments: str, status: int = 0) -> Answer:
        capsys.readouterr()
        assert main(["clone", *arguments]) == status
        return Answer(*capsys.readouterr())

    return run


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.csv"
    path.write_text("x,class\n" + "".join(f"{k % 7},{'ab'[k % 2]}\n" for k in range(20)))
    return path


ROWS = "x,size,colour,y\n1.5,3,red,a\n2.25,4,red,a\n3.5,4,blue,a\n,5,blue,b\n4.75,5,red,b\n5.5,7,,b\n"


@pytest.fixture
def six(tmp_path):
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
def test_the_clone_is_that_of_the_cloner_and_reads_back(typed, settings, six, tmp_path, clone):
    out = tmp_path / "clone.csv"
    output = clone(str(six), "--target", "y", "--n", "40", "--seed", "3", "--out", str(out), *typed.split())
    assert out.read_text().splitlines()[0] == "x,size,colour,y"
    expected = Cloner(read_csv(six, "y"), **settings).sample(40, np.random.default_rng(3))
    assert np.array_equal(read_csv(out, "y").X, expected.X, equal_nan=True)
    assert output.out == ""
    assert "40 cases from 6" in output.err
    assert "1 continuous, 1 integer, 1 nominal" in output.err


def test_without_a_file_the_clone_is_printed_and_seeds_repeat(six, clone):
    texts = [clone(str(six), "--target", "y", "--seed", seed).out for seed in ("1", "1", "2")]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0].splitlines()) == 7


def test_whole_numbers_can_be_smoothed_as_continuous(six, clone):
    printed = clone(str(six), "--target", "y", "--kind", "size=continuous").out
    sizes = [line.split(",")[1] for line in printed.splitlines()[1:]]
    assert any("." in size and not size.endswith(".0") for size in sizes)


def test_the_class_column_keeps_its_name_and_place_among_others(tmp_path, clone):
    (tmp_path / "data.csv").write_text("id,class,y\n7,1.5,a\n8,2.5,a\n9,4.5,b\n")
    stated = ["--target", "y", "--drop", "id"]
    assert clone(str(tmp_path / "data.csv"), "--n", "2", *stated).out.splitlines()[0] == "class,y"


def test_kinds_of_the_projects_sets_are_theirs(clone):
    assert "leave it out" in clone("pima", "--kind", "age=continuous", status=2).err


def test_a_clone_is_escaped_for_spreadsheets_only_where_it_is_requested(small, clone) -> None:
    small.write_text("x,c,class\n-1.5,=1+1,a\n2,@b,-b\n3,=1+1,a\n4,d,-b\n5,d,a\n")
    plain, err = clone("x.csv", "--n", "40")
    assert ",=1+1," in plain
    assert "spreadsheet" not in err
    escaped, err = clone("x.csv", "--n", "40", "--for-spreadsheets")
    assert ",'=1+1," in escaped
    assert ",'-b\n" in escaped
    assert "\n-1." in escaped or "\n1." in escaped
    assert "' stands before" in err
    assert escaped.replace("'", "") == plain


HOSTILE = ["\x1b]0;owned\x07", "\x1b[31mred", "a\u202eb", "c\x9bd", "e\r\nf", "g\u2028h"]


def test_answers_hold_no_sign_that_is_not_seen(tmp_path, monkeypatch, clone):
    monkeypatch.chdir(tmp_path)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["number\x1b[5m", "kind\u202e", "y"])
    rows.writerows([[i * 37 % 101, "uv\x07"[i % 3], HOSTILE[i // 2 % 6]] for i in range(120)])
    name = "\x1b[1mx\u202e.csv"
    Path(name).write_text(text.getvalue(), newline="")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    output = clone(name, "--target", "y")
    kinds = {c: unicodedata.category(c) for c in (output.out + output.err).replace("\n", "")}
    assert [c for c, kind in kinds.items() if kind in ("Cc", "Cf", "Cs", "Zl", "Zp")] == []


# files


def test_a_file_that_exists_is_written_over_with_force_alone(small, clone):
    out = small.parent / "notes.txt"
    out.write_text("a week of work")
    assert "--force" in clone("x.csv", "--out", "notes.txt", status=2).err
    assert out.read_text() == "a week of work"
    clone("x.csv", "--out", "notes.txt", "--force")
    assert "x,class" in out.read_text()
    clone("x.csv", "--out", "notes.txt", status=2)


def test_standard_output_is_written_to_and_stands_in_order(small):
    out = small.parent / "out.txt"
    with open(out, "wb") as handle:
        handle.write(b"before\n")
        handle.flush()
        command = [sys.executable, "-m", "compendium.cli.main", "clone", "x.csv", "--out", "/dev/stdout"]
        subprocess.run(command, stdout=handle, stderr=subprocess.DEVNULL, check=True)
    assert out.read_text().startswith("before\nx,class\n")
    assert len(out.read_text().splitlines()) == 22


@pytest.mark.parametrize(("where", "status"), [("full", 2), ("closed pipe", 0)])
def test_a_standard_output_that_takes_nothing_is_no_traceback(where, status):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "compendium.cli.main", "clone", "contact-lenses", "--n", "5000"]
    with open("/dev/full", "wb") if where == "full" else os.fdopen(write, "wb") as out:
        ran = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == status
    assert (b"No space left on device" in ran.stderr) == (where == "full")
    assert b"Traceback" not in ran.stderr


# mistakes

VALUES = {
    "--n": ["0", "-1", "x", "1.5", "", "10000000000", "999999999999999999999999999999"],
    "--seed": ["-1", "x"],
    "--kernel": ["box", "", "Gaussian"],
    "--stages": ["-1", "7", "x"],
    "--bounds": [
        "x",
        "x=",
        "=",
        "x=1",
        "x=a:b",
        "x=2:1",
        "x=nan:nan",
        "none=0:1",
        "colour=0:1",
        "x=5:6",
        "sample,x=0:1",
    ],
    "--out": [
        *("", ".", "/", "no/such.csv", "good.csv", "./good.csv", "fifo", "link.html", "notes.txt", "hard.csv"),
        *("soft.csv", "a" * 5000),
    ],
    "--kind": ["x", "x=number", "class=integer"],
    "--drop": ["x,colour", "none"],
    "--target": ["none", ""],
}
FORCED = ["good.csv", "soft.csv", "hard.csv", "fifo", "link.html", ".", "", "/", "nu\0ll", "no/such/folder/x.csv"]
MISTAKES = [
    *(["good.csv", f"{option}={value}"] for option, values in VALUES.items() for value in values),
    *(["good.csv", "--out", value, "--force"] for value in FORCED),
    ["good.csv", "--bounds", "x=-9:9", "--bounds", "x=-8:8"],
    ["good.csv", "--kind", "x=integer", "--kind", "x=nominal"],
    *([name] for name in ("iriss", "", ".", "good", "none.csv", "iris.csv")),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = np.random.default_rng(20).normal(size=24)
    rows = "".join(f"{x:.2f},{('red', 'blue')[k % 3 // 2]},{'ab'[k % 2]}\n" for k, x in enumerate(values))
    (tmp_path / "good.csv").write_text("x,colour,class\n" + rows)
    (tmp_path / "notes.txt").write_text("a week of work")
    os.link(tmp_path / "good.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("good.csv")
    (tmp_path / "link.html").symlink_to("notes.txt")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


@pytest.mark.parametrize("arguments", MISTAKES, ids=lambda a: " ".join(a).encode("unicode_escape").decode()[:80])
def test_a_mistake_is_refused_in_one_line_and_changes_no_file(arguments, folder, clone):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    output = clone(*arguments, status=2)
    assert output.out == ""
    (error,) = [line for line in output.err.splitlines() if line.startswith("error: ")]
    assert output.err.rstrip("\n").endswith(error)
    assert "expected" in error or "; " in error
    assert len(error) < 1000
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
