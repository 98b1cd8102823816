"""Hundreds of bad inputs, by table, and one oracle: a refusal in one line, or a result that tells what it took.

Nothing that stood in the folder before is changed by any of them, and none ends in a traceback.
"""

import gzip
import operator
import os
import random
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from errorest.cli.main import main, parser

SEED = 20
QUICK = ["--model", "majority", "--method", "holdout(test=1/3)", "--interval", "none"]
PARSER = parser()
TABLES = tomllib.loads((Path(__file__).parent / "bad_inputs.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Bad:
    """Files to put into a folder, a command, and words that a result has to tell; without words it is refused."""

    name: str
    command: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    report: str = ""


def table(rows: int = 24, sep: str = ",", extra: tuple[str, ...] = (), cells: object = None) -> list[list[str]]:
    rng = random.Random(SEED)
    out = [["x", "colour", *extra, "class"]]
    for k in range(rows):
        more = [str(cells[k % len(cells)])] if extra and isinstance(cells, list) else []  # type: ignore[index]
        out.append([f"{rng.gauss(0, 1):.2f}", rng.choice(["red", "blue"]), *more, "ab"[k % 2]])
    return out


def written(rows: list[list[str]], sep: str = ",", end: str = "\n") -> bytes:
    return "".join(sep.join(f'"{c}"' if sep in c else c for c in row) + end for row in rows).encode()


def of_file(name: str, content: bytes, report: str = "", path: str = "bad.csv", options: tuple[str, ...] = ()) -> Bad:
    return Bad(name, ["estimate", path, *QUICK, *options], {path: content}, report)


GOOD = written(table())


def damaged_texts() -> Iterator[Bad]:
    rng = random.Random(SEED)
    for k in range(8):
        rows = table()
        row = rng.randrange(1, len(rows))
        yield of_file(f"a row too short {k}", written([*rows[:row], rows[row][:-1], *rows[row + 1 :]]))
        yield of_file(f"a row too long {k}", written([*rows[:row], [*rows[row], "1"], *rows[row + 1 :]]))
        at = rng.randrange(len(GOOD))
        yield of_file(f"a null character {k}", GOOD[:at] + b"\0" + GOOD[at:])
        stray = [*rows[:row], [rng.choice(["abc", "1O", "-", "1.2.3", "inf", "1e999", "0x1F"]), *rows[row][1:]]]
        yield of_file(f"text among numbers {k}", written([*stray, *rows[row + 1 :]]))
        label = rng.choice(["", " ", "NA", "nan", "?", "null"])
        yield of_file(f"no class {k}", written([*rows[:row], [*rows[row][:-1], label], *rows[row + 1 :]]))
        packed = gzip.compress(GOOD)
        yield of_file(f"a gzip file cut short {k}", packed[: rng.randrange(3, len(packed))], path="bad.csv.gz")
        lines = GOOD.split(b"\n")
        lines[row] = b'"' + lines[row]
        yield of_file(f"a quote that is not closed {k}", b"\n".join(lines))
    for k in range(4):
        noise = rng.randbytes(rng.randrange(1, 3000))
        yield of_file(f"noise {k}", noise)
        yield of_file(f"noise under gzip's mark {k}", b"\x1f\x8b" + noise)


def odd_texts() -> Iterator[Bad]:
    rows = table()
    for name, content in {
        "empty": b"",
        "blank": b"\n \n\t\n",
        "a mark alone": b"\xef\xbb\xbf",
        "a header alone": GOOD.split(b"\n")[0],
        "no header": b"\n".join(GOOD.split(b"\n")[1:]),
        "numbers alone": b"1,2,3\n4,5,6\n",
        "one column": b"class\na\nb\n",
        "one class": GOOD.replace(b",b\n", b",a\n"),
        "twice one name": GOOD.replace(b"colour", b"x", 1),
        "no class column": GOOD.replace(b"class", b"clas", 1),
        "a nameless column": GOOD.replace(b"colour", b"", 1),
        "blanks for separators": GOOD.replace(b",", b" "),
        "Excel": b"PK\x03\x04" + GOOD,
        "PDF": b"%PDF-1.7" + GOOD,
        "HTML": b"<!DOCTYPE html><html><body>Not found</body></html>",
        "JSON": b'{"x": [1, 2], "class": ["a", "b"]}',
        "an UTF-16 without a mark": GOOD.decode().encode("utf-16-le"),
        "half of UTF-16": b"\xff\xfe" + GOOD[:-1],
        "a cell of a megabyte": GOOD + b"1," + b"u" * 1_000_000 + b",a\n",
        "two decimal signs": written([["x", "y", "class"], ["1,5", "2.5", "a"], ["2,5", "3.5", "b"]], ";"),
        "all left out": b"day,class\n" + b"2020-01-01,a\n2020-01-02,b\n" * 5,
        "a percent sign in some cells": written(table(extra=("p",), cells=["45%", "3", "4"])),
        "two currencies": written(table(extra=("p",), cells=["$5", "€6", "7"])),
    }.items():
        yield of_file(name, content)
    for sep, named in ((";", "semicolon"), ("\t", "tab"), ("|", "bar")):
        yield of_file(f"parted by {named}", written(rows, sep), f"separator {named}")
    yield of_file("decimal commas", written(rows, ";").replace(b".", b","), "decimal comma")
    for encoding, report in (("utf-8-sig", "byte-order mark"), ("utf-16", "UTF-16"), ("latin-1", "Windows-1252")):
        yield of_file(encoding, GOOD.decode().replace("red", "größe").encode(encoding), report)
    for one, other, report in (("a", "A", "differ in capitals"), ("1", "1.0", "way the number is written")):
        swapped = [[*row[:-1], {"a": one, "b": other}.get(row[-1], row[-1])] for row in rows]
        yield of_file(f"classes {one} and {other}", written(swapped), report)
    for k, values in enumerate(
        ([f"{j / 3:.2f}" for j in range(24)], [f"{j}" for j in range(24)], [f"n{j}" for j in range(24)])
    ):
        measured = [rows[0], *([*row[:-1], value] for row, value in zip(rows[1:], values, strict=True))]
        yield of_file(f"a class of measurements {k}", written(measured))


def odd_columns() -> Iterator[Bad]:
    columns: dict[str, tuple[list[str], str]] = {
        "Unnamed: 0": ([str(k) for k in range(24)], "an index without a name"),
        "": ([str(3 * k) for k in range(24)], "an index without a name"),
        "n": ([str(k + 1) for k in range(24)], "a running number"),
        "patient_id": ([str(700 - 3 * k) for k in range(24)], "an identifier"),
        "Id": ([str(700 - 3 * k) for k in range(24)], "an identifier"),
        "ticket": ([f"A/{k} {17 * k}" for k in range(24)], "an identifier or free text"),
        "remark": ([f"was seen {k % 15} times" for k in range(24)], "free text"),
        "born": (["1931-05-06", "1960-11-30"], "dates or times"),
        "seen": (["06.05.31", "30.11.1960"], "dates or times"),
        "us": (["5/6/1931", "11/30/60"], "dates or times"),
        "long": (["6 May 1931", "30 November 1960"], "dates or times"),
        "stamp": (["1931-05-06T12:00:00+02:00", "1931-05-06 12:00"], "dates or times"),
        "at": (["12:00", "7:30 am"], "dates or times"),
        "none": ([""], "no known value"),
        "null": (["null", "NULL", "?"], "no known value"),
        "price": (["20,000", "7", "1,234.50"], "taken off"),
        "share": (["45%", "5.5%"], "taken off"),
        "cost": (["$5", "$1,000"], "taken off"),
        "euro": (["5 €", "7 €"], "taken off"),
        "swiss": (["1'000", "5"], "taken off"),
        "zip": (["00501", "90210"], "taken off"),
        "gaps": (["1", "NA", "?"], "missing: "),
        "more gaps": (["u", "nan", "", "v"], "missing: "),
    }
    for name, (cells, report) in columns.items():
        content = written(table(extra=(name,), cells=cells))
        yield of_file(f"column {name!r}", content, report)
        yield of_file(f"column {name!r}, gzip", gzip.compress(content), report, path="bad.csv.gz")
        yield of_file(f"column {name!r}, semicolons", written(table(extra=(name,), cells=cells), ";"), report)
        if len(cells) > 10:
            yield of_file(f"column {name!r} for a class", content, options=("--target", name or "Unnamed: 1"))


def wrong_arguments() -> Iterator[Bad]:
    for line in TABLES["commands"]:
        yield Bad(line or "nothing", shlex.split(line))
    for command, options in TABLES["values"].items():
        for option, values in options.items():
            for value in values:
                text = value if isinstance(value, str) else "".join(map(operator.mul, value[::2], value[1::2]))
                yield Bad(f"{command} {option}={text}"[:120], [*shlex.split(command), f"{option}={text}"])


def all_bad() -> list[Bad]:
    makers = (damaged_texts, odd_texts, odd_columns, wrong_arguments)
    return [bad for make in makers for bad in make()]


RAISING = b"""
class Raises:
    def __init__(self, a=1):
        raise RuntimeError("no")
class Exits:
    def __init__(self):
        raise SystemExit(3)
nothing = None
class NoPredict:
    def fit(self, X, y): pass
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
class Regressor(RegressorMixin, BaseEstimator):
    def fit(self, X, y): return self
    def predict(self, X): return X[:, 0]
class FitRaises(ClassifierMixin, BaseEstimator):
    def fit(self, X, y): raise OSError(5, "broken")
    def predict(self, X): return X
class Interrupted(ClassifierMixin, BaseEstimator):
    def fit(self, X, y): raise MemoryError
    def predict(self, X): return X
"""


def looked_at(folder: Path) -> dict[str, object]:
    """What stands in a folder: kinds and numbers of files, links and pipes, and the content of files."""
    seen = {path.name: (path, path.lstat()) for path in folder.iterdir()}
    return {
        name: (status.st_mode, status.st_ino, path.read_bytes() if path.is_file() else b"")
        for name, (path, status) in seen.items()
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    # to make it takes a third of the time of a refusal
    monkeypatch.setattr(sys.modules[main.__module__], "parser", lambda: PARSER)
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "notes.txt").write_text("a week of work")
    (tmp_path / "raising.py").write_bytes(RAISING)
    os.link(tmp_path / "good.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("good.csv")
    (tmp_path / "link.html").symlink_to("notes.txt")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def test_each_has_a_name() -> None:
    assert len({one.name for one in all_bad()}) == len(all_bad()) > 400


def test_what_is_taken_is_what_the_book_names() -> None:
    book = (Path(__file__).resolve().parents[3] / "book" / "rerun.md").read_text()
    for report, words in TABLES["documented"].items():
        assert words in book, report
    for bad in all_bad():
        assert not bad.report or any(bad.report.startswith(report) for report in TABLES["documented"]), bad.name


@pytest.mark.parametrize("bad", all_bad(), ids=lambda bad: bad.name.encode("unicode_escape").decode())
def test_a_bad_input_is_refused_in_one_line_or_reported(
    bad: Bad, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in bad.files.items():
        (folder / name).write_bytes(content)
    before = looked_at(folder)
    status = main(bad.command)
    out, err = capsys.readouterr()
    after = {name: what for name, what in looked_at(folder).items() if name != "__pycache__"}
    assert after == before
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    if bad.report:
        assert status == 0, err
        assert bad.report in err, err
    else:
        assert status == 2, (out, err)
        assert len(errors) == 1
        assert err.rstrip("\n").endswith(errors[0])
        assert out == ""
        assert "expected" in errors[0] or "; " in errors[0]
        assert len(errors[0]) < 1000
