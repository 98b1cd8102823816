"""The error rate of a classifier: the estimate requested, and all others (percent)."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan
from typing import Any

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.names import COMMON
from compendium.evidence.records import dicts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.own.parameters import OwnDataParameters, sets
from compendium.guide.own.results import draw_intervals, limits_of, listed, rounded_rows
from compendium.guide.own.study import Candidate, candidates, chosen, estimate_study, most_fits, on_the_rest
from compendium.methods.estimators import parse_estimator
from compendium.plots.picture import Drawing, Line, Picture
from errorest import plots
from errorest.assessment.report.describe import describe
from errorest.assessment.report.text import with_id
from errorest.assessment.results import Estimate
from errorest.estimation.intervals import parse_interval
from errorest.plots import BLACK, BLUE, GREY, VERMILION

# Estimates that test a classifier on cases it was trained on, or on copies of them
SEEN = ("resubstitution", "bs", "bscv", "bsx2")


def chosen_key(result: Estimate) -> str:
    """Name what was asked for as the list of candidates names it."""
    if result.interval is None:
        return parse_estimator(result.method).name
    return parse_interval(result.interval.method).name


_NAMED = {"632+": ".632+, influence", "kohavi": "CV, equation 3"}


def method_title(name: str) -> str:
    """Write the id of an estimator or an interval as words."""
    return _NAMED.get(name) or (COMMON[name].sentence if name in COMMON else name.replace("-", " "))


@plots.in_style
def draw_estimates(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table, truth = (made.published.data[name] for name in ("estimates", "truth"))
    table = table.assign(bare=table["low"].isna())
    table = table.sort_values(["chosen", "bare", "tested"], ascending=[False, True, True], kind="stable")
    colours = {"chosen": BLUE, "left out": BLACK, "trained on": GREY}
    levels = {r["name"]: method_title(str(r["name"])) for r in table.to_dict("records")}
    picture = Picture(1.6 + 0.235 * len(levels), x="error rate (%)", y_levels=levels)
    draw_intervals(picture, table, "name", {r["name"]: colours[r["tested"]] for r in table.to_dict("records")})
    looks: dict[str, Line] = {key: {"color": colour} for key, colour in colours.items()}
    looks["chosen"]["markersize"] = 7
    looks["trained on"]["markerfacecolor"] = "white"
    words = {"chosen": "asked for", "left out": "tested on cases left out", "trained on": "tested on training cases"}
    picture.scatter(table, "error", "name", by="tested", looks=looks, names=words)
    legend = {}
    for value in truth["classifier"]:
        picture.guide(x=value, color=VERMILION, linewidth=1.5)
        legend["error on the cases held back"] = {"color": VERMILION}
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(legend=legend, columns=2, confidence_percent=f"{100 * p.confidence:g}")


@artifact("guide-own-estimates", draw=draw_estimates, matrix=True)
def estimates(p: OwnDataParameters, run: Run) -> ArtifactResult:
    result = chosen(p)
    wanted = [c for c in candidates(p.replicates, result.n) if c.key != chosen_key(result)]
    affordable = [c for c in wanted if c.fits <= most_fits(p)]
    se = nan if result.standard_error is None else result.standard_error
    low, high = limits_of(result)
    interval = None if result.interval is None else result.interval.method
    requested = Candidate(chosen_key(result), result.method, interval, result.n_fits)
    measured = {"estimate": result.value, "low": low, "high": high, "se": se}
    lines = [{**_line(requested, measured), "estimator": result.method, "chosen": True, "tested": "chosen"}]
    if affordable:
        made = dicts(run(estimate_study(p, affordable)))
        lines += [_line(c, m) for c, m in zip(affordable, made, strict=True) if m["made"]]
    table = pd.DataFrame(lines)
    rows = []
    for one in lines:
        row = "chosen" if one["chosen"] else str(one["name"])
        # without a standard error the number of digits is fixed
        error = round(one["error"], 1) if isnan(one["se"]) else one["error"]
        rows.append(Row("literal", row, "error-percent", error, one["se"], 1))
        further = {"low-percent": one["low"], "high-percent": one["high"], "fits": float(one["fits"])}
        rows += rounded_rows(row, {column: value for column, value in further.items() if not isnan(value)})
    meaning, *sentences = describe(result).sentences
    results = [f"**{describe(result).lead}: {meaning[:1].lower()}{meaning[1:]}**", *sentences]
    if costly := [f"{c.key} ({c.fits:,})" for c in wanted if c not in affordable]:
        limit = f"{most_fits(p):,} classifiers (`most_fits`)"
        results.append(f"Left out, since they train more than {limit}: {listed(costly, 20)}.")
    if missed := [c.key for c in affordable if c.key not in set(table["name"])]:
        results.append(f"Impossible on these cases (too few, or the classifier fails): {listed(missed, 20)}.")
    results += [f"Beware: {with_id(text)}." for text in result.warnings]
    covered = on_the_rest(p, p.inducer) if sets(p)[1].rest.size else None
    truth = pd.DataFrame({"classifier": [] if covered is None else [100 * covered[0] / covered[1]]}, dtype=float)
    return ArtifactResult(rows, {"estimates": table, "truth": truth}, [], results)


def _line(c: Candidate, made: Mapping[str, float]) -> dict[str, Any]:
    return {
        "name": c.key,
        "estimator": c.estimator if c.interval is None else "",
        "interval": c.interval or "",
        "error": 100 * made["estimate"],
        **{k: 100 * made[k] for k in ("low", "high", "se")},
        "fits": c.fits,
        "chosen": False,
        # a method that tests on cases it was trained on is too low as a rule
        "tested": "trained on" if c.key in SEEN else "left out",
    }
