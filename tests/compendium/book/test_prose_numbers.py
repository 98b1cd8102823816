"""Numbers in prose: named by a comment, written from data/regenerated, held equal to it."""

import pytest

from compendium.book.prose_numbers import check, check_files, rewritten, without_names

HOLDOUT = "kohavi-text-holdout | iris/majority | mean-accuracy-percent"
BIAS = "kohavi-figure-1 | breast-cancer/c4.5 | k=2/bias-percent"
FITS = "guide-own-estimates | two-stage | fits"
ABOVE = "guide-which-estimator | nearest neighbours, k > 1/up to 24 cases: use .632+ | fits"


def test_every_named_number_of_notebooks_and_pages_is_that_of_data_regenerated():
    assert not check_files()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"only 27 %<!-- {HOLDOUT} --> right", f"only 28 %<!-- {HOLDOUT} --> right"),
        (f"is 5.21 ± 3.00<!--{HOLDOUT}-->.", f"is 27.88 ± 0.13<!--{HOLDOUT}-->."),
        (
            f"+1.0 ± .3 points<!-- {HOLDOUT} | literal | published -->",
            f"+27.9 ± .1 points<!-- {HOLDOUT} | literal | published -->",
        ),
        (f"+1.0<!-- {BIAS} -->", f"−1.2<!-- {BIAS} -->"),
        (f"-1.0<!-- {BIAS} -->", f"-1.2<!-- {BIAS} -->"),
        (f"2–1<!-- {HOLDOUT} | literal -->", f"2–28<!-- {HOLDOUT} | literal -->"),
        (f"1,234<!-- {FITS} --> and 5<!-- {ABOVE} -->", f"2,401<!-- {FITS} --> and 201<!-- {ABOVE} -->"),
        ("a <!-- comment --> without a number", "a <!-- comment --> without a number"),
    ],
)
def test_a_number_is_written_with_the_decimals_that_the_text_shows(written, expected):
    assert rewritten(written) == expected
    assert bool(check(written)) == (written != expected)
    assert not check(expected)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("the bias <!-- kohavi-table-1 | x | y --> is", "no number before"),
        ("5<!-- kohavi-table-1 | x -->", "names no number"),
        ("5<!-- nobody-table-1 | x | y -->", "name of no paper"),
        ("5<!-- kohavi-text-holdout | iris/majority | mean-acuracy-percent -->", "mean-accuracy-percent'?"),
        (f"5<!-- {HOLDOUT} | literal | preview -->", "no row"),
        (f"27<!-- {HOLDOUT} -->", "'27' should be '28'"),
    ],
)
def test_a_name_that_is_wrong_is_reported_in_one_line(text, problem):
    (result,) = check(text)
    assert problem in result


def test_readers_do_not_see_the_names():
    assert without_names(f"27.9 %<!-- {HOLDOUT} -->, <!-- kept -->") == "27.9 %, <!-- kept -->"
