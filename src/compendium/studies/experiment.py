"""The one experiment: a source draws samples, inducers make classifiers of them, estimators tell their errors.

How to say an experiment
------------------------
Write a *design*, a function at the top of a module that turns the parameters of one cell
into an :class:`Experiment`, and give ``each_replicate(design)`` to a :class:`~compendium.studies.study.Study`::

    def discriminant(cell):
        return Experiment(
            FromPopulation(TwoNormals.of_inherent_error(cell["inherent_error"]), cell["n"]),
            {rule: Threshold(rule) for rule in cell["rules"]},
            cell["estimators"],                       # name -> id of the library
            extras=(reversed_,),                      # trial -> {name: number}, of each classifier
        )

    study = Study("martin-hirschberg-discriminant", cells, samples, each_replicate(discriminant),
                  seed=seed, seed_keys=("n", "inherent_error"))
    table = run(study)                                # a line a quantity: inducer, quantity, value
    literal = wide(table, "literal")                  # a line a sample, a column a quantity

A sample is drawn from ``place.generator("sample")`` (a test set drawn beside it from ``"validation"``) with
``place = streams.child(replicate)``, the classifier of the whole sample from ``place.generator("inducer")`` where its
inducer draws at random, and each scheme from a stream of its id, once a sample.  Which source, extra or design serves
what is said in ``book/extend/paper.md``.  A change of what a design yields raises the version of its study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import nan

import numpy as np
import pandas as pd

from compendium.methods.estimators import parse_estimator
from compendium.methods.run import run_inducers
from compendium.studies.sources import DrawnSample, Source
from errorest.data.sample import Sample
from errorest.estimation.estimators import Estimator
from errorest.estimation.intervals import IntervalMethod, IntervalResult, parse_interval
from errorest.estimation.intervals.method import Measured
from errorest.estimation.outcomes import RowErrors
from errorest.learners.base import Classifier, Inducer
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["TRUE_ERROR", "Experiment", "Extra", "Trial", "wide"]

TRUE_ERROR = "true-error"
"""The quantity under which a classifier's true error stands."""


@dataclass(eq=False)
class Trial:
    """One inducer on one sample: what extras read.

    Parameters
    ----------
    name : str
        Of the inducer in its experiment.
    inducer : Inducer
    drawn : DrawnSample
        The sample, and what its source knows.
    outcomes : mapping of Scheme to RowErrors
        Of all schemes of the experiment.
    place : Streams
        Of the replicate.
    experiment : Experiment

    Examples
    --------
    >>> from errorest.learners import Majority
    >>> sample = Sample.from_arrays([1.0, 2.0, 3.0], list("aab"))
    >>> trial = Trial("", Majority(), DrawnSample(sample, test=sample), {}, Streams(0), Experiment(None, Majority()))
    >>> trial.labels.tolist(), round(trial.true_error, 3)
    ([0, 0, 0], 0.333)
    """

    name: str
    inducer: Inducer
    drawn: DrawnSample
    outcomes: Mapping[Scheme, RowErrors]
    place: Streams
    experiment: Experiment

    @property
    def sample(self) -> Sample:
        """The sample."""
        return self.drawn.sample

    @cached_property
    def classifier(self) -> Classifier:
        """The classifier of the whole sample."""
        rng = self.place.generator("inducer") if getattr(self.inducer, "random", False) else None
        return self.inducer.fit(self.sample, rng)

    @cached_property
    def labels(self) -> np.ndarray:
        """What it says of the test set."""
        assert self.drawn.test is not None, "the source draws no test set"
        return self.classifier.predict(self.drawn.test.X)

    @cached_property
    def true_error(self) -> float:
        """Its true error, a proportion: as the source knows it, or on the test set."""
        if self.drawn.truth is not None:
            return self.drawn.truth(self.classifier)
        assert self.drawn.test is not None, "the source does not know the truth"
        return float(np.mean(self.labels != self.drawn.test.y))

    @cached_property
    def intervals(self) -> dict[str, IntervalResult]:
        """The experiment's intervals, without the errors that their resamples bring, which its replicates show."""
        measured = Measured(self.sample, self.outcomes, self.experiment.confidence, monte_carlo=False)
        return {name: method.result(measured) for name, method in self.experiment.methods.items()}

    def run(self, schemes: Iterable[Scheme], *keys: str) -> dict[Scheme, RowErrors]:
        """Run more schemes, with random streams below ``keys`` of the replicate's place."""
        return run_inducers(self.sample, {"": self.inducer}, schemes, self.place.child(*keys))[""]


