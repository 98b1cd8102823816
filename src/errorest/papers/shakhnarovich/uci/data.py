"""The three UCI data sets as the paper takes them (its Table 3), and how a sample of one is drawn.

Breast cancer loses its Id and its incomplete rows and counts as integer; vehicle counts as
continuous, although all its values are whole numbers; Pima mixes both.  A sample is drawn
from a set without replacement, and what it leaves is the test set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from pydantic import model_validator

from errorest.data.sample import Kind, Sample
from errorest.data.sets import load
from errorest.errors import UsageError, nearest
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter

__all__ = [
    "PUBLISHED",
    "SetsParameters",
    "UciSet",
    "digests",
    "draw_cases",
    "sets_of",
    "table_3",
    "uci_set",
]

PUBLISHED: Mapping[str, tuple[int, int]] = {"breast-cancer": (36, 150), "vehicle": (100, 100), "pima": (60, 150)}
"""The data sets of the paper: cases in a sample, and trials (Table 3)."""

Drawing = Literal["uniform", "stratified"]

_ID = "Id"
_LEAST = 20


class UciSet(NamedTuple):
    """A data set with the size of its samples."""

    name: str
    sample: Sample
    n: int


class SetsParameters(Parameters):
    """Parameters that all of section 8's experiments share."""

    seed: int = parameter(2001, "seed of every random stream", ge=0)
    sizes: list[int] = parameter(
        [n for n, _ in PUBLISHED.values()],
        "cases in a sample of breast cancer, vehicle and Pima",
        min_length=3,
        max_length=3,
    )

    @model_validator(mode="after")
    def _enough(self) -> SetsParameters:
        for name, n in zip(PUBLISHED, self.sizes, strict=True):
            most = uci_set(name).n - 1
            if not _LEAST <= n <= most:
                raise ValueError(
                    f"samples of {n} cases of {name} were asked for; expected {_LEAST} to {most}, since folds need the "
                    "one and a test set the other; choose another size"
                )
        return self


@lru_cache(maxsize=8)
def uci_set(name: str) -> Sample:
    """Load a data set as the paper takes it.

    Breast cancer loses its Id and the rows with a missing value, and its attributes count as
    integer; vehicle's count as continuous.

    Parameters
    ----------
    name : str
        One of :data:`PUBLISHED`.

    Returns
    -------
    Sample

    Raises
    ------
    UsageError
        If the paper has no such data set, or the data folder is not found.

    Examples
    --------
    >>> breast = uci_set("breast-cancer")
    >>> breast.n, breast.d, {a.kind for a in breast.attributes}
    (683, 9, {'integer'})
    """
    if name not in PUBLISHED:
        raise UsageError(
            f"unknown data set '{name}'; expected one of {', '.join(PUBLISHED)}; " + nearest(name, PUBLISHED)
        )
    whole = load(name)
    kept = [j for j, a in enumerate(whole.attributes) if a.name != _ID]
    complete = ~np.isnan(whole.X[:, kept]).any(axis=1)
    kinds: dict[str, Kind] = {"breast-cancer": "integer", "vehicle": "continuous"}
    attributes = tuple(replace(whole.attributes[j], kind=kinds.get(name, whole.attributes[j].kind)) for j in kept)
    return Sample(
        np.ascontiguousarray(whole.X[complete][:, kept]), whole.y[complete], attributes, whole.classes, whole.name
    )


def sets_of(p: SetsParameters) -> list[UciSet]:
    """Return the data sets of a design with the sizes of their samples."""
    return [UciSet(name, uci_set(name), n) for name, n in zip(PUBLISHED, p.sizes, strict=True)]


def digests(p: SetsParameters) -> dict[str, str]:
    """Return the digest of each data set as it is taken, by its name."""
    return {one.name: one.sample.digest() for one in sets_of(p)}


def draw_cases(y: np.ndarray, n: int, drawing: Drawing, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the cases of a sample without replacement, in random order, and return those left too.

    Parameters
    ----------
    y : int array, shape (N,)
        Classes of the whole data set.
    n : int
        Cases of the sample, fewer than N.
    drawing : {"uniform", "stratified"}
        All samples alike, as the paper says, or each class with its share of the whole, rounded
        to whole cases (largest remainders first).
    rng : numpy.random.Generator

    Returns
    -------
    drawn, rest : int arrays, shapes (n,) and (N - n,)

    Examples
    --------
    >>> drawn, rest = draw_cases(np.array([0, 0, 0, 0, 1, 1]), 3, "stratified", np.random.default_rng(0))
    >>> sorted(drawn.tolist() + rest.tolist()), int((drawn > 3).sum())
    ([0, 1, 2, 3, 4, 5], 1)
    """
    shuffled = rng.permutation(y.shape[0])
    if drawing == "uniform":
        return shuffled[:n], shuffled[n:]
    wanted = _shares(np.bincount(y), n)
    chosen = np.zeros(y.shape[0], dtype=np.bool_)
    for c, number in enumerate(wanted):
        chosen[np.nonzero(y[shuffled] == c)[0][:number]] = True
    return shuffled[chosen], shuffled[~chosen]


def _shares(counts: np.ndarray, n: int) -> np.ndarray:
    exact = n * counts / counts.sum()
    wanted = np.floor(exact).astype(np.int64)
    for c in np.argsort(wanted - exact, kind="stable")[: n - int(wanted.sum())]:
        wanted[c] += 1
    return wanted


def table_3(p: SetsParameters, run: Run) -> Regenerated:
    """Table 3: what can be counted of each data set.

    Returns
    -------
    Regenerated
        Printed keys (numbers of cases, features, classes; integer and continuous features where
        the paper takes both), own rows for the features that hold whole numbers only and for
        distinct cases.
    """
    rows: list[Row] = []
    errata, checks, findings = [], [], []
    for one in sets_of(p):
        s = one.sample
        whole_numbers = int((np.round(s.X) == s.X).all(axis=0).sum())
        taken = sum(a.kind == "integer" for a in s.attributes)
        counted = {"size": s.n, "features": s.d, "classes": int(np.count_nonzero(s.class_counts()))}
        if 0 < taken < s.d:
            counted |= {"integer-features": taken, "continuous-features": s.d - taken}
        distinct = int(np.unique(s.X, axis=0).shape[0])
        counted |= {"whole-number-features": whole_numbers, "distinct-points": distinct}
        rows += [Row("literal", one.name, column, float(value), 0.0, 1) for column, value in counted.items()]
        if whole_numbers > taken:
            evidence = f"{whole_numbers} of the {s.d} columns of {one.name} hold nothing but whole numbers."
            checks.append(
                Check(
                    f"The features of {one.name} are continuous.",
                    f"{whole_numbers} of {s.d} columns hold whole numbers only",
                    "fails" if whole_numbers == s.d else "holds in part",
                )
            )
            if one.name == "vehicle":
                errata.append(
                    Erratum("Table 3", "vehicle: 18 features, all continuous", "18 integer features", evidence)
                )
        rarest = s.class_counts()[s.class_counts() > 0].min() * one.n / s.n
        findings.append(
            f"{one.name}: {distinct} of {s.n} cases are distinct; a sample of {one.n} has {rarest:.1f} cases of the "
            f"rarest class on average, and {s.n - one.n} cases are left to test on."
        )
    return Regenerated(rows, checks=checks, findings=findings, errata=errata)
