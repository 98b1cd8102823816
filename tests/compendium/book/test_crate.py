"""A release's crate says what was read, with what, and what came out; every file is as it says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from compendium.book.citing.citation import Work
from compendium.book.citing.crate import CC_BY, CRATE, DATA_TERMS, Action, Input, crate_json

WORK = Work(
    {"title": "W", "version": "1", "date-released": "2026-01-31", "authors": [{"name": "They"}]},
    "swh:1:dir:" + "0" * 40,
)
ACTION = Action(
    "A run", "What it does.", [Input("iris", "Data.", "ab" * 32, DATA_TERMS)], {"sizes": [10, 20], "a name": "é"},
    {"numpy": "2.4.0"}, "c" * 40,
)  # fmt: skip


def faults(folder: Path) -> list[str]:
    """What RO-Crate 1.1 and Process Run Crate 0.5 ask of a crate, as far as a release has it."""
    crate = json.loads((folder / CRATE).read_text(encoding="utf-8"))
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    found = [] if len(graph) == len(crate["@graph"]) else ["two entities have one id"]
    if "https://w3id.org/ro/crate/1.1/context" not in crate["@context"]:
        found.append("context")
    descriptor, root = graph[CRATE], graph["./"]
    if descriptor["conformsTo"] != {"@id": "https://w3id.org/ro/crate/1.1"} or descriptor["about"] != {"@id": "./"}:
        found.append("descriptor")
    found += [f"root has no {key}" for key in ("name", "description", "datePublished", "license") if not root.get(key)]
    if root["conformsTo"]["@id"] != "https://w3id.org/ro/wfrun/process/0.5":
        found.append("profile")
    for entity in graph.values():
        found += [] if "@type" in entity else [f"{entity['@id']} has no type"]
        for value in entity.values():
            links = [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict)]
            found += [
                f"{entity['@id']} leads to {link['@id']}, which is not described"
                for link in links
                if link["@id"] not in graph and not link["@id"].startswith("https://")
            ]
    parts = {link["@id"] for link in root["hasPart"]}
    for entity in graph.values():
        if entity["@type"] == "File":
            found += [] if entity["@id"] in parts else [f"{entity['@id']} is no part of the root"]
            content = (folder / entity["name"]).read_bytes()
            if (hashlib.sha256(content).hexdigest(), str(len(content))) != (entity["sha256"], entity["contentSize"]):
                found.append(f"{entity['@id']} is not what the crate says")
    action = graph[root["mentions"]["@id"]]
    software = graph[action["instrument"]["@id"]]
    if action["@type"] != "CreateAction" or software["@type"] != "SoftwareApplication":
        found.append("action")
    if {link["@id"] for link in action["result"]} != parts or not action["object"]:
        found.append("what was read or came out is missing")
    return found


@pytest.fixture
def folder(tmp_path):
    for name in ("CITATION.cff", "a b.csv", "x.svg"):
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_crate_is_whole_and_says_what_it_must(folder):
    files = ["CITATION.cff", "x.svg", "a b.csv"]
    text = crate_json(folder, WORK, ACTION, files)
    (folder / CRATE).write_text(text, encoding="utf-8")
    assert faults(folder) == []
    graph = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    assert graph["a%20b.csv"]["encodingFormat"] == "text/csv"
    assert graph["#parameter-sizes"]["value"] == "[10, 20]"
    assert graph["#input-1"]["license"] == {"@id": DATA_TERMS}
    assert graph["./"]["license"] == {"@id": CC_BY}
    assert WORK.tree in graph["#software-errorest"]["identifier"]
    assert text == crate_json(folder, WORK, ACTION, files[::-1]), "the order of files decides nothing"


def test_a_changed_file_and_a_dangling_link_are_found(folder):
    (folder / CRATE).write_text(crate_json(folder, WORK, ACTION, ["CITATION.cff"]), encoding="utf-8")
    (folder / "CITATION.cff").write_text("another")
    assert faults(folder) == ["CITATION.cff is not what the crate says"]
    crate = json.loads((folder / CRATE).read_text())
    crate["@graph"] = [entity for entity in crate["@graph"] if entity["@id"] != CC_BY]
    crate["@graph"] = [entity for entity in crate["@graph"] if entity["@id"] != "#input-1"]
    (folder / CRATE).write_text(json.dumps(crate))
    assert "#run leads to #input-1, which is not described" in faults(folder)
