"""A reader's own data: whose file, which classifier, what is asked for, and every estimate beside it."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import field_validator, model_validator

import errorest
from compendium.methods.clones.cloning import CloneScheme
from compendium.methods.estimators import ESTIMATORS, parse_estimator
from compendium.methods.samples import load_or_read
from compendium.papers.parameters import Parameters, parameter
from compendium.studies.replicates import each_replicate
from compendium.studies.study import Study
from errorest import determinism
from errorest.assessment.defaults import Plan, default_method, make_plan
from errorest.assessment.options import streams_of
from errorest.assessment.problem import prepare, resolve_model
from errorest.assessment.resample import draw
from errorest.assessment.results import Estimate
from errorest.data.sample import ClassNumbers, Sample
from errorest.data.sets import names
from errorest.errors import UsageError
from errorest.estimation import estimators as library
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals import INTERVALS, parse_interval
from errorest.estimation.intervals.coverage_table import TABLE
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric
from errorest.learners.base import Inducer
from errorest.spec import name_and_settings
from errorest.streams import Streams

# Estimates that test a classifier on cases it was trained on, or on copies of them
SEEN = ("resubstitution", "bs", "bscv", "bsx2")

# Bootstrap samples behind most estimates, where nobody says another number
_USUAL_REPLICATES = 200

# Cases on which one more classifier is tested, at most
_MOST_TESTED = 2000

_OURS, _FOREIGN = 5000, 250
"""Classifiers that an estimate may make: compiled in one pass, or fitted one by one."""

_BOOTSTRAPS = ("outer", "replicates")
_NOTHING = float("nan")


class OwnDataParameters(Parameters, notebook="guide/01-your-own-data"):
    """Parameters of one's own data: whose file, which classifier, which estimate."""

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
    def _estimator(cls, value: Any) -> Any:
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
        # what is said of an interval is read from there; a build may rewrite it
        return {whole.name: whole.digest(), "measured coverage": hashlib.sha256(TABLE.read_bytes()).hexdigest()}


def _asked(p: OwnDataParameters) -> tuple[str, str | None]:
    """Return estimator and interval as the library takes them, bootstrap samples filled in."""
    estimator, interval = p.estimator.strip(), None if p.interval.strip() == "none" else p.interval.strip()
    if estimator == "auto" and interval in ("auto", None):
        estimator = default_method("estimate", _ERROR, _cases(p.replicates)).name
    if estimator in ESTIMATORS:
        estimator = with_replicates(estimator, ESTIMATORS[estimator], p.replicates)
    return estimator, interval


def _method(text: str) -> Estimator | str:
    """Make an estimator that the library does not know by name; other texts are the library's to read."""
    split = name_and_settings(text)
    if split is None or split[0] not in ESTIMATORS or split[0] in library.ESTIMATORS:
        return text
    result = parse_estimator(text)
    if any(isinstance(scheme, CloneScheme) for scheme in result.schemes):
        raise UsageError(f"estimator {text} draws clones, which are no resamples; expected one that does not")
    return result


class _Cases(ClassNumbers):
    """Cases of two classes, for which a plan is made."""

    groups = n_groups = None
    self_tuning = ()


def _cases(n: int) -> _Cases:
    return _Cases(np.arange(n) % 2, 2)


_ERROR = BoundMetric(ERROR_RATE, 1, 2)


def _plan(p: OwnDataParameters, n: int) -> Plan:
    estimator, interval = _asked(p)
    return make_plan(_cases(n), _ERROR, _method(estimator), interval)


def load_data(source: str, class_column: str | None) -> Sample:
    """Read the data that a notebook is about."""
    root = determinism.project_root()
    if source not in names() and not Path(source).exists() and root is not None and (root / source).is_file():
        return load_or_read(root / source, class_column)
    return load_or_read(source, class_column)


class Taken(NamedTuple):
    """Numbers of the cases taken, and of those held back."""

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


def chosen(p: OwnDataParameters) -> Estimate:
    """Make the estimate that was asked for; once, as long as the data stay."""
    return _chosen(p, sets(p)[0].digest())


@lru_cache(maxsize=4)
def _chosen(p: OwnDataParameters, digest: str) -> Estimate:
    whole, taken = sets(p)
    estimator, interval = _asked(p)
    result = errorest.estimate(
        p.inducer,
        whole.take(taken.cases),
        method=_method(estimator),
        interval=interval,
        rng=p.seed,
        confidence_level=p.confidence,
        encode=is_foreign(p.inducer),
    )
    assert isinstance(result, Estimate)
    return result


def chosen_key(result: Estimate) -> str:
    """Name what was asked for as the list of candidates names it."""
    if result.interval is None:
        return parse_estimator(result.method).name
    return parse_interval(result.interval.method).name


class Candidate(NamedTuple):
    """An interval with the estimate that belongs to it, or an estimate that has none.

    ``key`` is the name without settings, and ``fits`` how many classifiers it makes.
    """

    key: str
    estimator: str
    interval: str | None
    fits: int


def candidates(replicates: int, n: int) -> list[Candidate]:
    """List every interval and every estimator that has none, with what each costs at n cases."""
    results = []
    for name, make in INTERVALS.items():
        text = with_replicates(name, make, replicates)
        results.append(Candidate(name, "auto", text, parse_interval(text).fits(n)))
    for name, estimator in ESTIMATORS.items():
        if not any(parse_interval(interval).legal_with(estimator()) for interval in INTERVALS):
            text = with_replicates(name, estimator, replicates)
            results.append(Candidate(name, text, None, parse_estimator(text).fits(n)))
    return results


