"""Checks of the built pages that need no browser: pages and artifacts there, no error output, links whole, weight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from compendium.book.contents import files_of, read_contents
from compendium.book.places import root
from compendium.book.results import anchor
from compendium.evidence.records import Fields
from compendium.plots.alt_text import alt_text_faults

HEAVIEST = 600 * 1024
"""Bytes of a page with style sheets and scripts, but no figures and nothing that draws formulas; and of the search's
index, which the page of the search alone loads."""

_LINK = re.compile(r'<(a|img|script|link|source)\b[^>]*?\s(?:href|src)="([^"]*)"', re.IGNORECASE)
_ID = re.compile(r'\s(?:id|name)="([^"]+)"')
_DESCRIBED = ("description", "citation_title", "citation_author")
_DRAWN = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_OF_SEARCH = "searchindex.js"
_ERROR = re.compile(r'class="[^"]*\b(?:traceback|output_error|errorest-error)\b')


def check_site(site: Path, manifests: Sequence[Fields]) -> list[str]:
    """Return the faults of a built site, one line each; none is good."""
    # what an earlier look found may have changed since
    _anchors.cache_clear()
    _target.cache_clear()
    faults = []
    for page in files_of(read_contents(root())):
        if not (site / f"{page}.html").is_file():
            faults.append(f"page {page}.html is missing")
    for m in manifests:
        path = site / "notebooks" / f"{m['notebook']}.html"
        if not path.is_file() or anchor(m["id"]) not in _anchors(path):
            faults.append(f"artifact {m['id']} is not on the page of its notebook")
        if not (site / "artifacts" / f"{m['id']}.html").is_file():
            faults.append(f"artifact {m['id']} has no page")
        faults += [f"download {f} is missing" for f in m["files"] if not (site / "artifacts" / f).is_file()]
        for picture in [m["figure"], *m["figure"].get("others", [])] if m["figure"] else []:
            faults += [f"alternative text of figure {m['id']}: {fault}" for fault in alt_text_faults(picture["alt"])]
            # other scales have other panels
            found = picture.get("faults", []) if m["scale"] == "published" else []
            faults += [f"figure {picture['svg']}: {fault}" for fault in found]
    for path in sorted(site.rglob("*.html")):
        faults += check_page(path, site)
    return faults


@lru_cache(maxsize=1024)
def _anchors(path: Path) -> frozenset[str]:
    return frozenset(unescape(i) for i in _ID.findall(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=8192)
def _target(folder: Path, path: str) -> Path | None:
    """Return the file that a link's path means from a folder; None where there is none."""
    target = (folder / path).resolve()
    if target.is_dir():
        target = target / "index.html"
    return target if target.is_file() else None


def check_page(path: Path, site: Path) -> list[str]:
    """Return the faults of one page: an error in an output, no description, links astray, too many bytes."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(site)
    faults = [f"{name}: an output is an error"] if _ERROR.search(text) else []
    faults += [f"{name}: has no {tag}" for tag in _DESCRIBED if f'name="{tag}"' not in text]
    loaded = {path}
    for tag, raw in _LINK.findall(text):
        parts = urlsplit(unescape(raw))
        if parts.scheme in ("http", "https", "") and parts.netloc:
            if tag.lower() != "a":
                faults.append(f"{name}: loads {raw} from another host")
            continue
        if parts.scheme:
            continue
        target = _target(path.parent, unquote(parts.path)) if parts.path else path
        if target is None:
            faults.append(f"{name}: broken link to {raw}")
        elif tag.lower() in ("script", "link") and target.suffix in (".js", ".css") and "mathjax" not in target.parts:
            loaded.add(target)
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _anchors(target):
            faults.append(f"{name}: broken anchor {raw}")
    sizes = {file: file.stat().st_size for file in loaded}
    index = sum(size for file, size in sizes.items() if file.name == _OF_SEARCH)
    weight = sum(sizes.values()) - index - sum(map(len, _DRAWN.findall(text)))
    for what, of in (("without figures", weight), ("of the search's index", index)):
        if of > HEAVIEST:
            faults.append(f"{name}: {of / 1000:.0f} kB {what} are too many")
    return faults
