"""What is recorded in ``data/errata`` follows from the printed numbers and from our rows."""

import re
from itertools import product
from math import comb, isfinite, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from compendium.evidence.judging import judge
from compendium.evidence.results import read_errata
from compendium.evidence.texts import paper_of
from compendium.evidence.verdicts import PAPERS, data_folder, read_published, read_regenerated
from compendium.papers.shakhnarovich.names import case_title, symbol_of, words_for

COLUMNS = ("mean", "std", "rmse")
SYNTHETIC, UCI = range(8, 13), range(13, 16)
LINES = {"shakhnarovich-table-2": "Table 2", "shakhnarovich-table-4": "Table 4"}
REUSED = "shakhnarovich-reused-samples"
SUSPECTS = (("cloned-bscv-5", "cloned-bscv-10"), ("repeated-cv-5", "repeated-cv-10"), ("bscv-loo", "cloned-bscv-loo"))


def recorded(artifact, kind="errata"):
    return read_errata(paper_of(artifact)).get(artifact, {}).get(kind, [])


@pytest.fixture(scope="module")
def printed():
    lines = read_published("shakhnarovich")
    lines = lines[lines["kind"].isin(["result", "label"])]
    return {(r.artifact, r.row, r.column): r for r in lines.itertuples()}


@pytest.fixture(scope="module")
def text(printed):
    return {key: line.value for key, line in printed.items()}


def by_key(lines):
    return {(r.artifact, r.reading, r.row, r.column): r for r in lines.itertuples()}


@pytest.fixture(scope="module")
def ours():
    """Our rows at the largest scale of each artifact."""
    lines = read_regenerated("shakhnarovich")
    return by_key(lines[lines["scale"] == "published"]) | by_key(lines[lines["scale"] == "enlarged"])


@pytest.fixture(scope="module")
def published_scale():
    return by_key(read_regenerated("shakhnarovich").query("scale == 'published'"))


def decimals(number):
    return len(number.partition(".")[2])


def moved(number, digits):
    """Move a printed number by a part of its last digit; a power of ten by a power of ten."""
    if "e" in number:
        return float(number) * 10 ** (2 * digits)
    return max(float(number) + digits * 10.0 ** -decimals(number), 0.0)


def p_value(root, sigma, n, digits):
    """Return the one-sided p that follows from a line, its numbers moved towards a smaller p."""
    power = float(sigma) * 10**-digits if sigma.startswith("1e") else 0.0
    deviation = power or moved(sigma, -min(digits, 0.49) if "e" not in sigma else 0.0)
    mu = moved(root.lstrip("-"), digits) ** 2
    return stats.norm.cdf(-mu / (deviation / sqrt(n))) if deviation > 0 else 0.0


def table_of(place):
    return {"breast-cancer": 13, "vehicle": 14, "pima": 15}.get(place) or int(place) + 7


def lines_of(text, table):
    rows = dict.fromkeys(row for artifact, row, column in text if (artifact, column) == (table, "alpha"))
    return {row: {c: v for (a, r, c), v in text.items() if (a, r) == (table, row)} for row in rows}


def mislabelled(text, row, line):
    """Return, by side, the one estimator whose numbers stand beside a label that names another."""
    place, classifier = row.split("/")
    table = f"shakhnarovich-table-{table_of(place)}"
    known = dict.fromkeys(r.split("/")[1] for a, r, _ in text if a == table and r.startswith(f"{classifier}/"))
    results = {}
    for side in ("new", "old"):
        pairs = {
            e: [(line.get(f"{side}-{c}", ""), text.get((table, f"{classifier}/{e}", c), "")) for c in COLUMNS]
            for e in known
        }
        same = [
            e
            for e, own in pairs.items()
            if all(
                a and b and abs(float(a) - float(b)) <= 0.5 * 10.0 ** -min(decimals(a), decimals(b)) + 1e-12
                for a, b in own
            )
        ]
        if len(same) == 1 and line[side] != same[0]:
            results[side] = same[0]
    return results


