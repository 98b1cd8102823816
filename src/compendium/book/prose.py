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

__all__ = ["ALL", "filled", "fitting", "named", "run_named", "undefined_named", "worded"]

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


def worded(text: str) -> str:
    """Write a sentence as people do whatever was counted: one of a thing, a range of one value, what is undefined."""
    return _ONE.sub(_of_one, _SAME.sub(_one_value, _NO_SPREAD.sub("", undefined_named(text))))


_NO_SPREAD = re.compile(r" ± 0(?:\.0+)?(?![\d.,]*\d)")
"""An error that is none, or that its digits do not show."""


_SAME = re.compile(
    r"(?P<from>\b[Ff]rom )?(?P<of>\b[A-Za-z] = )?(?<![\w.,])(?P<value>[+−-]?\d[\d,]*(?:\.\d+)?)(?P<unit> %)?"
    r" to (?:(?P=of))?(?P=value)(?![\d.,]*\d)(?![\w/-])(?(unit) %)"
)
"""From a value to itself."""

_COUNTED = (
    "attribute|bandwidth|batch|bin|case|cell|class|classifier|clone|combination|data set|difference|division"
    "|estimate|estimator|experiment|fold|holdout|inducer|interval|mean|number|permutation|point|population|reading|realization|repeat"
    "|replicate|resample|run|sample|setting|size|split|step|test size|trial|window|window mean"
)
_ONE = re.compile(
    r"(?P<means>\bmeans of )?(?<![\w.,-])(?<!± )(?<!to )(?<!= )"
    r"(?<!Table )(?<!Figure )(?<!section )(?<!Section )(?<!Equation )"
    r"(?P<one>\+?1 (?:(?:further|other|more|random|bootstrap|training|test|tested|simulated|independent) )*)"
    rf"(?P<noun>{_COUNTED})(?P<plural>s|es)\b(?: (?P<verb>are|were|have|lie|fall|err)\b)?"
)
"""One of what can be counted, with the ending of many."""

_VERBS = {"are": "is", "were": "was", "have": "has", "lie": "lies", "fall": "falls", "err": "errs"}


def _one_value(found: re.Match[str]) -> str:
    at = {"from ": "at ", "From ": "At "}.get(found["from"] or "", "")
    return f"{at}{found['of'] or ''}{found['value']}{found['unit'] or ''}"


def _of_one(found: re.Match[str]) -> str:
    verb = f" {_VERBS[found['verb']]}" if found["verb"] else ""
    return f"{'mean of ' if found['means'] else ''}{found['one']}{found['noun']}{verb}"


def run_named(text: str) -> str:
    """Call a run of a reader's own by its name in a figure's caption, where others have a scale."""
    return re.sub(r"\b([Oo])wn(, enlarged)? scale\b", r"\1wn run\2", text)
