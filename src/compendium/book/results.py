"""The results that pages show, looked up by artifact, row and column: numbers, findings, outcomes, verdicts, links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import pandas as pd

from compendium.book.labels import Label, labeller
from compendium.book.templating import Cell, cell_html, measured, number, row_anchor
from compendium.book.verdict_tables import claim_counts, named_counts
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Fields
from compendium.evidence.texts import paper_of
from compendium.evidence.verdicts import compare, headline, order_of, read_published
from errorest.errors import UsageError, nearest

MORE_REPEATS = "more repeats"
"""How pages name the run with more samples than the paper's, wherever a number of it stands."""


class MissingError(UsageError):
    """A page asks for what neither a run nor the record has."""


class Results:
    """The rows, findings and outcomes of the manifests of a book."""

    def __init__(self, manifests: Sequence[Fields], scale: str) -> None:
        self.scale = scale
        self.manifests = {str(m["id"]): m for m in manifests}
        self._labels = {r["artifact"]: m["labels"] for m in manifests for r in m["rows"]}
        rows = [r for m in manifests for r in m["rows"]]
        columns = ["artifact", "reading", "scale", "row", "column", "value", "se", "n"]
        self._rows = pd.DataFrame(rows) if rows else pd.DataFrame(columns=columns)
        # the literal reading of a key first, then an unstated one, then a fitted one
        ordered = self._rows.sort_values("reading", key=lambda readings: readings.map(order_of), kind="stable")
        self._by_key = dict(iter(ordered.groupby(["artifact", "row", "column"], sort=False)))
        self._owners = {r["artifact"]: m for m in reversed(manifests) for r in reversed(m["rows"])} | self.manifests

    def row(
        self, artifact: str, row: str, column: str, reading: str | None = None, scale: str | None = None
    ) -> pd.Series:
        """Return the first row of a key, of a reading and a scale if asked; the literal reading stands first."""
        result = self._by_key.get((artifact, row, column), self._rows[:0])
        result = result if reading is None else result[result.reading == reading]
        result = result if scale is None else result[result.scale == scale]
        if result.empty:
            key = " | ".join(filter(None, (artifact, row, column, reading, scale)))
            known = [f"{r} | {c}" for a, r, c in self._by_key if a == artifact]
            hint = nearest(f"{row} | {column}", known) if known else "see: compendium list"
            raise MissingError(f"a page asks for {key}, which no run yields", hint)
        return result.iloc[0]

    def manifest(self, artifact: str) -> Fields:
        if artifact not in self.manifests:
            raise MissingError(f"a page asks for {artifact}, which no run yields")
        return self.manifests[artifact]

    def cases(self, artifact: str, column: str, ending: str = "") -> str:
        """Count the rows of an artifact that have a column and end so."""
        r = self._rows
        result = r[(r.artifact == artifact) & (r.column == column) & r.row.str.endswith(ending)]
        if result.empty:
            raise MissingError(f"a page asks for {artifact}, {column}, which no run yields")
        return str(result.row.nunique())

    def number(self, artifact: str, row: str, column: str, digits: str | None = None, **which: str) -> str:
        """Return a regenerated value with as many digits as the print has, or as are asked for."""
        one = self.row(artifact, row, column, **which)
        if digits is not None:
            return f"{one['value']:.{int(digits)}f}".replace("-", "−")
        printed = _published_row(artifact, row, column)
        return number(one["value"], one["se"], printed["decimals"] if printed is not None else None)

    def with_error(self, artifact: str, row: str, column: str, **which: str) -> str:
        """Return a regenerated value with its standard error, if it has one, as tables show them."""
        one = self.row(artifact, row, column, **which)
        printed = _published_row(artifact, row, column)
        decimals = printed["decimals"] if printed is not None else None
        if not one["se"] > 0:  # exact, or without an error
            return number(one["value"], None, decimals)
        return " ± ".join(measured(one["value"], one["se"], decimals))

    def printed(self, artifact: str, row: str, column: str) -> str:
        result = _published_row(artifact, row, column)
        if result is None:
            raise UsageError(f"a page asks for the printed {artifact}, {row}, {column}, which does not exist")
        return str(result["value"]).replace("-", "−")

    def linked(self, artifact: str, row: str, column: str, **how: str) -> str:
        """Return a regenerated value as a link to its row, for a page of the folder ``book``."""
        text = self.number(artifact, row, column, **how)
        return cell_html(to_row(self.manifests[artifact], row, column, text))

    def linked_print(self, artifact: str, row: str, column: str) -> str:
        """Return a printed value as a link to the row where ours stands beside it."""
        text, manifest = self.printed(artifact, row, column), self.manifests.get(artifact)
        return cell_html(to_row(manifest, row, column, text)) if manifest else text

    def finding(self, artifact: str, has: str) -> str:
        """Return a finding of an artifact by some words of it."""
        for finding in self.manifests.get(artifact, {}).get("findings", []):
            if has in finding:
                return str(finding)
        raise MissingError(f"a page asks for '{has}' among the findings of {artifact}, which no run yields")

    def outcome(self, artifact: str, name: str, has: str = "") -> str:
        """Return the outcome of a claim as a verb: holds, holds in part, fails, is not decided.

        The claim is found by its name, and by some words of it where several are judged under one.
        """
        for c in self.manifests.get(artifact, {}).get("checks", []):
            if c["name"] == name and has in c["claim"]:
                return str(c["outcome"]).replace("not decided", "is not decided")
        raise MissingError(f"a page asks for the claim '{name}' of {artifact}, which no run yields")

    def of_paper(self, paper: str) -> list[Fields]:
        return [m for m in self.manifests.values() if m["paper"] == paper]

    def judged(self, *papers: str) -> pd.DataFrame:
        """Return the headline verdicts of papers, or of all; none in a preview."""
        of = self._headlines.artifact.map(paper_of)
        return self._headlines[of.isin(papers or PAPERS)].reset_index(drop=True)

    @cached_property
    def _headlines(self) -> pd.DataFrame:
        """The headline verdicts of all papers; keys of artifacts that no notebook makes are left out."""
        if self.scale != "published" or self._rows.empty:
            return pd.DataFrame(columns=["artifact", "page", "verdict", "row", "column", "kind", "reading", "basis"])
        of = self._rows.artifact.map(paper_of)
        compared = pd.concat([compare(read_published(paper), self._rows[of == paper]) for paper in PAPERS])
        first = headline(compared[compared.artifact.isin(set(self._owners))].reset_index(drop=True))
        # the artifact on whose page the numbers of another may stand
        return first.assign(page=[str(self._owners[a]["id"]) for a in first.artifact])

    def judged_on(self, key: str) -> pd.DataFrame:
        """Return the headline verdicts of a paper, a notebook or an artifact: all counts come from these."""
        judged = self.judged()
        pages = {m["id"] for m in self.manifests.values() if key in (m["paper"], m["notebook"], m["id"])}
        return judged[judged.page.isin(pages)]

    def count(self, what: str, of: str = "") -> str:
        """Return a count: ``errata``, ``claims.holds``, or of verdicts, ``literal.reproduced``; of artifacts or all."""
        whole, _, part = what.partition(".")
        if what == "errata":
            return str(len(self.errata()))
        if whole == "claims":
            counted: Any = claim_counts(m for m in self.manifests.values() if PAPERS[m["paper"]].printed)
            return str(getattr(counted, part))
        judged = self.judged()
        if of:
            judged = judged[judged.artifact.isin(of.split()) & (judged.verdict != "setting")]
        counted = named_counts(judged)
        for name in what.split("."):
            counted = getattr(counted, name)
        return str(counted)

    def errata(self) -> list[SimpleNamespace]:
        """Return the errors found in print, with the artifact that shows the evidence."""
        return [
            SimpleNamespace(
                **e, artifact=m["id"], paper=PAPERS[m["paper"]].name, shown=to_artifact(m, f"Evidence: {m['number']}")
            )
            for m in self.manifests.values()
            for e in m["errata"]
        ]

    def counts(self, key: str) -> str:
        """Count the printed numbers of an artifact, notebook or paper by verdict, and its claims by outcome."""
        own = [m for m in self.manifests.values() if key in (m["id"], m["notebook"], m["paper"])]
        lines = []
        c = named_counts(self.judged_on(key))
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
        if c.repeated:
            lines.append(f"{c.repeated} more repeat numbers of other tables, where they are counted.")
        claims = claim_counts(own)
        if claims.total:
            parts = {
                "holds" if claims.holds == 1 else "hold": claims.holds,
                "in part": claims.holds_in_part,
                "fails" if claims.fails == 1 else "fail": claims.fails,
                "not decided": claims.not_decided,
            }
            lines.append(_counted("Claims", parts))
        return " ".join(lines)

    def label(self, artifact: str) -> Label:
        """Return the function that turns the keys of an artifact into words."""
        return labeller(self._labels.get(artifact, {}))

    def name(self, artifact: str) -> str:
        manifest = self.manifests.get(artifact)
        return f"{manifest['number']}: {manifest['title']}" if manifest else artifact

    def link(self, artifact: str) -> Cell:
        """Return the name of an artifact as a link, from a page of the folder ``book``."""
        owner = self._owners.get(artifact)
        return to_artifact(owner, self.name(artifact)) if owner else Cell(artifact)