Extra = Callable[[Trial], Mapping[str, float]]
"""``extra(trial)``: named numbers of one inducer on one sample."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is measured in the replicates of one cell.

    Parameters
    ----------
    source : Source
    inducers : Inducer, or mapping of str to Inducer
        Several see the same samples and resamples, and each line of the table names one.
    estimators : mapping of str to Estimator or str
        By the names of their quantities.
    intervals : mapping of str to IntervalMethod or str
    extras : sequence of callables
        ``extra(trial) -> {name: number}``, once an inducer.
    of_samples : sequence of callables
        ``extra(drawn) -> {name: number}``, once a sample; the inducer of these lines is empty.
    confidence : float
        Of the intervals, a proportion.

    Examples
    --------
    >>> from compendium.studies.populations import TwoNormals
    >>> from compendium.studies.sources import FromPopulation
    >>> from compendium.methods.learners.threshold import Threshold
    >>> two = Experiment(FromPopulation(TwoNormals(2.0), 10), {"threshold": Threshold()}, {"loo": "loo"})
    >>> lines = two(Streams(0))
    >>> lines["inducer"], lines["quantity"]
    (['threshold', 'threshold'], ['true-error', 'loo'])
    """

    source: Source
    inducers: Inducer | Mapping[str, Inducer]
    estimators: Mapping[str, Estimator | str] = field(default_factory=dict)
    intervals: Mapping[str, IntervalMethod | str] = field(default_factory=dict)
    extras: Sequence[Extra] = ()
    of_samples: Sequence[Callable[[DrawnSample], Mapping[str, float]]] = ()
    confidence: float = 0.95

    @cached_property
    def named(self) -> Mapping[str, Inducer]:
        """The inducers by name; a single one has none."""
        return self.inducers if isinstance(self.inducers, Mapping) else {"": self.inducers}

    @cached_property
    def parsed(self) -> dict[str, Estimator]:
        """The estimators."""
        return {name: parse_estimator(e) if isinstance(e, str) else e for name, e in self.estimators.items()}

    @cached_property
    def methods(self) -> dict[str, IntervalMethod]:
        """The interval methods."""
        return {name: parse_interval(m) if isinstance(m, str) else m for name, m in self.intervals.items()}

    @cached_property
    def schemes(self) -> list[Scheme]:
        """What is run on every sample, once."""
        results = [scheme for estimator in self.parsed.values() for scheme in estimator.schemes]
        results += [scheme for method in self.methods.values() for scheme in method.schemes]
        return list(dict.fromkeys(results))

    def trials(self, place: Streams) -> list[Trial]:
        """Draw a sample and run everything on it."""
        sampled = self.source.draw(place)
        for method in self.methods.values():
            method.check(sampled.sample, self.confidence)
        made = run_inducers(sampled.sample, self.named, self.schemes, place)
        return [Trial(name, inducer, sampled, made[name], place, self) for name, inducer in self.named.items()]

    def quantities(self, trial: Trial) -> dict[str, float]:
        """Return the true error, the extras and the estimates of one inducer on one sample."""
        result = {TRUE_ERROR: trial.true_error} if trial.drawn.knows_truth else {}
        for extra in self.extras:
            result.update(extra(trial))
        for name, estimator in self.parsed.items():
            result[name] = estimator.reduce(trial.sample, trial.outcomes)
        return result

    def __call__(self, place: Streams) -> dict[str, list[str | float]]:
        """Measure one replicate."""
        trials = self.trials(place)
        results = [("", extra(trials[0].drawn)) for extra in self.of_samples]
        results += [(trial.name, self.quantities(trial)) for trial in trials]
        of: list[str | float] = []
        lines: dict[str, list[str | float]] = {"quantity": [], "value": []}
        for name, numbers in results:
            of += [name] * len(numbers)
            lines["quantity"] += numbers
            lines["value"] += map(float, numbers.values())
        if self.methods:
            lines |= {side: [nan] * len(of) for side in ("low", "high")}
            for trial in trials:
                of += [trial.name] * len(trial.intervals)
                lines["quantity"] += trial.intervals
                for side, part in (("value", "estimate"), ("low", "low"), ("high", "high")):
                    lines[side] += [getattr(result, part) for result in trial.intervals.values()]
        return {"inducer": of, **lines} if isinstance(self.inducers, Mapping) else lines


_LINE = ("quantity", "value", "low", "high")


def wide(table: pd.DataFrame, inducer: str | None = None, column: str = "value") -> pd.DataFrame:
    """Spread the quantities of one inducer over columns.

    Parameters
    ----------
    table : DataFrame
        From :func:`~compendium.studies.study.run_study`, of an experiment.
    inducer : str, optional
        By name; empty for what is said of the samples alone.  None where inducers have no names.
    column : {"value", "low", "high"}
        What is spread; the limits are NaN for quantities that are no intervals.

    Returns
    -------
    DataFrame
        A line for each sample that has quantities of the inducer: the cells' parameters, ``cell``,
        ``replicate``, and a column a quantity, NaN where a sample lacks one.

    Examples
    --------
    >>> lines = {"n": 10, "cell": 0, "replicate": [0, 0, 1], "value": [0.1, 0.2, 0.3]}
    >>> quantity = pd.Categorical(["true-error", "loo", "true-error"], ["true-error", "loo"])
    >>> wide(pd.DataFrame({**lines, "quantity": quantity})).round(1).to_numpy().tolist()
    [[10.0, 0.0, 0.0, 0.1, 0.2], [10.0, 0.0, 1.0, 0.3, nan]]
    """
    lines = table if inducer is None else table[table["inducer"] == inducer]
    quantity = lines["quantity"].cat.remove_unused_categories().cat
    of = lines[["cell", "replicate"]].to_numpy()
    first = np.ones(len(lines), dtype=bool)
    first[1:] = (of[1:] != of[:-1]).any(axis=1)
    values = np.full((int(first.sum()), len(quantity.categories)), np.nan)
    values[np.cumsum(first) - 1, quantity.codes.to_numpy()] = lines[column].to_numpy()
    # without an inducer asked for, a column of that name is a parameter of the cells
    report = _LINE if inducer is None else ("inducer", *_LINE)
    samples = lines.loc[first, [name for name in lines.columns if name not in report]].reset_index(drop=True)
    return pd.concat([samples, pd.DataFrame(values, columns=list(quantity.categories))], axis=1)
