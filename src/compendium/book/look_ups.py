"""What pages may ask of the results: roles for numbers and words, directives for tables; and the grammar of both.

A role gives a number or a word, a directive a table, a figure or a whole artifact::

    {ours}`lis-field-guide | 1-nn/rms-percent | loo`
    {num}`kohavi-table-1 | vehicle | c4.5 | reading=literal | digits=1`
    {outcome}`lis-claims | loo-unbiased`

A notebook, which people read as it is, has the text itself, followed by a comment with the same fields: see
:mod:`compendium.book.prose_numbers`.
"""

from __future__ import annotations

import csv
import inspect
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from compendium.book import catalogue, in_page, manifests, panels, reference, source_pages, verdict_tables
from compendium.book.citation import Work, apa, bibtex, part_of, read_work, ris
from compendium.book.made_by import made_by
from compendium.book.parameters import describe
from compendium.book.places import build_folder, root
from compendium.book.results import MissingError, Results, of_larger_run, to_row, to_story
from compendium.book.runs import environment
from compendium.book.source_state import commit_of, tree_id
from compendium.book.templating import Cell, fill, number, table_html, words
from compendium.evidence.errata import derivations, errata_module
from compendium.evidence.papers import PAPERS, Paper
from compendium.evidence.records import dicts
from compendium.plots.marks import read_marks
from errorest.assessment.checks.warning import CHECKS
from errorest.errors import UsageError

_OPTION = re.compile(r"(?P<name>reading|scale|digits)=(?P<value>.*)", re.DOTALL)
_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')
ROLE = re.compile(r"\{(?P<role>[a-z-]+)\}`(?P<fields>[^`]*)`")
"""A role in a page's text."""


def fields_of(text: str) -> tuple[list[str], dict[str, str]]:
    """Split what a role or a comment asks for: fields between bars, in a table ``\\|``, and ``name=value``."""
    fields = [field.strip() for field in text.replace("\\|", "|").split("|")]
    options = {found["name"]: found["value"] for found in map(_OPTION.fullmatch, fields) if found}
    return [field for field in fields if not _OPTION.fullmatch(field)], options


# What is shown, read once a build


@cache
def results() -> Results:
    """Return the results of the last runs at the scale of this build, or of the record."""
    return Results([m for one in catalogue.NOTEBOOKS for m in manifests.manifests_of(one)], manifests.scale())


@cache
def work() -> Work:
    return read_work(root(), tree_id(root()))


@cache
def commit() -> str:
    return commit_of(root())


LOOK_UPS: Mapping[str, str] = {
    "num": "number",
    "ours": "with_error",
    "print": "printed",
    "linked": "linked",
    "linked-print": "linked_print",
    "cases": "cases",
    "count": "count",
    "outcome": "outcome",
    "finding": "finding",
}
"""By role the method of :class:`~compendium.book.results.Results` that gives the text in its place."""

ROLES = (*LOOK_UPS, "edition")


def role_text(role: str, text: str) -> str:
    """Return what stands in the place of a role."""
    named, how = fields_of(text)
    if role != "edition":
        return str(getattr(results(), LOOK_UPS[role])(*named, **how))
    # the version, the commit or the identifier of the tree, as Markdown
    kind, _, digest = commit().rpartition("-")
    built_from = f"`{kind}-{digest}`" if kind else f"commit `{digest}`"
    return {"version": work().version, "commit": built_from, "tree": f"`{work().tree}`"}[named[0]]


def filled(page: str) -> str:
    """Return a page as a journal takes it: text in the place of each role, and no parts of other scales."""

    def of_scale(found: re.Match[str]) -> str:
        return found[3] if found[2] == manifests.scale() else ""

    page = re.sub(r"^(:{4,})\{only\} (\w+)\n(.*?)^\1\n", of_scale, page, flags=re.DOTALL | re.MULTILINE)
    return ROLE.sub(lambda f: role_text(f["role"], f["fields"]) if f["role"] in ROLES else f[0], expanded(page))


# Directives that are Markdown, put in before a page is parsed


