"""Section 8's cases: a data set with a classifier, as computed and with rows put where the paper prints them.

Where samples are also drawn class by class, the case comes a second time, under a reading of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from compendium.evidence.records import distinct
from compendium.evidence.results import Run
from compendium.papers.own_code import studied_apart
from compendium.papers.shakhnarovich.methods import classifier_named
from compendium.papers.shakhnarovich.tables import Case, estimates_of, reading_of, to_zero, zero_reading
from compendium.papers.shakhnarovich.uci.experiment import DRAWINGS, PUBLISHED, Drawing, UciParameters, uci_study

__all__ = ["EXCHANGED", "MOVED", "STRATIFIED", "as_printed", "cases_of", "readings_of"]

EXCHANGED = "fitted:rows-as-printed"
"""Reading in which the RCV x10 and x5 rows change places and BSCV x10* is BSCV x5*; R of the .632+ is set to 0."""

STRATIFIED = "fitted:stratified-samples"
"""Reading in which every sample has the classes in the proportions of the whole data set."""

MOVED: Mapping[str, str] = {
    "repeated-cv-10": "repeated-cv-5",
    "repeated-cv-5": "repeated-cv-10",
    "cloned-bscv-10": "cloned-bscv-5",
}
"""Rows of the print, and the estimators whose numbers they hold (see the errata)."""


def as_printed(case: Case) -> Case:
    """Put estimates into the rows under which the paper prints them, the .632+ with R set to 0 among them."""
    run = to_zero(case).estimates
    moved = {name: run.get(MOVED.get(name, name), values) for name, values in run.items()}
    reading = f"{STRATIFIED}-rows-as-printed" if case.reading == STRATIFIED else EXCHANGED
    return case._replace(reading=reading, estimates=moved)


def readings_of(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Return cases in each reading of the whole: the first, with R of the .632+ set to 0, and all rows as printed."""
    first = reading_of(cases)
    return {
        first: list(cases),
        zero_reading(first): [to_zero(case) for case in cases],
        EXCHANGED: [as_printed(case) for case in cases],
    }


def cases_of(p: UciParameters, run: Run) -> list[Case]:
    """Run the trials of all cases."""
    wanted = [
        (name, key, drawing)
        for name in PUBLISHED
        for key in p.keys_of(name, "uniform")
        for drawing in DRAWINGS
        if key in p.keys_of(name, drawing)
    ]
    found: dict[tuple[str, str, Drawing], Mapping[str, np.ndarray]] = {}
    for some in studied_apart(p.classifiers, lambda text: classifier_named(text.split("/", 1)[1]).reading == "own"):
        table = run(uci_study(p.model_copy(update={"classifiers": some})))
        studied = [one for one in wanted if f"{one[0]}/{one[1]}" in some]
        for key in distinct(key for _, key, _ in studied):
            own = [one for one in studied if one[1] == key]
            places = [{"set": name, "drawing": drawing} for name, _, drawing in own]
            found.update(zip(own, estimates_of(table, key, places), strict=True))
    return [_case(*one, found[one]) for one in wanted]


def _case(place: str, key: str, drawing: Drawing, estimates: Mapping[str, np.ndarray]) -> Case:
    classifier = classifier_named(key)
    if drawing == "uniform":
        return Case(place, classifier.row, classifier.reading, estimates)
    return Case(place, classifier.row, STRATIFIED, estimates, f"{classifier.row}@stratified")
