"""A complete build says which rows, claims, errata and figures differ from those recorded."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from compendium.book import build, row_diff
from compendium.book.manifests import recorded_manifests
from compendium.book.row_diff import diff_outcomes, diff_rows, outcomes_of
from compendium.book.runs import Options
from compendium.evidence.verdicts import REGENERATED_COLUMNS
from errorest.errors import UsageError

TABLE = "kohavi-table-1"
ROWS = [
    (TABLE, "literal", "published", "iris", "accuracy", 95.125, 0.5, 500),
    (TABLE, "literal", "published", "iris", "size", 150.0, 0.0, 1),
    ("lis-claims", "literal", "published", "10", "bias", -0.25, 0.125, 100),
]
FIGURE = "kohavi-figure-1"
MANIFEST: dict[str, Any] = {
    "id": FIGURE,
    "checks": [
        {"claim": "The bias is small. [a]", "name": "bias", "reading": "a", "outcome": "holds"},
        {
            "claim": "The bias is small. [Naive Bayes]",
            "name": "bias",
            "reading": "Naive Bayes",
            "outcome": "not decided",
        },
    ],
    "errata": [{"place": "Section 5.1"}, {"place": "Section 5.1"}],
    "figure": {"svg": f"{FIGURE}.svg"},
}
COUNTED = "Against data/regenerated as it was: {} rows changed, {} added, {} gone, {} the same."


def frame(*rows: Any) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(REGENERATED_COLUMNS))


def with_value(place: int, value: float) -> list[Any]:
    return [(*row[:5], value, *row[6:]) if i == place else row for i, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("after", "counts", "artifact", "line"),
    [
        (with_value(0, 95.225), (1, 0, 0, 2), TABLE, "1 row changed; by 0.2 standard errors at most (iris, accuracy)"),
        (with_value(1, 151.0), (1, 0, 0, 2), TABLE, "1 row changed; 1 without a standard error (iris, size)"),
        (ROWS[1:], (0, 0, 1, 2), TABLE, "1 row gone"),
        ([*ROWS, ("new", *ROWS[0][1:])], (0, 1, 0, 3), "new", "1 row added"),
    ],
)
def test_differing_rows_are_summarized_by_artifact(
    after: list[Any], counts: tuple[int, ...], artifact: str, line: str
) -> None:
    assert row_diff.summarize_diff(diff_rows(frame(*ROWS), frame(*ROWS))) == [
        "All 3 rows are as recorded in data/regenerated."
    ]
    summary = row_diff.summarize_diff(diff_rows(frame(*ROWS), frame(*after)))
    assert summary == [COUNTED.format(*counts), f"  {artifact}: {line}"]


def test_a_change_names_both_values() -> None:
    (change,) = diff_rows(frame(*ROWS), frame(*with_value(0, 95.225))).changed
    assert str(change) == "kohavi-table-1 [literal, published] iris, accuracy: value 95.125 recorded, 95.225 here"


def test_long_lists_are_cut() -> None:
    many = [(f"artifact-{i}", *ROWS[0][1:]) for i in range(20)]
    assert row_diff.summarize_diff(diff_rows(frame(), frame(*many)))[-1] == "  and 8 more artifacts"
    lines = diff_outcomes(outcomes_of([]), outcomes_of([{**MANIFEST, "id": str(i)} for i in range(20)]))
    assert (lines[0], lines[-1]) == ("Claims, errata and figures that are not as recorded: 100.", "  and 60 more")


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda m: None, []),
        (lambda m: m["checks"][0].update(outcome="fails"), ["claim bias [a]: holds recorded, fails here"]),
        (lambda m: m["errata"].pop(), ["erratum Section 5.1 (2): gone"]),
        (lambda m: m["figure"].update(svg="other.svg"), [f"figure {FIGURE}.svg: gone", "figure other.svg: added"]),
    ],
)
def test_differing_outcomes_are_listed(change: Any, lines: list[str]) -> None:
    other = deepcopy(MANIFEST)
    change(other)
    assert diff_outcomes(outcomes_of([MANIFEST]), outcomes_of([other]))[1:] == [f"  {FIGURE}, {one}" for one in lines]


def test_every_claim_erratum_and_figure_is_recorded_once() -> None:
    result = outcomes_of(recorded_manifests())
    assert set(result["kind"]) == {"claim", "erratum", "figure"}
    assert not result.duplicated(["kind", "artifact", "reading", "key"]).any()


def test_two_rows_of_one_key_are_refused_at_any_scale() -> None:
    row = dict.fromkeys(REGENERATED_COLUMNS, 1) | {"artifact": "a", "scale": "preview"}
    once = [{"rows": [row, row | {"row": 2}]}]
    row_diff.rows_of(once)
    with pytest.raises(UsageError, match="two artifacts yield a, 1, 1"):
        row_diff.rows_of([*once, {"rows": [row]}])


def test_a_preview_is_neither_recorded_nor_built_from_an_archive() -> None:
    for refused in ({"record": True}, {"archive": Path("studies.tar.gz")}):
        with pytest.raises(UsageError, match="are for the published scale"):
            build.build_book("preview", Options(), **refused)
