"""Verdicts: every relation, kind and scale, and the printed numbers themselves."""

from collections import Counter
from decimal import ROUND_DOWN, Decimal
from itertools import product
from math import inf, isnan, nan, sqrt

import numpy as np
import pandas as pd
import pytest

from batteries import assert_refused
from compendium.evidence import verdicts as published
from compendium.evidence.judging import VERDICTS, PredictionInterval, judge, judge_count, judge_label, judge_p_value
from compendium.evidence.texts import why_untestable
from compendium.evidence.verdicts import (
    REGENERATED_COLUMNS,
    compare,
    counts,
    headline,
    other_values,
    read_published,
    read_regenerated,
    tally,
)

KINDS = {"result", "data", "setting", "label", "sentinel"}


def printed(**row) -> pd.DataFrame:
    base = {"artifact": "a-table-1", "row": "r", "column": "c", "value": "8.05", "decimals": 2.0, "halfwidth": nan}
    return pd.DataFrame([{**base, "kind": "result", "relation": "=", "note": "", **row}])


def ours(*rows: dict) -> pd.DataFrame:
    base = {"artifact": "a-table-1", "reading": "literal", "scale": "published", "row": "r", "column": "c"}
    return pd.DataFrame([{**base, "value": 8.05, "se": 0.1, "n": 100, **r} for r in rows], columns=REGENERATED_COLUMNS)


# Equal