def _rows(artifact: str, *heads: str) -> str:
    """Return the rows of an artifact as a table, with a column for each ``key=heading``."""
    columns = dict(head.split("=", 1) for head in heads)
    rows = results().manifest(artifact)["rows"]
    texts = {(r["row"], r["column"]): number(r["value"], r["se"]) for r in reversed(rows)}
    names = dict.fromkeys(r["row"] for r in rows)
    lines = [f"| {name} | " + " | ".join(texts.get((name, key), "–") for key in columns) + " |" for name in names]
    return "\n".join([f"| | {' | '.join(columns.values())} |", f"| :-- |{' --: |' * len(columns)}", *lines])


def _warnings() -> str:
    """Return the checks of estimates as a table, and below it a section for each."""
    table, sections = ["| id | what it says | raised by |", "|---|---|---|"], []
    for id_, one in CHECKS.items():
        table.append(f"| {{ref}}`{id_} <warning-{id_.lower()}>` | {one.title} | {one.raised_by} |")
        sections.append(f"(warning-{id_.lower()})=\n## {id_}: {one.title}\n\n{one.why} {one.remedy}")
    return "\n\n".join(["\n".join(table), *sections])


def _parameters() -> str:
    """Return the parameters of every notebook as one table, of which a reader chooses a notebook."""
    rows = [
        (
            Cell(one.name, code=True),
            Cell(name, f"../notebooks/{name}.html"),
            one.meaning,
            one.expected,
            Cell(str(one.default), code=True),
        )
        for name in catalogue.NOTEBOOKS
        for one in describe(catalogue.parameters(name))
    ]
    return fill("all_parameters.html", rows=rows)


def _errata_html() -> str:
    """Return the errata of all papers, and the functions that compute their evidence."""
    by_place: dict[tuple[str, str], Callable[..., Any]] = {}
    functions = []
    for paper in (paper for paper in _printed_papers() if errata_module(paper.id)):
        parts = []
        for function, own in groupby(derivations(paper.id), lambda one: one.evidence.compute):
            code = highlight(inspect.getsource(function), PythonLexer(), HtmlFormatter(cssclass="highlight"))
            # names and punctuation have the colour of the text, and are most of the marks
            parts.append((function, Markup(_PLAIN.sub(r"\1", code)), statements := list(own)))
            by_place |= {(one.artifact, one.place): function for one in statements}
        functions.append((paper.name, parts))
    return fill("errata.html", errata=results().errata(), by_place=by_place, functions=functions)


def _printed_papers() -> list[Paper]:
    return [paper for paper in PAPERS.values() if paper.printed]


def _claims() -> str:
    """Return which claims of the papers hold; a preview judges none."""
    if results().scale != "published":
        return fill("pending.html", what="marks")
    by_paper = {one.name: results().of_paper(one.id) for one in _printed_papers()}
    return verdict_tables.statement_html(by_paper, results().link)


MARKDOWN: Mapping[str, Callable[..., str]] = {
    "api": reference.directives,
    "warnings": _warnings,
    "claims": _claims,
    "notebook-parameters": _parameters,
    "rows": _rows,
}
_BLOCK = re.compile(rf"^```\{{(?P<name>{'|'.join(MARKDOWN)})\}}[ ]*(?P<fields>.*)\n```$", re.MULTILINE)


def expanded(page: str) -> str:
    """Return a page with the Markdown that some directives stand for."""

    def markdown(found: re.Match[str]) -> str:
        try:
            return MARKDOWN[found["name"]](*filter(None, fields_of(found["fields"])[0]))
        except MissingError:
            return fill("missing.html", notebook="")

    return _BLOCK.sub(markdown, page)


def modules_of(page: str) -> list[str]:
    """List the modules whose public names a page of the reference has."""
    return [found["fields"].strip() for found in _BLOCK.finditer(page) if found["name"] == "api"]


# Directives that are HTML


