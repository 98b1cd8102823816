"""Words for the keys of ``data/published/``: what a reader sees in a table's head and margin.

Names come from the table that an artifact's declaration brings (``labels=``), then from the project's common one
(:data:`compendium.evidence.names.COMMON`); any other key is words joined by hyphens, and is read as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from compendium.evidence.names import COMMON, Name, read_names
from compendium.papers.own_code import last_name

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
    parts = key.split("/")
    results: list[str] = []
    while parts:
        widths = range(len(parts), 1, -1)
        width = next((w for w in widths if (name := "/".join(parts[:w])) in names or name in COMMON), 1)
        results.append("/".join(parts[:width]))
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
    words = _plain(key).split("-")
    read = []
    while words:
        # the longest name of several words that stands here
        width = next((w for w in range(len(words), 1, -1) if "-".join(words[:w]) in COMMON), 1)
        name = "-".join(words[:width])
        read.append(COMMON[name].sentence if width > 1 else _WITHIN.get(name, name))
        words = words[width:]
    text = re.sub(r" s\b", "'s", re.sub(r"\b(\d+) fold\b", r"\1-fold", " ".join(read)))
    return text if key == _plain(key) else f"{text}, %"


def _plain(key: str) -> str:
    return key.removesuffix("-percent")
