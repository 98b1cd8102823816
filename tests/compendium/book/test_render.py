"""An artifact's HTML says what was printed, what came out, and how the two compare."""

import re
from dataclasses import replace
from html import unescape

import pandas as pd
import pytest

from compendium.book.citation import Part, Work
from compendium.book.labels import headings, labeller
from compendium.book.render import Placed, artifact_html, story_html, with_error
from compendium.book.templating import measured, number, row_anchor
from compendium.evidence.keys import keys_of, parts_of
from compendium.evidence.names import Name
from compendium.evidence.papers import PAPERS
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare

ENTRY = """
x-table-1:
  leading: rmse
  keys:
    - "{inducer}/{estimator} | {quantity}"
    - "{estimator} | {quantity}/N={size}"
    - "{estimator} | {quantity}={label*}"
    - "{estimator} | {quantity}"
  differs:
    - where: {estimator: loo}
      kind: left open by the paper
      text: The folds are *not* named.
"""


@pytest.fixture(autouse=True, scope="module")
def paper(tmp_path_factory):
    """A paper of one table, whose keys are declared."""
    folder = tmp_path_factory.mktemp("papers") / "papers" / "x"
    folder.mkdir(parents=True)
    (folder / "artifacts.yaml").write_text(ENTRY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PAPERS, "x", PAPERS["lis"]._replace(id="x", folder=folder))
        for known in (keys_of, parts_of):
            known.cache_clear()
        yield
    for known in (keys_of, parts_of):
        known.cache_clear()


def manifest(rows, printed, **more):
    frame = pd.DataFrame(rows, columns=list(REGENERATED_COLUMNS))
    columns = ["artifact", "row", "column", "value", "decimals", "halfwidth", "kind", "relation", "note"]
    compared = compare(pd.DataFrame(printed, columns=columns), frame)
    base = {
        "id": "x-table-1",
        "paper": "x",
        "notebook": "x/01-y",
        "number": "Table 1",
        "title": "A table",
        "caption": "What it holds.",
        "labels": {},
        "scale": "published",
        "rows": frame.to_dict("records"),
        "comparison": compared.to_dict("records"),
        "figure": None,
        "findings": ["It came out at **1.30**."],
        "checks": [],
        "errata": [],
        "files": ["x-table-1.csv"],
        "provenance": {"changed": {}, "seed": 1, "data": {}, "code": "c" * 64},
    }
    return {**base, **more}


ROW = ["x-table-1", "literal", "published", "loo", "bias-percent", 1.3, 0.2, 100]
PRINTED = ["x-table-1", "loo", "bias-percent", "1.20", 2, 0.4, "result", "=", ""]


def test_printed_value_ours_error_and_verdict_stand_in_one_row():
    html = artifact_html(manifest([ROW], [PRINTED]), "artifacts/")
    cells = re.sub(r"<[^>]+>", " ", html[html.index("<tbody>") : html.index("</tbody>")])
    for text in ("Leave-one-out", "1.20", "(half-width 0.40)", "1.30", "± 0.20", "reproduced"):
        assert text in cells
    assert '<a href="artifacts/x-table-1.csv" download>' in html
    assert "<strong>1.30</strong>" in html


EXACT = [[*ROW[:3], name, "fits", 10.0, 0.0, 1] for name in ("a", "b")]
LABEL = ["x-table-1", "loo", "training-cases", "n - 1", float("nan"), float("nan"), "label", "=", ""]
LARGER = [*ROW[:2], "enlarged", *ROW[3:5], 2.9, 0.05, 1600]
COLUMNS = [[*ROW[:3], "loo", column, 1.0, 0.1, 9] for column in ("mean", "rmse")]
WHOLE = {"reading": "headline", "scale": "published", "said": "9 of *10* agree."}
CHANGED = {"changed": {"data": "<script>"}, "seed": 1, "data": {}, "code": "c" * 64}


