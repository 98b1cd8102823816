"""What the figures of Kohavi's study share: markers, the looks of data sets, and the printed accuracies of Table 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from compendium.evidence.records import printed_values
from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import read_published
from errorest.plots import BLACK, COLOURS, GREY

MARKERS = "osDv^P*X<>"


def looks_of(sets: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how the line of each data set is drawn."""
    kinds = zip(sets, [*COLOURS, BLACK, GREY] * len(sets), MARKERS * len(sets), strict=False)
    return {name: {"color": colour, "marker": marker, "markersize": 4.5} for name, colour, marker in kinds}


def counts_text(table: pd.DataFrame) -> str:
    """Say how many samples stand behind the lines of a table."""
    return " or ".join(str(n) for n in sorted({int(n) for n in table["n"]}))


def printed_accuracies(made: ResultsByScale) -> dict[tuple[str, str], float]:
    """Return Table 1's printed accuracies by data set and inducer; none for a reader's own parameters."""
    if "published" not in made:
        return {}
    table = read_published("kohavi")
    return printed_values(
        table[(table["artifact"] == "kohavi-table-1") & table["column"].isin(["c4.5", "naive-bayes"])]
    )
