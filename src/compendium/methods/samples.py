"""Samples by name or from a file, and back to a CSV file."""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
from pathlib import Path

from errorest.data.reading import read_csv
from errorest.data.sample import Sample
from errorest.data.sets import CLASS_COLUMN, load, names
from errorest.errors import UsageError, nearest, quoted
from errorest.files import write_output


def load_or_read(name_or_path: str | os.PathLike[str], class_column: str | None = None) -> Sample:
    """Load one of the project's data sets, or read a CSV file.

    Parameters
    ----------
    name_or_path : str or path-like
        A name of :func:`~errorest.data.names`, else a path that exists or ends with ``.csv`` or ``.csv.gz``.
    class_column : str, optional
        For a CSV file as in :func:`~errorest.data.read_csv`; the project's sets have theirs, called ``class``.

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
    if text in names():
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
        + nearest(text, names())
    )


def write_csv(sample: Sample, path: str | os.PathLike[str], *, class_column: str = "class") -> None:
    """Write a sample as CSV: categories as text, missing values empty, the class last.

    The file appears whole or not at all.  ``read_csv`` gives the sample back if the kinds are
    stated (whole numbers of a continuous attribute look like integers) and so are ``sep=","``, ``decimal="."`` and
    ``missing=[]``, and every class and category has a case.

    Parameters
    ----------
    sample : Sample
    path : path-like
        Compressed, without a time stamp, if it ends with ``.gz``.  A regular file there is replaced.
    class_column : str
        Header of the class column.

    Raises
    ------
    UsageError
        If two columns would have one name, a name or category is empty or has blanks around it (it
        would not come back), or the path is no regular file or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> sample = Sample.from_arrays([[1.5], [2.0]], ["a", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_csv(sample, Path(folder) / "example.csv")
    ...     print((Path(folder) / "example.csv").read_text())
    x1,class
    1.5,a
    2.0,b
    <BLANKLINE>
    """
    content = csv_text(sample, class_column=class_column).encode("utf-8")
    if Path(path).name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    write_output(path, content)


def csv_text(sample: Sample, *, class_column: str = "class") -> str:
    """Return what :func:`write_csv` writes."""
    header = [a.name for a in sample.attributes] + [class_column]
    if len(set(header)) < len(header):
        twice = next(h for j, h in enumerate(header) if h in header[:j])
        raise UsageError(f"{sample.name}: two columns would be called {quoted(twice)}", "choose another class_column")
    for text in (*header, *sample.classes, *(c for a in sample.attributes for c in a.categories)):
        if not text or text != text.strip():
            raise UsageError(
                f"{sample.name}: the name or category {quoted(text)} is empty or has blanks around it", "rename it"
            )
    columns = []
    for values, attribute in zip(sample.X.T.tolist(), sample.attributes, strict=True):
        if attribute.kind == "nominal":
            texts = ["" if math.isnan(v) else attribute.categories[int(v)] for v in values]
        else:
            texts = ["" if math.isnan(v) else repr(int(v) if attribute.kind == "integer" else v) for v in values]
        columns.append(texts)
    columns.append([sample.classes[k] for k in sample.y])
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()