@pytest.mark.parametrize(
    ("rows", "printed", "more", "there", "absent"),
    [
        ([ROW], [PRINTED], {"title": "a < b", "provenance": CHANGED}, "a &lt; b", "<script>"),
        ([[*ROW[:2], "preview", *ROW[3:]]], [], {"scale": "preview"}, "No verdict", 'class="verdict'),
        ([ROW], [PRINTED], {"wholes": [WHOLE]}, "<strong>As a whole.</strong> 9 of <em>10</em> agree.", "None"),
        ([ROW], [PRINTED], {"wholes": [{**WHOLE, "scale": "enlarged"}]}, "1.30", "As a whole"),
        (EXACT, [], {}, "all exact", "<small>exact</small>"),
        ([*EXACT, [*ROW[:3], "c", "fits", 10.0, 0.5, 9]], [], {}, "<small>exact</small>", "all exact"),
        ([ROW, LARGER], [PRINTED], {}, r"(?s)reproduced.*<summary>more repeats.*differs", "x$"),
        ([ROW, LARGER], [PRINTED], {}, "</strong>. <small>(more repeats)</small>", "x$"),
        ([ROW], [PRINTED], {}, "It came out at", "more repeats"),
        ([[*ROW[:4], "training-cases=n - 1", 1.0, 0.0, 6]], [LABEL], {}, r"(?s)n - 1.*n - 1.*reproduced", "x$"),
        (COLUMNS, [], {"matrix": True}, r"(?s)Root mean.*Mean", "x$"),
        ([[*ROW[:5], 9.0, 0.2, 100]], [PRINTED], {}, "Left open by the paper: The folds are <em>not</em> named.", "x$"),
        ([ROW], [PRINTED], {}, "reproduced", "Why numbers differ"),
    ],
)  # fmt: skip
def test_a_page_shows_what_a_manifest_holds(rows, printed, more, there, absent):
    html = artifact_html(manifest(rows, printed, **more) | ({} if printed else {"comparison": []}), "artifacts/")
    assert there in html or re.search(there, html)
    assert not re.search(absent, html)


WORK = Work({"title": "W", "version": "1", "date-released": "2026-01-31", "authors": [{"name": "They"}]}, "swh:1")
PART = Part("x-table-1", "kohavi", "Table 1", "A table")
MADE = [("samples and trains", "design", "source/y.html#design"), ("tabulates", "f", "source/x.html#f")]
MARKS = {("loo", "bias-percent"): (12.5, 40.0)}
PLACED = Placed("0123456789abcdef", "source/x.html", WORK, PART, MADE, [MARKS])


def test_a_page_of_the_book_names_the_source_and_says_how_to_cite():
    html = artifact_html(manifest([ROW], [PRINTED]), "artifacts/", PLACED)
    assert "commit <code>0123456789ab</code>" in html
    assert '<a href="artifacts/../source/x.html"><code>source/x.py</code></a>' in html
    assert 'samples and trains: <a href="artifacts/../source/y.html#design"><code>design</code></a>; tabulates' in html
    assert "They. (2026). Table 1 of Kohavi (1995), regenerated: A table [Data set]. In W (Version 1). swh:1" in html
    assert "Cite" not in artifact_html(manifest([ROW], [PRINTED]), "artifacts/")


def story(rows, printed, **more):
    return story_html(manifest(rows, printed, **more), "files/", PLACED, "One judged.")


def test_the_text_shows_the_headline_reading_the_functions_and_the_command():
    fitted = ["x-table-1", "fitted:x", *ROW[2:5], 1.21, 0.01, 100]
    html = story([fitted, LARGER, ROW], [PRINTED])
    assert "1.30" in html
    assert "1.20" in html
    assert "2.9" not in html
    assert "1.21" not in html
    assert "$ .venv/bin/compendium run x/01-y" in html
    assert '<a href="files/../source/x.html#f"><code>f</code></a>' in html
    assert 'One judged. <a href="files/x-table-1.html">All of Table 1</a>' in html


def test_the_command_can_be_pasted_into_a_shell():
    changed = {"changed": {"samples": 5, "sizes": [10, 20]}, "seed": 1, "data": {}, "code": "c"}
    html = story([ROW], [PRINTED], provenance=changed)
    assert '$ .venv/bin/compendium run x/01-y -p samples=5 -p "sizes=[10, 20]"<' in html


