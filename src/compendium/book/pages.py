"""What the book's pages may compute: numbers, counts and tables from finished runs, the reference, the landing page.

The pages in ``book/`` are Jinja templates with ``[[ ... ]]`` and ``[% ... %]``; every result on them comes from here.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from compendium.book import catalogue, reference, verdict_tables
from compendium.book.archive import origin_html
from compendium.book.citation import Work, apa, bibtex, ris
from compendium.book.landing_page import sample_table
from compendium.book.parameters import describe
from compendium.book.places import root
from compendium.book.results import MissingError, Results, markdown_templates, to_row, to_story
from compendium.book.templating import Cell, cell_html, fill, number, table_html, words
from compendium.book.verdict_tables import claim_counts, named_counts, tally_html
from compendium.evidence.texts import PAPERS
from compendium.evidence.verdicts import OWN
from errorest import determinism
from errorest.assessment.checks.warning import CHECKS

_METHODS = ("linked_print", "compared", "artifacts_html", "statement_html", "papers_html", "verdicts_html")
_EMPTY = '<span title="computed by make book">—</span>'


class Pages:
    """Renders the pages of the book from the results of its runs."""

    def __init__(
        self, results: Results, work: Work, commit: str, *, advice: str = "", chart: str = "", command: str = ""
    ) -> None:
        self._results = results
        self._api_pages: dict[str, str] = {}
        self._environment = markdown_templates()
        self._environment.globals.update(
            **{name: self._or_gap(getattr(results, name)) for name in ("finding", "outcome")},
            **{name: self._or_gap(getattr(self, name)) for name in ("linked", "rows_table")},
            **{name: getattr(self, name) for name in _METHODS},
            num=self._or_gap(results.number),
            summary_box=results.box,
            published=results.printed,
            verdict_counts=lambda *paper: named_counts(results.judged(*paper)),
            tally_html=lambda: tally_html(results.judged(), "All papers"),
            claim_counts=lambda: claim_counts(results.of_papers()),
            statements=[(paper, name) for paper, name in PAPERS.items() if paper != OWN],
            errata=results.errata(),
            errata_html=lambda: fill("errata.html", errata=results.errata()),
            parameters_html=parameters_html,
            measured_html=measured_html,
            growth_html=growth_html,
            origin_html=origin_html,
            sample_table=lambda: sample_table(results.manifests),
            advice_html=lambda: advice,
            tuning_chart_html=lambda: chart,
            command_output=lambda: command,
            notebooks=[
                SimpleNamespace(id=n.id, paper=n.paper, title=n.title, page=f"notebooks/{n.id}.html")
                for n in catalogue.notebooks()
            ],
            api=self._api,
            cautions=CHECKS,
            settings=" ".join(f'{name}="{value}"' for name, value in determinism.ENVIRONMENT.items()),
            scale=results.scale,
            version=work.version,
            commit=commit,
            tree=work.tree,
            cited={"apa": apa(work), "bibtex": bibtex(work), "ris": ris(work)},
        )

    def render(self, template: str) -> str:
        return self._environment.from_string(template).render()

    def _api(self, module: str) -> str:
        """List a module, and note that its functions and classes need their pages."""
        self._api_pages.update(reference.pages(module))
        return reference.directives(module)

    def take_api_pages(self) -> dict[str, str]:
        """Return the pages of functions and classes that were listed since the last call."""
        listed, self._api_pages = self._api_pages, {}
        return listed

    def _or_gap(self, look_up: Callable[..., str]) -> Callable[..., str]:
        """Return a look-up that leaves a gap in a preview, which may lack what a page asks for."""

        def found(*asked: Any, **more: Any) -> str:
            try:
                return look_up(*asked, **more)
            except MissingError:
                if self._results.scale == "published":
                    raise
                return _EMPTY

        return found

    def linked(self, artifact: str, row: str, column: str, **more: Any) -> str:
        """Return a regenerated value as a link to its row, for a page of the folder ``book``."""
        text = self._results.number(artifact, row, column, **more)
        return cell_html(to_row(self._results.manifests[artifact], row, column, text))

    def linked_print(self, artifact: str, row: str, column: str) -> str:
        """Return a printed value as a link to the row where ours stands beside it."""
        text, manifest = self._results.printed(artifact, row, column), self._results.manifests.get(artifact)
        return cell_html(to_row(manifest, row, column, text)) if manifest else text

    def compared(self, *artifacts: str) -> SimpleNamespace:
        """Count the printed entries of artifacts and the reproduced ones."""
        judged = self._results.judged()
        own = judged[judged.artifact.isin(artifacts) & (judged.verdict != "setting")]
        return SimpleNamespace(total=len(own), reproduced=int((own.verdict == "reproduced").sum()))

    def artifacts_html(self, paper: str) -> str:
        rows = []
        for spec in (n for n in catalogue.notebooks() if n.paper == paper):
            for a in spec.artifacts:
                manifest = self._results.manifests.get(a.id)
                link = to_story({"notebook": spec.id, "id": a.id}, f"{a.number}: {spec.title_of(a)}")
                link = link._replace(address=f"../{link.address}")
                rows.append((link, named_counts(self._results.judged_on(a.id)), _first_finding(manifest)))
        return verdict_tables.artifacts_html(PAPERS[paper], rows)

    def wholes_html(self, paper: str) -> str:
        """Return how a paper's tables agree with the print as wholes."""
        wholes = [{**w, "artifact": m["id"]} for m in self._results.of_paper(paper) for w in m.get("wholes", [])]
        return verdict_tables.wholes_html(PAPERS[paper], wholes, self._results.link)

    def statement_html(self, paper: str) -> str:
        """Return which claims of a paper stand; a preview judges none."""
        if self._results.scale != "published":
            return fill("pending.html", what="marks")
        return verdict_tables.statement_html(self._results.of_paper(paper), PAPERS[paper], self._results.link)

    def papers_html(self) -> str:
        """Return the verdicts by paper, with links to the pages of the papers."""
        if self._results.scale != "published":
            return fill("pending.html", what="verdicts")
        papers = [(paper, name) for paper, name in PAPERS.items() if paper != OWN]
        groups = [(Cell(name, f"verdicts-{paper}.html"), self._results.judged(paper)) for paper, name in papers]
        return verdict_tables.grouped_html("Verdicts by paper", "Paper", groups)

    def verdicts_html(self, paper: str) -> str:
        """Return a paper's verdicts by reading and artifact, its tables as wholes, and which numbers differ."""
        if self._results.scale != "published":
            return fill("pending.html", what="verdicts")
        judged, name = self._results.judged(paper), PAPERS[paper]
        by_page = [(self._results.link(str(page)), own) for page, own in judged.groupby("page", sort=False)]
        apart = judged[judged.verdict.isin(["differs", "not testable"])]
        heads = [("Row", ""), ("Quantity", "text"), ("Printed", "num"), ("Ours", "num"), ("z", "num")]
        heads += [("Reading", "text"), ("Verdict", "text"), ("Why", "text")]
        groups = [
            (page, list(map(self._number_line, own.to_dict("records"))))
            for page, own in apart.groupby("page", sort=False)
        ]
        return "\n".join(
            [
                fill("verdict_lead.html", c=named_counts(judged)),
                tally_html(judged, name),
                verdict_tables.grouped_html(f"{name}: verdicts by artifact", "Artifact", by_page),
                self.wholes_html(paper),
                fill("every_number.html", groups=groups, heads=heads, results=self._results),
            ]
        )

    def _number_line(self, c: Mapping[Any, Any]) -> tuple[str | Cell, ...]:
        label, verdict = self._results.label(c["artifact"]), Cell(c["verdict"], verdict=True)
        ours = (number(c["value"], c["se"], c["decimals"]), number(c["z"], 0.1, 0), c["reading"], verdict, c["reason"])
        return label(c["row"]), label(c["column"]), str(c["printed"]).replace("-", "−"), *ours

    def rows_table(self, artifact: str, heads: Mapping[str, str]) -> str:
        """Return the rows of an artifact as a table in Markdown."""
        rows = self._results.rows_of(artifact)
        results = {(r["row"], r["column"]): number(r["value"], r["se"]) for r in reversed(rows)}
        names = dict.fromkeys(r["row"] for r in rows)
        lines = [f"| {name} | " + " | ".join(results.get((name, key), "–") for key in heads) + " |" for name in names]
        return "\n".join([f"| | {' | '.join(heads.values())} |", f"| :-- |{' --: |' * len(heads)}", *lines])


