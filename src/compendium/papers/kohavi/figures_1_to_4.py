"""Figures 1 to 4: mean or standard deviation of an estimate against folds or bootstrap samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, most
from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.drawing import (
    SCHEME_NAMES,
    lines_by_set,
    panel_title_of,
    samples_text,
    small_ticks,
    tick_labels,
    ticks_of,
)
from compendium.papers.kohavi.estimates import (
    LOO,
    InducerEstimates,
    by_inducer,
    estimates_of,
    key_of,
    stratified_and_plain,
)
from compendium.papers.kohavi.inducers import title_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.papers.kohavi.table_1 import truths_of
from compendium.plots.picture import Drawing, Line, Picture, Series
from errorest.plots import COLOURS, GREY

# A bias of at most so many points is small, of more than so many high; the paper names no numbers
SMALL, HIGH = 1.0, 2.0

# Data sets on which the paper calls the bootstrap almost unbiased, and, by inducer, highly biased
UNBIASED = ("chess", "hypothyroid", "mushroom")
HIGHLY_BIASED = {"c4.5": ("soybean-large", "vehicle", "rand"), "naive-bayes": ("vehicle", "rand")}


FIGURE_1, FIGURE_2 = Claims("kohavi-figure-1"), Claims("kohavi-figure-2")
FIGURE_3, FIGURE_4 = Claims("kohavi-figure-3"), Claims("kohavi-figure-4")


@FIGURE_1.claim
def two_folds(e: InducerEstimates, p: EstimateParameters) -> Conditions:
    return most("biases", [b < 0 for b in e.biases("k=2")])


@FIGURE_1.claim
def five_folds(e: InducerEstimates, p: EstimateParameters) -> Conditions:
    return most("biases", [b < 0 for b in e.biases("k=5")])


@FIGURE_1.claim
def ten_folds(e: InducerEstimates, p: EstimateParameters) -> Conditions:
    return most("biases", [abs(b) <= SMALL for b in e.biases("k=10")])


@FIGURE_1.claim
def twenty_folds(e: InducerEstimates, p: EstimateParameters) -> Conditions:
    return most("biases", [abs(b) <= SMALL for b in e.biases("k=20")])


@FIGURE_2.claim
def unbiased(e: InducerEstimates, p: EstimateParameters) -> list[Condition]:
    return [abs(b) <= SMALL for b in e.biases(p.last, UNBIASED)]


@FIGURE_2.claim
def biased(e: InducerEstimates, p: EstimateParameters) -> list[Condition]:
    return [abs(b) > HIGH for b in e.biases(p.last, HIGHLY_BIASED.get(e.column, ()))]


@FIGURE_3.claim
def ten_below_two(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.sd_ratio(("k=10", "k=2")) < 1


@FIGURE_3.claim
def ten_below_loo(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.sd_ratio(("k=10", LOO)) < 1


@FIGURE_3.claim
def twenty_below_loo(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.sd_ratio(("k=20", LOO)) < 1


@FIGURE_3.claim
def ten_more_pessimistic(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.gap(("k=10", LOO)) < 0


@FIGURE_3.claim
def twenty_more_pessimistic(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.gap(("k=20", LOO)) < 0


@FIGURE_3.claim
def stratified(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.sd_ratio(*stratified_and_plain(p)) < 1


@FIGURE_4.claim
def below_ten_folds(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.sd_ratio((p.last, "k=10")) < 1


FOLDS, BOOTSTRAP = ("plain", "stratified"), ("bootstrap",)


def _draw_means(
    p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame, *, base: str, across: str
) -> Drawing:
    """Draw the estimates less the true accuracy, a panel a data set, a line an inducer and kind of folds."""
    scale, result = made.shown
    truths = result.data["truths"].rename(columns={"accuracy": "truth", "se": "truth_se"})
    table = result.data["points"].merge(truths[["set", "inducer", "truth", "truth_se"]], on=["set", "inducer"])
    sets, inducers, ticks = distinct(table["set"]), distinct(table["inducer"]), ticks_of(p, base)
    # stratified folds have the places of the plain ones
    levels = list(ticks.values())
    table = table.assign(
        tick=table["point"].map(ticks | ticks_of(p, "stratified")),
        bias=table["mean"] - table["truth"],
        line=table["inducer"] + "/" + table["scheme"],
    )
    schemes = distinct(table["scheme"])
    looks, names = {}, {}
    for inducer, colour in zip(inducers, COLOURS * len(inducers), strict=False):
        for scheme in schemes:
            marker, style = ("s", "--") if scheme == "stratified" else ("o", "-")
            looks[f"{inducer}/{scheme}"] = Line(color=colour, marker=marker, linestyle=style, linewidth=1.3)
            names[f"{inducer}/{scheme}"] = title_of(inducer) + f", {SCHEME_NAMES[scheme]}" * (len(schemes) > 1)
    picture = Picture(
        1.9 + 1.7 * ceil(len(sets) / 2),
        {name: name for name in sets},
        "set",
        columns=2,
        x=across,
        y="estimate minus truth (points)",
        x_levels=levels,
    )
    widest = table.groupby("set", sort=False)["truth_se"].max().reset_index().assign(bias=0.0)
    reach = pd.concat([widest.assign(tick=end) for end in (levels[0], levels[-1])])
    picture.lines(
        reach, "tick", "bias", se="truth_se", z=1.96, band=True, label="true accuracy", color=GREY, linewidth=0.8
    )
    shown = table[table["tick"].isin(levels)]
    series: Series = {"se": "se", "z": 1.96, "by": "line", "looks": looks, "names": names, "dodge": 0.1}
    series |= {"markersize": 3.5, "elinewidth": 0.9}
    picture.lines(shown, "tick", "bias", **series)
    picture.limits(xlim=(-0.5, len(ticks) - 0.5), ymargin=0.15)
    small_ticks(picture)
    first, *_, last = [*ticks.values(), *ticks.values()]
    return picture.done(
        columns=2 if len(schemes) > 1 else 3, counts=samples_text(table), scale=scale, first=first, last=last
    )


draw_fold_means = partial(_draw_means, base="plain", across="folds")

draw_bootstrap_means = partial(_draw_means, base="bootstrap", across="bootstrap samples")


def _draw_spread(
    p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame, *, schemes: list[str], across: str
) -> Drawing:
    scale, result = made.shown
    table = result.data["points"]
    inducers, cells = distinct(table["inducer"]), parts(table, "scheme", "inducer")
    shown = [(scheme, inducer) for scheme in schemes for inducer in inducers if (scheme, inducer) in cells]
    # of several schemes each has a row, which names it
    of_row = {scheme: f", {scheme} folds" if len({scheme for scheme, _ in shown}) > 1 else "" for scheme in schemes}
    names = {scheme: f"deviation{of_row[scheme]} (points)" for scheme in schemes}
    picture = Picture(
        1.7 + 2.9 * ceil(len(shown) / len(inducers)),
        {(scheme, inducer): panel_title_of(inducer) for scheme, inducer in shown},
        ("scheme", "inducer"),
        columns=len(inducers),
        letters=True,
        x=across,
        y={key: names[key[0]] for number, key in enumerate(shown) if number % len(inducers) == 0},
        x_levels=tick_labels(p, *schemes),
        sharey=True,
    )
    lines_by_set(picture, p, table, "sd", "sd_se", linewidth=1.3)
    top = max(p.std_axis, 1.03 * float(table["sd"].max()))
    picture.limits(ylim=(0, top))
    texts = []
    for cell, letter in zip(shown, "abcdef", strict=False):
        title = title_of(cell[1]) + (", stratified" if cell[0] == "stratified" else "")
        mean = cells[cell].groupby("point", sort=False)["sd"].mean()
        first, *_, last = [*ticks_of(p, cell[0]).values()] * 2
        course = f", {mean.min():.1f} at least, {mean.iloc[-1]:.1f} at {last}" if len(mean) > 1 else ""
        texts.append(f"{letter} {title}: {mean.iloc[0]:.1f} at {first}{course}")
    beyond = "" if top == p.std_axis else f" The axis is longer than {p.std_axis:g}, where the paper's ends."
    return picture.done(counts=samples_text(table), scale=scale, beyond=beyond, averages="; ".join(texts))


draw_fold_spread = partial(_draw_spread, schemes=["plain", "stratified"], across="folds")

draw_bootstrap_spread = partial(_draw_spread, schemes=["bootstrap"], across="bootstrap samples")


@artifact("kohavi-figure-1", draw=draw_fold_means, schemes=FOLDS, claims=FIGURE_1)
@artifact("kohavi-another-folds", draw=draw_fold_means, schemes=FOLDS, claims=FIGURE_1)
@artifact("kohavi-figure-2", draw=draw_bootstrap_means, schemes=BOOTSTRAP, claims=FIGURE_2)
@artifact("kohavi-another-bootstrap", draw=draw_bootstrap_means, schemes=BOOTSTRAP, claims=FIGURE_2)
@artifact("kohavi-figure-3", draw=draw_fold_spread, schemes=FOLDS, claims=FIGURE_3, spread=True)
@artifact("kohavi-figure-4", draw=draw_bootstrap_spread, schemes=BOOTSTRAP, claims=FIGURE_4, spread=True)
def figure(
    p: EstimateParameters, run: Run, *, schemes: Sequence[str], claims: Claims, spread: bool = False
) -> ArtifactResult:
    estimates, truths = estimates_of(p, run), truths_of(p, run)
    rows, table, checks = [], [], []
    for (name, inducer), t in estimates.items():
        for point in (point for point in p.points if point.scheme in schemes):
            mean, sd = t.mean(point.name), t.sd(point.name)
            bias = mean - truths[name, inducer]
            shown = {"std-percent": sd} if spread else {"accuracy-percent": mean, "bias-percent": bias}
            rows += [Row.of(t.reading, key_of(name, inducer), f"{point.name}/{c}", e) for c, e in shown.items()]
            line: dict[str, object] = {"set": name, "inducer": inducer, "scheme": point.scheme, "point": point.name}
            line |= {"mean": mean.value, "se": mean.se, "sd": sd.value, "sd_se": sd.se, "n": mean.n}
            table.append({**line, "bias": bias.value, "bias_se": bias.se})
    for one in by_inducer(estimates, truths):
        words = {"unbiased": UNBIASED, "biased": HIGHLY_BIASED.get(one.column, ())}
        named = {word: ", ".join(name for name in one.trials if name in sets) for word, sets in words.items()}
        checks += judge_claims(claims, one, p, reading=title_of(one.inducer), last=p.last, **named)
    known = [{"set": s, "inducer": i, "accuracy": e.value, "se": e.se} for (s, i), e in truths.items()]
    data = {"points": pd.DataFrame(table)} | ({} if spread else {"truths": pd.DataFrame(known)})
    return ArtifactResult(rows, data, checks)
