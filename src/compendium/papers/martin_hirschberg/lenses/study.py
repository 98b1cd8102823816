"""Section 6's experiments on decision trees: parameters, readings of ID3, what is drawn and what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from compendium.methods.learners.id3 import ID3
from compendium.methods.learners.tree import Tree
from compendium.papers.martin_hirschberg.estimators import library_ids
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.parameters import NoiseLevels, Parameters, SizesForTenFolds, parameter, unique
from compendium.papers.validation import field_validator
from compendium.studies.experiment import Experiment, Trial
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import DrawnSample, Fixed, FromPopulation
from compendium.studies.study import Study
from errorest.data.sets import digest

TEXT = "martin-hirschberg-claims"  # The artifact of numbers that the text states in passing

# Section 6's estimators, by the ids of Table 4, in the order of Table 11
ESTIMATORS = ("resubstitution", "loo", "cv-10", "bootstrap-632", "repeated-cv-2", "loo-star")

# Response and regressor of each regression
PAIRS = (("cv-10", "true-error"), ("bootstrap-632", "true-error"), ("bootstrap-632", "cv-10"))
_ATTRIBUTES = (3, 1, 0, 2)
_CLASSES = ("soft", "none", "hard")

# What the paper leaves open, decided in four ways (attributes: 0 age, 1 prescription, 2 astigmatism, 3 tear rate)
INDUCERS = {
    "gain-3102": ID3("gain", "parent-majority", _ATTRIBUTES, _CLASSES),
    "chi-square-3102": ID3("chi-square", "parent-majority", _ATTRIBUTES, _CLASSES),
    "misclassification-3102": ID3("misclassification", "parent-majority", _ATTRIBUTES, _CLASSES),
    "gain-ratio-none": ID3("gain-ratio", "none", _ATTRIBUTES, _CLASSES),
}

# Inducer to name of the reading; the first is the headline. All were searched for.
READINGS = {name: f"fitted:{name}" for name in INDUCERS}
Reading = Literal["gain-3102", "chi-square-3102", "misclassification-3102", "gain-ratio-none"]


class LensesParameters(Parameters, notebook="martin-hirschberg/05-lenses"):
    """Parameters of everything in section 6."""

    readings: list[Reading] = parameter(list(INDUCERS), min_length=1)
    noise_readings: list[Reading] = parameter(["gain-3102"], min_length=1)
    sizes: SizesForTenFolds = parameter([24, 48, 72, 96], min_length=1)
    noise_sizes: SizesForTenFolds = parameter([24, 48, 72, 96, 144, 192], min_length=1)
    noise_levels: NoiseLevels = parameter([0.01, 0.05, 0.1, 0.25], min_length=1)
    samples: int = parameter(6, ge=3)
    many_sizes: SizesForTenFolds = parameter([24, 96], min_length=1)
    many_noise: float = parameter(0.01, ge=0, le=0.5)
    many_samples: int = parameter(200, ge=10, preview=40)
    realizations: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(30, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)

    _unique = field_validator("readings", "noise_readings")(unique)

    @property
    def noise_realizations(self) -> int:
        """Times that the samples with noise are drawn."""
        return max(1, self.realizations // 3)

    @property
    def many_realizations(self) -> int:
        """Times that the samples of the regressions are drawn."""
        return max(1, self.realizations // 10)

    def inputs(self) -> dict[str, str]:
        """Check the data set and return its digest."""
        return {CASES: digest(CASES)}

    def enlarged(self) -> LensesParameters | None:
        """Return the design with ``repeats`` times the realizations, which has no larger one itself."""
        if self.repeats == 1:
            return None
        return self.model_copy(update={"realizations": self.realizations * self.repeats, "repeats": 1})

    @property
    def reference(self) -> LensesParameters:
        """The largest design at hand: its spread is the noise of what a smaller one yields."""
        return self.enlarged() or self


def _trees(cell: Cell) -> Experiment:
    """Samples of one size and noise: every reading sees the same samples and resamples."""
    population = Lenses.with_noise(cell["noise"])

    def of_tree(trial: Trial) -> dict[str, float]:
        tree = trial.classifier
        assert isinstance(tree, Tree)
        return {"exact-error": population.exact_error(tree), "nodes": tree.n_nodes, "leaves": tree.n_leaves}

    inducers = {name: INDUCERS[name] for name in cell["readings"]}
    source = FromPopulation(population, cell["n"])
    return Experiment(source, inducers, cell["estimators"], extras=(of_tree,), of_samples=(_distinct,))


def _distinct(drawn: DrawnSample) -> dict[str, float]:
    """Combinations of values in a sample."""
    return {"distinct": np.unique(drawn.sample.X, axis=0).shape[0]}


def _cases(cell: Cell) -> Experiment:
    """The 24 cases themselves, each replicate with other splits."""
    return Experiment(
        Fixed(Lenses.with_noise(0.0).cells), {r: INDUCERS[r] for r in cell["readings"]}, cell["estimators"]
    )


def _ids(names: Sequence[str], p: LensesParameters) -> dict[str, str]:
    return library_ids(names, p.cv_repeats, p.bootstrap_replicates)


def samples_study(
    name: str,
    p: LensesParameters,
    samples: int,
    sizes: Sequence[int],
    noises: Sequence[float],
    readings: Sequence[str],
    estimators: Sequence[str] = ESTIMATORS,
) -> Study:
    """Make a study of samples with replacement; samples depend on name, size, noise and seed alone."""
    ids = _ids(estimators, p)
    cells = [{"n": n, "noise": q, "readings": list(readings), "estimators": ids} for q in noises for n in sizes]
    return Study(
        f"martin-hirschberg-lenses-{name}",
        cells,
        samples,
        each_replicate(_trees),
        seed=p.seed,
        seed_keys=("n", "noise"),
        data=p.inputs(),
        cost=lambda cell: 1.0 + cell["n"] / 30,
    )


def sizes_study(p: LensesParameters) -> Study:
    """Make Table 11's study, of ``p.reference``; the first ``p.samples`` of a size are the published ones."""
    return samples_study("sizes", p, p.samples * p.reference.realizations, p.sizes, [0.0], p.readings)


def noise_study(p: LensesParameters) -> Study:
    """Make the study of Figures 12 to 14 and Table 15, of ``p.reference``."""
    count = p.samples * p.reference.noise_realizations
    return samples_study("noise", p, count, p.noise_sizes, p.noise_levels, p.noise_readings)


def many_study(p: LensesParameters) -> Study:
    """Make the study of the regressions, of ``p.reference``."""
    count = p.many_samples * p.reference.many_realizations
    return samples_study("many", p, count, p.many_sizes, [p.many_noise], p.readings, ("cv-10", "bootstrap-632"))


def cases_study(p: LensesParameters) -> Study:
    """Make the study of the 24 cases themselves, of ``p.reference``: as many repetitions as samples."""
    return Study(
        "martin-hirschberg-lenses-24",
        [{"readings": list(p.readings), "estimators": _ids(ESTIMATORS, p)}],
        p.samples * p.reference.realizations,
        each_replicate(_cases),
        seed=p.seed,
        seed_keys=(),
        data=p.inputs(),
    )


RESAMPLING = ESTIMATORS[1:]
APPARENT, TWO_FOLDS, B632 = "resubstitution", "repeated-cv-2", "bootstrap-632"
FOLDS = ("loo", "cv-10")
SMOOTH = (B632, "loo-star")
STARS = (TWO_FOLDS, "loo-star")
WEAK = 0.5  # A correlation nearer to none than this is weak, one above it strong
