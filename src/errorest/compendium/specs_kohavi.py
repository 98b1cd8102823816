"""Notebooks and artifacts of Kohavi (1995)."""

from __future__ import annotations

from errorest.compendium.specs import NotebookSpec

__all__ = ["NOTEBOOKS"]

NOTEBOOKS: tuple[NotebookSpec, ...] = ()
