"""The study of the field guide and the claims: every estimator on samples of two normal classes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from compendium.evidence.names import read_names
from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.methods.learners.threshold import Threshold
from compendium.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, parameter
from compendium.studies.experiment import Experiment, Trial
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.learners.base import Inducer
from errorest.learners.neighbors import KNN

NAMES = read_names("lis")
READING = "unstated:two-normals"  # The page shows neither a population nor a measurement


class FieldGuideParameters(Parameters, notebook="lis/01-field-guide"):
    """Parameters of the tables, the claims and the field guide; the latter two share one study."""

    seed: int = parameter(2001, ge=0)
    sizes: SizesForTenFolds = parameter([20, 30, 100], min_length=2)
    inherent_errors: InherentErrors = parameter([0.05, 0.1, 0.25, 0.4], min_length=2)
    samples: int = parameter(400, ge=20, preview=100, replication=True)
    cv_repeats: int = parameter(50, ge=2)
    bootstrap_replicates: int = parameter(200, ge=2)


# The inducers of the study: one that hardly overfits, and one whose apparent error is nought
INDUCERS: Mapping[str, Inducer] = {"threshold": Threshold(), "1-nn": KNN(1)}
SCATTER = "e0-scatter"  # The variance of e0 between the bootstrap iterations of one sample
LOO, E0, B632, HALVES, HOLDOUT = "loo", "bootstrap-e0", "bootstrap-632", "repeated-cv-2", "holdout-1/3"


def estimator_ids(p: FieldGuideParameters) -> dict[str, str]:
    """Return the library's ids of the page's estimators."""
    return {
        "resubstitution": "resubstitution",
        "holdout-1/3": "holdout(test=1/3)",
        "random-subsampling": f"holdout(test=1/3, repeats={p.cv_repeats})",
        "repeated-cv-2": f"cv(k=2, repeats={p.cv_repeats})",
        "cv-10": "cv(k=10)",
        "stratified-cv-10": "cv(k=10, stratified=True)",
        "loo": "loo",
        "bootstrap-e0": f"e0(replicates={p.bootstrap_replicates})",
        "bootstrap-632": f"632(replicates={p.bootstrap_replicates})",
    }


def _scatter(trial: Trial) -> dict[str, float]:
    boot = trial.outcomes[trial.experiment.parsed["bootstrap-e0"].schemes[0]]
    some = boot.tested > 0
    return {SCATTER: float(np.var(boot.errors[some] / boot.tested[some], ddof=1))}


def _claims(cell: Cell) -> Experiment:
    population = TwoNormals.of_inherent_error(cell["inherent_error"])
    return Experiment(FromPopulation(population, cell["n"]), INDUCERS, cell["estimators"], extras=(_scatter,))


def claims_study(p: FieldGuideParameters) -> Study:
    """Make the study behind the claims; samples depend on size, inherent error and seed alone."""
    ids = estimator_ids(p)
    cells = [{"n": n, "inherent_error": e, "estimators": ids} for n in p.sizes for e in p.inherent_errors]
    return Study(
        "lis-claims", cells, p.samples, each_replicate(_claims), seed=p.seed, seed_keys=("n", "inherent_error")
    )


def trials_of(p: FieldGuideParameters, run: Run) -> dict[str, Trials]:
    """Run the study; the samples by inducer."""
    factors = {"n": "n = {}".format, "inherent_error": "inherent error {:g}".format}
    results = run(claims_study(p))
    return {name: Trials.of(results, name, reading=READING, factors=factors) for name in INDUCERS}
