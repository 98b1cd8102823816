"""Pages and their boxes say what the runs yielded, and a book asks for nothing that no run yields."""

import re

import pandas as pd
import pytest

from compendium.book import catalogue
from compendium.book.citation import Work
from compendium.book.pages import Pages
from compendium.book.places import root
from compendium.book.results import Results, texts
from compendium.book.staging import _add_below
from compendium.evidence.verdicts import OWN, PAPERS
from errorest.errors import UsageError

WORK = Work({"title": "W", "version": "0", "date-released": "2026-01-31", "authors": [{"name": "They"}]})
ARTIFACT = "kohavi-text-bootstrap"
KEY = (ARTIFACT, "vehicle/c4.5", "bias-percent")


def manifest(value=1.5, scale="published", **more):
    row = {"artifact": ARTIFACT, "reading": "literal", "scale": scale, "row": KEY[1], "column": KEY[2],
           "value": value, "se": 0.1, "n": 50}  # fmt: skip
    checks = [{"claim": f"It is so. [{name}]", "evidence": "", "outcome": outcome}
              for name, outcome in (("a", "not decided"), ("b", "fails"))]  # fmt: skip
    return {"id": ARTIFACT, "paper": "kohavi", "notebook": "kohavi/03", "number": "In the text", "title": "A title",
            "labels": {}, "rows": [row], "errata": [], "findings": ["First this.", f"Then {value} points."],
            "checks": checks, **more}  # fmt: skip


def render(template, *manifests, scale="published"):
    return Pages(Results(manifests, scale), WORK, "c").render(template)


def test_a_number_a_finding_and_an_outcome_are_looked_up():
    page = "[[ num(*key) ]] [[ published(*key) ]] [[ finding(key[0], 'points') ]] [[ outcome(key[0], 'It', '[b]') ]]"
    template = f"[% set key = {KEY} %]{page} [[ outcome(key[0], 'It is so') ]]"
    assert render(template, manifest(-2.5)) == "−2.50 9.8 Then -2.5 points. fails is not decided"
    linked = f'<a href="../artifacts/{ARTIFACT}.html#row-{ARTIFACT}:vehicle/c4.5:bias-percent">1.50</a>'
    assert render(f"[[ linked{KEY} ]]", manifest()) == linked


@pytest.mark.parametrize("asked", ["finding('lis-claims', 'never')", "outcome('lis-claims', 'never')", f"num{KEY}"])
def test_what_no_run_yields_stops_a_book_and_leaves_a_gap_in_a_preview(asked):
    with pytest.raises(UsageError, match="which no run yields"):
        render(f"[[ {asked} ]]")
    assert "—" in render(f"[[ {asked} ]]", scale="preview")


def test_printed_entries_are_counted_and_reproduced_ones_among_them():
    page = f"[[ compared('{ARTIFACT}').reproduced ]] of [[ compared('{ARTIFACT}').total ]]"
    assert (render(page, manifest(9.8)), render(page, manifest(2.0))) == ("1 of 1", "0 of 1")


def test_a_preview_marks_nothing_and_own_measurements_are_no_claims_of_a_paper():
    page = "[[ claim_counts().total ]] [[ statement_html('kohavi') ]]"
    made = [manifest(), manifest(id="guide-own-data", paper="guide")]
    assert render(page, *made, scale="preview") == "2 <p>The marks are filled in by <code>make book</code>.</p>"
    marked = render(page, *made)
    assert "[¬Re]" in marked
    assert "guide-own-data" not in marked


def test_a_finding_in_a_table_names_the_run_that_it_comes_from():
    rows = [manifest()["rows"][0], manifest(scale="enlarged")["rows"][0]]
    assert "(enlarged run)" in render("[[ artifacts_html('kohavi') ]]", manifest(rows=rows))
    assert "enlarged" not in render("[[ artifacts_html('kohavi') ]]", manifest())


PAGES = sorted((root() / "book").rglob("*.md"))


