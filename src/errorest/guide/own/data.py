"""A reader's own data: whose file, which classifier, what was asked for, and what is in the file.

Every sentence is computed, since nobody knows whose file it will be.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.assessment.classifiers import resolve_classifier
from errorest.assessment.estimate import estimate_error, streams_of
from errorest.assessment.inputs import prepare
from errorest.assessment.plan import DEFAULT_ESTIMATOR, Plan, make_plan
from errorest.assessment.result import ErrorEstimate
from errorest.assessment.runs import draw
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.evidence.regenerated import Regenerated, Row, Run
from errorest.guide.own.designs import USUAL_REPLICATES, Taken, load_data, take_cases, with_replicates
from errorest.guide.own.words import code, listed, points, some
from errorest.papers.parameters import Parameters, parameter

__all__ = [
    "OwnDataParameters",
    "chosen",
    "data_cell",
    "digests",
    "sets",
    "what_is_there",
]

_FEW = 5
_MOSTLY = 0.8
_NOTHING = float("nan")


class OwnDataParameters(Parameters):
    """Parameters of one's own data: whose file, which classifier, which estimate."""

    seed: int = parameter(1, "seed of every random stream", ge=0)
    data: str = parameter("data/examples/wine.csv", "path of a CSV file, or a data set of the project")
    class_column: str | None = parameter("class", "column that holds the class")
    inducer: str = parameter("naive-bayes", "classifier: a name, or the import path of a scikit-learn classifier")
    against: str = parameter("sklearn.tree.DecisionTreeClassifier", "second classifier, to compare with")
    estimator: str = parameter("auto", "estimator, see 'errorest estimators'; auto: the recommended one")
    interval: str = parameter("auto", "interval, see 'errorest intervals'; auto: the estimator's own; none: none")
    cases: int | None = parameter(
        40, "cases taken at random, so that the rest shows the truth; None: all of them", ge=4
    )
    settings_tried: int = parameter(20, "settings or classifiers that were tried before this one was kept", ge=1)
    confidence: float = parameter(0.95, "confidence of every interval, a proportion", gt=0.5, lt=1)
    replicates: int = parameter(200, "bootstrap samples behind an estimate", ge=20, preview=40)
    draws: int = parameter(100, "times that as many cases are drawn anew, where cases are held back", ge=2, preview=10)
    most_fits: int | None = parameter(
        None, "classifiers that an estimate beside the chosen one may make; None: 5000, or 250 from scikit-learn", ge=1
    )

    @field_validator("estimator", mode="before")
    @classmethod
    def _estimator(cls, value: Any) -> Any:
        # YAML reads the name 632 as a number
        return str(value) if type(value) is int else value

    @field_validator("inducer", "against")
    @classmethod
    def _classifier(cls, value: str) -> str:
        # a module of the person's own stands where they are
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        resolve_classifier(value)
        return value

    @model_validator(mode="after")
    def _together(self) -> OwnDataParameters:
        if self.inducer.replace(" ", "") == self.against.replace(" ", ""):
            raise ValueError(
                f"inducer and against are both '{self.inducer}'; expected two classifiers to compare; change one"
            )
        _plan(self, self.cases or USUAL_REPLICATES)
        return self


def _asked(p: OwnDataParameters) -> tuple[str, str | None]:
    """Return estimator and interval as the library takes them, bootstrap samples filled in."""
    estimator, interval = p.estimator.strip(), None if p.interval.strip() == "none" else p.interval.strip()
    if estimator == "auto" and interval in ("auto", None):
        estimator = DEFAULT_ESTIMATOR.partition("(")[0]
    if estimator in ESTIMATORS:
        estimator = with_replicates(estimator, ESTIMATORS[estimator], p.replicates)
    return estimator, interval


def _plan(p: OwnDataParameters, n: int) -> Plan:
    return make_plan(*_asked(p), n=n)


def sets(p: OwnDataParameters) -> tuple[Sample, Taken]:
    """Read the data and draw the cases at hand.

    Raises
    ------
    UsageError
        If the file or the class column is wrong, there are not that many cases, or they are of one class.
    """
    whole = load_data(p.data, p.class_column)
    if p.cases is not None and p.cases > whole.n:
        raise UsageError(
            f"{p.data} has {whole.n} cases and {p.cases} were asked for; expected 4 to {whole.n}; choose fewer, or "
            "None (null on the command line) for all"
        )
    taken = take_cases(whole.n, p.cases, p.seed)
    if np.unique(whole.y[taken.cases]).size < 2:
        raise UsageError(
            f"the {taken.cases.size} cases drawn of {p.data} are all of class "
            f"'{whole.classes[whole.y[taken.cases[0]]]}'; expected at least two classes; take more cases, or another "
            "seed"
        )
    return whole, taken


def digests(p: OwnDataParameters) -> dict[str, str]:
    """Check data, classifiers, estimator and interval against one another, and return the digest of the data.

    Raises
    ------
    UsageError
        If something does not fit, before anything is trained.
    """
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    plan = _plan(p, sample.n)
    if plan.method is not None:
        plan.method.check(sample, p.confidence)
    problems = [prepare(c, sample, encode=True) for c in (p.inducer, p.against)]
    # folds and holdouts that these cases cannot be split into are refused when they are drawn
    draw(problems[0], [s for s in plan.schemes if s.name in ("k_fold", "holdout")], streams_of(p.seed)[0])
    return {whole.name: whole.digest()}


def data_cell(p: OwnDataParameters, whole: Sample, taken: Taken) -> dict[str, Any]:
    """Return what a study needs to find the same cases again."""
    return {
        "source": p.data,
        "class_column": p.class_column,
        "digest": whole.digest(),
        "cases": int(taken.cases.size),
        "data_seed": p.seed,
        "inducer": p.inducer,
    }


