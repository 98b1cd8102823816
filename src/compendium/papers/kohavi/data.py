"""The data sets of Kohavi's study, with the sizes of the samples that are drawn of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from compendium.methods.samples import load_or_read
from compendium.studies.replicates import Cell
from errorest.data.sample import Attribute, Sample
from errorest.data.sets import names
from errorest.errors import UsageError, nearest
from errorest.streams import Streams

RAND = "rand"  # Name of the paper's data set without information, which is drawn again

_BOOLEANS = 20
_MOST_DRAWS = 20_000


def random_booleans(rng: np.random.Generator, rows: int = 3000, duplicates: int = 9) -> Sample:
    """Draw ``rand``: 20 fair Boolean attributes with so many duplicate rows, and a fair label."""
    # a row is one number whose bits are its attributes
    for _ in range(_MOST_DRAWS):
        codes = rng.integers(0, 2**_BOOLEANS, size=rows)
        if rows - np.unique(codes).size == duplicates:
            break
    else:
        raise UsageError(f"{duplicates} duplicates came up in none of {_MOST_DRAWS} draws of {rows} rows")
    attributes = [Attribute(f"b{j + 1}", "nominal", ("0", "1")) for j in range(_BOOLEANS)]
    X = (codes[:, None] >> np.arange(_BOOLEANS)) & 1
    return Sample.from_arrays(X, rng.integers(0, 2, size=rows), attributes=attributes, classes=("0", "1"), name=RAND)


class DataSet(NamedTuple):
    """A data set with the sample size at which it is studied."""

    name: str
    size: int
    sample: Sample
    source: str
    class_column: str | None
    number: int
    digest: str

    def cell(self, seed: int) -> Cell:
        """Return the parameters from which a worker finds the same data."""
        return {
            "source": self.source,
            "class_column": self.class_column,
            "number": self.number,
            "data_seed": seed if self.source == RAND else 0,
            "digest": self.digest,
        }


@lru_cache(maxsize=32)
def _load(source: str, class_column: str | None, seed: int, number: int) -> Sample:
    if source == RAND:
        return random_booleans(Streams(seed).child("kohavi-rand", number).generator("data"))
    return load_or_read(source, None if source in names() else class_column)


def check_source(source: str) -> None:
    """Refuse what is neither a data set of the project, nor ``rand``, nor a path."""
    if "." not in source and "/" not in source and source not in (*names(), RAND):
        raise UsageError(
            f"unknown data set '{source}'; expected a set of the project or the path of a CSV file; "
            + nearest(source, [*names(), RAND])
        )


@lru_cache(maxsize=128)
def load_set(source: str, size: int, class_column: str | None, seed: int, number: int = 0) -> DataSet:
    """Load a data set and check that samples of a size can be drawn of it."""
    check_source(source)
    sample = _load(source, class_column, seed if source == RAND else 0, number)
    if np.count_nonzero(sample.class_counts()) < 2:
        raise UsageError(f"{sample.name} has one class only; expected at least two; choose another class column")
    if not 2 <= size < sample.n:
        raise UsageError(
            f"{sample.name} has {sample.n} cases and samples of {size} were asked for; expected 2 to {sample.n - 1}, "
            f'since the rest is the test set; give a smaller size for it, as in -p "sizes=[{sample.n // 2}]"'
        )
    return DataSet(sample.name, size, sample, source, class_column, number, sample.digest())


def distinct_names(sets: Sequence[DataSet]) -> list[DataSet]:
    """Name a file with its path where another data set of the run or of the project has its name."""
    of_project = {*names(), RAND}
    counts = Counter(one.name for one in sets)
    # a stroke in a name would part the keys of rows
    return [
        one._replace(name=f"{one.name} ({one.source.replace('/', ':')})")
        if one.source not in of_project and (counts[one.name] > 1 or one.name in of_project)
        else one
        for one in sets
    ]


def whole_of(cell: Cell) -> Sample:
    """Return the data set that the parameters of a cell stand for."""
    return _load(cell["source"], cell["class_column"], cell["data_seed"], cell["number"])
