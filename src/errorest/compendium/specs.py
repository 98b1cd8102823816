"""Artifacts and notebooks that are still listed apart from their code, until their sections declare them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from errorest.compendium.notebook import Notebook
from errorest.evidence.artifact import Artifact, Compute, Draw, Examine
from errorest.papers.parameters import Parameters

__all__ = ["ArtifactSpec", "NotebookSpec"]


def ArtifactSpec(
    id: str,
    number: str,
    title: str,
    compute: Compute,
    draw: Draw | None = None,
    summary: str = "",
    *,
    enlarge: bool = True,
    once: tuple[str, ...] = (),
    matrix: bool = False,
    weight: float = 1.0,
    examine: Examine | None = None,
) -> Artifact:
    """List an artifact."""
    shown = {"compute": compute, "draw": draw, "examine": examine}
    return Artifact(id, number, title, summary, **shown, enlarge=enlarge, once=once, matrix=matrix)  # type: ignore[arg-type]


def NotebookSpec(
    id: str,
    paper: str,
    title: str,
    parameters: type[Parameters],
    artifacts: tuple[Artifact, ...],
    weight: float = 10.0,
    inputs: Callable[[Any], dict[str, str]] = lambda _: {},
) -> Notebook:
    """List a notebook."""
    return Notebook(id, title, parameters, artifacts, inputs)