@pytest.fixture(scope="module")
def recorded():
    """A book of the recorded rows."""
    made = []
    for paper in PAPERS:
        table = pd.read_csv(root() / "data" / "regenerated" / f"{paper}.csv").astype(object)
        rows = table.where(table.notna(), None).groupby("artifact", sort=False)
        shown = [(spec.id, one.id) for spec in catalogue.notebooks() if spec.paper == paper for one in spec.artifacts]
        own = {one: manifest(id=one, paper=paper, notebook=spec, checks=[], rows=[]) for spec, one in shown}
        for artifact, of_it in rows:
            # numbers of other artifacts are shown on the page of one of them
            own.get(artifact, own[shown[0][1]])["rows"] += of_it.to_dict("records")
        made += own.values()
    return Results(made, "published")


@pytest.fixture
def any_finding(monkeypatch):
    monkeypatch.setattr(Results, "finding", lambda *_: "It was found.")
    monkeypatch.setattr(Results, "outcome", lambda *_: "holds")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_is_rendered_from_recorded_rows_and_without_runs(page, recorded, any_finding):
    for results in (recorded, Results([], "preview")):
        pages = Pages(results, WORK, "c", chart="<p>chart</p>", command="error rate  2 %")
        text = pages.render(page.read_text(encoding="utf-8"))
        assert "[%" not in text
        assert "[[ " not in text
        broken = [table for table in re.findall(r"<table.*?</table>", text, re.DOTALL) if "\n\n" in table]
        assert not broken, "a blank line ends a table in Markdown"


def test_pages_of_artifacts_and_functions_stand_below_those_that_lead_to_them():
    contents = [{"file": "book/a", "sections": [{"file": "notebooks/b"}]}, {"file": "book/c"}]
    _add_below(contents, {"notebooks/b": ["artifacts/d", "artifacts/e"], "book/a": ["book/f"]})
    artifacts = [{"file": "artifacts/d"}, {"file": "artifacts/e"}]
    sections = [{"file": "notebooks/b", "sections": artifacts}, {"file": "book/f"}]
    assert contents == [{"file": "book/a", "sections": sections}, {"file": "book/c"}]


def test_every_notebook_and_every_paper_has_a_box():
    assert set(texts()) == {n.id for n in catalogue.notebooks()} | (set(PAPERS) - {OWN})


@pytest.mark.parametrize("key", sorted(texts()))
def test_every_number_that_a_box_asks_for_is_recorded(key, recorded, any_finding):
    box = recorded.box(key)
    assert "**What to do.**" in box
    assert "[[" not in box
    assert box.startswith("::::::{admonition} In short\n")


def test_a_box_counts_printed_numbers_by_kind_of_reading_and_claims_by_outcome():
    fitted = {**manifest()["rows"][0], "reading": "fitted:x"}
    worded, other = (Results([m], "published") for m in (manifest(9.8), manifest(rows=[fitted])))
    assert "Printed numbers: 1 judged; 1 different." in other.counts(ARTIFACT)
    assert worded.counts("kohavi") == worded.counts(ARTIFACT)
    assert worded.counts("kohavi") == (
        "Printed numbers: 1 judged; 1 reproduced as worded. Claims: 2 judged; 1 fail, 1 not decided."
    )


@pytest.mark.parametrize("paper", [p for p in PAPERS if p != OWN])
def test_tables_boxes_and_pages_count_the_same_verdicts(paper, recorded):
    pages = Pages(recorded, WORK, "c")
    whole = pages.render(f"[[ verdict_counts('{paper}').judged ]]")
    assert int(whole) > 10
    assert f"Printed numbers: {whole} judged;" in recorded.counts(paper)
    counted = re.findall(
        r"Printed numbers: (\d+) judged", " ".join(recorded.counts(m["id"]) for m in recorded.of_paper(paper))
    )
    assert sum(map(int, counted)) == int(whole)
    assert f"Of {whole} judged numbers" in pages.verdicts_html(paper)


def test_a_preview_leaves_a_paragraph_out_whose_numbers_it_lacks():
    with pytest.raises(UsageError, match="which no run yields"):
        Results([], "published").box("lis")
    box = Results([], "preview").box("lis")
    assert box.count("\n\n") == 1
    assert "What to do" in box
