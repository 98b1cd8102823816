"""What results have in common: numbers, text, verdict, methods paragraph, page, figures."""

import re
import tomllib
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from scipy import stats
from sklearn.metrics import confusion_matrix

import errorest
from batteries import assert_refused
from errorest import choose, compare, estimate, from_predictions, learning_curve, permutation_test, plots, report
from errorest.assessment.report.describe import axis_limits, describe
from errorest.assessment.report.formatting import round_above
from errorest.assessment.report.page import _drawn
from errorest.assessment.results import Estimate, Estimates, Result
from errorest.cli.commands import _picture
from errorest.data.reading import read_csv
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS
from errorest.estimation.proportions import wilson_interval

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "src" / "errorest" / "assessment" / "report"
TEXTS = tomllib.loads((SHIPPED / "methods.toml").read_text(encoding="utf-8"))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
RARE = np.array(["no"] * 190 + ["yes"] * 10)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RNG.normal(size=200) / 2, [-0.5, 0.8])]
FEW, CODES = X[:30], (X[:30, 0] + RNG.normal(size=30) > 0).astype(int)
TWINS = np.arange(30) // 2
PAIR = ["naive-bayes", "knn(k=3)"]


def found(y: np.ndarray = THREE, model: Any = "naive-bayes", **changes: Any) -> Any:
    return estimate(model, X, y, **{"method": "cv(k=10)", "rng": 0, **changes})


@cache
def results() -> dict[str, Result]:
    return {
        "error": estimate("naive-bayes", FEW, CODES, rng=1),
        "auc": estimate("naive-bayes", FEW, CODES, scoring="auc", rng=1),
        "groups": estimate(
            "naive-bayes", FEW, CODES, method=5, groups=np.arange(30) // 2, rng=np.random.default_rng(1)
        ),
        "difference": compare(*PAIR, FEW, CODES, rope=0.01, rng=1),
        "choice": choose(PAIR, FEW, CODES, n_resamples=30, nested=2, rng=1),
        "permutation": permutation_test("naive-bayes", FEW, CODES, n_permutations=9, rng=1),
        "curve": learning_curve("naive-bayes", FEW, CODES, at=[60], repeats=2, rng=1),
        "predictions": from_predictions(CODES, 1 - CODES, name="ours {x} [stone1974]"),
    }


KINDS = ("error", "auc", "groups", "difference", "choice", "permutation", "curve", "predictions")


@pytest.mark.parametrize("kind", KINDS)
def test_a_dict_has_the_fields_of_the_result(kind: str) -> None:
    result = results()[kind]
    shown = result.to_dict()
    named = {f.name for f in fields(result)} - {"predictions", "_source"}
    assert {name for name in named if not name.startswith("_")} <= set(shown)
    assert (shown["metric"], shown["n"], shown["seed"]) == (str(result.metric), result.n, result.seed)
    assert shown["confidence_level"] == result.confidence_level


RENDERING = ("plot", "drawn", "to_html", "methods_text", "lines", "verdict", "heading", "level_text", "value_text")


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_is_numbers_and_its_text_fits_twelve_lines(kind: str) -> None:
    result = results()[kind]
    assert not [name for name in RENDERING if hasattr(result, name)]
    many = replace(result, warnings=tuple(f"warning {i}" for i in range(20)))
    for one in (result, many):
        lines = repr(one).splitlines()
        assert len(lines) <= 12
        assert describe(one).verdict in repr(one)
    assert "more warnings" in repr(many).splitlines()[-1]
    assert all(f"warning {i}" in many.details() for i in range(20))
    heads = {line.split("  ")[1] for line in repr(result).splitlines()[1:] if "  ! " not in line}
    assert all(f"\n  {head}" in result.details() for head in heads)


def test_a_summary_has_value_interval_coverage_and_baseline() -> None:
    e = results()["error"]
    text = repr(e)
    for part in (f"{100 * e.value:.1f} %", f"{100 * e.interval.low:.1f} to", e.baseline.name, e.coverage.sentence):
        assert part in text


