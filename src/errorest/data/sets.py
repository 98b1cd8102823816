"""The data sets of the papers, and any CSV file in their place.

Each set is a compressed CSV file in the project's data folder, verified by its
SHA-256 when it is first read; the kinds of its attributes are declared here,
not inferred.  ``rand`` of Kohavi's paper is drawn anew, since its rows were
never published.
"""

from __future__ import annotations

import csv
import functools
import gzip
import hashlib
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import yaml

from errorest.data.sample import Attribute, Kind, Sample
from errorest.data.tables import parse_table, quoted, read_table, table_to_sample, write_csv
from errorest.errors import UsageError, nearest

__all__ = [
    "Description",
    "companion_path",
    "describe",
    "digest",
    "load",
    "load_or_read",
    "names",
    "random_booleans",
    "read_csv",
    "write_csv",
]

CLASS_COLUMN = "class"
_VARIABLE = "ERROREST_DATA"
_COMPANION_KEYS = ("class", "attributes", "missing", "drop")
_MOST_DRAWS = 20_000

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
    """Return the SHA-256 of a data set's decompressed file, after verifying it.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    UsageError
        As :func:`load`.

    Examples
    --------
    >>> digest("iris")[:8]
    '5c38242d'
    """
    _check_name(name)
    folder = _data_folder()
    _load(folder, name)
    return _digests(folder)[name]


@dataclass(frozen=True)
class Description:
    """What can be counted of a data set.

    Parameters
    ----------
    name : str
    rows, attributes : int
        Cases, and attributes without the class.
    classes : mapping of str to int
        Cases of each class.
    missing : int
        Missing cells.
    duplicates : int
        Rows that repeat an earlier one in every attribute and the class.
    digest : str
        SHA-256 of the decompressed file.

    Examples
    --------
    >>> lenses = describe("contact-lenses")
    >>> lenses.rows, lenses.attributes, lenses.duplicates
    (24, 4, 0)
    """

    name: str
    rows: int
    attributes: int
    classes: Mapping[str, int]
    missing: int
    duplicates: int
    digest: str


