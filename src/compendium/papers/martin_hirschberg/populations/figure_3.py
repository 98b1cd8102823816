"""Figure 3: samples that shift the threshold or reverse the classes, and where the two reversal rules differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.martin_hirschberg.one_sample import CLASS_COLOURS, CLASS_MARKS, densities, first_sample
from compendium.papers.martin_hirschberg.populations.figure_1 import OURS, exact_rows
from compendium.papers.martin_hirschberg.populations.figure_2 import (
    X_LABEL,
    plot_densities,
    plot_threshold,
    shade_errors,
)
from compendium.papers.martin_hirschberg.populations.study import RULES, PopulationsParameters, rules_study
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import wide
from compendium.studies.populations import TwoNormals
from errorest import plots
from errorest.data.sample import Sample
from errorest.plots import BLACK, BLUE, COLOURS, GREY
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset
from errorest.streams import Streams


def _both_classes(sample: Sample) -> bool:
    return bool(sample.class_counts().min() > 0)


_OF_CLASSIFIERS = ["panel", "rule", "threshold", "left", "right", "true_error", "draws"]


def _shown(
    population: TwoNormals, samples: Mapping[str, tuple[Sample | None, int]], rules: Sequence[str]
) -> ArtifactResult:
    """Show the samples that were found, by panel, and their classifiers."""
    rows: list[Row] = []
    points: list[tuple[str, float, int]] = []
    classifiers: list[tuple[object, ...]] = []
    for panel, (sample, draws) in samples.items():
        if sample is None:
            continue
        fitted = {rule: RULES[rule].fit(sample) for rule in rules}
        errors = {rule: 100 * population.true_error(classifier) for rule, classifier in fitted.items()}
        columns = {f"true-error-percent{f'/{rule}' * (len(rules) > 1)}": error for rule, error in errors.items()}
        rows += exact_rows(panel, {"draws-needed": draws, **columns, "threshold": fitted[rules[0]].cuts[0]})
        points += [(panel, x, label) for x, label in zip(sample.X[:, 0], sample.y, strict=True)]
        classifiers += [(panel, rule, c.cuts[0], *c.labels, errors[rule], draws) for rule, c in fitted.items()]
    data = {
        "densities": densities(population),
        "points": pd.DataFrame(points, columns=["panel", "x", "class"]),
        "classifiers": pd.DataFrame(classifiers, columns=_OF_CLASSIFIERS),
    }
    return ArtifactResult(rows, data)


def _points(axes: Axes, points: pd.DataFrame, room: float = 0.18) -> None:
    """Mark the sample below the axis line of the densities."""
    high = axes.get_ylim()[1]
    for c in range(2):
        x = points.loc[points["class"] == c, "x"]
        y = np.full(len(x), -0.06 * high * (1 + c))
        axes.plot(x, y, CLASS_MARKS[c], color=CLASS_COLOURS[c], markersize=7, alpha=0.85)
    axes.set_ylim(-room * high, high)
    axes.axhline(0, color="#8C8C8C", linewidth=0.8)


def _side_texts(axes: Axes, t: float, left: int, height: float) -> None:
    for side, label in ((-1, left), (1, 1 - left)):
        text = f"← class {label}" if side < 0 else f"class {label} →"
        annotate_offset(axes, text, (t, height), (6 * side, 0), CLASS_COLOURS[label], va="top", **SHARE_OF_HEIGHT)


@plots.in_style
def draw_figure_3(p: PopulationsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 3a and 3b: a shifted threshold and a reversed classifier, with their samples."""
    result = results.published
    densities, points, rules = (result.data[k] for k in ("densities", "points", "classifiers"))
    # the densities are drawn symmetrically about T
    best = float(densities["x"].iloc[0] + densities["x"].iloc[-1]) / 2
    titles = {"a": "threshold shifted", "b": "classes reversed"}
    picture = Picture(6.4, titles, columns=1, letters=True, x=dict.fromkeys(titles, X_LABEL))
    texts = {}
    for panel, axes in picture.axes.items():
        plot_densities(axes, densities)
        match = matching(rules, panel=panel)
        right = not match.empty and match["threshold"].iloc[0] < best
        plot_threshold(axes, best, "T", GREY, 0.89, "left" if right else "right")
        if match.empty:
            text = f"not found in {p.draws:,} samples"
            axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center")
        else:
            rule = match.iloc[0]
            shade_errors(axes, densities, rule["threshold"], int(rule["left"]))
            axes.axvline(rule["threshold"], color=BLACK, linewidth=1.8)
            _points(axes, matching(points, panel=panel))
            _side_texts(axes, rule["threshold"], int(rule["left"]), 0.99)
            plots.panel_title(axes, panel, f"{titles[panel]}: error {rule['true_error']:.1f} %")
            text = (
                f"sample number {rule['draws']:,}, threshold {rule['threshold']:.2f} in place of {best:.2f}, true "
                f"error {rule['true_error']:.1f} %"
            )
        texts[panel] = text
    return picture.done(sample_a=texts["a"], sample_b=texts["b"])


