"""The estimators of Table 4, by the paper's keys, and a reader's own: ids of the library, or import paths."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from pathlib import Path

from compendium.papers.parameters import find_in_working_folder
from compendium.studies.digests import code_digest
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import ESTIMATORS, Estimator, parse_estimator
from errorest.spec import Family, name_and_settings

ESTIMATOR_IDS = {
    "holdout-1/2": "holdout(test=1/2)",
    "holdout-1/3": "holdout(test=1/3)",
    "holdout-1/4": "holdout(test=1/4)",
    "resubstitution": "resubstitution",
    "cv-2": "cv(k=2)",
    "cv-5": "cv(k=5)",
    "cv-10": "cv(k=10)",
    "loo": "loo",
    "repeated-cv-2": "cv(k=2, repeats={cv})",
    "bootstrap-e0": "e0(replicates={boot})",
    "repeated-cv-5": "cv(k=5, repeats={cv})",
    "repeated-cv-10": "cv(k=10, repeats={cv})",
    "bootstrap-632": "632(replicates={boot})",
    "loo-star": "loo*(replicates={boot}, repeats={cv})",
}
"""The paper's estimators, in its order, and the library's ids for them."""


def library_id(name: str, cv_repeats: int, bootstrap_replicates: int) -> str:
    """Translate an id of Table 4 to the library's id, or raise with the nearest name."""
    if name not in ESTIMATOR_IDS:
        raise ValueError(f"unknown estimator '{name}'; expected ids of Table 4; {nearest(name, ESTIMATOR_IDS)}")
    return ESTIMATOR_IDS[name].format(cv=cv_repeats, boot=bootstrap_replicates)


def library_ids(names: Iterable[str], cv_repeats: int, bootstrap_replicates: int) -> dict[str, str]:
    """Translate several, by the paper's ids."""
    return {name: library_id(name, cv_repeats, bootstrap_replicates) for name in names}


def own_estimator(text: str) -> Estimator:
    """Make an estimator that is not among those of Table 4."""
    if _is_path(text):
        made = _class_at(text)
        settings = text.strip().removeprefix(_path(text))
        return Family("estimator", {made.name: made}, made.name).parse(made.name + settings)
    name = _path(text)
    if name not in ESTIMATORS:
        raise UsageError(
            f"unknown estimator '{text}'; expected ids of Table 4 or of the library, or an import path; "
            + nearest(text, [*ESTIMATOR_IDS, *ESTIMATORS])
        )
    return parse_estimator(text)


def digests_of(text: str) -> dict[str, str]:
    """Digest the code at an import path and what it imports from beside it: a changed estimator is measured anew."""
    if not _is_path(text):
        return {}
    made = _class_at(text)
    file = Path(inspect.getfile(made))
    folder = file.parents[made.__module__.count(".") + (file.name == "__init__.py")]
    return {text: code_digest([made.__module__], folder=folder)}


def _path(text: str) -> str:
    split = name_and_settings(text)
    return text if split is None else split[0]


def _is_path(text: str) -> bool:
    return "." in _path(text) or ":" in _path(text)


def _class_at(text: str) -> type[Estimator]:
    module, _, name = _path(text).replace(":", ".").rpartition(".")
    find_in_working_folder()
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as exc:
        raise UsageError(
            f"no estimator at '{text}' ({exc}); expected package.module.Class that can be imported here; mend the path"
        ) from None
    if not (inspect.isclass(found) and issubclass(found, Estimator)):
        raise UsageError(f"'{text}' is no estimator; expected a subclass of errorest.estimation.estimators.Estimator")
    return found
