"""What is found in the printed numbers themselves, or by holding them against our rows: recorded, for a print stays.

``data/errata/<paper>.yaml`` has, by artifact, checks, findings and errata in their final words; a test derives them
again from ``data/published`` and ``data/regenerated``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from compendium.evidence.regenerated import Check, Erratum, Regenerated
from compendium.evidence.verdicts import data_folder

__all__ = ["found_in_print", "read_errata"]


@lru_cache(maxsize=8)
def read_errata(paper: str) -> dict[str, Any]:
    """Read what is recorded of a paper, by artifact; nothing where the paper has no file."""
    path = Path(data_folder("errata")) / f"{paper}.yaml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def found_in_print(paper: str, artifact: str) -> Regenerated:
    """Return what is recorded of an artifact: true of the published parameters alone."""
    own = read_errata(paper).get(artifact, {})
    return Regenerated(
        checks=[Check(**one) for one in own.get("checks", [])],
        findings=list(own.get("findings", [])),
        errata=[Erratum(**one) for one in own.get("errata", [])],
    )
