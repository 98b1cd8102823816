"""The cross-examination: samples of every paper's settings, and every paper's estimators on each of them.

All estimators and all inducers of a setting see the same samples, resamples and clones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import field_validator, model_validator

from compendium.methods.clones import Cloning
from compendium.methods.learners.threshold import Threshold
from compendium.papers.kohavi import data as kohavi_data
from compendium.papers.kohavi import named_inducers
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.martin_hirschberg.lenses.study import INDUCERS as TREES
from compendium.papers.parameters import InherentErrors, NoiseLevels, Parameters, Sizes, each_once, parameter
from compendium.papers.shakhnarovich.methods import classifier_named
from compendium.papers.shakhnarovich.synthetic.experiment import SETTINGS, population_of
from compendium.papers.shakhnarovich.uci import experiment as uci_data
from compendium.studies.experiment import Experiment
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import FromPopulation, PartOfData, Source, WithTestSet
from compendium.studies.study import Study
from errorest.data.sets import digest
from errorest.learners.base import Classifier, Inducer
from errorest.learners.neighbors import KNN

# Estimators by the name of their columns, and the library's ids for them
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

# Those that draw clones of the sample
CLONED = ("cloned-632-plus", "cloned-632-plus-correct", "cloned-bscv-5")

# What every estimator is measured against
REFERENCE = "stratified-cv-10"

# Estimators that are compared; the apparent error is shown, but nobody recommends it
CONTENDERS = tuple(name for name in ESTIMATORS if name != "resubstitution")

# Intervals that the library pairs with these estimators; they reduce the same resamples
INTERVALS: Mapping[str, str] = {
    "kohavi": "kohavi(k=10, stratified=True)",
    "cv-wald": "cv-wald(k=10)",
    "loo-kohavi": "loo-kohavi",
    "632-plus": "632+(replicates={bootstrap})",
}

# The papers' inducers, in the settings that their papers give them
INDUCERS: Mapping[str, Callable[[], Inducer]] = {
    "threshold": Threshold,
    "ldf": lambda: classifier_named("ldf").inducer,
    "svm-linear": lambda: classifier_named("svm-linear@c=0.01").inducer,
    "svm-rbf": lambda: classifier_named("svm-rbf").inducer,
    "1-nn": lambda: KNN(1),
    "1-nn-hamming": lambda: KNN(1, metric="hamming"),
    "3-nn": lambda: KNN(3),
    "17-nn": lambda: KNN(17),
    "id3": lambda: TREES["gain-3102"],
    "c4.5": lambda: named_inducers.inducer_named("c4.5"),
    "naive-bayes": lambda: named_inducers.inducer_named("naive-bayes"),
}


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


_UCI_INDUCERS: Mapping[str, tuple[str, ...]] = {
    "breast-cancer": ("1-nn", "3-nn", "svm-linear"),
    "vehicle": ("1-nn",),
    "pima": ("17-nn",),
}
_KOHAVI_SETS = ["breast-cancer", "chess", "hypothyroid", "mushroom", "soybean-large", "vehicle", "rand"]


class CrossParameters(Parameters, notebook="guide/03-cross-examination"):
    """Parameters of the cross-examination."""

    seed: int = parameter(2026, ge=0)
    sizes: Sizes = parameter([10, 20, 50, 100], min_length=1, preview=[10, 50])
    inherent_errors: InherentErrors = parameter([0.05, 0.25, 0.5], min_length=1, preview=[0.25])
    lens_sizes: Sizes = parameter([24, 96], min_length=1, preview=[24])
    noises: NoiseLevels = parameter([0.1, 0.25], min_length=1, preview=[0.1])
    settings: list[int] = parameter(list(SETTINGS), min_length=1, preview=[1, 2])
    uci_sets: list[str] = parameter(list(uci_data.PUBLISHED), min_length=1, preview=["breast-cancer"])
    data_sets: list[str] = parameter(_KOHAVI_SETS, min_length=1, preview=["breast-cancer"])
    data_sizes: list[int] = parameter([50, 900, 400, 800, 100, 100, 100], min_length=1, preview=[50])
    samples: int = parameter(100, ge=2, preview=12, replication=True)
    lens_samples: int = parameter(60, ge=2, preview=6, replication=True)
    uci_samples: int = parameter(80, ge=2, preview=6, replication=True)
    data_samples: int = parameter(20, ge=2, preview=4, replication=True)
    large_samples: int = parameter(10, ge=2, preview=3, replication=True)
    large: int = parameter(100, ge=2)
    bootstrap_samples: int = parameter(200, ge=2, preview=50)
    cv_repeats: int = parameter(50, ge=1, preview=10)
    left_out_clones: int = parameter(600, ge=1, preview=200)
    clones: int = parameter(50, ge=1, preview=10)
    slow_share: float = parameter(0.5, gt=0, le=1)
    validation: int = parameter(4000, ge=2, preview=1000, replication=True)

    _once = field_validator("settings", "uci_sets", "data_sets")(each_once)

    @field_validator("settings")
    @classmethod
    def _known(cls, value: list[int]) -> list[int]:
        for number in value:
            population_of(number)
        return value

    @field_validator("uci_sets")
    @classmethod
    def _studied(cls, value: list[str]) -> list[str]:
        for name in value:
            if name not in _UCI_INDUCERS:
                raise ValueError(f"unknown data set '{name}'; expected {', '.join(_UCI_INDUCERS)}; choose among these")
        return value

    @model_validator(mode="after")
    def _a_size_each(self) -> CrossParameters:
        if len(self.data_sets) != len(self.data_sizes):
            raise ValueError(f"{len(self.data_sets)} data sets have {len(self.data_sizes)} sizes; expected one each")
        if min((*self.sizes, *self.lens_sizes, *self.data_sizes)) < 10:
            raise ValueError(
                "a sample has fewer than 10 cases; expected at least 10, for ten folds; use larger samples"
            )
        if self.validation % 2:
            raise ValueError(
                f"{self.validation} cases are to measure a true error; expected an even number, half of each class; "
                "change validation by one"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digest of each data set that is read, by its name."""
        return dict(cross_study(settings_of(self), self.validation, self.seed).data)


