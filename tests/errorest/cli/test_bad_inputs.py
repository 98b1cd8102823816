"""Hundreds of bad inputs, by table, and one oracle: a refusal in one line, or a result that tells what it took.

Nothing that stood in the folder before is changed by any of them, and none ends in a traceback.
"""

from __future__ import annotations

import gzip
import os
import random
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from errorest.cli.main import main

SEED = 20
QUICK = ["--model", "majority", "--method", "holdout(test=1/3)", "--interval", "none"]
DOCUMENTED = {
    # what is taken and told, and the words by which book/rerun.md names it
    "separator semicolon": "semicolons",
    "separator tab": "tabs",
    "separator bar": "bars",
    "decimal comma": "decimal comma",
    "byte-order mark": "byte-order mark",
    "UTF-16": "byte-order mark",
    "Windows-1252": "Windows-1252",
    "missing: ": "`NA`, `nan`, `null`, `?`",
    "taken off": "without the signs and leading zeros",
    "no known value": "a column without a value",
    "an index without a name": "an index",
    "a running number": "count up one by one",
    "an identifier": "in a column called",
    "free text": "more than half",
    "dates or times": "dates and times",
    "differ in capitals": "differ in capitals alone",
    "way the number is written": "`1` and `1.0`",
}

ESTIMATORS = r"""
    cv( cv) cv(k=0) cv(k=1) cv(k=-3) cv(k=2.5) cv(k=five) cv(k=) cv(=5) cv(5) cv(k=5,k=6) cv(k=5,repeats=0)
    cv(k=5,folds=3) cv(k=1000) cv(k=99999999999999999999) cv(k=5,stratified=maybe) cv(k=None) cv(k=[5]) cv(k='5 cv-5
    CV5 crossvalidation holdout(test=0) holdout(test=-1/3) holdout(test=1/0) holdout(test=24) holdout(test=a)
    holdout(repeats=0) holdout(test=1/3,repeats=-5) hold-out loocv leave-one-out LOO632 loo(k=3) 632plus .632+x
    e0(replicates=0) e0(replicates=-1) 632+(replicates=0) 632+(replicates=1e3) 632+(replicates=ten) 632+(gamma=5)
    632+(replicates=1000000000) bootstrap632 autox AUTO None () = , ( ) (k=5) cv(k=5)) ((cv cv(k=5)(k=6) cv;cv cv?
    cv(,k=0) 1 -1 é 🎲
"""
INTERVALS = r"""
    wald cv-wald(k=0) cv-wald(k=-1) cv-wald(k=x) cv-wald(k=5,k=5) cv-wald( nested-cv(outer=0) 5x2 5x2cv(k=3)
    holdout-wilsn two-stage(draws=0) loo-walt corrected(t) percentile % ( ) = 95 None.None oob(replicates=0)
    632+(replicates=-1) NONE
"""
CLASSIFIERS = r"""
    KNNN naive knn(k=0) knn(k=-1) knn(k=three) knn(k=3,k=5) knn( knn) knn(neighbors=3) svm(C=-1) svm(c=x)
    c4.5(confidence=2) c4.5(x=1) os os.path os.system sys.exit sklearn sklearn.svm sklearn.svm.SVCC
    sklearn.linear_model.LinearRegression sklearn.cluster.KMeans sklearn.svm.SVC(C='a') sklearn.svm.SVC(c=1)
    sklearn.svm.SVC(C=1,C=2) sklearn.svm.SVC(C=__import__('os')) nosuch.module:thing good:x :x x: . .. a.b.c.d
    raising.Raises raising.Exits raising:nothing raising.NoPredict raising.Regressor raising.FitRaises
    raising.Interrupted builtins.int builtins.dict subprocess.Popen(args='touch_x') ( ) = '' é 1 majority(k=1)
"""
KINDS = "x = x= =integer x=number none=integer class=integer colour=integer x=integer"
BOUNDS = "x x= = x=1 x=a:b x=2:1 x=nan:nan none=0:1 colour=0:1 x=5:6 sample,x=0:1"
OUTPUTS = " . / no/such.csv good.csv ./good.csv fifo link.html notes.txt hard.csv soft.csv"
COMMANDS = """
    estimate
    estimates good.csv
    estimate good.csv more.csv
    compare good.csv
    compare good.csv --a majority --b knn --rope -1
    chance good.csv --model none
    chance good.csv --model majority --n-permutations 0
    chance good.csv --model majority --stratify class
    chance good.csv --model majority --scoring acu
    chance good.csv --model naive-bayes --scoring calibration-slope
    chance good.csv --model naive-bayes --pos-label a
    learning-curve good.csv --model majority --groups none
    learning-curve good.csv --model majority --scoring balance
    learning-curve good.csv --model majority --error 0
    choose good.csv
    choose good.csv --candidates
    choose good.csv --candidates majority
    choose good.csv --candidates majority majority
    choose good.csv --candidates majority none
    choose good.csv --candidates none.txt
    choose good.csv --candidates majority naive-bayes --n-resamples 0
    choose good.csv --candidates majority naive-bayes --nested loo
    estimate ''
    estimate .
    estimate /
    estimate no.csv
    estimate 'nu\0ll.csv'
    estimate /dev/null
    estimate /proc/self/mem
    estimate good.csv/x
    run 02-discriminant
    estimators x
    clone good.csv --bounds x=-9:9 --bounds x=-8:8
    clone good.csv --kind x=integer --kind x=nominal
"""
SIZES = """
    tuning-bias
    tuning-bias --test-size 0
    tuning-bias --test-size -5 --hits 3
    tuning-bias --test-size 10 --hits 5
    tuning-bias --test-size x
    tuning-bias --test-size nan
    tuning-bias --test-size 1e400
    tuning-bias --gain 0.1
    tuning-bias --test-size 10 --hits 5 --trials 2 --gain .1
    tuning-bias --test-size 1e15 --hits x --trials 2
    tuning-bias --test-size 10 --hits 5 --trials 2 --entropy -1
"""