@pytest.mark.parametrize("table", LINES)
def test_signs_p_values_and_labels_of_contests_are_derived_again(table, text, ours):
    lines = [e for e in recorded(table) if e["place"].startswith(f"{LINES[table]}, ") and "caption" not in e["place"]]
    errata = {(e["place"], e["printed"], e["should_be"]): e["evidence"] for e in lines}
    off = {"sign": [], "alpha": [], "label": []}
    for row, line in lines_of(text, table).items():
        own = {c: r for (a, _, k, c), r in reversed(ours.items()) if (a, k) == (table, row)}
        n, place = int(own["alpha"].n), f"{LINES[table]}, {case_title(row)}"
        gap = float(line["old-rmse"]) ** 2 - float(line["new-rmse"]) ** 2
        if gap * float(line["sqrt-mu-d"]) < 0:
            off["sign"].append(case_title(row))
            by = f"{gap:+.2g}".replace("-", "−")
            assert [k for k in errata if k[0] == f"{place}, √μ_d" and by in k[2] and line["sqrt-mu-d"] in k[1]]
        least, follows, most = (p_value(line["sqrt-mu-d"], line["sigma-d"], n, d) for d in (0.5, 0.0, -0.5))
        if not (least <= moved(line["alpha"], 0.5) and moved(line["alpha"], -0.5) <= most):
            off["alpha"].append(f"{case_title(row)} (prints {line['alpha']}, {follows:.2g} follows)")
            others = f"{line['alpha']}, beside √μ_d = {line['sqrt-mu-d']} and σ_d = {line['sigma-d']}"
            report = errata[f"{place}, α", others, f"{follows:.2g}, by the line's own numbers and {n} trials"]
            assert f"{least:.2g} to {most:.2g} follows" in report
            assert f"Ours: {own['alpha'].value:.2g}, from" in report
            assert f"σ_d = {own['sigma-d'].value:.2g}" in report
        for estimator in (result := mislabelled(text, row, line)).values():
            assert [k for k in errata if k[0] == place and k[2].startswith(f"the label {symbol_of(estimator)},")]
        off["label"] += [case_title(row)] * bool(result)
    assert len(errata) == sum(map(len, off.values()))
    checks = recorded(table, "checks")
    for check, wrong in zip(checks, off.values(), strict=True):
        assert check["outcome"] == ("fails" if wrong else "holds")
        assert all(one in check["evidence"] for one in wrong)
        assert f" {len(wrong)} (asked: 0)" in check["evidence"]
    larger = [case_title(row) for row, line in lines_of(text, table).items() if float(line["alpha"]) > 0.01]
    assert recorded(table, "findings") == [f"The printed p is over .01 in {len(larger)} lines ({'; '.join(larger)})."]


@pytest.mark.parametrize("number", [*SYNTHETIC, *UCI])
def test_rows_called_copied_or_exchanged_are_so_in_print_and_not_in_ours(number, text, ours):
    table = f"shakhnarovich-table-{number}"
    errata = {e["place"]: e for e in recorded(table) if ", rows BS" in e["place"] or ", rows RCV" in e["place"]}
    means = {row: r.value for (a, _, row, column), r in reversed(ours.items()) if (a, column) == (table, "mean")}
    for pair in SUSPECTS:
        same, against = [], []
        for classifier in dict.fromkeys(row.split("/")[0] for a, row, _ in text if a == table):
            rows = [f"{classifier}/{e}" for e in pair]
            of = [[text.get((table, row, c), "") for c in COLUMNS] for row in rows]
            if all(of[0] + of[1]) and set(rows) <= set(means):
                gaps = float(of[0][0]) - float(of[1][0]), means[rows[0]] - means[rows[1]]
                same += [(classifier, gaps[1])] * (of[0] == of[1])
                against += [(classifier, gaps[1])] * (gaps[0] * gaps[1] < 0)
        report = errata.pop(f"Table {number}, rows {' and '.join(map(symbol_of, pair))}", None)
        if report is None:
            # differences that two standard errors of the trials do not reach
            assert all(abs(gap) < 0.004 for _, gap in same + against)
            continue
        result = same if report["should_be"] == "two different rows" else against
        assert result
        for classifier, gap in result:
            near = re.search(rf"{re.escape(symbol_of(classifier))} ([+−][\d.]+) ±", report["evidence"])
            assert float(near[1].replace("−", "-")) == pytest.approx(gap, abs=6e-5)
            assert symbol_of(classifier) in report["printed"] + report["should_be"]
    assert not errata


