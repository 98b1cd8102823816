"""The search's words: what a question and a page have in common."""

import pytest

from compendium.book.search import BookSearch, apart


@pytest.fixture
def language():
    return BookSearch({})


def test_the_632_estimators_are_words_apart(language):
    assert language.split("The .632+, 0.632+ and .632 rules; 632b, 632plus") == [
        "The", "632+", "632+", "and", "632", "rules", "632b", "632plus"]  # fmt: skip


def test_whole_numbers_are_words_and_decimals_of_tables_are_none(language):
    words = language.split("Table 9 of 60 cases: 12.5 ± 0.05 in 3,000 of 20000, k=10, error_rate")
    kept = [word for word in words if language.word_filter(word)]
    assert kept == ["Table", "9", "60", "cases", "k", "10", "error", "rate"]


def test_digests_are_no_words(language):
    assert not language.word_filter("5174cb15e3679bd7")
    assert language.word_filter("discriminant")


def test_words_of_neighbouring_cells_do_not_run_together():
    assert apart("<tr><th>1-NN</th><td>close</td></tr>") == "<tr><th>1-NN</th> <td>close</td> </tr>"
