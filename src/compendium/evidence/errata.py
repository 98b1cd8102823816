"""What is found in the printed numbers themselves, or by holding them against our rows: recorded, for a print stays.

``data/errata/<paper>.yaml`` has, by artifact, checks, findings and errata in their final words; a test derives them
again from ``data/published`` and ``data/regenerated``.
"""

from __future__ import annotations

from typing import Any

from compendium.evidence.results import ArtifactResult, Check, Erratum
from compendium.evidence.texts import read_data

__all__ = ["printed_errata", "read_errata"]


def read_errata(paper: str) -> dict[str, Any]:
    """Read what is recorded of a paper, by artifact; nothing where the paper has no file."""
    return read_data(f"errata/{paper}")


def printed_errata(paper: str, artifact: str) -> ArtifactResult:
    """Return what is recorded of an artifact: true of the published parameters alone."""
    own = read_errata(paper).get(artifact, {})
    return ArtifactResult(
        checks=[Check(**one) for one in own.get("checks", [])],
        findings=list(own.get("findings", [])),
        errata=[Erratum(**one) for one in own.get("errata", [])],
    )
