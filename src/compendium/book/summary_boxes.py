"""The box on top of a page: what came out, with how many printed numbers agree and how many claims hold.

Texts stand in ``book/summary-boxes.yml``, by notebook or paper, as templates that look recorded results up.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import jinja2
import yaml

from compendium.book.places import root
from compendium.book.results import MissingError, Results
from compendium.book.verdict_tables import claim_counts, named_counts

__all__ = ["SummaryBoxes", "markdown_templates", "texts"]


@lru_cache(maxsize=1)
def texts() -> Mapping[str, str]:
    """Return the templates by notebook or paper."""
    read = yaml.safe_load((root() / "book" / "summary-boxes.yml").read_text(encoding="utf-8"))
    return {str(key): str(text).strip() for key, text in read.items()}


def markdown_templates() -> jinja2.Environment:
    """Return the environment of the book's templates, whose marks leave braces and percent signs alone."""
    return jinja2.Environment(
        block_start_string="[%",
        block_end_string="%]",
        variable_start_string="[[",
        variable_end_string="]]",
        comment_start_string="[##",
        comment_end_string="##]",
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )


class SummaryBoxes:
    """Fills the boxes from the results of the book's runs."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._environment = markdown_templates()
        self._environment.globals.update(
            ours=results.with_error,
            cases=results.cases,
            finding=results.finding,
            outcome=lambda *claim: f"**{results.outcome(*claim)}**",
            published=results.printed,
        )

    def box(self, key: str) -> str:
        """Return the box of a notebook or paper as Markdown; the empty text where no text is written for it."""
        if key not in texts():
            return ""
        paragraphs = [self._paragraph(text) for text in texts()[key].split("\n\n")]
        paragraphs.insert(max(1, len(paragraphs) - 1), self.counts(key))
        text = "\n\n".join(p for p in paragraphs if p)
        return f"::::::{{admonition}} In short\n:class: errorest-short\n\n{text}\n::::::\n"

    def _paragraph(self, text: str) -> str:
        """Fill a paragraph; a preview leaves one out that asks for what it lacks."""
        try:
            return self._environment.from_string(text).render().strip()
        except MissingError:
            if self._results.scale == "published":
                raise
            return ""

    def counts(self, key: str) -> str:
        """Count the printed numbers of an artifact, notebook or paper by verdict, and its claims by outcome."""
        own = [m for m in self._results.manifests.values() if key in (m["id"], m["notebook"], m["paper"])]
        lines = []
        c = named_counts(self._results.judged_on(key))
        if c.judged:
            parts = {
                "reproduced as worded": c.literal.reproduced,
                "reproduced where the paper is silent": c.unstated.reproduced,
                "reproduced by a reading fitted to them": c.fitted.reproduced,
                "close": c.close,
                "different": c.differs,
                "without power": c.no_power,
            }
            lines.append(_counted("Printed numbers", parts))
        claims = claim_counts(own)
        if claims.total:
            parts = {"hold": claims.holds, "in part": claims.holds_in_part, "fail": claims.fails}
            lines.append(_counted("Claims", {**parts, "not decided": claims.not_decided}))
        return " ".join(lines)


def _counted(what: str, parts: Mapping[str, int]) -> str:
    told = ", ".join(f"{n} {name}" for name, n in parts.items() if n)
    return f"{what}: {sum(parts.values())} judged; {told}."