def _artifact_html(template: str, artifact: str) -> str:
    """Render an artifact for the page of its notebook (``story``), or for its own page (``whole``)."""
    from compendium.book.render import Placed, artifact_html, story_html

    manifest = results().manifest(artifact)
    spec, one = catalogue.artifact(artifact)
    functions = [f for f in made_by(one) if f.what != "draws" or manifest["figure"]]
    made = [(f.what, f.name, f"{source_pages.page_of(f.file)}.html#{f.name}") for f in functions]
    source = next(address.partition("#")[0] for what, _, address in made if what == "tabulates")
    folder, figure = manifests.folder_of(manifest["notebook"]), manifest.get("figure")
    pictures = [figure, *figure.get("others", [])] if folder is not None and figure else []
    files = [Path(folder or "", "artifacts", picture["svg"]) for picture in pictures]
    # where numbers stand in each picture; nowhere in those that no run has drawn
    marks = [read_marks(file) if file.is_file() else {} for file in files]
    placed = Placed(commit(), source, work(), part_of(spec, one), made, marks)
    if template == "whole":
        return artifact_html(manifest, "", placed)
    counts = results().counts(artifact) if manifest["scale"] == "published" else ""
    return story_html(manifest, "../../artifacts/", placed, counts)


def _artifacts_html(paper: str) -> str:
    """Return a paper's artifacts with their counts and their first finding, each with a link into its notebook."""
    rows = []
    for notebook in (name for name in catalogue.NOTEBOOKS if name.partition("/")[0] == paper):
        for artifact, (number_, title) in catalogue.headings(notebook).items():
            link = to_story(notebook, artifact, f"{number_}: {title}")
            finding, manifest = Cell(""), results().manifests.get(artifact)
            if manifest and manifest["findings"]:
                # of the largest run, which is named where there are several
                larger = of_larger_run(manifest)
                finding = Cell(words(manifest["findings"][0]), small=f"({larger})" if larger else "")
            rows.append((link, verdict_tables.named_counts(results().judged_on(artifact)), finding))
    return verdict_tables.artifacts_html(PAPERS[paper].name, rows)


def _papers_html() -> str:
    """Return the verdicts by paper, with links to the pages of the papers."""
    if results().scale != "published":
        return fill("pending.html", what="verdicts")
    groups = [(Cell(one.name, f"verdicts-{one.id}.html"), results().judged(one.id)) for one in _printed_papers()]
    return verdict_tables.grouped_html("Verdicts by paper", "Paper", groups)


def _verdicts_html(paper: str) -> str:
    """Return a paper's verdicts by reading and artifact, its tables as wholes, and which numbers differ."""
    if results().scale != "published":
        return fill("pending.html", what="verdicts")
    judged, name = results().judged(paper), PAPERS[paper].name
    by_page = [(results().link(str(page)), own) for page, own in judged.groupby("page", sort=False)]
    apart = judged[judged.verdict.isin(["differs", "not testable"])]
    by_artifact = [(str(page), _by_reason(own)) for page, own in apart.groupby("page", sort=False)]
    wholes = [{**w, "artifact": m["id"]} for m in results().of_paper(paper) for w in m.get("wholes", [])]
    return "\n".join(
        [
            fill("verdict_lead.html", c=verdict_tables.named_counts(judged)),
            verdict_tables.tally_html(judged, name),
            verdict_tables.grouped_html(f"{name}: verdicts by artifact", "Artifact", by_page),
            verdict_tables.causes_html(judged, name),
            verdict_tables.wholes_html(name, wholes, results().link),
            fill("every_number.html", artifacts=by_artifact, results=results()),
        ]
    )


def _by_reason(numbers: pd.DataFrame) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    """Return an artifact's numbers below what explains them: verdict, reason and lines; those that differ first.

    A line is row, quantity, print, ours, z, reading, and what is said of this number alone.
    """
    groups: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for c in dicts(numbers.sort_values("verdict", kind="stable")):
        label, shared = results().label(c["artifact"]), c["note"] or c["reason"]
        printed, ours = str(c["printed"]).replace("-", "−"), number(c["value"], c["se"], c["decimals"])
        alone = c["reason"] if c["note"] else ""
        line = (label(c["row"]), label(c["column"]), printed, ours, number(c["z"], 0.1, 0), c["reading"], alone)
        groups.setdefault((c["verdict"], shared), []).append(line)
    return [(verdict, reason, lines) for (verdict, reason), lines in groups.items()]


def _measured_html(benchmark: str | None = None) -> str:
    """Return what was recorded as a table, with the machine named; of all benchmarks, or of one."""
    title = "Seconds, ratios and counts, as recorded" if benchmark is None else "As recorded"
    rows = [
        (r["benchmark"].replace("_", " "), r["quantity"], _figure(r["value"]), r["unit"], r["machine"], r["date"])
        for r in _read_recorded("measured")
        if benchmark in (None, r["benchmark"])
    ]
    heads = (("Benchmark", "text"), ("Quantity", "text"), ("Value", "num"), ("Unit", "text"), ("Machine", "text"))
    return table_html(title, (*heads, ("Date", "text")), rows)


