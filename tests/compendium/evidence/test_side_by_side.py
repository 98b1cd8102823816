"""One picture for every table with printed numbers: what it shows, what it leaves out, what it says."""

import pandas as pd
import pytest

from compendium.book.labels import labeller
from compendium.evidence.keys import parts_of
from compendium.evidence.side_by_side import _dots, _places, draw_side_by_side
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare
from compendium.plots.alt_text import alt_text_faults
from compendium.plots.marks import read_marks
from errorest.plots import save_svg

PRINTED = ["artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note"]
LINES = [("loo", "rmse"), ("cv-2", "rmse"), ("cv-5", "rmse"), ("cv-10", "rmse")]


def ours(reading="literal", scale="published", value=8.0, se=0.1, lines=LINES):
    rows = [("x-table-1", reading, scale, row, column, value, se, 100) for row, column in lines]
    return pd.DataFrame(rows, columns=list(REGENERATED_COLUMNS))


def printed(value="8.01", lines=LINES):
    return pd.DataFrame(
        [("x-table-1", *key, value, 2, float("nan"), "result", "=", "") for key in lines], columns=PRINTED
    )


def drawn(rows, print_, keys=LINES):
    return draw_side_by_side("x-table-1", "Table 1", keys, rows, compare(print_, rows), labeller({}))


def test_every_number_is_plotted_with_the_print_with_both_errors():
    picture = drawn(ours(), printed())
    assert sum(len(axes.containers) for axes in picture.figure.axes) == 2 * len(LINES)
    names = [tick.get_text() for tick in picture.figure.axes[0].get_yticklabels()]
    assert names == ["Leave-one-out", "2-fold CV", "5-fold CV", "10-fold CV"]
    assert "0 of 4 pairs lie clearly apart (literal)" in picture.alt
    assert "Open diamonds: printed; filled circles: ours, literal" in picture.caption
    assert picture.figure.axes[0].get_ylim() == (len(LINES) - 0.4, -0.6)


def test_the_marks_of_numbers_are_found_again_in_the_picture(tmp_path):
    rows = pd.concat([ours(lines=[key], value=value) for key, value in zip(LINES, (8, 9, 10, 11), strict=True)])
    svg = save_svg(drawn(rows, printed()).figure, tmp_path / "x")
    marks = read_marks(svg)
    assert [*marks] == LINES
    lefts, tops = zip(*marks.values(), strict=True)
    assert list(lefts) == sorted(lefts)
    assert list(tops) == sorted(tops)
    assert 0 < lefts[0] < lefts[-1] < 100


def test_without_a_print_the_caption_names_what_is_ours_alone():
    caption = drawn(ours(), printed(lines=[("else", "rmse")])).caption
    assert caption == "Filled circles: ours, literal, with two standard errors to each side."
    alt = drawn(ours(value=0.02491), printed(lines=[("else", "rmse")])).alt
    assert alt_text_faults(alt) == []
    assert "0.025" in alt


def test_pairs_that_lie_apart_are_counted_by_the_kind_of_reading():
    rows = pd.concat([ours(), ours("fitted:other", value=9.0), ours("fitted:third", value=4.0)], ignore_index=True)
    report = drawn(rows, printed("9.00")).alt
    assert "4 of 4 pairs lie clearly apart (literal), 0 of 4 pairs lie clearly apart (fitted)" in report
    assert report.endswith(", printed and regenerated 9.00 and 8.00.")


def test_the_numbers_are_those_of_the_table_and_not_of_the_run_with_more_samples():
    rows = pd.concat([ours(), ours(scale="enlarged", value=9.0, se=0.02)], ignore_index=True)
    comparison = compare(printed("9.00"), rows)
    assert {d.value for d in _dots("x-table-1", LINES, rows, pd.DataFrame())} == {*ours().value}
    assert all(d.apart for d in _dots("x-table-1", LINES, rows, comparison))


def test_p_values_zeros_of_both_and_lone_lines_are_left_out():
    lines = [(f"{estimator}", "pima/17-nn") for estimator, _ in LINES]
    keys = [*lines, ("alpha", "pima/17-nn"), ("true-error", "pima/17-nn"), ("all", "pima/1-nn")]
    rows = pd.concat([ours(lines=keys[:-2]), ours(value=0.0, se=0.0, lines=keys[-2:-1]), ours(lines=keys[-1:])])
    print_ = pd.concat([printed(lines=lines), printed("0", keys[-2:-1]), printed(lines=keys[-1:])])
    shown = _dots("shakhnarovich-table-5", keys, rows, compare(print_, rows))
    assert [d.line for d in shown] == [row for row, _ in lines]


@pytest.mark.parametrize("few", [1, 3])
def test_a_line_of_text_needs_no_picture(few):
    assert drawn(ours(), printed(), LINES[:few]) is None


@pytest.mark.parametrize(
    ("artifact", "rows", "columns", "panels"),
    [
        ("x-table-1", "rs", "abc", ["a", "b", "c"]),
        ("x-table-1", "rs", "abcd", ["r", "s"]),
        ("shakhnarovich-table-8", ("1-nn/loo", "1-nn/cv-2", "ldf/loo"), ("rmse",), ["1-nn", "ldf"]),
        ("shakhnarovich-table-8", ("1-nn/loo", "ldf/loo"), ("rmse",), ["rmse"]),
    ],
)
def test_panels_are_columns_up_to_half_as_many_again_as_rows_or_the_groups_of_a_column(artifact, rows, columns, panels):
    places = _places({(row, column): parts_of(artifact, row, column) for row in rows for column in columns})
    assert sorted({panel for panel, _ in places.values()}) == panels
