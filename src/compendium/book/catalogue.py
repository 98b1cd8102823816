"""Every notebook of the book, with its parameters and artifacts; imported when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from compendium.book.notebook import Notebook, Outline, filled, read_copy, read_notebook, read_outline
from compendium.book.places import root
from compendium.evidence.papers import PAPERS
from compendium.evidence.texts import texts_of
from errorest.errors import UsageError, nearest

if TYPE_CHECKING:
    from compendium.evidence.artifact import Artifact
    from compendium.papers.parameters import Parameters

NOTEBOOKS: Mapping[str, str] = {
    f"{paper.id}/{notebook}": f"{paper.package}.{model}"
    for paper in PAPERS.values()
    for notebook, model in paper.sections.items()
}
"""By notebook, in the book's order, its parameter model, ``module:Class``."""


@cache
def outline(notebook_id: str) -> Outline:
    """Read the outline of a notebook from its file; imports nothing that computes."""
    return read_outline(root() / "notebooks" / f"{notebook_id}.ipynb")


def headings(notebook_id: str) -> dict[str, tuple[str, str]]:
    """Read the numbers and titles of a notebook's artifacts, without importing what declares them."""
    read = outline(notebook_id)
    texts = {one: texts_of(notebook_id.partition("/")[0], one) for one in read.shown}
    return {one: (result.number, filled(result.title, read.parameters)) for one, result in texts.items()}


def parameters(notebook_id: str) -> type[Parameters]:
    """Import the parameter model of a notebook, and nothing that it does not need."""
    module, _, model = NOTEBOOKS[notebook_id].partition(":")
    result: type[Parameters] = getattr(importlib.import_module(module), model)
    return result


@cache
def _declared(paper: str) -> dict[str, Artifact]:
    """Import the modules of a paper, and return the artifacts that they declare, by id."""
    from compendium.evidence.artifact import declared_in

    return {one.id: one for name in PAPERS[paper].modules for one in declared_in(importlib.import_module(name))}


@cache
def _imported(notebook_id: str) -> Notebook:
    return read_notebook(parameters(notebook_id), _declared(notebook_id.partition("/")[0]))


def notebooks() -> tuple[Notebook, ...]:
    return tuple(_imported(one) for one in NOTEBOOKS)


def notebook_id(text: str) -> str:
    """Return the id of the notebook that a person means: by its id, name or path, or its id up to the number."""
    meant = text.removeprefix("notebooks/").removesuffix(".ipynb")
    results = []
    for known in NOTEBOOKS:
        paper, _, name = known.rpartition("/")
        if meant in (known, name, f"{paper}/{name.partition('-')[0]}"):
            results.append(known)
    if len(results) != 1:
        raise UsageError(f"unknown notebook '{text}'", nearest(text, NOTEBOOKS))
    return results[0]


def notebook(text: str) -> Notebook:
    """Import the notebook that a person means, see :func:`notebook_id`; or read a copy of one, by its path."""
    file = Path(text)
    own = (root() / "notebooks" / f"{known}.ipynb" for known in NOTEBOOKS)
    if file.suffix == ".ipynb" and file.is_file() and not any(file.samefile(one) for one in own):
        return read_copy(file, NOTEBOOKS, _imported)
    return _imported(notebook_id(text))


def notebook_of(artifact_id: str) -> str:
    """Return the id of the notebook that shows an artifact."""
    for one in NOTEBOOKS:
        if artifact_id in outline(one).shown:
            return one
    shown = [artifact for one in NOTEBOOKS for artifact in outline(one).shown]
    raise UsageError(f"unknown artifact '{artifact_id}'", nearest(artifact_id, shown))


def artifact(artifact_id: str) -> tuple[Notebook, Artifact]:
    """Import an artifact, with its notebook."""
    spec = _imported(notebook_of(artifact_id))
    return spec, spec.artifact(artifact_id)
