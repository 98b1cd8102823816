"""Section 5's experiments on nearest neighbours: what is drawn and what is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.methods.learners.threshold import IntervalClassifier
from compendium.papers.martin_hirschberg.estimators import FACTORS, NAMES, library_ids
from compendium.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, parameter
from compendium.papers.validation import field_validator, model_validator
from compendium.studies.experiment import Experiment, Trial
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.data.sample import Sample
from errorest.learners.neighbors import KNN

LITERAL, DEVIATION, OURS = "literal", "fitted:standard-deviation", "unstated:our-populations"

# Section 5's estimators, by the ids of Table 4
ESTIMATORS = ("resubstitution", "cv-10", "loo", "bootstrap-632", "loo-star")

_SINGLE = 1e-5  # scikit-learn keeps attributes in single precision


class NeighborsParameters(Parameters, notebook="martin-hirschberg/04-nearest-neighbors", repeated="samples"):
    """Parameters of Figures 8 and 9."""

    neighbors: list[int] = parameter([1, 3], min_length=1, max_length=3)
    figure_8_cases: int = parameter(10, ge=4, le=20)
    figure_8_inherent_error: float = parameter(0.25, gt=0, lt=0.5)
    draws: int = parameter(5000, ge=1, replication=True)
    shapes: int = parameter(1000, ge=2, preview=200, replication=True)
    sizes: SizesForTenFolds = parameter([10, 20, 30, 50, 100], min_length=1)
    inherent_errors: InherentErrors = parameter([0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.4, 0.5], min_length=1)
    samples: int = parameter(20, ge=2, preview=5, replication=True)
    repeats: int = parameter(10, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    negligible: float = parameter(0.5, gt=0, le=50)

    @field_validator("neighbors")
    @classmethod
    def _neighbors(cls, value: list[int]) -> list[int]:
        if min(value) < 1 or len(set(value)) < len(value):
            raise ValueError(f"{value} are no numbers of neighbours; expected different whole numbers from 1")
        return value

    @model_validator(mode="after")
    def _enough_cases(self) -> NeighborsParameters:
        least, k = min(self.sizes) // 2, max(self.neighbors)
        if k > least:
            raise ValueError(
                f"k = {k} neighbours are more than the {least} cases that 2-CV* trains on at N = {min(self.sizes)}; "
                "expected k at most half of N; use a smaller k or larger sizes"
            )
        if k > self.figure_8_cases:
            raise ValueError(
                f"k = {k} neighbours are more than the {self.figure_8_cases} cases of Figure 8; "
                "expected at most as many; use a smaller k or a larger figure_8_cases"
            )
        return self


def inducer_name(k: int) -> str:
    """Name an inducer of the experiments."""
    return f"{k}-nn"


def neighbors(cell: Cell) -> Experiment:
    """Two normal classes, and nearest neighbours for every k; true errors are exact, from the cut-points."""
    source = FromPopulation(TwoNormals.of_inherent_error(cell["inherent_error"]), cell["n"])
    return Experiment(source, {inducer_name(k): KNN(k) for k in cell["neighbors"]}, cell.get("estimators", {}))


def neighbors_study(p: NeighborsParameters) -> Study:
    """Make the study of Figure 9; samples depend on size, inherent error and seed alone."""
    same = {"neighbors": p.neighbors, "estimators": library_ids(ESTIMATORS, p.cv_repeats, p.bootstrap_replicates)}
    return Study(
        "martin-hirschberg-neighbors",
        [{"n": n, "inherent_error": e, **same} for n in p.sizes for e in p.inherent_errors],
        p.samples,
        each_replicate(neighbors),
        seed=p.seed,
        seed_keys=("n", "inherent_error"),
        cost=lambda cell: 1.0 + cell["n"] / 30,
    )


def apparent_error(classifier: IntervalClassifier, sample: Sample) -> float:
    """Share of a sample that a classifier gets wrong."""
    return float((classifier.predict(sample.X) != sample.y).mean())


def splits_alike(classifier: IntervalClassifier, sample: Sample) -> bool:
    """Say whether two adjacent cases of one class get different predictions."""
    row = np.argsort(sample.X[:, 0], kind="stable")
    y, labels = sample.y[row], classifier.predict(sample.X[row])
    return bool(((y[1:] == y[:-1]) & (labels[1:] != labels[:-1])).any())


def cuts_of_tree(sample: Sample) -> np.ndarray:
    """Cut-points, ascending, of a binary tree grown until its leaves are pure (Gini, midpoints)."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0).fit(sample.X, sample.y).tree_
    return np.sort(tree.threshold[tree.feature >= 0])


def shapes(cell: Cell) -> Experiment:
    """Look at what the classifiers are like: cut-points, apparent error, and whether a full tree has the same cuts."""
    return replace(neighbors(cell), extras=(_shape,))


def _shape(trial: Trial) -> dict[str, float]:
    classifier: IntervalClassifier = intervals_of(trial.classifier)  # type: ignore[arg-type]
    cuts, grown = np.array(classifier.cuts), cuts_of_tree(trial.sample)
    return {
        "cut-points": cuts.size,
        "apparent-error": apparent_error(classifier, trial.sample),
        "splits-alike": splits_alike(classifier, trial.sample),
        "as-tree": cuts.shape == grown.shape and bool(np.allclose(cuts, grown, rtol=_SINGLE, atol=_SINGLE)),
    }


def shapes_study(p: NeighborsParameters) -> Study:
    """Make the study behind the remarks on Figure 8."""
    return Study(
        "martin-hirschberg-neighbor-shapes",
        [{"n": p.figure_8_cases, "inherent_error": p.figure_8_inherent_error, "neighbors": p.neighbors}],
        p.shapes,
        each_replicate(shapes),
        seed=p.seed,
        seed_keys=("n", "inherent_error"),
        cost=lambda _: 0.5,
    )


def trials(p: NeighborsParameters, run: Run, study: Study) -> Mapping[int, Trials]:
    """Run a study; its samples by number of neighbours, the same ones for each."""
    results = run(study)
    return {
        k: Trials.of(results, inducer_name(k), reading=LITERAL, names=NAMES, factors=FACTORS, label=f"k = {k}")
        for k in p.neighbors
    }
