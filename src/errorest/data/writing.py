"""From a sample to a CSV file."""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
from pathlib import Path

from errorest.data.sample import Sample
from errorest.errors import UsageError, quoted
from errorest.files import write_output


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