def most_fits(p: OwnDataParameters) -> int:
    """Say how many classifiers an estimate beside the chosen one may make."""
    if p.most_fits is not None:
        return p.most_fits
    return _FOREIGN if is_foreign(p.inducer) else _OURS


def is_foreign(*classifiers: str) -> bool:
    """Whether one of these is no inducer of the library, so that text and gaps are encoded for it."""
    return not all(isinstance(resolve_model(c), Inducer) for c in classifiers)


def with_replicates(name: str, make: Callable[..., Any], replicates: int) -> str:
    """Write an id with its bootstrap samples in proportion to a number that is 200 as a rule."""
    known = inspect.signature(make).parameters
    messages = [f"{k}={max(2, known[k].default * replicates // _USUAL_REPLICATES)}" for k in _BOOTSTRAPS if k in known]
    return f"{name}({', '.join(messages)})" if messages else name


@lru_cache(maxsize=8)
def _data(source: str, class_column: str | None, digest: str) -> Sample:
    """Read once what the digest says that it holds."""
    sample = load_data(source, class_column)
    if sample.digest() != digest:
        raise UsageError(f"{source} was changed while it was worked on; expected it to stay; run the notebook again")
    return sample


def _data_cell(p: OwnDataParameters) -> dict[str, Any]:
    """Return what a study needs to find the same cases again."""
    whole, taken = sets(p)
    return {
        "source": p.data,
        "class_column": p.class_column,
        "digest": whole.digest(),
        "cases": int(taken.cases.size),
        "data_seed": p.seed,
        "inducer": p.inducer,
    }


def estimate(cell: Mapping[str, Any]) -> Callable[[Streams], dict[str, float]]:
    """Make one estimate with its interval: proportions, NaN where it cannot be made of these cases.

    The random numbers are those of :func:`~errorest.estimate` with ``rng=seed``, so that
    the same call repeats each of them, and all estimates share the resamples that they have in common.
    """
    whole = _data(cell["source"], cell["class_column"], cell["digest"])
    sample = whole.take(take_cases(whole.n, cell["cases"], cell["data_seed"]).cases)

    def made(place: Streams) -> dict[str, float]:
        try:
            result = errorest.estimate(
                cell["inducer"],
                sample,
                method=_method(cell["estimator"]),
                interval=cell["interval"],
                rng=cell["data_seed"],
                confidence_level=cell["confidence"],
                encode=is_foreign(cell["inducer"]),
            )
        except UsageError:
            # too few cases for this one, or a classifier that fails on one of its resamples
            return {"made": 0, **dict.fromkeys(("estimate", "low", "high", "se"), _NOTHING)}
        assert isinstance(result, Estimate)
        low, high = (_NOTHING, _NOTHING) if result.interval is None else (result.interval.low, result.interval.high)
        se = _NOTHING if result.standard_error is None else result.standard_error
        return {"made": 1, "estimate": result.value, "low": low, "high": high, "se": se}

    return made


def estimate_study(p: OwnDataParameters, wanted: list[Candidate]) -> Study:
    """Make the study of estimates on the cases at hand."""
    data = _data_cell(p)
    cells = [{**data, "confidence": p.confidence, "estimator": c.estimator, "interval": c.interval} for c in wanted]
    return Study("guide-own-estimates", cells, 1, each_replicate(estimate), seed=p.seed, data={"data": data["digest"]})


def error_on(inducer: str, sample: Sample, training: int, rng: np.random.Generator | int) -> tuple[int, int]:
    """Train on the first cases of a sample and test on the others."""
    # imported here: half a second that the parameters do not need
    from sklearn.model_selection import PredefinedSplit

    tested = sample.n - training
    split = PredefinedSplit(np.repeat([-1, 0], [training, tested]))
    result = errorest.estimate(inducer, sample, method=split, interval=None, rng=rng, encode=is_foreign(inducer))
    assert isinstance(result, Estimate)
    return round(result.value * tested), tested


def on_the_rest(p: OwnDataParameters, inducer: str) -> tuple[int, int]:
    """Count the errors of the classifier made of the cases taken on those held back."""
    whole, taken = sets(p)
    return error_on(inducer, whole.take(np.concatenate(taken)), taken.cases.size, p.seed)


def procedure(cell: Mapping[str, Any]) -> Callable[[Streams], dict[str, int]]:
    """Take as many cases at random, train on them and test on the others: errors, and cases tested."""
    whole = _data(cell["source"], cell["class_column"], cell["digest"])

    def drawn(place: Streams) -> dict[str, int]:
        cases = place.generator("cases").permutation(whole.n)[: cell["cases"] + _MOST_TESTED]
        errors, tested = error_on(cell["inducer"], whole.take(cases), cell["cases"], place.generator("inducer"))
        return {"errors": errors, "tested": tested}

    return drawn


def procedure_study(p: OwnDataParameters) -> Study:
    """Make the study of what classifiers of as many cases are worth on average."""
    data = _data_cell(p)
    return Study(
        "guide-own-procedure",
        [data],
        p.draws,
        each_replicate(procedure),
        seed=p.seed,
        seed_keys=("digest", "cases"),
        data={"data": data["digest"]},
        chunk=25,
    )
