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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import yaml
from markupsafe import Markup
from nbformat.v4 import new_markdown_cell
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from compendium.book import catalogue
from compendium.book.advice_table import MAP, advice_html
from compendium.book.citation import part_of, read_work
from compendium.book.landing_page import command_output
from compendium.book.notebook import called_with
from compendium.book.pages import Pages
from compendium.book.parameters import scale_of
from compendium.book.places import build_folder, refuse_foreign, root, write_whole
from compendium.book.prose_numbers import without_names
from compendium.book.render import Placed, artifact_html, story_html
from compendium.book.results import Results, anchor
from compendium.book.runs import Run, environment
from compendium.book.source_state import commit_of, short, tree_id
from compendium.book.tuning_chart import write_chart
from compendium.evidence.artifact import Artifact
from compendium.folders import working_folder
from errorest.errors import UsageError, lacking_in

_PARAMETER_CELLS = {"parameters", "injected-parameters"}
# Pages to which the text of every notebook leads
_COMPANIONS = ("glossary", "bibliography")
# The notebook whose page has the table of advice on top, as the landing page has
_ADVICE = "guide/04-which-estimator"


class Stage:
    """The folder from which Sphinx builds a book, of this state of the project."""

    def __init__(self, folder: Path, scale: str) -> None:
        self.folder = folder
        self.work, self.commit = read_work(root(), tree_id(root())), commit_of(root())
        shutil.rmtree(folder, ignore_errors=True)
        kind, state = short(self.commit)
        fields = {k: v for k, v in self.work.fields.items() if k != "references"}
        edition: dict[str, Any] = {"scale": scale, "version": self.work.version, "kind": kind, "state": state}
        edition |= {"tree": self.work.tree, "work": fields}
        # for the templates, and among the pages for what packs them
        for place in (folder, folder / "extra"):
            write_whole(place / "edition.json", json.dumps(edition))
        shutil.copyfile(root() / "_config.yml", folder / "_config.yml")

    def add_run(self, run: Run, counts: Callable[[str], str], above: str = "") -> None:
        """Add an executed notebook, the pages of its artifacts and their files, with text below the title."""
        manifests = {m["id"]: m for m in run.manifests()}
        notebook = nbformat.reads(run.read("notebook.ipynb").decode(), as_version=4)
        # a run with other parameters shows a table of them in place of the notebook's cell
        published = scale_of(run.spec, run.parameters) == "published"
        cells: list[Any] = []
        parameters: list[Any] = []
        for cell in _boxed(notebook.cells, above):
            if cell.cell_type == "markdown":
                cell.source = without_names(cell.source)
                cells.append(cell)
                continue
            tags = cell.metadata.setdefault("tags", [])
            if _PARAMETER_CELLS.intersection(tags):
                parameters += [cell] if published and "parameters" in tags else []
                continue
            tags.append("remove-input")
            called = called_with(ast.parse(cell.source), "show")
            if shown := next((manifests[one] for one in called if one in manifests), None):
                _insert_heading(cells, shown)
                placed = self._placed(shown["id"])
                counted = counts(shown["id"]) if shown["scale"] == "published" else ""
                html = story_html(shown, "../../artifacts/", placed, counted)
                cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": html})]
            cells.append(cell)
        notebook.cells = [*cells, *_folded(parameters)]
        target, folder = self.folder / run.spec.path, self.folder / "extra" / "artifacts"
        for place in (target.parent, folder):
            place.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
        for name in (name for manifest in manifests.values() for name in manifest["files"]):
            (folder / name).write_bytes(run.read(f"artifacts/{name}"))
        for manifest in manifests.values():
            html = artifact_html(manifest, "", self._placed(manifest["id"]))
            story = f"{{doc}}`{run.spec.title} </notebooks/{run.spec.id}>`"
            text = (
                f"---\norphan: true\n---\n\n# {manifest['number']}: {manifest['title']}\n\n"
                f"All numbers, readings, claims and files. Question, findings and code: {story}."
                f"\n\n``````{{raw}} html\n{html}\n``````\n"
            )
            write_whole(self.folder / "artifacts" / f"{manifest['id']}.md", text)

    def _placed(self, artifact_id: str) -> Placed:
        """Return where an artifact's source stands, its code, and how it is cited."""
        spec, one = catalogue.artifact(artifact_id)
        source, code = code_of(one)
        return Placed(self.commit, source, self.work, part_of(spec, one), code)


