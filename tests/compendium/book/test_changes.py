"""What changed against the recorded rows is told by artifact, with the largest change in standard errors."""

import pandas as pd
import pytest

from compendium.book import build
from compendium.book.changes import changes, digests_of_rows, rows_of, told
from compendium.book.runner import Options
from compendium.evidence.verdicts import REGENERATED_COLUMNS
from errorest.errors import UsageError

ROWS = [
    ("kohavi-table-1", "literal", "published", "iris", "accuracy", 95.125, 0.5, 500),
    ("kohavi-table-1", "literal", "published", "iris", "size", 150.0, 0.0, 1),
    ("lis-claims", "literal", "published", "10", "bias", -0.25, 0.125, 100),
]


def frame(*rows):
    return pd.DataFrame(rows, columns=list(REGENERATED_COLUMNS))


def test_equal_rows_are_said_to_be_as_recorded():
    assert told(changes(frame(*ROWS), frame(*ROWS))) == ["All 3 rows are as recorded in data/regenerated."]


def test_one_altered_digit_is_named_and_measured():
    altered = changes(frame(*ROWS), frame((*ROWS[0][:5], 95.225, 0.5, 500), *ROWS[1:]))
    assert [str(c) for c in altered.changed] == [
        "kohavi-table-1 [literal, published] iris, accuracy: value 95.125 recorded, 95.225 here"
    ]
    assert not altered.changed[0].rounding
    assert told(altered)[1] == "  kohavi-table-1: 1 row changed, by 0.2 standard errors at most (iris, accuracy)"


def test_a_last_digit_is_rounding():
    found = changes(frame(*ROWS), frame((*ROWS[0][:5], 95.12500001, 0.5, 500), *ROWS[1:])).changed
    assert [c.rounding for c in found] == [True]


def test_a_number_without_a_standard_error_is_told_apart():
    found = told(changes(frame(*ROWS), frame(ROWS[0], (*ROWS[1][:5], 151.0, 0.0, 1), ROWS[2])))
    assert found[1] == "  kohavi-table-1: 1 row changed, 1 of them without a standard error (iris, size)"


def test_rows_added_and_gone_are_counted_by_artifact():
    found = told(changes(frame(*ROWS[:2]), frame(*ROWS[1:])))
    assert found[0] == "Against data/regenerated as it was: 0 rows changed, 1 added, 1 gone, 1 the same."
    assert found[1:] == ["  kohavi-table-1: 1 row gone", "  lis-claims: 1 row added"]


def test_many_artifacts_are_cut_short():
    many = [(f"artifact-{i}", *ROWS[0][1:]) for i in range(20)]
    assert told(changes(frame(), frame(*many)))[-1] == "  and 8 more artifacts"


def test_a_digest_of_rows_knows_each_artifact():
    before, after = digests_of_rows(frame(*ROWS)), digests_of_rows(frame(*ROWS[:2], (*ROWS[2][:5], -0.26, 0.125, 100)))
    assert [artifact for artifact in before if before[artifact] != after[artifact]] == ["lis-claims"]


def test_a_preview_is_not_recorded():
    with pytest.raises(UsageError, match="a preview is not recorded; expected a complete build"):
        build.build_book("preview", Options(), record=True)


def test_two_rows_of_one_key_are_refused_at_any_scale() -> None:
    row = dict.fromkeys(REGENERATED_COLUMNS, 1) | {"artifact": "a", "scale": "preview"}
    once = [{"rows": [row, row | {"row": 2}]}]
    build._check_unique(rows_of(once))
    with pytest.raises(UsageError, match="two artifacts yield a, 1, 1; expected one"):
        build._check_unique(rows_of([*once, {"rows": [row]}]))
