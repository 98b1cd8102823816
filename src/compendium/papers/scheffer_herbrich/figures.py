"""Figures 1 and 2, two diagrams, with what they say counted: labels revealed over a channel, cases that take part."""

from __future__ import annotations

from itertools import product
from math import log2

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.methods.tuning_bias.distributions import labels_revealed
from compendium.papers.scheffer_herbrich.examples import class_entropy
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy_on
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREEN, GREY, VERMILION
from errorest.resampling.draw import k_fold
from errorest.streams import Streams


def _box(axes: Axes, x: float, y: float, text: str, colour: str = GREY) -> Text:
    """Write a text in a box, centred at (x, y)."""
    look = {"boxstyle": "round,pad=0.6,rounding_size=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.6}
    return axes.text(x, y, text, ha="center", va="center", color=BLACK, linespacing=1.25, bbox=look)


def _arrow(axes: Axes, start: Text, end: Text, colour: str = GREY) -> None:
    """Draw an arrow from one box to another."""
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.0, "shrinkA": 2, "shrinkB": 2}
    ends = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    axes.annotate("", xy=end.get_position(), xytext=start.get_position(), arrowprops={**look, **ends})


def _label(axes: Axes, x: float, y: float, text: str, colour: str = BLACK, align: str = "center") -> None:
    axes.text(x, y, text, color=plots.ink(colour), fontsize=FONT_SIZE - 1, ha=align, va="center")


