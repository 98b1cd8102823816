"""Which notebook a person means."""

from __future__ import annotations

from collections.abc import Iterable

from errorest.errors import UsageError, nearest

__all__ = ["is_called", "one_of"]


def is_called(notebook_id: str, text: str) -> bool:
    """Whether a person may mean a notebook: by its id, its name, its path, or its id up to the number."""
    paper, _, name = notebook_id.rpartition("/")
    meant = text.removeprefix("notebooks/").removesuffix(".ipynb")
    return meant in (notebook_id, name, f"{paper}/{name.partition('-')[0]}")


def one_of(notebook_ids: Iterable[str], text: str) -> str:
    """Return the id of the notebook that a person means."""
    known = list(notebook_ids)
    found = [notebook_id for notebook_id in known if is_called(notebook_id, text)]
    if len(found) != 1:
        raise UsageError(
            f"unknown notebook '{text}'; expected one that 'compendium list' names; " + nearest(text, known)
        )
    return found[0]