@dataclass(frozen=True)
class Bad:
    """Files to put into a folder, a command, and words that a result has to tell; without words it is refused."""

    name: str
    command: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    told: str = ""


def table(rows: int = 24, sep: str = ",", extra: tuple[str, ...] = (), cells: object = None) -> list[list[str]]:
    rng = random.Random(SEED)
    out = [["x", "colour", *extra, "class"]]
    for k in range(rows):
        more = [str(cells[k % len(cells)])] if extra and isinstance(cells, list) else []  # type: ignore[index]
        out.append([f"{rng.gauss(0, 1):.2f}", rng.choice(["red", "blue"]), *more, "ab"[k % 2]])
    return out


def written(rows: list[list[str]], sep: str = ",", end: str = "\n") -> bytes:
    return "".join(sep.join(f'"{c}"' if sep in c else c for c in row) + end for row in rows).encode()


def of_file(name: str, content: bytes, told: str = "", path: str = "bad.csv", options: tuple[str, ...] = ()) -> Bad:
    return Bad(name, ["estimate", path, *QUICK, *options], {path: content}, told)


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


def wrong_ids() -> Iterator[Bad]:
    for text in [*ESTIMATORS.split(), "", " ", "cv (k = 0)", "cv(k=5" + ")" * 50, "x" * 5000, "cv(" * 500]:
        yield Bad(
            f"estimator {text[:30]!r}",
            ["estimate", "good.csv", "--model", "majority", "--interval", "none", f"--method={text}"],
        )
    for text in [*INTERVALS.split(), "", " ", "x" * 3000]:
        yield Bad(
            f"interval {text[:30]!r}",
            ["estimate", "good.csv", "--model", "majority", "--method", "cv(k=3)", f"--interval={text}"],
        )
    for text in [
        *CLASSIFIERS.split(),
        "",
        " ",
        "x" * 3000,
        "knn(" * 300,
        "sklearn.svm.SVC(C=" + "(" * 300 + ")" * 300 + ")",
    ]:
        yield Bad(
            f"classifier {text[:30]!r}",
            ["estimate", "good.csv", "--method", "cv(k=3)", "--interval", "none", f"--model={text}"],
        )
        yield Bad(
            f"compare with {text[:30]!r}",
            ["compare", "good.csv", "--a", "majority", f"--b={text}", "--method", "cv(k=3)"],
        )


