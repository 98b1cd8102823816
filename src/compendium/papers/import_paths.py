"""Classifiers and estimators at import paths: instances, checks, digests of their code, studies of their own."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from compendium.methods.learners.named import INDUCERS
from compendium.methods.learners.sklearn_adapter import SklearnInducer
from compendium.studies.digests import code_digest
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.learners import C45, Majority, NaiveBayes
from errorest.learners.base import Inducer
from errorest.learners.named import named
from errorest.spec import Family, name_and_settings


def inducer_at(text: str, name: str) -> Inducer:
    """Return the inducer of an id, or an adapter of the scikit-learn classifier at an import path."""
    split = name_and_settings(text)
    if split is not None and (split[0] in INDUCERS or not path_of(text)):
        return INDUCERS.parse(text)
    result = named(text)
    return result if isinstance(result, Inducer) else SklearnInducer(result, name=name)


def check_learnable(name: str, inducer: Inducer, sample: Sample, n: int) -> None:
    """Refuse an inducer that cannot learn from all cases of a data set, or from n of them."""
    # these take any attribute and missing values; the adapter encodes what scikit-learn does not take
    if isinstance(inducer, C45 | Majority | NaiveBayes | SklearnInducer):
        return
    try:
        for cases in (sample.n, n):
            inducer.fit(sample.take(np.arange(cases)), np.random.default_rng(0))
    except UsageError as refused:
        raise UsageError(f"{name} cannot learn from {sample.name}: {refused}") from None


def separate_studies(names: Sequence[str], is_custom: Callable[[str], object]) -> list[list[str]]:
    """Group names: those of the paper are one study, each other name is a study of its own.

    So the paper's finished studies stay valid; all studies draw the same samples, since no name enters a seed.
    """
    custom = [name for name in names if is_custom(name)]
    papers = [name for name in names if name not in custom]
    return [group for group in (papers, *([name] for name in custom)) if group]


def path_of(text: str) -> str:
    """Return an import path without its settings; empty for an id of the library."""
    split = name_and_settings(text)
    path = text if split is None else split[0]
    return path if "." in path or ":" in path else ""


def last_name(path: str) -> str:
    """Return an import path without its modules."""
    return re.sub(r"^(?:[A-Za-z_]\w*[.:])+(?=[A-Za-z_])", "", path.strip())


def files_of(texts: Iterable[str]) -> dict[str, str]:
    """Digest the modules that import paths lead to, so that an inducer whose file was changed is measured again."""
    results = {}
    for path in map(path_of, texts):
        if not path or path in INDUCERS or re.match(r"sklearn\b", path):
            continue
        file = getattr(importlib.import_module(path.replace(":", ".").rpartition(".")[0]), "__file__", None)
        if file is not None:
            results[path] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return results


def estimator_at(text: str) -> Estimator:
    """Return the estimator at an import path, with its settings."""
    cls = _estimator_class(text)
    return Family("estimator", [cls], cls.name).parse(cls.name + text.strip().removeprefix(path_of(text)))


def estimator_digests(text: str) -> dict[str, str]:
    """Digest the code at an import path and what it imports from its folder: a changed estimator is measured again."""
    if not path_of(text):
        return {}
    cls = _estimator_class(text)
    file = Path(inspect.getfile(cls))
    folder = file.parents[cls.__module__.count(".") + (file.name == "__init__.py")]
    return {text: code_digest([cls.__module__], folder=folder)}


def _estimator_class(text: str) -> type[Estimator]:
    module, _, name = path_of(text).replace(":", ".").rpartition(".")
    try:
        result = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as exc:
        raise UsageError(
            f"no estimator at '{text}' ({exc}); expected package.module.Class that can be imported here"
        ) from None
    if not (inspect.isclass(result) and issubclass(result, Estimator)):
        raise UsageError(f"'{text}' is no estimator; expected a subclass of errorest.estimation.estimators.Estimator")
    return result
