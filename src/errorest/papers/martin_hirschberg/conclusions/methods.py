"""What the sections found of each inference method: bias, spread and correlation of its estimates.

Bias and spread are within a population and a size; an overall figure is the mean over the
populations and sizes of a section, which is a choice of the paper's, not a law.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured, average
from errorest.evidence.regenerated import Run
from errorest.experiment.experiment import TRUE_ERROR, wide
from errorest.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters, studies
from errorest.papers.martin_hirschberg.discriminant.experiment import READINGS as RULES
from errorest.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters
from errorest.papers.martin_hirschberg.lenses.experiment import READINGS as TREES
from errorest.papers.martin_hirschberg.lenses.experiment import LensesParameters
from errorest.papers.martin_hirschberg.names import NAMES
from errorest.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters, inducer_name
from errorest.papers.martin_hirschberg.samples import Samples

__all__ = ["Method", "methods_of"]


@dataclass(frozen=True, eq=False)
class Method(Samples):
    """The samples of one inference method.

    Parameters
    ----------
    table : DataFrame
    section : int
        Of the paper.
    name : str
        In a sentence (Markdown).
    key : str
    reading : str
    """

    section: int
    name: str
    key: str
    reading: str

    @cached_property
    def estimators(self) -> list[str]:
        """The estimators that the section has, in its order."""
        return [c for c in self.table.columns if c in NAMES and c != TRUE_ERROR]

    def gap(self, one: str, other: str) -> Measured:
        """Mean of one estimate minus another on the same samples, points."""
        return self.mean(self.difference(one, other))

    def ratio(self, one: str, other: str) -> float:
        """Standard deviation of one estimate in percent of another's, averaged over the cells where both vary."""
        each = self.table.groupby("cell")[[one, other]].std()
        each = each[(each > 1e-11).all(axis=1)]
        return 100 * float((each[one] / each[other]).mean())

    def biased_cells(self, estimator: str, negligible: float) -> float:
        """Share of the cells whose mean bias exceeds so many points by more than 1.96 standard errors, percent."""
        biases = [accuracy.mean(part.difference(estimator)) for part in self.by("cell")]
        return 100 * float(np.mean([abs(m.value) - 1.96 * m.se > negligible for m in biases]))

    @cached_property
    def _correlations(self) -> dict[str, list[Measured]]:
        return {}

    def correlations(self, estimator: str) -> list[Measured]:
        """Correlation with the true error in each cell where there is one."""
        if estimator not in self._correlations:
            found = [accuracy.correlation(part.of(estimator), part.true_error) for part in self.by("cell")]
            self._correlations[estimator] = [m for m in found if np.isfinite(m.value) and np.isfinite(m.se)]
        return self._correlations[estimator]

    def correlation(self, estimator: str) -> Measured:
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