@plots.in_style
def draw_channel(p: CalculationParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 1: tuning on the test set makes the parameters a channel."""
    figure, grid = plots.new_figure(height=3.3)
    axes = grid[0, 0]
    axes.set(xlim=(0, 12), ylim=(0, 6))
    axes.set_axis_off()
    training, learner, hypothesis = (
        _box(axes, x, 4.9, text) for x, text in ((1.5, "Training set"), (6.0, "Learner"), (10.5, "Hypothesis h"))
    )
    test_set = _box(axes, 10.5, 1.3, "Test set\nof m cases", VERMILION)
    optimizer = _box(axes, 6.0, 1.3, "Parameter\noptimizer", VERMILION)
    submitted = _box(axes, 1.5, 1.3, "Submitted: best\naccuracy seen")
    for start, end in ((training, learner), (learner, hypothesis), (hypothesis, test_set), (optimizer, submitted)):
        _arrow(axes, start, end)
    _arrow(axes, test_set, optimizer, VERMILION)
    _arrow(axes, optimizer, learner, VERMILION)
    _label(axes, 10.3, 3.1, "is tested on", align="right")
    _label(axes, 8.25, 0.55, "hits, t times", VERMILION)
    _label(axes, 5.8, 3.1, "parameters:\np bits", VERMILION, "right")
    return Drawing(figure)


CASES, CLASSES, TEST_SETS = 6, 3, 40  # Test sets small enough that every assignment of their labels can be tried


@artifact("scheffer-herbrich-figure-1", draw=draw_channel)
def channel(p: CalculationParameters, run: Run | None = None) -> ArtifactResult:
    """Figure 1: the parameters as a channel from the test set to the learner."""
    rng = Streams(p.seed).generator("channel")
    optimal = 0
    for _ in range(TEST_SETS):
        labels = rng.integers(0, CLASSES, CASES)
        labels[0] = CLASSES - 1  # every test set has all class numbers, so the optimizer tries them all
        correct = rng.random(CASES) < 0.5
        runs = simulate_greedy_on(labels, correct, np.zeros(CASES, int), CASES, rng, setting="one-shot", repeats=1)
        best = max(int(np.sum(labels == assigned)) for assigned in product(range(CLASSES), repeat=CASES))
        optimal += int(runs.gained[0]) == best - int(correct.sum())
    revealed = exact(labels_revealed(log2(16), class_entropy(np.arange(4))), "labels revealed")
    always = exact(optimal, f"as good as the best, of {TEST_SETS} test sets").equals(TEST_SETS)
    words = {"cases": CASES, "classes": CLASSES, "assignments": CLASSES**CASES}
    checks = [
        judge_claim("scheffer-herbrich-figure-1", "capacity", revealed.equals(2)),
        judge_claim("scheffer-herbrich-figure-1", "optimal", always, **words),
    ]
    return ArtifactResult(checks=checks)


@plots.in_style
def draw_separation(p: CalculationParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 2: the setting is chosen within the training part of each fold."""
    figure, grid = plots.new_figure(height=3.7)
    axes = grid[0, 0]
    axes.set(xlim=(0, 12), ylim=(0, 6.8))
    axes.set_axis_off()
    axes.add_patch(Rectangle((0.1, 3.0), 11.8, 3.65, facecolor=BLUE, alpha=0.09, edgecolor="none"))
    axes.add_patch(Rectangle((0.1, 0.2), 11.8, 2.3, facecolor=GREEN, alpha=0.11, edgecolor="none"))
    _label(axes, 0.35, 6.3, "Training part of fold i", BLUE, "left")
    _label(axes, 0.35, 2.15, "Test part of fold i", GREEN, "left")
    inner = _box(axes, 2.0, 4.6, "m inner folds:\nfit and test\neach setting", BLUE)
    best = _box(axes, 6.0, 4.6, "Best setting", BLUE)
    fit = _box(axes, 10.1, 4.6, "Fit on the whole\ntraining part", BLUE)
    hits = _box(axes, 10.1, 1.1, "Hits on the\ntest part, once", GREEN)
    accuracy = _box(axes, 4.6, 1.1, "Accuracy: averaged\nover the n folds", GREEN)
    for start, end, colour in ((inner, best, BLUE), (best, fit, BLUE), (fit, hits, GREEN), (hits, accuracy, GREEN)):
        _arrow(axes, start, end, colour)
    _label(axes, 9.9, 2.75, "classifier", align="right")
    uses = made.published.data["uses"].set_index("scheme")["tested cases that chose"]
    return Drawing(figure, facts={"apart": uses.iloc[1], "tuned": uses.iloc[0]})


SAMPLE, OUTER, INNER, SETTINGS = 90, 9, 10, 5  # The design whose fits and uses of cases are counted


@artifact("scheffer-herbrich-figure-2", draw=draw_separation)
def separation(p: CalculationParameters, run: Run | None = None) -> ArtifactResult:
    """Figure 2: the setting is chosen within the training part of each fold."""
    rng = Streams(p.seed).generator("separation")
    outer = k_fold(SAMPLE, OUTER, rng)
    training, tested = outer.training_counts() > 0, outer.test_counts() > 0
    used, fits = np.zeros((OUTER, SAMPLE), dtype=bool), 0
    for fold in range(OUTER):
        cases = np.nonzero(training[fold])[0]
        inner = k_fold(cases.size, INNER, rng)
        used[fold, cases[inner.cases]] = True
        fits += inner.n_rows * SETTINGS + 1
    unused = int(((tested.sum(axis=0) == 1) & ~(used & tested).any(axis=0)).sum())
    # tuned on the test folds, every setting's hits on a case help to choose what it tests
    uses = {
        "scheme": ["tuned on the test folds", "tuned within the training part"],
        "fits": [OUTER * SETTINGS, fits],
        "tested cases that chose": [1.0, float(np.mean(used[tested]))],
    }
    words = {"cases": SAMPLE, "outer": OUTER, "inner": INNER, "settings": SETTINGS}
    all_unused = exact(unused, "cases that are tested once and take no part in it").equals(SAMPLE)
    checks = [
        judge_claim("scheffer-herbrich-figure-2", "apart", all_unused, **words),
        judge_claim("scheffer-herbrich-figure-2", "trials", exact(fits, "fits").equals(OUTER * INNER), **words),
    ]
    return ArtifactResult(data={"uses": pd.DataFrame(uses)}, checks=checks)
