"""Notebooks and artifacts of this project's own measurements: other packages' formulas."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.guide.peers import artifacts as peers

__all__ = ["NOTEBOOKS"]

_PEERS = NotebookSpec(
    "guide/05-other-packages",
    "guide",
    "The .632 family in other packages",
    peers.PeersParameters,
    (
        ArtifactSpec(
            "guide-other-packages",
            "Worked case",
            "The .632 and .632+ of one small sample, package by package",
            peers.other_packages,
            summary="Error rates, proportions; rows are packages.",
            matrix=True,
        ),
    ),
    weight=1,
)

NOTEBOOKS: tuple[NotebookSpec, ...] = (_PEERS,)