def wrong_options() -> Iterator[Bad]:
    command = ["estimate", "good.csv", *QUICK]
    for option, values in {
        "--seed": ("-1", "x", "1.5", "", "9" * 5000, "1e3", "None"),
        "--confidence-level": ("0", "1", "95", "-1", "nan", "inf", "x", ""),
        "--n-jobs": ("0", "-2", "x", "1.5", ""),
        "--groups": ("class", "none", "", "colour,x", "x" * 500),
        "--stratify": ("none", "", "Class", "x" * 500),
        "--target": ("none", "", "Class", "x", "classs", "class ", "a\nb", "\x1b[31m"),
        "--sep": ("", "ab", "a", "1", '"', "\n", "tabs", "é", "."),
        "--decimal": ("", ";", "..", "point", "1"),
        "--encoding": ("", "utf-88", "hex", "rot13", "ascii\0", "utf-16", "zlib"),
        "--drop": ("none", "class", "x,none", '"x', "x,colour", ","),
        "--kind": [
            "x",
            "=",
            "x=",
            "=integer",
            "x=number",
            "none=integer",
            "class=integer",
            "colour=integer",
            "x=integer",
        ],
        "--missing": ('"a', "a", "a\nb,c"),
        "--html": ("", ".", "/", "no/such/page.html", "good.csv", "fifo", "link.html", "notes.txt", "p" * 300),
        "--nonsense": ("1",),
    }.items():
        for value in values:
            yield Bad(f"{option} {value[:20]!r}", [*command, f"{option}={value}"])
    for arguments in ["", *COMMANDS.strip().splitlines()]:
        yield Bad(arguments.strip()[:60] or "nothing", shlex.split(arguments))


def wrong_clones() -> Iterator[Bad]:
    for option, values in {
        "--n": ("0", "-1", "x", "1.5", "", "10000000000", "9" * 30),
        "--seed": ("-1", "x"),
        "--kernel": ("box", "", "Gaussian"),
        "--stages": ("-1", "7", "x"),
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
        "--out": OUTPUTS.split(" "),
        "--kind": ("x", "x=number", "class=integer"),
        "--drop": ("x,colour", "none"),
        "--target": ("none", ""),
    }.items():
        for value in values:
            yield Bad(f"clone {option} {value[:20]!r}", ["clone", "good.csv", f"{option}={value}"])
    for value in ("good.csv", "soft.csv", "hard.csv", "fifo", "link.html", "."):
        yield Bad(f"clone --force --out {value}", ["clone", "good.csv", "--out", value, "--force"])
        yield Bad(f"estimate --force --html {value}", ["estimate", "good.csv", *QUICK, "--html", value, "--force"])
    for data in ("iriss", "", ".", "good", "none.csv", "iris.csv"):
        yield Bad(f"clone {data!r}", ["clone", data])


def wrong_sizes() -> Iterator[Bad]:
    for arguments in SIZES.strip().splitlines():
        yield Bad(arguments.strip(), shlex.split(arguments))


def all_bad() -> list[Bad]:
    makers = (damaged_texts, odd_texts, odd_columns, wrong_ids, wrong_options, wrong_clones, wrong_sizes)
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
    """What stands in a folder: files with content, links with target, other things with kind."""
    seen: dict[str, object] = {}
    for name in sorted(os.listdir(folder)):
        path = folder / name
        if path.is_symlink():
            seen[name] = os.readlink(path)
        else:
            seen[name] = (path.read_bytes(), path.stat().st_ino) if path.is_file() else path.stat().st_mode
    return seen


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "notes.txt").write_text("a week of work")
    (tmp_path / "raising.py").write_bytes(RAISING)
    os.link(tmp_path / "good.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("good.csv")
    (tmp_path / "link.html").symlink_to("notes.txt")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def test_each_has_a_name() -> None:
    assert len({one.name for one in all_bad()}) == len(all_bad()) > 500


def test_what_is_taken_is_what_the_book_names() -> None:
    book = (Path(__file__).resolve().parents[3] / "book" / "rerun.md").read_text()
    for report, words in DOCUMENTED.items():
        assert words in book, report
    for bad in all_bad():
        assert not bad.told or any(bad.told.startswith(report) for report in DOCUMENTED), bad.name


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
    if bad.told:
        assert status == 0, err
        assert bad.told in err, err
    else:
        assert status == 2, (out, err)
        assert len(errors) == 1
        assert err.rstrip("\n").endswith(errors[0])
        assert out == ""
        assert "expected" in errors[0] or "; " in errors[0]
        assert len(errors[0]) < 1000
