"""What the sections found of each inference method: bias, spread and correlation of its estimates.

The studies are those of the sections' own notebooks, so that they come from the store where these have run.
Bias and spread are within a population and a size; an overall figure is the mean over the
populations and sizes of a section, which is a choice of the paper's, not a law.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured, average
from errorest.evidence.regenerated import Run
from errorest.experiment.results import wide
from errorest.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters
from errorest.papers.martin_hirschberg.discriminant.experiment import READINGS as RULES
from errorest.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters, discriminant_study
from errorest.papers.martin_hirschberg.estimators import ESTIMATOR_IDS, library_ids
from errorest.papers.martin_hirschberg.lenses.experiment import READINGS as TREES
from errorest.papers.martin_hirschberg.lenses.experiment import LensesParameters, noise_study, samples_study
from errorest.papers.martin_hirschberg.names import NAMES
from errorest.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters, inducer_name, neighbors_study
from errorest.papers.martin_hirschberg.samples import spread
from errorest.study.study import Study

__all__ = ["Method", "methods_of", "studies"]


@dataclass(frozen=True, eq=False)
class Method:
    """The results of one inference method.

    Parameters
    ----------
    name : str
        In a sentence (Markdown).
    key : str
    reading : str
    table : DataFrame
        In percent: columns ``cell``, ``true-error`` and the estimators.

    Examples
    --------
    >>> table = pd.DataFrame({"cell": [0, 0], "true-error": [10.0, 20.0], "loo": [11.0, 23.0]})
    >>> Method("trees", "trees", "literal", table).bias("loo").value
    2.0
    """

    name: str
    key: str
    reading: str
    table: pd.DataFrame
    _correlated: dict[str, list[Measured]] = field(default_factory=dict, repr=False)

    @cached_property
    def estimators(self) -> list[str]:
        """The estimators that the section has, in its order."""
        return [c for c in self.table.columns if c not in ("cell", "true-error")]

    @cached_property
    def cells(self) -> np.ndarray:
        """The population and size of each sample."""
        return self.table["cell"].to_numpy()

    def difference(self, one: str, other: str) -> Measured:
        """Mean of one estimate minus another on the same samples, points."""
        return accuracy.mean((self.table[one] - self.table[other]).to_numpy(), self.cells)

    def bias(self, estimator: str) -> Measured:
        """Mean of estimate minus true error, points."""
        return self.difference(estimator, "true-error")

    def rms(self, estimator: str) -> Measured:
        """Root mean square of estimate minus true error, points."""
        return accuracy.rms((self.table[estimator] - self.table["true-error"]).to_numpy(), self.cells)

    def spread(self, estimator: str) -> Measured:
        """Standard deviation within a cell, points."""
        return spread(self.table[estimator].to_numpy(), self.cells)

    def ratio(self, one: str, other: str) -> float:
        """Standard deviation of one estimate in percent of another's, averaged over the cells where both vary."""
        each = self.table.groupby("cell")[[one, other]].std()
        each = each[(each > 1e-9).all(axis=1)]
        return 100 * float((each[one] / each[other]).mean())

    def biased_cells(self, estimator: str, negligible: float) -> float:
        """Share of the cells whose mean bias exceeds so many points by more than 1.96 standard errors, percent."""
        difference = self.table[estimator] - self.table["true-error"]
        each = difference.groupby(self.cells).agg(["mean", "sem"])
        return 100 * float((each["mean"].abs() - 1.96 * each["sem"] > negligible).mean())

    def correlations(self, estimator: str) -> list[Measured]:
        """Correlation with the true error in each cell where there is one."""
        if estimator not in self._correlated:
            found = (
                accuracy.correlation(cell[estimator].to_numpy(), cell["true-error"].to_numpy())
                for _, cell in self.table.groupby("cell", sort=True)
            )
            self._correlated[estimator] = [m for m in found if np.isfinite(m.value) and np.isfinite(m.se)]
        return self._correlated[estimator]

    def correlation(self, estimator: str) -> Measured:
        """Mean over the cells."""
        return average(self.correlations(estimator))


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


def methods_of(p: ConclusionsParameters, run: Run) -> list[Method]:
    """Run or find the studies of the sections, and part them by inference method."""
    tree = LensesParameters().noise_readings[0]
    parts: list[tuple[str, str, str, str, str]] = [
        ("discriminant", f"discriminant, rule *{rule}*", "discriminant", RULES[rule], rule)
        for rule in DiscriminantParameters().reversal_rules
    ]
    parts += [("neighbors", f"{k}-NN", f"{k}-nn", "literal", inducer_name(k)) for k in NeighborsParameters().neighbors]
    parts += [
        ("trees", "trees", "trees", TREES[tree], tree),
        ("clean trees", "trees without noise", "clean-trees", TREES[tree], tree),
    ]
    results = {name: run(study) for name, study in studies(p).items()}
    made = []
    for study, name, key, reading, inducer in parts:
        own = wide(results[study], inducer)
        columns = {e: 100 * own[e] for e in own.columns if e in NAMES}
        made.append(Method(name, key, reading, pd.DataFrame({"cell": own["cell"], **columns})))
    return made
