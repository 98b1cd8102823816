"""What the book's pages may compute: numbers, counts and tables from finished runs.

The pages in ``book/`` are Jinja templates with ``[[ ... ]]`` and ``[% ... %]``;
every number on them that is a result comes through here.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from types import SimpleNamespace
from typing import Any

import pandas as pd

from compendium.book import catalogue
from compendium.book.citation import Work, apa, bibtex, ris
from compendium.book.counted import artifacts_html, named_counts, tally_html, wholes_html
from compendium.book.front import sample_table
from compendium.book.in_short import Shorts, engine
from compendium.book.labels import Label, labeller
from compendium.book.numbers import number, row_anchor
from compendium.book.parameters import describe
from compendium.book.places import root
from compendium.book.record.archive import origin_html
from compendium.book.reference import directives
from compendium.book.render import badge, scroll, words
from compendium.book.statement import claim_counts, rows_table, statement_html
from compendium.evidence.artifact import paper_of
from compendium.evidence.judging import VERDICTS
from compendium.evidence.verdicts import OWN, PAPERS, compare, counts, headline, read_published
from errorest import bits
from errorest.assessment.caution import CAUTIONS
from errorest.errors import UsageError

__all__ = ["Pages"]

_EMPTY = '<span title="computed by make book">—</span>'


class Pages:
    """Renders the pages of the book from the manifests of its runs."""

    def __init__(
        self,
        manifests: Sequence[Mapping[str, Any]],
        scale: str,
        work: Work,
        commit: str,
        advice: str = "",
    ) -> None:
        self._scale = scale
        self._manifests = {m["id"]: m for m in manifests}
        rows = [r for m in manifests for r in m["rows"]]
        self._labels = {r["artifact"]: m["labels"] for m in manifests for r in m["rows"]}
        self._rows = pd.DataFrame(rows) if rows else pd.DataFrame(columns=["artifact", "row", "column", "reading"])
        self._comparison = {
            p: compare(read_published(p), self._rows[self._rows.artifact.map(paper_of) == p])
            if scale == "published"
            else pd.DataFrame()
            for p in PAPERS
        }
        self._shorts = Shorts(self._manifests, self._rows, self.printed, scale == "published")
        self._engine = engine()
        self._engine.globals.update(
            in_short=self.in_short,
            settings=" ".join(f'{name}="{value}"' for name, value in bits.ENVIRONMENT.items()),
            finding=self.finding,
            outcome=self.outcome,
            sided=self.sided,
            compared=self.compared,
            num=self.num,
            published=self.printed,
            verdict_counts=self.verdict_counts,
            artifacts_html=self.artifacts_html,
            tally_html=self.tally_html,
            notebooks=[
                SimpleNamespace(id=n.id, paper=n.paper, title=n.title, page=f"notebooks/{n.id}.html")
                for n in catalogue.notebooks()
            ],
            errata=self.errata(),
            verdicts_html=self.verdicts_html,
            wholes_html=self.wholes_html,
            claim_counts=lambda paper=None: claim_counts(self._told(), paper),
            statements=[(paper, name) for paper, name in PAPERS.items() if paper != OWN],
            statement_html=self.statement_html,
            rows_table=lambda artifact, heads: rows_table(self._manifests[artifact], heads),
            errata_html=self.errata_html,
            parameters_html=self.parameters_html,
            measured_html=measured_html,
            growth_html=growth_html,
            origin_html=origin_html,
            api=directives,
            cautions=CAUTIONS,
            scale=scale,
            version=work.version,
            commit=commit,
            tree=work.tree,
            cited={"apa": apa(work), "bibtex": bibtex(work), "ris": ris(work)},
        )
        self._offer_landing_page(advice)

    def _offer_landing_page(self, advice: str) -> None:
        """Add what the landing page alone asks for."""
        self._engine.globals.update(
            short=self._shorts.paragraph,
            linked=self.linked,
            linked_print=self.linked_print,
            sample_table=lambda: sample_table(self._manifests),
            advice_html=lambda: advice,
        )

    def take(self, chart: str, command: str) -> None:
        """Take into the pages what does not depend on the runs; called before any is rendered."""
        self._engine.globals.update(tuning_chart_html=lambda: chart, command_output=lambda: command)

    def render(self, template: str) -> str:
        """Render one page."""
        return self._engine.from_string(template).render()

    def in_short(self, key: str) -> str:
        """Write the box on top of a notebook's or a paper's page."""
        return self._shorts.box(key)

    def num(self, artifact: str, row: str, column: str, reading: str | None = None, digits: int | None = None) -> str:
        """Write a regenerated value, at the published scale where there is one."""
        one = self._row(artifact, row, column, reading)
        if one is None:
            return _EMPTY
        if digits is not None:
            return f"{one['value']:.{digits}f}".replace("-", "−")
        printed = self._printed_row(artifact, row, column)
        return number(one["value"], one["se"], printed["decimals"] if printed is not None else None)

    def linked(
        self, artifact: str, row: str, column: str, reading: str | None = None, digits: int | None = None
    ) -> str:
        """Write a regenerated value as a link to its row, for a page of the folder ``book``."""
        return self._to_row(artifact, row, column, self.num(artifact, row, column, reading, digits))

    def linked_print(self, artifact: str, row: str, column: str) -> str:
        """Write a printed value as a link to the row where ours stands beside it."""
        return self._to_row(artifact, row, column, self.printed(artifact, row, column))

    def _to_row(self, artifact: str, row: str, column: str, text: str) -> str:
        manifest = self._manifests.get(artifact)
        if manifest is None or text == _EMPTY:
            return text
        return f'<a href="../notebooks/{manifest["notebook"]}.html#{row_anchor(manifest, row, column)}">{text}</a>'

    def sided(self, artifact: str, row: str, column: str, above: str, below: str, reading: str | None = None) -> str:
        """Write the size of a regenerated value and, behind it, the word for the side of zero on which it lies."""
        one = self._row(artifact, row, column, reading)
        if one is None:
            return _EMPTY
        printed = self._printed_row(artifact, row, column)
        size = number(abs(one["value"]), one["se"], printed["decimals"] if printed is not None else None)
        return f"{size} {above if one['value'] >= 0 else below}"

    def _row(self, artifact: str, row: str, column: str, reading: str | None) -> pd.Series | None:
        """Return the first row of a key; None where a preview has none."""
        r = self._rows
        found = r[(r.artifact == artifact) & (r.row == row) & (r.column == column)]
        if reading is not None:
            found = found[found.reading == reading]
        if found.empty and self._scale == "published":
            raise UsageError(f"a page asks for {artifact}, {row}, {column}, {reading}, which no run yields")
        return None if found.empty else found.iloc[0]

    def finding(self, artifact: str, has: str) -> str:
        """Write what an artifact's run found, by some words of it; numbers and words are the run's."""
        return self._said(artifact, "findings", [text for text in self._of(artifact, "findings") if has in text], has)

    def outcome(self, artifact: str, begins: str, has: str = "") -> str:
        """Write what follows for a claim, as a verb: holds, holds in part, fails, is not decided."""
        own = [c for c in self._of(artifact, "checks") if c["claim"].startswith(begins) and has in c["claim"]]
        return self._said(
            artifact, "checks", [c["outcome"].replace("not decided", "is not decided") for c in own], begins
        )

    def _of(self, artifact: str, what: str) -> list[Any]:
        return list(self._manifests[artifact][what]) if artifact in self._manifests else []

    def _said(self, artifact: str, what: str, found: Sequence[str], asked: str) -> str:
        if not found and self._scale == "published":
            raise UsageError(f"a page asks for '{asked}' among the {what} of {artifact}, which no run yields")
        return found[0] if found else _EMPTY

    def compared(self, *artifacts: str) -> SimpleNamespace:
        """Count the printed entries of artifacts and the reproduced ones, and name the others."""
        judged = self._judged(list(PAPERS))
        own = [c for c in judged[judged.artifact.isin(artifacts)].to_dict("records") if c["verdict"] != "setting"]
        same = [c for c in own if c["verdict"] == "reproduced"]
        told = [
            f"{labeller(self._labels.get(c['artifact'], {}))(c['row'])}, {c['column']}, printed {c['printed']}, "
            + (c["reason"] or f"ours {number(c['value'], c['se'], c['decimals'])}")
            for c in own
            if c["verdict"] != "reproduced"
        ]
        return SimpleNamespace(total=len(own), reproduced=len(same), others="; ".join(told))

    def printed(self, artifact: str, row: str, column: str) -> str:
        """Write a printed value."""
        found = self._printed_row(artifact, row, column)
        if found is None:
            raise UsageError(f"a page asks for the printed {artifact}, {row}, {column}, which does not exist")
        return str(found["value"]).replace("-", "−")

    def _printed_row(self, artifact: str, row: str, column: str) -> pd.Series | None:
        paper = paper_of(artifact)
        table = read_published(paper)
        found = table[(table.artifact == artifact) & (table.row == row) & (table.column == column)]
        return None if found.empty else found.iloc[0]

    def _judged(self, papers: Sequence[str]) -> pd.DataFrame:
        """Headline verdicts of what the book covers; keys of artifacts that no notebook makes are left out."""
        parts = [headline(self._comparison[p]) for p in papers if len(self._comparison[p])]
        if not parts:
            return pd.DataFrame(columns=["artifact", "verdict", "row", "column"])
        whole = pd.concat(parts, ignore_index=True)
        covered = {*self._manifests, *self._rows.artifact}
        return whole[whole.artifact.isin(covered)]

    def verdict_counts(self, paper: str | None = None) -> SimpleNamespace:
        """Count headline verdicts of one paper or of all, by the kind of reading as well."""
        return named_counts(self._judged([paper] if paper else list(PAPERS)))

    def tally_html(self, paper: str | None = None) -> str:
        """Write the headline verdicts by kind of reading as a table."""
        judged = self._judged([paper] if paper else list(PAPERS))
        return tally_html(judged, PAPERS[paper] if paper else "All papers")

    def artifacts_html(self, paper: str) -> str:
        """Write a paper's artifacts with page, counts and a one-line finding."""
        rows = []
        judged = self._judged([paper])
        for spec in catalogue.notebooks():
            if spec.paper != paper:
                continue
            for a in spec.artifacts:
                manifest = self._manifests.get(a.id)
                own = named_counts(judged[judged.artifact == a.id])
                first = (
                    f"{words(manifest['findings'][0])}{_scale_of(manifest)}"
                    if manifest and manifest["findings"]
                    else ""
                )
                address = f"../../notebooks/{spec.id}.html#{anchor(a.id)}"
                rows.append((f"{a.number}: {spec.title_of(a)}", address, own, first))
        return artifacts_html(PAPERS[paper], rows)

    def wholes_html(self) -> str:
        """Write how the tables agree with the print as wholes, paper by paper."""
        parts = []
        for paper, name in PAPERS.items():
            own = [
                {**w, "artifact": m["id"]}
                for m in self._manifests.values()
                if m["paper"] == paper
                for w in m.get("wholes", [])
            ]
            parts.append(wholes_html(name, own, self._link))
        return "\n".join(part for part in parts if part)

    def _told(self) -> list[Mapping[str, Any]]:
        """Return the manifests of what papers say, apart from the project's own measurements."""
        return [m for m in self._manifests.values() if m["paper"] != OWN]

    def statement_html(self, paper: str) -> str:
        """Write which claims of a paper stand; a preview judges none."""
        if self._scale != "published":
            return "<p>The marks are filled in by <code>make book</code>.</p>"
        return statement_html(self._told(), paper, PAPERS[paper], self._link)

    def errata(self) -> list[SimpleNamespace]:
        """List the errors found in print, with the artifact that shows the evidence."""
        return [
            SimpleNamespace(**e, paper=PAPERS[m["paper"]], artifact=m["id"], notebook=m["notebook"])
            for m in self._manifests.values()
            for e in m["errata"]
        ]

    def errata_html(self) -> str:
        """Write the errata as a table with links to the evidence."""
        rows = "".join(
            f'<tr><th scope="row">{escape(e.paper)}<br/>{escape(e.place)}'
            f"{'<br/><small>as scanned</small>' if e.as_scanned else ''}</th>"
            f'<td class="text" data-label="Printed">{words(e.printed)}</td>'
            f'<td class="text" data-label="Should be">{words(e.should_be)}</td>'
            f'<td class="text" data-label="Evidence">{words(e.evidence)} '
            f'<a href="../notebooks/{e.notebook}.html#{anchor(e.artifact)}">'
            f"Evidence: {escape(self._manifests[e.artifact]['number'])}</a></td></tr>"
            for e in self.errata()
        )
        return scroll(
            '<table class="errorest-table errorest-prose"><caption>Errors in print</caption><thead><tr>'
            '<th scope="col">Place</th><th scope="col">Printed</th><th scope="col">Should be</th>'
            f'<th scope="col">Evidence</th></tr></thead><tbody>{rows}</tbody></table>',
            "Errors in print",
        )

    def verdicts_html(self) -> str:
        """Write counts an artifact, and every printed number with its verdict."""
        if self._scale != "published":
            return "<p>The verdicts are filled in by <code>make book</code>.</p>"
        parts = [
            "<h2>Find a number</h2>",
            '<div class="errorest-verdicts"><script src="../explore/verdicts.js" defer></script></div>',
            "<noscript><p>The table that filters needs scripts; the tables below hold the same numbers.</p></noscript>",
        ]
        for paper, name in PAPERS.items():
            judged = self._judged([paper])
            if judged.empty:
                continue
            parts.append(tally_html(judged, name))
            parts.append(self._summary(paper, name, judged))
            parts.append(self._numbers(name, judged))
        return "\n".join(parts)

    def verdict_rows(self) -> list[list[str]]:
        """List every printed number with its verdict as texts, for the table that filters; the last one is its page."""
        rows = []
        for paper, name in PAPERS.items():
            for c in self._judged([paper]).to_dict("records"):
                artifact = str(c["artifact"])
                owner = self._owner(artifact)
                label = labeller(self._labels.get(artifact, {}))
                page = f"../notebooks/{owner['notebook']}.html#{anchor(owner['id'])}" if owner is not None else ""
                z = number(c["z"], 0.1, 0) if pd.notna(c["z"]) else "–"
                ours = number(c["value"], c["se"], c["decimals"])
                said = [str(c["reading"] or ""), str(c["verdict"]), str(c["reason"] or "")]
                printed = str(c["printed"]).replace("-", "−")
                place = [name, self._name(artifact), label(str(c["row"])), label(str(c["column"]))]
                rows.append([*place, printed, ours, z, *said, page])
        return rows

    def _owner(self, artifact: str) -> Mapping[str, Any] | None:
        """Return the manifest that holds an artifact's rows."""
        if artifact in self._manifests:
            return self._manifests[artifact]
        return next((m for m in self._manifests.values() if any(r["artifact"] == artifact for r in m["rows"])), None)

    def _link(self, artifact: str) -> str:
        manifest = self._owner(artifact)
        if manifest is None:
            return escape(artifact)
        address = f"../notebooks/{manifest['notebook']}.html#{anchor(manifest['id'])}"
        return f'<a href="{address}">{escape(self._name(artifact))}</a>'

    def _name(self, artifact: str) -> str:
        """Name an artifact as its page does, or by its id where it stands on no page of its own."""
        manifest = self._manifests.get(artifact)
        return f"{manifest['number']}: {manifest['title']}" if manifest else artifact

    def _summary(self, paper: str, name: str, judged: pd.DataFrame) -> str:
        rows = []
        for artifact in dict.fromkeys(judged.artifact):
            found = counts(judged[judged.artifact == artifact])
            cells = "".join(f'<td class="num">{found[v] or "·"}</td>' for v in VERDICTS)
            rows.append(f'<tr><th scope="row">{self._link(artifact)}</th>{cells}</tr>')
        total = counts(judged)
        foot = "".join(f'<td class="num">{total[v]}</td>' for v in VERDICTS)
        heads = "".join(f'<th scope="col" class="num">{v.capitalize()}</th>' for v in VERDICTS)
        return scroll(
            f'<table class="errorest-table"><caption>{escape(name)}: verdicts by artifact</caption>'
            f'<thead><tr><th scope="col">Artifact</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody>'
            f'<tfoot><tr><th scope="row">All</th>{foot}</tr></tfoot></table>',
            f"{name}: verdicts by artifact",
        )

    def _numbers(self, name: str, judged: pd.DataFrame) -> str:
        parts = [f"<h2>{escape(name)}: every printed number</h2>"]
        for artifact, group in judged.groupby("artifact", sort=False):
            label = labeller(self._labels.get(str(artifact), {}))
            rows = "".join(_number_row(c, label) for c in group.to_dict("records"))
            heads = ("Row", "Quantity", "Printed", "Ours", "z", "Reading", "Verdict", "Why")
            classes = {"Printed": "num", "Ours": "num", "z": "num"}
            head = "".join(f'<th scope="col" class="{classes.get(h, "text")}">{h}</th>' for h in heads)
            table = scroll(
                f'<table class="errorest-table"><caption>{self._link(str(artifact))}</caption>'
                f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
                f"Every printed number of {self._name(str(artifact))}",
            )
            title = escape(self._name(str(artifact)))
            parts.append(f"<details><summary>{title}: {len(group)} numbers</summary>{table}</details>")
        return "\n".join(parts)

    def parameters_html(self, notebook_id: str) -> str:
        """Write a notebook's parameters as a table."""
        spec = catalogue.notebook(notebook_id)
        rows = "".join(
            f'<tr><th scope="row"><code>{d.name}</code></th><td class="text">{escape(d.meaning)}</td>'
            f'<td class="text">{escape(d.type)}{f", {escape(d.bounds)}" if d.bounds else ""}</td>'
            f"<td><code>{escape(str(d.default))}</code></td></tr>"
            for d in describe(spec.parameters)
        )
        return scroll(
            f'<table class="errorest-table errorest-prose"><caption>Parameters of {escape(spec.id)}</caption>'
            '<thead><tr><th scope="col">Name</th><th scope="col">Meaning</th><th scope="col">Type and bounds</th>'
            f'<th scope="col">Default</th></tr></thead><tbody>{rows}</tbody></table>',
            f"Parameters of {spec.id}",
        )