def stage_book(runs: Sequence[Run], manifests: Sequence[dict[str, Any]], scale: str, folder: Path) -> None:
    stage = Stage(folder, scale)
    results = Results(manifests, scale)
    advice = advice_html(results.manifests, _coverage_cells(runs))
    for run in runs:
        above = results.box(run.spec.id) + (f"\n{advice}\n" if run.spec.id == _ADVICE else "")
        stage.add_run(run, results.counts, above)
    chart, command = write_chart(folder), command_output()
    pages = Pages(results, stage.work, stage.commit, advice=advice, chart=chart, command=command)
    shutil.copytree(root() / "book", folder / "book", copy_function=shutil.copyfile)
    below = {f"notebooks/{run.spec.id}": [f"artifacts/{one.id}" for one in run.spec.artifacts] for run in runs}
    for page in sorted((folder / "book").rglob("*.md")):
        write_whole(page, pages.render(without_names(page.read_text(encoding="utf-8"))))
        functions = {f"book/reference/api/{name}": text for name, text in pages.take_api_pages().items()}
        below[page.relative_to(folder).with_suffix("").as_posix()] = list(functions)
        for name, text in functions.items():
            write_whole(folder / f"{name}.md", text)
    contents = folder / "book" / "_toc.yml"
    toc = yaml.safe_load(contents.read_text(encoding="utf-8"))
    for part in toc["parts"]:
        _add_below(part["chapters"], below)
    write_whole(contents, yaml.safe_dump(toc, sort_keys=False))


def _coverage_cells(runs: Sequence[Run]) -> pd.DataFrame | None:
    """Read what the coverage study counted, where it was run."""
    files = (run.read(f"artifacts/{MAP}-cells.csv") for run in runs if MAP in {one.id for one in run.spec.artifacts})
    return next((pd.read_csv(BytesIO(file)) for file in files), None)


def _add_below(entries: Sequence[dict[str, Any]], below: Mapping[str, Sequence[str]]) -> None:
    """Put pages of artifacts and functions below the pages that lead to them, for the sidebar."""
    for entry in entries:
        _add_below(entry.get("sections", []), below)
        if pages := below.get(entry["file"]):
            entry["sections"] = [*entry.get("sections", []), *({"file": page} for page in pages)]


def stage_single(run: Run, scale: str, folder: Path) -> None:
    """Lay out one notebook as a book of one page."""
    stage = Stage(folder, scale)
    stage.add_run(run, Results(run.manifests(), scale).counts)
    path = folder / run.spec.path
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = without_other_pages(cell.source)
    nbformat.write(notebook, path)
    for name in ("_static", "_templates"):
        shutil.copytree(root() / "book" / name, folder / "book" / name)
    for name in ("references.bib", *(f"{page}.md" for page in _COMPANIONS)):
        shutil.copyfile(root() / "book" / name, folder / "book" / name)
    pages = [*(f"artifacts/{one.id}" for one in run.spec.artifacts), *(f"book/{page}" for page in _COMPANIONS)]
    chapters = [{"file": page} for page in pages]
    toc = {"format": "jb-book", "root": f"notebooks/{run.spec.id}", "chapters": chapters}
    write_whole(folder / "book" / "_toc.yml", yaml.safe_dump(toc))


def without_other_pages(text: str) -> str:
    """Turn links to other pages of the book into plain words, for a page that stands alone."""
    text = re.sub(r"\{doc\}`([^`<]+?)\s*<[^`>]+>`", r"\1", text)
    return re.sub(r"\{doc\}`([^`]+)`", lambda m: f'"{m[1].rpartition("/")[2].replace("-", " ")}" in the book', text)


def code_of(artifact: Artifact) -> tuple[str, Markup]:
    """Return where the function that computes an artifact stands, and its highlighted code with its decorators."""
    function: Any = artifact.compute
    while isinstance(function, partial):
        function = function.func
    function = inspect.unwrap(function)
    code = highlight(inspect.getsource(function), PythonLexer(), HtmlFormatter(cssclass="highlight"))
    return f"{function.__module__}, line {function.__code__.co_firstlineno}", Markup(code)


