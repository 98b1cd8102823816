"""The papers of the book: every folder of the compendium with a ``paper.yaml``, and what stands in it.

``paper.yaml`` has the paper's ``name`` with its year, a ``short`` name, its ``order`` in the book, and ``sections``: by
notebook the model of its parameters, ``module:Class`` from the folder.  Further ``pages`` come behind its notebooks.
``blocks`` are directives of pages: by name the function, ``module:function``, that gives the values for the template of
that name in the folder; one with the id of an artifact stands below it on the page of its notebook.  ``shipped`` are
artifacts whose data ``table`` the library ships, by the path below ``src``.
What ``artifacts.yaml`` and its like have may stand there too, as ``artifacts:``.

Pages of the book that compute have no reader of YAML: there each text is JSON, ``paper.json`` for ``paper.yaml``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from errorest.errors import UsageError

_PACKAGE = Path(__file__).parents[1]


class Paper(NamedTuple):
    """A paper, or what the project measures of its own accord: that prints nothing to compare with."""

    id: str
    folder: Path
    name: str
    short: str
    order: float
    sections: Mapping[str, str]
    pages: tuple[str, ...]
    blocks: Mapping[str, str]
    shipped: Mapping[str, Path]

    @property
    def printed(self) -> bool:
        """Whether there is a print: the folder lies in ``papers/``."""
        return self.folder.parent.name == "papers"

    @property
    def package(self) -> str:
        return _module_name(self.folder)

    @property
    def modules(self) -> list[str]:
        """The names of the modules in its folder."""
        return [_module_name(file) for file in sorted(self.folder.rglob("*.py")) if file.name != "__init__.py"]

    def read(self, name: str) -> dict[str, Any]:
        """Read a file of the folder, ``names`` for ``names.yaml``, with what ``paper.yaml`` has by that name."""
        return {**read_yaml(self.folder / "paper.yaml").get(name, {}), **read_yaml(self.folder / f"{name}.yaml")}


def _module_name(path: Path) -> str:
    return ".".join([_PACKAGE.name, *path.relative_to(_PACKAGE).with_suffix("").parts])


@cache
def read_yaml(file: Path) -> dict[str, Any]:
    """Read a mapping, of the JSON file of that name where there is one; nothing where there is neither file."""
    written = file.with_suffix(".json")
    if written.is_file():
        return dict(json.loads(written.read_text(encoding="utf-8")))
    if not file.is_file():
        return {}
    import yaml

    try:
        # libyaml's, where it is there, is ten times as fast
        result = yaml.load(file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, yaml.YAMLError) as exc:
        raise UsageError(f"{file} cannot be read: {' '.join(str(exc).split())}") from None
    return dict(result)


def read_shared(name: str) -> dict[str, Any]:
    """Read a file that the papers share, ``common`` for ``papers/common.yaml``."""
    return read_yaml(_PACKAGE / "papers" / f"{name}.yaml")


def _read_paper(file: Path) -> Paper:
    folder = file.parent
    try:
        described = read_yaml(file)
        sections = {str(notebook): str(model) for notebook, model in described["sections"].items()}
        name, short, order = str(described["name"]), str(described["short"]), float(described["order"])
    except (LookupError, TypeError, ValueError, AttributeError) as exc:
        raise UsageError(f"{file} is incomplete ({exc!r})", "write name, short, order and sections") from None
    pages = tuple(described.get("pages", ()))
    blocks = dict(described.get("blocks", {}))
    shipped = {one: _PACKAGE.parent / path for one, path in described.get("shipped", {}).items()}
    return Paper(folder.name.replace("_", "-"), folder, name, short, order, sections, pages, blocks, shipped)


_FILES = {
    file.with_suffix(".yaml")
    for file in (*_PACKAGE.glob("papers/*/paper.*"), *_PACKAGE.glob("*/paper.*"))
    if file.suffix in (".yaml", ".json")
}

PAPERS: Mapping[str, Paper] = {
    paper.id: paper for paper in sorted(map(_read_paper, _FILES), key=lambda paper: (paper.order, paper.id))
}
"""The papers by id, in the book's order."""
