"""All notebooks and artifacts, collected from the sections that declare them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from compendium.book.called import one_of
from compendium.book.notebook import Notebook, read_copy, read_notebook
from compendium.evidence.artifact import Artifact, declared_in
from compendium.evidence.verdicts import PAPERS
from compendium.guide.advice import artifacts as advice
from compendium.guide.choosing import artifacts as choosing
from compendium.guide.choosing import chance as choosing_chance
from compendium.guide.choosing import posterior as choosing_posterior
from compendium.guide.coverage import artifacts as coverage
from compendium.guide.coverage import claims as coverage_claims
from compendium.guide.coverage import large as coverage_large
from compendium.guide.coverage import promise as coverage_promise
from compendium.guide.cross import artifacts as cross
from compendium.guide.cross import claims as cross_claims
from compendium.guide.growing import artifacts as growing
from compendium.guide.own import artifacts as own
from compendium.guide.peers import artifacts as peers
from compendium.guide.scores import artifacts as scores
from compendium.papers.kohavi import parameters as kohavi_parameters
from compendium.papers.kohavi.estimates import artifacts as kohavi_estimates
from compendium.papers.kohavi.estimates import claims as kohavi_claims
from compendium.papers.kohavi.iris import artifacts as kohavi_iris
from compendium.papers.kohavi.truth import artifacts as kohavi_truth
from compendium.papers.lis import artifacts as lis
from compendium.papers.lis import claims as lis_claims
from compendium.papers.martin_hirschberg.conclusions import artifacts as conclusions
from compendium.papers.martin_hirschberg.discriminant import artifacts as discriminant
from compendium.papers.martin_hirschberg.lenses import artifacts as lenses
from compendium.papers.martin_hirschberg.lenses import noise, regressions
from compendium.papers.martin_hirschberg.neighbors import artifacts as neighbors
from compendium.papers.martin_hirschberg.populations import artifacts as populations
from compendium.papers.martin_hirschberg.reversal import artifacts as reversal
from compendium.papers.martin_hirschberg.reversal import mathematics
from compendium.papers.martin_hirschberg.windows import artifacts as windows
from compendium.papers.martin_hirschberg.windows import claims as windows_claims
from compendium.papers.parameters import Parameters
from compendium.papers.scheffer_herbrich.calculations import artifacts as sh_calculations
from compendium.papers.scheffer_herbrich.calculations import diagrams as sh_diagrams
from compendium.papers.scheffer_herbrich.calculator import artifacts as sh_calculator
from compendium.papers.scheffer_herbrich.measured import artifacts as sh_measured
from compendium.papers.shakhnarovich.clones import artifacts as kernels
from compendium.papers.shakhnarovich.clones import data_sets as cloned_sets
from compendium.papers.shakhnarovich.conclusions import artifacts as cloning_conclusions
from compendium.papers.shakhnarovich.corrected import artifacts as corrected
from compendium.papers.shakhnarovich.cost import artifacts as cost
from compendium.papers.shakhnarovich.reused import artifacts as reused
from compendium.papers.shakhnarovich.synthetic import artifacts as synthetic
from compendium.papers.shakhnarovich.uci import artifacts as uci
from compendium.papers.shakhnarovich.uci import tails as uci_tails
from compendium.papers.shakhnarovich.uci import winners as uci_winners
from errorest.errors import UsageError, nearest

__all__ = ["NOTEBOOKS", "SECTIONS", "artifact", "notebook"]

SECTIONS: tuple[ModuleType, ...] = (
    populations,
    discriminant,
    windows,
    windows_claims,
    neighbors,
    lenses,
    noise,
    regressions,
    reversal,
    mathematics,
    conclusions,
    own,
    coverage,
    coverage_claims,
    coverage_large,
    coverage_promise,
    cross,
    cross_claims,
    advice,
    peers,
    scores,
    choosing,
    choosing_chance,
    choosing_posterior,
    growing,
    lis,
    lis_claims,
    kohavi_iris,
    kohavi_truth,
    kohavi_estimates,
    kohavi_claims,
    kohavi_parameters,
    sh_calculations,
    sh_diagrams,
    sh_measured,
    sh_calculator,
    synthetic,
    reused,
    corrected,
    kernels,
    cloned_sets,
    uci,
    uci_winners,
    uci_tails,
    cost,
    cloning_conclusions,
)
"""Modules that declare artifacts; their notebooks' parameter models are defined or imported there."""

# the course page is read first
_ORDER = ("lis", *(paper for paper in PAPERS if paper != "lis"))


def _collect(sections: Iterable[ModuleType]) -> Iterator[Notebook]:
    """Yield the notebook of each parameter model in the sections."""
    modules = list(sections)
    declared = {one.id: one for module in modules for one in declared_in(module)}
    models: dict[str, type[Parameters]] = {}
    for value in (value for module in modules for value in vars(module).values()):
        if isinstance(value, type) and issubclass(value, Parameters) and value.notebook:
            known = models.get(value.notebook)
            # a model that adds to an experiment's own stands for both
            models[value.notebook] = known if known is not None and issubclass(known, value) else value
    for model in models.values():
        yield read_notebook(model, declared)


NOTEBOOKS: tuple[Notebook, ...] = tuple(sorted(_collect(SECTIONS), key=lambda n: (_ORDER.index(n.paper), n.id)))
"""Every notebook, in the book's order."""


def notebook(notebook_id: str) -> Notebook:
    """Return a notebook by its id, or by its name where that is unique; or a person's copy of one, by its path."""
    file = Path(notebook_id)
    if file.suffix == ".ipynb" and file.is_file() and not any(file.samefile(n.file) for n in NOTEBOOKS):
        return read_copy(file, {n.id: n for n in NOTEBOOKS})
    by_id = {n.id: n for n in NOTEBOOKS}
    return by_id[one_of(by_id, notebook_id)]


def artifact(artifact_id: str) -> tuple[Notebook, Artifact]:
    """Return an artifact with its notebook."""
    for spec in NOTEBOOKS:
        for one in spec.artifacts:
            if one.id == artifact_id:
                return spec, one
    raise UsageError(
        f"unknown artifact '{artifact_id}'; expected one that 'compendium list' names; "
        + nearest(artifact_id, [a.id for n in NOTEBOOKS for a in n.artifacts])
    )
