"""What is recorded in ``data/errata`` follows from the printed numbers and from our rows."""

import re
from functools import cache, partial
from itertools import product
from math import comb, hypot, isfinite, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from compendium.evidence.judging import judge
from compendium.evidence.results import read_errata
from compendium.evidence.texts import paper_of
from compendium.evidence.verdicts import read_published, read_regenerated
from compendium.papers.shakhnarovich.cases import STRATIFIED
from compendium.papers.shakhnarovich.names import case_title, symbol_of, words_for

COLUMNS = ("mean", "std", "rmse")
SYNTHETIC, UCI = range(8, 13), range(13, 16)
TABLES = dict(zip(["1", "2", "3", "4", "5", "breast-cancer", "vehicle", "pima"], [*SYNTHETIC, *UCI], strict=True))
LINES = {"shakhnarovich-table-2": "Table 2", "shakhnarovich-table-4": "Table 4"}
REUSED = "shakhnarovich-reused-samples"
SUSPECTS = (("cloned-bscv-5", "cloned-bscv-10"), ("repeated-cv-5", "repeated-cv-10"), ("bscv-loo", "cloned-bscv-loo"))


def recorded(artifact, kind="errata"):
    return read_errata(paper_of(artifact)).get(artifact, {}).get(kind, [])


@cache
def printed(artifact):
    lines = read_published(paper_of(artifact)).query("artifact == @artifact and kind in ['result', 'label']")
    return {(r.row, r.column): r for r in lines.itertuples()}


def text(table):
    return {key: cell.value for key, cell in printed(table).items()}


def numbers(table):
    results = pd.DataFrame(printed(table).values()).query("kind == 'result'").astype({"value": float})
    return results.pivot_table(index="row", columns="column", values="value", sort=False)


@cache
def ours(artifact, scales=("published", "enlarged")):
    """Our rows, at the largest scale of the artifact."""
    rows = read_regenerated(paper_of(artifact)).query("artifact == @artifact")
    return {(r.reading, r.row, r.column): r for s in scales for r in rows[rows["scale"] == s].itertuples()}


def our(artifact, row, column, reading=None):
    """Our row of a key; of the first reading, unless one is named."""
    return next(r for (of, *key), r in ours(artifact).items() if key == [row, column] and reading in (None, of))


def value(*key):
    return our(*key).value


def values(artifact):
    """Our values by row and column, of the first reading."""
    return {(row, column): r.value for (_, row, column), r in reversed(ours(artifact).items())}


def decimals(number):
    return len(number.partition(".")[2])


def bounds(number, decades=0.5):
    """Return what a printed number lay between before it was rounded, a power of ten by so many decades."""
    if "e" in number:
        return float(number) / 10**decades, float(number) * 10**decades
    half = 0.5 * 10.0 ** -decimals(number)
    return max(float(number) - half, 0.0), float(number) + half


def p_values(root, sigma, n):
    """Return the least one-sided p that a line's numbers allow, the one that follows from them, and the largest."""
    (low, high), (narrow, wide) = bounds(root.lstrip("-")), bounds(sigma)
    t = np.square([high, float(root), low]) / [narrow, float(sigma), wide] * sqrt(n)
    return stats.norm.sf(t)


def lines_of(table):
    rows = dict.fromkeys(row for row, column in text(table) if column == "alpha")
    return {row: {c: v for (r, c), v in text(table).items() if r == row} for row in rows}


def mislabelled(row, line):
    """Return, by side, the one estimator whose numbers stand beside a label that names another."""
    place, classifier = row.split("/")
    cells = text(f"shakhnarovich-table-{TABLES[place]}")
    known = dict.fromkeys(r.split("/")[1] for r, _ in cells if r.startswith(f"{classifier}/"))

    def same(side, estimator):
        pairs = [(line.get(f"{side}-{c}", ""), cells.get((f"{classifier}/{estimator}", c), "")) for c in COLUMNS]
        return all(
            a and b and abs(float(a) - float(b)) <= 0.5 * 10.0 ** -min(decimals(a), decimals(b)) + 1e-12
            for a, b in pairs
        )

    results = {side: [e for e in known if same(side, e)] for side in ("new", "old")}
    return {side: alike[0] for side, alike in results.items() if len(alike) == 1 and line[side] != alike[0]}