def test_several_metrics_are_a_sequence_and_one_table() -> None:
    several = estimate("naive-bayes", FEW, CODES, scoring=["error", "auc", "brier"], rng=1)
    assert isinstance(several, Estimates)
    assert [str(one.metric) for one in several] == ["error", "auc", "brier"]
    assert several["auc"] is several[1]
    assert several["auc"].value == results()["auc"].value
    frame = several.to_frame()
    assert frame["value"].tolist() == [one.value for one in several]
    assert frame.loc[1, "low"] == several[1].interval.low
    assert set(several.to_dict()) == {"error", "auc", "brier"}
    shown = repr(several).splitlines()
    assert len(shown) <= 12
    assert [line.split()[0] for line in shown[1:4]] == ["error", "auc", "brier"]
    assert "<table" in several._repr_html_()
    for function in (errorest.report.plot, errorest.report.methods_text, errorest.report.verdict):
        assert_refused("one result", function, several)
    assert_refused("one result", errorest.report.to_html, several, "page.html")
    with pytest.raises(UsageError, match="no estimate of 'brie'; expected one of error, auc, brier; did you mean"):
        several["brie"]


def test_a_constant_classifier_shows_no_improvement_over_the_baseline() -> None:
    for model, method in (("majority", "cv(k=10)"), ("majority", "632+(replicates=50)")):
        text = report.verdict(found(RARE, model, method=method))
        assert text.startswith("no evidence of improvement over always 'no' (5.0 %): difference")
        assert text.endswith("95 % interval +0.0 to +0.0 points; 100.0 % of the cases of 'yes' wrong")


def test_the_verdict_is_a_paired_test_against_the_baseline() -> None:
    good = found()
    table = good.predictions.cases()
    difference = table["loss"] - (table["class"] != good.baseline.constant)
    half = stats.t(199).ppf(0.975) * (2 * difference.var() / 200) ** 0.5
    expected = (difference.mean(), difference.mean() - half, difference.mean() + half)
    assert good.against_baseline == pytest.approx(expected)
    assert good.against_baseline.high < 0
    assert report.verdict(good).startswith("better than always")
    assert good.to_dict()["against_baseline"]["low"] == pytest.approx(expected[1])
    accuracy = found(scoring="accuracy")
    assert accuracy.against_baseline == pytest.approx((-expected[0], -expected[2], -expected[1]))
    assert report.verdict(accuracy).startswith("better than always")
    assert f"held-out cases {-100 * expected[0]:+.1f} points" in report.verdict(accuracy)
    noise = found(RNG.permutation(THREE))
    assert noise.against_baseline.low < 0 < noise.against_baseline.high
    assert report.verdict(noise).startswith("no evidence of improvement over")
    assert report.verdict(from_predictions(THREE, np.where(THREE == "a", "b", "a"))).startswith("worse than")
    # copies of groups are one piece of evidence each
    twice = np.concatenate([np.arange(200)] * 2)
    one, two = (
        from_predictions(THREE[i], table["class"].where(table["loss"] == 0, "b").to_numpy()[i], groups=groups)
        for i, groups in ((np.arange(200), None), (twice, twice))
    )
    assert two.against_baseline == pytest.approx(one.against_baseline)
    untested = found(method="resubstitution", interval=None)
    assert untested.against_baseline is None
    assert report.verdict(untested).endswith("no paired test, since fewer than two cases or groups were tested unseen")


def test_the_verdict_on_probabilities_is_a_paired_test_against_the_class_prior() -> None:
    good = found(scoring="brier")
    shares = np.unique(THREE, return_counts=True)[1] / 200
    prior = np.array([sum(shares**2) - 2 * shares[c] + 1 for c in np.searchsorted(["a", "b", "c"], THREE)])
    loss = good.predictions.cases("brier")["loss"]
    difference = loss - prior
    half = stats.t(199).ppf(0.975) * (2 * difference.var() / 200) ** 0.5
    expected = (difference.mean(), difference.mean() - half, difference.mean() + half)
    assert good.against_baseline == pytest.approx(expected)
    assert report.verdict(good).startswith("better than class prior")
    assert report.verdict(found(RNG.permutation(THREE), scoring="log-loss")).split(" (")[0] in (
        "no evidence of improvement over class prior",
        "worse than class prior",
    )
    assert found(scoring="f1", y=RARE).against_baseline is None


