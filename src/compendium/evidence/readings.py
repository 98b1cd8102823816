"""What the readings of a paper mean: ``readings.yaml`` has a sentence for each, by its name behind the colon."""

from __future__ import annotations

from collections.abc import Mapping

from compendium.evidence.papers import PAPERS

KINDS = {
    "literal": "As the paper words it",
    "unstated": "Where the paper is silent",
    "fitted": "Chosen because it gives the printed numbers",
}
"""What each kind of reading is."""


def meaning_of_reading(paper: str, reading: str) -> str:
    """Return what a reading means, in a sentence; of one that joins several, what each of them means.

    Examples
    --------
    >>> meaning_of_reading("kohavi", "literal")
    'As the paper words it.'
    >>> meaning_of_reading("shakhnarovich", "fitted:c-0.01-r-to-zero")[:61]
    'Chosen because it gives the printed numbers: the linear suppo'
    """
    kind, _, name = reading.partition(":")
    meanings = {str(known): " ".join(text.split()) for known, text in PAPERS[paper].read("readings").items()}
    parts = _parts(name, meanings) if name else []
    return f"{KINDS[kind]}: {'; '.join(part.rstrip('.') for part in parts)}." if parts else f"{KINDS[kind]}."


def _parts(name: str, meanings: Mapping[str, str]) -> list[str]:
    """Return the meanings of the names that a name joins by hyphens; none where one is not known."""
    if name in meanings:
        return [meanings[name]]
    for known in meanings:
        if name.endswith(f"-{known}") and (before := _parts(name.removesuffix(f"-{known}"), meanings)):
            return [*before, meanings[known]]
    return []
