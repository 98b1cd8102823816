"""Table 1 and the learning curves: what the data sets are, and how accurate the inducers truly are on them.

A true accuracy is the mean of many holdouts: a random sample of the stated size trains,
all other cases test.  Accuracies are in percent, as printed.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.records import each, largest
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.kohavi.named_inducers import column_and_reading, inducer_named, title_of
from errorest.papers.kohavi.study_designs import RAND, DataSet, load_set, truth_study
from errorest.papers.parameters import Parameters, parameter

__all__ = [
    "DATA_SETS",
    "LearningParameters",
    "SetsParameters",
    "TruthParameters",
    "curves_of",
    "data_sets",
    "digests",
    "learning_curves",
    "table_1",
    "truths_of",
]

DATA_SETS = {
    "breast-cancer": 50,
    "chess": 900,
    "hypothyroid": 400,
    "mushroom": 800,
    "soybean-large": 100,
    "vehicle": 100,
    RAND: 100,
}
"""The data sets of Table 1 with their sample sizes."""

_LEAST_TESTED = 100


class SetsParameters(Parameters):
    """Parameters that all of section 4's experiments share."""

    seed: int = parameter(1995, "seed of every random stream", ge=0)
    data_sets: list[str] = parameter(
        list(DATA_SETS), "data sets of the project, paths of CSV files, or rand", min_length=1
    )
    sizes: list[int] = parameter(list(DATA_SETS.values()), "sample size of each data set", min_length=1)
    class_column: str | None = parameter(None, "class column of CSV files; the project's sets have theirs")
    inducers: list[str] = parameter(
        ["c4.5", "naive-bayes"], "inducers by name, or import paths of scikit-learn classifiers", min_length=1
    )
    holdouts: int = parameter(500, "holdouts behind a true accuracy", ge=2, preview=50)

    @field_validator("inducers")
    @classmethod
    def _inducers(cls, value: list[str]) -> list[str]:
        for name in value:
            inducer_named(name)
        return _distinct(value, "inducer")

    @field_validator("data_sets")
    @classmethod
    def _data_sets(cls, value: list[str]) -> list[str]:
        return _distinct(value, "data set")

    @model_validator(mode="after")
    def _one_size_each(self) -> SetsParameters:
        if len(self.sizes) != len(self.data_sets):
            raise ValueError(
                f"{len(self.data_sets)} data sets and {len(self.sizes)} sizes are given; expected one size each; "
                "mend data_sets or sizes"
            )
        return self


def _distinct(values: list[str], what: str) -> list[str]:
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ValueError(f"{what} '{value}' is named twice; expected distinct ones; leave one out")
    return values


class LearningParameters(SetsParameters):
    """Parameters of the learning curves, added to those of the data sets."""

    learning_sizes: list[int] = parameter(
        [10, 20, 50, 100, 200, 300, 500, 700, 900, 1600, 2400], "training sizes of the learning curves", min_length=1
    )
    learning_holdouts: int = parameter(100, "holdouts for each point of a learning curve", ge=2, preview=5)

    @field_validator("learning_sizes")
    @classmethod
    def _learning_sizes(cls, value: list[int]) -> list[int]:
        if min(value) < 2:
            raise ValueError(f"{min(value)} cases are too few to learn from; expected at least 2; use larger sizes")
        return value


class TruthParameters(LearningParameters):
    """Parameters of Table 1 and the learning curves."""

    inducers: list[str] = parameter(
        ["c4.5", "naive-bayes", "c4.5-release-8", "naive-bayes-observed-ratios", "naive-bayes-laplace"],
        "inducers by name, or import paths of scikit-learn classifiers",
        min_length=1,
    )
    curve_inducers: int = parameter(2, "how many of the inducers, from the first on, have learning curves", ge=1)
    rand_sets: int = parameter(40, "further sets drawn like rand, for the spread between such sets", ge=2, preview=3)
    repeats: int = parameter(2, "enlarged run: how many times the holdouts; 1 for none", ge=1, preview=1)

    def enlarged(self) -> TruthParameters | None:
        """Return the design with ``repeats`` times the holdouts."""
        return self.model_copy(update={"holdouts": self.holdouts * self.repeats}) if self.repeats > 1 else None


