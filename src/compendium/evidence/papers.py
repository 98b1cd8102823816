"""The papers of the book: every folder of the compendium with a ``paper.yaml``, and what it holds in YAML.

``paper.yaml`` has the paper's ``name`` with its year, a ``short`` name, its ``order`` in the book, and ``sections``: by
notebook the model of its parameters and the modules that declare its artifacts, named from the folder.  Further
``pages`` come behind its notebooks.  What ``artifacts.yaml`` and its like have may stand there too, as ``artifacts:``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from errorest.errors import UsageError

_PACKAGE = Path(__file__).parents[1]


class Section(NamedTuple):
    """A notebook's model of parameters, ``module:Class``, and the modules that declare its artifacts."""

    parameters: str
    modules: tuple[str, ...]


class Paper(NamedTuple):
    """A paper, or what the project measures of its own accord: that prints nothing to compare with."""

    id: str
    folder: Path
    name: str
    short: str
    order: float
    sections: Mapping[str, Section]
    pages: tuple[str, ...]

    @property
    def printed(self) -> bool:
        """Whether there is a print: the folder lies in ``papers/``."""
        return self.folder.parent.name == "papers"

    @property
    def package(self) -> str:
        return ".".join([_PACKAGE.name, *self.folder.relative_to(_PACKAGE).parts])

    def read(self, name: str) -> dict[str, Any]:
        """Read a file of the folder, ``names`` for ``names.yaml``, with what ``paper.yaml`` has by that name."""
        return {**read_yaml(self.folder / "paper.yaml").get(name, {}), **read_yaml(self.folder / f"{name}.yaml")}


@cache
def read_yaml(file: Path) -> dict[str, Any]:
    """Read a mapping; nothing where there is no such file."""
    if not file.is_file():
        return {}
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
        sections = {
            notebook: Section(f"{own['parameters']}", tuple(own["modules"]))
            for notebook, own in described["sections"].items()
        }
        name, short, order = str(described["name"]), str(described["short"]), float(described["order"])
    except (LookupError, TypeError, ValueError, AttributeError) as exc:
        raise UsageError(f"{file} is incomplete ({exc!r})", "write name, short, order and sections") from None
    pages = tuple(described.get("pages", ()))
    return Paper(folder.name.replace("_", "-"), folder, name, short, order, sections, pages)


def _find_papers() -> dict[str, Paper]:
    files = [*_PACKAGE.glob("papers/*/paper.yaml"), *_PACKAGE.glob("*/paper.yaml")]
    return {paper.id: paper for paper in sorted(map(_read_paper, files), key=lambda paper: (paper.order, paper.id))}


PAPERS: Mapping[str, Paper] = _find_papers()
"""The papers by id, in the book's order."""