def test_the_form_of_the_632plus_is_judged_again(printed, published_scale):
    results = {}
    for number in SYNTHETIC:
        table = f"shakhnarovich-table-{number}"
        for (a, row, column), cell in printed.items():
            if a != table or row.split("/")[1] not in ("bootstrap-632plus", "cloned-632plus") or column not in COLUMNS:
                continue
            reading = next(r for (t, r, k, c) in published_scale if (t, k, c) == (table, row, column))
            zero = "fitted:r-to-zero" if reading == "literal" else f"{reading}-r-to-zero"
            for form, name in (("As the text has it", reading), ("With R set to 0 outside [0, 1]", zero)):
                r = published_scale[table, name, row, column]
                results.setdefault((form, column), []).append(judge(r.value, r.se, cell.value, cell.decimals))
    output = recorded("shakhnarovich-claims-synthetic")[0]["evidence"]
    for (form, column), judged in results.items():
        counts = [sum(j.verdict == v for j in judged) for v in ("reproduced", "close", "differs")]
        square = sum(j.z**2 for j in judged if isfinite(j.z))
        own = output[output.index(form) :].split(".")[0]
        message = f"{column} {counts[0]} reproduced, {counts[1]} close, {counts[2]} different (sum of z² {square:.0f})"
        assert message in own


@pytest.mark.parametrize(
    ("claims", "table", "level", "title"),
    [("synthetic", "shakhnarovich-table-2", 0.01, "setting "), ("uci", "shakhnarovich-table-4", 0.1, "")],
)
def test_significant_lines_are_counted_again(claims, table, level, title, text):
    others = [
        row
        for row, line in lines_of(text, table).items()
        if float(line["alpha"]) > level or float(line["new-rmse"]) >= float(line["old-rmse"])
    ]
    erratum = recorded(f"shakhnarovich-claims-{claims}")[-1]
    assert int(re.findall(r"\d+", erratum["should_be"])[0]) == len(lines_of(text, table)) - len(others)
    assert f"in {len(others)} lines: {words_for(others, *([] if title else ['']))}." in erratum["evidence"]


def test_a_printed_spread_goes_with_samples_in_proportion(printed, ours):
    table, row = "shakhnarovich-table-15", "17-nn/loo"
    report = next(e for e in recorded(table) if e["place"].startswith("Section 8"))
    cell = printed[table, row, "std"]
    own = {reading: r for (a, reading, k, c), r in ours.items() if (a, k, c) == (table, row, "std")}
    uniform, strata = own["literal"], next(r for reading, r in own.items() if "stratified" in reading)
    for r, verdict in ((uniform, "differs"), (strata, "")):
        judged = judge(r.value, r.se, cell.value, cell.decimals)
        assert f"{r.value:.4f} ± {r.se:.4f}" in report["evidence"]
        assert f"(z = {judged.z:+.1f})" in report["evidence"]
        assert verdict in ("", judged.verdict)


