"""Optional dependencies, and the one-line error where one is missing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType

from errorest.errors import UsageError

# Extras and the modules that they install
EXTRAS: Mapping[str, tuple[str, ...]] = MappingProxyType({"plot": ("matplotlib",)})


class MissingExtra(UsageError, ImportError):
    """An extra that is not installed, with the command that installs it."""


def require(extra: str, purpose: str) -> None:
    """Refuse, in one line, what an extra is needed for and not installed."""
    if any(find_spec(name) is None for name in EXTRAS[extra]):
        raise missing(extra, purpose)


def missing(extra: str, purpose: str) -> MissingExtra:
    """Make the error that :func:`require` raises."""
    return MissingExtra(
        f"{purpose} needs {', '.join(EXTRAS[extra])}, not all of which is installed; expected errorest with its "
        f"extra '{extra}'; run: pip install 'errorest[{extra}]'"
    )
