"""The cases of both halves of the paper: the trials of a classifier in a setting or on a data set, under a reading.

A reading changes nothing but which estimate stands in which row, so it is a table of renamed columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import matching
from compendium.evidence.results import Row
from compendium.evidence.trials import Trials
from compendium.papers.shakhnarovich.methods import ESTIMATORS, TO_ZERO, NamedInducer
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.studies.experiment import TRUE_ERROR

# Reading in which every sample has the classes in the proportions of the whole data set
STRATIFIED = "fitted:stratified-samples"

# Rows of the UCI tables, and the estimators whose numbers they hold (see the errata)
AS_PRINTED: Mapping[str, str] = {
    **TO_ZERO,
    "repeated-cv-10": "repeated-cv-5",
    "repeated-cv-5": "repeated-cv-10",
    "cloned-bscv-10": "cloned-bscv-5",
}


@dataclass(frozen=True, eq=False)
class Case(Trials):
    """The trials of one case; all numbers are proportions.

    ``place`` is the number of a setting or the name of a data set, ``classifier`` the name of its rows in the tables.
    """

    place: str = ""
    classifier: str = ""

    def __getitem__(self, column: str) -> np.ndarray:
        """Return a column, a proportion; float array, shape (n,)."""
        return self.proportions(column)

    def rms(self, estimator: str) -> Estimate:
        """Root mean square of estimate minus true error over the trials of the one cell."""
        return monte_carlo.rms(self.difference(estimator))

    @property
    def row(self) -> str:
        """The row or column of the case in Tables 2, 4, 5 and 7."""
        return f"{self.place}/{self.classifier}"

    @property
    def title(self) -> str:
        """Name of the case for sentences, where its place is a data set."""
        return f"{symbol_of(self.classifier)} on {symbol_of(self.place)}"

    def has(self, *estimators: str) -> bool:
        """Say whether all of some estimators were computed."""
        return all(one in self.frame for one in estimators)

    def best_of(self, names: Iterable[str]) -> str:
        """Return the estimator with the smallest RMSE, the first of equal ones."""
        return min(filter(self.has, names), key=lambda e: float(np.mean(self.difference(e) ** 2)))

    def read_as(self, reading: str, renamed: Mapping[str, str]) -> Case:
        """Return the case under another reading, estimates renamed: row -> the estimator that it holds."""
        moved = {row: self.frame[source] for row, source in renamed.items() if self.has(row, source)}
        return replace(self, reading=reading, frame=self.frame.assign(**moved))


def case_of(samples: pd.DataFrame, classifier: NamedInducer, place: str, reading: str = "", **cell: Any) -> Case:
    """Take a case out of the samples of a classifier, without the columns of estimators that its cell lacks."""
    frame = matching(samples, **cell).dropna(axis=1, how="all")
    return Case(frame, reading or classifier.reading, place=place, classifier=classifier.row)


STATISTICS: Mapping[str, Any] = {"mean": Case.mean, "std": Case.sd, "rmse": Case.rms}  # Columns of Tables 8 to 15


def table_rows(case: Case, names: Sequence[str] = (TRUE_ERROR, *ESTIMATORS)) -> list[Row]:
    """Make a case's rows of Tables 8 to 15, ``<classifier>/<estimator>``."""
    return case.rows(filter(case.has, names), STATISTICS, row=f"{case.classifier}/{{}}")


def to_zero(case: Case) -> Case:
    """Read the .632+ with R set to 0 outside [0, 1].

    The text corrects R "to ensure that R falls within [0, 1]", which is Efron & Tibshirani's form; this one gives the
    printed numbers.
    """
    return case.read_as(zero_reading(case.reading), TO_ZERO)


def as_printed(case: Case) -> Case:
    """Put estimates into the rows under which the UCI tables print them."""
    whole = f"{STRATIFIED}-" if case.reading == STRATIFIED else "fitted:"
    return case.read_as(f"{whole}rows-as-printed", AS_PRINTED)


def zero_reading(reading: str) -> str:
    """Return the reading of :func:`to_zero` where all else is read as given."""
    return "fitted:r-to-zero" if reading == "literal" else f"{reading}-r-to-zero"


def reading_of(cases: Iterable[Case]) -> str:
    """Return the reading of a count over cases: literal only where each of them is."""
    kinds = {case.reading.partition(":")[0] for case in cases} - {"literal"}
    return "fitted:svm-settings" if kinds - {"own"} else "own" if kinds else "literal"


def first_of_each(cases: Iterable[Case]) -> list[Case]:
    """Return each case in the reading that stands first, the headline."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.row, case)
    return list(first.values())