def test_printed_seconds_contradict_the_classifiers_made(text, ours):
    table = "shakhnarovich-table-7"
    seconds = {(r, c): float(v) for (a, r, c), v in text.items() if a == table and r != "label"}
    errata = {e["place"]: e for e in recorded(table)}
    cases = dict.fromkeys(c for r, c in seconds if r == "bootstrap-naive")
    times = [seconds["bootstrap-loo", c] / seconds["bootstrap-naive", c] for c in cases]
    fits = [ours[table, "literal", "bootstrap-loo", f"{c.split('/')[0]}/fits-over-bootstrap"].value for c in cases]
    output = errata["Section 2.3.2"]["evidence"]
    assert f"{min(fits):.0f} to {max(fits):.0f} times the classifiers" in output
    assert f"{min(times):.0f} to {max(times):.0f} times the seconds" in output
    for name in ("cloned-loo", "cloned-bscv-10"):
        own = [seconds[name, c] for c in cases]
        less = sum(seconds[name, c] < seconds["cloned-naive", c] for c in cases)
        printed = errata[f"Table 7, row {symbol_of(name)}"]["printed"]
        assert f"{min(own):.2f} to {max(own):.2f} seconds" in printed
        assert f"in {less} of {len(cases)} columns" in printed
    ratios = [seconds["repeated-cv-10", c] / seconds["repeated-cv-5", c] for c in cases]
    assert f"{min(ratios):.2f} to {max(ratios):.2f} times" in errata["Table 7, rows RCV×10 and RCV×5"]["printed"]
    costs = {place: errata[place]["evidence"] for place in ("Section 2.2", "Section 2.3.4", "Section 9")}
    assert len(errata) == 4 + len(costs)
    for name, n in (("breast-cancer", 36), ("vehicle", 100), ("pima", 60)):
        lines = {(k, c): int(r.value) for (a, _, k, c), r in ours.items() if a == table and c.startswith(f"{name}/")}
        fits = {k: value for (k, c), value in lines.items() if c == f"{name}/fits"}
        labelled = {k: value for (k, c), value in lines.items() if c == f"{name}/labelled"}
        title = symbol_of(name)
        assert labelled["cv-10"] == n
        assert f"{title} {n}" in costs["Section 2.2"]
        further = labelled["bootstrap-632plus"] - labelled["bootstrap-loo"]
        assert f"{title} {further} (n² is {n * n:,})" in costs["Section 2.3.4"]
        assert f"{title} {fits['bootstrap-632plus']:,} against {fits['loo']}" in costs["Section 2.3.4"]
        assert f"{title} {fits['bscv-5']} to {fits['bscv-loo']:,}, where n² is {n * n:,}" in costs["Section 9"]


def evidence_of(artifact):
    return {e["place"]: e["evidence"] for e in recorded(f"shakhnarovich-{artifact}")}


def test_errata_of_the_settings_and_of_table_2_follow_from_our_rows(ours):
    def value(table, row, column):
        return next(r.value for (a, _, k, c), r in ours.items() if (a, k, c) == (f"shakhnarovich-{table}", row, column))

    settings, table_2 = evidence_of("table-1"), evidence_of("table-2")
    assert f"least error is {value('table-1', '1', 'least-error'):.4f};" in settings["Table 1, setting 1"]
    assert f"only {100 * comb(14, 7) / 2**14:.1f} %" in settings["Section 6"]
    mean, sd = (value("table-9", "ldf/true-error", c) for c in ("mean", "std"))
    ten_folds = evidence_of("table-9")["Table 9, rows of ten folds"]
    assert f"an RMSE of {sqrt((1 + mean) ** 2 + sd**2):.3f}" in ten_folds
    for row in ("1/ldf", "1/1-nn", "1/3-nn", "1/svm-rbf"):
        assert f"{row} {value('table-2', row, 'true-error'):.3f}" in table_2["Table 2, caption"]
    sigma = value("table-2", "1/ldf", "sigma-d")
    assert f"{sigma:.4f} and a variance of {sigma**2:.2g}" in table_2["Section 6, the paired test"]
    for number in (14, 15):
        header = evidence_of(f"table-{number}")[f"Table {number}, header of the second column"]
        for classifier in ("3-nn", "svm-rbf"):
            true, apparent = (
                value(f"table-{number}", f"header/{classifier}", c) for c in ("true-error", "resubstitution")
            )
            name = symbol_of(classifier)
            assert f"{name} has a true error of {true:.3f} and an apparent error of {apparent:.3f}" in header
    whole = value("table-3", "vehicle", "whole-number-features")
    assert evidence_of("table-3")["Table 3"].startswith(f"{whole:.0f} of the 18 columns")