def test_the_text_shows_numbers_of_columns_with_an_equals_sign_and_labels() -> None:
    rows = [[*ROW[:4], f"bias-percent/N={n}", value, 0.2, 100] for n, value in ((24, 1.31), (48, 2.42))]
    rows.append([*ROW[:4], "best=.632", 0.4, 0.0, 100])
    label = ["x-table-1", "loo", "best", ".632+", None, None, "label", "=", ""]
    html = story(rows, [[*PRINTED[:2], "bias-percent/N=24", *PRINTED[3:]], label])
    cells = [re.sub(r"<[^>]+>", " ", cell).split() for cell in re.findall(r"<td.*?</td>", html, re.DOTALL)]
    assert [cell[0] for cell in cells if cell] == ["1.20", "1.31", "–", "2.42", ".632+", ".632"]


def test_of_two_readings_with_equally_many_numbers_the_second_is_named():
    readings = ("fitted:c", "fitted:a", "fitted:b")
    rows = [["x-table-1", reading, *ROW[2:4], reading, 1.3, 0.2, 100] for reading in readings]
    notes = re.findall(r'class="errorest-note" title="([^"]+)"', story(rows, [], comparison=[]))
    assert notes == ["fitted:a", "fitted:b"]


def test_a_wide_table_stands_upright_with_the_printed_number_below_ours():
    rows = [[*ROW[:3], f"r{i}", f"c{j}", 1.3, 0.2, 100] for i in range(5) for j in range(9)]
    printed = [["x-table-1", r[3], r[4], "1.20", 2, None, "result", "=", ""] for r in rows]
    html = story(rows, printed)
    assert html.count("<tr>") == 1 + 9
    assert html.count('<small class="errorest-printed">1.20</small>') == 45
    assert "The printed number stands below ours." in html


def test_a_table_too_long_for_the_text_stands_on_the_page_of_the_artifact():
    rows = [[*ROW[:3], f"r{i}", "c", 1.3, 0.2, 100] for i in range(131)]
    figure = {"svg": "x.svg", "alt": "a", "caption": "c"}
    assert "<table" not in story(rows, [], comparison=[], figure=figure)
    assert "<table" in story(rows, [], comparison=[])
    assert "<table" in story(rows[:130], [], comparison=[], figure=figure)


def test_no_more_digits_than_the_error_supports():
    assert number(8.0961, 0.17, 2) == "8.10"
    assert number(27.7132, 2.0, 2) == "27.7"
    assert number(-1.5, 0.02, 1) == "−1.50"
    assert number(float("nan"), 0.1, 1) == "–"


def test_an_error_has_two_digits_or_one_and_the_decimals_of_its_value():
    assert measured(8.0961, 0.17, 2) == ("8.10", "0.17")
    assert measured(27.7132, 2.0, 2) == ("27.7", "2.0")
    assert measured(94.77, 0.36) == ("94.8", "0.4")
    assert measured(99.96, 0.017) == ("99.96", "0.02")
    assert measured(0.785, 0.0102) == ("0.785", "0.010")
    assert measured(-0.004, 0.2, 1) == ("0.00", "0.20")
    assert measured(2.35, 0.004, 1) == ("2.350", "0.004")
    assert measured(1250.0, 130.0) == ("1250", "130")
    assert measured(0.0, 0.5) == ("0.0", "0.5")