def _growth_html() -> str:
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


def _block_of_a_paper(paper: Paper, name: str) -> str:
    """Return a block that a paper brings: its values from the results, in its template."""
    module, _, function = paper.blocks[name].partition(":")
    values = getattr(import_module(f"{paper.package}.{module}"), function)(results().manifests, _data_of)
    if values is None:
        raise MissingError(f"a page asks for the block '{name}' of {paper.id}, which no run yields")

    def row_link(artifact: str, row: str, column: str, text: str) -> Cell:
        return to_row(results().manifest(artifact), row, column, text)

    return fill(f"{name}.html", **values, row_link=row_link)


def _data_of(artifact: str, name: str) -> pd.DataFrame | None:
    """Return the data that an artifact of the last run has by a name; None where there is no run."""
    folder = manifests.folder_of(catalogue.notebook_of(artifact))
    file = folder / "artifacts" / f"{artifact}-{name}.csv" if folder is not None else None
    return pd.read_csv(file) if file is not None and file.is_file() else None


def _loaded() -> dict[str, object]:
    """Return how large what a page loads to run Python is, and where it comes from."""
    return {"megabytes": in_page.megabytes(), "host": urlsplit(in_page.CDN).hostname}


def _origin_html() -> str:
    # few pages need it, and the others do without its imports
    return str(import_module("compendium.book.archive").origin_html())


def pages_folder() -> Path:
    """Return the folder of what a build of pages writes for itself."""
    return build_folder() / "pages" / manifests.scale()


BLOCKS: Mapping[str, Callable[..., str]] = {
    "artifact": partial(_artifact_html, "story"),
    "whole-artifact": partial(_artifact_html, "whole"),
    "artifacts-of": _artifacts_html,
    "verdict-counts": lambda key: fill("counts.html", text=results().counts(key)),
    "tally": lambda: fill("tally.html", c=verdict_tables.named_counts(results().judged())),
    "verdict-kinds": lambda: verdict_tables.tally_html(results().judged(), "All papers"),
    "verdict-causes": lambda: verdict_tables.causes_html(results().judged(), "All papers"),
    "verdict-papers": _papers_html,
    "verdicts": _verdicts_html,
    "errata": _errata_html,
    "measured": _measured_html,
    "growth": _growth_html,
    "own-data": lambda: fill("own_data.html", **_loaded()),
    "panel": lambda notebook: panels.panel_html(notebook, **_loaded()),
    "origin": _origin_html,
    **{name: partial(_block_of_a_paper, paper, name) for paper in PAPERS.values() for name in paper.blocks},
}


# Columns of what a command prints, and the seconds that it may take
_WIDTH, _SECONDS = 100, 300


def _command_output(command: str) -> str:
    """Run a command of the library and return what it prints, with long lines broken behind their heading."""
    done = subprocess.run(
        [sys.executable, "-m", "errorest.cli.main", *shlex.split(command)[1:]],
        cwd=root(),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise UsageError(f"'{command}', for a page, failed: {done.stderr.strip()[-500:]}", "run it by hand")
    return wrapped(done.stdout)


def wrapped(printed: str) -> str:
    """Break long lines behind their heading."""
    lines = []
    for line in printed.rstrip().splitlines():
        if line and "\N{BOX DRAWINGS LIGHT VERTICAL AND RIGHT}" not in line:
            heading = re.match(r"(  (! |[\w%]+( [\w%]+)* {2,}))?", line)
            assert heading is not None
            line = textwrap.fill(line, _WIDTH, subsequent_indent=" " * heading.end())
        lines.append(line)
    return "\n".join(lines)


TEXTS: Mapping[str, tuple[str, Callable[..., str]]] = {
    "command-output": ("text", _command_output),
    "cite-apa": ("text", lambda: apa(work())),
    "cite-bibtex": ("bibtex", lambda: bibtex(work())),
    "cite-ris": ("text", lambda: ris(work())),
}
"""Directives that are text in a fixed width, by the language that it is coloured for."""
