"""Each artifact names the functions that made it, and leads to their lines."""

import re

import pytest

from compendium.book import catalogue
from compendium.book.made_by import made_by
from compendium.book.source_pages import page_of, source_html


def made(artifact):
    return {(one.what, one.name) for one in made_by(catalogue.artifact(artifact)[1])}


@pytest.mark.parametrize(
    ("artifact", "functions"),
    [
        ("martin-hirschberg-table-4", {("samples and trains", "discriminant"), ("tabulates", "table_4"),
                                       ("draws", "draw_side_by_side")}),
        ("scheffer-herbrich-one-shot", {("tabulates", "one_shot"), ("draws", "draw_chances")}),
        ("guide-coverage-map", {("samples and trains", "measured"), ("tabulates", "coverage_map"),
                                ("draws", "draw_map")}),
    ],
)  # fmt: skip
def test_what_samples_what_tabulates_and_what_draws_are_found_in_the_code(artifact, functions):
    assert made(artifact) == functions


def test_the_page_of_a_file_has_each_line_once_and_an_anchor_for_each_function():
    one = next(f for f in made_by(catalogue.artifact("martin-hirschberg-table-4")[1]) if f.what == "samples and trains")
    assert page_of(one.file) == "source/compendium/papers/martin_hirschberg/discriminant/study"
    page = source_html(one.file)
    text = re.sub(r"<[^>]+>", "", page[page.index("<pre") :])
    assert text.count("\n") == one.file.read_text(encoding="utf-8").count("\n")
    marked = page[page.index('<span id="discriminant" class="errorest-lines">') :]
    assert marked.index("def") < marked.index("discriminant</span>") < 200