def test_a_grid_has_a_line_for_each_row_a_pair_of_columns_for_each_quantity_and_a_named_sign():
    rows = [
        ["x-table-1", reading, "published", f"{inducer}/loo", column, value, 0.2, 100]
        for reading in ("literal", "fitted:other")
        for inducer in ("1-nn", "ldf")
        for column, value in (("mean", 1.3), ("std", 9.0))
    ]
    printed = [
        ["x-table-1", f"{inducer}/loo", column, "1.20", 2, float("nan"), "result", "=", ""]
        for inducer in ("1-nn", "ldf")
        for column in ("mean", "std")
    ]
    html = artifact_html(manifest(rows, printed, matrix=True), "artifacts/")
    first = html[: html.index("<details")]
    assert first.count('scope="rowgroup"') == 2
    assert first.count('scope="colgroup"') == 2
    assert first.count("Leave-one-out") == 2
    assert first.count('aria-label="reproduced"') == 2
    assert first.count('aria-label="differs"') == 2
    assert '<details data-name="fitted:other" data-repeats="the paper&#39;s repeats">' in html
    assert "<dt>fitted:<wbr/>other</dt><dd>Chosen because it gives the printed numbers.</dd>" in html


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("N=10/cv-10", "N = 10, 10-fold CV"),
        ("lenses-at-20/1-nn", "Lenses at 20, 1-NN"),
        ("discriminant/holdout-1/3", "Discriminant, holdout, ⅓ tested"),
        ("star/loo-star", "Star, LOO*"),
        ("pair/ldf", "Pair, Fisher's linear discriminant"),
        ("pair/svm-rbf", "Pair, SVM, RBF kernel"),
        ("cloned-bscv-10-beats-cloned-bscv-5", "10-fold CV on clones beats 5-fold CV on clones"),
        ("bootstrap-632 on cv-10", ".632 bootstrap on 10-fold CV"),
        ("own/bootstrap-632plus-to-zero", "Own, .632+, R to 0"),
    ],
)
def test_names_keep_their_letters_wherever_they_stand(key, words):
    assert labeller({"bootstrap-632plus-to-zero": ".632+, R to 0"})(key) == words


def test_a_manifest_brings_the_headings_of_its_keys_and_no_others():
    names = {"loo": Name("LOO", "leave-one-out", "The jackknife"), "cv-2": Name("2-CV", "2-CV", "2-CV"), "b/c": "Beta"}
    assert headings(names, ["N=10/loo", "a/b/c"]) == {"loo": "The jackknife", "b/c": "Beta"}


def test_what_stands_with_a_number_makes_no_line_of_its_own():
    label = ["x-table-1", "loo", "best", ".632", None, None, "label", "=", ""]
    rows = [ROW, [*ROW[:4], "best=.632", 0.4, 0.0, 100], [*ROW[:4], "best=.632+", 0.6, 0.0, 100]]
    rows += [[*ROW[:4], "bias-percent=.632", 1.1, 0.2, 100], [*ROW[:4], "bias-percent/reruns-low", 1.0, None, 100]]
    page = artifact_html(manifest(rows, [PRINTED, label]), "")
    assert "reruns" not in page
    assert page.count('<th scope="row"') == 2


def test_a_row_can_be_linked_to_and_no_two_share_an_anchor():
    rows = [[*ROW[:3], name, column, 1.0, 0.1, 9] for name in (".632", ".632+") for column in ("rmse", "bias-percent")]
    for matrix in (False, True):
        page = artifact_html(manifest(rows, [], matrix=matrix, comparison=[]), "")
        ids = re.findall(r'<th scope="row" id="([^"]+)"', page)
        assert len(ids) == len(set(ids)) == (2 if matrix else 4)
        assert row_anchor({"id": "x-table-1", "matrix": matrix}, ".632+", "rmse") in ids


def test_keys_that_differ_in_one_character_have_anchors_that_an_address_can_hold():
    keys = [("a", f"k{mark}2") for mark in "= -+*/.:~_(%\u2011"] + [
        ("a-b", "c"),
        ("a", "b-c"),
        ("a/b", "c"),
        ("a", "b/c"),
    ]
    keys += [("k=2", ""), ("k-2", ""), (" k=2", "")]
    anchors = [row_anchor({"id": "x-table-1"}, *key) for key in keys]
    assert len(set(anchors)) == len(keys)
    # what RFC 3986 allows in a fragment as it stands
    assert all(re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]+", anchor) for anchor in anchors)


def cited(rows, printed, **more):
    page = artifact_html(manifest(rows, printed, **more), "", PLACED)
    section = re.search(r'<section [^>]*data-cite="([^"]+)"', page)
    return unescape(section[1]), [
        unescape(text) for text in re.findall(r'<th scope="row" id="[^"]+" data-cite="([^"]+)"', page)
    ]