def chosen(p: OwnDataParameters) -> ErrorEstimate:
    """Make the estimate that was asked for; once, as long as the data stay."""
    whole, _ = sets(p)
    return _chosen(p, whole.digest())


@lru_cache(maxsize=4)
def _chosen(p: OwnDataParameters, digest: str) -> ErrorEstimate:
    whole, taken = sets(p)
    estimator, interval = _asked(p)
    return estimate_error(
        p.inducer,
        whole.take(taken.cases),
        estimator=estimator,
        interval=interval,
        rng=p.seed,
        confidence=p.confidence,
        encode=True,
    )


def what_is_there(p: OwnDataParameters, run: Run) -> Regenerated:
    """Count what is in the file and in the cases taken, and say what to beware of.

    Returns
    -------
    Regenerated
        Own rows: quantities by ``file`` and ``taken``.  Data ``classes`` (label, file, taken) and
        ``attributes`` (name, kind, distinct values, missing).
    """
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows = []
    for column, one in (("file", whole), ("taken", sample)):
        counted = {
            "cases": one.n,
            "attributes": one.d,
            "classes": int(np.count_nonzero(one.class_counts())),
            "missing cells": int(np.isnan(one.X).sum()),
            "cases that repeat another": one.duplicates(),
        }
        counted |= {f"class {c}": int(k) for c, k in zip(one.classes, one.class_counts(), strict=True)}
        rows += [Row("literal", row, column, float(value), _NOTHING, 1) for row, value in counted.items()]
    attributes = pd.DataFrame(
        [
            (a.name, a.kind, int(np.unique(known).size), int(whole.n - known.size))
            for a, known in ((a, v[~np.isnan(v)]) for a, v in zip(whole.attributes, whole.X.T, strict=True))
        ],
        columns=["attribute", "kind", "distinct values", "missing"],
    )
    classes = pd.DataFrame(
        {"class": whole.classes, "in the file": whole.class_counts(), "taken": sample.class_counts()}
    )
    kinds = [
        f"{k} {name}" for name in ("continuous", "integer", "nominal") if (k := int((attributes["kind"] == name).sum()))
    ]
    missing, repeated = int(attributes["missing"].sum()), whole.duplicates()
    found = [
        (
            f"{code(whole.name)} holds {some(whole.n, 'case')} of {len(whole.classes)} classes, with "
            f"{some(whole.d, 'attribute')} ({', '.join(kinds)}). Of {whole.n * whole.d:,} cells {missing:,} are "
            f"missing, and {some(repeated, 'case')} repeat{'s' if repeated == 1 else ''} another in everything."
        ),
        f"{some(sample.n, 'case')}, drawn at random, stand for the data at hand; the other "
        f"{taken.rest.size:,} are held back and show below what is nearly the truth."
        if taken.rest.size
        else "All cases are used: nothing is held back, so that the truth stays unknown, as it does in real life.",
    ]
    found += [f"Beware: {text}." for text in _beware(whole, sample, attributes)]
    return Regenerated(rows, {"classes": classes, "attributes": attributes}, [], found)


def _beware(whole: Sample, sample: Sample, attributes: pd.DataFrame) -> list[str]:
    """Say what in the data may mislead, in plain words."""
    out = []
    counts = dict(zip(sample.classes, sample.class_counts().tolist(), strict=True))
    absent, rare = [c for c, k in counts.items() if not k], [c for c, k in counts.items() if 0 < k < _FEW]
    if absent:
        out.append(f"none of the cases taken is of class {listed(absent)}, so that no classifier can know it")
    if rare:
        out.append(f"fewer than {_FEW} of the cases taken are of class {listed(rare)}: little can be learnt of it")
    most = max(counts, key=lambda c: counts[c])
    if counts[most] > _MOSTLY * sample.n:
        out.append(
            f"{points(counts[most] / sample.n)} % of the cases taken are of class {code(most)}: a low error rate is no "
            "achievement here, so compare with the error of always answering with one class"
        )
    same = attributes.loc[attributes["distinct values"] <= 1, "attribute"].tolist()
    if same:
        out.append(f"the same value in every case: {listed(same)}, from which nothing can be learnt")
    whole_numbers = attributes[attributes["kind"] != "continuous"]
    numbered = whole_numbers.loc[whole_numbers["distinct values"] == whole.n, "attribute"].tolist()
    if numbered:
        out.append(
            f"a value of its own for each case: {listed(numbered)}; if these are names or numbers, leave them out"
        )
    telling = [a.name for j, a in enumerate(whole.attributes) if a.name not in numbered and _tells(whole, j)]
    if telling:
        out.append(
            f"one value alone tells the class in every case: {listed(telling)}; make sure that it is known before the "
            "class is"
        )
    holes = attributes.loc[2 * attributes["missing"] > whole.n, "attribute"].tolist()
    if holes:
        out.append(f"missing in more than half of the cases: {listed(holes)}")
    if whole.d >= sample.n:
        out.append(f"there are {whole.d:,} attributes and {sample.n:,} cases: many rules fit such data by chance")
    return out


def _tells(whole: Sample, j: int) -> bool:
    """Whether an attribute of few values fixes the class."""
    values = whole.X[:, j]
    if np.isnan(values).any() or whole.attributes[j].kind == "continuous":
        return False
    pairs = np.unique(np.column_stack([values, whole.y]), axis=0).shape[0]
    return pairs == np.unique(values).size <= whole.n // 4
