"""References to the work and to each artifact: APA, BibTeX, RIS, CFF, CodeMeta, meta tags; and the crate of a release.

``CITATION.cff`` is the one source; what it does not have (a DOI, an address, ORCIDs) is left out everywhere.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from compendium.book.templating import fill
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields
from errorest.errors import UsageError

if TYPE_CHECKING:
    from compendium.book.notebook import Notebook
    from compendium.evidence.artifact import Artifact

_REQUIRED = ("title", "version", "date-released", "authors", "license")
_TEX = str.maketrans({c: f"\\{c}" for c in "&%$#_"})


@dataclass(frozen=True)
class Work:
    """The work as ``CITATION.cff`` describes it, and the identifier of its tree."""

    fields: Fields
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
        paper = PAPERS[self.paper]
        whose = f" of {paper.name}, regenerated" if paper.printed else ""
        return f"{self.number}{whose}: {self.title}"


def part_of(spec: Notebook, one: Artifact) -> Part:
    """Return how an artifact of a notebook is cited: by its title at the published parameters."""
    return Part(one.id, spec.paper, one.number, spec.title_of(one))


def read_work(folder: Path, tree: str = "") -> Work:
    import yaml

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
    import yaml

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


def ris(work: Work) -> str:
    """Write a RIS record of the work."""
    lines = [
        ("TY", "COMP"),
        *(("AU", _inverted_name(author)) for author in work.authors),
        ("TI", work.title),
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
_CC_BY = "https://creativecommons.org/licenses/by/4.0/"
_RO_CRATE = "https://w3id.org/ro/crate/1.1"
_CONTEXT = [f"{_RO_CRATE}/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]


def crate_json(folder: Path, work: Work, about: str, commit: str) -> str:
    """Describe the files of a folder as an RO-Crate 1.1."""

    def links(entities: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
        return [{"@id": entity["@id"]} for entity in entities]

    authors = [
        {
            "@id": author.get("orcid", f"#author-{place}"),
            "@type": "Organization" if "name" in author else "Person",
            "name": full_name(author),
        }
        for place, author in enumerate(work.authors, 1)
    ]
    files = [
        {
            "@id": quote(path.name),
            "@type": "File",
            "name": path.name,
            "encodingFormat": mimetypes.guess_type(path.name, strict=False)[0] or "application/octet-stream",
            "contentSize": str(path.stat().st_size),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.iterdir())
        if path.name != CRATE
    ]
    whole = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"errorest {work.version}",
        "description": f"{about} The date is that of the version: equal releases have equal bytes.",
        "identifier": [identifier for identifier in (commit, work.tree, work.address) if identifier],
        "datePublished": work.date,
        "license": {"@id": _CC_BY},
        "author": links(authors),
        "publisher": links(authors),
        "hasPart": links(files),
    }
    crate = {"@id": CRATE, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": {"@id": _RO_CRATE}}
    licence = {"@id": _CC_BY, "@type": "CreativeWork", "name": "Creative Commons Attribution 4.0 International"}
    graph = [crate, whole, *files, *authors, licence]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"
