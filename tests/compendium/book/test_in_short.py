"""The box on top of every page: what it asks for is recorded, and its words follow the numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from compendium.book import catalogue
from compendium.book.in_short import Ours, Shorts, choose_words, standing, texts
from compendium.evidence.verdicts import OWN, PAPERS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def recorded():
    tables = [pd.read_csv(ROOT / "data" / "regenerated" / f"{paper}.csv") for paper in PAPERS]
    return pd.concat(tables, ignore_index=True)


def shorts(rows, manifests=None, whole=True):
    return Shorts(manifests or {}, rows, lambda *key: "1.2", whole)


def test_every_notebook_and_every_paper_has_a_text():
    assert set(texts()) == {n.id for n in catalogue.notebooks()} | (set(PAPERS) - {OWN})


@pytest.mark.parametrize("key", sorted(texts()))
def test_every_number_that_a_box_asks_for_is_recorded(key, recorded, monkeypatch):
    monkeypatch.setattr(Shorts, "_finding", lambda *_: "It was found.")
    monkeypatch.setattr(Shorts, "_outcome", lambda *_: "**holds**")
    monkeypatch.setattr(Shorts, "_label", lambda *_: "an interval")
    box = shorts(recorded).box(key)
    assert "errorest-gap" not in box, box
    assert "**What to do.**" in box
    assert "[[" not in box
    assert box.startswith("::::::{admonition} In short\n")


def test_every_artifact_that_a_box_quotes_exists():
    text = (ROOT / "book" / "in-short.yml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\b(?:finding|outcome|ours|rows|cases)\('([^']+)'", text))
    known = {a.id for n in catalogue.notebooks() for a in n.artifacts}
    assert len(asked) > 20
    # a paper's claims in its running text are declared section by section
    assert not {a for a in asked if a not in known and not any(k.startswith(a) for k in known)}


def test_no_box_types_the_side_of_a_number():
    sides = r"\b(too (?:high|low)|positive|pessimistic|far (?:more|less)|higher|lower|larger|clear\w*|exceeds)\b"
    text = re.sub(r"\[\[ *ours\([^\]]*\]\]", "<ours>", (ROOT / "book" / "in-short.yml").read_text(encoding="utf-8"))
    for sentence in re.split(r"(?<=[.:;?!])\s+", re.sub(r"\[\[[^\]]*\]\]", "<told>", text)):
        assert not ("<ours>" in sentence and re.search(sides, sentence)), sentence


def test_a_gap_is_a_fault_in_a_book_and_left_out_of_a_preview():
    none = pd.DataFrame({c: pd.Series(dtype=object) for c in ("artifact", "row", "column", "reading", "scale")})
    assert 'class="errorest-gap"' in shorts(none).box("lis")
    preview = shorts(none, whole=False).box("lis")
    assert "errorest-gap" not in preview
    assert "What to do" in preview


@pytest.mark.parametrize(("first", "word"), [(9.0, "more"), (7.5, "alike"), (2.0, "less")])
def test_words_follow_from_both_errors(first, word):
    assert choose_words(Ours("a", first, 0.3), Ours("b", 7.0, 0.3), "more", "less", "alike") == word


def test_the_kinds_of_reading_are_told_apart():
    row = {"artifact": "a", "column": "c", "scale": "published", "kind": "result", "value": 1.0, "se": 0.1}
    rows = [
        {**row, "row": str(n), "reading": reading, "verdict": "reproduced"}
        for n, reading in enumerate(["literal", "literal", "fitted:x"])
    ]
    said = standing([{"comparison": rows, "checks": []}])
    assert "2 are reproduced as the paper words it" in said
    assert "1 is reproduced by a reading that was fitted" in said
    alone = standing([{"comparison": rows[2:], "checks": []}])
    assert "The one printed number that can be judged is reproduced by a reading that was fitted to it," in alone


def test_a_paragraph_for_another_page_links_its_numbers_to_their_rows(monkeypatch):
    rows = pd.DataFrame(
        [["x-table-1", "literal", "published", "loo", "rms", 8.2, 0.1, 9]],
        columns=["artifact", "reading", "scale", "row", "column", "value", "se", "n"],
    )
    monkeypatch.setattr(
        "compendium.book.in_short.texts", lambda: {"x": "[[ ours('x-table-1', 'loo', 'rms') ]] points."}
    )
    known = {"x-table-1": {"id": "x-table-1", "notebook": "x/01-y", "paper": "x", "labels": {}}}
    made = shorts(rows, known)
    linked = '<a href="../notebooks/x/01-y.html#row-x-table-1-loo-rms">8.20 ± 0.10</a> points.'
    assert made.paragraph("x", 0) == linked
    assert "<a" not in made.box("x"), "a box stands on the page of its numbers"