def test_errata_of_kernels_and_equations_follow_from_mathematics_and_from_our_rows(ours):
    def rows(artifact):
        return {k[1:]: r.value for k, r in ours.items() if k[0] == f"shakhnarovich-{artifact}"}

    caption = integrate.quad(lambda x: 0.75 * (x - 1) ** 2, -1, 1)[0]
    kernel = integrate.quad(lambda x: 0.75 * (1 - x * x), -1, 1)[0]
    figure_1 = evidence_of("figure-1")["Figure 1, caption"]
    assert f"has area {caption:.0f} and is no density; that of section 4.1 has area {kernel:.0f}," in figure_1
    lemma, proof = evidence_of("lemma-2").values()
    counts = {c: v for (_, _, c), v in rows("lemma-2").items()}
    assert f"{counts['acceptance-rate']:.4f} of the trials is accepted, {counts['expected-trials']:.4f} trials" in lemma
    assert f"{counts['uniforms-for-one-draw']:.2f} of these" in lemma
    below = 2 / 3 * integrate.quad(lambda x: 0.75 * (1 - x * x), -1, 0.5)[0]
    assert f"2/3 F(x) = {below:.4f} of" in proof
    assert f"+ 1/3 is {0.5 / 2 - 0.5**3 / 6 + 1 / 3:.4f}" in proof
    assert f"−{abs(0.5 / 2 - 0.5**3 / 6 - 1 / 3):.4f}" in proof
    denominator, distance = evidence_of("figure-3").values()
    weights = rows("figure-3")
    h = weights.pop(("literal", "sample", "bandwidth"))
    assert f"from {min(weights.values()):.2g} to {max(weights.values()):.2f}" in denominator
    sigma = np.std([0, 2, 3, 4, 10], ddof=1)
    assert (
        f"σ = {sigma:.2f} and h = {h:.3f}: at a squared distance of σ the unscaled weight is {h**sigma:.3f}" in distance
    )
    assert f"at a distance of σ it is {h ** (sigma**2):.3f}" in distance
    places, equations = evidence_of("equations"), rows("equations")
    printed, root = (
        equations[reading, "equation-11", "bandwidth"] for reading in ("literal", "fitted:power-one-fifth")
    )
    error = equations["literal", "equation-11", "error-over-least"]
    eleven, four = places["Section 4.1, equation 11"], places["Section 7.3, equation 24"]
    assert f"fifth root, {root:.4f}; the printed value, {printed:.4f}, has {error:.1f} times the least error" in eleven
    sums = {c: value for (_, row, c), value in equations.items() if row == "equation-24"}
    assert f"sum to {sums['sum-of-conditional']:.3f}, the joint ones to {sums['sum-of-joint']:.5f}," in four
    assert f"({sums['density-without-the-last']:.5f})" in four


