"""The description of a release for machines: RO-Crate 1.1, as a Process Run Crate 0.5.

Equal releases have equal bytes, so a crate holds no time of day; its date is the day of the version.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from compendium.book.citation import Work, full_name

__all__ = ["CC_BY", "CRATE", "DATA_TERMS", "crate_json"]

CRATE = "ro-crate-metadata.json"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"
MIT = "https://spdx.org/licenses/MIT"
DATA_TERMS = "#terms-of-data"

_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_CONTEXT = ["https://w3id.org/ro/crate/1.1/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_TYPES = {".whl": "application/zip", ".cff": "application/yaml", ".bib": "application/x-bibtex",
          ".md": "text/markdown", ".gz": "application/gzip"}  # fmt: skip
_LICENCES = (
    {"@id": CC_BY, "@type": "CreativeWork", "name": "Creative Commons Attribution 4.0 International"},
    {"@id": MIT, "@type": "CreativeWork", "name": "MIT License"},
    {
        "@id": DATA_TERMS,
        "@type": "CreativeWork",
        "name": "Terms of the data sets",
        "description": "Each data set is under its own terms; LICENSE-data of the project names them.",
    },
)

Entity = dict[str, Any]


def crate_json(
    folder: Path,
    work: Work,
    about: str,
    files: Iterable[str],
    inputs: Iterable[tuple[str, str, bytes, str]],
    packages: Mapping[str, str],
    commit: str,
) -> str:
    """Describe the files of a folder, made from inputs (name, description, content, licence)."""
    name, title = f"errorest {work.version}", {"@type": "CreativeWork"}
    parts = [_file(folder, file) for file in sorted(files)]
    read = _read(inputs)
    software = [
        {"@id": f"#software-{quote(key)}", "@type": "SoftwareApplication", "name": key, "softwareVersion": version}
        for key, version in packages.items()
    ]
    authors = _authors(work)
    people = _links(authors) if len(authors) > 1 else _links(authors)[0]
    graph: list[Entity] = [
        {"@id": CRATE, **title, "about": {"@id": "./"}, "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}},
        {
            "@id": "./",
            "@type": "Dataset",
            "conformsTo": {"@id": _PROFILE},
            "name": name,
            "description": f"{about} The date is that of the version: equal releases have equal bytes.",
            "datePublished": work.date,
            "license": {"@id": CC_BY},
            "author": people,
            "publisher": people,
            "hasPart": _links(parts),
            "mentions": {"@id": "#run"},
        },
        {"@id": _PROFILE, **title, "name": "Process Run Crate", "version": "0.5"},
        {
            "@id": "#run",
            "@type": "CreateAction",
            "name": name,
            "description": about,
            "instrument": {"@id": "#software-errorest"},
            "object": _links(read),
            "result": _links(parts),
        },
        {
            "@id": "#software-errorest",
            "@type": "SoftwareApplication",
            "name": "errorest",
            "description": work.title,
            "softwareVersion": work.version,
            "identifier": [identifier for identifier in (commit, work.tree) if identifier],
            "license": {"@id": MIT},
            "author": people,
            "softwareRequirements": _links(software),
            **({"url": work.address} if work.address else {}),
        },
    ]
    graph += [*software, *read, *parts, *authors, *_LICENCES]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _read(inputs: Iterable[tuple[str, str, bytes, str]]) -> list[Entity]:
    """Describe the inputs (name, description, content, licence)."""
    return [
        {
            "@id": f"#input-{number}",
            "@type": "CreativeWork",
            "name": name,
            "description": text,
            "sha256": _sha256(content),
            "license": {"@id": licence},
        }
        for number, (name, text, content, licence) in enumerate(inputs, 1)
    ]


def _authors(work: Work) -> list[Entity]:
    """Describe the authors as persons or organizations."""
    return [
        {
            "@id": author.get("orcid", f"#author-{number}"),
            "@type": "Organization" if "name" in author else "Person",
            "name": full_name(author),
        }
        for number, author in enumerate(work.authors, 1)
    ]


def _links(entities: Sequence[Entity]) -> list[dict[str, str]]:
    return [{"@id": entity["@id"]} for entity in entities]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _file(folder: Path, name: str) -> Entity:
    content = (folder / name).read_bytes()
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name, strict=False)[0] or "text/plain"
    return {
        "@id": quote(name),
        "@type": "File",
        "name": name,
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": _sha256(content),
    }
