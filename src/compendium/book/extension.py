"""The book's Sphinx extension: a page asks for results by roles and directives, which are looked up as it is read.

A notebook is read as prose in which an artifact replaces each ``show``.  Nothing is executed: a page shows the
manifests of the last runs, or the record of the last complete build.  Where neither has what is asked for, there is a
dash, or the command that computes it.

The extension also serves MathJax from the book's folder to pages with formulas, describes each page by tags, gives
links to the glossary their definition, and makes a list of the bibliography.
"""

from __future__ import annotations

import ast
import hashlib
import html
import inspect
import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.index_entries import split_index_msg
from sphinx.util.inspect import stringify_signature

from compendium.book import catalogue, contents, in_page, look_ups, manifests, source_pages
from compendium.book.citation import Work, meta_tags
from compendium.book.look_ups import BLOCKS, ROLES, TEXTS, fields_of, pages_folder
from compendium.book.made_by import made_by
from compendium.book.notebook import called_with
from compendium.book.page_weight import lighten
from compendium.book.places import write_whole
from compendium.book.prose_numbers import with_headings, without_names
from compendium.book.results import MissingError, scale_note
from compendium.book.search import RANKING, BookSearch, apart
from compendium.book.source_state import short
from compendium.book.templating import TEMPLATES, fill
from compendium.evidence.records import Values
from errorest.errors import UsageError

_LOGGER = logging.getLogger(__name__)

# Characters of the paragraph that describes a page
_SHORTEST, _LONGEST = 40, 200
# Roles whose text is Markdown
_MARKDOWN = ("finding", "edition")
_PARAMETER_CELLS = {"parameters", "injected-parameters"}
_FOLD = {"code_prompt_show": "Show the parameters of this page", "code_prompt_hide": "Hide the parameters"}
# Modules that decide how results look: an edit of one, or of a template, has the pages with tables read again
_LOOK = ("labels", "look_ups", "render", "results", "templating", "verdict_tables")


# Roles and directives


class LookUp(SphinxRole):
    """A number or a word from the results, as :data:`compendium.book.look_ups.ROLES` names them."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        named, how = fields_of(self.text)
        _depend(self.env, named)
        try:
            text = look_ups.role_text(self.name, self.text)
        except (UsageError, TypeError, AttributeError) as exc:
            _report(exc, named, self.get_location())
            return [nodes.raw("", '<span title="computed by make book">—</span>', format="html")], []
        if self.name in _MARKDOWN:
            return self.inliner.parse(text, self.lineno, self.inliner, self.inliner.parent)
        note = nodes.Text(scale_note(how))
        if link := re.fullmatch("(<a .*?>)(.*)(</a>)", text):
            opening, shown, closing = (html.unescape(part) if n == 1 else part for n, part in enumerate(link.groups()))
            tags = [nodes.raw("", tag, format="html") for tag in (opening, closing)]
            return [tags[0], nodes.Text(shown), tags[1], note], []
        return [nodes.Text(text), note], []


class Block(SphinxDirective):
    """A table, a figure or an artifact from the results, as :data:`compendium.book.look_ups.BLOCKS` has it."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        _depend(self.env, self.arguments)
        self.env.note_dependency(str(pages_folder() / "notes" / "look"))
        if self.name.endswith("artifact"):
            for module in catalogue.artifact(self.arguments[0])[1].modules:
                self.env.note_dependency(str(sys.modules[module].__file__))
        try:
            text = BLOCKS[self.name](*self.arguments)
        except (UsageError, TypeError) as exc:
            _report(exc, self.arguments, self.get_location())
            owners = [n for n in catalogue.NOTEBOOKS if {*self.arguments} & {*catalogue.outline(n).shown}]
            text = fill("missing.html", notebook=owners[0] if owners else "")
        return [nodes.raw("", apart(text), format="html")]