def test_a_result_says_what_more_resamples_would_bring() -> None:
    e = found(method="cv(k=5, repeats=4)")
    (outcome,) = e.predictions.outcomes(e.metric).values()
    rates = outcome.repeat_rates
    assert e.monte_carlo_error == pytest.approx(rates.std(ddof=1) / 2)
    share = e.monte_carlo_error**2 / (e.monte_carlo_error**2 + e.standard_error**2)
    assert (e.resampling_share, e.effective_n) == pytest.approx((share, 200 * (1 - share)))
    assert "would remove" in e.details()
    bootstrap = found(method="632+(replicates=60)")
    assert bootstrap.monte_carlo_error == bootstrap.interval.monte_carlo.estimate
    more = found(method="632+(replicates=600)")
    assert 4 < bootstrap.resampling_share / more.resampling_share < 25  # inverse to the number of samples
    once = found()
    assert (once.monte_carlo_error, once.resampling_share, once.effective_n) == (None, None, None)
    folds = found(RARE, scoring="auc", method="cv(k=5, repeats=3, stratified=True)")
    assert folds.monte_carlo_error > 0


def test_several_metrics_bear_the_names_that_were_given() -> None:
    given = ["error", "roc_auc", "sensitivity(threshold=0.50)"]
    several = found(RARE, scoring=given, method="cv(k=5, stratified=True)")
    assert several.names == tuple(given) == tuple(several.to_frame()["metric"]) == tuple(several.to_dict())
    assert several["roc_auc"] is several["auc"] is several[1]
    assert several[1:].names == tuple(given[1:])
    by_key = several.predictions.estimate({"area": "roc_auc", "wrong": "error"})
    assert (by_key["area"].value, by_key.names) == (several["auc"].value, ("area", "wrong"))
    assert "area" in repr(by_key)


def test_the_verdict_on_a_score_is_where_the_interval_lies() -> None:
    e = results()["auc"]
    low, high = e.interval.low, e.interval.high
    for value, text in (
        (low - 0.1, "better than"),
        (high + 0.1, "worse than"),
        ((low + high) / 2, "interval contains"),
    ):
        shown = report.verdict(replace(e, baseline=e.baseline._replace(value=value)))
        assert text in shown
    assert "no baseline" in report.verdict(replace(e, baseline=e.baseline._replace(value=None)))


