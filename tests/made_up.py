"""Figures with the texts that their pages show."""

from __future__ import annotations

from compendium.book import catalogue
from compendium.book.session import captioned
from compendium.plots.picture import Drawing


def with_texts(artifact_id, drawing, parameters):
    """Return a figure with the caption and the alternative text that its page shows."""
    spec = catalogue.artifact(artifact_id)[1]
    return captioned(spec, drawing, parameters) if isinstance(drawing, Drawing) else drawing
