"""References to the work and to each artifact: APA, BibTeX, RIS, CFF, CodeMeta, meta tags; and the crate of a release.

``CITATION.cff`` is the one source; what it does not have (a DOI, an address, ORCIDs) is left out everywhere.  The
crate is RO-Crate 1.1, as a Process Run Crate 0.5, without a time of day: equal releases have equal bytes.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from compendium.book.templating import fill
from compendium.evidence.verdicts import OWN, PAPERS
from errorest.errors import UsageError

_REQUIRED = ("title", "version", "date-released", "authors", "license")
_TEX = str.maketrans({c: f"\\{c}" for c in "&%$#_"})


@dataclass(frozen=True)
class Work:
    """The work as ``CITATION.cff`` describes it, and the identifier of its tree."""

    fields: Mapping[str, Any]
    tree: str = ""

    @property
    def title(self) -> str:
        return str(self.fields["title"])

    @property
    def version(self) -> str:
        return str(self.fields["version"])

    @property
    def date(self) -> str:
        """The day of the version, as ``2026-01-31``."""
        return str(self.fields["date-released"])

    @property
    def abstract(self) -> str:
        """Its abstract, or its title."""
        return " ".join(str(self.fields.get("abstract", self.title)).split())

    @property
    def address(self) -> str:
        """Its DOI or its address; empty where it has neither."""
        doi = self.fields.get("doi")
        return f"https://doi.org/{doi}" if doi else str(self.fields.get("url") or "")

    @property
    def authors(self) -> tuple[Mapping[str, str], ...]:
        """People (``family-names``, ``given-names``) and groups (``name``)."""
        return tuple(self.fields["authors"])


@dataclass(frozen=True)
class Part:
    id: str
    paper: str
    number: str
    title: str

    @property
    def named(self) -> str:
        """Its title in a reference."""
        whose = "" if self.paper == OWN else f" of {PAPERS.get(self.paper, self.paper)}, regenerated"
        return f"{self.number}{whose}: {self.title}"


def read_work(folder: Path, tree: str = "") -> Work:
    try:
        fields = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
        lacking = [key for key in _REQUIRED if not fields.get(key)]
    except (OSError, yaml.YAMLError, AttributeError) as exc:
        raise UsageError(f"CITATION.cff cannot be read: {exc}") from None
    if lacking:
        raise UsageError(f"CITATION.cff has no {', '.join(lacking)}")
    return Work({**fields, "date-released": str(fields["date-released"])}, tree)


def full_name(author: Mapping[str, str]) -> str:
    return author.get("name") or f"{author['given-names']} {author['family-names']}"


def _inverted_name(author: Mapping[str, str], *, initials: bool = False) -> str:
    if "name" in author:
        return author["name"]
    given = author["given-names"]
    return f"{author['family-names']}, {' '.join(f'{n[0]}.' for n in given.split()) if initials else given}"


def cff(work: Work) -> str:
    """Write the citation file with the identifier of the tree, as a release has it."""
    fields = dict(work.fields)
    if work.tree:
        description = "The tree of the repository at this version, without this identifier."
        identifier = {"type": "swh", "value": work.tree, "description": description}
        fields["identifiers"] = [*fields.get("identifiers", []), identifier]
    return str(yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=110))


def codemeta(work: Work) -> str:
    """Write CodeMeta 2.0 (JSON-LD)."""
    fields = work.fields
    results = {
        "@context": "https://doi.org/10.5063/schema/codemeta-2.0",
        "@type": "SoftwareSourceCode",
        "name": "errorest",
        "description": work.abstract,
        "version": work.version,
        "datePublished": work.date,
        "license": f"https://spdx.org/licenses/{fields['license']}",
        "author": [_agent(author) for author in work.authors],
        "keywords": list(fields.get("keywords", [])),
        "programmingLanguage": "Python",
        "operatingSystem": "Linux",
        "identifier": [i for i in (work.tree, fields.get("doi")) if i],
        "codeRepository": fields.get("repository-code"),
        "url": work.address,
        "referencePublication": [
            {
                "@type": "CreativeWork" if r["type"] == "website" else "ScholarlyArticle",
                "name": r["title"],
                "author": [_agent(author) for author in r["authors"]],
                "datePublished": str(r["year"]),
            }
            for r in fields.get("references", [])
        ],
    }
    return json.dumps({k: v for k, v in results.items() if v}, indent=2, ensure_ascii=False) + "\n"


def _agent(author: Mapping[str, str]) -> dict[str, str]:
    if "name" in author:
        return {"@type": "Organization", "name": author["name"]}
    person = {"@type": "Person", "givenName": author["given-names"], "familyName": author["family-names"]}
    return ({"@id": author["orcid"]} if "orcid" in author else {}) | person


def apa(work: Work, part: Part | None = None) -> str:
    """Write a reference in the style of the APA, to the work or to one artifact."""
    names = [_inverted_name(author, initials=True) for author in work.authors]
    people = names[0] if len(names) == 1 else ", ".join(names[:-1]) + f", & {names[-1]}"
    whole = f"{work.title} (Version {work.version})"
    title = f"{whole} [Computer software]." if part is None else f"{part.named} [Data set]. In {whole}."
    return " ".join(filter(None, (f"{people.rstrip('.')}. ({work.date[:4]}).", title, work.address, work.tree)))


def bibtex(work: Work, part: Part | None = None) -> str:
    """Write a BibTeX entry of the work or of one artifact."""
    names = [f"{{{a['name']}}}" if "name" in a else _inverted_name(a) for a in work.authors]
    fields = {
        "author": " and ".join(names).translate(_TEX),
        "title": (part.named if part else work.title).translate(_TEX),
        "howpublished": f"In: {work.title}".translate(_TEX) if part else "",
        "version": work.version,
        "year": work.date[:4],
        "date": work.date,
        "url": work.address,
        "swhid": work.tree,
    }
    lines = ",\n".join(f"  {key} = {{{value}}}" for key, value in fields.items() if value)
    return f"@{f'misc{{errorest:{part.id}' if part else 'software{errorest'},\n{lines}\n}}"


def ris(work: Work, part: Part | None = None) -> str:
    """Write a RIS record of the work or of one artifact."""
    lines = [
        ("TY", "DATA" if part else "COMP"),
        *(("AU", _inverted_name(author)) for author in work.authors),
        ("TI", part.named if part else work.title),
        ("T2", work.title if part else ""),
        ("ET", work.version),
        ("PY", work.date[:4]),
        ("DA", work.date.replace("-", "/")),
        ("UR", work.address),
        ("N1", work.tree),
    ]
    return "\n".join([*(f"{tag}  - {value}" for tag, value in lines if value), "ER  - "])


def meta_tags(work: Work, title: str, description: str) -> str:
    """Write the tags by which a page is described and cited: description, Open Graph, ``citation_*``."""
    names = [_inverted_name(author) for author in work.authors]
    return fill("meta_tags.html", work=work, title=title, about=description or work.abstract, names=names)


CRATE = "ro-crate-metadata.json"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"
MIT = "https://spdx.org/licenses/MIT"
DATA_TERMS = "#terms-of-data"

_CRATE_1_1, _PROFILE = "https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/wfrun/process/0.5"
_CONTEXT = [f"{_CRATE_1_1}/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_TYPES = {".whl": "application/zip", ".cff": "application/yaml", ".bib": "application/x-bibtex",
          ".md": "text/markdown", ".gz": "application/gzip"}  # fmt: skip
_TERMS = "Each data set is under its own terms; LICENSE-data of the project names them."
# The profile and the licences
_WORKS: tuple[tuple[str, str, dict[str, str]], ...] = (
    (_PROFILE, "Process Run Crate", {"version": "0.5"}),
    (CC_BY, "Creative Commons Attribution 4.0 International", {}),
    (MIT, "MIT License", {}),
    (DATA_TERMS, "Terms of the data sets", {"description": _TERMS}),
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
        *(*software, *read, *parts, *authors),
        *(_entity(identifier, "CreativeWork", title, **more) for identifier, title, more in _WORKS),
    ]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


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
