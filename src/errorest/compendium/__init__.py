"""The compendium: notebooks, their execution, the verdict pages and the book.

A notebook imports :func:`open_notebook` and nothing else.
"""

from errorest.compendium.session import open_notebook

__all__ = ["open_notebook"]
