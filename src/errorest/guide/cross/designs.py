"""The cross-examination: samples of every paper's settings, and every paper's estimators on each of them.

All estimators and all inducers of a setting see the same samples, resamples and clones.
Kept apart from the tables that are made of it, so that a word changed there leaves finished
studies valid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np

from errorest.data.sample import Sample
from errorest.data.sets import digest
from errorest.estimation.clone_errors import Cloning
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.method import Measured, loss_table
from errorest.estimation.run import run_inducers
from errorest.experiment.populations import TwoNormals
from errorest.inducers.base import Inducer, IntervalClassifier
from errorest.inducers.neighbors import KNN, interval_classifier
from errorest.inducers.threshold import Threshold
from errorest.papers.kohavi import named_inducers, study_designs
from errorest.papers.martin_hirschberg.lenses import designs as lens_designs
from errorest.papers.shakhnarovich import designs, named
from errorest.papers.shakhnarovich.uci import data as uci_data
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "CLONED",
    "ESTIMATORS",
    "FAMILIES",
    "INDUCERS",
    "INTERVALS",
    "Effort",
    "Setting",
    "cross_study",
    "estimator_ids",
    "inducer_of",
    "measure_setting",
]

TRUE_ERROR = "true-error"

ESTIMATORS: Mapping[str, str] = {
    "resubstitution": "resubstitution",
    "cv-10": "cv(k=10)",
    "stratified-cv-10": "cv(k=10, stratified=True)",
    "repeated-stratified-cv-10": "cv(k=10, repeats={as_many}, stratified=True)",
    "loo": "loo",
    "repeated-cv-2": "cv(k=2, repeats={repeats})",
    "bootstrap-632": "632(replicates={bootstrap})",
    "loo-star": "loo*(replicates={bootstrap}, repeats={repeats})",
    "bootstrap-632-plus": "632+(replicates={bootstrap})",
    "cloned-632-plus": "632+(replicates={a_case}, per=nested, variant=zero-outside, cloned=True{bounds})",
    "cloned-632-plus-correct": "632+(replicates={a_case}, per=nested, cloned=True{bounds})",
    "cloned-bscv-5": "bscv(k=5, replicates={clones}, weights=folds, cloned=True{bounds})",
}
"""Estimators by the name of their columns, and the library's ids for them."""

CLONED = ("cloned-632-plus", "cloned-632-plus-correct", "cloned-bscv-5")
"""Those that draw clones of the sample."""

INTERVALS: Mapping[str, str] = {
    "kohavi": "kohavi(k=10, stratified=True)",
    "cv-wald": "cv-wald(k=10)",
    "loo-kohavi": "loo-kohavi",
    "632-plus": "632+(replicates={bootstrap})",
}
"""Intervals that the library pairs with these estimators; they reduce the same resamples."""

FAMILIES: Mapping[str, str] = {
    "two-normals": "martin-hirschberg",
    "lenses": "martin-hirschberg",
    "synthetic": "shakhnarovich",
    "uci": "shakhnarovich",
    "data": "kohavi",
}
"""Kinds of settings, and the paper that each is of."""

INDUCERS: Mapping[str, Callable[[], Inducer]] = {
    "threshold": Threshold,
    "ldf": lambda: named.classifier_named("ldf").inducer,
    "svm-linear": lambda: named.classifier_named("svm-linear@c=0.01").inducer,
    "svm-rbf": lambda: named.classifier_named("svm-rbf").inducer,
    "1-nn": lambda: KNN(1),
    "1-nn-hamming": lambda: KNN(1, metric="hamming"),
    "3-nn": lambda: KNN(3),
    "17-nn": lambda: KNN(17),
    "id3": lambda: lens_designs.INDUCERS["gain-3102"],
    "c4.5": lambda: named_inducers.inducer_named("c4.5"),
    "naive-bayes": lambda: named_inducers.inducer_named("naive-bayes"),
}
"""The papers' inducers, in the settings that their papers give them."""


class Effort(NamedTuple):
    """How much an estimate takes: bootstrap samples, repeats of 2-CV, clones of .632+*, clones of BSCV."""

    bootstrap: int
    repeats: int
    left_out_clones: int
    clones: int


