"""Pages of source files: each function is an anchor, and its lines are marked where a link leads to it."""

from __future__ import annotations

import ast
from pathlib import Path

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from compendium.book.places import root
from compendium.book.templating import fill


def page_of(file: Path) -> str:
    """Return the page of a source file, without its ending."""
    inside = file.is_relative_to(root() / "src")
    return f"source/{file.relative_to(root() / 'src').with_suffix('').as_posix() if inside else file.stem}"


def source_html(file: Path) -> str:
    """Return the body of the page of a source file."""
    text = file.read_text(encoding="utf-8")
    lines = highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).splitlines()
    blocks: list[tuple[str, Markup]] = []
    here = 0
    for one in (n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef)):
        first = min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)]) - 1
        blocks += [("", _lines(lines[here:first])), (one.name, _lines(lines[first : one.end_lineno]))]
        here = one.end_lineno or one.lineno
    blocks.append(("", _lines(lines[here:])))
    return fill("source.html", name=f"{page_of(file).removeprefix('source/')}.py", blocks=blocks)


def _lines(lines: list[str]) -> Markup:
    """Return highlighted lines, each of which a style sheet numbers."""
    return Markup("").join(Markup(f'<span class="errorest-line">{line}\n</span>') for line in lines)