def settings_of(p: CrossParameters) -> list[Setting]:
    """List the settings of a design, in the order of the papers."""
    fast = Effort(p.bootstrap_samples, p.cv_repeats, p.left_out_clones, p.clones)
    share = p.slow_share
    slow = fast._replace(
        left_out_clones=max(1, round(share * p.left_out_clones)), clones=max(1, round(share * p.clones))
    )
    out = [
        Setting("two-normals", e, n, ("threshold", "1-nn", "3-nn"), p.samples, fast)
        for e in p.inherent_errors
        for n in p.sizes
    ]
    out += [
        Setting("lenses", q, n, ("id3", "1-nn-hamming"), p.lens_samples, slow) for q in p.noises for n in p.lens_sizes
    ]
    out += [
        Setting("synthetic", number, population_of(number)[1], ("ldf", "1-nn", "3-nn", "svm-rbf"), p.samples, fast)
        for number in p.settings
    ]
    out += [Setting("uci", s, uci_data.PUBLISHED[s][0], _UCI_INDUCERS[s], p.uci_samples, fast) for s in p.uci_sets]
    for name, n in zip(p.data_sets, p.data_sizes, strict=True):
        big = n > p.large
        samples, without = (p.large_samples, CLONED[:2]) if big else (p.data_samples, ())
        out.append(Setting("data", name, n, ("c4.5", "naive-bayes"), samples, slow, tuple(without)))
    return out


@lru_cache(maxsize=16)
def inducer_of(name: str) -> Inducer:
    """Make the inducer of a name of :data:`INDUCERS`."""
    return INDUCERS[name]()


def estimator_ids(n: int, effort: Effort, without: Sequence[str] = (), bounds: str = "") -> dict[str, str]:
    """Write the library's ids of the estimators of a setting."""
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


class ExactLenses(Lenses):
    """The lenses with the probability of a wrong prediction for the true error, where the paper has a formula."""

    def true_error(self, classifier: Classifier) -> float:
        """Probability of a wrong prediction; a proportion."""
        return self.exact_error(classifier)


def _part_of_data(cell: Mapping[str, Any]) -> Source:
    return PartOfData(kohavi_data.load_set(cell["at"], cell["n"], None, cell["data_seed"]).sample, cell["n"])


_SOURCES: Mapping[str, Callable[[Mapping[str, Any]], Source]] = {
    "two-normals": lambda c: FromPopulation(TwoNormals.of_inherent_error(c["at"]), c["n"]),
    "lenses": lambda c: FromPopulation(ExactLenses.with_noise(c["at"]), c["n"]),
    "synthetic": lambda c: WithTestSet(population_of(c["at"])[0].balanced_sample, c["n"], c["validation"]),
    "uci": lambda c: PartOfData(uci_data.uci_set(c["at"]), c["n"]),
    "data": _part_of_data,
}


def examined(cell: Mapping[str, Any]) -> Experiment:
    """Say what is measured in a setting: the true error of every inducer, and all estimates and intervals of it."""
    inducers = {name: inducer_of(name) for name in cell["inducers"]}
    return Experiment(_SOURCES[cell["family"]](cell), inducers, cell["estimators"], cell["intervals"])


def _bounds_of(setting: Setting) -> str:
    """Return the bounds of clones: those of the whole data set where Shakhnarovich et al. state them."""
    if setting.family != "uci":
        return ""
    X = uci_data.uci_set(str(setting.at)).X
    pairs = tuple(zip(X.min(axis=0).tolist(), X.max(axis=0).tolist(), strict=True))
    return Cloning(bounds=pairs).written("bounds")


def _data_of(settings: Sequence[Setting], seed: int) -> dict[str, str]:
    results = {}
    for s in settings:
        if s.family == "lenses":
            results[CASES] = digest(CASES)
        elif s.family == "uci":
            results[f"uci/{s.at}"] = uci_data.uci_set(str(s.at)).digest()
        elif s.family == "data":
            results[str(s.at)] = kohavi_data.load_set(str(s.at), s.n, None, seed).sample.digest()
    return results


def cross_study(settings: Sequence[Setting], validation: int, seed: int) -> Study:
    """Make the study of the cross-examination; samples depend on kind, place, size and seed alone."""
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
        each_replicate(examined),
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