def data_sets(p: SetsParameters) -> list[DataSet]:
    """Load the data sets of a design, their sizes checked."""
    return [load_set(source, size, p.class_column, p.seed) for source, size in zip(p.data_sets, p.sizes, strict=True)]


def digests(p: SetsParameters) -> dict[str, str]:
    """Return the digest of each data set, by its name."""
    return {one.name: one.sample.digest() for one in data_sets(p)}


def _measured(results: pd.DataFrame) -> dict[tuple[str, int, str], Measured]:
    """Mean accuracy (percent) of each data set (by digest), size and inducer."""
    groups: Any = results.groupby(["digest", "size", "inducer"], sort=False)["accuracy"]
    return {key: accuracy.mean(100 * values.to_numpy()) for key, values in groups}


def truths_of(p: SetsParameters, run: Run) -> dict[tuple[str, str], Measured]:
    """Run the holdouts of Table 1.

    Returns
    -------
    dict of (data set, inducer) to Measured
        Mean accuracy, percent.
    """
    sets = data_sets(p)
    found = _measured(run(truth_study([(one, one.size, p.holdouts) for one in sets], p.inducers, p.seed)))
    return {(one.name, i): found[(one.sample.digest(), one.size, i)] for one in sets for i in p.inducers}


def _between_sets(p: TruthParameters, one: DataSet, run: Run) -> dict[str, float]:
    """Standard deviation of the true accuracy between data sets that are drawn alike, percent."""
    holdouts = min(p.holdouts, 50)
    others = [load_set(RAND, one.size, None, p.seed, number) for number in range(1, p.rand_sets + 1)]
    found = _measured(run(truth_study([(o, o.size, holdouts) for o in others], p.inducers, p.seed)))
    spread = {}
    for name in p.inducers:
        means = [found[(o.sample.digest(), o.size, name)] for o in others]
        # what the means vary by beyond their own errors
        within = float(np.mean([m.se**2 for m in means]))
        spread[name] = sqrt(max(0.0, float(np.var([m.value for m in means], ddof=1)) - within))
    return spread


def table_1(p: TruthParameters, run: Run) -> Regenerated:
    """Table 1: sizes, categories and duplicates, and the inducers' true accuracies (percent).

    The half-width of an accuracy is one standard error, as the paper prints it.  For ``rand``,
    whose rows were never published, the standard error of a row also counts how much such
    data sets differ; duplicates are counted without the label there.

    Returns
    -------
    Regenerated
        Data ``accuracies``: set, inducer, reading, accuracy, se.
    """
    sets = data_sets(p)
    truths = truths_of(p, run)
    rows: list[Row] = []
    table = []
    notes = []
    for one in sets:
        repeated = one.sample.duplicates()
        if one.source == RAND:
            repeated = one.sample.n - np.unique(one.sample.X, axis=0).shape[0]
        counted = {
            "attributes": one.sample.d,
            "total-size": one.sample.n,
            "categories": int(np.count_nonzero(one.sample.class_counts())),
            "duplicates": repeated,
        }
        rows += [Row("literal", one.name, column, float(value), 0.0, 1) for column, value in counted.items()]
    for name in p.inducers:
        column, reading = column_and_reading(name)
        for one in sets:
            m = truths[(one.name, name)]
            between = _between_sets(p, one, run)[name] if one.source == RAND else 0.0
            rows.append(Row(reading, one.name, column, m.value, sqrt(m.se**2 + between**2), m.n))
            rows.append(Row(reading, one.name, f"{column}/halfwidth", m.se, m.se / sqrt(2 * (m.n - 1)), m.n))
            table.append(
                {"set": one.name, "inducer": name, "reading": reading, "accuracy": m.value, "se": m.se, "n": m.n}
            )
            if one.source == RAND:
                notes.append(f"{between:.3f} for {title_of(name)}")
    frame = pd.DataFrame(table)
    findings = _readings_compared(p, frame)
    if notes:
        findings.append(
            f"{p.rand_sets} further sets drawn like rand have true accuracies whose spread beyond their own errors is, "
            f"in points: {'; '.join(notes)}."
        )
    return Regenerated(rows, {"accuracies": frame}, findings=findings)


