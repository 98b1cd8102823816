"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate on small samples, exact and fast, and
the compendium that measures how good they are.
"""

from __future__ import annotations

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errorest.assessment import compare_errors, estimate_cost, estimate_error

__version__ = metadata.version("errorest")
__all__ = ["__version__", "compare_errors", "estimate_cost", "estimate_error"]


def __getattr__(name: str) -> Any:
    """Import a name of the public face when it is first asked for, so that ``import errorest`` stays fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("errorest.assessment"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
