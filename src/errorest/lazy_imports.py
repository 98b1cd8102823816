"""Names that a package imports at first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make a package's ``__getattr__`` and ``__dir__``, so that importing the package alone stays fast."""
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names}
    own = vars(sys.modules[package])

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        own[name] = value = getattr(import_module(homes[name]), name)
        return value

    return get, lambda: sorted({*own, *homes})
