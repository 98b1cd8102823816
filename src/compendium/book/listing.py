"""What notebooks, parameters and artifacts there are, told without importing what computes them.

Importing the notebooks' code takes seconds.  What it says of them is kept in the build folder, under a digest of
everything that it follows from: the package's source, the notebooks, the printed and the regenerated numbers.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from compendium.book.places import build_folder, keep, root
from compendium.book.seals import sealed_text, unsealed
from compendium.studies import digests
from errorest import bits
from errorest.errors import UsageError
from errorest.files import discard, kept

__all__ = ["listed"]


def listed() -> list[dict[str, Any]]:
    """Return every notebook, with its parameters and artifacts, and how the printed numbers of these came out."""
    place = build_folder() / f"listing-{_digest()}.json"
    found = unsealed(kept(place))
    if found is None:
        found = {"notebooks": _told()}
        _keep(place, sealed_text(found))
    return found["notebooks"]


def _digest() -> str:
    """Digest what a listing follows from."""
    whole = hashlib.sha256(f"{digests.source_digest()} {bits.versions_digest()}".encode())
    for pattern in ("notebooks/*/*.ipynb", "data/regenerated/*.csv", "data/published/*.csv"):
        for path in sorted(root().glob(pattern)):
            whole.update(f"\n{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return whole.hexdigest()[:16]


def _keep(path: Path, text: str) -> None:
    """Keep a listing in place of those of other states; where nothing can be written, it is told anew each time."""
    try:
        for old in path.parent.glob("listing-*.json"):
            discard(old)
        keep(path, text)
    except (OSError, UsageError):
        pass


def _told() -> list[dict[str, Any]]:
    from compendium.book.catalogue import NOTEBOOKS
    from compendium.book.parameters import describe
    from compendium.evidence.verdicts import PAPERS

    status = _statuses()
    return [
        {
            "id": n.id,
            "paper": n.paper,
            "of": PAPERS[n.paper],
            "title": n.title,
            "parameters": [
                {"bounds": d.bounds, "record": [[name, told] for name, told in d.record().items()]} for d in describe(n)
            ],
            "artifacts": [
                {"id": a.id, "number": a.number, "title": n.title_of(a), "status": status.get(a.id, "not built")}
                for a in n.artifacts
            ],
        }
        for n in NOTEBOOKS
    ]


def _statuses() -> dict[str, str]:
    """Say of each artifact how its printed numbers came out in the last complete build."""
    from compendium.evidence.verdicts import PAPERS, compare, headline, read_published, read_regenerated

    found: dict[str, str] = {}
    for paper in PAPERS:
        rows = read_regenerated(paper)
        if rows.empty:
            continue
        found.update((str(artifact), "built, no printed numbers") for artifact in dict.fromkeys(rows.artifact))
        comparison = headline(compare(read_published(paper), rows))
        for artifact, group in comparison.groupby("artifact") if len(comparison) else ():
            if artifact in found:
                tally = group["verdict"].value_counts()
                found[str(artifact)] = ", ".join(f"{n} {v}" for v, n in tally.items())
    return found