def test_a_row_is_cited_with_its_paper_table_quantity_and_numbers():
    whole, rows = cited([ROW, [ROW[0], "fitted:x", *ROW[2:5], 1.25, 0.1, 100]], [PRINTED])
    assert whole == "They. (2026). Table 1 of Kohavi (1995), regenerated: A table [Data set]. In W (Version 1). swh:1"
    of = "Leave-one-out. Bias, points"
    ours = "regenerated 1.30 ± 0.20 (literal), regenerated 1.25 ± 0.10 (fitted:x)"
    assert rows == [f"{of}: printed 1.20 (half-width 0.40), {ours}"]


def test_a_row_of_a_grid_is_cited_with_every_quantity():
    other = [*ROW[:4], "rmse", 2.5, 0.1, 100]
    bias, rms = "Bias, points", "Root mean square error"
    _, rows = cited([ROW, other], [PRINTED], matrix=True)
    both = f"{bias}: printed 1.20 (half-width 0.40), regenerated 1.30 ± 0.20 (literal)"
    assert rows == [f"Leave-one-out. {rms}: regenerated 2.50 ± 0.10 (literal); {both}"]
    _, rows = cited([ROW, other], [], matrix=True, comparison=[])
    assert rows == [f"Leave-one-out. {rms}: measured 2.50 ± 0.10 (literal); {bias}: measured 1.30 ± 0.20 (literal)"]


def test_a_number_that_differs_leads_to_its_reason_in_the_list_below():
    rows = [[*ROW[:3], f"r{k}", "bias-percent", 9.3, 0.2, 100] for k in range(3)]
    printed = [["x-table-1", f"r{k}", "bias-percent", "1.20", 2, 0.4, "result", "=", ""] for k in range(3)]
    made = manifest(rows, printed)
    for judged, note in zip(made["comparison"], ("A.", "B.", "A."), strict=True):
        judged["note"] = note
    html = artifact_html(made, "")
    assert re.findall('<a href="#why-([12])"', html) == ["1", "2", "1"]
    assert re.findall('<li id="why-([12])">([12]) number', html) == [("1", "2"), ("2", "1")]
    assert "why-" not in story_html(made, "", PLACED, "")


def test_an_error_of_rounding_size_is_none():
    shown = with_error({"value": 22.4, "se": 3.9e-15, "n": 2}, None, all_exact=False)
    assert (shown.small, shown.samples) == ("", 2)
    assert with_error({"value": 22.4, "se": 0.0039, "n": 400}, 2.0, all_exact=False).small == "± 0.004"


def test_of_several_pictures_each_has_its_name_and_marks():
    second = {"name": "N = 20", "alt": "What is seen there.", "svg": "x-2.svg", "narrow": "x-2-narrow.svg"}
    figure = {"name": "N = 10", "alt": "What is seen.", "caption": "C", "svg": "x.svg", "others": [second]}
    placed = replace(PLACED, marks=[{}, MARKS])
    html = artifact_html(manifest([ROW], [PRINTED], figure=figure, files=["x.svg", "x-2.svg"]), "", placed)
    first, other = html.split('<div data-name="')[1:]
    assert first.startswith('N = 10"><p class="errorest-picture-name">N = 10</p>')
    assert 'src="x.svg" alt="What is seen."' in first
    assert "errorest-mark" not in first
    assert 'srcset="x-2-narrow.svg"' in other
    assert other.count('class="errorest-mark"') == 1
    assert html.count("<figcaption>") == 1


def test_a_mark_of_the_figure_leads_to_its_row():
    figure = {"alt": "What is seen.", "caption": "C", "svg": "x.svg"}
    html = artifact_html(manifest([ROW], [PRINTED], figure=figure, files=["x.svg"]), "", PLACED)
    row = re.search('<th scope="row" id="([^"]+)"', html)[1]
    assert f'<a class="errorest-mark" href="#{row}" title="Leave-one-out, Bias, points"' in html
    assert 'style="left:12.50%;top:40.00%"' in html
