"""Warnings of results: every one has an id that stays, by which it is listed, looked up and switched off.

Their texts stand in ``cautions.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, NamedTuple

from errorest.errors import UsageError, nearest


class Kind(NamedTuple):
    """What a warning is about: its title, why it matters, what to do, who looks for it, and texts by their variant."""

    title: str
    why: str
    remedy: str
    raised_by: str
    text: str | Mapping[str, str] = ""


_LISTED = tomllib.loads(resources.files(__package__).joinpath("cautions.toml").read_text(encoding="utf-8"))

CAUTIONS: Mapping[str, Kind] = {name: Kind(**values) for name, values in _LISTED.items()}
"""Every warning by its id."""


class Caution(str):
    """A sentence or two on what to beware of, with the id of its kind."""

    kind: str

    def __new__(cls, kind: str, text: str) -> Caution:
        """Make a text of a kind that is listed."""
        made = super().__new__(cls, text)
        made.kind = CAUTIONS[kind] and kind
        return made

    @classmethod
    def of(cls, kind: str, **facts: Any) -> Caution:
        """Fill in the text of an id, such as ``"E204"``, or of one of its variants, such as ``"E201.few"``."""
        name, _, variant = kind.partition(".")
        text = CAUTIONS[name].text
        return cls(name, (text if isinstance(text, str) else text[variant]).format(**facts))

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.kind, str(self)


def with_id(text: str) -> str:
    """Write a warning with its id behind it; any other text as it is."""
    return f"{text} ({text.kind})" if isinstance(text, Caution) else text


def checked_ids(ignore: Iterable[str] | str) -> frozenset[str]:
    """Check the ids of warnings that are switched off."""
    if not isinstance(ignore, Iterable):
        raise UsageError(f"ignore = {ignore!r}; expected ids of warnings, such as 'E203'")
    given = ignore.split(",") if isinstance(ignore, str) else ignore
    ids = [str(one).strip() for one in given]
    for one in filter(None, ids):
        if one not in CAUTIONS:
            raise UsageError(
                f"caution '{one}' was to be ignored, and there is none; expected ids such as E203; "
                + nearest(one, CAUTIONS)
            )
    return frozenset(filter(None, ids))


def not_ignored(cautions: Iterable[str], ignored: frozenset[str]) -> tuple[str, ...]:
    """Leave out the warnings that are switched off."""
    return tuple(one for one in cautions if not (isinstance(one, Caution) and one.kind in ignored))


def kinds_of(cautions: Iterable[str]) -> list[str]:
    """List the ids of warnings, one for each; a text of no kind has none."""
    return [one.kind if isinstance(one, Caution) else "" for one in cautions]