@plots.in_style
def draw_figure_3_rules(p: PopulationsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw where the two reversal rules differ: one sample, and the share of samples by size and inherent error."""
    result = results.published
    shares = result.data["shares"].assign(panel="shares")
    picture = Picture(
        *(6.8, {"sample": "", "shares": "how often the rules differ"}, "panel"),
        columns=1,
        letters=True,
        x={"sample": X_LABEL, "shares": "inherent error (%)"},
        y={"shares": "samples (%)"},
    )
    axes, below = picture.axes["sample"], picture.axes["shares"]
    plot_densities(axes, result.data["densities"])
    rules, points = result.data["classifiers"], result.data["points"]
    if len(rules):
        t = float(rules["threshold"].iloc[0])
        mean = float(points.loc[points["class"] == 0, "x"].mean())
        axes.axvline(t, color=BLACK, linewidth=1.8)
        _points(axes, points, 0.27)
        high = axes.get_ylim()[1]
        axes.plot([mean], [-0.06 * high], marker="|", markersize=16, markeredgewidth=2.5, color=plots.ink(BLUE))
        side = "left" if t < mean else "right"
        axes.text(mean, -0.235 * high, "mean of class 0", color=plots.ink(BLUE), ha=side, va="center")
        _side_texts(axes, t, int(rules["left"].iloc[0]), 0.99)
        plots.panel_title(axes, "a", f"one sample, t = {t:.2f}")
        literal, other = rules["true_error"]
        sample_text = (
            f"threshold {t:.2f}, mean of class 0 {mean:.2f}; literal rule {literal:.1f} % true error, rule of the "
            f"class-0 mean {other:.1f} %"
        )
    else:
        plots.panel_title(axes, "a", f"no such sample among {p.draws:,}")
        sample_text = "no such sample was found"
    shares = shares.sort_values("inherent_error")
    ticks = sorted(shares["inherent_error"].unique())
    ranked = shares.assign(rank=shares["inherent_error"].map(ticks.index))
    sizes = {n: {"color": c, "marker": "o"} for n, c in zip(sorted(p.sizes), cycle(COLOURS), strict=False)}
    names = {n: f"N = {n}" for n in sizes}
    picture.lines(ranked, "rank", "share", se="share_se", by="n", looks=sizes, names=names, ends=True, capsize=2)
    below.set_xticks(range(len(ticks)), [f"{100 * e:.3g}" for e in ticks])
    below.set_ylim(0, None)
    top = shares.sort_values("share").iloc[-1]
    return picture.done(sample=sample_text, top=top["share"], top_error=top["inherent_error"], top_n=top["n"])


@artifact("martin-hirschberg-figure-3", draw=draw_figure_3)
def figure_3(p: PopulationsParameters, run: Run) -> ArtifactResult:
    """Figures 3a and 3b: a sample that shifts the threshold, and one that reverses the classes.

    Samples of N cases are drawn one after another until the situation occurs, under the
    literal reading of the classifier.
    """
    population = TwoNormals.of_inherent_error(p.inherent_error)
    best, inducer = population.best_threshold, RULES["literal"]

    def shifted(sample: Sample) -> bool:
        fitted = inducer.fit(sample)
        return _both_classes(sample) and fitted.labels == (0, 1) and p.shift <= abs(fitted.cuts[0] - best) < 3.0

    def reversed_(sample: Sample) -> bool:
        return _both_classes(sample) and inducer.fit(sample).labels == (1, 0)

    streams = Streams(p.seed).child("martin-hirschberg-figure-3")
    samples = {
        panel: first_sample(population, p.threshold_cases, wanted, streams.child(panel), p.draws)
        for panel, wanted in (("a", shifted), ("b", reversed_))
    }
    return _shown(population, samples, ["literal"])


@artifact("martin-hirschberg-figure-3-rules", draw=draw_figure_3_rules)
def figure_3_rules(p: PopulationsParameters, run: Run) -> ArtifactResult:
    """Where the literal reversal rule and the rule of the class-0 mean differ: on one sample, and on many."""
    population = TwoNormals.of_inherent_error(p.inherent_error)

    def disagree(sample: Sample) -> bool:
        one, other = (inducer.fit(sample) for inducer in RULES.values())
        return _both_classes(sample) and abs(one.cuts[0]) < 5.0 and one.labels != other.labels

    streams = Streams(p.seed).child("martin-hirschberg-reversal-rules-sample")
    sample = first_sample(population, p.threshold_cases, disagree, streams, p.draws)
    result = _shown(population, {"sample": sample}, list(RULES))
    results = run(rules_study(p))
    literal, other = (wide(results, rule) for rule in RULES)
    measured = {
        "differ-percent": ("share", 100.0 * (literal["reversed"] != other["reversed"]).to_numpy()),
        "excess-true-error-percent": ("excess", 100 * (other["true-error"] - literal["true-error"]).to_numpy()),
    }
    shares: list[dict[str, float]] = []
    for inside in literal.groupby("cell").indices.values():
        n, error = (literal[name].iloc[inside[0]].item() for name in ("n", "inherent_error"))
        shares.append({"n": n, "inherent_error": error})
        for column, (name, values) in measured.items():
            e = monte_carlo.mean(values[inside])
            result.rows.append(Row.of(OURS, f"{100 * error:.10g}", f"{column}/N={n}", e))
            shares[-1] |= {name: e.value, f"{name}_se": e.se}
    return result + ArtifactResult(data={"shares": pd.DataFrame(shares)})
