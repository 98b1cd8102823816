"""Parameters of a reader's own data: whose file, which classifier, which estimate; and the data themselves."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from compendium.methods.clones.cloning import CloneScheme
from compendium.methods.estimators import ESTIMATORS, parse_estimator
from compendium.methods.samples import load_or_read
from compendium.papers.parameters import Parameters, parameter
from compendium.papers.validation import field_validator, model_validator
from errorest import determinism
from errorest.assessment.defaults import Plan, default_method, make_plan
from errorest.assessment.options import streams_of
from errorest.assessment.problem import prepare, resolve_model
from errorest.assessment.resample import draw
from errorest.data.labels import LabelledCases
from errorest.data.sample import Sample
from errorest.data.sets import names
from errorest.errors import UsageError
from errorest.estimation import estimators as library
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals.coverage_table import TABLE
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric
from errorest.learners.base import Inducer
from errorest.spec import name_and_settings
from errorest.streams import Streams

# Default number of bootstrap samples of most estimates
_USUAL_REPLICATES = 200

_BOOTSTRAPS = ("outer", "replicates")


class OwnDataParameters(Parameters, notebook="guide/01-your-own-data"):
    """Parameters of a run on the reader's data: the file, the classifier, the estimate."""

    seed: int = parameter(1, ge=0)
    data: str = parameter("data/examples/wine.csv")
    class_column: str | None = parameter("class")
    inducer: str = parameter("naive-bayes(var_smoothing=None)")
    against: str = parameter("sklearn.tree.DecisionTreeClassifier")
    estimator: str = parameter("auto")
    interval: str = parameter("auto")
    cases: int | None = parameter(40, ge=4)
    settings_tried: int = parameter(20, ge=1)
    confidence: float = parameter(0.95, gt=0.5, lt=1)
    replicates: int = parameter(200, ge=20, preview=40)
    draws: int = parameter(100, ge=2, preview=10)
    most_fits: int | None = parameter(None, ge=1)

    @field_validator("estimator", mode="before")
    @classmethod
    def _estimator(cls, value: object) -> object:
        # YAML reads the name 632 as a number
        return str(value) if type(value) is int else value

    @field_validator("inducer", "against")
    @classmethod
    def _classifier(cls, value: str) -> str:
        resolve_model(value)
        return value

    @model_validator(mode="after")
    def _together(self) -> OwnDataParameters:
        if self.inducer.replace(" ", "") == self.against.replace(" ", ""):
            raise ValueError(
                f"inducer and against are both '{self.inducer}'; expected two classifiers to compare; change one"
            )
        _plan(self, self.cases or _USUAL_REPLICATES)
        return self

    def inputs(self) -> dict[str, str]:
        """Check data, classifiers, estimator and interval against one another; return the digests of what is read."""
        whole, taken = sets(self)
        sample = whole.take(taken.cases)
        plan = _plan(self, sample.n)
        if plan.interval is not None:
            plan.interval.check(sample, self.confidence)
        problems = [prepare(c, sample, encode=is_foreign(c)) for c in (self.inducer, self.against)]
        # folds and holdouts that these cases cannot be split into are refused when they are drawn
        draw(problems[0], [s for s in plan.schemes if s.name in ("k_fold", "holdout")], streams_of(self.seed)[0])
        # the measured coverage of an interval is read from this table, which a build may rewrite
        return {whole.name: whole.digest(), "measured coverage": hashlib.sha256(TABLE.read_bytes()).hexdigest()}


def requested(p: OwnDataParameters) -> tuple[str, str | None]:
    """Return estimator and interval as the library takes them, bootstrap samples filled in."""
    estimator, interval = p.estimator.strip(), None if p.interval.strip() == "none" else p.interval.strip()
    if estimator == "auto" and interval in ("auto", None):
        estimator = default_method("estimate", _ERROR, _cases(p.cases or _USUAL_REPLICATES)).name
    if estimator in ESTIMATORS:
        estimator = with_replicates(estimator, ESTIMATORS[estimator], p.replicates)
    return estimator, interval


def method_of(text: str) -> Estimator | str:
    """Make an estimator that the library does not know by name; other texts are the library's to read."""
    split = name_and_settings(text)
    if split is None or split[0] not in ESTIMATORS or split[0] in library.ESTIMATORS:
        return text
    result = parse_estimator(text)
    if any(isinstance(scheme, CloneScheme) for scheme in result.schemes):
        raise UsageError(f"estimator {text} draws clones, which are no resamples; expected one that does not")
    return result


def _cases(n: int) -> LabelledCases:
    """Return cases of two classes, for which a plan is made."""
    return LabelledCases(np.arange(n) % 2, np.array([0, 1]))


_ERROR = BoundMetric(ERROR_RATE, 1, 2)


def _plan(p: OwnDataParameters, n: int) -> Plan:
    estimator, interval = requested(p)
    return make_plan(_cases(n), _ERROR, method_of(estimator), interval)


def load_data(source: str, class_column: str | None) -> Sample:
    """Read the data that a notebook is about."""
    root = determinism.project_root()
    if source not in names() and not Path(source).exists() and root is not None and (root / source).is_file():
        return load_or_read(root / source, class_column)
    return load_or_read(source, class_column)


class Taken(NamedTuple):
    """Indices of the cases taken, and of the others."""

    cases: np.ndarray
    rest: np.ndarray


def take_cases(n: int, cases: int | None, seed: int) -> Taken:
    """Draw the cases at hand; without a number all of them, in the file's order."""
    if cases is None or cases >= n:
        return Taken(np.arange(n), np.arange(0))
    order = Streams(seed).generator("own-data-cases").permutation(n)
    return Taken(order[:cases], order[cases:])


def sets(p: OwnDataParameters) -> tuple[Sample, Taken]:
    """Read the data and draw the cases at hand."""
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


def is_foreign(*classifiers: str) -> bool:
    """Whether one of these is no inducer of the library, so that text and gaps are encoded for it."""
    return not all(isinstance(resolve_model(c), Inducer) for c in classifiers)


def with_replicates(name: str, make: Callable[..., object], replicates: int) -> str:
    """Write an id with its bootstrap samples in proportion to a number that is 200 as a rule."""
    known = inspect.signature(make).parameters
    messages = [f"{k}={max(2, known[k].default * replicates // _USUAL_REPLICATES)}" for k in _BOOTSTRAPS if k in known]
    return f"{name}({', '.join(messages)})" if messages else name
