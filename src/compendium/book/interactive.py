"""A notebook run without the command: by papermill, JupyterLab or ``nbconvert --execute``.

Its pictures and tables are embedded in the output, and its parameters are checked when it opens its session.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Mapping
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
    """Return the parameters in a notebook's ``globals()``, with names that seem misspelt, to be refused."""
    known = spec.parameters.model_fields
    cells = [ast.parse(source).body for source in cell.get("In", ()) if source.startswith(_INJECTED)]
    targets = [target for body in cells for node in body if isinstance(node, ast.Assign) for target in node.targets]
    injected = [target.id for target in targets if isinstance(target, ast.Name)]
    sure = [*known, *cell.get("__annotations__", {}), *injected]
    nearly = [
        name
        for name, value in cell.items()
        if isinstance(value, bool | int | float | str | list)
        and not name.startswith("_")
        and name.islower()
        and get_close_matches(name, known, 1, _ALIKE)
    ]
    return {name: cell[name] for name in dict.fromkeys([*sure, *nearly]) if name in cell}


def folder_of(spec: Notebook, parameters: Parameters) -> Path:
    """Return the folder for the files of a notebook with these parameters, data and code."""
    text = json.dumps(
        [parameters.model_dump(mode="json"), parameters.inputs(), digests.source_digest()], sort_keys=True
    )
    return build_folder() / "interactive" / spec.folder / hashlib.sha256(text.encode()).hexdigest()[:12]


def embedded(html: str, folder: Path) -> str:
    """Embed the files that an artifact's HTML links to."""

    def link(found: re.Match[str]) -> str:
        name = found["name"]
        content = b64encode((folder / name).read_bytes()).decode()
        download = f' download="{name}"' if found["download"] else ""
        return f'{found["before"]}="data:{_KINDS[Path(name).suffix[1:]]};base64,{content}"{download}'

    # without the pictures for dark pages: a notebook is light
    return _LINK.sub(link, _DARK.sub("", html))