class FixedText(SphinxDirective):
    """Lines in a fixed width, as :data:`compendium.book.look_ups.TEXTS` has them."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        language, lines = TEXTS[self.name]
        text = lines(*self.arguments)
        return [nodes.literal_block(text, text, language=language)]


def _report(problem: Exception, named: Sequence[str], location: Any) -> None:
    """Warn of what no run yields, if there are runs: a preview and the record may lack what a page asks for."""
    known = look_ups.results().manifests.get(named[0] if named else "")
    if not isinstance(problem, MissingError) or (known and known["scale"] == "published" and known["files"]):
        _LOGGER.warning("%s", problem, location=location)


def _depend(env: BuildEnvironment, named: Sequence[str]) -> None:
    """Have this page read again when results that it shows change; a count may be of all."""
    key = named[0] if named else ""
    owners = [one for one in catalogue.NOTEBOOKS if key in (one, one.partition("/")[0], *catalogue.outline(one).shown)]
    for one in owners or catalogue.NOTEBOOKS:
        env.note_dependency(str(pages_folder() / "notes" / one))


# Pages


def _write_pages(app: Sphinx, config: Config) -> None:
    """Write pages and contents, and notes on what pages are made of: one that changes has its pages read again."""
    config.external_toc_path = str(contents.write_pages(Path(app.srcdir)))
    config.html_search_scorer = str(RANKING)
    for one in catalogue.NOTEBOOKS:
        contents.write_changed(pages_folder() / "notes" / one, manifests.state_of(one))
    look = [*sorted(TEMPLATES.iterdir()), *(Path(__file__).with_name(f"{name}.py") for name in _LOOK)]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in look)).hexdigest()
    contents.write_changed(pages_folder() / "notes" / "look", digest)


def _read_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Turn a notebook into prose and artifacts, and write both as Markdown."""
    if page.startswith("notebooks/"):
        source[0] = notebook_page(page.removeprefix("notebooks/"), source[0])
        return
    for module in look_ups.modules_of(source[0]):
        app.env.note_dependency(str(sys.modules[module].__file__))
    if source[0] != (text := look_ups.expanded(without_names(source[0]))):
        source[0] = text
        _depend(app.env, [])


def notebook_page(notebook: str, text: str) -> str:
    """Return a notebook as its page shows it: each ``show`` as an artifact, the parameters last, no other code.

    A run with other parameters than the published shows a table of them, which the run's own copy of the notebook has.
    """
    read, published = json.loads(text), manifests.scale() == "published"
    folder = manifests.folder_of(notebook)
    executed = [] if published or folder is None else json.loads((folder / "notebook.ipynb").read_bytes())["cells"]
    outputs = {"".join(cell["source"]): cell["outputs"] for cell in executed if cell["cell_type"] == "code"}
    cells: list[Values] = []
    parameters: list[Values] = []
    for cell in read["cells"]:
        own = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cells.append(cell | {"source": with_headings(without_names(own), contents.headings(notebook))})
        elif _PARAMETER_CELLS.intersection(cell["metadata"].get("tags", [])):
            if published and "parameters" in cell["metadata"]["tags"]:
                folded = {"tags": ["parameters", "hide-input"], "mystnb": _FOLD}
                panel = _prose(f"## Parameters\n\n```{{panel}} {notebook}\n```", "parameters")
                parameters = [panel, cell | {"source": own, "metadata": folded}]
        elif shown := next(called_with(ast.parse(own), "show"), None):
            below = f"\n\n```{{{shown}}}\n```" if shown in BLOCKS else ""
            cells.append(_prose(f"```{{artifact}} {shown}\n```{below}", cell.get("id", shown)))
        elif outputs.get(own):
            cells.append(cell | {"source": own, "metadata": {"tags": ["remove-input"]}, "outputs": outputs[own]})
    # a notebook that was written by hand may not say what it is written in
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}} | read.get("metadata", {})
    return json.dumps(read | {"cells": [*cells, *parameters], "metadata": metadata})


def _prose(text: str, name: str) -> Values:
    return {"cell_type": "markdown", "id": f"prose-{name}"[:64], "metadata": {}, "source": text}


# The built site


@cache
def edition() -> Values:
    """Return which edition of the book this is: its scale, version, commit and tree."""
    work, (kind, state) = look_ups.work(), short(look_ups.commit())
    fields = {k: v for k, v in work.fields.items() if k != "references"}
    values = {"scale": manifests.scale(), "version": work.version, "kind": kind, "state": state}
    return values | {"tree": work.tree, "work": fields}


