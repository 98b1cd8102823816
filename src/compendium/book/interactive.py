"""A notebook that a person runs: papermill from any folder, JupyterLab, ``nbconvert --execute``.

Nobody copies its pictures and tables beside it, so they stand in the output itself; nobody checked its parameters
before it started, so a misspelt one is found here.  ``compendium run`` does both itself.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from compendium.book.notebook import Notebook
from compendium.book.places import build_folder
from compendium.papers.parameters import Parameters
from compendium.studies import digests

__all__ = ["embedded", "folder_of", "meant"]

_INJECTED = "# Parameters"
"""First line of the cell that papermill writes."""

_LINK = re.compile(r'(?P<before>src|href)="artifacts/(?P<name>[^"/]+)"(?P<download> download)?')
_DARK = re.compile(r'<img class="errorest-dark"[^>]*/>')
_ALIKE = 0.75
_KINDS = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv"}


def meant(spec: Notebook, cell: Mapping[str, Any]) -> dict[str, Any]:
    """Take from a notebook's ``globals()`` what is meant as a parameter, misspelt names among it."""
    known = spec.parameters.model_fields
    sure = [*known, *cell.get("__annotations__", {}), *_injected(cell.get("In", ()))]
    nearly = [
        name
        for name, value in cell.items()
        if isinstance(value, bool | int | float | str | list)
        and not name.startswith("_")
        and name.islower()
        and get_close_matches(name, known, 1, _ALIKE)
    ]
    return {name: cell[name] for name in dict.fromkeys([*sure, *nearly]) if name in cell}


def _injected(executed: Sequence[str]) -> Iterator[str]:
    """Yield the names that papermill gave: those assigned in its cell."""
    for source in executed:
        if source.startswith(_INJECTED):
            for node in ast.parse(source).body:
                if isinstance(node, ast.Assign):
                    yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def folder_of(spec: Notebook, parameters: Parameters) -> Path:
    """Name where a run by hand keeps its files: one folder a notebook and parameters, so that none loses another's."""
    text = json.dumps(
        [parameters.model_dump(mode="json"), parameters.inputs(), digests.source_digest()], sort_keys=True
    )
    return build_folder() / "interactive" / spec.folder / hashlib.sha256(text.encode()).hexdigest()[:12]


def embedded(html: str, folder: Path) -> str:
    """Put the files that an artifact's HTML names into it, so that it needs none beside it."""

    def link(found: re.Match[str]) -> str:
        name = found["name"]
        content = b64encode((folder / name).read_bytes()).decode()
        download = f' download="{name}"' if found["download"] else ""
        return f'{found["before"]}="data:{_KINDS[Path(name).suffix[1:]]};base64,{content}"{download}'

    # a notebook's own ground is light; a second copy of each picture would only make it heavier
    return _LINK.sub(link, _DARK.sub("", html))
