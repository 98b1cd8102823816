"""The book as a PDF: the articles of all pages in one document, printed by Chromium.

``print.js`` scales a table that is wider than the paper, or puts it on a landscape sheet, counts the tables that do
not fit even so, and writes the outcome into the document's title.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from html import escape, unescape
from pathlib import Path
from posixpath import dirname, join, normpath

from compendium.book.templating import fill
from compendium.evidence.records import Fields
from errorest.errors import UsageError

_ARTICLE = re.compile(r'<article class="bd-article"[^>]*>(.*?)</article>', re.DOTALL)
_NOT_PRINTED = re.compile(
    r'<details class="errorest-citation">.*?</details>|<script\b.*?</script>|<a class="headerlink".*?</a>'
    r'|<p class="errorest-downloads">.*?</p>|<noscript>|</noscript>|<source\b[^>]*>',
    re.DOTALL,
)
_ID = re.compile(r'\b(id|for|aria-labelledby|aria-describedby|aria-controls|name)="([^"]*)"')
_LINK = re.compile(r'\b(href|src)="([^"]*)"')
_RELATIVE_URL = re.compile(r"""url\(\s*(["']?)(?!data:|https?:|#|["'])""")
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
# lists of every printed number stay closed: the book's folder has them as files
_CLOSED = re.compile(r"<details\b(?![^>]*\bopen\b)(?!>\s*<summary>[^<]*: \d+ numbers)")
_OUTCOME = re.compile(rb"/Title \((.*?), (whole|not ready|\d+ cut)\)")
_STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css", "pygments.css", "styles/sphinx-book-theme.css",
           "sphinx-design.min.css", "errorest.css")  # fmt: skip
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SECONDS = 3600


def book_document(site: Path, contents: Fields, title: str) -> str:
    """Join the pages of a built book, behind a table of contents."""
    pages = list(_pages(contents))
    sheets = {f"{page}.html": f"sheet-{number}" for number, (page, _) in enumerate(pages)}
    articles = []
    for page, level in pages:
        path, sheet = site / f"{page}.html", sheets[f"{page}.html"]
        result = _ARTICLE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
        if result is None:
            raise UsageError(f"page {page}.html of the book is missing or empty", "run: make book")
        heading = _TITLE.search(result[1])
        words = re.sub(r"<[^>]+>", "", _NOT_PRINTED.sub("", heading[1])) if heading else escape(page)
        article = _article(result[1], f"{page}.html", site, sheets)
        articles.append({"id": sheet, "level": level, "heading": words, "html": article})
    static = (site / "_static").resolve().as_uri()
    styles = []
    for style in (site / "_static" / name for name in _STYLES):
        # print rules hold while tables are measured
        text = style.read_text(encoding="utf-8").replace("@media print", "@media all")
        folder = style.parent.resolve().as_uri()
        styles.append(_RELATIVE_URL.sub(rf"url(\1{folder}/", text))
    css, js = (Path(__file__).with_name(f"print.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return fill("print.html", title=title, styles=[*styles, css], articles=articles, static=static, js=js)


def _pages(node: Fields, level: int = 0) -> Iterator[tuple[str, int]]:
    if "root" in node:
        yield node["root"], 0
    if "file" in node:
        yield node["file"], level
    for part in node.get("parts", []):
        yield from _pages(part, level)
    for below in (*node.get("chapters", []), *node.get("sections", [])):
        yield from _pages(below, level + 1)


def _article(text: str, page: str, site: Path, sheets: Mapping[str, str]) -> str:
    """Open the folds of a page's article, prefix its ids, and point its links into the document or nowhere."""

    def rename(found: re.Match[str]) -> str:
        return f'{found[1]}="' + " ".join(f"{sheets[page]}-{name}" for name in found[2].split()) + '"'

    def relink(found: re.Match[str]) -> str:
        kind, address = found[1], unescape(found[2])
        if address.startswith(("http://", "https://", "data:", "mailto:")):
            return found[0]
        path, _, fragment = address.partition("#")
        target = normpath(join(dirname(page), path)) if path else page
        if kind == "src":
            return f'src="{(site / target).resolve().as_uri()}"'
        return f'href="#{sheets[target]}{f"-{fragment}" if fragment else ""}"' if target in sheets else ""

    return _CLOSED.sub("<details open", _LINK.sub(relink, _ID.sub(rename, _NOT_PRINTED.sub("", text))))


def print_book(site: Path, contents: Fields, title: str) -> bytes:
    """Print the book, and refuse a PDF in which a table is cut."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise UsageError("Chromium, which prints the book, was not found", "install it, or name a browser in CHROMIUM")
    with tempfile.TemporaryDirectory(prefix="errorest-print-") as folder:
        document, printed = Path(folder) / "book.html", Path(folder) / "book.pdf"
        document.write_text(book_document(site, contents, title), encoding="utf-8")
        command = [
            *(browser, "--headless", "--disable-gpu", f"--user-data-dir={folder}/profile", "--no-pdf-header-footer"),
            *("--generate-pdf-document-outline", f"--print-to-pdf={printed}"),
            # a sandbox needs what the user root of a container does not have
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            document.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise UsageError(f"{browser} did not print the book: {exc}") from None
        made = printed.read_bytes() if printed.is_file() else b""
    outcome = _OUTCOME.search(made)
    if outcome is None or outcome[2] != b"whole":
        state = outcome[2].decode() if outcome else done.stderr.decode(errors="replace").strip()[-300:]
        raise UsageError(f"the PDF is incomplete ({state}); tables that are cut exceed the page")
    return made
