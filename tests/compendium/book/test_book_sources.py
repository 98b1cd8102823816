"""The book's sources hold together before any build: contents, citations, printed keys, colours."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pandas as pd
import pytest
import yaml
from pybtex.database import parse_file

from compendium.book.counted import named_counts
from compendium.book.sphinx_pages import accessible_table
from errorest.assessment.caution import CAUTIONS

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"
PAGES = sorted(BOOK.rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))


def contents() -> list[str]:
    def files(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from (node[key] for key in ("root", "file") if key in node)
            node = list(node.values())
        if isinstance(node, list):
            for part in node:
                yield from files(part)

    return list(files(yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))))


def render(page: Path, asked: list[tuple[str, str, str]], scale: str = "published", errata: int = 2) -> str:
    """Fill a page with stand-ins for everything that a build offers, noting the keys that it asks for."""

    def number(artifact: str, row: str, column: str, reading: str | None = None, digits: int | None = None) -> str:
        asked.append((artifact, row, column))
        return "1.23"

    counts = named_counts(pd.DataFrame())
    notebooks = [
        SimpleNamespace(id=f"{paper}/{n}", paper=paper, title=f"T{n}", page=f"notebooks/{paper}/{n}.html")
        for paper in ("martin-hirschberg", "kohavi")
        for n in ("01", "02", "03")
    ]
    environment = jinja2.Environment(
        block_start_string="[%",
        block_end_string="%]",
        variable_start_string="[[",
        variable_end_string="]]",
        comment_start_string="[##",
        comment_end_string="##]",
        undefined=jinja2.StrictUndefined,
    )
    return environment.from_string(page.read_text(encoding="utf-8")).render(
        num=number,
        cautions=CAUTIONS,
        sided=lambda artifact, row, column, above, below, reading=None: f"{number(artifact, row, column)} {above}",
        short=lambda key, place: "It was found.",
        linked=number,
        linked_print=number,
        command_output=lambda: "error rate  2 %",
        sample_table=lambda: "<table></table>",
        advice_html=lambda: "<div></div>",
        in_short=lambda key: "::::::{admonition} In short\n::::::",
        finding=lambda artifact, has: "It was found.",
        outcome=lambda artifact, begins, has="": "holds",
        compared=lambda *artifacts: SimpleNamespace(total=3, reproduced=2, others="one"),
        published=number,
        settings='OMP_NUM_THREADS="1"',
        verdict_counts=lambda paper=None: counts,
        artifacts_html=lambda paper: "<table><tr><td>artifacts</td></tr></table>",
        tally_html=lambda paper=None: "<p>tally</p>",
        wholes_html=lambda: "<p>wholes</p>",
        notebooks=notebooks,
        errata=[SimpleNamespace(paper="p")] * errata,
        verdicts_html=lambda: "<p>verdicts</p>",
        errata_html=lambda: "<p>errata</p>",
        parameters_html=lambda notebook_id: f"<p>{notebook_id}</p>",
        measured_html=lambda benchmark=None: "<p>measured</p>",
        growth_html=lambda: "<p>growth</p>",
        origin_html=lambda: "<p>computed here</p>",
        tuning_chart_html=lambda: "<p>chart</p>",
        api=lambda module: f"names of {module}",
        cited={"apa": "They. (2026).", "bibtex": "@software{e}", "ris": "TY  - COMP"},
        tree="swh:1:dir:0",
        claim_counts=lambda paper=None: SimpleNamespace(holds=1, holds_in_part=0, fails=0, not_decided=0, total=1),
        statements=[("kohavi", "Kohavi (1995)")],
        statement_html=lambda paper: f"<p>{paper}</p>",
        rows_table=lambda artifact, heads: f"| {artifact} |",
        scale=scale,
        version="0",
        commit="c",
    )


def test_every_page_of_the_contents_exists_and_every_page_is_in_the_contents() -> None:
    listed = [name for name in contents() if name.startswith("book/")]
    assert sorted(listed) == [str(page.relative_to(ROOT).with_suffix("")) for page in PAGES]


def test_every_notebook_is_in_the_contents_exactly_once() -> None:
    listed = [name for name in contents() if not name.startswith("book/")]
    assert sorted(listed) == [str(notebook.relative_to(ROOT).with_suffix("")) for notebook in NOTEBOOKS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.parametrize("scale", ["published", "preview"])
@pytest.mark.parametrize("errata", [0, 1, 2])
def test_every_page_renders_with_what_a_build_offers(page: Path, scale: str, errata: int) -> None:
    text = render(page, [], scale, errata)
    assert text.lstrip("-\n").strip()
    assert "[%" not in text
    assert "[[" not in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_blank_line_breaks_a_table_written_as_html(page: Path) -> None:
    for table in re.findall(r"<table.*?</table>", render(page, []), re.DOTALL):
        assert "\n\n" not in table


def test_every_number_that_a_page_asks_for_is_one_that_a_paper_prints() -> None:
    asked: list[tuple[str, str, str]] = []
    for page in PAGES:
        render(page, asked)
    printed = set()
    for table in (ROOT / "data" / "published").glob("*.csv"):
        with table.open(encoding="utf-8", newline="") as lines:
            printed |= {(row["artifact"], row["row"], row["column"]) for row in csv.DictReader(lines)}
    assert asked
    assert not set(asked) - printed


_SIDES = re.compile(
    r"\b(too (?:high|low|good)|positive|negative|pessimistic|optimistic|far (?:more|less)|higher|lower|larger|only"
    r"|clear\w*|exceeds)\b"
)


def test_no_page_types_the_side_of_a_number_beside_it() -> None:
    # the word has to come from the value: sided(), finding() and outcome() choose it
    for page in PAGES:
        text = re.sub(r"\[\[ *num\([^\]]*\]\]", "<ours>", page.read_text(encoding="utf-8"))
        text = re.sub(r"\[\[[^\]]*\]\]", "<told>", text)
        for sentence in re.split(r"(?<=[.:;?!])\s+", text):
            assert not ("<ours>" in sentence and _SIDES.search(sentence)), f"{page.name}: {sentence}"


def test_every_citation_has_an_entry() -> None:
    known = set(parse_file(BOOK / "references.bib", bib_format="bibtex").entries)
    cited = {
        key.strip()
        for source in [*PAGES, *NOTEBOOKS]
        for keys in re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", source.read_text(encoding="utf-8"))
        for key in keys.split(",")
    }
    assert cited
    assert not cited - known


def test_every_glossary_term_that_a_page_points_to_is_defined() -> None:
    glossary = (BOOK / "glossary.md").read_text(encoding="utf-8")
    defined = {
        line
        for block in re.findall(r":::\{glossary\}\n(.*?)\n:::", glossary, re.DOTALL)
        for line in block.splitlines()
        if line and not line.startswith(" ")
    }
    used = set()
    for source in [*PAGES, *NOTEBOOKS]:
        for role in re.findall(r"\{term\}`([^`]+)`", source.read_text(encoding="utf-8")):
            used.add(re.sub(r".*<(.+)>$", r"\1", role))
    assert used
    assert not used - defined


def test_the_style_sheet_loads_nothing() -> None:
    style = (BOOK / "_static" / "errorest.css").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//[a-z]|@import|url\(", style)


def test_one_script_stands_among_the_static_files_and_loads_nothing() -> None:
    (script,) = (BOOK / "_static").rglob("*.js")
    text = script.read_text(encoding="utf-8")
    assert not re.search(r"https?:|fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(|localStorage|document\.write", text)


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_verdict_is_legible_on_its_ground(mode: str) -> None:
    style = (BOOK / "_static" / "errorest.css").read_text(encoding="utf-8")
    block = re.search(rf'html\[data-theme="{mode}"\] \{{(.*?)\}}', style, re.DOTALL)
    assert block
    colours = dict(re.findall(r"--verdict-([\w-]+): (#[0-9a-f]{6});", block[1]))
    words = {name.rsplit("-", 1)[0] for name in colours}
    assert words == {"reproduced", "close", "differs", "no-power", "not-testable", "setting", "none"}
    for word in words:
        dark, light = sorted(luminance(colours[f"{word}-{part}"]) for part in ("ink", "ground"))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, word


def test_every_verdict_has_a_sign_of_its_own() -> None:
    style = (BOOK / "_static" / "errorest.css").read_text(encoding="utf-8")
    signs = re.findall(r'\.verdict\.[\w-]+::before \{\s*content: "(.)"', style)
    assert len(signs) == len(set(signs)) == 7


def test_a_data_frame_gets_a_scroll_box_and_loses_its_empty_headers() -> None:
    frame = '<div>\n<table border="1" class="dataframe">\n<tr><th></th><th>n</th></tr>\n</table>\n</div>'
    table = accessible_table(frame)
    assert 'tabindex="0"' in table
    assert "<th></th>" not in table
    assert "<th>n</th>" in table


def test_other_tables_stay_as_they_are() -> None:
    table = '<table class="errorest-table"><tr><th></th></tr></table>'
    assert accessible_table(table) == table


def test_every_number_of_a_finding_on_the_landing_page_leads_to_its_row() -> None:
    findings = (BOOK / "index.md").read_text().partition("## What was found")[2].partition("## How much of")[0]
    asked = re.findall(r"\[\[ (\w+)\(", findings)
    assert len(asked) > 10
    assert set(asked) == {"linked", "linked_print", "short"}
