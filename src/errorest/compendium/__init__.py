"""The compendium: notebooks, their execution, the verdict pages and the book.

A notebook imports :func:`open_notebook` and nothing else.
"""

from __future__ import annotations

from typing import Any

from errorest import extras

__all__ = ["open_notebook"]

extras.require("book", "the compendium of notebooks")


def __getattr__(name: str) -> Any:
    # the book's Sphinx extension lives here too and has no use for the engine
    if name == "open_notebook":
        from errorest.compendium.session import open_notebook

        return open_notebook
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
