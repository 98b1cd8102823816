"""An artifact as HTML: in full, for an executed notebook and the artifact's page, and in short, for the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from compendium.book.artifact_tables import ArtifactTables
from compendium.book.citation import Part, Work, apa, bibtex
from compendium.book.source_state import short
from compendium.book.templating import fill

__all__ = ["Placed", "artifact_html", "story_html"]

_OUTCOME_CLASSES = {"holds": "reproduced", "fails": "differs", "holds in part": "close", "not decided": "none"}
_IN_THIS_RUN = {"holds": "so in this run", "fails": "not so in this run", "holds in part": "in part, in this run"}
"""The outcome of a claim in a run that is not the published one, which can settle nothing."""


@dataclass(frozen=True)
class Placed:
    """What a page of the book adds to an artifact."""

    commit: str
    source: str
    work: Work
    part: Part
    code: Markup


def artifact_html(manifest: Mapping[str, Any], files: str, placed: Placed | None = None) -> str:
    """Render an artifact from its manifest."""
    published = manifest["scale"] == "published"
    return fill(
        "artifact.html",
        m={"figure": None, **manifest},
        files=files,
        blocks=ArtifactTables(manifest).blocks(),
        wholes=[
            w["said"] for w in manifest.get("wholes", []) if (w["reading"], w["scale"]) == ("headline", "published")
        ],
        published=published,
        outcomes={} if published else _IN_THIS_RUN,
        outcome_classes=_OUTCOME_CLASSES,
        downloads=[(name, _kind_of_file(name, manifest["id"])) for name in manifest["files"]],
        placed=placed,
        state=short(placed.commit) if placed else (),
        apa=apa(placed.work, placed.part) if placed else "",
        bibtex=bibtex(placed.work, placed.part) if placed else "",
    )


def story_html(manifest: Mapping[str, Any], files: str, placed: Placed, counts: str) -> str:
    """Render what the text shows of an artifact: figure, headline reading, findings, code, and a link to the rest."""
    published = manifest["scale"] == "published"
    parts = {
        "every reading and scale": manifest["rows"],
        "claims": manifest["checks"] and manifest["figure"],
        "downloads and provenance": True,
    }
    return fill(
        "story.html",
        m={"figure": None, **manifest},
        files=files,
        headline=ArtifactTables(manifest).headline(),
        published=published,
        outcomes={} if published else _IN_THIS_RUN,
        outcome_classes=_OUTCOME_CLASSES,
        counts=counts,
        what=", ".join(name for name, there in parts.items() if there),
        placed=placed,
    )


def _kind_of_file(name: str, artifact: str) -> str:
    stem, _, kind = name.rpartition(".")
    part = stem.removeprefix(artifact).strip("-")
    return f"{kind.upper()} ({part})" if part else kind.upper()
