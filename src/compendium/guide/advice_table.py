"""What to use, by kind of classifier and number of cases: the table that the page's number field looks up.

Every row recommends the library's default, .632+ with its interval or folds for many cases, and says what was measured
of .632+ near that size: on problems and populations of the same kind of classifier where there are enough, else on
those of all kinds, and nothing where these are too few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.guide.advice.parameters import AdviceParameters
from compendium.guide.coverage.methods import METHODS, settings_at
from compendium.guide.cross.settings import REFERENCE
from compendium.guide.names import INDUCERS, INTERVALS, LEARNERS, unbroken
from errorest.assessment.defaults import INTERVALS_OF, MANY, VERY_MANY
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.out_of_bag import usual_replicates

START = 60
"""The number of cases that the number field shows at first."""


DEFAULT = "bootstrap-632-plus"
"""The recommended estimator, the default of ``errorest.estimate``."""

DEFAULT_INTERVAL = next(m for m in METHODS if parse_interval(settings_at(m, START)[0]).name == INTERVALS_OF["632+"][0])
"""The recommended interval, the default of ``errorest.estimate``, as the coverage study calls it."""

MAP = "guide-coverage-map"
"""The artifact whose data ``cells`` have a line for each population, inducer, size and interval."""

_RMSE, _TARGET = "guide-cross-rmse", "this-classifier"
_OTHER = "another kind (forest, boosting, network)"
_KINDS = {unbroken(one.title): LEARNERS[one.learner].title for one in INDUCERS.values()}
_PROBLEM = re.compile(r"N=(?P<n>\d+)/(?P<inducer>.+)$")

# Populations of one kind of classifier, and cells of all kinds, from which on a coverage is stated
_FEWEST_OF_KIND, _FEWEST = 3, 8
# A size speaks for sizes up to this many times larger and smaller
_REACH = 2


class Problem(NamedTuple):
    """A setting with one classifier: kind, cases, and the root mean square errors of .632+ and ten-fold, in points."""

    kind: str
    n: int
    off: float
    ten_fold: float


class Coverage(NamedTuple):
    """The recommended interval at a sample size: mean and worst coverage of this classifier's error, mean width.

    In percent and points, over so many cells, of one kind of classifier or of all.
    """

    n: int
    mean: float
    worst: float
    width: float
    cells: int
    pooled: bool


class Advice(NamedTuple):
    """A row: classifiers, cases (the last row is open), what was measured on problems, and of the interval."""

    kind: str
    low: int
    high: int | None
    pooled: bool
    problems: tuple[Problem, ...]
    coverage: Coverage | None

    @property
    def fits(self) -> int:
        """Classifiers that the library makes for .632+ by default, at the upper end of the row."""
        return 1 + usual_replicates(self.high or self.low)

    @property
    def ratio(self) -> float:
        """Geometric mean over the problems of the error of .632+ in units of ten-fold's."""
        return float(np.exp(np.mean([np.log(p.off / p.ten_fold) for p in self.problems])))


def advice(manifests: Mapping[str, Mapping[str, Any]], data: Callable[[str, str], Any]) -> dict[str, Any] | None:
    """Return the values of the table, with the row that is shown first; None where a run lacks the measurements."""
    cells = data(MAP, "cells")
    if _RMSE not in manifests or cells is None:
        return None
    return {
        "rows": list(advice_rows(manifests[_RMSE], cells)),
        "interval": INTERVALS[DEFAULT_INTERVAL],
        "start": START,
        "first": _OTHER,
        "very_many": VERY_MANY,
        "of_kind": _FEWEST_OF_KIND,
        "of_all": _FEWEST,
        "errors": (100 * _own(cells)["error"]).to_list(),
    }


def advice_rows(manifest: Mapping[str, Any], cells: pd.DataFrame) -> Iterator[Advice]:
    """Yield the rows: for each kind of classifier, and for any other, each range of sample sizes."""
    values = {(str(r["row"]), str(r["column"])): float(r["value"]) for r in manifest["rows"] if r["value"] is not None}
    problems = []
    for row in (row for row, column in values if column == DEFAULT):
        match, off, ten_fold = _PROBLEM.search(row), values[row, DEFAULT], values[row, REFERENCE]
        if match and off > 0 and ten_fold > 0:
            problems.append(Problem(_KINDS[match["inducer"]], int(match["n"]), off, ten_fold))
    fewest, own = AdviceParameters().fewest_cases, _own(cells)
    counts = own.groupby("n").size()
    sizes = [int(n) for n in counts.index[counts >= _FEWEST]]
    for kind in (*(one.title for one in LEARNERS.values()), _OTHER):
        for low, high, n in _ranges(sizes):
            of_size = [one for one in problems if n is not None and high is not None and low <= one.n <= high]
            of_kind = [one for one in of_size if one.kind == kind]
            pooled = len(of_kind) < fewest
            chosen = of_size if pooled else of_kind
            known = tuple(chosen) if len(chosen) >= fewest else ()
            yield Advice(kind, low, high, pooled, known, None if n is None else _coverage(own[own["n"] == n], kind))


def _ranges(sizes: Sequence[int]) -> Iterator[tuple[int, int | None, int | None]]:
    """Yield ranges of sample sizes and the size that speaks for each, the nearest in ratio; None beyond its reach.

    From :data:`MANY` cases on another method is the default.
    """
    if not sizes:
        yield 1, MANY - 1, None
        yield MANY, None, None
        return
    # half-way between two sizes in ratio
    ends = [*(isqrt(a * b) for a, b in pairwise(sizes)), _REACH * sizes[-1]]
    low = sizes[0] // _REACH
    yield 1, low - 1, None
    for n, end in zip(sizes, ends, strict=True):
        if low < MANY:
            yield low, min(end, MANY - 1), n
        low = end + 1
    if low < MANY:
        yield low, MANY - 1, None
    yield MANY, None, None


def _own(cells: pd.DataFrame) -> pd.DataFrame:
    """Take the recommended interval's cells, with their kind of classifier; the majority class is none."""
    own = cells[cells["method"] == DEFAULT_INTERVAL]
    kinds = {name: LEARNERS[one.learner].title for name, one in INDUCERS.items()}
    return own.assign(kind=own["inducer"].map(kinds)).dropna(subset="kind")


def _coverage(of_size: pd.DataFrame, kind: str) -> Coverage:
    """Return what was measured at one size: of a kind where enough populations were run, else of all kinds."""
    of_kind = of_size[of_size["kind"] == kind]
    pooled = len(of_kind) < _FEWEST_OF_KIND
    own = of_size if pooled else of_kind
    mean, worst, width = 100 * own[_TARGET].mean(), 100 * own[_TARGET].min(), 100 * own["width"].mean()
    return Coverage(int(own["n"].iloc[0]), float(mean), float(worst), float(width), len(own), pooled)
