"""What to use, by kind of classifier and number of cases: the table that the page's number field looks up.

Every row recommends the library's default, .632+ with its interval, and says what was measured of it: on problems of
the same kind and size where there are enough, else on all problems of that size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from compendium.book.templating import fill
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.cross.experiment import REFERENCE
from compendium.guide.names import INDUCERS, INTERVALS, LEARNERS, unbroken
from errorest.estimation.intervals.out_of_bag import usual_replicates

DEFAULT, DEFAULT_INTERVAL = "bootstrap-632-plus", ".632+-to-out-of-bag"
"""The recommended estimator and interval, the defaults of ``errorest.estimate``."""

SMALLEST, LARGEST, START = 10, 2000, 60
"""What the number field accepts, and what it shows at first."""

_RMSE, _COVERAGE, _WIDTH = "guide-cross-rmse", "guide-coverage-map", "guide-coverage-width"
_OTHER = "another kind (forest, boosting, network)"
_ENDS = (24, 60, 100, 500, 1000, LARGEST)
_KINDS = {unbroken(one.title): LEARNERS[one.learner].title for one in INDUCERS.values()}
_PROBLEM = re.compile(r"N=(?P<n>\d+)/(?P<inducer>.+)$")


class Problem(NamedTuple):
    """A setting with one classifier: kind, cases, and the root mean square errors of .632+ and ten-fold, in points."""

    kind: str
    n: int
    off: float
    ten_fold: float


class Coverage(NamedTuple):
    """The recommended interval at a sample size: mean coverage of this classifier's error, worst near it, width."""

    n: int
    mean: float
    worst: float
    width: float


class Advice(NamedTuple):
    """A row: classifiers, cases, whether the problems measured are of other kinds too, these problems, the coverage."""

    kind: str
    low: int
    high: int
    pooled: bool
    problems: tuple[Problem, ...]
    coverage: Coverage

    @property
    def fits(self) -> int:
        """Classifiers that the library makes by default, at the upper end of the row."""
        return 1 + usual_replicates(self.high)

    @property
    def ratio(self) -> float:
        """Geometric mean over the problems of the error of .632+ in units of ten-fold's."""
        return float(np.exp(np.mean([np.log(p.off / p.ten_fold) for p in self.problems])))


def advice_html(manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table with the row that is shown first marked; nothing where a preview lacks the measurements."""
    if not {_RMSE, _COVERAGE, _WIDTH} <= set(manifests):
        return ""
    rows = list(advice_rows(manifests))
    limits = {"smallest": SMALLEST, "largest": LARGEST, "start": START, "first": _OTHER}
    return fill("advice.html", rows=rows, interval=INTERVALS[DEFAULT_INTERVAL], **limits)


def advice_rows(manifests: Mapping[str, Mapping[str, Any]]) -> Iterator[Advice]:
    """Yield the rows: for each kind of classifier, and for any other, each range of sample sizes."""
    problems, p = _problems(manifests[_RMSE]), AdviceParameters()
    for kind in (*(one.title for one in LEARNERS.values()), _OTHER):
        for low, high in zip((SMALLEST, *(end + 1 for end in _ENDS)), _ENDS, strict=False):
            band = next(b for b in bands_of(p) if b.holds(low))
            of_size = [one for one in problems if band.holds(one.n)] or problems
            own = [one for one in of_size if one.kind == kind]
            pooled = len(own) < p.fewest_cases
            yield Advice(kind, low, high, pooled, tuple(of_size if pooled else own), _coverage(manifests, low, high))


def _problems(manifest: Mapping[str, Any]) -> list[Problem]:
    values = _values(manifest)
    results = ((row, _PROBLEM.search(row)) for row, column in values if column == DEFAULT)
    return [
        Problem(_KINDS[match["inducer"]], int(match["n"]), values[row, DEFAULT], values[row, REFERENCE])
        for row, match in results
        if match and values[row, DEFAULT] > 0 and values[row, REFERENCE] > 0
    ]


def _coverage(manifests: Mapping[str, Mapping[str, Any]], low: int, high: int) -> Coverage:
    """Return what was measured at the largest sample size of a range, and the worst of the sizes around it."""
    key = f"this-classifier/{DEFAULT_INTERVAL}"
    covered, width = _values(manifests[_COVERAGE]), _values(manifests[_WIDTH])
    column = {int(c.partition("-")[0]): c for row, c in covered if row == key}
    n = max((size for size in column if size <= high), default=min(column))
    least = max((size for size in column if size <= low), default=min(column))
    most = min((size for size in column if size >= high), default=max(column))
    worst = min(covered[f"worst-cell-{key}", column[size]] for size in column if least <= size <= most)
    return Coverage(n, covered[key, column[n]], worst, width[f"points/{DEFAULT_INTERVAL}", column[n]])


def _values(manifest: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    return {(str(r["row"]), str(r["column"])): float(r["value"]) for r in manifest["rows"] if r["value"] is not None}
