"""What the book's search knows beside the words of its pages: a script of data next to the ranking in ``search.js``.

``book/search.yml`` says which words mean the same, what readers ask a page for, and which pages go first.  The
beginnings of pages and the places of terms are added when the book is built, so that a result says what it leads to
without fetching it, which a browser refuses in a folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from errorest.errors import UsageError

__all__ = ["read_search", "search_script"]

_PARTS = ("alike", "asked", "rooms")


def read_search(path: Path) -> dict[str, Any]:
    """Read what the search knows; nothing where a page stands alone and the file is missing."""
    if not path.is_file():
        return {"alike": [], "asked": {}, "rooms": []}
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or set(found) != set(_PARTS):
        raise UsageError(f"{path.name} has other parts than expected; expected {', '.join(_PARTS)}; mend it")
    alike = [[str(phrase) for phrase in group] for group in found["alike"]]
    known: set[str] = set()
    for phrase in (p.lower() for group in alike for p in group):
        if phrase in known:
            raise UsageError(
                f"{path.name} has '{phrase}' twice among what means the same; expected once; join the lists"
            )
        known.add(phrase)
    if wrong := [room for room, weight in found["rooms"].items() if not isinstance(weight, int | float) or weight <= 0]:
        raise UsageError(f"{path.name} gives {wrong[0]} no weight; expected a number above 0; mend it")
    return {
        "alike": alike,
        "asked": {str(page): [str(phrase) for phrase in phrases] for page, phrases in found["asked"].items()},
        "rooms": [[str(room), float(weight)] for room, weight in found["rooms"].items()],
    }


def search_script(
    known: Mapping[str, Any], about: Mapping[str, str], terms: Iterable[tuple[str, str, str, str]], pages: Iterable[str]
) -> str:
    """Write the script that ``search.js`` reads."""
    if unknown := sorted(set(known.get("asked", {})) - set(pages)):
        raise UsageError(f"search.yml names the page {unknown[0]}; expected a page of the book; mend it")
    data = {**known, "about": dict(sorted(about.items())), "terms": sorted(terms)}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"window.errorestSearch = {text};\n"
