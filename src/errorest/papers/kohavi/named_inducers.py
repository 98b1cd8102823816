"""Inducers by name, as the notebooks' parameters give them: the paper's two, its readings, a reader's own.

A reader's own is the import path of a scikit-learn classifier, perhaps with settings.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from typing import Any

from errorest.errors import UsageError, nearest
from errorest.inducers.base import Inducer
from errorest.inducers.c45 import C45
from errorest.inducers.id3 import ID3
from errorest.inducers.majority import Majority
from errorest.inducers.naive_bayes import NaiveBayes
from errorest.inducers.neighbors import KNN
from errorest.inducers.sklearn_adapter import SklearnInducer

__all__ = ["INDUCERS", "inducer_named"]

INDUCERS: dict[str, Callable[[], Inducer]] = {
    "c4.5": lambda: C45(release=7),
    "c4.5-release-8": lambda: C45(release=8),
    "naive-bayes": NaiveBayes,
    "naive-bayes-observed-ratios": lambda: NaiveBayes(zero_counts="zero"),
    "naive-bayes-laplace": lambda: NaiveBayes(zero_counts="laplace", denominator="known"),
    "majority": Majority,
    "1-nn": lambda: KNN(1),
    "3-nn": lambda: KNN(3),
    "id3": ID3,
}
"""Names that a parameter may give."""


def inducer_named(text: str) -> Inducer:
    """Make the inducer that a name or an import path stands for.

    Parameters
    ----------
    text : str
        A name of :data:`INDUCERS`, or ``package.module.Class``, perhaps with settings in
        brackets: ``sklearn.neighbors.KNeighborsClassifier(n_neighbors=3)``.

    Returns
    -------
    Inducer

    Raises
    ------
    UsageError
        If the name is unknown, nothing is found at the path, the settings do not fit, or it
        is no scikit-learn classifier.

    Examples
    --------
    >>> inducer_named("naive-bayes").id
    'naive-bayes'
    """
    if text in INDUCERS:
        return INDUCERS[text]()
    if "." not in text.partition("(")[0] or text.startswith("c4."):
        raise UsageError(
            f"unknown inducer '{text}'; expected a name or the import path of a scikit-learn classifier, such as "
            f"sklearn.neighbors.KNeighborsClassifier; {nearest(text, INDUCERS)}"
        )
    path, settings = _parts(text)
    module, _, name = path.rpartition(".")
    try:
        made = getattr(importlib.import_module(module), name)
    except ImportError as exc:
        raise UsageError(
            f"inducer '{text}': {exc}; expected the import path of a scikit-learn classifier; mend the path or install "
            "the package"
        ) from None
    except AttributeError:
        known = [n for n in dir(importlib.import_module(module)) if not n.startswith("_")]
        close = nearest(name, known)
        hint = close if close.startswith("did") else "mend the name"
        raise UsageError(f"inducer '{text}': {module} has no {name}; expected a class in it; {hint}") from None
    if not isinstance(made, type):
        raise UsageError(f"inducer '{text}' is no class; expected a scikit-learn classifier's class; mend the path")
    try:
        estimator = made(**settings)
    except TypeError as exc:
        raise UsageError(
            f"inducer '{text}' cannot be made ({exc}); expected settings that the class takes; mend the settings"
        ) from None
    return SklearnInducer(estimator, name=text)


def _parts(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``a.b.C(x=1)`` into the path and the settings, which are literals."""
    try:
        node = ast.parse(text, mode="eval").body
        settings = {}
        if isinstance(node, ast.Call):
            if node.args or any(k.arg is None for k in node.keywords):
                raise ValueError("settings without names")
            settings = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
            node = node.func
        if not isinstance(node, ast.Attribute):
            raise ValueError("no path")
        return ast.unparse(node), settings
    except (SyntaxError, ValueError):
        raise UsageError(
            f"inducer '{text}' cannot be read; expected package.module.Class or package.module.Class(name=value); "
            "write settings with their names and plain values"
        ) from None
