"""The reference: which module's public names stand on which page, and their directives.

A page of ``book/reference/`` names its modules; what they export is written out
from ``__all__``, so that a public name can be missing from the book only if its
module is, which a test forbids.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

from sphinx.pycode import ModuleAnalyzer

from errorest.errors import UsageError

__all__ = ["directives", "public_names"]


def public_names(module: str) -> list[str]:
    """Return what a module exports and defines itself, in order of the alphabet."""
    loaded = importlib.import_module(module)
    return sorted((n for n in loaded.__all__ if _own(loaded, getattr(loaded, n))), key=str.lower)


def _own(module: ModuleType, value: Any) -> bool:
    if isinstance(value, ModuleType):
        return False
    home = getattr(value, "__module__", None)
    if not (inspect.isclass(value) or callable(value)) or not isinstance(home, str):
        return True
    return home == module.__name__ or (hasattr(module, "__path__") and home.startswith(f"{module.__name__}."))


def _home_of_constant(module: str, name: str) -> str:
    """Return the module in which a constant is explained: it may be handed on from a part or a neighbour."""
    loaded = importlib.import_module(module)
    package = loaded if hasattr(loaded, "__path__") else importlib.import_module(module.rpartition(".")[0])
    parts = [m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}.") if not m.ispkg]
    for one in (module, *parts):
        analyzer = ModuleAnalyzer.for_module(one)
        if ("", name) in analyzer.find_attr_docs():
            return one
    raise UsageError(f"the public constant {module}.{name} is not explained; expected a docstring below it; write one")


def directives(module: str) -> str:
    """Write the directives for a module: its own words, then each public name."""
    parts = [f".. automodule:: {module}\n   :no-members:"]
    loaded = importlib.import_module(module)
    for name in public_names(module):
        value = getattr(loaded, name)
        if inspect.isclass(value):
            parts.append(f".. autoclass:: {module}.{name}\n   :members:\n   :show-inheritance:")
        elif inspect.isroutine(value) or hasattr(value, "py_func") or hasattr(value, "cache_info"):
            parts.append(f".. autofunction:: {module}.{name}")
        else:
            parts.append(f".. autodata:: {_home_of_constant(module, name)}.{name}\n   :no-value:")
    return "```{eval-rst}\n" + "\n\n".join(parts) + "\n```"
