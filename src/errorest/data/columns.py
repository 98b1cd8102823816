"""What the columns of a table are taken for, unless a kind is stated:

- left out: empty columns, unnamed indexes, and from 10 cases on running numbers or distinct numbers called like ``id``;
- left out: dates and times, text whose 10 or more values all differ, or more than half of 20 or more;
- numbers with thousands, percent or currency signs become plain numbers; text among numbers is refused.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from errorest.errors import UsageError, quoted

if TYPE_CHECKING:
    from errorest.data.tables import Table

# Cells that mean a missing value where nothing else is stated
MISSING = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "na", "nan", "NaN", "NAN", "null", "Null", "NULL")

_NAMELESS = re.compile(r"Unnamed: (\d+)")
_ID = re.compile(r"(?:^|[ _.\-])(id|uuid|guid|index|idx|row|rowid|nr|no|key)$|(?<=[a-z])I[dD]$", re.IGNORECASE)
_SIGNS = "%$€£¥"
_DAY = r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[ -][A-Za-z]{3,9}\.?,?[ -]\d{2,4})"
_TIME = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?(Z| ?[+-]\d{2}:?\d{2})?"
_DATE = re.compile(rf"{_DAY}([T ]+{_TIME})?|{_TIME}")
# Below ten cases values that all differ are no sign of an identifier; a share of different texts is judged from twenty
FEW, _SOME = 10, 20
# More different numbers in a class column are taken for a measurement
_MOST_NUMBERS = 20
# Rows and characters of a cell that are printed
_SHOWN, _CUT = 40, 28
_PLAIN = {
    ".": re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"),
    ",": re.compile(r"[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?"),
}
# 1,234,567.5 with a decimal point, 1.234.567,5 with a comma; apostrophes and blanks serve either
_THOUSANDS = {
    decimal: re.compile(rf"[+-]?\d{{1,3}}(?:([{sign}' \u00a0\u202f])\d{{3}})+(?:{re.escape(decimal)}\d+)?")
    for decimal, sign in (".,", ",.")
}


@dataclass(frozen=True)
class Column:
    """One column of a file, as it was understood.

    Parameters
    ----------
    name : str
    kind : str
        ``continuous``, ``integer``, ``nominal``, ``class`` or ``left out``.
    missing : int
        Missing cells.
    distinct : int
        Different known cells.
    example : str
        A frequent known cell as written; empty where there is none.
    note : str
        Why it was left out, or what was converted; empty where nothing is to be said.

    Examples
    --------
    >>> Column("age", "integer", 0, 2, "31").kind
    'integer'
    """

    name: str
    kind: str
    missing: int
    distinct: int
    example: str
    note: str = ""


@dataclass(frozen=True)
class ReadReport:
    """How a file was read: the table that is printed before every estimate.

    Parameters
    ----------
    source : str
        The file.
    class_column : str
    columns : tuple of Column
        In the order of the file.
    taken : tuple of str
        Sentences: separator, decimal sign and encoding, cells that are missing, and what should be checked.
    lines : tuple of int, length n
        The line of the file on which each case starts, from 1.

    Examples
    --------
    >>> print(ReadReport("x.csv", "y", (Column("y", "class", 0, 2, "a"),), ("2 cases",), (2, 3)))
    x.csv: 2 cases
      column  kind   missing  distinct  example
      y       class  0        2         a
    """

    source: str
    class_column: str
    columns: tuple[Column, ...]
    taken: tuple[str, ...]
    lines: tuple[int, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or converted, a sentence a column."""
        return tuple(f"column {quoted(c.name)}: {c.note}" for c in self.columns if c.note)

    def rows(self, most: int | None = None) -> list[tuple[str, ...]]:
        """Return the table's rows as texts under a heading; beyond ``most`` columns those with a note alone."""
        shown = self.columns if most is None else self.columns[:most]
        shown += tuple(c for c in self.columns[len(shown) :] if c.note)[:most]
        heading: tuple[str, ...] = ("column", "kind", "missing", "distinct", "example", "")
        return [heading] + [
            (_cut(c.name), c.kind, str(c.missing), str(c.distinct), _cut(c.example), c.note and f"({c.note})")
            for c in shown
        ]

    def __str__(self) -> str:
        rows = self.rows(_SHOWN)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        body = ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        left = len(self.columns) - len(rows) + 1
        more = [f"  and {left} more columns"] if left else []
        return "\n".join([f"{self.source}: {'; '.join(self.taken)}", *body, *more])


def _cut(text: str) -> str:
    line = quoted(text)[1:-1]
    return line if len(line) <= _CUT else line[: _CUT - 3] + "..."