@pytest.mark.parametrize(
    ("off", "verdict"), [(1.99, "reproduced"), (2.01, "close"), (2.99, "close"), (3.01, "differs")]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_result_is_judged_by_its_z_with_the_error_of_both_sides_and_the_rounding(off, verdict, sign):
    noise = sqrt(0.3**2 + 0.4**2 + 0.1**2 / 12)
    j = judge(5.0 + sign * off * noise, 0.3, "5.0", 1, se_theirs=0.4)
    assert j.verdict == verdict
    assert j.z == pytest.approx(sign * off)


@pytest.mark.parametrize(("error", "verdict"), [(2.0, "close"), (3.0, "close")])
def test_two_and_three_standard_errors_are_close(error, verdict):
    # against a whole number printed to the bit: 3 and 4 make 5, and the rounding adds nothing that can be seen
    assert judge(5.0 * error, 3.0, "0", 9, se_theirs=4.0).verdict == verdict


def test_the_error_of_the_print_is_ours_unless_it_is_given():
    assert judge(1.0, 0.5, "0", 0).z == pytest.approx(1 / sqrt(0.5 + 1 / 12))
    assert judge(1.0, 0.5, "0", 0, se_theirs=nan).z == pytest.approx(1 / sqrt(0.5 + 1 / 12))
    assert judge(1.0, 0.5, "0", 0, se_theirs=0.0).z == pytest.approx(1 / sqrt(0.25 + 1 / 12))


@pytest.mark.parametrize("se", [0.0, nan])
def test_an_exact_value_equals_the_print_after_rounding_or_truncation_saying_which(se):
    for units, further, decimals, off in product(range(-250, 251), range(3), range(3), range(-2, 3)):
        value, unit = Decimal(units).scaleb(-decimals - further), Decimal(1).scaleb(-decimals)
        text = value.quantize(unit, ROUND_DOWN) + off * unit
        # a half may be rounded either way
        reason = "rounding" if abs(value - text) <= unit / 2 else "truncation" if off == 0 else "exact"
        j = judge(float(value), se, str(text), decimals)
        assert j.verdict == ("differs" if reason == "exact" else "reproduced"), (value, text)
        assert reason in j.reason, (value, text)


@pytest.mark.parametrize(
    ("value", "text", "same"),
    [(1200.0, "1200", True), (1.4e-13, "1e-13", True), (0.04, "1e-13", False), (6.2e-5, "5e-5", False)],
)
def test_without_decimals_the_last_printed_digit_is_that_of_the_text(value, text, same):
    assert judge(value, 0.0, text, nan).verdict == ("reproduced" if same else "differs")


# About, more than


@pytest.mark.parametrize(
    ("relation", "value", "se", "text", "verdict"),
    [
        ("~", 54.0, 0.0, "50", "reproduced"),  # within a tenth
        ("~", 55.5, 0.0, "50", "differs"),
        ("~", 44.5, 0.0, "50", "differs"),
        ("~", 0.49, 0.0, "0", "reproduced"),  # within the rounding
        ("~", 0.51, 0.0, "0", "differs"),
        ("~", -54.0, 0.0, "-50", "reproduced"),
        ("~", 57.0, 1.0, "50", "reproduced"),  # 2 beyond, against a noise of 1.44
        ("~", 58.5, 1.0, "50", "close"),
        ("~", 61.0, 1.0, "50", "differs"),
        ("~", 4.9, 0.1, "5", "reproduced"),
        ("~", 4.9, 2.0, "5", "no power"),
        (">", 4.01, 0.0, "4", "reproduced"),
        (">", 400.0, 1.0, "4", "reproduced"),
        (">", 4.0, 0.0, "4", "differs"),
        (">", 3.9, 0.0, "4", "differs"),
        (">", 3.9, 0.5, "4", "reproduced"),
        (">", 2.1, 0.5, "4", "close"),
        (">", 1.5, 0.5, "4", "differs"),
    ],
)
def test_about_is_within_the_rounding_or_a_tenth_and_more_than_an_inequality_with_noise(
    relation, value, se, text, verdict
):
    assert judge(value, se, text, 0, relation=relation).verdict == verdict


# What is not judged


@pytest.mark.parametrize(("value", "text"), [(nan, "5"), (inf, "5"), (1.0, "n - j")])
def test_texts_and_undefined_values_are_not_judged(value, text):
    j = judge(value, 0.1, text, nan)
    assert j.verdict == "not testable"
    assert isnan(j.z)
    assert j.reason


# Tables


LARGER = {"scale": "enlarged", "n": 1000}


@pytest.mark.parametrize(
    ("rows", "decimals", "noises"),
    [
        # the paper had 100 repeats: its standard error is .1 at either scale of ours
        ([{"value": 8.3}, {**LARGER, "value": 8.3, "se": 0.1 / sqrt(10)}], 2.0, [(0.1, 0.1), (0.1 / sqrt(10), 0.1)]),
        # without a row at published repeats the print is taken to have ours
        ([{**LARGER, "value": 8.3}], 2.0, [(0.1, 0.1)]),
        # each reading scales to its own published repeats
        ([{"value": 8.3}, {**LARGER, "reading": "fitted:x", "value": 8.3}], 2.0, [(0.1, 0.1)] * 2),
        # a hundred samples hid the tails: .003 where a thousand show .02 at the paper's repeats
        (
            [{"value": 8.0, "se": 0.003}, {**LARGER, "value": 8.04, "se": 0.02 / sqrt(10)}],
            3.0,
            [(0.02, 0.02), (0.02 / sqrt(10), 0.02)],
        ),
        # the spread of another reading is not taken
        ([{"value": 8.0, "se": 0.01}, {**LARGER, "reading": "fitted:x", "se": 1.0}], 2.0, [(0.01, 0.01), (1.0, 1.0)]),
    ],
)
def test_the_error_of_the_print_is_our_spread_scaled_to_the_papers_repeats(rows, decimals, noises):
    both = compare(printed(decimals=decimals), ours(*rows))
    expected = [
        (row.get("value", 8.05) - 8.05) / sqrt(own**2 + theirs**2 + 100**-decimals / 12)
        for row, (own, theirs) in zip(rows, noises, strict=True)
    ]
    assert both["z"].tolist() == pytest.approx(expected)


WIDTH = {"column": "c/halfwidth", "se": 0.01}


@pytest.mark.parametrize(("width", "verdict"), [(0.38, "reproduced"), (0.42, "close"), (0.60, "differs")])
def test_a_printed_half_width_has_a_verdict_of_its_own(width, verdict):
    rows = ours({}, {**WIDTH, "value": width})
    both, unprinted = (compare(one, rows).iloc[0] for one in (printed(halfwidth=0.38), printed()))
    assert (both["halfwidth_verdict"], both["ours_halfwidth"]) == (verdict, pytest.approx(width))
    assert unprinted["halfwidth_verdict"] == ""
    assert isnan(unprinted["ours_halfwidth"])


@pytest.mark.parametrize(("width", "se"), [(0.19, 0.0025), (0.21, 0.005)])
def test_a_half_width_of_the_enlarged_run_is_brought_to_the_papers_repeats(width, se):
    # .21 +- .005 is .42 +- .01, and the paper's own error is .02
    more = {"scale": "enlarged", "n": 400}
    rows = ours({}, {**WIDTH, "value": 0.38}, more, {**WIDTH, **more, "value": width, "se": se})
    both = compare(printed(halfwidth=0.38), rows)
    assert both["halfwidth_verdict"].tolist() == ["reproduced"] * 2
    assert both["ours_halfwidth"].tolist() == pytest.approx([0.38, 2 * width])


SECONDS = {"artifact": "shakhnarovich-table-7", "column": "pima/17-nn"}


@pytest.mark.parametrize(
    ("key", "verdict", "reason"),
    [
        ({}, "not testable", "no reason is known"),
        ({"kind": "setting"}, "setting", "an input of the experiment"),
        ({"kind": "sentinel"}, "not testable", "printed, but not computed"),
        ({"kind": "label"}, "not testable", "no reason is known"),
        (SECONDS, "not testable", why_untestable("shakhnarovich-table-7", "r", "c")),
    ],
)
def test_a_printed_key_that_nothing_was_regenerated_for_has_one_row(key, verdict, reason):
    row = compare(printed(**key), ours({"row": "other"})).iloc[0]
    assert (row["verdict"], row["reason"], row["reading"]) == (verdict, reason, "")
    assert isnan(row["value"])


def test_the_headline_is_the_literal_reading_at_published_repeats_wherever_it_is_listed():
    table = ours(
        {"scale": "enlarged", "value": 1.0},
        {"reading": "fitted:x", "value": 8.05},
        {"value": 2.0},
        {"reading": "fitted:y", "value": 8.05},
    )
    for listed in (table, table[::-1]):
        first = headline(compare(printed(), listed))
        assert first[["reading", "scale"]].to_numpy().tolist() == [["literal", "published"]]
    enlarged = ours({"scale": "enlarged", "value": 1.0}, {"scale": "enlarged", "reading": "fitted:x"})
    assert headline(compare(printed(), enlarged))["value"].tolist() == [1.0]
    assert counts(compare(printed(), table)) == {**dict.fromkeys(VERDICTS, 0), "differs": 1}


# The files


@pytest.mark.parametrize("paper", [one.id for one in published.PAPERS.values() if one.printed])
def test_every_printed_number_loads_with_a_key_of_its_own(paper):
    table = read_published(paper)
    assert len(table)
    assert not table.duplicated(["artifact", "row", "column"]).any()
    assert table["artifact"].str.startswith(f"{paper}-").all()
    assert set(table["kind"]) <= KINDS
    assert set(table["relation"]) <= {"=", "~", ">"}
    numbers = table[table["kind"].isin(["result", "data"])]
    assert pd.to_numeric(numbers["value"], errors="coerce").notna().all()
    assert (table["halfwidth"].isna() | (table["halfwidth"] >= 0)).all()
    # as many decimals as printed; none where a power of ten is
    plain = numbers[~numbers["value"].str.contains("e")]
    assert (plain["decimals"] == plain["value"].str.partition(".")[2].str.len()).all()
    assert numbers.drop(plain.index)["decimals"].isna().all()


@pytest.mark.parametrize("paper", [one.id for one in published.PAPERS.values() if one.printed])
def test_a_print_agrees_with_itself(paper):
    table = read_published(paper)
    numbers = table[table["kind"].isin(["result", "data"])]
    same = numbers.assign(
        value=numbers["value"].astype(float), se=0.0, n=1, reading="literal", scale="published"
    ).reindex(columns=REGENERATED_COLUMNS)
    verdicts = headline(compare(numbers, same))
    # a p-value agrees with itself without telling it from its neighbours
    wrong = verdicts[~verdicts["verdict"].isin(["reproduced", "no power"]) & (verdicts["relation"] != ">")]
    assert wrong.empty


def test_an_unknown_paper_is_refused_with_the_nearest_name():
    assert_refused("did you mean 'kohavi'", read_published, "kohavy")


def test_outside_a_checkout_the_missing_folder_is_named(monkeypatch):
    monkeypatch.setattr(published.determinism, "project_root", lambda: None)
    read_published.cache_clear()
    assert_refused("data/published was not found; expected a checkout", read_published, "kohavi")
    read_published.cache_clear()


def test_what_was_regenerated_is_read_with_keys_as_text_and_is_empty_before_the_first_build(tmp_path, monkeypatch):
    monkeypatch.setattr(published.determinism, "project_root", lambda: tmp_path)
    assert published.read_regenerated("kohavi").columns.tolist() == list(REGENERATED_COLUMNS)
    (tmp_path / "data" / "regenerated").mkdir(parents=True)
    ours({"row": "10", "column": "nan"}).to_csv(tmp_path / "data" / "regenerated" / "kohavi.csv", index=False)
    back = published.read_regenerated("kohavi").iloc[0]
    assert (back["row"], back["column"], back["value"]) == ("10", "nan", 8.05)


ALPHA = {"artifact": "shakhnarovich-table-2", "row": "1/ldf", "column": "alpha"}
ALPHA_ROW = {"artifact": "shakhnarovich-table-5", "row": "alpha", "column": "pima/17-nn"}


@pytest.mark.parametrize("key", [ALPHA, ALPHA_ROW])
@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        (0.3, ".15", "reproduced"),  # deviates of .52 and 1.04
        (0.049, ".051", "reproduced"),  # on either side of a level, and yet alike
        (0.99, ".06", "close"),  # -2.3 and 1.6: the same decisions, and yet not alike
        (1e-3, "1e-10", "close"),
        (0.2, "1e-10", "differs"),
        (0.0, "1e-300", "reproduced"),
    ],
)
@pytest.mark.parametrize("se", [0.0, 1.0])
def test_a_p_value_is_judged_by_its_normal_deviate_whatever_its_standard_error(key, value, text, verdict, se):
    own = ours({**key, "value": value, "se": se})
    assert compare(printed(value=text, decimals=nan if "e" in text else 2.0, **key), own).verdict[0] == verdict


