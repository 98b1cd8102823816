"""What is written in YAML under ``data/``: errata, names, and the numbers, titles, captions and claims of artifacts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from errorest import determinism
from errorest.errors import UsageError

PAPERS = {
    "martin-hirschberg": "Martin & Hirschberg (1996)",
    "kohavi": "Kohavi (1995)",
    "shakhnarovich": "Shakhnarovich, El-Yaniv & Baram (2001)",
    "scheffer-herbrich": "Scheffer & Herbrich (1997)",
    "lis": "LIS course page (2001)",
    "guide": "This project's own measurements",
}
"""Ids and names of the sources; the last prints nothing that could be compared."""


def paper_of(artifact_id: str) -> str:
    """Return the id of the paper that the id of an artifact begins with, the longest where several do.

    Examples
    --------
    >>> paper_of("kohavi-table-1")
    'kohavi'
    """
    papers = _papers_of(artifact_id)
    if not papers:
        raise UsageError(f"artifact '{artifact_id}' is of no paper; expected an id that begins with one of {[*PAPERS]}")
    return papers[0]


def _papers_of(artifact_id: str) -> list[str]:
    return sorted((paper for paper in PAPERS if artifact_id.startswith(f"{paper}-")), key=len, reverse=True)


@cache
def read_data(name: str) -> dict[str, Any]:
    """Read ``data/<name>.yaml``; nothing where there is no such file."""
    file = (determinism.project_root() or Path()) / "data" / f"{name}.yaml"
    if not file.is_file():
        return {}
    try:
        # libyaml's, where it is there, is ten times as fast
        result = yaml.load(file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, ValueError, yaml.YAMLError) as exc:
        raise UsageError(f"data/{name}.yaml cannot be read: {' '.join(str(exc).split())}") from None
    return dict(result)


class Texts(NamedTuple):
    """What stands above an artifact and below its figure, with the values of parameters in braces, ``{samples}``.

    ``figure`` is the figure's caption and ``alt`` its alternative text, after what is written by the drawing; their
    braces may also name facts of the drawing.  ``figure_printed`` is a sentence that follows the caption where
    published values are drawn.
    """

    number: str
    title: str
    caption: str = ""
    figure: str = ""
    figure_printed: str = ""
    alt: str = ""


class ClaimTexts(NamedTuple):
    """A claim in our words, what its evidence is of, and whether exact numbers decide it, whatever was sampled."""

    text: str
    context: str = ""
    exact: bool = False


def claim_texts(artifact: str) -> dict[str, ClaimTexts]:
    """Return the texts of each claim of an artifact by name; an entry without a context is its text."""
    claims = _entry(paper_of(artifact), artifact).get("claims", {})
    return {name: ClaimTexts(own) if isinstance(own, str) else ClaimTexts(**own) for name, own in claims.items()}


def declared_of(artifact: str) -> dict[str, Any]:
    """Return what is written of an artifact; nothing where it has no entry."""
    entries = (read_data(f"artifacts/{paper}") for paper in _papers_of(artifact))
    return dict(next(entries, {}).get(artifact, {}))


def why_untestable(artifact: str, row: str, column: str) -> str:
    """Say why nothing is regenerated for a printed key; ``no reason is known`` where none is, which a test refuses.

    ``untestable:`` in ``data/artifacts/<paper>.yaml`` has reasons by ``row/column``, or one for all keys, ``*``; a
    regenerated row goes before a reason.
    """
    reasons = declared_of(artifact).get("untestable", {})
    return str(reasons.get(f"{row}/{column}", reasons.get("*", "no reason is known")))


# What stands in an artifact's entry beside its texts
_NO_TEXTS = ("keys", "quantity", "p-values", "leading", "figure-alone", "claims", "untestable", "differs")


def texts_of(paper: str, artifact: str) -> Texts:
    """Return the texts of one artifact."""
    entry = _entry(paper, artifact)
    return Texts(**{name: text for name, text in entry.items() if name not in _NO_TEXTS})


def meaning_of(notebook: str, parameter: str) -> str:
    """Return what a parameter of a notebook means: ``data/parameters/<paper>.yaml``, by notebook or shared by all."""
    paper, _, name = notebook.partition("/")
    texts = read_data(f"parameters/{paper}")
    return str({**texts.get("shared", {}), **texts.get(name, {})}.get(parameter, ""))


def _entry(paper: str, artifact: str) -> dict[str, Any]:
    try:
        return dict(read_data(f"artifacts/{paper}")[artifact])
    except (KeyError, TypeError, ValueError):
        raise UsageError(
            f"artifact '{artifact}' has no texts; expected an entry with number, title and caption in "
            f"data/artifacts/{paper}.yaml"
        ) from None
