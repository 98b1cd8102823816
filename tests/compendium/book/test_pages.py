"""Pages say what the runs yielded, or where there are none what is recorded, by roles and directives."""

import json
import re
from types import SimpleNamespace

import pandas as pd
import pytest

from compendium.book import catalogue, contents, extension, look_ups, manifests, prose_numbers
from compendium.book.contents import add_below
from compendium.book.extension import notebook_page
from compendium.book.look_ups import BLOCKS, fields_of, filled, role_text
from compendium.book.manifests import recorded_manifests, write_words
from compendium.book.places import root
from compendium.book.results import MissingError, Results, of_larger_run, scale_note
from compendium.evidence.verdicts import PAPERS, read_regenerated
from compendium.guide.coverage.chooser import by_inducer
from errorest.errors import UsageError

ARTIFACT = "kohavi-text-bootstrap"
KEY = f"{ARTIFACT} | vehicle/c4.5 | bias-percent"


def manifest(value=1.5, scale="published", **more):
    row = {"artifact": ARTIFACT, "reading": "literal", "scale": scale, "row": "vehicle/c4.5", "column": "bias-percent",
           "value": value, "se": 0.1, "n": 50}  # fmt: skip
    checks = [{"claim": f"It is so. [{name}]", "name": "so", "evidence": "", "outcome": outcome}
              for name, outcome in (("a", "not decided"), ("b", "fails"))]  # fmt: skip
    return {"id": ARTIFACT, "paper": "kohavi", "notebook": "kohavi/03", "number": "In the text", "title": "A title",
            "labels": {}, "rows": [row], "errata": [], "findings": ["First this.", f"Then {value} points."],
            "checks": checks, **more}  # fmt: skip


@pytest.fixture
def shown(monkeypatch):
    """Let pages show these manifests."""

    def show(*made, scale="published"):
        results = Results(made, scale)
        monkeypatch.setattr(look_ups, "results", lambda: results)
        return results

    return show


@pytest.fixture(scope="module")
def record():
    return Results(recorded_manifests(), "published")


def test_a_number_a_finding_and_an_outcome_are_looked_up(shown):
    shown(manifest(-2.5))
    asked = {
        "num": KEY,
        "print": KEY,
        "ours": KEY,
        "finding": f"{ARTIFACT} | points",
        "outcome": f"{ARTIFACT} | so | [b]",
    }
    texts = ["−2.50", "9.8", "−2.50 ± 0.10", "Then -2.5 points.", "fails"]
    assert [role_text(role, text) for role, text in asked.items()] == texts
    assert role_text("num", f"{KEY} | digits=0") == "−2"
    address = f"../artifacts/{ARTIFACT}.html#row-{ARTIFACT}:vehicle/c4.5:bias-percent"
    assert role_text("linked", KEY) == f'<a href="{address}">−2.50</a>'


@pytest.mark.parametrize("asked", [("finding", "lis-claims | never"), ("outcome", "lis-claims | never"), ("num", KEY)])
def test_what_no_run_yields_is_said_to_be_missing(asked, shown):
    shown()
    with pytest.raises(MissingError):
        role_text(*asked)


def test_fields_stand_between_bars_which_a_table_escapes():
    assert fields_of("a | b=1/c \\| d | reading=fitted:x | digits=1") == (
        ["a", "b=1/c", "d"],
        {"reading": "fitted:x", "digits": "1"},
    )


def test_printed_entries_are_counted_and_reproduced_ones_among_them(shown):
    for value, reproduced in ((9.8, "1"), (2.0, "0")):
        shown(manifest(value))
        assert role_text("count", f"total | {ARTIFACT}") == "1"
        assert role_text("count", f"reproduced | {ARTIFACT}") == reproduced


def test_a_preview_marks_nothing_and_own_measurements_are_no_claims_of_a_paper(shown):
    made = [manifest(), manifest(id="guide-own-data", paper="guide")]
    shown(*made, scale="preview")
    assert role_text("count", "claims.total") == "2"
    assert "filled in by <code>make book</code>" in BLOCKS["verdicts"]("kohavi")
    shown(*made)
    marked = look_ups.expanded("```{claims}\n```")
    assert "Kohavi (1995)" in marked
    assert "[¬Re]" in marked
    assert "guide-own-data" not in marked


def test_a_finding_in_a_table_names_the_run_that_it_comes_from(shown):
    shown(manifest(rows=[manifest()["rows"][0], manifest(scale="enlarged")["rows"][0]]))
    assert "(more repeats)" in BLOCKS["artifacts-of"]("kohavi")
    shown(manifest())
    assert "more repeats" not in BLOCKS["artifacts-of"]("kohavi")