def test_a_p_value_of_more_replicates_is_brought_to_those_of_the_paper():
    # twice the deviate of .05 from four times the replicates
    own = ours({**ALPHA, "value": 0.05, "n": 50}, {**ALPHA, "value": 0.0005, "n": 200, "scale": "enlarged"})
    judged = compare(printed(value=".05", **ALPHA), own)
    assert judged.verdict.tolist() == ["reproduced"] * 2
    assert judged.z.round(2).tolist() == [0.0, 0.0]


def test_a_p_value_has_no_power_where_most_of_the_others_would_agree():
    assert judge_p_value(0.02, ".02", 2, others=[0.03, 0.1, 1e-12]).verdict == "no power"
    assert judge_p_value(0.02, ".02", 2, others=[0.03, 1e-12]).verdict == "reproduced"


def test_another_artifact_s_alpha_is_a_number_like_any_other():
    own = ours({"column": "alpha", "value": 0.02, "se": 0.0})
    assert compare(printed(value="0.04", column="alpha"), own).verdict[0] == "differs"


# No power


def test_a_correlation_that_could_be_anything_has_no_power():
    j = judge(0.9, 0.6, ".3", 1)
    assert j.verdict == "no power"
    assert "anything from -1.4 to 2" in j.reason


@pytest.mark.parametrize(
    ("text", "value", "se", "verdict"),
    [
        ("25", 17.0, 4.0, "reproduced"),  # 17 +- 11.3 is no wider than 25
        ("25", 17.0, 5.0, "no power"),
        ("25", 25.0, 5.0, "no power"),  # even where ours is equal
        ("25", 50.0, 6.0, "close"),  # a difference that is seen was not hidden
        ("25", 90.0, 6.0, "differs"),
        ("0", 0.0, 0.0, "reproduced"),  # exact numbers have power
        ("-0.05", -0.05, 0.1, "no power"),
    ],
)
def test_the_power_of_a_number_that_stands_alone_is_judged_against_its_size(text, value, se, verdict):
    assert judge(value, se, text, 2 * ("." in text)).verdict == verdict


