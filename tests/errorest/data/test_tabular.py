"""Tables of text: what is read, and what is refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from batteries import assert_refused
from errorest.data.reading import ReadingWarning, read_csv
from errorest.data.tables import parse_table, read_table, table_to_sample
from errorest.errors import quoted


def sample_of(text, class_column="class", **options):
    return table_to_sample(parse_table(text.encode(), "t.csv"), class_column, **options)


def kinds_of(sample):
    return {a.name: a.kind for a in sample.attributes}


def test_values_kinds_and_classes_come_out_as_written():
    sample = sample_of("a,b,c,class\n1,1.5,x,no\n2,,y,yes\n3,2,x,yes\n")
    assert kinds_of(sample) == {"a": "integer", "b": "continuous", "c": "nominal"}
    np.testing.assert_array_equal(sample.X, [[1, 1.5, 0], [2, np.nan, 1], [3, 2, 0]])
    assert sample.classes == ("no", "yes")
    assert sample.y.tolist() == [0, 1, 1]
    assert sample.attributes[2].categories == ("x", "y")


def test_blanks_around_cells_blank_lines_and_a_byte_order_mark_do_not_count():
    plain = sample_of("x,c,class\n1,u v,a\n2,w,b\n")
    spaced = parse_table(b"\xef\xbb\xbf x , c,class\r\n\r\n 1, u v ,a\r\n2,w ,b\r\n \r\n", "t.csv")
    assert table_to_sample(spaced, "class").digest() == plain.digest()
    assert spaced.lines == (3, 4)


def test_quoted_cells_may_hold_commas_quotes_and_line_ends():
    table = parse_table(b'x,class\n"a, ""b""\nc",u\nd,v\n', "t.csv")
    assert table.column("x") == ('a, "b"\nc', "d")
    assert table.lines == (2, 4)


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "1_000", "0x1F", "1e999", "١", "1,5", "1,2345"])
def test_what_only_python_takes_for_a_number_is_text(text):
    rows = "".join(f"{k},a\n" for k in range(20))
    assert_refused(["column 'x'", "line 22", quoted(text)], sample_of, f'x,class\n{rows}"{text}",b\n')


@pytest.mark.parametrize("text", ["-3", "+3", "3.", ".5", "1e-3", "2E+4", "007"])
def test_usual_spellings_of_numbers_are_numbers(text):
    assert sample_of(f"x,class\n{text},a\n1,b\n").X[0, 0] == float(text)


# What is refused.

STRAY = "x,class\n" + "".join(f"{k},a\n" for k in range(10)) + "?,b\n11,b\n"
COMMA_AND_POINT = "x;y;class\n1,5;2.5;a\n2;3;b\n"


@pytest.mark.parametrize(
    ("text", "options", "parts"),
    [
        *((text, {}, ["t.csv", "empty"]) for text in ("", "\n\n", " \n", "\ufeff")),
        ("x,class\n", {}, ["no case"]),
        ("5.1,3.5,0\n4.9,3.0,1\n", {}, ["first line", "only numbers", "column names"]),
        ("5.1,3.5,setosa\n4.9,3.0,virginica\n", {}, ["unknown class column 'class'", "is the header missing"]),
        (",x,class\n1,1,a\n1,2,b\n", {}, ["column 1 has no name"]),
        ("Unnamed: 0,x,class\n1,1,a\n1,2,b\n", {}, ["column 1 has no name"]),
        ("x,y,x,class\n0,1,2,a\n1,2,3,b\n", {}, ["columns 1 and 3", "'x'"]),
        ("x,y,class\n1,2,a\n\n1,2\n", {}, ["line 4 has 2 cells", "header has 3"]),
        ("x,y,class\n1,2,a\n\n1,2,a,4\n", {}, ["line 4 has 4 cells", "header has 3"]),
        ('x,class\n1,a\n"2,b\n3,c\n', {}, ["line 3", "cannot be parsed"]),
        ('x,class\n1,a\n2,"b\n', {}, ["line 3", "cannot be parsed"]),
        ("x,species\n1,a\n2,b\n", {"class_column": "specis"}, ["'specis'", "did you mean 'species'?"]),
        ("class\na\nb\n", {}, ["no attribute"]),
        ("x,class\n1,a\n2,a\n", {}, ["all cases are of class 'a'"]),
        ("x,class\n1,a\n2,\n3,b\n", {}, ["line 3 has no class"]),
        ("x,class\n1,a\n2,?\n3,b\n", {"missing": ["?"]}, ["line 3 has no class"]),
        ("x,class\n1,a\nu,b\nv,b\n", {"kinds": {"x": "continuous"}}, ["'x' is continuous", "'u' on line 3", "missing"]),
        ("x,class\n1,a\nu,b\nv,b\n", {"kinds": {"x": "integer"}}, ["'x' is integer", "'u' on line 3"]),
        ("x,class\n1,a\n1.5,b\n", {"kinds": {"x": "integer"}}, ["'x' is integer", "'1.5' on line 3"]),
        ("y,class\n,a\n?,b\n", {"missing": ["?"]}, ["no attribute is left", "no known value"]),
        ("x,y,class\n1,,a\n2,,b\n", {"kinds": {"y": "nominal"}}, ["'y' has no known value"]),
        ("x,class\n1,a\n2,b\n", {"kinds": {"x": "nominl"}}, ["'nominl'", "did you mean 'nominal'?"]),
        ("age,class\n1,a\n2,b\n", {"kinds": {"agee": "integer"}}, ["'agee'", "did you mean 'age'?"]),
        ("id,x,class\n1,1,a\n2,2,b\n", {"drop": ["idd"]}, ["'idd', to be dropped"]),
        ("id,x,class\n1,1,a\n2,2,b\n", {"drop": ["class"]}, ["'class', to be dropped"]),
        (STRAY, {}, ["column 'x'", "'?' on line 12", "1 of 12", "missing", "nominal"]),
        ("x,class\n1,a\n2,b\nu,a\nv,b\n", {}, ["'u' on line 4", "2 of 4"]),
        ("x,class\n45%,a\n7,b\n8,b\n", {}, ["numbers with other signs"]),
        (COMMA_AND_POINT, {"decimal": None}, ["'1,5'", "'2.5'", "decimal"]),
        (COMMA_AND_POINT, {"decimal": ","}, ["'2.5'"]),
        (COMMA_AND_POINT, {"decimal": ";"}, ["decimal sign ';'"]),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_the_place(text, options, parts):
    assert_refused(parts, sample_of, text, **options)


@pytest.mark.parametrize(
    ("content", "options", "part"),
    [
        ("x,class\n1,a\n2,é\n".encode("latin-1"), {"encoding": "utf-8"}, "line 3 is not text in utf-8"),
        (b"x,class\n1,a\n", {"encoding": "utf-9"}, "did you mean 'utf-8'"),
        (b"x,class\n1,a\n", {"sep": ",,"}, "separator"),
    ],
)
def test_bytes_that_are_no_text_are_refused(content, options, part):
    assert_refused([part], parse_table, content, "t.csv", **options)


# What columns are taken for.


@pytest.mark.parametrize(
    ("text", "options", "kinds"),
    [
        ("kind,x,class\nb,1,a\nb,2.5,b\n", {}, {"kind": "nominal", "x": "continuous"}),
        ("x,class\n6.0,a\n1e2,b\n", {}, {"x": "integer"}),
        (STRAY, {"missing": ["?"]}, {"x": "integer"}),
        (STRAY, {"kinds": {"x": "nominal"}}, {"x": "nominal"}),
        ("x,class\n1,a\n2,b\nu,a\nv,b\nw,b\n", {}, {"x": "nominal"}),
        (",x,class\n7,1,a\n8,2,b\n", {}, {"x": "integer"}),
        ("Unnamed: 0,x,class\n7,1,a\n8,2,b\n", {}, {"x": "integer"}),
        ("x,y\n1,a\n2,b\n", {"class_column": "y"}, {"x": "integer"}),
        ("y,x\na,1\nb,2\n", {"class_column": "y"}, {"x": "integer"}),
        ("x,class\n" + "".join(f"{k % 5},{k % 10}\n" for k in range(40)), {}, {"x": "integer"}),
    ],
)
def test_kinds_of_columns(text, options, kinds):
    assert kinds_of(sample_of(text, **options)) == kinds


def test_a_stated_separator_goes_before_what_is_detected():
    assert parse_table(b"x;y,class\n1;2,a\n", "t.csv", sep="comma").header == ("x;y", "class")
    assert parse_table(b"x y class\n1 2 a\n", "t.csv", sep="space").header == ("x", "y", "class")
    table = parse_table(b"sep=;\r\nx;class\r\n1;a\r\n2;b\r\n", "t.csv")
    assert (table.header, table.lines) == (("x", "class"), (3, 4))


def found(text, **options):
    return sample_of(text, decimal=None, **options)


def table_of(name, cells, n=20):
    cells = list(cells)
    return f"{name},x,class\n" + "".join(f'"{cells[k % len(cells)]}",{k % 7},{"ab"[k % 2]}\n' for k in range(n))


@pytest.mark.parametrize(("cells", "n"), [(["a", "b", "c"], 20), (range(3, 60, 3), 20), (["P1", "P2"], 2), ([0, 1], 2)])
def test_what_may_be_a_category_or_a_measurement_is_preserved(cells, n):
    assert "left out" not in {c.kind for c in found(table_of("column", cells, n)).read_report.columns}


@pytest.mark.parametrize(
    ("cells", "values", "note"),
    [
        (["20,000", "1,234.5", "7"], [20000, 1234.5, 7], "','"),
        (["45%", "7.5 %"], [45, 7.5], "'%'"),
        (["$20,000", "$5"], [20000, 5], "'$' ','"),
        (["1'000", "20 000"], [1000, 20000], "off"),
        (["007", "10"], [7, 10], "leading zeros"),
    ],
)
def test_numbers_with_signs_become_numbers_and_it_is_reported(cells, values, note):
    sample = found(table_of("v", cells, 20))
    assert sample.X[: len(values), 0].tolist() == values
    assert note in sample.read_report.notes[0]


@pytest.mark.parametrize(
    ("text", "decimal", "values"),
    [
        ("x;class\n1,5;a\n2;b\n", ",", [1.5, 2]),
        ("x;class\n1,234;a\n2;b\n", ",", [1.234, 2]),
        ("x;class\n1.234,5;a\n2;b\n", ",", [1234.5, 2]),
        ('x,class\n"1,234",a\n2,b\n', ".", [1234, 2]),
        ('x,class\n"1,5",a\n2,b\n', ",", [1.5, 2]),
        ("x;class\n1.5;a\n2;b\n", ".", [1.5, 2]),
        ("x;name;class\n1.5;u, v;a\n2;w;b\n", ".", [1.5, 2]),
    ],
)
def test_the_decimal_sign_is_detected_and_reported(text, decimal, values):
    sample = found(text)
    assert sample.X[:, 0].tolist() == values
    assert ("decimal comma" in sample.read_report.taken[1]) == (decimal == ",")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([f"{k / 7:.3f}" for k in range(60)], "regression"),
        ([str(k) for k in range(60)], "regression"),
        ([str(k % 30) for k in range(600)], "regression"),
        ([f"${k},000" for k in range(60)], "regression"),
        ([f"name {k}" for k in range(60)], "few classes"),
    ],
)
def test_a_measurement_is_no_class(labels, words):
    text = "x,class\n" + "".join(f'{k % 5},"{label}"\n' for k, label in enumerate(labels))
    assert_refused(["'class'", words, "declare the column nominal"], sample_of, text)
    assert sample_of(text, kinds={"class": "nominal"}).n_classes == len(set(labels))


def test_columns_as_understood_tell_kind_missing_distinct_and_example(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,x,c,class\n" + "".join(f"{k},{k / 4},{'uv?'[k % 3]},{'ab'[k % 2]}\n" for k in range(30)))
    with pytest.warns(ReadingWarning, match="running number"):
        sample = read_csv(path)
    rows = sample.read_report.rows()
    assert rows[0][:5] == ("column", "kind", "missing", "distinct", "example")
    assert rows[1] == ("id", "left out", "0", "30", "0", "(a running number)")
    assert rows[2][:4] == ("x", "continuous", "0", "30")
    assert rows[3] == ("c", "nominal", "10", "2", "u", "")
    assert rows[4][:4] == ("class", "class", "0", "2")
    assert "missing: '?' (10)" in str(sample.read_report)
    assert sample.read_report.lines == tuple(range(2, 32))
    assert sample.take(np.array([0, 1])).read_report is None


def test_of_many_columns_the_first_are_shown_and_those_with_a_note():
    names = [f"c{k}" for k in range(100)]
    rows = "".join(",".join([*("1" for _ in names), "", "ab"[k % 2]]) + "\n" for k in range(4))
    text = str(sample_of(",".join([*names, "empty", "class"]) + "\n" + rows).read_report)
    assert len(text.splitlines()) == 2 + 40 + 1 + 1
    assert "no known value" in text
    assert text.endswith("and 61 more columns")


def test_wide_tables_are_read_in_time_that_grows_with_their_width():
    width = 20_000
    text = ",".join(f"c{k}" for k in range(width)) + ",class\n" + ("1," * width + "a\n") + ("2," * width + "b\n")
    assert sample_of(text).d == width
    assert_refused("both called 'c7'", parse_table, text.replace("c19999,", "c7,").encode(), "t.csv")


# Files.


def test_gzip_is_recognised_by_content(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(gzip.compress(b"x,class\n1,a\n2,b\n"))
    assert read_table(path).header == ("x", "class")


def test_a_file_without_permission_is_refused(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert_refused(["cannot be read (Permission denied)"], read_table, tmp_path / "t.csv")
