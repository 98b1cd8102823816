"""Estimators of a reader's own beside those of Table 4: ids of the library, or import paths."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS
from compendium.papers.parameters import find_in_working_folder
from compendium.studies.digests import code_digest
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import ESTIMATORS, Estimator, parse_estimator
from errorest.spec import Family, name_and_settings


def own_estimator(text: str) -> Estimator:
    """Make an estimator that is not among those of Table 4."""
    if _is_path(text):
        made = _class_at(text)
        return Family("estimator", {made.name: made}, made.name).parse(
            made.name + text.strip().removeprefix(_path(text))
        )
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
