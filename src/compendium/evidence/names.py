"""What a thing is called: a paper's symbol, and titles for a sentence and for a heading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from compendium.evidence.papers import PAPERS, read_shared


class Name(NamedTuple):
    """One entry of a paper's table of names, or of the library's.

    ``symbol`` is the short word of figures, ``sentence`` stands within a sentence and ``heading`` at the
    start of a line; no code makes one of the other.
    """

    symbol: str
    sentence: str
    heading: str

    @property
    def markdown(self) -> str:
        """The symbol, its asterisks escaped."""
        return self.symbol.replace("*", "\\*")


def read_names(source: str) -> dict[str, Any]:
    """Read the names of a paper, or those that papers share, ``common``; nothing where there is none."""
    return PAPERS[source].read("names") if source in PAPERS else read_shared(source)


COMMON: Mapping[str, Name] = {
    key: Name(words, words, words) if isinstance(words, str) else Name(words[0], *words)
    for key, words in read_names("common").items()
}
"""Names that papers share, by the keys of their tables: estimators, inducers, intervals, quantities."""
