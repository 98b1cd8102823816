"""What a thing is called: a paper's symbol, and titles for a sentence and for a heading."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Name"]


class Name(NamedTuple):
    """One entry of a paper's table of names, or of the library's.

    ``symbol`` is the short word of figures, ``sentence`` stands within a sentence and ``heading`` at the
    start of a line; no code makes one of the other.

    Examples
    --------
    >>> star = Name("LOO*", "iterated leave-one-out", "LOO*")
    >>> star.markdown
    'LOO\\\\*'
    """

    symbol: str
    sentence: str
    heading: str

    @property
    def markdown(self) -> str:
        """The symbol, its asterisks escaped."""
        return self.symbol.replace("*", "\\*")
