"""Staging: pages and executed notebooks laid out for the book, and the build of the pages.

The stage mirrors the repository's paths.  An artifact's output is rendered from its manifest, so that the commit, the
place of its files and its code are those of the book.  The page of a single run is made in the same way.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import yaml
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from compendium.book import catalogue
from compendium.book.advice_table import advice_html
from compendium.book.citation import Part, Work, read_work
from compendium.book.landing_page import command_output
from compendium.book.notebook import called_with
from compendium.book.pages import Pages
from compendium.book.parameters import scale_of
from compendium.book.places import build_folder, root, write_whole
from compendium.book.prose_numbers import without_names
from compendium.book.render import Placed, artifact_html
from compendium.book.results import anchor
from compendium.book.runs import Run, environment
from compendium.book.source_state import commit_of, short, tree_id
from compendium.book.tuning_chart import write_chart
from compendium.evidence.artifact import Artifact
from errorest.errors import UsageError, lacking_in
from errorest.files import remove, working_folder

__all__ = ["build_pages", "private_stage", "stage_book", "stage_single"]


_PARAMETER_CELLS = {"parameters", "injected-parameters"}
_COMPANIONS = ("glossary", "bibliography")
"""Pages that a single notebook's text leans on."""

_ADVICE = "guide/04-which-estimator"
"""The notebook whose page has the panel on top, as the landing page has."""


def stage_book(runs: Sequence[Run], manifests: Sequence[dict[str, Any]], scale: str, stage: Path) -> None:
    """Lay out the whole book."""
    work, commit = read_work(root(), tree_id(root())), commit_of(root())
    shutil.rmtree(stage, ignore_errors=True)
    advice = advice_html({m["id"]: m for m in manifests})
    pages = Pages(manifests, scale, work, commit, advice)
    for run in runs:
        box = pages.summary_box(run.spec.id) + (f"\n{advice}\n" if run.spec.id == _ADVICE else "")
        _stage_run(run, stage, commit, work, box)
    pages.take(write_chart(stage), command_output())
    book = root() / "book"
    for source in sorted(book.rglob("*")):
        target = stage / "book" / source.relative_to(book)
        if source.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        elif source.suffix == ".md":
            write_whole(target, pages.render(without_names(source.read_text(encoding="utf-8"))))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    shutil.copyfile(root() / "_config.yml", stage / "_config.yml")
    _edition(stage, scale, work, commit)


def stage_single(run: Run, scale: str, stage: Path) -> None:
    """Lay out one notebook as a book of one page."""
    work, commit = read_work(root(), tree_id(root())), commit_of(root())
    shutil.rmtree(stage, ignore_errors=True)
    _stage_run(run, stage, commit, work)
    path = stage / run.spec.path
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = without_other_pages(cell.source)
    nbformat.write(notebook, path)
    for name in ("_static", "_templates"):
        if (root() / "book" / name).is_dir():
            shutil.copytree(root() / "book" / name, stage / "book" / name)
    for name in ("references.bib", *(f"{p}.md" for p in _COMPANIONS)):
        shutil.copyfile(root() / "book" / name, stage / "book" / name)
    chapters = [{"file": f"book/{p}"} for p in _COMPANIONS]
    toc = {"format": "jb-book", "root": f"notebooks/{run.spec.id}", "chapters": chapters}
    write_whole(stage / "book" / "_toc.yml", yaml.safe_dump(toc))
    shutil.copyfile(root() / "_config.yml", stage / "_config.yml")
    _edition(stage, scale, work, commit)


def without_other_pages(text: str) -> str:
    """Turn links to other pages of the book into plain words, for a page that stands alone."""
    text = re.sub(r"\{doc\}`([^`<]+?)\s*<[^`>]+>`", r"\1", text)
    return re.sub(r"\{doc\}`([^`]+)`", lambda m: f'"{m[1].rpartition("/")[2].replace("-", " ")}" in the book', text)


def _edition(stage: Path, scale: str, work: Work, commit: str) -> None:
    kind, state = short(commit)
    edition = {
        "scale": scale,
        "version": work.version,
        "kind": kind,
        "state": state,
        "tree": work.tree,
        "work": {k: v for k, v in work.fields.items() if k != "references"},
    }
    # for the pages, and among them for who ships them
    for folder in (stage, stage / "extra"):
        write_whole(folder / "edition.json", json.dumps(edition))


def _placed(artifact_id: str, commit: str, work: Work) -> Placed:
    """Return where an artifact's source stands, its code, and how it is cited."""
    spec, one = catalogue.artifact(artifact_id)
    part = Part(one.id, spec.paper, one.number, one.title)
    return Placed(commit, source_of(one), work, part, code_html(one))


def _function(artifact: Artifact) -> Any:
    """Return the function that computes an artifact, as it is written."""
    function: Any = artifact.compute
    while isinstance(function, partial):
        function = function.func
    return inspect.unwrap(function)


def source_of(artifact: Artifact) -> str:
    """Name the module that computes an artifact, and the line on which its function begins."""
    function = _function(artifact)
    return f"{function.__module__}, line {function.__code__.co_firstlineno}"


def code_html(artifact: Artifact) -> Markup:
    """Return the highlighted source of the function that computes an artifact, with its decorators."""
    code = highlight(inspect.getsource(_function(artifact)), PythonLexer(), HtmlFormatter(cssclass="highlight"))
    return Markup(code)