@pytest.mark.parametrize("table", LINES)
def test_signs_p_values_and_labels_of_contests_are_derived_again(table):
    lines = [e for e in recorded(table) if e["place"].startswith(f"{LINES[table]}, ") and "caption" not in e["place"]]
    errata = {(e["place"], e["printed"], e["should_be"]): e["evidence"] for e in lines}
    off = {"sign": [], "alpha": [], "label": []}
    for row, line in lines_of(table).items():
        own = {c: our(table, row, c) for c in ("alpha", "sigma-d")}
        n, place = int(own["alpha"].n), f"{LINES[table]}, {case_title(row)}"
        gap = float(line["old-rmse"]) ** 2 - float(line["new-rmse"]) ** 2
        if gap * float(line["sqrt-mu-d"]) < 0:
            off["sign"].append(case_title(row))
            by = f"{gap:+.2g}".replace("-", "−")
            assert [k for k in errata if k[0] == f"{place}, √μ_d" and by in k[2] and line["sqrt-mu-d"] in k[1]]
        least, follows, most = p_values(line["sqrt-mu-d"], line["sigma-d"], n)
        low, high = bounds(line["alpha"], decades=1)
        if not (least <= high and low <= most):
            off["alpha"].append(f"{case_title(row)} (prints {line['alpha']}, {follows:.2g} follows)")
            others = f"{line['alpha']}, beside √μ_d = {line['sqrt-mu-d']} and σ_d = {line['sigma-d']}"
            report = errata[f"{place}, α", others, f"{follows:.2g}, by the line's own numbers and {n} trials"]
            assert f"{least:.2g} to {most:.2g} follows" in report
            assert f"Ours: {own['alpha'].value:.2g}, from" in report
            assert f"σ_d = {own['sigma-d'].value:.2g}" in report
        for estimator in (result := mislabelled(row, line)).values():
            assert [k for k in errata if k[0] == place and k[2].startswith(f"the label {symbol_of(estimator)},")]
        off["label"] += [case_title(row)] * bool(result)
    assert len(errata) == sum(map(len, off.values()))
    checks = recorded(table, "checks")
    for check, wrong in zip(checks, off.values(), strict=True):
        assert check["outcome"] == ("fails" if wrong else "holds")
        assert all(one in check["evidence"] for one in wrong)
        assert f" {len(wrong)} (asked: 0)" in check["evidence"]
    larger = [case_title(row) for row in numbers(table).query("alpha > 0.01").index]
    assert recorded(table, "findings") == [f"The printed p is over .01 in {len(larger)} lines ({'; '.join(larger)})."]


@pytest.mark.parametrize("number", [*SYNTHETIC, *UCI])
def test_rows_called_copied_or_exchanged_are_so_in_print_and_not_in_ours(number):
    table = f"shakhnarovich-table-{number}"
    errata = {e["place"]: e for e in recorded(table) if ", rows BS" in e["place"] or ", rows RCV" in e["place"]}
    cells = numbers(table)
    cells["ours"] = pd.Series({row: value for (row, column), value in values(table).items() if column == "mean"})
    cells.index = cells.index.str.split("/", expand=True)
    for pair in SUSPECTS:
        one, other = (cells[cells.index.get_level_values(1) == estimator].droplevel(1) for estimator in pair)
        gaps = (one - other).dropna()
        same, against = gaps[(gaps[[*COLUMNS]] == 0).all(axis=1)], gaps[gaps["mean"] * gaps["ours"] < 0]
        report = errata.pop(f"Table {number}, rows {' and '.join(map(symbol_of, pair))}", None)
        if report is None:
            # differences that two standard errors of the trials do not reach
            assert (pd.concat([same, against])["ours"].abs() < 0.004).all()
            continue
        result = same if report["should_be"] == "two different rows" else against
        assert len(result)
        for classifier, gap in result["ours"].items():
            near = re.search(rf"{re.escape(symbol_of(classifier))} ([+−][\d.]+) ±", report["evidence"])
            assert float(near[1].replace("−", "-")) == pytest.approx(gap, abs=6e-5)
            assert symbol_of(classifier) in report["printed"] + report["should_be"]
    assert not errata


def test_the_form_of_the_632plus_is_judged_again():
    results = {}
    for table in (f"shakhnarovich-table-{number}" for number in SYNTHETIC):
        rows = ours(table, ("published",))
        for (row, column), cell in printed(table).items():
            if row.split("/")[1] not in ("bootstrap-632plus", "cloned-632plus") or column not in COLUMNS:
                continue
            reading = next(r for r, *key in rows if key == [row, column])
            zero = "fitted:r-to-zero" if reading == "literal" else f"{reading}-r-to-zero"
            for form, name in (("As the text has it", reading), ("With R set to 0 outside [0, 1]", zero)):
                r = rows[name, row, column]
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
def test_significant_lines_are_counted_again(claims, table, level, title):
    lines = numbers(table)
    others = lines.index[(lines["alpha"] > level) | (lines["new-rmse"] >= lines["old-rmse"])]
    erratum = recorded(f"shakhnarovich-claims-{claims}")[-1]
    assert int(re.findall(r"\d+", erratum["should_be"])[0]) == len(lines) - len(others)
    assert f"in {len(others)} lines: {words_for(others, *([] if title else ['']))}." in erratum["evidence"]