def test_leave_one_out_of_table_12_lies_too_far_from_the_true_error(text, ours):
    table, n = "shakhnarovich-table-12", 50
    of = {
        row: [float(text[table, row, c]) for c in COLUMNS]
        for row in dict.fromkeys(r for a, r, _ in text if a == table)
        if all(text.get((table, row, c)) for c in COLUMNS)
    }
    errata = recorded(REUSED)
    assert len(errata) == 4
    for erratum in errata:
        name = next(c for c in ("ldf", "1-nn", "3-nn", "svm-rbf") if erratum["place"] == f"Table 12, {symbol_of(c)}")
        mean, std, _ = of[f"{name}/true-error"]
        apparent, loo = of[f"{name}/resubstitution"], of[f"{name}/loo"]
        if not apparent[0] and not apparent[1]:
            # then the RMSE of resubstitution is the root mean square of the true error itself
            mean = sqrt(max(apparent[2] ** 2 - std**2 * (n - 1) / n, 0.0))
        z = (loo[0] - mean) / (sqrt(loo[1] ** 2 + std**2) / sqrt(n))
        assert abs(z) > 3
        assert f"would lie {z:+.1f} standard errors" in erratum["evidence"]
        # rmse^2 = (mean difference)^2 + (n - 1)/n (s^2 + t^2 - 2 r s t)
        share = (n - 1) / n
        implied = [
            ((m - mean) ** 2 + share * (s**2 + std**2) - rmse**2) / (2 * share * s * std)
            for row, (m, s, rmse) in of.items()
            if row.startswith(f"{name}/") and row.split("/")[1] not in ("true-error", "resubstitution") and s
        ]
        assert f"{min(implied):.2f} to {max(implied):.2f} (median {np.median(implied):.2f})" in erratum["evidence"]
        spread = next(r for (a, _, *k), r in ours.items() if [a, *k] == [REUSED, name, "true-error-std"])
        assert f"{spread.value:.4f} ± {spread.se:.4f}" in erratum["evidence"]


def held(paper, artifact):
    cells = {(r.row, r.column): r for r in read_published(paper).query("artifact == @artifact").itertuples()}
    rows = read_regenerated(paper).query("artifact == @artifact")
    return cells, rows[rows["scale"] == rows["scale"].iloc[-1]]


def test_every_erratum_is_substantive_labelling_or_typographical():
    kinds = [e["kind"] for paper in PAPERS for a in read_errata(paper).values() for e in a.get("errata", [])]
    assert set(kinds) == {"substantive", "labelling", "typographical"}
    assert len(kinds) > 80


def test_what_is_stated_of_table_1_agrees_with_the_verdicts():
    cells, rows = held("kohavi", "kohavi-table-1")
    (erratum,) = recorded("kohavi-table-1")
    result = " ".join([erratum["evidence"], *recorded("kohavi-table-1", "findings")])
    for (column, reading), own in rows[rows.column.isin(["c4.5", "naive-bayes"])].groupby(["column", "reading"]):
        of = [judge(r.value, r.se, cells[r.row, column].value, cells[r.row, column].decimals) for r in own.itertuples()]
        off = sum(j.verdict == "differs" for j in of)
        stated = f"(*{reading}*) differs on {off} of 7 data sets"
        assert result.count(stated) == 1 + (stated in erratum["evidence"])


def test_the_printed_rule_of_reversal_does_not_give_table_4():
    cells, rows = held("martin-hirschberg", "martin-hirschberg-table-4")
    (erratum,) = recorded("martin-hirschberg-table-4")
    for reading, own in rows.groupby("reading"):
        own = [r for r in own.itertuples() if (r.row, r.column) in cells and r.se > 0]
        z = [(r.value - float(cells[r.row, r.column].value)) / (r.se * sqrt(1 + r.n / 4000)) for r in own]
        assert f"*{reading}*: {sum(abs(v) > 3 for v in z)} of {len(z)} statistics" in erratum["evidence"]


def test_no_reading_fits_the_printed_coefficient_of_figure_17b():
    cells, rows = held("martin-hirschberg", "martin-hirschberg-figure-17")
    (erratum,) = recorded("martin-hirschberg-figure-17")
    own = [r for r in rows.itertuples() if (r.row, r.column) == ("mean-difference", "k1")]
    assert len(own) == 3
    for r in own:
        assert abs(r.value - float(cells["mean-difference", "k1"].value)) > max(3 * r.se, 0.95)
        assert f"{r.value:.1f} ± {r.se:.1f} under *{r.reading}*" in erratum["evidence"]


