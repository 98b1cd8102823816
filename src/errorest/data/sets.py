"""The data sets of the papers: compressed CSV files inside the package, verified by their SHA-256."""

from __future__ import annotations

import csv
import functools
import gzip
import hashlib
import os
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from errorest.data.sample import Kind, Sample
from errorest.data.tables import parse_table, table_to_sample
from errorest.errors import UsageError, nearest, quoted

CLASS_COLUMN = "class"
_VARIABLE = "ERROREST_DATA"

# The kind that most attributes of a set have, and the attributes that differ.
_KINDS: Mapping[str, tuple[Kind, Mapping[str, Kind]]] = {
    # Kohavi kept the Id; every column counts as a real number.
    "breast-cancer": ("continuous", {}),
    "chess": ("nominal", {}),
    "contact-lenses": ("nominal", {}),
    "dna": ("nominal", {}),
    # The codes (chest_pain, thal and others) count as the numbers that they are written as.
    "heart": ("integer", {"oldpeak": "continuous"}),
    "hypothyroid": ("nominal", dict.fromkeys(("age", "TSH", "T3", "TT4", "T4U", "FTI", "TBG"), "continuous")),
    "iris": ("continuous", {}),
    "land-sat-test": ("integer", {}),
    "land-sat-train": ("integer", {}),
    "mushroom": ("nominal", {}),
    "pima": ("integer", {"mass": "continuous", "pedigree": "continuous"}),
    "soybean-large": ("nominal", {}),
    "vehicle": ("integer", {}),
}


def names() -> tuple[str, ...]:
    """List the project's data sets.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> names()[:3]
    ('breast-cancer', 'chess', 'contact-lenses')
    """
    return tuple(_KINDS)


def load(name: str) -> Sample:
    """Load one of the project's data sets.

    The file is read and verified once in a process; each call gives arrays of its own.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    Sample
        Rows in the order of the original file; categories and classes sorted as text.

    Raises
    ------
    UsageError
        If the name is unknown, the data folder is not found, or the file is missing or damaged.

    Examples
    --------
    >>> iris = load("iris")
    >>> iris.n, iris.d, iris.classes
    (150, 4, ('Iris-setosa', 'Iris-versicolor', 'Iris-virginica'))
    """
    _check_name(name)
    sample = _load(_data_folder(), name)
    return replace(sample, X=sample.X.copy(), y=sample.y.copy())


def digest(name: str) -> str:
    """Return the SHA-256 of a data set's decompressed file, after verifying it."""
    _check_name(name)
    folder = _data_folder()
    _load(folder, name)
    return _digests(folder)[name]


def _check_name(name: str) -> None:
    if name not in _KINDS:
        raise UsageError(
            f"unknown data set {quoted(str(name))}; expected one of the project's; {nearest(name, _KINDS)}"
        )


def _data_folder() -> Path:
    """Find the folder that holds ``checksums.csv``."""
    stated = os.environ.get(_VARIABLE)
    if stated:
        if (Path(stated) / "checksums.csv").is_file():
            return Path(stated).resolve()
        raise UsageError(
            f"{_VARIABLE} is {quoted(stated)}, where there is no checksums.csv; expected the project's data folder; "
            "correct the variable or unset it"
        )
    shipped = Path(__file__).parent / "shipped"
    if (shipped / "checksums.csv").is_file():
        return shipped
    raise UsageError(
        "the data sets were not found inside the package; expected a folder data/shipped with checksums.csv; "
        f"install errorest again, or set {_VARIABLE} to a folder that holds them"
    )


@functools.cache
def _digests(folder: Path) -> dict[str, str]:
    path = folder / "checksums.csv"
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        return {Path(row["file"]).name.removesuffix(".csv.gz"): row["sha256"] for row in rows}
    except (OSError, UnicodeDecodeError, KeyError, TypeError, csv.Error):
        raise UsageError(
            f"{path}: the list of checksums cannot be read; expected the columns file and sha256; restore it with git"
        ) from None


@functools.cache
def _load(folder: Path, name: str) -> Sample:
    path = folder / f"{name}.csv.gz"
    expected = _digests(folder).get(name)
    if expected is None:
        raise UsageError(
            f"{folder / 'checksums.csv'}: '{name}' is not listed; expected a line a data set; restore it with git"
        )
    try:
        content = gzip.decompress(path.read_bytes())
        result = hashlib.sha256(content).hexdigest()
    except FileNotFoundError:
        result = "no file"
    except (OSError, EOFError, zlib.error):
        result = "a file that cannot be read or decompressed"
    if result != expected:
        raise UsageError(
            f"{path}: the data file is damaged: found {result}; expected SHA-256 {expected} of what it unpacks to; "
            f"restore it with git or 'python data/rebuild.py {name}'"
        )
    table = parse_table(content, str(path), sep=",", encoding="utf-8")
    usual, others = _KINDS[name]
    kinds = {column: others.get(column, usual) for column in table.header if column != CLASS_COLUMN}
    return table_to_sample(table, CLASS_COLUMN, kinds=kinds, name=name)
