"""The contents of the book, and the pages that are written beside the sources when a build begins.

``_toc.yml`` names no paper: ``glob: book/papers/*`` means the papers in their order, each with its notebooks.
Pages of artifacts, of verdicts and of public names are written, as autosummary does, and git ignores them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from compendium.book import catalogue, look_ups, manifests, reference
from compendium.book.places import write_whole
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields, Values

_PAPERS = {"glob": "book/papers/*"}
_ARTIFACT = """---
orphan: true
---

# {whose}{number}: {title}

All numbers, readings, claims and files. Question, findings and code: {{doc}}`{story} </notebooks/{notebook}>`.

```{{whole-artifact}} {artifact}
```
"""
_VERDICTS = """# Verdicts: {short}

What the words mean, and how a verdict is made: {{doc}}`verdicts`. The text on the paper: {{doc}}`papers/{paper}`.

```{{verdicts}} {paper}
```
"""


def read_contents(source: Path) -> Values:
    """Read ``_toc.yml``, and put the papers and the pages of their verdicts into their places."""
    contents: Values = yaml.safe_load((source / "_toc.yml").read_text(encoding="utf-8"))
    printed = [paper for paper in PAPERS.values() if paper.printed]
    for part in contents.get("parts", []):
        if _PAPERS in part["chapters"]:
            here = part["chapters"].index(_PAPERS)
            part["chapters"][here : here + 1] = [
                {
                    "file": f"book/papers/{paper.id}",
                    "sections": [
                        {"file": page}
                        for page in (*(f"notebooks/{paper.id}/{name}" for name in paper.sections), *paper.pages)
                    ],
                }
                for paper in printed
            ]
        for entry in part["chapters"]:
            if entry["file"] == "book/verdicts":
                entry["sections"] = [{"file": f"book/verdicts-{paper.id}"} for paper in printed]
    return contents


def files_of(contents: Fields) -> list[str]:
    """List the pages of a table of contents, without their endings."""
    return [contents["root"], *(file for part in contents.get("parts", []) for file in _files(part["chapters"]))]


def _files(entries: Sequence[Fields]) -> Iterator[str]:
    for entry in entries:
        yield entry["file"]
        yield from _files(entry.get("sections", []))


def add_below(entries: Sequence[Values], below: Mapping[str, Sequence[Values]]) -> None:
    """Put pages below those that lead to them, for the sidebar."""
    for entry in entries:
        add_below(entry.get("sections", []), below)
        if pages := below.get(entry["file"]):
            entry["sections"] = [*entry.get("sections", []), *pages]


def write_pages(source: Path) -> Path:
    """Write the pages of artifacts, verdicts and public names, and contents that have them; return these."""
    contents = read_contents(source)
    listed = {*files_of(contents)}
    written: list[Path] = []
    below: dict[str, list[Values]] = {}
    for one in (name for name in catalogue.NOTEBOOKS if f"notebooks/{name}" in listed):
        story, paper = catalogue.outline(one).title, PAPERS[one.partition("/")[0]]
        # the page's own title names the paper, for searches; the sidebar shows it below its notebook
        whose = f"{paper.short}, " if paper.printed else ""
        for artifact, (number, title) in headings(one).items():
            page = f"artifacts/{artifact}"
            text = _ARTIFACT.format(
                whose=whose, number=number, title=title, story=story, notebook=one, artifact=artifact
            )
            written.append(_write_page(source, page, text))
            below.setdefault(f"notebooks/{one}", []).append({"file": page, "title": f"{number}: {title}"})
    for paper in PAPERS.values():
        if (page := f"book/verdicts-{paper.id}") in listed:
            written.append(_write_page(source, page, _VERDICTS.format(short=paper.short, paper=paper.id)))
    for listing in sorted((source / "book" / "reference").glob("*.md")):
        for module in look_ups.modules_of(listing.read_text(encoding="utf-8")):
            for name, text in reference.pages(module):
                api = f"book/reference/api/{name}"
                below.setdefault(f"book/reference/{listing.stem}", []).append(
                    {"file": api, "title": name.removeprefix(f"{module}.")}
                )
                written.append(_write_page(source, api, text))
    for pattern in ("artifacts/*.md", "book/verdicts-*.md", "book/reference/api/*.md"):
        for file in {*source.glob(pattern)} - {*written}:
            file.unlink()  # of what is no more
    for part in contents.get("parts", []):
        add_below(part["chapters"], below)
    toc = look_ups.pages_folder() / "_toc.yml"
    write_changed(toc, yaml.safe_dump(contents, sort_keys=False))
    return toc


def headings(notebook: str) -> dict[str, tuple[str, str]]:
    """Return numbers and titles of a notebook's artifacts; other parameters than the published may stand in a title."""
    if manifests.scale() == "published" or manifests.folder_of(notebook) is None:
        return catalogue.headings(notebook)
    return {m["id"]: (m["number"], m["title"]) for m in manifests.manifests_of(notebook)}


def _write_page(source: Path, name: str, text: str) -> Path:
    write_changed(source / f"{name}.md", text)
    return source / f"{name}.md"


def write_changed(path: Path, text: str) -> None:
    """Write a file whose text has changed; the page of one that is written again is read again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)