def test_a_printed_spread_goes_with_samples_in_proportion():
    table, row = "shakhnarovich-table-15", "17-nn/loo"
    (report,) = (e["evidence"] for e in recorded(table) if e["place"].startswith("Section 8"))
    cell = printed(table)[row, "std"]
    for reading, verdict in (("literal", "differs"), (STRATIFIED, "reproduced")):
        r = our(table, row, "std", reading)
        judged = judge(r.value, r.se, cell.value, cell.decimals)
        assert f"{r.value:.4f} ± {r.se:.4f}" in report
        assert f"(z = {judged.z:+.1f})" in report
        assert judged.verdict == verdict


def test_printed_seconds_contradict_the_classifiers_made():
    table = "shakhnarovich-table-7"
    seconds, own = numbers(table).T, pd.Series(values(table))
    errata = {e["place"]: e for e in recorded(table)}
    times = seconds["bootstrap-loo"] / seconds["bootstrap-naive"]
    fits = [own["bootstrap-loo", f"{case.split('/')[0]}/fits-over-bootstrap"] for case in seconds.index]
    output = errata["Section 2.3.2"]["evidence"]
    assert f"{min(fits):.0f} to {max(fits):.0f} times the classifiers" in output
    assert f"{min(times):.0f} to {max(times):.0f} times the seconds" in output
    for name in ("cloned-loo", "cloned-bscv-10"):
        less = sum(seconds[name] < seconds["cloned-naive"])
        printed = errata[f"Table 7, row {symbol_of(name)}"]["printed"]
        assert f"{min(seconds[name]):.2f} to {max(seconds[name]):.2f} seconds" in printed
        assert f"in {less} of {len(seconds)} columns" in printed
    ratios = seconds["repeated-cv-10"] / seconds["repeated-cv-5"]
    assert f"{min(ratios):.2f} to {max(ratios):.2f} times" in errata["Table 7, rows RCV×10 and RCV×5"]["printed"]
    costs = {place: errata[place]["evidence"] for place in ("Section 2.2", "Section 2.3.4", "Section 9")}
    assert len(errata) == 4 + len(costs)
    for name, n in (("breast-cancer", 36), ("vehicle", 100), ("pima", 60)):
        fits, labelled = (own.xs(f"{name}/{what}", level=1).astype(int) for what in ("fits", "labelled"))
        title = symbol_of(name)
        assert labelled["cv-10"] == n
        assert f"{title} {n}" in costs["Section 2.2"]
        further = labelled["bootstrap-632plus"] - labelled["bootstrap-loo"]
        assert f"{title} {further} (n² is {n * n:,})" in costs["Section 2.3.4"]
        assert f"{title} {fits['bootstrap-632plus']:,} against {fits['loo']}" in costs["Section 2.3.4"]
        assert f"{title} {fits['bscv-5']} to {fits['bscv-loo']:,}, where n² is {n * n:,}" in costs["Section 9"]


def assert_quoted(artifact, place, *numbers):
    evidence = " ".join(e["evidence"] for e in recorded(artifact) if e["place"] == place)
    for number in numbers:
        assert number in evidence


def test_errata_of_settings_and_tables_quote_our_rows():
    one, two, three, nine = (partial(value, f"shakhnarovich-table-{number}") for number in (1, 2, 3, 9))
    assert_quoted("shakhnarovich-table-1", "Table 1, setting 1", f"least error is {one('1', 'least-error'):.4f};")
    assert_quoted("shakhnarovich-table-1", "Section 6", f"only {100 * comb(14, 7) / 2**14:.1f} %")
    rmse = hypot(1 + nine("ldf/true-error", "mean"), nine("ldf/true-error", "std"))
    assert_quoted("shakhnarovich-table-9", "Table 9, rows of ten folds", f"an RMSE of {rmse:.3f}")
    errors = (f"{row} {two(row, 'true-error'):.3f}" for row in ("1/ldf", "1/1-nn", "1/3-nn", "1/svm-rbf"))
    assert_quoted("shakhnarovich-table-2", "Table 2, caption", *errors)
    sigma = two("1/ldf", "sigma-d")
    spread = f"{sigma:.4f} and a variance of {sigma**2:.2g}"
    assert_quoted("shakhnarovich-table-2", "Section 6, the paired test", spread)
    whole = three("vehicle", "whole-number-features")
    assert_quoted("shakhnarovich-table-3", "Table 3", f"{whole:.0f} of the 18 columns")
    for table, classifier in product((14, 15), ("3-nn", "svm-rbf")):
        of = partial(value, f"shakhnarovich-table-{table}", f"header/{classifier}")
        errors = f"has a true error of {of('true-error'):.3f} and an apparent error of {of('resubstitution'):.3f}"
        place = f"Table {table}, header of the second column"
        assert_quoted(f"shakhnarovich-table-{table}", place, f"{symbol_of(classifier)} {errors}")