def _readings_compared(p: TruthParameters, table: pd.DataFrame) -> list[str]:
    """Say how far each further reading of an inducer lies from the first."""
    found = []
    first: dict[str, str] = {}
    for name in p.inducers:
        column = column_and_reading(name)[0]
        headline = first.setdefault(column, name)
        if name == headline:
            continue
        own, theirs = (each(table[table["inducer"] == i]) for i in (name, headline))
        moved = [a.accuracy - b.accuracy for a, b in zip(own, theirs, strict=True)]
        clear = sum(abs(m) > 2 * hypot(a.se, b.se) for m, a, b in zip(moved, own, theirs, strict=True))
        most = int(np.argmax(np.abs(moved)))
        found.append(
            f"{title_of(name)} (reading *{column_and_reading(name)[1]}*) differs from {title_of(headline)} by more "
            f"than two standard errors on {clear} of {len(moved)} data sets, most on {own[most].set}: "
            f"{own[most].accuracy:.2f} against {theirs[most].accuracy:.2f} %."
        )
    return found


def curves_of(p: LearningParameters, inducers: list[str], run: Run) -> pd.DataFrame:
    """Run the learning curves: every training size that leaves enough cases to test, and the data set's own.

    Returns
    -------
    DataFrame
        Columns set, inducer, n, accuracy, se (percent), holdouts.
    """
    sets = data_sets(p)
    wanted = [(one, n, p.learning_holdouts) for one in sets for n in _sizes_of(p, one)]
    found = _measured(run(truth_study(wanted, inducers, p.seed)))
    table = []
    for name in inducers:
        for one, n, _ in wanted:
            m = found[(one.sample.digest(), n, name)]
            table.append({"set": one.name, "inducer": name, "n": n, "accuracy": m.value, "se": m.se, "holdouts": m.n})
    return pd.DataFrame(table)


def _sizes_of(p: LearningParameters, one: DataSet) -> list[int]:
    most = max(one.size, one.sample.n - _LEAST_TESTED)
    return sorted({one.size, *(n for n in p.learning_sizes if n <= most)})


def learning_curves(p: TruthParameters, run: Run) -> Regenerated:
    """Learning curves, from which the paper chose its sample sizes: accuracy (percent) by training cases.

    Returns
    -------
    Regenerated
        Own rows: data set/inducer by ``n=<training cases>``.  Data ``curves``.
    """
    names = p.inducers[: p.curve_inducers]
    table = curves_of(p, names, run)
    rows: list[Row] = []
    checks, findings = [], []
    for name in names:
        column, reading = column_and_reading(name)
        rising: list[str] = []
        flat: list[str] = []
        tops = []
        for one in data_sets(p):
            curve = table[(table["set"] == one.name) & (table["inducer"] == name)]
            rows += [
                Row(reading, f"{one.name}/{column}", f"n={c.n}", c.accuracy, c.se, c.holdouts) for c in each(curve)
            ]
            tops.append(largest(curve, "accuracy"))
            here, last = each(curve[curve["n"] == one.size])[0], each(curve)[-1]
            if last.n == here.n:
                continue
            gain = last.accuracy - here.accuracy
            (rising if gain > 2 * hypot(last.se, here.se) else flat).append(f"{one.name} {gain:+.1f}")
        if rising or flat:
            checks.append(
                Check(
                    f"At the chosen sizes the learning curve of {title_of(name)} still slopes up.",
                    "from the chosen to the largest size, in points: rising beyond two standard errors: "
                    f"{', '.join(rising) or 'none'}; not: {', '.join(flat) or 'none'}",
                    "holds" if not flat else "holds in part" if rising else "fails",
                )
            )
        findings.append(
            f"{title_of(name)} is most accurate with this many training cases: "
            + ", ".join(f"{t.set} {t.n} ({t.accuracy:.1f} %)" for t in tops)
            + "."
        )
    return Regenerated(rows, {"curves": table}, checks, findings)
