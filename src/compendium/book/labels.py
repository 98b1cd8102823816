"""Words for the keys of ``data/published/``: what a reader sees in a table's head and margin.

Names come from the table that an artifact's declaration brings (``labels=``), then from the project's common one
(:data:`compendium.evidence.names.COMMON`); any other key is words joined by hyphens, and is read as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping

from compendium.evidence.names import COMMON, Name, read_names
from compendium.papers.import_paths import last_name

Label = Callable[[str], str]

_WITHIN = read_names("words")
# The import path of a class, perhaps with settings
_PATH = re.compile(r"[a-z_]\w*[.:](?:[A-Za-z_]\w*[.:])*[A-Z]\w*(?:\(.*\))?$")


def labeller(names: Mapping[str, str]) -> Label:
    """Return the function that turns a key into words."""

    def label(key: str) -> str:
        if key in names or key in COMMON:
            return _name(key, names, heading=True)
        first, *rest = _parts(key, names)
        return ", ".join([_name(first, names, heading=True), *(_name(part, names) for part in rest)])

    return label


def headings(labels: Mapping[str, Name | str], keys: Iterable[str]) -> dict[str, str]:
    """Return the headings of those entries that occur in keys, whole or as a part."""
    used = {part for key in keys for part in (key, *_parts(key, labels))}
    return {key: name if isinstance(name, str) else name.heading for key, name in labels.items() if key in used}


def _parts(key: str, names: Mapping[str, object]) -> list[str]:
    """Split a key at its strokes, but not within a name such as ``holdout-1/3``."""
    return _split(key, "/", {*names, *COMMON})


def _split(key: str, mark: str, known: Container[str]) -> list[str]:
    """Split a key at a mark, but not within a known name; the longest that stands at a place counts."""
    parts = key.split(mark)
    results: list[str] = []
    while parts:
        width = next((w for w in range(len(parts), 1, -1) if mark.join(parts[:w]) in known), 1)
        results.append(mark.join(parts[:width]))
        parts = parts[width:]
    return results


def _name(key: str, names: Mapping[str, str], *, heading: bool = False) -> str:
    if key in names:
        return names[key]
    if key in COMMON:
        return COMMON[key].heading if heading else COMMON[key].sentence
    if _PATH.match(key):
        return last_name(key)
    text = _read(key)
    # a first word with a digit in it is a symbol
    capital = heading and re.match(r"[a-z]+\b", text) and not _verbatim(key)
    return text[:1].upper() + text[1:] if capital else text


def _verbatim(key: str) -> bool:
    return bool(re.fullmatch(r"[\d.]+|k\d", key)) or "=" in key


def _read(key: str) -> str:
    """Read a key as words joined by hyphens."""
    if "=" in key:
        return " = ".join(part.strip() for part in key.split("=", 1))
    if _verbatim(key) or key.startswith("-"):
        return key
    if " " in key:
        text = " ".join(COMMON[w].sentence if w in COMMON and "-" in w else w for w in _plain(key).split(" "))
        return text if key == _plain(key) else f"{text}, %"
    words = _split(_plain(key), "-", COMMON)
    read = [COMMON[word].sentence if "-" in word else _WITHIN.get(word, word) for word in words]
    text = re.sub(r" s\b", "'s", re.sub(r"\b(\d+) fold\b", r"\1-fold", " ".join(read)))
    return text if key == _plain(key) else f"{text}, %"


def _plain(key: str) -> str:
    return key.removesuffix("-percent")
