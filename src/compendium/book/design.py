"""Which parameters only say how often an experiment is repeated, and which make it another experiment.

A run with another seed or more samples measures what the paper measured, so that its numbers may stand beside the
printed ones.  A run of another design measures something else, and its numbers may not.
"""

from __future__ import annotations

from compendium.book.notebook import Notebook
from compendium.papers.parameters import Parameters

__all__ = ["REPLICATION", "Relation", "changed", "relation"]

REPLICATION: dict[str, frozenset[str]] = {
    "kohavi/01-iris": frozenset({"realizations", "repeats", "memorizer_samples", "trials", "splits"}),
    "kohavi/02-true-accuracies": frozenset({"holdouts", "learning_holdouts", "rand_sets", "repeats"}),
    "kohavi/03-cross-validation-and-bootstrap": frozenset(
        {"holdouts", "learning_holdouts", "samples", "realizations", "repeats"}
    ),
    "kohavi/04-another-data-set": frozenset({"holdouts", "samples", "realizations", "repeats"}),
    "lis/01-field-guide": frozenset({"samples"}),
    "martin-hirschberg/01-populations": frozenset({"draws", "samples"}),
    "martin-hirschberg/02-discriminant": frozenset({"samples", "repeats"}),
    "martin-hirschberg/03-bias-against-true-error": frozenset({"realizations", "repeats"}),
    "martin-hirschberg/04-nearest-neighbors": frozenset({"draws", "shapes", "samples", "repeats"}),
    "martin-hirschberg/05-lenses": frozenset({"realizations", "repeats"}),
    "martin-hirschberg/06-reversal": frozenset({"samples", "batches", "repeats", "direct_samples"}),
    "martin-hirschberg/07-conclusions": frozenset(
        {"discriminant_samples", "neighbor_samples", "repeats", "discriminant_repeats"}
    ),
    "scheffer-herbrich/01-calculations": frozenset({"experiments"}),
    "scheffer-herbrich/02-measured": frozenset({"divisions", "experiments", "samples"}),
    "scheffer-herbrich/03-calculator": frozenset(),
    "shakhnarovich/01-synthetic": frozenset({"repeats", "validation"}),
    "shakhnarovich/02-correct-632plus": frozenset({"repeats", "validation"}),
    "shakhnarovich/03-kernels-and-clones": frozenset({"draws", "gamma_samples", "spread_samples", "resamples"}),
    "shakhnarovich/04-uci": frozenset(),
    "shakhnarovich/05-cost": frozenset(),
    "shakhnarovich/06-conclusions": frozenset({"validation"}),
    "guide/01-your-own-data": frozenset(),
    "guide/02-coverage": frozenset({"repetitions", "large_repetitions"}),
    "guide/03-cross-examination": frozenset(
        {"samples", "lens_samples", "uci_samples", "data_samples", "large_samples", "validation"}
    ),
    "guide/04-which-estimator": frozenset(
        {"samples", "lens_samples", "uci_samples", "data_samples", "large_samples", "validation"}
    ),
    "guide/05-other-packages": frozenset(),
    "guide/07-scores": frozenset({"repetitions"}),
    "guide/08-choosing": frozenset({"samples", "tests", "pairs"}),
    "guide/09-growing": frozenset({"samples", "draws"}),
}
"""By notebook, the parameters that change no quantity, beside the seed: they say how precisely it is known.

Numbers of samples that a printed number depends on are none: six samples give another spread of their correlation
than twenty, 150 trials other p-values than 300.
"""

SEED = "seed"

Relation = str
"""``published``; ``seed`` or ``repeats``, the same experiment; ``design``, another one."""


def changed(spec: Notebook, parameters: Parameters) -> list[str]:
    """Return the parameters that differ from the published ones, in the model's order."""
    published = spec.parameters.published()
    return [name for name, value in parameters.model_dump().items() if value != published.get(name)]


def relation(spec: Notebook, parameters: Parameters) -> Relation:
    """Say how a run relates to the published one."""
    other = set(changed(spec, parameters)) - {SEED}
    if other - REPLICATION.get(spec.id, frozenset()):
        return "design"
    if other:
        return "repeats"
    return "seed" if changed(spec, parameters) else "published"