def _insert_heading(cells: list[Any], manifest: Mapping[str, Any]) -> None:
    """Put an artifact's heading above the Markdown cell that introduces it, in place of the cell's own heading.

    The cell directly before an artifact introduces it; what was found is a cell of its own directly after it.
    """
    number, title = manifest["number"], manifest["title"]
    text = f"({anchor(manifest['id'])})=\n## {number}: {title}"
    heading = new_markdown_cell(text, id=f"heading-{manifest['id']}")
    if len(cells) < 2 or cells[-1].cell_type != "markdown":
        cells.append(heading)
        return
    source = re.sub(r"\A## .*\n+", "", cells[-1].source)
    if begins := re.match(rf"\*\*{re.escape(number)}: ([^*]+)\*\*\s*", source):
        # bold words that begin as the heading does
        bold, source = begins[1].strip(), source[begins.end() :]
        if bold.rstrip(".?").lower() != title.rstrip(".?").lower():
            source = f"**{bold[0].upper()}{bold[1:]}** {source}"
    cells[-1].source = source
    cells.insert(-1, heading)


def _boxed(cells: Sequence[Any], box: str) -> Iterator[Any]:
    """Yield a notebook's cells, with the box between the title and what follows it."""
    title, _, text = cells[0].source.partition("\n")
    if box and cells[0].cell_type == "markdown" and title.startswith("# "):
        for part, source in (("title", title), ("summary-box", box), ("text", text.strip())):
            yield new_markdown_cell(source, id=f"{cells[0]['id']}-{part}")
        cells = cells[1:]
    yield from cells


def _folded(parameters: Sequence[Any]) -> Iterator[Any]:
    """Yield the parameters' cells folded under a heading of their own, to stand below the results."""
    if parameters:
        yield new_markdown_cell("## Parameters", id="heading-parameters")
    for cell in parameters:
        cell.metadata["tags"].append("hide-input")
        prompts = ("Show the parameters of this page", "Hide the parameters")
        cell.metadata["mystnb"] = dict(zip(("code_prompt_show", "code_prompt_hide"), prompts, strict=True))
        yield cell


def build_pages(stage: Path, out: Path, jobs: int = 1) -> None:
    """Build static pages from a stage with Sphinx, and put them in the place of earlier ones."""
    work = stage.with_name(f"{stage.name}-work")
    variables = environment() | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
    html = work / "html"
    command = [sys.executable, "-m", "compendium.book.sphinx_ext", str(stage), str(html), str(jobs)]
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, cwd=stage, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode or not (html / "index.html").is_file():
        messages = done.stderr + done.stdout
        why = f"messages of Sphinx, which gives no warning otherwise:\n{messages[-4000:]}"
        if lacking := lacking_in(messages, str(stage.parent)):
            why = f"{lacking}, and run the same command again"
        elif done.returncode < 0:
            why = (
                f"Sphinx was ended by a signal ({-done.returncode}), perhaps for want of memory; end other programs; "
                "run the same command again"
            )
        raise UsageError(f"the pages could not be built: {why}")
    # templates of the theme, which are no pages
    for template in (html / "_static").glob("*.html"):
        template.unlink()
    (html / ".buildinfo").unlink(missing_ok=True)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        refuse_foreign(out)
        if os.path.lexists(out):
            # in one step: half a site would not be known as ours
            os.rename(out, work / "before")
        os.rename(html, out)
    except OSError as exc:
        raise UsageError(
            f"the pages could not be put into {out} ({exc.strerror})", "run the same command again"
        ) from None
    shutil.rmtree(work, ignore_errors=True)


@contextmanager
def private_stage() -> Iterator[Path]:
    """Give a folder of this process's own to lay out pages in, removed at the end."""
    place = build_folder() / "stage"
    try:
        with working_folder(place / "pages") as folder:
            yield folder / "stage"
    except OSError as exc:
        raise UsageError(
            f"the pages could not be laid out in {place} ({exc.strerror})", "set ERROREST_BUILD to another folder"
        ) from None