def _stage_run(run: Run, stage: Path, commit: str, work: Work, box: str = "") -> None:
    manifests = {m["id"]: m for m in run.manifests()}
    notebook = nbformat.reads(run.read("notebook.ipynb").decode(), as_version=4)
    cells: list[Any] = []
    parameters: list[Any] = []
    published = scale_of(run.spec, run.parameters) == "published"
    for cell in _boxed(notebook.cells, box):
        if cell.cell_type == "markdown":
            cell.source = without_names(cell.source)
        tags = set(cell.metadata.get("tags", []))
        if not published and tags & _PARAMETER_CELLS:
            # the notebook's published ones, and those of papermill: the run shows a table of what it used
            continue
        if cell.cell_type == "code" and "parameters" in tags:
            parameters.append(cell)
            continue
        if cell.cell_type == "code":
            # readers find the code in the notebook, which the page offers for download
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "remove-input"]
        shown = _shown_artifact(cell, manifests)
        if shown is not None:
            manifest = manifests[shown]
            text = f"({anchor(shown)})=\n## {manifest['number']}: {manifest['title']}"
            # the heading stands above the prose that leads to the artifact
            before = len(cells) - 1 if len(cells) > 1 and cells[-1].cell_type == "markdown" else len(cells)
            if before < len(cells):
                # and in place of the prose's own
                source = re.sub(r"\A## .*\n+", "", cells[before].source)
                cells[before].source = _unlike_heading(source, manifest["number"], manifest["title"])
            cells.insert(before, nbformat.v4.new_markdown_cell(text, id=f"heading-{shown}"))
            html = artifact_html(manifest, "../../artifacts/", _placed(shown, commit, work))
            cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": html})]
        cells.append(cell)
    notebook.cells = [*cells, *_folded(parameters)]
    target = stage / run.spec.path
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)
    folder = stage / "extra" / "artifacts"
    folder.mkdir(parents=True, exist_ok=True)
    for manifest in manifests.values():
        for name in manifest["files"]:
            (folder / name).write_bytes(run.read(f"artifacts/{name}"))


def _unlike_heading(text: str, number: str, title: str) -> str:
    """Leave out of the bold words that begin a text what the heading above them says already."""
    found = re.match(rf"\*\*{re.escape(number)}: ([^*]+)\*\*\s*", text)
    if found is None:
        return text
    said, rest = found[1].strip(), text[found.end() :]
    alike = said.rstrip(".?").lower() == title.rstrip(".?").lower()
    return rest if alike else f"**{said[0].upper()}{said[1:]}** {rest}"


def _boxed(cells: Sequence[Any], box: str) -> Iterator[Any]:
    """Yield a notebook's cells, with the box between the title and what follows it."""
    for position, cell in enumerate(cells):
        title, _, text = cell.source.partition("\n")
        if position or not box or cell.cell_type != "markdown" or not title.startswith("# "):
            yield cell
            continue
        for part, source in (("title", title), ("summary-box", box), ("text", text.strip())):
            yield nbformat.v4.new_markdown_cell(source, id=f"{cell['id']}-{part}")


def _folded(parameters: Sequence[Any]) -> Iterator[Any]:
    """Yield the parameters' cells folded under a heading of their own, to stand below the results."""
    if parameters:
        yield nbformat.v4.new_markdown_cell("## Parameters", id="heading-parameters")
    for cell in parameters:
        cell.metadata["tags"] = [*cell.metadata["tags"], "hide-input"]
        cell.metadata["mystnb"] = {
            "code_prompt_show": "Show the parameters of this page",
            "code_prompt_hide": "Hide the parameters",
        }
        yield cell


def _shown_artifact(cell: Mapping[str, Any], manifests: Mapping[str, Any]) -> str | None:
    if cell["cell_type"] != "code":
        return None
    return next((one for one in called_with(ast.parse("".join(cell["source"])), "show") if one in manifests), None)


def build_pages(stage: Path, out: Path, jobs: int = 1) -> None:
    """Build static pages from a stage with Sphinx."""
    work = stage.with_name(f"{stage.name}-work")
    variables = environment() | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
    html = work / "html"
    command = [sys.executable, "-m", "compendium.book.sphinx_run", str(stage), str(html), str(jobs)]
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, cwd=stage, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode or not (html / "index.html").is_file():
        raise UsageError(_why_not_built(done.returncode, done.stderr + done.stdout, stage.parent))
    # templates of the theme, which are no pages
    for template in (html / "_static").glob("*.html"):
        template.unlink()
    (html / ".buildinfo").unlink(missing_ok=True)
    _swap(html, out)
    shutil.rmtree(work, ignore_errors=True)


def _why_not_built(status: int, said: str, place: Path) -> str:
    """Say in one line why there are no pages: what the machine lacked, or what Sphinx found wrong."""
    if told := lacking_in(said, str(place)):
        return f"the pages could not be built: {told}, and run the same command again"
    if status < 0:
        return (
            f"the pages could not be built: Sphinx was ended by a signal ({-status}); expected memory for it; end "
            "other programs, and run the same command again"
        )
    return f"the pages could not be built; expected no warning from Sphinx; its messages:\n{said[-4000:]}"


def _swap(html: Path, out: Path) -> None:
    """Put new pages in the place of old ones, which stay until the new ones are whole."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        remove(out)
        os.rename(html, out)
    except OSError as exc:
        raise UsageError(
            f"the pages could not be put into {out} ({exc.strerror}); expected a writable folder with free space; "
            "mend that and run the same command again"
        ) from None


@contextmanager
def private_stage() -> Iterator[Path]:
    """Give a folder of this process's own to lay out pages in, removed at the end."""
    place = build_folder() / "stage"
    try:
        with working_folder(place / "pages") as folder:
            yield folder / "stage"
    except OSError as exc:
        raise UsageError(
            f"the pages could not be laid out in {place} ({exc.strerror}); expected a writable folder with free "
            "space; mend its permissions, or set ERROREST_BUILD to another folder"
        ) from None
