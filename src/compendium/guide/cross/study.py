"""The study of the cross-examination; all learners of a setting see the same samples, resamples and clones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compendium.guide.cross.settings import INTERVALS, Setting, data_of, estimator_ids
from compendium.methods.clones import Cloning
from compendium.methods.learners.threshold import Threshold
from compendium.papers.kohavi.data import load_set
from compendium.papers.kohavi.inducers import inducer_named
from compendium.papers.martin_hirschberg.lenses.population import Lenses
from compendium.papers.martin_hirschberg.lenses.study import INDUCERS as TREES
from compendium.papers.shakhnarovich.methods import classifier_named
from compendium.papers.shakhnarovich.synthetic.study import population_of
from compendium.papers.shakhnarovich.uci import data as uci_data
from compendium.studies.experiment import Experiment
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import FromPopulation, PartOfData, Source, WithTestSet
from compendium.studies.study import Study
from errorest.learners.base import Classifier, Inducer
from errorest.learners.neighbors import KNN

# The papers' inducers, in the settings that their papers give them
INDUCERS: Mapping[str, Inducer] = {
    "threshold": Threshold(),
    "ldf": classifier_named("ldf").inducer,
    "svm-linear": classifier_named("svm-linear@c=0.01").inducer,
    "svm-rbf": classifier_named("svm-rbf").inducer,
    "1-nn": KNN(1),
    "1-nn-hamming": KNN(1, metric="hamming"),
    "3-nn": KNN(3),
    "17-nn": KNN(17),
    "id3": TREES["gain-3102"],
    "c4.5": inducer_named("c4.5"),
    "naive-bayes": inducer_named("naive-bayes"),
}


class ExactLenses(Lenses):
    """The lenses with the probability of a wrong prediction for the true error, where the paper has a formula."""

    def true_error(self, classifier: Classifier) -> float:
        """Probability of a wrong prediction; a proportion."""
        return self.exact_error(classifier)


def _source(family: str, at: Any, n: int, validation: int, data_seed: int) -> Source:
    """Return what the samples of a setting are drawn from."""
    match family:
        case "two-normals":
            return FromPopulation(TwoNormals.of_inherent_error(at), n)
        case "lenses":
            return FromPopulation(ExactLenses.with_noise(at), n)
        case "synthetic":
            return WithTestSet(population_of(at)[0].balanced_sample, n, validation)
        case "uci":
            return PartOfData(uci_data.uci_set(at), n)
    return PartOfData(load_set(at, n, None, data_seed).sample, n)


def cross_examination(cell: Cell) -> Experiment:
    """Return what is measured in a setting: true error, estimates and intervals of every inducer."""
    source = _source(*(cell[name] for name in ("family", "at", "n", "validation", "data_seed")))
    return Experiment(
        source, {name: INDUCERS[name] for name in cell["inducers"]}, cell["estimators"], cell["intervals"]
    )


def _bounds_of(setting: Setting) -> str:
    """Return the bounds of clones: those of the whole data set where Shakhnarovich et al. state them."""
    if setting.family != "uci":
        return ""
    X = uci_data.uci_set(str(setting.at)).X
    pairs = tuple(zip(X.min(axis=0).tolist(), X.max(axis=0).tolist(), strict=True))
    return Cloning(bounds=pairs).written("bounds")


def cross_study(settings: Sequence[Setting], validation: int, seed: int) -> Study:
    """Return the study of the cross-examination; samples depend on family, setting, size and seed alone."""
    cells = []
    for s in settings:
        ids = estimator_ids(s.n, s.effort, s.without, _bounds_of(s))
        cells.append(
            {
                "family": s.family,
                "at": s.at,
                "n": s.n,
                "inducers": list(s.inducers),
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
        each_replicate(cross_examination),
        seed=seed,
        seed_keys=("family", "at", "n"),
        data=data_of(settings, seed),
        chunk=10,
        cost=_cost,
    )


def _cost(cell: Cell) -> float:
    """Milliseconds, roughly, of one sample."""
    compiled = {"two-normals": 3.0, "synthetic": 8.0, "uci": 4.0}
    a_fit = compiled.get(cell["family"], 60.0) * (1 + cell["n"] / 50) / 20
    return 5.0 + len(cell["inducers"]) * a_fit * len(cell["estimators"])