def _number_row(c: Mapping[Any, Any], label: Label) -> str:
    z = number(c["z"], 0.1, 0) if pd.notna(c["z"]) else "–"
    return (
        f'<tr><th scope="row">{escape(label(c["row"]))}</th><td class="text">{escape(label(c["column"]))}</td>'
        f'<td class="num">{escape(str(c["printed"])).replace("-", "−")}</td>'
        f'<td class="num">{number(c["value"], c["se"], c["decimals"])}</td><td class="num">{z}</td>'
        f'<td class="text">{escape(c["reading"])}</td><td class="text">{badge(c["verdict"])}</td>'
        f'<td class="text">{escape(c["reason"])}</td></tr>'
    )


def _scale_of(manifest: Mapping[str, Any]) -> str:
    """Name the run that findings come from, the largest, where there are several."""
    scales = list(dict.fromkeys(r["scale"] for r in manifest["rows"]))
    return f" <small>({escape(scales[-1])} run)</small>" if len(scales) > 1 else ""


def measured_html(benchmark: str | None = None) -> str:
    """Write what was recorded as a table, with the machine named; of all benchmarks, or of one."""
    recorded = [r for r in _read_recorded("measured") if benchmark in (None, r["benchmark"])]
    title = "Seconds, ratios and counts, as recorded" if benchmark is None else "As recorded"
    rows = [
        (
            r["benchmark"].replace("_", " "),
            r["quantity"],
            _figure(float(r["value"])),
            r["unit"],
            r["machine"],
            r["date"],
        )
        for r in recorded
    ]
    return _recorded_table(title, ("Benchmark", "Quantity", "Value", "Unit", "Machine", "Date"), ("Value",), rows)