@pytest.mark.parametrize(
    ("others", "verdict", "passing"),
    [
        ([10.5, 30.0], "reproduced", 0.5),
        ([10.5, 9.0, 30.0], "no power", 2 / 3),
        ([30.0], "reproduced", 0.0),
        # a distant one does not lend the others power
        ([10.0] * 9 + [1000.0], "no power", 0.9),
    ],
)
def test_a_number_has_no_power_where_most_of_the_other_printed_ones_would_agree(others, verdict, passing):
    j = judge(10.0, 1.0, "10", 0, others=others)
    assert (j.verdict, j.passing) == (verdict, pytest.approx(passing))
    assert judge(20.0, 1.0, "10", 0, others=others).verdict == "differs"
    assert np.isnan(judge(10.0, 0.0, "10", 0, others=others).passing)


# Counts by reruns


def quantiles_of(reruns, **more):
    return [
        {"column": f"c/reruns-{name}", "value": value, "n": reruns.n, **more}
        for name, value in reruns._asdict().items()
        if name != "n"
    ]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("390", "differs"), ("404", "close"), ("600", "reproduced"), ("795", "close"), ("810", "differs")],
)
def test_a_count_is_judged_by_the_quantiles_of_reruns(text, verdict):
    interval = PredictionInterval(400, 410, 789, 799, 1000)
    table = ours({"value": 600.0, "se": 300.0}, *quantiles_of(interval))
    judged = compare(printed(value=text, decimals=0.0), table)
    # by its standard error alone each would agree
    assert judged.verdict.tolist() == [verdict]
    assert "of 1000 reruns" in judged.reason[0]