def test_errata_of_kernels_and_equations_quote_mathematics_and_our_rows():
    def area(f, high=1.0):
        return integrate.quad(f, -1, high)[0]

    def kernel(x):
        return 0.75 * (1 - x * x)

    no_density, density = area(lambda x: 0.75 * (x - 1) ** 2), area(kernel)
    areas = f"has area {no_density:.0f} and is no density; that of section 4.1 has area {density:.0f},"
    assert_quoted("shakhnarovich-figure-1", "Figure 1, caption", areas)
    rate, trials, uniforms = (
        value("shakhnarovich-lemma-2", "algorithm-2", column)
        for column in ("acceptance-rate", "expected-trials", "uniforms-for-one-draw")
    )
    trials = f"{rate:.4f} of the trials is accepted, {trials:.4f} trials"
    assert_quoted("shakhnarovich-lemma-2", "Section 4.2, Lemma 2", trials, f"{uniforms:.2f} of these")
    third = [0.5 / 2 - 0.5**3 / 6 + sign / 3 for sign in (1, -1)]
    proof = (f"2/3 F(x) = {2 / 3 * area(kernel, 0.5):.4f} of", f"+ 1/3 is {third[0]:.4f}", f"−{-third[1]:.4f}")
    assert_quoted("shakhnarovich-lemma-2", "Section 4.2, proof of Lemma 2", *proof)
    weights = values("shakhnarovich-figure-3")
    h, sigma = weights.pop(("sample", "bandwidth")), np.std([0, 2, 3, 4, 10], ddof=1)
    least, most = min(weights.values()), max(weights.values())
    assert_quoted("shakhnarovich-figure-3", "Section 7.2, equation 20", f"from {least:.2g} to {most:.2f}")
    unscaled = f"σ = {sigma:.2f} and h = {h:.3f}: at a squared distance of σ the unscaled weight is {h**sigma:.3f}"
    at_sigma = f"at a distance of σ it is {h ** (sigma**2):.3f}"
    assert_quoted("shakhnarovich-figure-3", "Section 7.2, below equation 20", unscaled, at_sigma)
    of = partial(value, "shakhnarovich-equations")
    root, literal = (of("equation-11", "bandwidth", form) for form in ("fitted:power-one-fifth", "literal"))
    eleven = f"fifth root, {root:.4f}; the printed value, {literal:.4f}, has "
    eleven += f"{of('equation-11', 'error-over-least'):.1f} times the least error"
    assert_quoted("shakhnarovich-equations", "Section 4.1, equation 11", eleven)
    conditional, joint, rest = (
        of("equation-24", column) for column in ("sum-of-conditional", "sum-of-joint", "density-without-the-last")
    )
    sums = f"sum to {conditional:.3f}, the joint ones to {joint:.5f},"
    assert_quoted("shakhnarovich-equations", "Section 7.3, equation 24", sums, f"({rest:.5f})")


def test_leave_one_out_of_table_12_lies_too_far_from_the_true_error():
    n, cells = 50, numbers("shakhnarovich-table-12").dropna()
    errata = recorded(REUSED)
    assert len(errata) == 4
    for erratum in errata:
        name = next(c for c in ("ldf", "1-nn", "3-nn", "svm-rbf") if erratum["place"] == f"Table 12, {symbol_of(c)}")
        own = cells[cells.index.str.startswith(f"{name}/")].rename(lambda row: row.split("/")[1])
        mean, std = own.loc["true-error", ["mean", "std"]]
        apparent, loo = own.loc["resubstitution"], own.loc["loo"]
        if not apparent["mean"] and not apparent["std"]:
            # then the RMSE of resubstitution is the root mean square of the true error itself
            mean = sqrt(max(apparent["rmse"] ** 2 - std**2 * (n - 1) / n, 0.0))
        z = (loo["mean"] - mean) / (sqrt(loo["std"] ** 2 + std**2) / sqrt(n))
        assert abs(z) > 3
        assert f"would lie {z:+.1f} standard errors" in erratum["evidence"]
        # rmse^2 = (mean difference)^2 + (n - 1)/n (s^2 + t^2 - 2 r s t)
        share, other = (n - 1) / n, own[own["std"] > 0].drop(["true-error", "resubstitution"], errors="ignore")
        unexplained = (other["mean"] - mean) ** 2 + share * (other["std"] ** 2 + std**2) - other["rmse"] ** 2
        r = unexplained / (2 * share * other["std"] * std)
        assert f"{r.min():.2f} to {r.max():.2f} (median {r.median():.2f})" in erratum["evidence"]
        spread = our(REUSED, name, "true-error-std")
        assert f"{spread.value:.4f} ± {spread.se:.4f}" in erratum["evidence"]