def scale_note(which: Mapping[str, str]) -> str:
    """Return what stands behind a number of a named scale; nothing behind one at the paper's repeats, as tables are."""
    return f" ({MORE_REPEATS})" if "enlarged" in which.get("scale", "") else ""


def of_larger_run(manifest: Fields) -> str:
    """Return the name of the larger run, of which findings and claims are, if there is one beside the paper's."""
    return MORE_REPEATS if len({r["scale"] for r in manifest["rows"]}) > 1 else ""


def anchor(artifact: str) -> str:
    return f"artifact-{artifact}"


def to_story(notebook: str, artifact: str, text: str) -> Cell:
    """Return a link to an artifact within the text, from a page of a folder of the folder ``book``."""
    return Cell(text, f"../../notebooks/{notebook}.html#{anchor(artifact)}")


def to_artifact(manifest: Fields, text: str) -> Cell:
    """Return a link to the page of an artifact, from a page of the folder ``book``."""
    return Cell(text, f"../artifacts/{manifest['id']}.html")


def to_row(manifest: Fields, row: str, column: str, text: str) -> Cell:
    """Return a link to a row of an artifact, from a page of the folder ``book``."""
    return Cell(text, f"../artifacts/{manifest['id']}.html#{row_anchor(manifest, row, column)}")


def _published_row(artifact: str, row: str, column: str) -> pd.Series | None:
    table = read_published(paper_of(artifact))
    result = table[(table.artifact == artifact) & (table.row == row) & (table.column == column)]
    return None if result.empty else result.iloc[0]


def _counted(what: str, parts: Mapping[str, int]) -> str:
    message = ", ".join(f"{n} {name}" for name, n in parts.items() if n)
    return f"{what}: {sum(parts.values())} judged; {message}."
