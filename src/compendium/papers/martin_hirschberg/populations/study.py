"""What is drawn for Figures 1 to 3, and the experiment that compares the two reversal rules."""

from __future__ import annotations

from compendium.methods.learners.threshold import Threshold
from compendium.papers.martin_hirschberg.discriminant.study import reversed_labels
from compendium.papers.parameters import InherentErrors, Parameters, Sizes, parameter
from compendium.studies.experiment import Experiment
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study

# The threshold by the two readings of the class-reversal rule
RULES = {rule: Threshold(rule) for rule in ("literal", "class-0-mean")}


class PopulationsParameters(Parameters, notebook="martin-hirschberg/01-populations"):
    """Parameters of Figures 1 to 3."""

    cases: int = parameter(100, ge=20)
    tree_leaves: int = parameter(8, ge=2)
    multiple: float = parameter(4.0, gt=1, le=100)
    grid: int = parameter(401, ge=51, le=2001, preview=201)
    inherent_error: float = parameter(0.25, gt=0, lt=0.5)
    threshold_cases: int = parameter(10, ge=2)
    shift: float = parameter(0.5, gt=0)
    draws: int = parameter(20000, ge=1, replication=True)
    sizes: Sizes = parameter([10, 20, 50], min_length=1)
    inherent_errors: InherentErrors = parameter([0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], min_length=1)
    samples: int = parameter(1000, ge=2, preview=200, replication=True)


def rules(cell: Cell) -> Experiment:
    """Two normal classes; by either rule the threshold's true error, and whether it is reversed."""
    source = FromPopulation(TwoNormals.of_inherent_error(cell["inherent_error"]), cell["n"])
    return Experiment(source, RULES, extras=(reversed_labels,))


def rules_study(p: PopulationsParameters) -> Study:
    """Make the study of where the rules part."""
    return Study(
        "martin-hirschberg-reversal-rules",
        [{"n": n, "inherent_error": e} for n in p.sizes for e in p.inherent_errors],
        p.samples,
        each_replicate(rules),
        seed=p.seed,
        cost=lambda cell: 0.1 + cell["n"] / 1000,
    )