def test_a_journal_gets_the_text_of_roles_and_the_parts_of_its_scale(shown):
    shown(manifest())
    parts = f"::::{{only}} published\nis {{num}}`{KEY}`\n::::\n::::{{only}} preview\nis not\n::::\n{{cite:t}}`a`\n"
    assert filled(parts) == "is 1.50\n{cite:t}`a`\n"


def test_no_page_is_a_template_and_every_page_of_a_paper_has_its_box():
    for page in sorted((root() / "book").rglob("*.md")):
        assert not re.search(r"\[% |\[\[ \w+\(", page.read_text(encoding="utf-8")), page
    pages = {f"book/papers/{paper}.md": paper for paper, one in PAPERS.items() if one.printed}
    for name, key in {**pages, **{f"notebooks/{one}.ipynb": one for one in catalogue.NOTEBOOKS}}.items():
        text = (root() / name).read_text(encoding="utf-8")
        assert f"```{{verdict-counts}} {key}" in text, name
        assert "**What to do.**" in text, name


def numbers_of(text):
    """Return the named numbers of a text as (key, scale, value, whether the scale's name follows)."""
    for found in prose_numbers._NAMED.finditer(text):
        asked, which = fields_of(found["name"])
        if found["value"] and len(asked) == 3:
            shown = prose_numbers.without_names(found[0])
            yield (*asked, which.get("reading")), which.get("scale"), found["value"], "more repeats" in shown
    for role in look_ups.ROLE.finditer(text):
        asked, which = fields_of(role["fields"])
        if role["role"] in ("num", "ours", "linked"):
            yield (*asked, which.get("reading")), which.get("scale"), "", "more repeats" in scale_note(which)


def test_no_quantity_has_two_values_on_a_page_unless_the_name_of_the_scale_stands_at_the_number():
    named = 0
    for page, prose, _ in prose_numbers.every_page():
        plain = {}
        for key, scale, value, has_name in numbers_of(prose):
            assert (scale == "enlarged") == has_name, (page, key)
            named += has_name
            if value and not has_name:
                digits = len(value.partition(".")[2])
                assert plain.setdefault((key, digits), value.lstrip("+")) == value.lstrip("+"), (page, key)
    assert named


def test_findings_and_claims_of_a_larger_run_say_so():
    rows = [manifest()["rows"][0], manifest(scale="enlarged")["rows"][0]]
    assert of_larger_run(manifest(rows=rows)) == "more repeats"
    assert of_larger_run(manifest()) == ""


def test_pages_of_artifacts_and_functions_stand_below_those_that_lead_to_them():
    contents = [{"file": "book/a", "sections": [{"file": "notebooks/b"}]}, {"file": "book/c"}]
    artifacts = [{"file": "artifacts/d", "title": "Table 1"}, {"file": "artifacts/e"}]
    add_below(contents, {"notebooks/b": artifacts, "book/a": [{"file": "book/f"}]})
    sections = [{"file": "notebooks/b", "sections": artifacts}, {"file": "book/f"}]
    assert contents == [{"file": "book/a", "sections": sections}, {"file": "book/c"}]


def test_counts_are_of_printed_numbers_by_kind_of_reading_and_of_claims_by_outcome():
    fitted = {**manifest()["rows"][0], "reading": "fitted:x"}
    worded, other = (Results([m], "published") for m in (manifest(9.8), manifest(rows=[fitted])))
    assert "Printed numbers: 1 judged; 1 different." in other.counts(ARTIFACT)
    assert worded.counts("kohavi") == worded.counts(ARTIFACT)
    assert worded.counts("kohavi") == (
        "Printed numbers: 1 judged; 1 reproduced as worded. Claims: 2 judged; 1 fails, 1 not decided."
    )


@pytest.mark.parametrize("paper", [p.id for p in PAPERS.values() if p.printed and len(read_regenerated(p.id))])
def test_tables_boxes_and_pages_count_the_same_verdicts(paper, record, monkeypatch):
    monkeypatch.setattr(look_ups, "results", lambda: record)
    counted = re.search(r"Printed numbers: (\d+) judged;", record.counts(paper))
    of_artifacts = " ".join(record.counts(m["id"]) for m in record.of_paper(paper))
    assert sum(map(int, re.findall(r"Printed numbers: (\d+) judged", of_artifacts))) == int(counted[1])
    assert f"Of {counted[1]} judged numbers" in BLOCKS["verdicts"](paper)


# The record


def test_the_record_has_every_number_on_the_page_of_one_artifact(record):
    shown_rows = [tuple(r.values()) for m in record.manifests.values() for r in m["rows"]]
    assert len(shown_rows) == len({row[:5] for row in shown_rows}) == sum(len(read_regenerated(p)) for p in PAPERS)
    assert list(record.manifests) == [one for p in PAPERS for n in catalogue.NOTEBOOKS if n.partition("/")[0] == p
                                      for one in catalogue.outline(n).shown]  # fmt: skip


