"""The book's sources hold together before any build: contents, citations, printed keys, colours."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"
PAGES = sorted(BOOK.rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))


def contents() -> list[str]:
    def files(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from (node[key] for key in ("root", "file") if key in node)
            node = list(node.values())
        if isinstance(node, list):
            for part in node:
                yield from files(part)

    return list(files(yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))))


def test_every_page_of_the_contents_exists_and_every_page_is_in_the_contents() -> None:
    listed = [name for name in contents() if name.startswith("book/")]
    assert sorted(listed) == sorted(str(page.relative_to(ROOT).with_suffix("")) for page in PAGES)


def test_every_notebook_is_in_the_contents_exactly_once() -> None:
    listed = [name for name in contents() if not name.startswith("book/")]
    assert sorted(listed) == [str(notebook.relative_to(ROOT).with_suffix("")) for notebook in NOTEBOOKS]


@pytest.mark.parametrize(("calls", "folder"), [("published|linked_print", "published"), ("num|linked", "regenerated")])
def test_every_number_that_a_page_asks_for_is_printed_or_recorded(calls: str, folder: str) -> None:
    call = rf"\[\[ *(?:{calls})\('([^']*)', '([^']*)', '([^']*)'"
    requested = {key for page in PAGES for key in re.findall(call, page.read_text(encoding="utf-8"))}
    known = set()
    for table in (ROOT / "data" / folder).glob("*.csv"):
        with table.open(encoding="utf-8", newline="") as lines:
            known |= {(row["artifact"], row.get("row"), row.get("column")) for row in csv.DictReader(lines)}
    assert len(requested) > 20
    assert not requested - known
