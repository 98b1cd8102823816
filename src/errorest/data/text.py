"""From the bytes of a CSV file to text: compression, encoding and separator, detected where not stated."""

from __future__ import annotations

import csv
import gzip
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from errorest.errors import UsageError, nearest

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
# Names that a separator may be given by, beside the character itself
SEPARATORS = tuple(_SEPARATORS.values())

_DETECTED = ",;\t|"
_LOOKED_AT = 100
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_KNOWN = {b"PK\x03\x04": "an Excel workbook or a zip file", b"%PDF": "a PDF", b"PAR1": "a Parquet file"}


def quoted(value: str) -> str:
    """Show a cell or a name in a message: on one line, in quotes, cut at 40 characters."""
    line = " ".join(value.split())
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    return f"'{line if len(line) <= 40 else line[:37] + '...'}'"


@dataclass(frozen=True)
class Text:
    """The text of a file with a separator."""

    content: str
    separator: str
    first_line: int = 1
    encoding: str = "UTF-8"
    detected: bool = True

    @property
    def separator_name(self) -> str:
        """The separator in a word."""
        return _SEPARATORS.get(self.separator, quoted(self.separator))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file, plain or compressed with gzip (recognised by content)."""
    place = Path(path)
    try:
        content = place.read_bytes()
        return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    except FileNotFoundError:
        raise UsageError(f"{place}: there is no such file; expected a CSV file; check the path") from None
    except IsADirectoryError:
        raise UsageError(f"{place}: this is a folder; expected a CSV file; name the file inside it") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UsageError(
            f"{place}: the gzip file is damaged; expected one that decompresses whole; fetch or make it again"
        ) from None
    except (OSError, ValueError) as exc:  # a path with a null character is a ValueError
        raise UsageError(
            f"{place}: the file cannot be read ({getattr(exc, 'strerror', None) or exc}); expected a CSV file that may "
            "be read; check the path and its permissions"
        ) from None


def text_of(content: bytes, source: str, *, sep: str | None = None, encoding: str | None = None) -> Text:
    """Decode a file and find its separator: stated, in a line ``sep=;``, or what parts 100 rows alike and most."""
    text, report = _decoded(content, source, encoding)
    first_line = 1
    if result := re.match(r"sep=(.)(?:\r\n|\r|\n)", text):
        text, first_line = text[result.end() :], 2
        sep = sep or result[1]
    if sep is not None:
        return Text(text, read_separator(sep), first_line, report, detected=False)
    return Text(text, _detect_separator(text), first_line, report)


def read_separator(text: str) -> str:
    """Read a separator that was stated: a character, or its name."""
    names = {name: character for character, name in _SEPARATORS.items()}
    sep = names.get(text.lower(), "\t" if text == "\\t" else text)
    if len(sep) != 1 or sep.isalnum() or sep in "\"'.+-_\r\n\0" or ord(sep) > 127:
        raise UsageError(
            f"separator {quoted(text)} was stated; expected one character, such as ';', or one of "
            f"{', '.join(SEPARATORS)}; {nearest(text, SEPARATORS)}"
        )
    return sep


def _decoded(content: bytes, source: str, encoding: str | None) -> tuple[str, str]:
    known = next((what for mark, what in _KNOWN.items() if content.startswith(mark)), None)
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if known is not None:
        raise UsageError(f"{source}: this is {known}; expected text; save the table as CSV")
    if encoding is not None:
        text, message = _decoded_as(content, source, encoding), encoding
    elif marked is not None:
        text = _decoded_as(content, source, marked)
        message = "UTF-8 with a byte-order mark" if marked == "utf-8-sig" else "UTF-16"
    else:
        text, message = _guessed(content)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(
            f"{source}: line {line} holds a null character, so that this is no text, or none in {message}; expected "
            "a CSV file; save it as CSV in UTF-8, or state its encoding"
        )
    return text, message


def _decoded_as(content: bytes, source: str, encoding: str) -> str:
    try:
        return content.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
    except LookupError:
        raise UsageError(
            f"{source}: unknown encoding {quoted(encoding)}; expected a name that Python knows, such as utf-8 or "
            f"latin-1; {nearest(encoding, ('utf-8', 'utf-16', 'latin-1', 'cp1252', 'mac-roman', 'shift-jis'))}"
        ) from None
    except (UnicodeError, ValueError) as exc:
        start = getattr(exc, "start", None)
        line = f"line {content.count(bytes([10]), 0, start) + 1}" if start is not None else "the file"
        raise UsageError(
            f"{source}: {line} is not text in {encoding}; expected a CSV file in that encoding; state another, or "
            "convert the file to UTF-8"
        ) from None


def _guessed(content: bytes) -> tuple[str, str]:
    for encoding, report in (("utf-8", "UTF-8"), ("cp1252", "Windows-1252 (latin-1)")):
        try:
            return content.decode(encoding), report
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), "latin-1"


def _detect_separator(text: str) -> str:
    best, most = ",", 1
    for sep in _DETECTED:
        widths = list(islice(_widths(text, sep), _LOOKED_AT + 1))
        if widths and widths[0] > most and set(widths) == {widths[0]}:
            best, most = sep, widths[0]
    if most > 1:
        return best
    # no separator suits all rows: the one that parts the header most, so that the odd row is named
    heads = {sep: next(_widths(text, sep), 1) for sep in _DETECTED}
    return max(_DETECTED, key=lambda sep: heads[sep])


def _widths(text: str, sep: str) -> Iterator[int]:
    """Yield the number of cells of each row that is not blank."""
    lines = (match[0] for match in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text))
    try:
        for row in csv.reader(lines, delimiter=sep, skipinitialspace=True):
            if len(row) > 1 or any(cell.strip() for cell in row):
                yield len(row)
    except csv.Error:
        return
