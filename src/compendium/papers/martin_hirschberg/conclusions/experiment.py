"""How much section 7 takes of the experiments of sections 3, 5 and 6, which have their stored studies."""

from __future__ import annotations

from compendium.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters, discriminant_study
from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS, library_ids
from compendium.papers.martin_hirschberg.lenses.experiment import LensesParameters, noise_study, samples_study
from compendium.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters, neighbors_study
from compendium.papers.parameters import Parameters, parameter
from compendium.studies.study import Study

__all__ = ["ConclusionsParameters", "studies"]


class ConclusionsParameters(Parameters, notebook="martin-hirschberg/07-conclusions"):
    """Parameters of the conclusions: how many samples of each section's experiment."""

    discriminant_samples: int = parameter(100, "samples of each cell of section 3", ge=2, preview=20, replication=True)
    neighbor_samples: int = parameter(20, "samples of each cell of section 5", ge=2, preview=5, replication=True)
    tree_samples: int = parameter(6, "samples of each size and noise of section 6", ge=3)
    repeats: int = parameter(
        10,
        "enlarged run: how many times the samples of sections 5 and 6; 1 for none",
        ge=1,
        preview=1,
        replication=True,
    )
    discriminant_repeats: int = parameter(
        5, "enlarged run: how many times the samples of section 3", ge=1, preview=1, replication=True
    )
    cv_repeats: int = parameter(100, "iterations of iterated cross-validation", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)
    negligible: float = parameter(1.0, "a mean bias below this counts as little, points", gt=0, le=50)

    def inputs(self) -> dict[str, str]:
        """Check the data set of section 6 and return its digest."""
        return LensesParameters().inputs()

    def enlarged(self) -> ConclusionsParameters | None:
        """Return the design with more samples, as many as the sections' own notebooks take."""
        if self.repeats == 1:
            return None
        larger = {name: getattr(self, name) * self.repeats for name in ("neighbor_samples", "tree_samples")}
        larger["discriminant_samples"] = self.discriminant_samples * self.discriminant_repeats
        return self.model_copy(update=larger)


def studies(p: ConclusionsParameters) -> dict[str, Study]:
    """Return the studies of sections 3, 5 and 6: discriminant, neighbors, trees, clean trees (without noise)."""
    d, k = DiscriminantParameters(), NeighborsParameters()
    settings = (p.cv_repeats, p.bootstrap_replicates)
    ids = library_ids(ESTIMATOR_IDS, *settings)
    t = LensesParameters(
        samples=p.tree_samples,
        repeats=1,
        cv_repeats=p.cv_repeats,
        bootstrap_replicates=p.bootstrap_replicates,
        seed=p.seed,
    )
    return {
        "discriminant": discriminant_study(
            d.sizes, d.inherent_errors, p.discriminant_samples, ids, list(d.reversal_rules), p.seed
        ),
        "neighbors": neighbors_study(k.sizes, k.inherent_errors, p.neighbor_samples, k.neighbors, *settings, p.seed),
        "trees": noise_study(t),
        "clean trees": samples_study("sizes", t, t.samples, t.sizes, [0.0], t.noise_readings),
    }
