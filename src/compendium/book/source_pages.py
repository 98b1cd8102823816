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
    for name, first, last in _functions(text):
        blocks += [("", _lines(lines[here:first])), (name, _lines(lines[first:last]))]
        here = last
    blocks.append(("", _lines(lines[here:])))
    return fill("source.html", name=f"{page_of(file).removeprefix('source/')}.py", blocks=blocks)


def _functions(text: str) -> list[tuple[str, int, int]]:
    """List the functions and classes of a module: name, and their lines, decorators included, counted from 0."""
    definitions = (n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef | ast.ClassDef))
    return [
        (n.name, min([n.lineno, *(d.lineno for d in n.decorator_list)]) - 1, n.end_lineno or n.lineno)
        for n in definitions
    ]


def _lines(lines: list[str]) -> Markup:
    """Return highlighted lines, each of which a style sheet numbers."""
    return Markup("").join(Markup(f'<span class="errorest-line">{line}\n</span>') for line in lines)