def growth_html() -> str:
    """Write how seconds and memory grow as a table."""
    rows = [
        (r["line"], r["side"], _figure(float(r["x"])), _figure(float(r["seconds"])), r["mebibytes"] or "–")
        for r in _read_recorded("growth")
    ]
    heads = ("Over", "What", "Number", "Seconds", "MiB")
    return _recorded_table("Seconds, and what memory grew by", heads, ("Number", "Seconds", "MiB"), rows)


def _read_recorded(name: str) -> list[dict[str, str]]:
    with open(root() / "benchmarks" / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _recorded_table(title: str, heads: Sequence[str], numbers: Collection[str], rows: Iterable[Sequence[str]]) -> str:
    """Write texts as a table, with some columns of numbers."""
    classes = ["num" if head in numbers else "text" for head in heads]
    head = "".join(f'<th scope="col" class="{c}">{h}</th>' for h, c in zip(heads, classes, strict=True))
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f'<td class="{c}">{escape(text)}</td>' for text, c in zip(row[1:], classes[1:], strict=True))
        + "</tr>"
        for row in rows
    )
    return scroll(
        f'<table class="errorest-table"><caption>{title}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        title,
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def anchor(artifact_id: str) -> str:
    """Return the anchor of an artifact on its page."""
    return f"artifact-{artifact_id}"
