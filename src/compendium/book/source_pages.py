"""The source of papers and guide as pages of the book, so that each artifact leads to the lines that compute it.

They lie under ``_modules``, a page a module with an anchor a line (``#L-12``), and need nothing but the book's styles.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from compendium.book.citing.citation import Work, meta_tags
from compendium.book.places import root, write_whole
from compendium.evidence.artifact import Artifact

__all__ = ["modules_of_sections", "page_of", "place_of", "write_source_pages"]

_NAMED = re.compile(r'<span class="nn">(errorest[\w.]*)</span>')
_THEME = (
    'document.documentElement.dataset.theme = localStorage.getItem("theme") || '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");'
)
_STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css", "pygments.css", "errorest.css")


def _file(module: str) -> Path:
    parts = (root() / "src").joinpath(*module.split("."))
    return parts / "__init__.py" if parts.is_dir() else parts.with_suffix(".py")


def modules_of_sections() -> list[str]:
    """List the modules in which artifacts are declared, measured and drawn, sorted."""
    source = root() / "src"
    files = [p for room in ("papers", "guide") for p in (source / "errorest" / room).rglob("*.py")]
    names = (p.relative_to(source).with_suffix("").parts for p in files)
    return sorted(".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in names)


def page_of(module: str) -> str:
    """Return the path of a module's page inside the book."""
    return f"_modules/{_file(module).relative_to(root() / 'src').with_suffix('.html').as_posix()}"


def place_of(artifact: Artifact) -> tuple[str, int]:
    """Return the module that computes an artifact, and the line on which its function begins."""
    function: Any = artifact.compute
    while isinstance(function, partial):
        function = function.func
    return function.__module__, function.__code__.co_firstlineno


def write_source_pages(folder: Path, modules: Iterable[str], work: Work) -> None:
    """Write the pages of some modules; imports among them are links."""
    known = {module: page_of(module) for module in modules}
    for module, page in known.items():
        write_whole(folder / page, _page(module, known, work))


def _page(module: str, known: dict[str, str], work: Work) -> str:
    up = "../" * known[module].count("/")
    text = _file(module).read_text(encoding="utf-8")
    code = highlight(text, PythonLexer(stripnl=False), HtmlFormatter(linespans="L", wrapcode=True))

    def link(named: re.Match[str]) -> str:
        to = known.get(named[1])
        return named[0] if to is None else f'<a class="nn" href="{up}{to}">{named[1]}</a>'

    styles = "".join(f'<link rel="stylesheet" href="{up}_static/{name}" />' for name in _STYLES)
    title = f"Source of {module}"
    about = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8" />\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1" />\n<title>{escape(title)}</title>\n'
        f"{meta_tags(work, title, ' '.join(about.split()))}\n{styles}\n<script>{_THEME}</script></head>\n"
        f'<body class="errorest-source"><main><p><a href="{up}index.html">errorest</a></p>\n<h1>{escape(title)}</h1>\n'
        f"{_NAMED.sub(link, code)}</main></body>\n</html>\n"
    )