def test_what_is_stated_of_the_lenses_follows_from_arithmetic_and_from_our_rows():
    (significant,) = recorded("martin-hirschberg-table-15-regression")
    for level in (0.05, 0.01):
        t = stats.t.ppf(1 - level / 2, 198)
        assert f"{t / np.sqrt(198 + t * t):.3f}" in significant["evidence"]
    rows = read_regenerated("martin-hirschberg").query("artifact == 'martin-hirschberg-table-15-regression'")
    own = rows[(rows.scale == "enlarged") & (rows.row == "bootstrap-632 on true-error/N=24")]
    assert (own.loc[own.column == "r", "value"] < 0).all()
    assert (own.loc[own.column == "p-value", "value"] < 0.05).all()
    (formula,) = recorded("martin-hirschberg-figure-12")
    means = read_regenerated("martin-hirschberg").query("artifact == 'martin-hirschberg-figure-12'")
    both = means[means.scale == "enlarged"].pivot_table("value", "column", "row")
    further = both["exact-error"] - both["true-error"]
    assert further.idxmax() == "mean-percent/p=0.25/N=24"
    assert f"{further.max():.1f}" in formula["evidence"]


def enlarged(artifact):
    rows = read_regenerated("martin-hirschberg").query("artifact == @artifact and scale == 'enlarged'")
    return {(r.reading, r.row, r.column): r for r in rows.itertuples()}


def test_what_is_stated_of_sections_3_and_5_follows_from_arithmetic_and_from_our_rows():
    (limits,) = recorded("martin-hirschberg-figure-6")
    assert f"{200 * stats.norm.sf(sqrt(2)):.1f} %" in limits["should_be"]
    own = enlarged("martin-hirschberg-figure-6")
    for reading in ("literal", "fitted:class-0-mean"):
        r = own[reading, "repeated-cv-2/N=10", "outside-interval-percent"]
        assert f"{r.value:.1f} ± {r.se:.1f} %" in limits["evidence"]
    variance, star = recorded("martin-hirschberg-figure-9")
    text = enlarged("martin-hirschberg-claims")
    for reading in ("literal", "fitted:standard-deviation"):
        r = text[reading, "text", "632-below-loo-variance-percent-nearest-neighbors"]
        assert f"{r.value:.1f} ± {r.se:.1f} %" in variance["evidence"]
    # pooled over every k, the ratio of variances is that of the mean squares of the standard deviations
    sd = {k[1:]: r.value for k, r in enlarged("martin-hirschberg-figure-9").items()}
    squares = [sum(sd[e, f"std-percent/k={k}"] ** 2 for k in (1, 3)) for e in ("loo-star", "loo")]
    assert f"{squares[0] / squares[1]:.2f} ±" in star["evidence"]


def test_outcomes_of_claims_contradict_the_text_on_figure_7():
    assert recorded("martin-hirschberg-figure-7")
    outcomes = pd.read_csv(Path(data_folder("regenerated")) / "outcomes.csv").query(
        "artifact == 'martin-hirschberg-claims-section-3' and key.str.startswith('all-estimators-are-optimistic')"
    )
    assert set(outcomes["outcome"]) == {"fails"}
    assert len(outcomes) == 2


def test_footnote_3_counts_ways_to_part_a_sample_and_not_splits():
    (erratum,) = recorded("martin-hirschberg-conclusions")
    splits = {part for part in product((0, 1), repeat=5) if 0 < sum(part) < 5}
    ways = {frozenset((part, tuple(1 - v for v in part))) for part in splits}
    assert (len(splits), len(ways)) == (2**5 - 2, 2**4 - 1)
    assert f"{len(splits)} splits into training and test set, {len(ways)} ways" in erratum["evidence"]


def test_the_share_of_distinct_cases_is_calculated_again():
    (erratum,) = recorded("lis-claims")
    _, rows = held("lis", "lis-claims")
    limit, example = (
        rows[(rows.column == "distinct-fraction") & (rows.reading == r)].value.item()
        for r in ("literal", "unstated:n=100")
    )
    assert erratum["should_be"] == f"{100 * limit:.1f} %"
    assert f"{100 * limit:.2f} %" in erratum["evidence"]
    assert f"{100 * example:.2f} %" in erratum["evidence"]
