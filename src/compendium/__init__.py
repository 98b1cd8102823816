"""The compendium: the papers' experiments, notebooks, verdicts, and the book built from them.

A notebook imports :func:`open_notebook` and nothing else; :func:`regenerate` is a
notebook's artifact as a table, from Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compendium.book.regenerate import regenerate
    from compendium.book.session import open_notebook

__all__ = ["open_notebook", "regenerate"]


def __getattr__(name: str) -> Any:
    # the command and the Sphinx extension have no use for the engine
    if name == "open_notebook":
        from compendium.book.session import open_notebook

        return open_notebook
    if name == "regenerate":
        from compendium.book.regenerate import regenerate

        return regenerate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
