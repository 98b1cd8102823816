"""A release described for machines: RO-Crate 1.1 in the profile of a Process Run Crate 0.5.

Equal releases have equal bytes, so a crate holds no time of day and no person: it says what was read, with which
parameters and software, what came out, and under which licence.  ``datePublished`` is the day of the version that
made it.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from compendium.book.citing.citation import Work

__all__ = ["CC_BY", "CRATE", "DATA_TERMS", "MIT", "Action", "Input", "crate_json"]

CRATE = "ro-crate-metadata.json"
"""Name of the file that describes a crate."""

CC_BY = "https://creativecommons.org/licenses/by/4.0/"
"""Licence of texts, figures and regenerated numbers."""

MIT = "https://spdx.org/licenses/MIT"
"""Licence of the code."""

DATA_TERMS = "#terms-of-data"
"""Stands for the terms of each data set."""

_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_CONTEXT = ["https://w3id.org/ro/crate/1.1/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_TYPES = {".whl": "application/zip", ".cff": "application/yaml", ".bib": "application/x-bibtex",
          ".md": "text/markdown", ".gz": "application/gzip"}  # fmt: skip
_LICENCES: tuple[dict[str, str], ...] = (
    {"@id": CC_BY, "name": "Creative Commons Attribution 4.0 International"},
    {"@id": MIT, "name": "MIT License"},
    {
        "@id": DATA_TERMS,
        "name": "Terms of the data sets",
        "description": "Each data set stays under its own terms; LICENSE-data of the project names them. "
        "A file of one's own is under the terms that its owner gives it.",
    },
)


class Input(NamedTuple):
    """What was read."""

    name: str
    about: str
    sha256: str
    licence: str


@dataclass(frozen=True)
class Action:
    """What was done: a command, what it read, its parameters, the software."""

    name: str
    about: str
    inputs: Sequence[Input]
    parameters: Mapping[str, Any]
    packages: Mapping[str, str]
    commit: str


def crate_json(folder: Path, work: Work, action: Action, files: Sequence[str]) -> str:
    """Describe the files of a folder."""
    parts = [_file(folder, name) for name in sorted(files)]
    inputs = [_input(place, one) for place, one in enumerate(action.inputs)]
    given = [
        {"@id": f"#parameter-{quote(name)}", "@type": "PropertyValue", "name": name, "value": json.dumps(value)}
        for name, value in action.parameters.items()
    ]
    packages = [
        {"@id": f"#software-{quote(name)}", "@type": "SoftwareApplication", "name": name, "softwareVersion": version}
        for name, version in action.packages.items()
    ]
    graph = [
        {
            "@id": CRATE,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "conformsTo": {"@id": _PROFILE},
            "name": action.name,
            "description": f"{action.about} The date is that of the version: equal releases have equal bytes.",
            "datePublished": work.date,
            "license": {"@id": CC_BY},
            "author": _one_or_all(_authors(work)),
            "publisher": _one_or_all(_authors(work)),
            "hasPart": _links(parts),
            "mentions": {"@id": "#run"},
        },
        {"@id": _PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
        {
            "@id": "#run",
            "@type": "CreateAction",
            "name": action.name,
            "description": action.about,
            "instrument": {"@id": "#software-errorest"},
            "object": _links([*inputs, *given]),
            "result": _links(parts),
        },
        _software(work, action.commit, packages),
        *packages,
        *inputs,
        *given,
        *parts,
        *_authors(work),
        *({"@type": "CreativeWork", **licence} for licence in _LICENCES),
    ]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _links(entities: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [{"@id": entity["@id"]} for entity in entities]


def _one_or_all(entities: Sequence[Mapping[str, Any]]) -> dict[str, str] | list[dict[str, str]]:
    """Link to entities; a list of one is not what RO-Crate wants."""
    links = _links(entities)
    return links[0] if len(links) == 1 else links


def _file(folder: Path, name: str) -> dict[str, Any]:
    content = (folder / name).read_bytes()
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name, strict=False)[0] or "text/plain"
    return {
        "@id": quote(name),
        "@type": "File",
        "name": name,
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _input(place: int, one: Input) -> dict[str, Any]:
    return {
        "@id": f"#input-{place + 1}",
        "@type": "CreativeWork",
        "name": one.name,
        "description": one.about,
        "sha256": one.sha256,
        "license": {"@id": one.licence},
    }


def _authors(work: Work) -> list[dict[str, Any]]:
    found = []
    for place, author in enumerate(work.authors):
        name = author.get("name") or f"{author['given-names']} {author['family-names']}"
        kind = "Organization" if "name" in author else "Person"
        found.append({"@id": author.get("orcid", f"#author-{place + 1}"), "@type": kind, "name": name})
    return found


def _software(work: Work, commit: str, packages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found = {
        "@id": "#software-errorest",
        "@type": "SoftwareApplication",
        "name": "errorest",
        "description": work.title,
        "softwareVersion": work.version,
        "identifier": [name for name in (commit, work.tree) if name],
        "license": {"@id": MIT},
        "author": _one_or_all(_authors(work)),
        "softwareRequirements": _links(packages),
        "url": work.address,
    }
    return {key: value for key, value in found.items() if value}
