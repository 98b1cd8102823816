"""The engine knows no paper by its name: what is special to one stands in its folder."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import compendium
from compendium.evidence.papers import PAPERS

ENGINE = Path(compendium.__file__).parent
FOLDERS = "|".join(re.escape(name) for paper in PAPERS.values() for name in (paper.id, paper.folder.name))
NAMED = re.compile(rf"\b(?:{FOLDERS})(?:\b|[-_/])")


def texts(tree: ast.Module) -> Iterator[str]:
    """Yield what code names: strings that are no docstrings, and modules that are imported."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from [node.module or "", *(alias.name for alias in node.names)]


@pytest.mark.parametrize("part", ["book", "cli", "evidence", "plots", "studies"])
def test_no_module_of_the_engine_names_a_paper(part: str) -> None:
    for file in (ENGINE / part).rglob("*.py"):
        named = [text for text in texts(ast.parse(file.read_text(encoding="utf-8"))) if NAMED.search(text)]
        assert named == [], file
    for file in (ENGINE / part).rglob("*.html"):
        assert not NAMED.search(file.read_text(encoding="utf-8")), file