def _begin(app: Sphinx) -> None:
    """Mark the site as ours before its first page, so that an interrupted build does not bar the next."""
    # autodoc adds annotations to the classes that it documents, which would be fields of the models below them
    for one in catalogue.NOTEBOOKS:
        catalogue.parameters(one)
    write_whole(Path(app.outdir) / "edition.json", json.dumps(edition()))
    if app.parallel > 1:
        # once, for all processes that are forked from this one
        look_ups.results().judged()


def _describe_page(app: Sphinx, page: str, template: str, context: Values, doctree: nodes.document) -> None:
    """Give a page its edition, and put the tags by which it is described and cited into its head."""
    # not in the settings, where each commit would have every page written again
    context["edition"] = edition()
    if "body" in context:
        # myst-nb names every fold "Toggle hidden content", whatever a reader sees
        context["body"] = context["body"].replace('<summary aria-label="Toggle hidden content">', "<summary>")
    # one reads on with the next story, not with the page of an artifact or of a function
    builder: Any = app.builder
    for side, place in (("prev", 1), ("next", 2)):
        other = page if page in builder.relations else None
        while other := builder.relations[other][place] if other else None:
            if not other.startswith(("artifacts/", "book/reference/api/")):
                break
        heading = builder.render_partial(app.env.titles[other])["title"] if other else ""
        context[side] = {"link": builder.get_relative_uri(page, other), "title": heading} if other else None
    formulas = [] if doctree is None else [*doctree.findall(nodes.math), *doctree.findall(nodes.math_block)]
    if not formulas:
        # Sphinx gives MathJax to a page if one of the pages below it has a formula
        context["script_files"] = [one for one in context["script_files"] if "mathjax" not in f"{one}".lower()]
    work = Work(context["edition"]["work"])
    title = html.unescape(re.sub(r"<[^>]+>", "", context.get("title") or work.title))
    tags = meta_tags(work, title, first_words(doctree) if doctree else "")
    context["metatags"] = f"{context.get('metatags', '')}\n{tags}\n"


def first_words(doctree: nodes.document) -> str:
    """Return the first paragraph of a page that says something, cut to what a search engine shows."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) >= _SHORTEST:
            return shorten(text, _LONGEST, placeholder="…")
    return ""


def _keep_index_entries(app: Sphinx) -> list[Any]:
    """Give the search the index entries of pages that were not read again, which Sphinx forgets."""
    builder: Any = app.builder
    for page, entries in app.env.get_domain("index").entries.items():  # type: ignore[attr-defined]
        words = {
            (w, target or "", main) for kind, text, target, main, _ in entries for w in split_index_msg(kind, text)
        }
        builder.indexer._index_entries.setdefault(page, sorted(words))
    return []


def _source_pages(app: Sphinx) -> Iterator[tuple[str, Values, str]]:
    """Yield a page for each file that makes an artifact; one that is newer than its file stays."""
    listed = (n for n in catalogue.NOTEBOOKS if f"notebooks/{n}" in app.env.found_docs)
    artifacts = [one for notebook in listed for one in catalogue.notebook(notebook).artifacts]
    for file in sorted({made.file for one in artifacts for made in made_by(one)}):
        page, builder = source_pages.page_of(file), app.builder
        written = Path(builder.get_outfilename(page))  # type: ignore[attr-defined]
        if not written.is_file() or written.stat().st_mtime < file.stat().st_mtime:
            yield page, {"title": file.name, "body": source_pages.source_html(file)}, "page.html"


def _finish(app: Sphinx, failure: Exception | None) -> None:
    """Put the files of the runs, the chart, MathJax and the library beside the pages, and lead to the first page."""
    if failure is not None:
        return
    out = Path(app.outdir)
    folders = (manifests.folder_of(n) for n in catalogue.NOTEBOOKS if f"notebooks/{n}" in app.env.found_docs)
    for folder in filter(None, folders):
        for file in (f for f in (folder / "artifacts").iterdir() if f.suffix != ".json"):
            copy = out / "artifacts" / file.name
            if not copy.is_file() or copy.stat().st_mtime < file.stat().st_mtime:
                shutil.copyfile(file, copy)
    if (chart := pages_folder() / "extra").is_dir():
        shutil.copytree(chart, out, dirs_exist_ok=True, copy_function=shutil.copyfile)
    # what draws formulas as SVG, with its TeX packages
    source = Path(str(resources.files("sphinx-mathjax-offline"))) / "static" / "mathjax"
    mathjax = out / "_static" / "mathjax"
    shutil.copytree(source / "input" / "tex", mathjax / "input" / "tex", dirs_exist_ok=True)
    shutil.copyfile(source / "tex-svg.js", mathjax / "tex-svg.js")
    if "book/your-data" in app.env.found_docs:
        in_page.write_files(out, in_page.in_page_files())
    # templates of the theme, which are no pages
    for template in (out / "_static").glob("*.html"):
        template.unlink()
    title = app.config.html_title
    tags = meta_tags(Work(edition()["work"]), title, "")
    landing = fill("redirect.html", title=title, tags=tags, landing=f"{app.config.root_doc}.html")
    (out / "index.html").write_text(landing, encoding="utf-8")
    lighten(out)


class BibliographyList(SphinxPostTransform):
    """Turn the entries of a bibliography into items of a list.

    docutils marks them up as a list of what is not list items, an error to screen readers.
    """

    default_priority = 900  # after sphinxcontrib-bibtex has filled the bibliography and resolved the citations
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Replace the citations under each parent by one list."""
        for parent in {id(c.parent): c.parent for c in self.document.findall(nodes.citation)}.values():
            entries = [child for child in parent.children if isinstance(child, nodes.citation)]
            where = parent.index(entries[0])
            for entry in entries:
                parent.remove(entry)
            items = [
                nodes.list_item("", *(c for c in e.children if not isinstance(c, nodes.label)), ids=e["ids"])
                for e in entries
            ]
            parent.insert(where, nodes.bullet_list("", *items, classes=["errorest-bibliography"]))


