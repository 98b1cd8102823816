"""Why numbers differ from the print, as far as it is known: notes in an artifact's entry of ``artifacts.yaml``.

A note names the numbers that it is about by the parts of their keys, each one text or several, and perhaps their
reading; the first that fits a number is its reason::

    kohavi-table-1:
      differs:
        - where: {data_set: vehicle, quantity: c4.5}
          reading: unstated:release-8
          kind: explained by literal
          text: C4.5 without the change of Release 8 agrees.

``explained by <reading>`` fits only numbers that are reproduced, or close, under that reading.  Where the print
contradicts itself, ``erratum:`` is the place of the erratum that shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from compendium.evidence.texts import declared_of
from errorest.errors import UsageError

__all__ = ["CONTRADICTED", "KINDS", "UNEXPLAINED", "Difference", "differences", "explain_difference"]

CONTRADICTED, UNEXPLAINED = "the print contradicts itself", "unexplained"
KINDS = (CONTRADICTED, "left open by the paper", UNEXPLAINED)
"""Kinds of notes beside ``explained by <reading>``."""

_EXPLAINED = "explained by "


class Difference(NamedTuple):
    """A note: the parts of the keys that it is about, their reading (empty for all), its kind, and a sentence."""

    where: Mapping[str, Sequence[str]]
    reading: str
    kind: str
    text: str
    erratum: str = ""

    @property
    def explaining(self) -> str:
        """The reading that explains; empty where none does."""
        return self.kind.removeprefix(_EXPLAINED) if self.kind.startswith(_EXPLAINED) else ""

    @property
    def sentence(self) -> str:
        """The kind, the text and the erratum."""
        erratum = f" Erratum: {self.erratum}." if self.erratum else ""
        return f"{self.kind[:1].upper()}{self.kind[1:]}: {self.text}{erratum}"

    def fits(self, parts: Mapping[str, Any], reading: str, agreeing: Collection[str]) -> bool:
        """Whether the note is about a number in a reading, given the readings under which the number agrees."""
        if self.reading not in ("", reading) or (self.explaining and self.explaining not in agreeing):
            return False
        return all(parts.get(name) in texts for name, texts in self.where.items())


def differences(artifact: str) -> list[Difference]:
    """Return the notes of an artifact.

    Raises
    ------
    UsageError
        If a note is of no known kind, or a contradiction names no erratum.

    Examples
    --------
    >>> [note.kind for note in differences("kohavi-claims")]
    ['unexplained']
    """
    notes = []
    for one in declared_of(artifact).get("differs", []):
        parts = one.get("where", {}).items()
        where = {name: tuple(map(str, part if isinstance(part, list) else [part])) for name, part in parts}
        note = Difference(where, one.get("reading", ""), one["kind"], one["text"], one.get("erratum", ""))
        if note.kind not in KINDS and not note.explaining:
            kinds = ", ".join([*KINDS, "explained by <reading>"])
            raise UsageError(f"differs: of {artifact} has the kind '{note.kind}'; expected one of {kinds}")
        if (note.kind == CONTRADICTED) != bool(note.erratum):
            raise UsageError(f"differs: of {artifact} needs erratum: where {CONTRADICTED}, and there alone")
        notes.append(note)
    return notes


def explain_difference(parts: Mapping[str, Any], reading: str, agreeing: Collection[str]) -> Difference | None:
    """Return the first note that fits a printed number in a reading; None where none does.

    Parameters
    ----------
    parts : mapping
        A line of :func:`~compendium.evidence.keys.tidy`: the number's artifact and the named parts of its key.
    reading : str
        In which it differs.
    agreeing : collection of str
        The readings under which the number is reproduced or close.

    Examples
    --------
    >>> number = {"artifact": "kohavi-table-1", "data_set": "mushroom", "quantity": "naive-bayes"}
    >>> explain_difference(number, "literal", {"fitted:mlc-zero-counts"}).explaining
    'fitted:mlc-zero-counts'
    >>> explain_difference(number, "literal", set()) is None
    True
    """
    return next((note for note in differences(parts["artifact"]) if note.fits(parts, reading, agreeing)), None)