def describe(name: str) -> Description:
    """Count what is in one of the project's data sets.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    Description

    Raises
    ------
    UsageError
        As :func:`load`.

    Examples
    --------
    >>> describe("breast-cancer").duplicates
    8
    """
    sample = load(name)
    return Description(
        name=name,
        rows=sample.n,
        attributes=sample.d,
        classes={label: int(k) for label, k in zip(sample.classes, sample.class_counts(), strict=True)},
        missing=int(np.isnan(sample.X).sum()),
        duplicates=sample.duplicates(),
        digest=digest(name),
    )


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
    for parent in Path(__file__).resolve().parents:
        if (parent / "data" / "checksums.csv").is_file():
            return parent / "data"
    raise UsageError(
        "the project's data folder was not found above the package; expected a folder data/ with checksums.csv; "
        f"set {_VARIABLE} to it, or install the package from its repository in editable mode"
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
    path = folder / "sets" / f"{name}.csv.gz"
    expected = _digests(folder).get(name)
    if expected is None:
        raise UsageError(
            f"{folder / 'checksums.csv'}: '{name}' is not listed; expected a line a data set; restore it with git"
        )
    try:
        content = gzip.decompress(path.read_bytes())
        found = hashlib.sha256(content).hexdigest()
    except FileNotFoundError:
        found = "no file"
    except (OSError, EOFError, zlib.error):
        found = "a file that cannot be read or decompressed"
    if found != expected:
        raise UsageError(
            f"{path}: the data file is damaged: found {found}; expected SHA-256 {expected} of what it unpacks to; "
            f"restore it with git or 'python data/rebuild.py {name}'"
        )
    table = parse_table(content, str(path))
    usual, others = _KINDS[name]
    kinds = {column: others.get(column, usual) for column in table.header if column != CLASS_COLUMN}
    return table_to_sample(table, CLASS_COLUMN, kinds=kinds, name=name)


def random_booleans(rng: np.random.Generator, rows: int = 3000, attributes: int = 20, duplicates: int = 9) -> Sample:
    """Draw Kohavi's data set ``rand``: fair Boolean attributes and a fair label that depends on none.

    The attributes are drawn again until exactly ``duplicates`` rows repeat the attributes of an
    earlier one, then the labels are drawn; with the defaults about one draw in 50 will do.

    Parameters
    ----------
    rng : numpy.random.Generator
    rows, attributes : int
        Shape of the sample; 1 to 62 attributes.
    duplicates : int
        How many rows repeat an earlier one; the labels are left out of the comparison.

    Returns
    -------
    Sample
        Nominal attributes ``b1``, ``b2``, ... with categories and classes ``"0"`` and ``"1"``.

    Raises
    ------
    UsageError
        If a size is out of bounds, or so many duplicates are impossible or did not come up in 20,000
        draws.

    References
    ----------
    Kohavi (1995), Table 1, ``rand``.

    Examples
    --------
    >>> sample = random_booleans(np.random.default_rng(1))
    >>> sample.n - np.unique(sample.X, axis=0).shape[0]
    9
    """
    if not (rows >= 2 and 1 <= attributes <= 62 and 0 <= duplicates < rows):
        raise UsageError(
            f"{rows} rows, {attributes} attributes and {duplicates} duplicates cannot be drawn; "
            "expected rows >= 2, attributes from 1 to 62 and 0 <= duplicates < rows; change the one out of bounds"
        )
    # A row is one number whose bits are its attributes: distinct rows are distinct numbers.
    for _ in range(_MOST_DRAWS):
        codes = rng.integers(0, 2**attributes, size=rows)
        if rows - np.unique(codes).size == duplicates:
            break
    else:
        usual = rows * (rows - 1) / 2 ** (attributes + 1)
        raise UsageError(
            f"{duplicates} duplicates came up in none of {_MOST_DRAWS} draws of {rows} rows, {attributes} attributes; "
            f"expected what chance can give (about {usual:.3g} pairs of equal rows); ask for a number nearer to that"
        )
    X = (codes[:, None] >> np.arange(attributes)) & 1
    described = [Attribute(f"b{j + 1}", "nominal", ("0", "1")) for j in range(attributes)]
    return Sample.from_arrays(X, rng.integers(0, 2, size=rows), attributes=described, classes=("0", "1"), name="rand")


def load_or_read(name_or_path: str | os.PathLike[str], class_column: str | None = None) -> Sample:
    """Load one of the project's data sets, or read a CSV file.

    Parameters
    ----------
    name_or_path : str or path-like
        A name of :func:`names`, else a path that exists or ends with ``.csv`` or ``.csv.gz``.
    class_column : str, optional
        For a CSV file as in :func:`read_csv`; the project's sets have theirs, called ``class``.

    Returns
    -------
    Sample

    Raises
    ------
    UsageError
        If it is neither; or as :func:`load` and :func:`read_csv`.

    Examples
    --------
    >>> load_or_read("contact-lenses").n
    24
    """
    text = os.fspath(name_or_path)
    if text in _KINDS:
        if class_column not in (None, CLASS_COLUMN):
            raise UsageError(
                f"{text}: unknown class column {quoted(str(class_column))}; expected '{CLASS_COLUMN}' for a set of the "
                "project; leave the class column out, or give a CSV file of your own"
            )
        return load(text)
    if text.endswith((".csv", ".csv.gz")) or os.path.exists(text):
        return read_csv(text, class_column)
    raise UsageError(
        f"unknown data set {quoted(text)}; expected a set of the project or the path of a CSV file; "
        + nearest(text, _KINDS)
    )


@dataclass(frozen=True)
class _Companion:
    """What the YAML file beside a CSV states."""

    class_column: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


def companion_path(path: str | os.PathLike[str]) -> Path:
    """Name the YAML file that may stand beside a CSV file.

    Examples
    --------
    >>> companion_path("data.csv.gz").name
    'data.yml'
    """
    place = Path(path)
    name = place.name.removesuffix(".gz").removesuffix(".csv")
    return place.parent / f"{name}.yml"


def _read_companion(path: Path) -> _Companion:
    """Read the YAML beside a CSV file; an empty one where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return _Companion()
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"{path}: the file cannot be read; expected YAML in UTF-8; mend it or move it away from the CSV file"
        ) from None
    try:
        # The base loader leaves every scalar as text: '?', 'no' and '1' are names and cells here.
        content = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise UsageError(f"{path}: {where} is not YAML; expected 'key: value' lines; mend it") from None
    shape = f"expected the keys {', '.join(_COMPANION_KEYS)}"
    if content in (None, ""):
        return _Companion()
    if not isinstance(content, dict):
        raise UsageError(f"{path}: the file is not a mapping; {shape}; write one 'key: value' a line")
    for key in content:
        if key not in _COMPANION_KEYS:
            raise UsageError(f"{path}: unknown key {quoted(str(key))}; {shape}; {nearest(str(key), _COMPANION_KEYS)}")
    class_column, kinds = content.get("class"), content.get("attributes", {})
    lists = {key: content.get(key, []) for key in ("missing", "drop")}
    if class_column is not None and not isinstance(class_column, str):
        raise UsageError(f"{path}: 'class' is not a name; expected one column; write 'class: name'")
    if not (isinstance(kinds, dict) and all(isinstance(kind, str) for kind in kinds.values())):
        raise UsageError(
            f"{path}: 'attributes' is not a mapping of names to kinds; expected 'name: kind' lines; write it so"
        )
    for key, value in lists.items():
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise UsageError(f"{path}: '{key}' is not a list of texts; expected a list; write '{key}: [a, b]'")
    return _Companion(class_column, kinds, tuple(lists["missing"]), tuple(lists["drop"]))


def read_csv(
    path: str | os.PathLike[str], class_column: str | None = None, *, kinds: Mapping[str, str] | None = None
) -> Sample:
    """Read a sample from a CSV file with a header.

    Empty cells are missing values.  A column of numbers is ``integer`` if all are whole and
    ``continuous`` otherwise; any other column is ``nominal`` with its categories in sorted order.  A
    column where at least half of the known cells are numbers and some are text is refused rather than
    guessed at, since one stray cell would make categories of all the numbers.

    A file ``data.yml`` beside ``data.csv`` or ``data.csv.gz`` may state, each key optional::

        class: y
        attributes: {age: integer, code: nominal, dose: continuous}
        missing: ["?", "NA"]
        drop: [id]

    Parameters
    ----------
    path : path-like
        Plain or compressed with gzip.
    class_column : str, optional
        By default the YAML's ``class``, else the column called ``class``.
    kinds : mapping of str to {"continuous", "integer", "nominal"}, optional
        Kinds of some attributes; these go before the YAML's.

    Returns
    -------
    Sample
        Named after the file; attributes in the order of the columns, classes sorted as text.

    Raises
    ------
    UsageError
        If the file or its YAML cannot be read or understood (see :func:`read_table`), the class column
        is unknown or has an empty cell or one class only, or a column does not fit its kind.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "example.csv"
    ...     _ = path.write_text("height,colour,class\\n1.5,red,a\\n,blue,b\\n")
    ...     sample = read_csv(path)
    >>> [(a.name, a.kind) for a in sample.attributes], sample.X.tolist()
    ([('height', 'continuous'), ('colour', 'nominal')], [[1.5, 1.0], [nan, 0.0]])
    """
    place = Path(path)
    table = read_table(place)
    companion = _read_companion(companion_path(place))
    chosen = class_column if class_column is not None else companion.class_column
    if chosen is None and CLASS_COLUMN not in table.header:
        raise UsageError(
            f"{place}: no class column is named and no column is called 'class'; expected one of "
            f"{_listing(table.header)}; name it, or write 'class: name' into {companion_path(place).name}"
        )
    chosen = chosen if chosen is not None else CLASS_COLUMN
    stated = {column: kind for column, kind in companion.kinds.items() if column != chosen}
    return table_to_sample(
        table,
        chosen,
        kinds={**stated, **(kinds or {})},
        missing=companion.missing,
        drop=companion.drop,
        name=place.name.removesuffix(".gz").removesuffix(".csv"),
    )


def _listing(names: Sequence[str]) -> str:
    shown = ", ".join(quoted(n) for n in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")
