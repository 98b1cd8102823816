"""The reference: which module's public names stand on which page, and their directives.

A page of ``book/reference/`` names its modules; what they export is listed from
``__all__``, and each function and class has a page, so that a public name can be
missing from the book only if its module is, which a test forbids.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from sphinx.pycode import ModuleAnalyzer

from compendium.studies.digests import PACKAGES
from errorest.errors import UsageError

# What most readers look for
_FIRST = ("estimate",)


def public_names(module: str) -> list[str]:
    """Return what a module exports and this project defines: what comes first, then in order of the alphabet."""
    loaded = importlib.import_module(module)
    names = (n for n in loaded.__all__ if n[0] != "_")
    results = sorted(
        (n for n in names if _own(value := getattr(loaded, n)) and not _listed_by_its_package(module, n, value)),
        key=str.lower,
    )
    return sorted(results, key=lambda name: name not in _FIRST)


def _own(value: Any) -> bool:
    """Whether a value is made here, perhaps in another module that hands it on; a test has each on one page."""
    if isinstance(value, ModuleType):
        return False
    home = getattr(value, "__module__", None)
    if not (inspect.isclass(value) or callable(value)) or not isinstance(home, str):
        return True
    return home.partition(".")[0] in PACKAGES


def _listed_by_its_package(module: str, name: str, value: Any) -> bool:
    """Whether a value is handed on from another package, on whose page it stands."""
    package = ".".join(str(getattr(value, "__module__", module)).split(".")[:2])
    return module == "errorest" and name in getattr(importlib.import_module(package), "__all__", ())


def _home_of_constant(module: str, name: str) -> str:
    """Return the module in which a constant is explained: it may be handed on from a part or a neighbour."""
    loaded = importlib.import_module(module)
    package = loaded if hasattr(loaded, "__path__") else importlib.import_module(module.rpartition(".")[0])
    parts = [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.") if not m.ispkg]
    for one in (module, *parts):
        analyzer = ModuleAnalyzer.for_module(one)
        if ("", name) in analyzer.find_attr_docs():
            return one
    raise UsageError(f"the public constant {module}.{name} is not explained", "write a docstring below it")


def directives(module: str) -> str:
    """Write a module's own words, a list of its functions and classes, each with a page, and its constants."""
    loaded = importlib.import_module(module)
    names = public_names(module)
    listed = []
    for name in (name for name in names if _directive(module, name)):
        first = (inspect.getdoc(getattr(loaded, name)) or "").partition("\n\n")[0].replace("\n", " ")
        listed.append(f"* :py:obj:`{name} <{module}.{name}>`: {first}")
    constants = [name for name in names if not _directive(module, name)]
    written = [f".. autodata:: {_home_of_constant(module, name)}.{name}\n   :no-value:" for name in constants]
    parts = [f".. automodule:: {module}\n   :no-members:", "\n".join(listed), *written]
    return "```{eval-rst}\n" + "\n\n".join(parts) + "\n```"


def pages(module: str) -> Iterator[tuple[str, str]]:
    """Yield the page of each function and class of a module, by its name without ending."""
    for name in public_names(module):
        if directive := _directive(module, name):
            # two modules may each have a name; the whole one tells their pages apart
            head = f"---\norphan: true\n---\n\n# {module}.{name}\n\n"
            yield f"{module}.{name}", f"{head}```{{eval-rst}}\n.. currentmodule:: {module}\n\n{directive}\n```\n"


def _directive(module: str, name: str) -> str:
    """Return the directive of a function or class; the empty text for a constant."""
    value = getattr(importlib.import_module(module), name)
    if inspect.isclass(value):
        return f".. autoclass:: {module}.{name}\n   :members:\n   :show-inheritance:"
    if inspect.isroutine(value) or hasattr(value, "py_func") or hasattr(value, "cache_info"):
        return f".. autofunction:: {module}.{name}"
    return ""