def _first_finding(manifest: Mapping[str, Any] | None) -> Cell:
    """Return an artifact's first finding, with the run that it comes from, the largest, where there are several."""
    if not manifest or not manifest["findings"]:
        return Cell("")
    scales = list(dict.fromkeys(r["scale"] for r in manifest["rows"]))
    return Cell(words(manifest["findings"][0]), small=f"({scales[-1]} run)" if len(scales) > 1 else "")


def parameters_html(notebook_id: str) -> str:
    """Return a notebook's parameters as a table."""
    spec = catalogue.notebook(notebook_id)
    columns = (("Name", ""), ("Meaning", "text"), ("Type and bounds", "text"), ("Default", ""))
    rows = [
        (Cell(d.name, code=True), d.meaning, d.expected, Cell(str(d.default), code=True))
        for d in describe(spec.parameters)
    ]
    return table_html(f"Parameters of {spec.id}", columns, rows, css="errorest-table errorest-prose")


def measured_html(benchmark: str | None = None) -> str:
    """Return what was recorded as a table, with the machine named; of all benchmarks, or of one."""
    title = "Seconds, ratios and counts, as recorded" if benchmark is None else "As recorded"
    rows = [
        (r["benchmark"].replace("_", " "), r["quantity"], _figure(r["value"]), r["unit"], r["machine"], r["date"])
        for r in _read_recorded("measured")
        if benchmark in (None, r["benchmark"])
    ]
    heads = (("Benchmark", "text"), ("Quantity", "text"), ("Value", "num"), ("Unit", "text"), ("Machine", "text"))
    return table_html(title, (*heads, ("Date", "text")), rows)


def growth_html() -> str:
    rows = [
        (r["line"], r["side"], _figure(r["x"]), _figure(r["seconds"]), r["mebibytes"] or "–")
        for r in _read_recorded("growth")
    ]
    heads = (("Over", "text"), ("What", "text"), ("Number", "num"), ("Seconds", "num"), ("MiB", "num"))
    return table_html("Seconds, and what memory grew by", heads, rows)


def _read_recorded(name: str) -> list[dict[str, str]]:
    with open(root() / "benchmarks" / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _figure(text: str) -> str:
    value = float(text)
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
