"""Cases, and what Tables 8 to 15 say of them: mean, standard deviation and RMSE of every estimator.

A case is a classifier on a setting or a data set under one reading.  All numbers are proportions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import mean, rms, standard_deviation
from compendium.evidence.records import matching
from compendium.evidence.results import Row, rows_of
from compendium.papers.shakhnarovich.methods import ESTIMATORS, TO_ZERO, TRUE_ERROR
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.studies.experiment import wide

__all__ = [
    "ALL",
    "Case",
    "estimates_of",
    "estimator_frame",
    "first_of_each",
    "is_zero",
    "reading_of",
    "said_best",
    "statistics_of",
    "table_rows",
    "to_zero",
    "zero_reading",
]

ALL = (TRUE_ERROR, *(e for name in ESTIMATORS for e in (name, TO_ZERO.get(name)) if e))
"""What is known of a case, in the order of its rows."""


class Case(NamedTuple):
    """A classifier on a setting or a data set, under one reading.

    ``place`` is the number of a setting or the name of a data set, ``classifier`` the name of the rows in
    the paper's tables, ``estimates`` a proportion for each trial by estimator, with ``true-error``;
    ``key`` tells the classifier from others of its name.
    """

    place: str
    classifier: str
    reading: str
    estimates: Mapping[str, np.ndarray]
    key: str = ""

    @property
    def row(self) -> str:
        """The row or column of the case in Tables 2, 4, 5 and 7."""
        return f"{self.place}/{self.classifier}"

    @property
    def title(self) -> str:
        """Name of the classifier for sentences, with the reading of a discriminant that is not taken literally."""
        told = self.classifier == "ldf" and self.reading != "literal"
        return symbol_of(self.classifier) + (f" (*{self.reading}*)" if told else "")

    @property
    def on(self) -> str:
        """Name of the case for sentences, where its place is a data set."""
        return f"{symbol_of(self.classifier)} on {symbol_of(self.place)}"

    @property
    def truth(self) -> np.ndarray:
        """True error of each trial."""
        return self.estimates[TRUE_ERROR]

    @property
    def n(self) -> int:
        """Number of trials."""
        return int(self.truth.shape[0])

    def errors(self, estimator: str) -> np.ndarray:
        """Estimate minus true error, of each trial."""
        return self.estimates[estimator] - self.truth

    def best_of(self, names: Iterable[str]) -> str:
        """Return the estimator with the least RMSE; of equal ones the first named, of missing ones none."""
        present = [name for name in names if name in self.estimates]
        return min(present, key=lambda name: float(np.mean(self.errors(name) ** 2)))


def first_of_each(cases: Iterable[Case]) -> list[Case]:
    """Keep each case in the reading that stands first, which is the headline."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.row, case)
    return list(first.values())


def to_zero(case: Case) -> Case:
    """Put the .632+ with R set to 0 outside [0, 1] in the place of the one that the text describes.

    The text corrects R "to ensure that R falls within [0, 1]", which is Efron & Tibshirani's form; this one gives the
    printed numbers.
    """
    moved = {name: case.estimates.get(TO_ZERO.get(name, name), values) for name, values in case.estimates.items()}
    return case._replace(reading=zero_reading(case.reading), estimates=moved)


def zero_reading(reading: str) -> str:
    """Return the reading of :func:`to_zero` where all else is read as given."""
    return "fitted:r-to-zero" if reading == "literal" else f"{reading}-r-to-zero"


def is_zero(reading: str) -> bool:
    """Say whether R of the .632+ is set to 0 in a reading."""
    return reading.endswith("r-to-zero")


def reading_of(cases: Iterable[Case]) -> str:
    """Return the reading of a count over cases: literal only where each of them is."""
    kinds = {case.reading.partition(":")[0] for case in cases}
    others = kinds - {"literal"}
    return "fitted:svm-settings" if others - {"own"} else "own" if others else "literal"


def statistics_of(values: np.ndarray, truth: np.ndarray) -> tuple[tuple[str, Estimate], ...]:
    """Mean, standard deviation and RMSE of an estimator's values, with their Monte Carlo errors."""
    return ("mean", mean(values)), ("std", standard_deviation(values)), ("rmse", rms(values - truth))


def table_rows(case: Case, names: Sequence[str] = (TRUE_ERROR, *ESTIMATORS)) -> list[Row]:
    """Make a case's rows of one of Tables 8 to 15: ``<classifier>/<estimator>`` with mean, std, rmse."""
    return [
        row
        for name in names
        if name in case.estimates
        for row in rows_of(case.reading, f"{case.classifier}/{name}", statistics_of(case.estimates[name], case.truth))
    ]


def estimator_frame(cases: Iterable[Case]) -> pd.DataFrame:
    """Return what figures of such a table are drawn from."""
    rows = []
    for case in cases:
        for name in ALL:
            if name not in case.estimates:
                continue
            row: dict[str, object] = {"classifier": case.key or case.classifier, "row": case.classifier}
            own = to_zero(case) if name in TO_ZERO.values() else case
            row |= {"reading": own.reading, "estimator": name}
            found = statistics_of(case.estimates[name], case.truth)
            for column, m in (*found, ("bias", mean(case.errors(name)))):
                row |= {column: m.value, f"{column}_se": m.se}
            rows.append({**row, "n": case.n})
    return pd.DataFrame(rows)


def said_best(case: Case, names: Iterable[str]) -> str:
    """Name the estimator with the least RMSE, and that RMSE."""
    best = case.best_of(names)
    return f"{symbol_of(best)} {rms(case.errors(best)).value:.4f}"


def estimates_of(
    table: pd.DataFrame, classifier: str, places: Sequence[Mapping[str, Any]] = ({},)
) -> list[dict[str, np.ndarray]]:
    """Return the estimates of one classifier by estimator, one a trial, with ``true-error``."""
    samples = wide(table, classifier)
    names = list(samples.columns)[list(samples.columns).index("replicate") + 1 :]
    found = []
    for place in places:
        own = matching(samples, **place)
        values = {str(name): own[name].to_numpy() for name in names}
        # what was estimated at other places only
        found.append({name: v for name, v in values.items() if not np.isnan(v).all()})
    return found
