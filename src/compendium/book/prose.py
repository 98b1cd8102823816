"""Text that stays true under other parameters: what holds for published values only is shown where they were used.

A notebook's prose marks such a passage by comments, which no viewer of notebooks shows::

    Draw <!-- only samples -->six samples<!-- else: a few samples --> and look.

``only`` names the parameters whose published values the passage speaks of; ``all`` is for what is known of the
published run alone, seed and all.  Where one of them was changed, what stands behind ``else:`` takes its place;
``<!-- end -->`` instead of it leaves nothing.  A mark that begins a line has that line for itself, or viewers would
take the line for HTML.  A caption has its numbers from the parameters, in braces: ``{samples} samples``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from errorest.errors import UsageError

__all__ = ["ALL", "filled", "fitting", "named", "undefined_named"]

ALL = "all"
"""In a mark, for every parameter of the notebook."""

_PASSAGE = re.compile(
    r"<!-- only (?P<names>[a-z0-9_, ]+) -->(?P<text>.*?)<!-- (?:end|else: (?P<other>.*?)) -->", re.DOTALL
)
_MARK = re.compile(r"<!-- (?:only|end|else)\b")
_NAN = re.compile(r"(?<![\w.])[+−-]?nan(?: ± nan)?(?: %)?(?!\w|\.\w)")
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def fitting(text: str, changed: Collection[str]) -> str:
    """Return a cell's text as it holds where some parameters were changed; the marks are gone."""

    def chosen(found: re.Match[str]) -> str:
        names = names_in(found)
        if names & set(changed) or (changed and ALL in names):
            return found["other"] or ""
        return (
            found["text"].removeprefix("\n") if found.start() == 0 or text[found.start() - 1] == "\n" else found["text"]
        )

    plain = _PASSAGE.sub(chosen, text)
    if _MARK.search(plain):
        raise UsageError(
            f"a passage of the text '{text[:40]}...' is marked at one end only; expected <!-- only NAMES --> before it "
            "and <!-- end --> or <!-- else: TEXT --> behind it; mend the notebook"
        )
    # a cell of which nothing is left above or below
    return re.sub(r"\n{3,}", "\n\n", plain).strip("\n") if plain != text else text


def names_in(found: re.Match[str]) -> set[str]:
    """Return the parameters that a marked passage speaks of."""
    return {name.strip() for name in found["names"].split(",")}


def named(text: str) -> set[str]:
    """Return all parameters that the passages of a text speak of."""
    return set().union(*(names_in(found) for found in _PASSAGE.finditer(text)))


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Put the values of parameters into a title or a caption; small whole numbers as words."""

    def put(found: re.Match[str]) -> str:
        value = values[found[1]]
        number = len(value) if isinstance(value, list) else value
        small = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(_SMALL)
        word = _SMALL[number] if small else str(number)
        return word[:1].upper() + word[1:] if found.start() == 0 else word

    return re.sub(r"\{([a-z_0-9]+)\}", put, text)


def undefined_named(text: str) -> str:
    """Name what came out undefined: a reader is owed a word, not three letters of a program."""
    return _NAN.sub("not defined", text)
