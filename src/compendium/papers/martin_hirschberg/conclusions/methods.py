"""What the sections found of each inference method: bias, spread and correlation of its estimates.

Bias and spread are within a population and a size; an overall figure is the mean over the
populations and sizes of a section, which is a choice of the paper's, not a law.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import average
from compendium.evidence.regenerated import Run
from compendium.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters, studies
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS as RULES
from compendium.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters
from compendium.papers.martin_hirschberg.lenses.experiment import READINGS as TREES
from compendium.papers.martin_hirschberg.lenses.experiment import LensesParameters
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters, inducer_name
from compendium.papers.martin_hirschberg.samples import Samples, without_each
from compendium.studies.experiment import TRUE_ERROR, wide

__all__ = ["Method", "methods_of"]


_PLACES = {"N": "n", "inherent error": "inherent_error", "p": "noise"}


@dataclass(frozen=True, eq=False)
class Method(Samples):
    """The samples of one inference method."""

    section: int
    name: str
    key: str
    reading: str

    @cached_property
    def estimators(self) -> list[str]:
        """The estimators that the section has, in its order."""
        return [c for c in self.table.columns if c in NAMES and c != TRUE_ERROR]

    def gap(self, one: str, other: str) -> Estimate:
        """Mean of one estimate minus another on the same samples, points."""
        return self.mean(self.difference(one, other))

    def deviation_ratio(self, one: str, other: str) -> Estimate:
        """Standard deviation of one estimate over another's, averaged over the cells where both vary; jackknifed."""
        ratios = []
        for part in self.by("cell"):
            a, b = part.of(one), part.of(other)
            if part.n < 3:
                continue
            left = [without_each(v) for v in (a, b)]
            if min(v.min() for v in left) > 0:
                each = left[0] / left[1]
                variance = (part.n - 1) / part.n * float(((each - each.mean()) ** 2).sum())
                ratios.append(Estimate(float(a.std(ddof=1) / b.std(ddof=1)), float(np.sqrt(variance)), part.n))
        return average(ratios)

    def biases(self, estimator: str) -> dict[str, Estimate]:
        """Mean bias in each cell, points, by what the cell is."""
        found = {}
        for part in self.by("cell"):
            at = part.table.iloc[0]
            where = [f"{name} = {at[column]:g}" for name, column in _PLACES.items() if column in part.table]
            found[", ".join(where)] = accuracy.mean(part.difference(estimator))
        return found

    @cached_property
    def _correlations(self) -> dict[str, list[Estimate]]:
        return {}

    def correlations(self, estimator: str) -> list[Estimate]:
        """Correlation with the true error in each cell where there is one."""
        if estimator not in self._correlations:
            found = [accuracy.correlation(part.of(estimator), part.true_error) for part in self.by("cell")]
            self._correlations[estimator] = [m for m in found if np.isfinite(m.value) and np.isfinite(m.se)]
        return self._correlations[estimator]

    def correlation(self, estimator: str) -> Estimate:
        """Mean over the cells."""
        return average(self.correlations(estimator))


def methods_of(p: ConclusionsParameters, run: Run) -> list[Method]:
    """Run or find the studies of the sections, and part them by inference method."""
    tree = LensesParameters().noise_readings[0]
    results = {name: run(study) for name, study in studies(p).items()}

    def method(study: str, inducer: str, section: int, name: str, key: str, reading: str) -> Method:
        return Method(wide(results[study], inducer), section, name, key, reading)

    return [
        *(
            method("discriminant", rule, 3, f"discriminant, rule *{rule}*", "discriminant", RULES[rule])
            for rule in DiscriminantParameters().reversal_rules
        ),
        *(
            method("neighbors", inducer_name(k), 5, f"{k}-NN", f"{k}-nn", "literal")
            for k in NeighborsParameters().neighbors
        ),
        method("trees", tree, 6, "trees", "trees", TREES[tree]),
        method("clean trees", tree, 6, "trees without noise", "clean-trees", TREES[tree]),
    ]