def test_a_count_of_the_papers_repeats_is_judged_by_the_reruns_that_a_larger_run_has():
    larger = {"scale": "enlarged", "value": 27.0, "se": 5.0, "n": 300}
    quantiles = quantiles_of(PredictionInterval(20, 21, 30, 31, 1000), scale="enlarged")
    table = ours({"value": 10.0, "se": 5.0}, larger, *quantiles)
    assert compare(printed(value="10", decimals=0.0), table).verdict.tolist() == ["differs", "differs"]
    other = table.assign(reading=["literal", "fitted:x", *["fitted:x"] * 4])
    assert compare(printed(value="10", decimals=0.0), other).verdict.tolist()[0] != "differs"


def test_a_count_whose_reruns_hold_nearly_anything_has_no_power():
    eight = PredictionInterval(0, 0, 7, 7, 1000)
    assert [judge_count("3", 0, eight, others).verdict for others in ((), [2, 5, 20])] == ["no power"] * 2
    assert judge_count("3", 0, eight, [2, 20]).verdict == "reproduced"
    assert judge_count("3", 0, eight, [2, 20]).passing == 0.5
    assert judge_count("9", 0, eight).verdict == "differs"
    assert judge_count("7", 0, PredictionInterval(7, 7, 7, 7, 1000)).verdict == "reproduced"
    assert judge_count("10", 0, PredictionInterval(20, 20, 39, 39, 1000)).verdict == "differs"


def test_a_count_is_not_judged_where_reruns_are_too_few_for_their_extremes_to_hold_enough():
    rng = np.random.default_rng(5)
    for reruns, verdict in ((739, "not testable"), (740, "reproduced")):
        ends = np.array([(x.min(), x.max()) for x in rng.random((1000, reruns))])
        # of values between 0 and 1 the extremes hold what lies between them
        held = (ends[:, 1] - ends[:, 0]).mean()
        assert held == pytest.approx((reruns - 1) / (reruns + 1), abs=5e-4)
        judged = judge_count("3", 0, PredictionInterval(2, 2, 4, 4, reruns))
        assert judged.verdict == verdict
    assert judge_count("3", 0, PredictionInterval(2, 2, 4, 4, 60)).reason.endswith("hold 96.7 % of them, not 99.73 %")


