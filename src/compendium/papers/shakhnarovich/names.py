"""The paper's names: a key of its tables, its symbol in figures and sentences, its words in a table's head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compendium.evidence.names import read_names

_NAMES = read_names("shakhnarovich")
_SYMBOLS: Mapping[str, str] = _NAMES["symbols"]

# Headings where the common ones do not do, and for the best new and old estimators
LABELS: Mapping[str, str] = _NAMES["headings"] | {
    f"{side}={key}": f"Best {side} one: {symbol}" for side in ("new", "old") for key, symbol in _SYMBOLS.items()
}


def symbol_of(key: str) -> str:
    """Return the symbol of an estimator, or the short name of a classifier or data set."""
    return _SYMBOLS.get(key) or (key.upper() if key.endswith("-nn") else key)


def case_title(row: str) -> str:
    """Return the name of a case, ``<setting or data set>/<classifier>``, for a figure."""
    return ", ".join(symbol_of(part) for part in row.split("/"))


def words_for(rows: Sequence[str], places: str = "setting") -> str:
    """List cases in words; ``none`` where there is none."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        place, classifier = row.split("/")
        groups.setdefault(place, []).append(symbol_of(classifier))
    before = f"{places} " if places else ""
    return "; ".join(f"{before}{symbol_of(place)}: {', '.join(of)}" for place, of in groups.items()) or "none"
