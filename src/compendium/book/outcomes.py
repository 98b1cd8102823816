"""What a complete build found beside rows: how each claim came out, which errata and which figures there are.

``data/regenerated/outcomes.csv`` has a line for each, so that a claim that comes out otherwise is told as a row is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from compendium.book.places import root, write_whole

COLUMNS = ("kind", "artifact", "reading", "key", "outcome")

_KEY = list(COLUMNS[:-1])
_WORDS = 8
_LISTED = 40
_CLAIM = re.compile(r"(?P<text>.*?)(?: \[(?P<reading>[^\[\]]+)\])?", re.DOTALL)
_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?")


def outcomes_of(manifests: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return a line for each claim, erratum and figure of artifacts' manifests."""
    lines: list[tuple[str, ...]] = []
    for m in manifests:
        claims = zip(claim_keys([c["claim"] for c in m["checks"]]), m["checks"], strict=True)
        lines += [("claim", m["id"], *key, check["outcome"]) for key, check in claims]
        lines += [("erratum", m["id"], "", erratum["place"], "") for erratum in m["errata"]]
        lines += [("figure", m["id"], "", m["figure"]["svg"], "")] if m["figure"] else []
    found = pd.DataFrame(lines, columns=list(COLUMNS))
    before = found.groupby(_KEY).cumcount()
    found["key"] += before.map(lambda times: f" ({times + 1})" if times else "")
    return found


def claim_keys(claims: Sequence[str]) -> list[tuple[str, str]]:
    """Return the reading and a short key of each claim of an artifact: its first words, unique by a digest if needed.

    A claim's text ends with its reading in brackets, if it has one.
    """
    found = [_CLAIM.fullmatch(claim) for claim in claims]
    parts = [(one["reading"] or "", one["text"]) for one in found if one is not None]
    short = [(reading, "-".join(_WORD.findall(text.lower())[:_WORDS])) for reading, text in parts]
    texts = {key: {text for k, (_, text) in zip(short, parts, strict=True) if k == key} for key in short}
    keys = [
        f"{key}-{hashlib.sha256(text.encode()).hexdigest()[:4]}" if len(texts[reading, key]) > 1 else key
        for (reading, key), (_, text) in zip(short, parts, strict=True)
    ]
    return [(reading, key) for (reading, _), key in zip(parts, keys, strict=True)]


def recorded_outcomes() -> pd.DataFrame:
    """Read what the last complete build found; nothing where there is no record yet."""
    path = _path()
    return pd.read_csv(path, dtype=str, keep_default_na=False) if path.is_file() else outcomes_of([])


def write_outcomes(manifests: Iterable[Mapping[str, Any]]) -> None:
    """Write ``data/regenerated/outcomes.csv`` from the manifests of a complete published build."""
    write_whole(_path(), outcomes_of(manifests).to_csv(index=False, lineterminator="\n"))


def _path() -> Path:
    return root() / "data" / "regenerated" / "outcomes.csv"


def outcomes_told(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """Say which claims came out otherwise, and which claims, errata and figures came or went; nothing if none did."""
    old, new = (_by_key(frame) for frame in (before, after))
    lines = [
        f"  {_named(key)}: {old[key]} recorded, {outcome} here"
        for key, outcome in new.items()
        if key in old and old[key] != outcome
    ]
    lines += [f"  {_named(key)}: gone" for key in old if key not in new]
    lines += [f"  {_named(key)}: added" for key in new if key not in old]
    if not lines:
        return []
    more = [f"  and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
    return [f"Claims, errata and figures that are not as recorded: {len(lines)}.", *lines[:_LISTED], *more]


def _by_key(frame: pd.DataFrame) -> dict[tuple[str, ...], str]:
    return dict(zip(frame[_KEY].itertuples(index=False, name=None), frame["outcome"], strict=True))


def _named(key: tuple[str, ...]) -> str:
    kind, artifact, reading, name = key
    return f"{artifact}, {kind} {name}{f' [{reading}]' if reading else ''}"
