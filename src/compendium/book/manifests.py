"""The manifests that pages show: of the last run of each notebook, or where there is none, of the last complete build.

A run's manifests lie in its folder.  What a complete build left is ``data/regenerated/``: the numbers of a paper in
``<paper>.csv``, the words of its artifacts in ``<paper>.json``, one line an artifact; figures are not recorded.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pandas as pd

from compendium.book import catalogue
from compendium.book.places import root, write_whole
from compendium.book.runs import last_folder
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields, Values, dicts
from compendium.evidence.verdicts import compare, printed_of, read_published, read_regenerated, read_words

# Set for the process that builds pages: the scale of the runs that they show, and the folder of a single run
SCALE_VARIABLE, RUN_VARIABLE = "ERROREST_SCALE", "ERROREST_RUN"

_KEY = ["artifact", "row", "column", "reading"]
# What is not written to the record of words: numbers, what is worked out from them, and files
_NOT_WORDS = ("rows", "comparison", "files")


def scale() -> str:
    """Return the scale of the runs that the pages of this process show."""
    return os.environ.get(SCALE_VARIABLE) or "published"


def folder_of(notebook: str) -> Path | None:
    """Return the folder of the run that a page shows; None where it shows the record."""
    if single := os.environ.get(RUN_VARIABLE):
        return Path(single)
    # a notebook without reduced parameters is run at the published scale in a preview too
    reduced = scale() == "preview" and not catalogue.notebook(notebook).parameters.preview()
    return last_folder(notebook, "published" if reduced else scale())


def manifests_of(notebook: str) -> list[Values]:
    """Read the manifests of a notebook's last run, or at the published scale those of the record."""
    folder, shown = folder_of(notebook), catalogue.outline(notebook).shown
    if folder is not None:
        # an artifact that was added since the run has no results yet
        files = [folder / "artifacts" / f"{one}.json" for one in shown]
        return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    paper = notebook.partition("/")[0]
    recorded = _recorded(paper) if scale() == "published" else {}
    return [recorded[one] for one in shown if one in recorded]


def recorded_manifests() -> list[Values]:
    """Return the manifests of all artifacts of the last complete build."""
    return [manifest for paper in PAPERS for manifest in _recorded(paper).values()]


@cache
def _recorded(paper: str) -> dict[str, Values]:
    """Put the artifacts of a paper together from the record's numbers and words, by artifact."""
    words, table, printed = read_words(paper), read_regenerated(paper), read_published(paper)
    # a number may stand under the name of another artifact than the one that computes it
    elsewhere = {tuple(key): one for one, m in words.items() for key in m["elsewhere"]}
    keys = table[_KEY].itertuples(index=False, name=None)
    makers = pd.Series([elsewhere.get(key, key[0]) for key in keys], index=table.index, dtype=object)
    manifests = {}
    for one, m in words.items():
        rows = table[makers == one]
        theirs = printed_of(one, printed, rows)
        comparison = compare(theirs, rows) if len(theirs) else theirs
        numbers = {"rows": _plain(rows), "comparison": _plain(comparison), "files": []}
        manifests[one] = {k: v for k, v in m.items() if k != "elsewhere"} | numbers
    return manifests


def _plain(table: pd.DataFrame) -> list[Values]:
    """Return rows as JSON has them, None where a value is missing."""
    return dicts(table.astype(object).where(table.notna(), None))


def write_words(manifests: Sequence[Fields]) -> None:
    """Write ``data/regenerated/<paper>.json`` from the manifests of a complete published build."""
    by_paper: dict[str, list[str]] = {paper: [] for paper in PAPERS}
    for m in manifests:
        elsewhere = dict.fromkeys(tuple(r[k] for k in _KEY) for r in m["rows"] if r["artifact"] != m["id"])
        words = {k: v for k, v in m.items() if k not in _NOT_WORDS} | {"elsewhere": [list(k) for k in elsewhere]}
        # the code's digest changes with its comments
        words["provenance"] = {k: v for k, v in m["provenance"].items() if k != "code"}
        # one line an artifact, so that a difference shows where it is
        text = json.dumps(words, sort_keys=True, ensure_ascii=False)
        by_paper[m["paper"]].append(f"{json.dumps(m['id'])}: {text}")
    for paper, lines in by_paper.items():
        write_whole(root() / "data" / "regenerated" / f"{paper}.json", "{\n" + ",\n".join(lines) + "\n}\n")


def state_of(notebook: str) -> str:
    """Return a text that changes when the results change that a notebook's page shows."""
    if (folder := folder_of(notebook)) is not None:
        return folder.name
    paper = notebook.partition("/")[0]
    files = (root() / "data" / "regenerated" / f"{paper}.{kind}" for kind in ("csv", "json"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()
