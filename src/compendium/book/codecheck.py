"""The file by which somebody else checks that the results come out: ``codecheck.yml``, CODECHECK's specification 2.0.

A release brings a draft.  It names every file that regenerates a table or a figure; names, ORCIDs and what a check
finds are fields that people fill in, and :func:`refuse_incomplete` says which are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from compendium.book.citation import Part, Work, full_name
from compendium.evidence.records import Fields, Values
from errorest.errors import UsageError

NAME = "codecheck.yml"
_VERSION = "https://codecheck.org.uk/spec/config/2.0/"
_HEAD = f"""---
# A draft. Fill in what is empty, put the file at the root of the repository, and ask 'compendium codecheck {NAME}'.
# 'make book' writes the files of the manifest.
"""
# Fields that no release can know: what the check finds, and where it is published
_OF_THE_CHECK = ("summary", "repository", "check_time", "certificate", "report")
_CERTIFICATE = re.compile(r"\d{4}-\d{3}")


def draft(work: Work, parts: Sequence[Part], artifacts: Path, shown: str) -> str:
    """Write a draft: the files of a site's artifacts, which lie in the folder ``shown`` of a repository."""
    people = [a for a in work.authors if "name" not in a] or [{}]
    # an ORCID without the address before it
    authors = [{"name": full_name(a) if a else "", "ORCID": str(a.get("orcid", "")).rpartition("/")[2]} for a in people]
    files = [path.name for path in sorted(artifacts.iterdir()) if not path.stem.endswith("-dark")]
    fields: Values = {
        "version": _VERSION,
        "paper": {"title": work.title, "authors": authors, "reference": work.address},
        "manifest": [
            {"file": f"{shown}/{file}", "comment": part.named}
            for part in parts
            for file in files_of(part, files, parts)
        ],
        "codechecker": [{"name": "", "ORCID": ""}],
        **dict.fromkeys(_OF_THE_CHECK, ""),
        "repository": str(work.fields.get("repository-code", "")),
    }
    return _HEAD + str(yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=110))


def files_of(part: Part, files: Sequence[str], parts: Sequence[Part]) -> list[str]:
    """Return the data and figures of an artifact, by their names; the id of one may begin with that of another."""
    longer = [one.id for one in parts if one.id.startswith(f"{part.id}-")]

    def own(file: str, artifact: str) -> bool:
        return file.startswith((f"{artifact}.", f"{artifact}-"))

    kinds = (".csv", ".svg")
    return [f for f in files if f.endswith(kinds) and own(f, part.id) and not any(own(f, one) for one in longer)]


def refuse_incomplete(file: Path) -> int:
    """Return the number of files in the manifest of a ``codecheck.yml``; refuse one with empty or wrong fields."""
    try:
        text = file.read_text(encoding="utf-8")
        fields = yaml.safe_load(text)
        faults = list(_faults(fields, file.parent))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as exc:
        why = " ".join(str(exc).split())[:200]
        raise UsageError(f"{file} cannot be read ({why})", "start from the draft of a release") from None
    except (AttributeError, TypeError, KeyError):
        raise UsageError(f"{file} is no configuration of a check", "start from the draft of a release") from None
    if not text.startswith("---"):
        faults.insert(0, "does not begin with ---")
    if faults:
        more = f"; and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise UsageError(f"{file}: {'; '.join(faults[:5])}{more}", "names, ORCIDs and findings are people's to give")
    return len(fields["manifest"])


def _faults(fields: Fields, folder: Path) -> Iterator[str]:
    paper = fields["paper"]
    people = {"paper.authors": paper["authors"], "codechecker": fields["codechecker"]}
    single = {"paper.title": paper["title"], "paper.reference": paper["reference"]}
    for name, value in (single | {name: fields.get(name) for name in _OF_THE_CHECK}).items():
        if not value:
            yield f"{name} is empty"
    if fields["certificate"] and not _CERTIFICATE.fullmatch(str(fields["certificate"])):
        yield f"certificate is {fields['certificate']}; expected a year and a number, as 2026-001"
    for name, persons in people.items():
        if not persons:
            yield f"{name} is empty"
        for place, person in enumerate(persons, 1):
            if not person.get("name"):
                yield f"the name of {name} {place} is empty"
            if not is_orcid(str(person.get("ORCID") or "")):
                yield f"the ORCID of {name} {place} is {person.get('ORCID') or 'empty'}"
    if not fields["manifest"]:
        yield "manifest is empty"
    for entry in fields["manifest"]:
        if not (folder / entry["file"]).is_file():
            yield f"{entry['file']} of the manifest is missing"


def is_orcid(text: str) -> bool:
    """Whether a text is an ORCID, whose last digit checks the others (ISO 7064, mod 11-2)."""
    if not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return text[-1] == ("X" if check == 10 else str(check))
