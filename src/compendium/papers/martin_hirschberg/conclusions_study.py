"""The samples of sections 3, 5 and 6 that section 7 concludes from."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import average
from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.study import READINGS, DiscriminantParameters, study_of
from compendium.papers.martin_hirschberg.estimators import FACTORS, NAMES
from compendium.papers.martin_hirschberg.lenses.study import READINGS as TREES
from compendium.papers.martin_hirschberg.lenses.study import LensesParameters, noise_study, samples_study
from compendium.papers.martin_hirschberg.neighbors.study import NeighborsParameters, inducer_name, neighbors_study
from compendium.papers.parameters import Parameters, parameter
from compendium.studies.study import Study


class ConclusionsParameters(Parameters, notebook="martin-hirschberg/07-conclusions"):
    """Parameters of the conclusions: how many samples of each section's experiment."""

    discriminant_samples: int = parameter(100, ge=2, preview=20, replication=True)
    neighbor_samples: int = parameter(20, ge=2, preview=5, replication=True)
    tree_samples: int = parameter(6, ge=3)
    repeats: int = parameter(10, ge=1, preview=1, replication=True)
    discriminant_repeats: int = parameter(5, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    negligible: float = parameter(1.0, gt=0, le=50)

    def inputs(self) -> dict[str, str]:
        """Check the data set of section 6 and return its digest."""
        return LensesParameters().inputs()

    def enlarged(self) -> ConclusionsParameters | None:
        """Return the design with more samples, as many as the sections' notebooks take."""
        if self.repeats == 1:
            return None
        larger = {name: getattr(self, name) * self.repeats for name in ("neighbor_samples", "tree_samples")}
        larger["discriminant_samples"] = self.discriminant_samples * self.discriminant_repeats
        return self.model_copy(update=larger)


def studies(p: ConclusionsParameters) -> dict[str, Study]:
    """Return the studies of sections 3, 5 and 6: discriminant, neighbors, trees, clean trees (without noise)."""
    same = {"cv_repeats": p.cv_repeats, "bootstrap_replicates": p.bootstrap_replicates, "seed": p.seed}
    d = DiscriminantParameters().model_copy(update={**same, "samples": p.discriminant_samples})
    k = NeighborsParameters().model_copy(update={**same, "samples": p.neighbor_samples})
    t = LensesParameters().model_copy(update={**same, "samples": p.tree_samples, "repeats": 1})
    return {
        "discriminant": study_of(d),
        "neighbors": neighbors_study(k),
        "trees": noise_study(t),
        "clean trees": samples_study("sizes", t, t.samples, t.sizes, [0.0], t.noise_readings),
    }


@dataclass(frozen=True, eq=False)
class Method(Trials):
    """The samples of one inference method: bias and spread are within a population and size, averaged over these."""

    row: str = ""

    @property
    def key(self) -> str:
        """The method in the keys of rows."""
        return self.row

    @property
    def estimators(self) -> list[str]:
        """The estimators that the section has, in its order."""
        return [c for c in self.frame.columns if c in NAMES and c != "true-error"]

    def correlations(self, estimator: str) -> list[Estimate]:
        """Correlation with the true error in each cell where there is one."""
        results = [cell.corr(estimator) for cell in self.cells("cell")]
        return [r for r in results if isfinite(r.value) and isfinite(r.se)]

    def correlation(self, estimator: str) -> Estimate:
        """Mean correlation over the cells."""
        return self.named(average(self.correlations(estimator)), estimator)


class Methods(NamedTuple):
    """The inference methods by section: 3 in each reading, 5 for each k, 6 with noise and without."""

    discriminants: list[Method]
    neighbors: list[Method]
    trees: list[Method]

    @property
    def all(self) -> list[Method]:
        """Every method, in the report's order."""
        return [*self.discriminants, *self.neighbors, *self.trees]


def methods_of(p: ConclusionsParameters, run: Run) -> Methods:
    """Run the studies and take each method's samples."""
    results = {name: run(study) for name, study in studies(p).items()}
    factors = {**FACTORS, "noise": "p = {:g}".format}

    def method(study: str, inducer: str, label: str, row: str, reading: str) -> Method:
        return Method.of(results[study], inducer, reading=reading, names=NAMES, factors=factors, label=label, row=row)

    tree = LensesParameters().noise_readings[0]
    return Methods(
        [
            method("discriminant", rule, f"discriminant, rule *{rule}*", "discriminant", READINGS[rule])
            for rule in DiscriminantParameters().reversal_rules
        ],
        [
            method("neighbors", inducer_name(k), f"{k}-NN", f"{k}-nn", "literal")
            for k in NeighborsParameters().neighbors
        ],
        [
            method("trees", tree, "trees", "trees", TREES[tree]),
            method("clean trees", tree, "trees without noise", "clean-trees", TREES[tree]),
        ],
    )
