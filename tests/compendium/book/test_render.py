"""An artifact's HTML says what was printed, what came out, and how the two compare."""

import re

import pandas as pd
import pytest
from markupsafe import Markup

from compendium.book.citation import Part, Work
from compendium.book.labels import labeller
from compendium.book.render import Placed, artifact_html, story_html, with_error
from compendium.book.templating import number, row_anchor
from compendium.evidence.verdicts import compare


def manifest(rows, printed, **more):
    frame = pd.DataFrame(rows, columns=["artifact", "reading", "scale", "row", "column", "value", "se", "n"])
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
        ([ROW, LARGER], [PRINTED], {}, r"(?s)reproduced.*With more.*differs", "x$"),
        ([[*ROW[:4], "training-cases=n - 1", 1.0, 0.0, 6]], [LABEL], {}, r"(?s)n - 1.*n - 1.*reproduced", "x$"),
        (COLUMNS, [], {"matrix": True}, r"(?s)Root mean.*Mean", "x$"),
    ],
)  # fmt: skip
def test_a_page_shows_what_a_manifest_holds(rows, printed, more, there, absent):
    html = artifact_html(manifest(rows, printed, **more) | ({} if printed else {"comparison": []}), "artifacts/")
    assert there in html or re.search(there, html)
    assert not re.search(absent, html)


def placed():
    work = Work({"title": "W", "version": "1", "date-released": "2026-01-31", "authors": [{"name": "They"}]}, "swh:1")
    part = Part("x-table-1", "kohavi", "Table 1", "A table")
    return Placed("0123456789abcdef", "x, line 7", work, part, Markup("<pre>def f(): ...</pre>"))


def story(rows, printed, **more):
    return story_html(manifest(rows, printed, **more), "files/", placed(), "One judged.")


def test_the_command_can_be_pasted_into_a_shell():
    changed = {"changed": {"samples": 5, "sizes": [10, 20]}, "seed": 1, "data": {}, "code": "c"}
    html = story([ROW], [PRINTED], provenance=changed)
    assert '$ compendium run x/01-y -p samples=5 -p "sizes=[10, 20]"<' in html


def test_no_more_digits_than_the_error_supports():
    assert number(8.0961, 0.17, 2) == "8.10"
    assert number(27.7132, 2.0, 2) == "27.7"
    assert number(-1.5, 0.02, 1) == "−1.50"
    assert number(float("nan"), 0.1, 1) == "–"


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


def test_a_row_can_be_linked_to_and_no_two_share_an_anchor():
    rows = [[*ROW[:3], name, column, 1.0, 0.1, 9] for name in (".632", ".632+") for column in ("rmse", "bias-percent")]
    for matrix in (False, True):
        page = artifact_html(manifest(rows, [], matrix=matrix, comparison=[]), "")
        ids = re.findall(r'<th scope="row" id="([^"]+)"', page)
        assert len(ids) == len(set(ids)) == (2 if matrix else 4)
        assert row_anchor({"id": "x-table-1", "matrix": matrix}, ".632+", "rmse") in ids


def test_a_long_table_is_folded_under_its_figure_and_counted():
    rows = [[*ROW[:3], f"r{k}", "bias-percent", 1.3, 0.2, 100] for k in range(31)]
    printed = [["x-table-1", f"r{k}", "bias-percent", "1.20", 2, 0.4, "result", "=", ""] for k in range(31)]
    figure = {"alt": "What is seen.", "caption": "C", "svg": "x.svg"}
    folded = artifact_html(manifest(rows, printed, figure=figure), "")
    assert "<summary>Table 1 in numbers: 31 rows, 31 reproduced</summary>" in folded
    assert "errorest-long" not in artifact_html(manifest(rows, printed), ""), "without a figure nothing stands for it"
    # a wide table in several readings folds its first one, and not the words above it
    both = [*rows, *([*r[:1], "fitted:other", *r[2:]] for r in rows)]
    wide = artifact_html(manifest(both, printed, figure=figure, matrix=True), "")
    assert re.search(r"31 rows, [^<]*</summary><p class=.errorest-reading.>Reading: literal</p><div", wide)
    assert "errorest-long" not in artifact_html(manifest(rows[:30], printed[:30], figure=figure), "")


def test_an_error_of_rounding_size_is_none():
    shown = with_error({"value": 22.4, "se": 3.9e-15, "n": 2}, None, all_exact=False)
    assert (shown.small, shown.samples) == ("", 2)
    assert with_error({"value": 22.4, "se": 0.0039, "n": 400}, 2.0, all_exact=False).small == "± 0.004"