def test_reruns_of_independent_things_are_those_of_their_number():
    rng = np.random.default_rng(3)
    chances = [0.02, 0.3, 0.5, 0.9, 0.97, 1.0]
    sampled = (rng.random((200_000, len(chances))) < chances).sum(axis=1)
    ends = [np.quantile(sampled, q) for q in (0.00135, 0.02275, 0.97725, 0.99865)]
    assert PredictionInterval.of_chances(chances, 9)[:4] == tuple(ends)
    assert PredictionInterval.of_chances([1.0] * 4, 9)[:4] == (4.0,) * 4


# Labels

# An artifact whose columns may say a label
LABELLED = {"artifact": "lis-table-5"}


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ({"a": 0.6, "b": 0.4}, "no power"),
        ({"a": 0.6, "b": 0.37, "d": 0.03}, "reproduced"),
        ({"a": 0.97, "b": 0.03}, "reproduced"),
        ({"b": 0.6, "a": 0.4}, "close"),
        ({"b": 0.4, "a": 0.3, "d": 0.3}, "close"),
        ({"b": 0.4, "d": 0.6}, "differs"),  # one minus the share of ours would say .6
        ({"b": 0.97, "a": 0.03}, "differs"),
    ],
)
def test_a_label_is_judged_by_how_often_the_printed_one_wins(shares, verdict):
    assert judge_label(shares, "a").verdict == verdict
    table = ours(*({**LABELLED, "column": f"c={name}", "value": share, "n": 200} for name, share in shares.items()))
    judged = compare(printed(kind="label", value="a", decimals=nan, **LABELLED), table)
    assert judged.verdict.tolist() == [verdict]
    assert judged.value[0] == shares.get("a", 0.0)


def test_a_label_has_no_power_where_most_of_the_possible_ones_would_agree():
    shares = {"a": 0.6, "b": 0.4}
    two, four = judge_label(shares, "a"), judge_label(shares, "a", ["a", "b", "c", "d"])
    assert (two.verdict, two.passing, four.verdict, four.passing) == ("no power", 1, "reproduced", 1 / 3)
    assert two.reason.endswith("1 of 1 other possible labels would agree")
    assert np.isnan(judge_label({"a": 1.0}, "a", ["a"]).passing)
    # what the paper prints in the same column is possible
    row = {**LABELLED, "kind": "label", "decimals": nan}
    table = ours(*({**LABELLED, "column": f"c={name}", "value": share} for name, share in shares.items()))
    lines = pd.concat([printed(value=name, row=f"r{name}", **row) for name in "bcd"])
    both = pd.concat([printed(value="a", **row), lines], ignore_index=True)
    assert compare(both, table).passing[0] == pytest.approx(1 / 3)


# Reasons and tallies


@pytest.mark.parametrize("paper", [p for p in published.PAPERS if len(read_published(p)) and len(read_regenerated(p))])
def test_whatever_is_not_testable_has_a_reason(paper):
    judged = compare(read_published(paper), read_regenerated(paper))
    silent = judged[judged.verdict.isin(["not testable", "no power"])]
    assert silent.reason.str.len().gt(0).all()
    assert not silent.reason.str.contains("no reason|not regenerated").any()


def test_every_reason_is_of_a_printed_key_and_says_something():
    for paper in published.PAPERS.values():
        for artifact, entry in paper.read("artifacts").items():
            table = read_published(paper.id)
            own = table[table.artifact == artifact]
            for key, reason in entry.get("untestable", {}).items():
                assert key in {"*", *(own.row + "/" + own.column)}, (artifact, key)
                assert len(reason.split()) > 4
    assert why_untestable("lis-claims", "text", "small-sample-up-to").startswith("a rule of thumb")
    assert why_untestable("shakhnarovich-table-7", "bscv-5", "pima/17-nn").startswith("seconds of another")


def test_the_headline_keeps_the_printed_order_and_counts_every_key_once():
    table = pd.concat([printed(row=r) for r in "abc"] + [printed(row="s", kind="setting")], ignore_index=True)
    both = compare(table, ours({"row": "b", "scale": "enlarged"}, {"row": "a", "value": 20.0}, {"row": "b"}))
    assert headline(both)["row"].tolist() == ["a", "b", "c", "s"]
    assert counts(both) == dict.fromkeys(VERDICTS, 1) | {"close": 0, "no power": 0}
    assert sum(counts(compare(table.iloc[:0], ours())).values()) == 0