class Setting(NamedTuple):
    """One setting: what samples are drawn from, their size, the inducers, and the estimators that are left out.

    ``at`` is the inherent error, the share of wrong labels, the number in Table 1, or the data set.
    """

    family: str
    at: float | int | str
    n: int
    inducers: tuple[str, ...]
    samples: int
    effort: Effort
    without: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def inducer_of(name: str) -> Inducer:
    """Make the inducer of a name of :data:`INDUCERS`.

    Examples
    --------
    >>> inducer_of("3-nn").id
    'k-nn(k=3)'
    """
    return INDUCERS[name]()


def estimator_ids(n: int, effort: Effort, without: Sequence[str] = (), bounds: str = "") -> dict[str, str]:
    """Write the library's ids of the estimators of a setting.

    Parameters
    ----------
    n : int
        Cases; the clones of .632+* are shared out among them, at least one each.
    effort : Effort
    without : sequence of str
        Names that are left out.
    bounds : str
        Of the clones, as in an id; empty for none.

    Examples
    --------
    >>> estimator_ids(100, Effort(200, 50, 600, 50))["cloned-632-plus-correct"]
    '632+(replicates=6, per=nested, cloned=True)'
    """
    words = {
        "repeats": effort.repeats,
        "bootstrap": effort.bootstrap,
        # as many fits as the bootstrap has samples, for a comparison at equal cost
        "as_many": max(2, round(effort.bootstrap / 10)),
        "a_case": max(1, round(effort.left_out_clones / n)),
        "clones": effort.clones,
        "bounds": f", bounds={bounds}" if bounds else "",
    }
    return {name: text.format(**words) for name, text in ESTIMATORS.items() if name not in without}


TrueError = Callable[[Inducer], float]


def _two_normals(cell: Mapping[str, Any], place: Streams) -> tuple[Sample, TrueError]:
    population = TwoNormals.of_inherent_error(cell["at"])
    sample = population.sample(cell["n"], place.generator("sample"))

    def true_error(inducer: Inducer) -> float:
        if isinstance(inducer, KNN):
            return population.true_error(interval_classifier(sample, inducer.k))
        return population.true_error(cast(IntervalClassifier, inducer.fit(sample)))

    return sample, true_error


def _lenses(cell: Mapping[str, Any], place: Streams) -> tuple[Sample, TrueError]:
    population = lens_designs.Lenses.with_noise(cell["at"])
    sample = population.sample(cell["n"], place.generator("sample"))
    return sample, lambda inducer: population.exact_error(inducer.fit(sample))


def _synthetic(cell: Mapping[str, Any], place: Streams) -> tuple[Sample, TrueError]:
    population, _ = designs.population_of(cell["at"])
    sample = population.balanced_sample(cell["n"], place.generator("sample"))
    return sample, _on(sample, population.balanced_sample(cell["validation"], place.generator("validation")))


def _uci(cell: Mapping[str, Any], place: Streams) -> tuple[Sample, TrueError]:
    whole = uci_data.uci_set(cell["at"])
    drawn, rest = uci_data.draw_cases(whole.y, cell["n"], "uniform", place.generator("sample"))
    sample = whole.take(drawn)
    return sample, _on(sample, whole.take(rest))


def _data(cell: Mapping[str, Any], place: Streams) -> tuple[Sample, TrueError]:
    whole = study_designs.load_set(cell["at"], cell["n"], None, cell["data_seed"]).sample
    drawn = place.generator("sample").permutation(whole.n)
    sample = whole.take(drawn[: cell["n"]])
    return sample, _on(sample, whole.take(drawn[cell["n"] :]))


def _on(sample: Sample, test: Sample) -> TrueError:
    return lambda inducer: float(np.mean(inducer.fit(sample).predict(test.X) != test.y))


_DRAW: Mapping[str, Callable[[Mapping[str, Any], Streams], tuple[Sample, TrueError]]] = {
    "two-normals": _two_normals,
    "lenses": _lenses,
    "synthetic": _synthetic,
    "uci": _uci,
    "data": _data,
}