def number_of(cell: str, decimal: str = ".") -> float | None:
    """Read a number as tables write it; None where it is none, or too large."""
    # Python's float() takes "nan", "inf" and "1_000", which are text in a table.
    value = float(cell.replace(",", ".")) if _PLAIN[decimal].fullmatch(cell) else None
    return value if value is not None and math.isfinite(value) else None


def signed_number_of(cell: str, decimal: str) -> tuple[float, str] | None:
    """Read a number with thousands signs, a percent or a currency sign; with the signs that were taken off."""
    signs = next((sign for sign in (cell[:1], cell[-1:]) if sign and sign in _SIGNS), "")
    bare = (cell.removeprefix(signs) if cell.startswith(signs) else cell.removesuffix(signs)).strip()
    if result := _THOUSANDS[decimal].fullmatch(bare):
        signs += result[1]
        bare = bare.replace(result[1], "")
    value = number_of(bare, decimal)
    return None if value is None else (value, signs)


def decimal_of(
    stated: str | None, columns: Sequence[Sequence[str]], unknown: Collection[str], commas: bool, source: str
) -> str:
    """Return the decimal sign: as stated, else a comma where numbers need it.

    ``1,234`` is thousands where commas separate cells (``commas``).
    """
    if stated is not None:
        if stated not in _PLAIN:
            raise UsageError(f"{source}: decimal sign {quoted(stated)} was stated; expected '.' or ','", "", "decimal")
        return stated
    if not any("," in cell for cells in columns for cell in cells):
        return "."
    needs: dict[str, str] = {}
    either = False
    for cells in columns:
        known = set(cells).difference(unknown)
        if signed := [cell for cell in known if "," in cell or "." in cell]:
            # 1,5 needs a comma and 1.5 a point; 1,234 may be either
            fits = [sign for sign in ",." if all(signed_number_of(cell, sign) for cell in known)]
            if len(fits) == 1:
                needs.setdefault(fits[0], min(signed))
            either |= len(fits) == 2 and any("," in cell for cell in known)
    if len(needs) == 2:
        one, other = map(quoted, needs.values())
        raise UsageError(f"{source}: one column holds {one} and another {other}", "state the decimal sign", "decimal")
    return next(iter(needs), "," if either and not commas else ".")


def take_column(
    table: Table, name: str, cells: Sequence[str], declared: str | None, unknown: Collection[str], decimal: str
) -> tuple[Column, dict[str, float]]:
    """Decide what a column is, and what its cells mean; a column that is left out has no values."""
    counts = Counter(cell for cell in cells if cell not in unknown)
    n_known = sum(counts.values())
    where = f"{table.source}: column {quoted(name)}"
    numbers, converted = _as_numbers(counts, decimal)
    whole = all(value == math.floor(value) for value in numbers.values())
    kind, note = "left out", ""
    if declared == "left out":
        note = "as stated"
    elif not counts:
        if declared is not None:
            raise UsageError(f"{where} has no known value; drop it, or state no kind for it")
        note = "no known value"
    elif declared == "nominal":
        kind = declared
    elif declared is not None:
        fits = {cell for cell, value in numbers.items() if declared == "continuous" or value == math.floor(value)}
        for cell, line in zip(cells, table.lines, strict=True):
            if cell in counts and cell not in fits:
                hint = f"list it as missing, or declare the column {'continuous' if cell in numbers else 'nominal'}"
                raise UsageError(f"{where} is {declared} and holds {quoted(cell)} on line {line}", hint, "missing")
        kind, note = declared, converted
    elif nameless := _NAMELESS.fullmatch(name):
        if len(counts) < n_known:
            raise UsageError(f"{table.source}: column {int(nameless[1]) + 1} has no name", "name it, or drop it")
        note = "an index without a name"
    elif len(numbers) == len(counts):
        note = identifies(name, [numbers[c] for c in cells if c in numbers], len(cells)) if whole else ""
        if not note:
            kind, note = "integer" if whole else "continuous", converted
    elif all(_DATE.fullmatch(cell) for cell in counts):
        note = "dates or times; turn them into numbers to use them"
    else:
        _check_strays(where, cells, counts, decimal, table.lines)
        note = free_text(len(counts), n_known)
        kind = kind if note else "nominal"
    if kind == "nominal":
        numbers = {cell: float(k) for k, cell in enumerate(sorted(counts))}
    example = counts.most_common(1)[0][0] if counts else ""
    return Column(name, kind, len(cells) - n_known, len(counts), example, note), numbers if kind != "left out" else {}


def identifies(name: str, values: Sequence[float], n: int) -> str:
    """Say why whole numbers are an identifier; empty where they may be none."""
    if n < FEW or len(values) < n or len(set(values)) < n:
        return ""
    # whatever it is called, in the order of the file: a row number is no attribute of a case, and where the file is
    # sorted by class it gives the class away
    if all(b - a == 1 for a, b in pairwise(values)):
        return "a running number"
    return "an identifier: whole numbers that all differ" if _ID.search(name) else ""


