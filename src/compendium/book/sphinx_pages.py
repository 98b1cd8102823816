"""The book's own Sphinx extension: what settings alone cannot mend.

It serves MathJax from the book's folder, carries the stage's ``extra`` folder and edition
(scale, version, commit, how to cite it) into the pages, and gives notebooks' tables and the
bibliography a form that screen readers and phones can use.
"""

from __future__ import annotations

import html
import importlib.util
import json
import re
import shutil
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from compendium.book.citation import Work, meta_tags
from compendium.book.templating import fill

__all__ = ["AccessibleTables", "BibliographyList", "setup"]

_SAYS_SOMETHING = 40
_DESCRIPTION = 200
_FRAME = re.compile(r'<table\b[^>]*class="dataframe[^"]*"[^>]*>.*?</table>', re.DOTALL)


def accessible_table(output: str) -> str:
    """Rewrite the data frames of a notebook's output as the book's own tables.

    pandas heads its index column with empty header cells, which a screen
    reader announces as headings of nothing; and a wide frame would push the
    page beyond a phone's edge.
    """

    def rewrite(match: re.Match[str]) -> str:
        table = re.sub(r"<table\b[^>]*>", '<table class="errorest-table dataframe">', match[0], count=1)
        table = re.sub(r"<th\b[^>]*>\s*</th>", "<td></td>", table)
        return f'<div class="errorest-scroll" tabindex="0" role="region" aria-label="Table">{table}</div>'

    return _FRAME.sub(rewrite, output)


class AccessibleTables(SphinxPostTransform):
    """Apply :func:`accessible_table` to every raw HTML node of a page."""

    default_priority = 900  # after myst-nb has chosen which form of an output to show
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Rewrite the data frames of the page."""
        for node in self.document.findall(nodes.raw):
            if "html" in node.get("format", "") and "dataframe" in node.astext():
                rewritten = accessible_table(node.astext())
                node.children = [nodes.Text(rewritten)]
                node.rawsource = rewritten


class BibliographyList(SphinxPostTransform):
    """Turn the entries of a bibliography into items of a list.

    docutils marks them up as a list of things that are not list items, which
    axe-core counts as critical.  The anchors that citations lead to stay.
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
    glossary = next((name for name in app.env.found_docs if name.rpartition("/")[2] == "glossary"), None)
    if glossary is None or docname == glossary:
        return
    definitions: dict[str, str] | None = None
    for link in doctree.findall(nodes.reference):
        uri, _, anchor = str(link.get("refuri", "")).partition("#")
        if anchor.startswith("term-") and uri.rpartition("/")[2].startswith("glossary"):
            if definitions is None:
                definitions = _definitions(app, glossary)
            if anchor in definitions:
                link["reftitle"] = definitions[anchor]


def _definitions(app: Sphinx, glossary: str) -> dict[str, str]:
    """Return the first paragraph of each definition, by the anchors of its terms."""
    found = {}
    for item in app.env.get_doctree(glossary).findall(nodes.definition_list_item):
        text = next((p.astext() for p in item.findall(nodes.paragraph)), "")
        for term in item.findall(nodes.term):
            found.update({anchor: " ".join(text.split()) for anchor in term["ids"]})
    return found


def _read_stage(app: Sphinx, config: Config) -> None:
    """Take over what a staged book brings: files to copy as they are, and its edition."""
    if (Path(app.srcdir) / "extra").is_dir():
        config.html_extra_path = [*config.html_extra_path, "extra"]
    edition = Path(app.srcdir) / "edition.json"
    config.html_context = {
        **config.html_context,
        "edition": json.loads(edition.read_text(encoding="utf-8")) if edition.is_file() else {},
    }


def _describe_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Put the tags by which a page is described and cited into its head, and leave a fold the name that it shows."""
    if "body" in context:
        # myst-nb names every fold "Toggle hidden content", whatever a reader sees
        context["body"] = context["body"].replace('<summary aria-label="Toggle hidden content">', "<summary>")
    fields = context.get("edition", {}).get("work")
    if fields:
        title = html.unescape(re.sub(r"<[^>]+>", "", context.get("title") or fields["title"]))
        tags = meta_tags(Work(fields), title, first_words(doctree) if doctree else "")
        context["metatags"] = f"{context.get('metatags', '')}\n{tags}\n"


def first_words(doctree: nodes.document) -> str:
    """Return the first paragraph of a page that says something, cut to what a search engine shows."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) >= _SAYS_SOMETHING:
            return shorten(text, _DESCRIPTION, placeholder="…")
    return ""


def _copy_mathjax(app: Sphinx, failure: Exception | None) -> None:
    """Copy the one script that draws formulas as SVG, and the TeX packages that it may ask for."""
    if failure is not None or app.builder.format != "html":
        return
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None or package.origin is None:
        raise ExtensionError(
            "MathJax was not found; the package sphinx-mathjax-offline was expected; run `make` to install it"
        )
    source = Path(package.origin).parent / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "tex-svg.js", target / "tex-svg.js")
    shutil.copytree(source / "input" / "tex", target / "input" / "tex", dirs_exist_ok=True)


def _open_front_door(app: Sphinx, failure: Exception | None) -> None:
    """Lead from the folder's ``index.html`` to the landing page, with a title and a link for who needs them."""
    door = Path(app.outdir) / "index.html"
    if failure is not None or app.builder.name != "html" or app.config.root_doc == "index":
        return
    landing = f"{app.config.root_doc}.html"
    title = app.config.html_title
    fields = app.config.html_context["edition"].get("work")
    tags = meta_tags(Work(fields), title, "") if fields else ""
    door.write_text(fill("redirect.html", title=title, tags=tags, landing=landing), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.connect("config-inited", _read_stage)
    app.connect("html-page-context", _describe_page)
    app.connect("doctree-resolved", _define_terms)
    app.connect("build-finished", _copy_mathjax)
    app.connect("build-finished", _open_front_door)
    app.add_post_transform(AccessibleTables)
    app.add_post_transform(BibliographyList)
    # it numbers sections once all pages are read, and does not say that they may be read side by side
    numbering = app.extensions["sphinx_multitoc_numbering"]
    numbering.parallel_read_safe = numbering.parallel_write_safe = True
    return {"parallel_read_safe": True, "parallel_write_safe": True}