def _define_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give links to the glossary their definition as a title, which the pages show to mouse and keyboard."""
    glossary = next((name for name in app.env.found_docs if name.rpartition("/")[2] == "glossary"), docname)
    links = [link for link in doctree.findall(nodes.reference) if "glossary.html#term-" in link.get("refuri", "")]
    if glossary == docname or not links:
        return
    definitions = {}
    for item in app.env.get_doctree(glossary).findall(nodes.definition_list_item):
        text = next((" ".join(p.astext().split()) for p in item.findall(nodes.paragraph)), "")
        definitions.update({anchor: text for term in item.findall(nodes.term) for anchor in term["ids"]})
    for link in links:
        if definition := definitions.get(link["refuri"].partition("#")[2]):
            link["reftitle"] = definition


def leave_colon(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Keep the first line of a property whole: napoleon takes what stands before a colon there for the type."""
    if what == "property":
        lines[:0] = ["..", ""]  # a comment without words


def public_signature(
    app: Sphinx, what: str, name: str, value: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str, str | None] | None:
    """Leave the private fields of a result out of its signature."""
    if not re.search(r"[(, ]_\w", signature or ""):
        return None
    call = inspect.signature(value)
    public = [one for one in call.parameters.values() if not one.name.startswith("_")]
    return stringify_signature(call.replace(parameters=public), show_annotation=False), returned


def setup(app: Sphinx) -> Values:
    for role in ROLES:
        app.add_role(role, LookUp())
    for name in BLOCKS:
        app.add_directive(name, Block)
    for name in TEXTS:
        app.add_directive(name, FixedText)
    app.add_search_language(BookSearch)
    app.tags.add(manifests.scale())  # for ``only``
    app.connect("config-inited", _write_pages)
    app.connect("builder-inited", _begin)
    app.connect("source-read", _read_page)
    app.connect("html-page-context", _describe_page)
    app.connect("html-collect-pages", _source_pages)
    app.connect("html-collect-pages", _keep_index_entries)
    app.connect("doctree-resolved", _define_terms)
    app.connect("build-finished", _finish)
    app.connect("autodoc-process-docstring", leave_colon, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", public_signature)
    app.add_post_transform(BibliographyList)
    # it numbers sections once all pages are read, and does not say that they may be read side by side
    numbering = app.extensions["sphinx_multitoc_numbering"]
    numbering.parallel_read_safe = numbering.parallel_write_safe = True
    return {"parallel_read_safe": True, "parallel_write_safe": True}