def free_text(distinct: int, n_known: int) -> str:
    """Say why texts are no categories, of how many differ among the known ones; empty where they may be."""
    if n_known >= FEW and distinct == n_known:
        return "an identifier or free text: all values differ"
    # a category with one case carries no information about other cases
    if n_known >= _SOME and 2 * distinct > n_known:
        return f"free text or names: {distinct} different values in {n_known} cases"
    return ""


def _as_numbers(counts: Mapping[str, int], decimal: str) -> tuple[dict[str, float], str]:
    """Read what can be read as a number; signs are taken off only where all cells are numbers then."""
    plain = {cell: value for cell in counts if (value := number_of(cell, decimal)) is not None}
    if len(plain) == len(counts):
        zeros = any(re.match(r"0\d", cell) for cell in counts)
        return plain, "leading zeros taken off; if these are codes, state the kind nominal" if zeros else ""
    read = {cell: result for cell in counts if (result := signed_number_of(cell, decimal)) is not None}
    units = {"".join(sign for sign in signs if sign in _SIGNS) for _, signs in read.values()}
    # two currencies are no numbers, and a percent sign in some cells alone leaves open what the others are
    if len(read) < len(counts) or len(units - {""}) > 1 or units >= {"", "%"}:
        return plain, ""
    taken = sorted({sign for _, signs in read.values() for sign in signs})
    return {cell: value for cell, (value, _) in read.items()}, f"taken off: {' '.join(map(repr, taken))}"


def _check_strays(
    where: str, cells: Sequence[str], counts: Mapping[str, int], decimal: str, lines: Sequence[int]
) -> None:
    """Refuse text, or signs, in some cells of a column that mostly holds numbers."""
    n_known = sum(counts.values())
    text = {cell for cell in counts if signed_number_of(cell, decimal) is None}
    # where more than half of the cells are text the column is nominal, and numbers are names
    if 2 * (n_text := sum(counts[cell] for cell in text)) > n_known:
        return
    odd = text or {cell for cell in counts if number_of(cell, decimal) is None}
    cell, line = next(pair for pair in zip(cells, lines, strict=True) if pair[0] in odd)
    among = f"among numbers ({n_text} of {n_known} known cells are text)" if text else "and numbers with other signs"
    raise UsageError(
        f"{where} holds {quoted(cell)} on line {line} {among}",
        f"{'list it as missing' if text else 'write all alike'}, or declare the column nominal",
        "missing" if text else "kind",
    )


def are_measured(distinct: int, n: int) -> bool:
    """Whether so many different numbers in n cases are a measurement, and no classes."""
    return distinct > _MOST_NUMBERS or distinct > max(5, n / 2)


def check_classes(column: str, cells: Sequence[str], *, source: str, decimal: str = ".") -> tuple[str, ...]:
    """Refuse a class column of measurements or names, and report classes that are written alike."""
    labels, n = sorted(set(cells)), len(cells)
    numbers = all(signed_number_of(label, decimal) is not None for label in labels)
    if are_measured(len(labels), n) if numbers else n >= _SOME and 2 * len(labels) > n:
        what = "numbers" if numbers else "texts"
        hint = "to predict numbers is regression; cut them into classes" if numbers else "name a column of few classes"
        raise UsageError(
            f"{source}: class column {quoted(column)} holds {len(labels)} different {what} in {n} cases",
            f"{hint}, or declare the column nominal",
            "kind",
        )
    return written_alike(labels, decimal)


# What two labels may differ in, from what changes a text least
_FORMS: dict[str, Callable[[str], str]] = {
    "Unicode normal form": lambda text: unicodedata.normalize("NFC", text),
    "blanks": lambda text: " ".join(unicodedata.normalize("NFC", text).split()),
    "capitals": lambda text: " ".join(unicodedata.normalize("NFC", text).split()).casefold(),
}


def written_alike(labels: Sequence[str], decimal: str = ".") -> tuple[str, ...]:
    """Say which labels differ only in how a number, blanks, capitals or composed letters are written."""
    messages = []
    seen: dict[object, str] = {}
    for label in labels:
        number = signed_number_of(label, decimal)
        first = seen.setdefault(_FORMS["capitals"](label) if number is None else number[0], label)
        if first != label:
            how = "the way the number is written"
            if number is None:
                how = next(what for what, form in _FORMS.items() if form(first) == form(label))
            messages.append(f"classes {quoted(first)} and {quoted(label)} differ in {how} alone")
    return tuple(messages)
