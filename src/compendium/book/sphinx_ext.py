"""The book's Sphinx extension, and Sphinx itself as Jupyter Book calls it, in a process of its own.

The extension serves MathJax from the book's folder, carries the stage's ``extra`` folder and edition (scale, version,
commit, citation) into the pages, gives links to the glossary their definition, and makes a list of the bibliography.
"""

from __future__ import annotations

import html
import inspect
import json
import re
import shutil
import sys
from importlib import resources
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from jupyter_book.sphinx import build_sphinx
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.inspect import stringify_signature

from compendium.book.citation import Work, meta_tags
from compendium.book.templating import fill

_SHORTEST, _LONGEST = 40, 200
"""Characters of the paragraph that describes a page."""
# Processes that Sphinx starts, for each worker: pages are dealt out by their number, and a few take most time
_BATCHES = 3


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


def _read_stage(app: Sphinx, config: Config) -> None:
    """Take over what a staged book brings: files to copy as they are, and its edition."""
    config.html_extra_path = [*config.html_extra_path, "extra"]
    edition = json.loads((Path(app.srcdir) / "edition.json").read_text(encoding="utf-8"))
    config.html_context = {**config.html_context, "edition": edition}


def _describe_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Put the tags by which a page is described and cited into its head."""
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


def _finish(app: Sphinx, failure: Exception | None) -> None:
    """Copy what draws formulas as SVG with its TeX packages, and lead from ``index.html`` to the landing page."""
    if failure is not None:
        return
    source = Path(str(resources.files("sphinx-mathjax-offline"))) / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    shutil.copytree(source / "input" / "tex", target / "input" / "tex", dirs_exist_ok=True)
    shutil.copyfile(source / "tex-svg.js", target / "tex-svg.js")
    title = app.config.html_title
    tags = meta_tags(Work(app.config.html_context["edition"]["work"]), title, "")
    text = fill("redirect.html", title=title, tags=tags, landing=f"{app.config.root_doc}.html")
    (Path(app.outdir) / "index.html").write_text(text, encoding="utf-8")


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


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", _read_stage)
    app.connect("html-page-context", _describe_page)
    app.connect("doctree-resolved", _define_terms)
    app.connect("build-finished", _finish)
    app.connect("autodoc-process-docstring", leave_colon, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", public_signature)
    app.add_post_transform(BibliographyList)
    # it numbers sections once all pages are read, and does not say that they may be read side by side
    numbering = app.extensions["sphinx_multitoc_numbering"]
    numbering.parallel_read_safe = numbering.parallel_write_safe = True
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main(stage: Path, out: Path, jobs: int) -> int:
    """Build the pages of a stage, the same bytes with any number of processes; warnings go to the standard error."""
    done = build_sphinx(
        stage,
        out,
        noconfig=True,
        path_config=str(stage / "_config.yml"),
        confoverrides={
            "external_toc_path": str(stage / "book" / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        freshenv=True,
        quiet=True,
        warningiserror=True,
        keep_going=True,
        jobs=_BATCHES * jobs if jobs > 1 else 1,
    )
    # an exception was printed by Sphinx already
    return 1 if isinstance(done, BaseException) else int(done)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
