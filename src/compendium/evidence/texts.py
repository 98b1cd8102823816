"""What a paper's ``artifacts.yaml`` and ``parameters.yaml`` say: numbers, titles, captions, claims, meanings."""

from __future__ import annotations

from typing import Any, NamedTuple

from compendium.evidence.papers import PAPERS
from errorest.errors import UsageError


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


class Texts(NamedTuple):
    """What stands above an artifact and below its figure, with the values of parameters in braces, ``{samples}``.

    ``figure`` is the figure's caption and ``alt`` its alternative text, after what is written by the drawing; their
    braces may also name facts of the drawing.  ``figure_printed`` is a sentence that follows the caption where
    published values are drawn.  ``subtitle`` stands above the panels (:mod:`compendium.evidence.subtitles`).
    """

    number: str
    title: str
    caption: str = ""
    figure: str = ""
    figure_printed: str = ""
    alt: str = ""
    subtitle: str = ""


class ClaimTexts(NamedTuple):
    """A claim in our words, what its evidence is of, and whether exact numbers decide it, whatever was sampled.

    ``reading`` says of what it is judged, where the caller does not.
    """

    text: str
    context: str = ""
    exact: bool = False
    reading: str = ""


def claim_texts(artifact: str) -> dict[str, ClaimTexts]:
    """Return the texts of each claim of an artifact by name; an entry without a context is its text."""
    claims = _entry(paper_of(artifact), artifact).get("claims", {})
    return {name: ClaimTexts(own) if isinstance(own, str) else ClaimTexts(**own) for name, own in claims.items()}


def declared_of(artifact: str) -> dict[str, Any]:
    """Return what is written of an artifact; nothing where it has no entry."""
    entries = (PAPERS[paper].read("artifacts") for paper in _papers_of(artifact))
    return dict(next(entries, {}).get(artifact, {}))


def why_untestable(artifact: str, row: str, column: str) -> str:
    """Say why nothing is regenerated for a printed key; ``no reason is known`` where none is, which a test refuses.

    ``untestable:`` in ``artifacts.yaml`` has reasons by ``row/column``, or one for all keys, ``*``; a
    regenerated row goes before a reason.
    """
    reasons = declared_of(artifact).get("untestable", {})
    return str(reasons.get(f"{row}/{column}", reasons.get("*", "no reason is known")))


# What stands in an artifact's entry beside its texts
_NO_TEXTS = (
    *("keys", "quantity", "p-values", "leading", "figure-alone", "claims", "untestable", "differs", "repeats"),
    *("in-page", "panels"),
)


def texts_of(paper: str, artifact: str) -> Texts:
    """Return the texts of one artifact."""
    entry = _entry(paper, artifact)
    return Texts(**{name: text for name, text in entry.items() if name not in _NO_TEXTS})


def meaning_of(notebook: str, parameter: str) -> str:
    """Return what a parameter of a notebook means: ``parameters.yaml``, by notebook or shared by all."""
    paper, _, name = notebook.partition("/")
    texts = PAPERS[paper].read("parameters") if paper in PAPERS else {}
    return str({**texts.get("shared", {}), **texts.get(name, {})}.get(parameter, ""))


def _entry(paper: str, artifact: str) -> dict[str, Any]:
    try:
        return dict(PAPERS[paper].read("artifacts")[artifact])
    except (KeyError, TypeError, ValueError):
        raise UsageError(
            f"artifact '{artifact}' has no texts; expected an entry with number, title and caption in "
            f"artifacts.yaml of {paper}"
        ) from None
