"""A study described in plain values, from which it can be made again."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

from compendium.studies.replicates import Each, each_replicate
from compendium.studies.study import Study
from errorest.errors import UsageError

__all__ = ["cell_text", "describe_study", "design_of", "study_of"]


def describe_study(study: Study) -> dict[str, Any]:
    """Describe a study such that :func:`study_of` can make it again."""
    each = isinstance(study.measure, Each)
    function: Any = study.measure.design if isinstance(study.measure, Each) else study.measure
    return {
        "id": study.id,
        "measure": f"{function.__module__}:{function.__qualname__}",
        "each": each,
        "seed": int(study.seed),
        "seed_keys": None if study.seed_keys is None else list(study.seed_keys),
        "data": dict(study.data),
        "chunk": study.chunk,
        "cells": [
            {"cell": dict(cell), "replicates": int(count), "cost": float(study.cost(cell)) if study.cost else 1.0}
            for cell, count in zip(study.cells, study.counts, strict=True)
        ],
    }


def design_of(study: Study) -> str:
    """Return a text equal for studies that differ in their numbers of replicates only."""
    description = describe_study(study)
    cells = [entry["cell"] for entry in description["cells"]]
    return json.dumps({**description, "cells": cells, "chunk": None}, sort_keys=True, default=str)


def study_of(description: Mapping[str, Any]) -> Study:
    """Make a study from its description."""
    module, _, name = description["measure"].partition(":")
    try:
        function: Any = reduce(getattr, name.split("."), importlib.import_module(module))
    except (ImportError, AttributeError):
        raise UsageError(
            f"study '{description['id']}' is measured by {description['measure']}, which does not exist; check out "
            "the recorded state, or record again with: compendium build --record"
        ) from None
    entries = description["cells"]
    costs = {cell_text(entry["cell"]): entry["cost"] for entry in entries}
    return Study(
        description["id"],
        [entry["cell"] for entry in entries],
        [entry["replicates"] for entry in entries],
        each_replicate(function) if description["each"] else function,
        seed=description["seed"],
        seed_keys=description["seed_keys"],
        data=description["data"],
        chunk=description["chunk"],
        cost=lambda cell: costs[cell_text(cell)],
    )


def cell_text(value: Any) -> str:
    """Write a cell as a text that is equal for equal cells."""
    return json.dumps(value, sort_keys=True)