def test_words_are_read_as_written(tmp_path, monkeypatch):
    made = manifest(matrix=False, caption="", prints=True, wholes=[], files=["a"],
                    comparison=[], figure=None, provenance={"seed": 1, "code": "c"})  # fmt: skip
    made["rows"] += [{**made["rows"][0], "artifact": "kohavi-claims"}]
    monkeypatch.setattr(manifests, "root", lambda: tmp_path)
    write_words([made])
    (words,) = json.loads((tmp_path / "data" / "regenerated" / "kohavi.json").read_text()).values()
    assert words["elsewhere"] == [["kohavi-claims", "vehicle/c4.5", "bias-percent", "literal"]]
    assert words["provenance"] == {"seed": 1}
    assert not {"rows", "comparison", "files"} & set(words)


# Notebooks

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": "# A title"},
    {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": ["seed: int = 1"], "outputs": []},
    {"cell_type": "code", "metadata": {}, "source": "notebook = open_notebook('a/b', globals())", "outputs": []},
    {"cell_type": "markdown", "metadata": {}, "source": "(artifact-x-1)=\n## Old\n\n5<!-- x-1 | a | b --> of 6"},
    {"cell_type": "code", "metadata": {}, "source": 'notebook.show("x-1")', "outputs": []},
]


def page_of(monkeypatch, tmp_path, scale):
    cells = [{**c, "outputs": ["banner"]} if "open_notebook" in c["source"] else c for c in CELLS]
    (tmp_path / "notebook.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setenv("ERROREST_SCALE", scale)
    monkeypatch.setattr(manifests, "folder_of", lambda notebook: tmp_path)
    monkeypatch.setattr(contents, "headings", lambda notebook: {"x-1": ("Table 1", "New")})
    return json.loads(notebook_page("a/b", json.dumps({"cells": CELLS})))["cells"]


def test_a_notebook_is_shown_as_prose_and_artifacts_with_its_parameters_last(monkeypatch, tmp_path):
    cells = page_of(monkeypatch, tmp_path, "published")
    parameters = "## Parameters\n\n```{panel} a/b\n```"
    sources = ["# A title", "(artifact-x-1)=\n## Table 1: New\n\n5 of 6", "```{artifact} x-1\n```", parameters]
    assert [cell["source"] for cell in cells] == [*sources, "seed: int = 1"]
    assert "hide-input" in cells[-1]["metadata"]["tags"]


def test_a_run_with_other_parameters_shows_its_banner_in_place_of_the_published_ones(monkeypatch, tmp_path):
    cells = page_of(monkeypatch, tmp_path, "own")
    assert [cell.get("outputs") for cell in cells] == [None, ["banner"], None, None]
    assert not any("seed: int" in cell["source"] for cell in cells)


def test_what_is_missing_is_reported_where_a_published_run_should_have_it(monkeypatch, shown):
    said = []
    monkeypatch.setattr(extension, "_LOGGER", SimpleNamespace(warning=lambda *given, location: said.append(given)))
    for made, scale, expected in (
        ({"files": ["a"]}, "published", 1),
        ({"files": []}, "published", 0),
        ({}, "preview", 0),
    ):
        shown(manifest(scale=scale, **made) | {"scale": scale}, scale=scale)
        said.clear()
        extension._report(MissingError("no row"), [ARTIFACT], None)
        assert len(said) == expected
    extension._report(UsageError("no such role"), [], None)
    assert len(said) == 1


def test_a_block_with_the_id_of_an_artifact_stands_below_it_on_the_page_of_its_notebook():
    file = root() / "notebooks" / "guide" / "03-coverage.ipynb"
    page = json.loads(notebook_page("guide/03-coverage", file.read_text(encoding="utf-8")))
    (cell,) = [cell for cell in page["cells"] if "{artifact} guide-coverage-map\n" in cell["source"]]
    assert cell["source"].endswith("```{guide-coverage-map}\n```")


def test_the_coverage_of_one_inducer_and_size_is_what_its_cells_have():
    cells = pd.DataFrame(
        {"population": ["a", "b"], "inducer": "ldf", "n": 20, "method": ".632+-to-Wilson", "width": [0.2, 0.4],
         "this-classifier": [0.9, 0.96], "the-procedure": [0.8, 1.0]})  # fmt: skip
    (row,) = by_inducer({}, lambda artifact, name: cells)["rows"]
    assert (row["n"], row["low"], row["high"], row["populations"]) == (20, 10, 40, 2)
    assert row["coverages"] == [pytest.approx((93, 90)), pytest.approx((90, 80))]
    assert row["width"] == pytest.approx(30)
    assert by_inducer({}, lambda artifact, name: None) is None
