"""Names of Martin & Hirschberg (1996): their estimators, by the ids of Table 4."""

from __future__ import annotations

from collections.abc import Callable

from compendium.evidence.names import COMMON, Name, read_names

# Keys of the print, with the paper's own words as symbols
NAMES = {
    key: Name(symbol, sentence, COMMON[key].heading)
    for key, (symbol, sentence) in read_names("martin-hirschberg").items()
}

# How a cell of a design is written: its sample size and its inherent error
FACTORS: dict[str, Callable[[float], str]] = {"n": "N = {}".format, "inherent_error": lambda e: f"{100 * e:.3g} %"}
