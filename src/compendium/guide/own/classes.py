"""What is in the file and in the cases taken, and what may mislead."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.own.parameters import OwnDataParameters, sets
from compendium.guide.own.results import listed, short_name
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.data.sample import Sample
from errorest.plots import BLUE, SKY

_FEW = 5

_MOSTLY = 0.8

_MOST_CLASSES = 12


@plots.in_style
def draw_classes(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["classes"].sort_values("in the file", ascending=False, kind="stable")
    table = table.head(_MOST_CLASSES).assign(**{"held back": lambda t: t["in the file"] - t["taken"]})
    cases = table.melt("class", ["taken", "held back"], "of", "cases")
    levels = {name: short_name(name) for name in table["class"]}
    picture = Picture(1.2 + 0.34 * len(levels), x="cases", y_levels=levels)
    picture.bars(cases, "class", "cases", by="of", looks={"taken": BLUE, "held back": SKY}, stacked=True)
    return picture.done(most=_MOST_CLASSES)


@artifact("guide-own-data", draw=draw_classes, matrix=True)
def what_is_there(p: OwnDataParameters, run: Run) -> ArtifactResult:
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows = []
    for column, one in (("file", whole), ("taken", sample)):
        counts = {
            "cases": one.n,
            "attributes": one.d,
            "classes": int(np.count_nonzero(one.class_counts())),
            "missing cells": int(np.isnan(one.X).sum()),
            "cases that repeat another": one.duplicates(),
            **{f"class {c}": int(k) for c, k in zip(one.classes, one.class_counts(), strict=True)},
        }
        rows += [Row("literal", row, column, float(value), nan, 1) for row, value in counts.items()]
    attributes = pd.DataFrame(
        [
            (a.name, a.kind, int(np.unique(known).size), int(whole.n - known.size))
            for a, known in ((a, v[~np.isnan(v)]) for a, v in zip(whole.attributes, whole.X.T, strict=True))
        ],
        columns=["attribute", "kind", "distinct values", "missing"],
    )
    classes = pd.DataFrame(
        {"class": whole.classes, "in the file": whole.class_counts(), "taken": sample.class_counts()}
    )
    changed = list(whole.read_report.notes) if whole.read_report is not None else []
    result = [f"Left out or converted in reading: {listed(changed, 20)}."] if changed else []
    result += [f"Beware: {text}." for text in (*_of_classes(sample), *_of_attributes(whole, sample, attributes))]
    return ArtifactResult(rows, {"classes": classes, "attributes": attributes}, [], result)


def _of_classes(sample: Sample) -> Iterator[str]:
    """Warn of rare and absent classes, and of one that nearly all cases have."""
    counts = dict(zip(sample.classes, sample.class_counts().tolist(), strict=True))
    absent, rare = [c for c, k in counts.items() if not k], [c for c, k in counts.items() if 0 < k < _FEW]
    if absent:
        yield f"none of the cases taken is of class {listed(absent)}, so that no classifier can know it"
    if rare:
        yield f"fewer than {_FEW} of the cases taken are of class {listed(rare)}: little can be learnt of it"
    if max(counts.values()) > _MOSTLY * sample.n:
        yield f"over {100 * _MOSTLY:g} % of the cases taken are of one class: compare with always naming it"


def _of_attributes(whole: Sample, sample: Sample, attributes: pd.DataFrame) -> Iterator[str]:
    """Warn of attributes that tell nothing, name the case, or give the class away."""
    names, distinct = attributes["attribute"], attributes["distinct values"]
    numbered = names[(attributes["kind"] != "continuous") & (distinct == whole.n)].tolist()
    telling = [a.name for j, a in enumerate(whole.attributes) if a.name not in numbered and _tells(whole, j)]
    results = {
        "the same value in every case, so that nothing can be learnt from it": names[distinct <= 1].tolist(),
        "a different value for each case; if these are names or numbers, leave them out": numbered,
        "one value alone tells the class in every case; make sure that it is known before the class is": telling,
        "missing in more than half of the cases": names[2 * attributes["missing"] > whole.n].tolist(),
    }
    for text, own in results.items():
        if own:
            yield f"{listed(own)}: {text}"
    if whole.d >= sample.n:
        yield f"there are {whole.d:,} attributes and {sample.n:,} cases: many rules fit such data by chance"


def _tells(whole: Sample, j: int) -> bool:
    """Whether an attribute of few values fixes the class."""
    values = whole.X[:, j]
    if np.isnan(values).any() or whole.attributes[j].kind == "continuous":
        return False
    pairs = np.unique(np.column_stack([values, whole.y]), axis=0).shape[0]
    return pairs == np.unique(values).size <= whole.n // 4