@pytest.mark.parametrize(
    ("artifact", "keys", "expected"),
    [
        ("martin-hirschberg-table-11", ("loo | mean/N=1", "cv-10 | mean/N=2", "loo | std/N=1"), [[4], [1], []]),
        ("kohavi-table-1", ("iris | c4.5", "iris | size", "chess | size"), [[4, 9], [1, 9], [1, 4]]),
        (
            "kohavi-text-stratified",
            ("iris | gain-at-2-folds", "iris | gain-at-5-folds", "chess | gain-at-5-folds"),
            [[], [9], [4]],
        ),
        ("martin-hirschberg-figure-17", ("mean | k0", "mean | k1", "mean | k2"), [[], [], []]),
        ("no-such-table", ("a | b", "c | b", "e | f"), [[4], [1], []]),
    ],
)
def test_printed_values_of_one_quantity_are_those_that_the_artifact_declares(artifact, keys, expected):
    rows = [dict(zip(("row", "column"), key.split(" | "), strict=True)) for key in (*keys, keys[-1])]
    values = ("1", "4", "9", "old")
    table = pd.concat(
        [printed(artifact=artifact, value=v, **r) for v, r in zip(values, rows, strict=True)], ignore_index=True
    )
    assert other_values(table)[:3] == expected
    assert other_values(table.assign(kind="setting")) == [[], [], [], []]
    assert other_values(table.assign(value="4")) == [[], [], [], []]


def test_numbers_under_a_label_are_those_of_what_the_paper_names():
    label = printed(kind="label", column="new", value=".632", decimals=nan, **LABELLED)
    mean = printed(column="new-mean", **LABELLED)
    table = ours(
        {"column": "new=.632+", "value": 0.7},
        {"column": "new=.632", "value": 0.3},
        {"column": "new-mean", "value": 9.0},
        {"column": "new-mean=.632", "value": 8.05, "se": 0.2},
    ).assign(**LABELLED)
    judged = compare(pd.concat([label, mean], ignore_index=True), table)
    assert judged.verdict.tolist() == ["close", "reproduced"]
    assert judged.value[1] == 8.05
    assert "ours of .632, as the paper has it; we would name another" in judged.reason[1]
    same = compare(pd.concat([label, mean], ignore_index=True), table.drop(index=3))
    assert same.value[1] == 9.0


TALLIED = [
    ("literal", "simulated", "reproduced", {}, {}),
    ("literal", "simulated", "differs", {}, {"value": 20.0}),
    ("literal", "exact", "reproduced", {}, {"se": 0.0}),
    ("literal", "zero by definition", "reproduced", {"value": "0", "decimals": 0.0}, {"value": 0.0, "se": 0.0}),
    (
        *("literal", "simulated", "reproduced"),
        {**LABELLED, "kind": "label", "value": "a"},
        {**LABELLED, "column": "c=a", "value": 1.0, "se": 0.0},
    ),
    ("literal", "simulated", "reproduced", {**ALPHA, "value": "0.2"}, {**ALPHA, "value": 0.3, "se": nan}),
    ("unstated", "simulated", "reproduced", {}, {"reading": "unstated:y"}),
    ("fitted", "simulated", "reproduced", {}, {"reading": "fitted:x"}),
    ("", "", "not testable", {}, {"row": "of no printed key"}),
    ("", "", "setting", {"kind": "setting"}, {"row": "of no printed key"}),
]


def test_the_tally_counts_kinds_of_reading_apart_and_exact_numbers_apart():
    table = pd.concat([printed(**{"row": f"r{i}", **key}) for i, (*_, key, _) in enumerate(TALLIED)], ignore_index=True)
    own = ours({"row": "r0", "reading": "fitted:x"}, *({"row": f"r{i}", **k} for i, (*_, k) in enumerate(TALLIED)))
    counted = tally(compare(table, own)).melt(["kind", "basis"]).query("value > 0")
    wanted = Counter(tuple(case[:3]) for case in TALLIED)
    assert counted.set_index(["kind", "basis", "variable"])["value"].to_dict() == wanted
