"""The book as a PDF: all its pages in one document, printed by a browser.

The document holds the main part of each page in the book's order, behind a table of contents.  Pictures are those
of the pages, drawn as vectors.  A table wider than the paper is set smaller, or on a sheet lying on its side; the
document counts those that do not fit even so, and says in its title when it is ready.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from errorest.errors import UsageError

__all__ = ["book_document", "print_book"]

_ARTICLE = re.compile(r'<article class="bd-article"[^>]*>(.*?)</article>', re.DOTALL)
_ASIDE = re.compile(
    r'<details class="errorest-citation">.*?</details>|<script\b.*?</script>|<a class="headerlink".*?</a>'
    r'|<p class="errorest-downloads">.*?</p>|<noscript>|</noscript>',
    re.DOTALL,
)
_PLACE = re.compile(r'\b(id|for|aria-labelledby|aria-describedby|aria-controls|name)="([^"]*)"')
_ADDRESS = re.compile(r'\b(href|src)="([^"]*)"')
_LOADED = re.compile(r"""url\(\s*(["']?)(?!data:|https?:|#|["'])""")
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
_STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css", "pygments.css", "styles/sphinx-book-theme.css",
           "sphinx-design.min.css", "errorest.css")  # fmt: skip
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE = 3600
_PAPER = """
@page { size: A4; margin: 15mm; @bottom-center { content: counter(page); font: 8pt sans-serif; } }
@page wide { size: A4 landscape; margin: 15mm; }
html { font-size: 10pt; } body { background: #fff; color: #000; margin: 0; width: 680px; min-width: 0; }
.errorest-sheet { break-before: page; }
.errorest-wide { page: wide; width: 1000px; }
.errorest-sheet :is(div, section, details, figure) { max-height: none !important; overflow: visible !important; }
details.hide > summary { display: none; }
.errorest-without-z .errorest-z { display: none; } .errorest-without-z th { white-space: normal; }
.errorest-without-z .verdict { padding: 0 2px; letter-spacing: 0; }
.errorest-without-z :is(td, th) { padding: 2px 4px !important; min-width: 0 !important; }
.errorest-scroll tr, figure, pre { break-inside: avoid; }
.errorest-scroll thead { display: table-header-group; }
h1, h2, h3, h4, caption { break-after: avoid; }
img, svg { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.errorest-contents ol { list-style: none; } .errorest-contents a { text-decoration: none; color: inherit; }
"""
_READY = """
{
  // here and at once: what begins after the page has loaded, a browser that prints does not wait for
  MathJax.typeset();
  const boxes = [...document.querySelectorAll(".errorest-scroll, pre, div.math, figure")]
    .filter((box) => !box.parentElement.closest(".errorest-scroll, figure"));
  // all sizes first: whatever is set between two readings lays the whole book out anew
  const width = (box) => Math.max(box.scrollWidth, box.firstElementChild?.scrollWidth ?? 0);
  const lefts = boxes.map((box) => box.getBoundingClientRect().left);
  const widths = boxes.map(width);
  // what no sheet takes at a size that can be read goes without its z
  const tooWide = boxes.filter((box, place) => 1000 / widths[place] < 0.3);
  tooWide.forEach((box) => box.classList.add("errorest-without-z"));
  tooWide.forEach((box) => (widths[boxes.indexOf(box)] = width(box)));
  const tooSmall = new Set();
  boxes.forEach((box, place) => {
    if (widths[place] <= 681 - lefts[place]) return;
    // letters have no part of a pixel, so a smaller table is not smaller in proportion
    const upright = 0.99 * (680 - lefts[place]) / widths[place];
    const lying = Math.min(1, 0.99 * (1000 - lefts[place]) / widths[place]);
    if (upright < 0.6) box.classList.add("errorest-wide");
    box.style.zoom = upright < 0.6 ? lying : upright;
    if (lying < 0.3) tooSmall.add(box);
  });
  const right = (element) => element?.getBoundingClientRect().right ?? 0;
  const most = (box) => (box.classList.contains("errorest-wide") ? 1000 : 680) + 2;
  const beyond = boxes.filter((box) => Math.max(right(box), right(box.firstElementChild)) > most(box));
  const cut = new Set([...tooSmall, ...beyond]).size;
  document.title = document.title.replace("not ready", cut ? `${cut} cut` : "whole");
}
"""


def book_document(site: Path, contents: Mapping[str, Any], title: str) -> str:
    """Put the pages of a built book into one document."""
    pages = list(_pages(contents))
    places = {f"{page}.html": f"sheet-{number}" for number, (page, _) in enumerate(pages)}
    sheets, entries = [], []
    for page, level in pages:
        path = site / f"{page}.html"
        found = _ARTICLE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
        if found is None:
            raise UsageError(f"page {page}.html of the book is missing or empty; expected a built book; run: make book")
        text = _sheet(found[1], f"{page}.html", site, places)
        heading = _TITLE.search(found[1])
        words = re.sub(r"<[^>]+>", "", _ASIDE.sub("", heading[1])) if heading else escape(page)
        own = places[f"{page}.html"]
        entries.append(f'<li style="margin-left: {level}em"><a href="#{own}">{words}</a></li>')
        sheets.append(f'<section class="errorest-sheet bd-article" id="{own}">{text}</section>')
    static = (site / "_static").resolve().as_uri()
    styles = "".join(f"<style>{_on_paper(site / '_static' / name)}</style>" for name in _STYLES)
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{escape(title)}, not ready</title>{styles}<style>{_PAPER}</style>"
        "<script>window.MathJax = { startup: { typeset: false } };</script></head><body>"
        f'<section class="errorest-contents"><h1>{escape(title)}</h1><h2>Contents</h2>'
        f"<ol>{''.join(entries)}</ol></section>"
        f"{''.join(sheets)}"
        f'<script src="{static}/mathjax/tex-svg.js"></script><script>{_READY}</script></body></html>'
    )


def _on_paper(sheet: Path) -> str:
    """Return a style sheet that measures as it prints: its rules for paper hold at once."""
    folder = sheet.parent.resolve().as_uri()
    text = sheet.read_text(encoding="utf-8").replace("@media print", "@media all")
    return _LOADED.sub(lambda found: f"url({found[1]}{folder}/", text)


def _pages(node: Any, level: int = 0) -> Any:
    """Yield the pages of a table of contents with their depth."""
    if "root" in node:
        yield node["root"], 0
    if "file" in node:
        yield node["file"], level
    for part in node.get("parts", []):
        yield from _pages(part, level)
    for below in (*node.get("chapters", []), *node.get("sections", [])):
        yield from _pages(below, level + 1)


def _sheet(text: str, page: str, site: Path, places: Mapping[str, str]) -> str:
    """Rewrite a page's main part: folds are open, ids are its own, links lead inside the document or nowhere."""
    own = places[page]

    def place(found: re.Match[str]) -> str:
        return f'{found[1]}="' + " ".join(f"{own}-{name}" for name in found[2].split()) + '"'

    def address(found: re.Match[str]) -> str:
        kind, raw = found[1], unescape(found[2])
        if raw.startswith(("http://", "https://", "data:", "mailto:")):
            return found[0]
        path, _, fragment = raw.partition("#")
        target = normpath(join(dirname(page), path)) if path else page
        if kind == "src":
            return f'src="{(site / target).resolve().as_uri()}"'
        if target in places:
            return f'href="#{places[target]}{f"-{fragment}" if fragment else ""}"'
        return ""

    text = _ASIDE.sub("", text)
    text = _ADDRESS.sub(address, _PLACE.sub(place, text))
    # a list of every printed number is data, which the book's folder has as files
    return re.sub(r"<details\b(?![^>]*\bopen\b)(?!>\s*<summary>[^<]*: \d+ numbers)", "<details open", text)


def print_book(site: Path, contents: Mapping[str, Any], title: str) -> bytes:
    """Print the book."""
    browser = os.environ.get("CHROMIUM") or next((b for b in map(shutil.which, _BROWSERS) if b), None)
    if browser is None:
        raise UsageError(
            "no browser was found that prints the book; expected Chromium on PATH; install it, or name it in CHROMIUM"
        )
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
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise UsageError(
                f"{browser} did not print the book ({exc}); expected Chromium; name one in CHROMIUM"
            ) from None
        made = printed.read_bytes() if printed.is_file() else b""
    said = re.search(rb"/Title \((.*?), (whole|not ready|\d+ cut)\)", made)
    if not made or said is None or said[2] != b"whole":
        state = said[2].decode() if said else done.stderr.decode(errors="replace").strip()[-300:]
        raise UsageError(
            f"the book was not printed whole ({state}); expected every table on paper; mend the page, or print again"
        )
    return made