def test_classes_and_confusion_are_those_of_scikit_learn() -> None:
    result = found()
    of, table = result.predictions, result.predictions.to_frame()
    matrix = confusion_matrix(table["y_true"], table["y_pred"])
    shares = of.confusion()["share"].to_numpy().reshape(3, 3)
    np.testing.assert_allclose(shares, matrix / matrix.sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(of.by_class()["error"], 1 - np.diag(shares), atol=1e-12)
    counts = matrix.sum(axis=1)
    for row, count, wrong in zip(of.by_class().itertuples(), counts, counts - np.diag(matrix), strict=True):
        low, high = wilson_interval(int(wrong), int(count))
        assert (row.low, row.high) == pytest.approx((float(low), float(high)))
    wider = found(groups=np.arange(200) // 4, method="cv(k=10)").predictions.by_class()
    assert ((wider["high"] - wider["low"]) > (of.by_class()["high"] - of.by_class()["low"])).all()
    assert found(method="resubstitution", interval=None).predictions.by_class().empty


def test_of_the_bootstrap_a_case_counts_by_its_unseen_tests() -> None:
    of = found(method="632+(replicates=30)").predictions
    one = of.cases().groupby("class")["loss"].mean()
    np.testing.assert_allclose(of.by_class().set_index("class")["error"], one, atol=1e-12)


def entries(file: Path) -> dict[str, str]:
    """Read a BibTeX file: the entries by their keys."""
    return {m[1]: m[0] for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", file.read_text(encoding="utf-8"), re.M | re.S)}


CITED = {
    "error": {"efron1997", "wilson1927"},
    "auc": {"stone1974", "hanley1982"},
    "groups": {"stone1974", "bayle2020"},
    "difference": {"stone1974", "nadeau2003", "corani2015", "dietterich1998"},
    "choice": {"stone1974", "tsamardinos2018", "nadeau2003", "romano2005"},
    "permutation": {"stone1974", "ojala2010", "phipson2010", "clopper1934"},
    "curve": {"stone1974"},
    "predictions": {"wilson1927"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_has_a_row_for_each_estimate_candidate_or_point(kind: str) -> None:
    result = results()[kind]
    frame = result.to_frame()
    assert len(frame) == {"choice": 2, "curve": 6}.get(kind, 1)
    assert not any(isinstance(value, dict | list) for value in frame.to_numpy().ravel())
    if kind not in ("choice", "curve"):
        assert frame.loc[0, "n"] == result.n


@pytest.mark.parametrize("kind", CITED)
def test_a_methods_text_names_version_seed_and_method_and_cites_what_it_uses(kind: str) -> None:
    result = results()[kind]
    paragraph, *references = report.methods_text(result).split("\n\n")
    assert f"errorest {errorest.__version__}." in paragraph
    assert ("The seed is 1." in paragraph) == (result.seed is not None)
    assert (f"Classifiers fitted: {result.n_fits}." in paragraph) == (result.n_fits > 0)
    known = entries(SHIPPED / "methods.bib")
    assert references == [known[key] for key in sorted(CITED[kind])]
    for reference in references:
        name = re.search(r"author = \{(\w+)", reference)
        assert name[1] in paragraph
    assert "{r." not in paragraph


GROUPED: dict[str, Any] = {
    "estimate": lambda groups: estimate("naive-bayes", FEW, CODES, groups=groups, rng=1),
    "auc": lambda groups: estimate("naive-bayes", FEW, CODES, scoring="auc", method=5, groups=groups, rng=1),
    "compare": lambda groups: compare(*PAIR, FEW, CODES, groups=groups, rng=1),
    "choose": lambda groups: choose(PAIR, FEW, CODES, n_resamples=30, groups=groups, rng=1),
    "permutation_test": lambda groups: permutation_test("naive-bayes", FEW, CODES, n_permutations=9, groups=groups),
    "learning_curve": lambda groups: learning_curve("naive-bayes", FEW, CODES, repeats=2, groups=groups, rng=1),
    "from_predictions": lambda groups: from_predictions(CODES, 1 - CODES, groups=groups),
}


@pytest.mark.parametrize("function", GROUPED)
def test_every_result_says_how_many_groups_there_are(function: str, tmp_path: Path) -> None:
    result = GROUPED[function](TWINS)
    assert result.n_groups == result.to_dict()["n_groups"] == 15
    assert dict(describe(result).facts)["cases"].startswith("30 in 15 groups")
    assert "30 cases in 15 groups" in report.methods_text(result)
    assert "groups counted in place of cases" in report.methods_text(result)
    if function == "estimate":
        assert "30 cases in 15 groups of 2 classes" in page_of(result, tmp_path)
    alone = GROUPED[function](None)
    assert alone.n_groups is alone.to_dict()["n_groups"] is None
    assert "group" not in dict(describe(alone).facts)["cases"] + report.methods_text(alone).partition("\n")[0]


def test_a_methods_text_says_what_was_done_in_words() -> None:
    assert "with 5 folds, stratified by class (Stone, 1974)." in report.methods_text(results()["groups"])
    balanced = report.methods_text(from_predictions(CODES, 1 - CODES, scoring="balanced-accuracy"))
    assert "(Wilson, 1927; Newcombe, 1998; Zou and Donner, 2008)" in balanced
    text = report.methods_text(results()["predictions"])
    assert "The error rate of ours {x} [stone1974] was estimated from predictions of 30 cases" in text
    exact = permutation_test("naive-bayes", FEW[:6], [0, 0, 0, 1, 1, 1], method=2, rng=1)
    assert "These are all permutations" in report.methods_text(exact)
    pairs = [(np.arange(15), np.arange(15, 30)), (np.arange(15, 30), np.arange(15))]
    by_splits = estimate("knn", FEW, CODES, method=pairs, rng=1)
    assert "the splits of a splitter, with list of 2." in report.methods_text(by_splits)


def test_every_method_of_ours_has_its_words_and_every_citation_its_entry() -> None:
    named = {*ESTIMATORS, *INTERVALS, *STATISTIC_INTERVALS}
    assert named <= set(TEXTS["methods"])
    known = entries(SHIPPED / "methods.bib")
    cited = set(re.findall(r"\[(\w+\d{4})\]", (SHIPPED / "methods.toml").read_text(encoding="utf-8")))
    assert cited == set(known)
    book = entries(ROOT / "book" / "references.bib")
    assert {key: book[key] for key in known if key in book} == {key: known[key] for key in known if key in book}


def page_of(result: Any, folder: Path, command: str = "") -> str:
    report.to_html(result, folder / "page.html", command)
    return (folder / "page.html").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_every_result_has_a_page_with_its_numbers(kind: str, tmp_path: Path) -> None:
    result = results()[kind]
    page = page_of(result, tmp_path)
    assert (page.count("<svg"), page.endswith("</html>\n")) == (1, True)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page.partition("</style>")[2]))
    for head, value in describe(result).facts:
        if not re.match(r"verdict|class |\d+(\.| cases)$", head):
            assert value.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;").replace(">", "&gt;") in text
    if kind == "choice":
        assert all(one.name in text for one in result.candidates)


def test_a_page_names_file_lines_columns_and_command(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    rows = "".join(f"{x:.3f},{k}\n\n" for x, k in zip(X[:, 0], THREE, strict=True))
    path.write_text("height <cm>,kind\n" + rows)
    result = estimate("naive-bayes", read_csv(path, "kind", quiet=True), method="cv(k=5)", rng=0)
    page = page_of(result, tmp_path, "errorest estimate some.csv --seed 0")
    for text in ("some.csv, 20", "errorest estimate some.csv --seed 0", "line of some.csv", "errorest 0.", "<details>"):
        assert text in page
    assert "height &lt;cm&gt;" in page
    assert "Columns as understood" in page
    hardest = result.predictions.cases().sort_values("loss", ascending=False, kind="stable").iloc[0]
    # every other line is empty
    assert f"<td>{2 * hardest['case'] + 2}</td><td>{hardest['class']}</td>" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    plain = page_of(found(), tmp_path)
    assert "line of" not in plain
    assert "the same call with rng=0" in plain
    tagged = found(np.where(RARE == "yes", "<b>", "no"))
    for escaped in (page_of(tagged, tmp_path), tagged._repr_html_()):
        assert "&lt;b&gt;" in escaped
        assert "<b>" not in escaped


def test_a_page_of_a_set_date_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    one, two = (page_of(found(), tmp_path) for _ in range(2))
    assert one == two
    assert "1970-01-02" in one
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert "1970" not in page_of(found(), tmp_path)


@pytest.mark.parametrize("kind", ["error", "auc"])
def test_an_undefined_estimate_is_shown_and_drawn(kind: str, tmp_path: Path) -> None:
    e = replace(results()[kind], value=float("nan"), interval=None, standard_error=None)
    assert repr(e).splitlines()[0].lower() == f"{e.metric.title} undefined".lower()
    assert "undefined" in page_of(e, tmp_path)
    assert report.plot(e).axes[0].get_xlim()[1] > 0


def changed(e: Estimate, value: float, high: float, baseline: float) -> Estimate:
    between = replace(e.interval, low=0.0, high=high)
    return replace(e, value=value, interval=between, baseline=e.baseline._replace(value=baseline))


def test_the_axis_leaves_the_interval_half_of_it() -> None:
    base = results()["error"]
    for value, high, baseline, end in (
        (0.02, 0.054, 0.6, 0.2),
        (0.001, 0.002, 0.6, 0.005),
        (0.2, 0.3, 0.6, 1.0),
        (0.0, 0.0, 0.4, 0.5),
        (0.1, float("nan"), 0.6, 0.2),
    ):
        assert axis_limits(changed(base, value, high, baseline)) == pytest.approx((0, end))
    for value in np.random.default_rng(0).uniform(1e-4, 900, size=300):
        assert 1 <= round_above(value) / value < 2.5 + 1e-9


def test_both_pictures_mark_the_baseline_where_it_fits_and_else_point_to_it() -> None:
    low = changed(results()["error"], 0.022, 0.054, 0.6011)
    near = changed(low, 0.022, 0.054, 0.15)
    name = low.baseline.name
    for e, mark in ((low, f"→ {name}: 60.1 %"), (near, f"┊ {name}: 15.0 %")):
        axis, legend = _picture(e).splitlines()
        assert axis.endswith("20.0 %")
        assert legend.endswith(mark)
        assert axis.count("─") > 10
        drawn = _drawn(e)
        top = drawn.figure.axes[0]
        assert top.get_xlim() == (0, pytest.approx(20))
        texts = [t.get_text() for t in top.texts]
        assert (name in texts) is (e is near)
        assert (f"{name}: 60.1 % →" in texts) is (e is low)
        assert ("dashed" in drawn.alt) is (e is near)


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_shown_by_a_notebook_without_pyplot(kind: str) -> None:
    data, _ = DisplayFormatter().format(report.plot(results()[kind]))
    assert data["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("scoring", ["error", "auc"])
def test_labels_of_panels_side_by_side_do_not_overlap(scoring: str) -> None:
    with plots.style():
        figure = report.plot(choose(PAIR, FEW, CODES, scoring=scoring, n_resamples=30, rng=1))
        figure.canvas.draw()
        left, right = (axis.xaxis.label.get_window_extent() for axis in figure.axes)
    assert left.x1 < right.x0
    assert right.x1 <= figure.bbox.x1