def measure_setting(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw samples of one setting; estimate the error of every inducer in every way, and find its true error.

    Returns columns ``<place>/<name>``, place 0 being the first inducer of the cell: ``true-error`` and
    the estimators (proportions), ``<interval>/covers`` (0 or 1: the interval contains the true error of
    the classifier at hand) and ``<interval>/width``; NaN in empty places and for what is left out.
    """
    estimators = {name: parse_estimator(text) for name, text in cell["estimators"].items()}
    intervals = {name: parse_interval(text) for name, text in cell["intervals"].items()}
    schemes = [s for e in estimators.values() for s in e.schemes] + [s for i in intervals.values() for s in i.schemes]
    inducers = {name: inducer_of(name) for name in cell["inducers"]}
    of_intervals = [f"{name}/{what}" for name in INTERVALS for what in ("covers", "width")]
    names = (TRUE_ERROR, *ESTIMATORS, *of_intervals)
    out = {f"{k}/{name}": np.full(len(replicates), np.nan) for k in range(cell["places"]) for name in names}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        sample, true_error = _DRAW[cell["family"]](cell, place)
        table = loss_table(None, sample.n_classes)
        made = run_inducers(sample, inducers, schemes, place)
        for k, (name, inducer) in enumerate(inducers.items()):
            truth = true_error(inducer)
            out[f"{k}/{TRUE_ERROR}"][i] = truth
            for label, estimator in estimators.items():
                out[f"{k}/{label}"][i] = estimator.reduce(sample, made[name])
            for label, method in intervals.items():
                found = method.result(Measured(sample, made[name], table))
                out[f"{k}/{label}/covers"][i] = found.contains(truth)
                out[f"{k}/{label}/width"][i] = found.clipped.high - found.clipped.low
    return out


def _bounds_of(setting: Setting) -> str:
    """Return the bounds of clones: those of the whole data set where Shakhnarovich et al. state them."""
    if setting.family != "uci":
        return ""
    X = uci_data.uci_set(str(setting.at)).X
    pairs = tuple(zip(X.min(axis=0).tolist(), X.max(axis=0).tolist(), strict=True))
    return Cloning(bounds=pairs).texts["bounds"]


def _data_of(settings: Sequence[Setting], seed: int) -> dict[str, str]:
    found = {}
    for s in settings:
        if s.family == "lenses":
            found[lens_designs.CASES] = digest(lens_designs.CASES)
        elif s.family == "uci":
            found[f"uci/{s.at}"] = uci_data.uci_set(str(s.at)).digest()
        elif s.family == "data":
            found[str(s.at)] = study_designs.load_set(str(s.at), s.n, None, seed).sample.digest()
    return found


def cross_study(settings: Sequence[Setting], validation: int, seed: int) -> Study:
    """Make the study of the cross-examination; samples depend on kind, place, size and seed alone.

    Parameters
    ----------
    settings : sequence of Setting
    validation : int
        Cases that measure the true error where samples come from one of the five synthetic populations.
    seed : int
    """
    places = max(len(s.inducers) for s in settings)
    cells = []
    for s in settings:
        ids = estimator_ids(s.n, s.effort, s.without, _bounds_of(s))
        cells.append(
            {
                "family": s.family,
                "at": s.at,
                "n": s.n,
                "inducers": list(s.inducers),
                "places": places,
                "estimators": ids,
                "intervals": {name: text.format(bootstrap=s.effort.bootstrap) for name, text in INTERVALS.items()},
                "validation": validation if s.family == "synthetic" else 0,
                "data_seed": seed if s.family == "data" else 0,
            }
        )
    return Study(
        "guide-cross-examination",
        cells,
        [s.samples for s in settings],
        measure_setting,
        seed=seed,
        seed_keys=("family", "at", "n"),
        data=_data_of(settings, seed),
        chunk=10,
        cost=_cost,
    )


def _cost(cell: Mapping[str, Any]) -> float:
    """Milliseconds, roughly, of one sample."""
    compiled = {"two-normals": 3.0, "synthetic": 8.0, "uci": 4.0}
    a_fit = compiled.get(cell["family"], 60.0) * (1 + cell["n"] / 50) / 20
    return 5.0 + len(cell["inducers"]) * a_fit * len(cell["estimators"])
