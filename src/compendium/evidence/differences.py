"""Why numbers differ from the print, as far as it is known: notes in an artifact's entry of ``artifacts.yaml``.

A note names the numbers that it is about by the parts of their keys, and perhaps their reading::

    kohavi-table-1:
      differs:
        - where: {data_set: vehicle, quantity: c4.5}
          reading: unstated:release-8
          kind: explained by literal
          text: C4.5 without the change of Release 8 agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from compendium.evidence.keys import parts_of
from compendium.evidence.texts import declared_of
from errorest.errors import UsageError

__all__ = ["KINDS", "Difference", "differences", "explain_difference"]

KINDS = ("the print contradicts itself", "left open by the paper", "unexplained")
"""Kinds of notes beside ``explained by <reading>``."""


class Difference(NamedTuple):
    """A note: the parts of the keys that it is about, their reading (empty for all), its kind, and a sentence."""

    where: Mapping[str, str]
    reading: str
    kind: str
    text: str

    @property
    def sentence(self) -> str:
        """The kind and the text."""
        return f"{self.kind[:1].upper()}{self.kind[1:]}: {self.text}"


def differences(artifact: str) -> list[Difference]:
    """Return the notes of an artifact.

    Raises
    ------
    UsageError
        If a note is of no known kind.

    Examples
    --------
    >>> [note.kind for note in differences("kohavi-claims")]
    ['unexplained']
    """
    notes = []
    for one in declared_of(artifact).get("differs", []):
        note = Difference(one.get("where", {}), one.get("reading", ""), one["kind"], one["text"])
        if note.kind not in KINDS and not note.kind.startswith("explained by "):
            kinds = ", ".join([*KINDS, "explained by <reading>"])
            raise UsageError(f"differs: of {artifact} has the kind '{note.kind}'; expected one of {kinds}")
        notes.append(note)
    return notes


def explain_difference(artifact: str, row: str, column: str, reading: str) -> Difference | None:
    """Return the first note about a printed number in a reading; None where there is none.

    Examples
    --------
    >>> note = explain_difference("kohavi-claims", "vehicle/naive-bayes", "deterioration-percent", "literal")
    >>> note.kind
    'unexplained'
    """
    parts = parts_of(artifact, row, column)
    for note in differences(artifact):
        if note.reading in ("", reading) and all(parts.get(name) == text for name, text in note.where.items()):
            return note
    return None


def explained(comparison: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the distinct notes about the numbers of a comparison that differ."""
    notes = (
        explain_difference(c["artifact"], c["row"], c["column"], c["reading"])
        for c in comparison
        if c["verdict"] == "differs"
    )
    return list(dict.fromkeys(note.sentence for note in notes if note is not None))
