"""The panel "Change parameters" of a notebook's page: its form, its command, and what the artifacts in it need to run.

Artifacts whose entry in ``artifacts.yaml`` says ``in-page: true`` run in the page, by :mod:`compendium.page.panel`; a
mapping in place of ``true`` has values below the preview's.  Of the others the panel writes the command.  The page's
library gets the compendium without its commands, texts as JSON, the print and the record of these artifacts, and the
packages of templates, which are Python alone.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import compendium
from compendium.book import catalogue
from compendium.book.notebook import Notebook
from compendium.book.parameters import describe
from compendium.book.places import root
from compendium.book.templating import fill
from compendium.evidence.papers import PAPERS, read_yaml
from compendium.evidence.texts import declared_of

_PACKAGE = Path(compendium.__file__).parent
# What fills the templates of tables; of their files those that are Python, and the licences
_TEMPLATING = ("jinja2", "markupsafe", "markdown-it-py", "mdurl")
_LICENCES = ("LICENSE", "COPYING")


class Control(NamedTuple):
    """A parameter in the form: its texts at the published and at the reduced scale, what it may be, what it means."""

    name: str
    published: str
    reduced: str
    expected: str
    meaning: str
    choices: tuple[str, ...]


def runs_in_page(artifact_id: str) -> bool:
    return bool(declared_of(artifact_id).get("in-page"))


def panel_html(notebook_id: str, **parts: object) -> str:
    """Return the panel of a notebook; ``parts`` say how large what the page loads is, and where it comes from."""
    spec = catalogue.notebook(notebook_id)
    there = [(one.id, f"{one.number}: {spec.title_of(one)}") for one in spec.artifacts if runs_in_page(one.id)]
    return fill("panel.html", notebook=notebook_id, artifacts=there, controls=controls(spec), **parts)


def controls(spec: Notebook) -> list[Control]:
    """List the controls of a notebook's form, in the order of its parameters."""
    schemas = {name: one.schema() for name, one in spec.parameters.model_fields.items()}
    reduced = {d.name: d.preview for d in describe(spec.parameters)}
    for one in filter(runs_in_page, (one.id for one in spec.artifacts)):
        declared = declared_of(one)["in-page"]
        reduced |= declared if isinstance(declared, dict) else {}
    results = []
    for d in describe(spec.parameters):
        schema = schemas[d.name]
        choices = ("true", "false") if schema.get("type") == "boolean" else tuple(map(str, schema.get("enum", ())))
        results.append(Control(d.name, text_of(d.default), text_of(reduced[d.name]), d.expected, d.meaning, choices))
    return results


def text_of(value: object) -> str:
    """Write a value as a form and ``-p`` take it."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def panel_files() -> dict[str, bytes]:
    """Return what artifacts in a page need beyond the library, by path in the page's ``library.zip``."""
    panels = _panels()
    papers = sorted({panel["notebook"].partition("/")[0] for panel in panels.values()})
    files = dict(_compendium_files())
    files["compendium/page/panels.json"] = json.dumps(panels, indent=0).encode()
    # by which the folder of data is found
    files["pyproject.toml"] = b'[project]\nname = "errorest"\n'
    for paper in (paper for paper in papers if PAPERS[paper].printed):
        for folder in ("published", "regenerated"):
            table = root() / "data" / folder / f"{paper}.csv"
            if table.is_file():
                # its lines about these artifacts, as they stand
                with open(table, encoding="utf-8", newline="") as file:
                    heads, *lines = csv.reader(file)
                written, column = io.StringIO(), heads.index("artifact")
                selected = [line for line in lines if line[column] in panels]
                csv.writer(written, lineterminator="\n").writerows([heads, *selected])
                files[f"data/{folder}/{paper}.csv"] = written.getvalue().encode()
    # the project's files that the published parameters of these notebooks name
    models = [catalogue.parameters(panel["notebook"]) for panel in panels.values()]
    texts = [value for model in models for value in model.published().values() if isinstance(value, str)]
    for name in {text for text in texts if text and (root() / text).is_file()}:
        files[name] = (root() / name).read_bytes()
    for package in _TEMPLATING:
        for path in metadata.files(package) or ():
            licence = any(part.startswith(_LICENCES) for part in path.parts)
            if ".." not in path.parts and (path.suffix == ".py" or licence):
                files[path.as_posix()] = path.read_binary()
    return files


def _panels() -> dict[str, dict[str, str]]:
    """Return, by artifact that runs in its page, its notebook, the model of its parameters, and what declares it."""
    return {
        one.id: {
            "notebook": spec.id,
            "model": f"{spec.parameters.__module__}:{spec.parameters.__qualname__}",
            "module": one.module,
        }
        for notebook in catalogue.NOTEBOOKS
        if any(map(runs_in_page, catalogue.outline(notebook).shown))
        for spec in [catalogue.notebook(notebook)]
        for one in spec.artifacts
        if runs_in_page(one.id)
    }


def _compendium_files() -> Iterator[tuple[str, bytes]]:
    """Yield the modules and templates of the compendium without its commands, and its texts as JSON."""
    for path in sorted(_PACKAGE.rglob("*")):
        name = path.relative_to(_PACKAGE.parent).as_posix()
        if name.startswith("compendium/cli/") or "__pycache__" in path.parts:
            continue
        if path.suffix in (".py", ".html"):
            yield name, path.read_bytes()
        elif path.suffix == ".yaml":
            text = json.dumps(read_yaml(path), ensure_ascii=False, separators=(",", ":"))
            yield name.removesuffix("yaml") + "json", text.encode()
