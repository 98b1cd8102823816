"""The description of a release for machines: RO-Crate 1.1, as a Process Run Crate 0.5.

Equal releases have equal bytes, so a crate holds no time of day; its date is the day of the version.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from compendium.book.citation import Work, full_name

__all__ = ["CC_BY", "CRATE", "DATA_TERMS", "crate_json"]

CRATE = "ro-crate-metadata.json"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"
MIT = "https://spdx.org/licenses/MIT"
DATA_TERMS = "#terms-of-data"

_CRATE_1_1, _PROFILE = "https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/wfrun/process/0.5"
_CONTEXT = [f"{_CRATE_1_1}/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_TYPES = {".whl": "application/zip", ".cff": "application/yaml", ".bib": "application/x-bibtex",
          ".md": "text/markdown", ".gz": "application/gzip"}  # fmt: skip
_TERMS = "Each data set is under its own terms; LICENSE-data of the project names them."

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
    name = f"errorest {work.version}"
    parts = [_file(folder, file) for file in sorted(files)]
    read = [
        _entity(f"#input-{n}", "CreativeWork", key, description=text, sha256=_sha256(content), license=_link(licence))
        for n, (key, text, content, licence) in enumerate(inputs, 1)
    ]
    software = [
        _entity(f"#software-{quote(key)}", "SoftwareApplication", key, softwareVersion=version)
        for key, version in packages.items()
    ]
    authors = [_person(place, author) for place, author in enumerate(work.authors, 1)]
    graph = [
        {"@id": CRATE, "@type": "CreativeWork", "about": _link("./"), "conformsTo": _link(_CRATE_1_1)},
        _entity(
            "./",
            "Dataset",
            name,
            conformsTo=_link(_PROFILE),
            description=f"{about} The date is that of the version: equal releases have equal bytes.",
            datePublished=work.date,
            license=_link(CC_BY),
            author=_links(authors),
            publisher=_links(authors),
            hasPart=_links(parts),
            mentions=_link("#run"),
        ),
        _entity(_PROFILE, "CreativeWork", "Process Run Crate", version="0.5"),
        _entity(
            "#run",
            "CreateAction",
            name,
            description=about,
            instrument=_link("#software-errorest"),
            object=_links(read),
            result=_links(parts),
        ),
        _entity(
            "#software-errorest",
            "SoftwareApplication",
            "errorest",
            description=work.title,
            softwareVersion=work.version,
            identifier=[identifier for identifier in (commit, work.tree) if identifier],
            license=_link(MIT),
            author=_links(authors),
            softwareRequirements=_links(software),
            **({"url": work.address} if work.address else {}),
        ),
        *(*software, *read, *parts, *authors, *_licences()),
    ]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _licences() -> list[Entity]:
    return [
        _entity(CC_BY, "CreativeWork", "Creative Commons Attribution 4.0 International"),
        _entity(MIT, "CreativeWork", "MIT License"),
        _entity(DATA_TERMS, "CreativeWork", "Terms of the data sets", description=_TERMS),
    ]


def _person(place: int, author: Mapping[str, str]) -> Entity:
    kind = "Organization" if "name" in author else "Person"
    return _entity(author.get("orcid", f"#author-{place}"), kind, full_name(author))


def _entity(identifier: str, kind: str, name: str, /, **more: Any) -> Entity:
    return {"@id": identifier, "@type": kind, "name": name, **more}


def _file(folder: Path, name: str) -> Entity:
    content = (folder / name).read_bytes()
    kind = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name, strict=False)[0] or "text/plain"
    size = str(len(content))
    return _entity(quote(name), "File", name, encodingFormat=kind, contentSize=size, sha256=_sha256(content))


def _link(identifier: str) -> dict[str, str]:
    return {"@id": identifier}


def _links(entities: Iterable[Entity]) -> list[dict[str, str]]:
    return [_link(entity["@id"]) for entity in entities]


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
