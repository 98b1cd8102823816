"""Printed keys as named columns."""

import pandas as pd
import pytest

from compendium.evidence.estimate import Estimate
from compendium.evidence.keys import Keys, tidy
from compendium.evidence.papers import PAPERS
from compendium.evidence.texts import declared_of
from compendium.evidence.verdicts import compare, read_published, read_regenerated, tidy_numbers
from errorest.errors import UsageError


@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_and_regenerated_key_is_composed_as_its_artifact_declares(paper: str) -> None:
    for frame in (read_published(paper), read_regenerated(paper)):
        table = tidy(frame)
        assert len(table) == len(frame)
        for key, role, label in zip(table.itertuples(index=False), table["role"], table["label"], strict=True):
            suffix = {"value": "", "label": f"={label}"}.get(role, f"/{role}")
            assert (key.row, key.column) == (key.of_row, key.of_column + suffix)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_artifact_with_rows_declares_its_keys(paper: str) -> None:
    shown = {*read_published(paper)["artifact"], *read_regenerated(paper)["artifact"]}
    assert [one for one in sorted(shown) if "keys" not in declared_of(one)] == []


@pytest.mark.parametrize(
    ("keys", "row", "column", "expected"),
    [
        (
            Keys("{inducer}/{q}", "{estimator*}"),
            "1-nn/bias",
            "holdout-1/3",
            ("1-nn", "bias", "holdout-1/3", "value", ""),
        ),
        (Keys("{data_set}", "{q}={label*}"), "iris", "new=a/b", ("iris", "new", "label", "a/b")),
        (Keys("{data_set}", "{q}/{part}"), "iris", "sd/first/reruns-low", ("iris", "sd", "first", "reruns-low", "")),
        (Keys("{data_set}", "{q}/{part}"), "iris", "sd/reruns-low", None),
        (Keys("N={size}", "{q}"), "n=10", "sd", None),
    ],
)
def test_a_key_is_read_by_its_template(keys: Keys, row: str, column: str, expected: tuple[str, ...] | None) -> None:
    parts = keys.parse(row, column)
    read = parts and (*(parts[name] for name in keys.names if name != "label"), parts["role"], parts["label"])
    assert read == expected


@pytest.mark.parametrize(
    ("rows", "row", "group", "line"),
    [
        ("{a}/{b}/{c}", "x/y/z", "x/y", "z"),
        ("{inducer}/{estimator*}", "1-nn/holdout-1/3", "1-nn", "holdout-1/3"),
        ("{estimator*}", "holdout-1/3", "", "holdout-1/3"),
        ("N={size}/distance={d}", "N=10/distance=2", "N=10", "distance=2"),
    ],
)
def test_rows_are_grouped_by_all_named_parts_but_the_last(rows: str, row: str, group: str, line: str) -> None:
    parts = Keys(rows, "{q}").parse(row, "sd")
    assert parts is not None
    assert (parts["group"], parts["line"]) == (group, line)


def test_a_row_is_written_by_named_parts_and_read_again() -> None:
    keys = Keys("{data_set}/{inducer}", "k={k}/{quantity}")
    named = {"data_set": "iris", "inducer": "c4.5", "k": "10", "quantity": "sd"}
    row = keys.row("literal", Estimate(1.0, 0.1, 20), "halfwidth", **named)
    assert (row.row, row.column) == ("iris/c4.5", "k=10/sd/halfwidth")
    parts = keys.parse(row.row, row.column)
    assert parts is not None
    assert parts.items() >= (named | {"role": "halfwidth"}).items()
    with pytest.raises(KeyError, match="inducer"):
        keys.row("literal", Estimate(1.0, 0.1, 20), data_set="iris")


def test_numbers_have_their_named_parts_and_what_was_printed_as_columns() -> None:
    rows = read_regenerated("kohavi").query("artifact == 'kohavi-table-1' and row == 'vehicle'")
    table = tidy_numbers(rows, compare(read_published("kohavi"), rows))
    assert list(table)[:5] == ["artifact", "reading", "scale", "data_set", "quantity"]
    assert list(table)[5:] == ["role", "label", "value", "se", "n", "printed", "verdict"]
    assert table["value"].tolist() == rows["value"].tolist()
    measured = table[table["quantity"].isin(["c4.5", "naive-bayes"])]
    assert measured.loc[measured["role"] == "value", "verdict"].notna().all()
    assert measured.loc[measured["role"] != "value", "verdict"].isna().all()
    assert tidy_numbers(rows, rows.iloc[:0])["verdict"].isna().all()


def test_a_key_that_fits_no_template_is_refused_with_the_templates() -> None:
    strange = pd.DataFrame({"artifact": ["kohavi-figure-2"], "row": ["iris"], "column": ["sd"]})
    with pytest.raises(UsageError, match=r"'iris \| sd' of kohavi-figure-2 is not composed like '\{data_set\}/"):
        tidy(strange)
