"""Tables 5, 6 and "Figure 7" of the page: what its schemes train on, test on, and how often.

Each scheme is applied to several designs (n, j, B) and counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, exact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.lis.study import NAMES, FieldGuideParameters
from compendium.plots.panels import legend_of
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLUE, ORANGE
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples
from errorest.streams import Streams


class Design(NamedTuple):
    """A sample size n, a number of training cases j and a number of subsamples B."""

    n: int
    j: int
    B: int


# No two of the numbers n, j, B, their differences and 1 and 10 agree in all of them
DESIGNS = (Design(20, 13, 5), Design(31, 20, 7), Design(50, 49, 3), Design(60, 7, 12))

# The page's schemes on a design
SCHEMES: Mapping[str, Callable[[Design, np.random.Generator], Resamples]] = {
    "holdout": lambda d, rng: resampling.holdout(d.n, rng, test=d.n - d.j),
    "random-subsampling": lambda d, rng: resampling.holdout(d.n, rng, test=d.n - d.j, repeats=d.B),
    "leave-one-out": lambda d, rng: resampling.leave_one_out(d.n),
    "cv-10": lambda d, rng: resampling.k_fold(d.n, 10, rng),
    "bootstrap": lambda d, rng: resampling.bootstrap(d.n, d.B, rng),
}

# What the page says of each scheme: training cases, testing cases, iterations
PRINTED = {
    "holdout": ("j", "n - j", "1"),
    "random-subsampling": ("j", "n - j", "B"),
    "leave-one-out": ("n - 1", "1", "n"),
    "cv-10": ("90%", "10%", "10"),
    "bootstrap": ("n (j unique)", "n - j", "B"),
}


def expressions(name: str, p: FieldGuideParameters) -> dict[str, str]:
    """Return, by column, the expression in n, j, B that gives what a scheme does in all designs; empty if none does.

    In a bootstrap sample j is the number of distinct cases, which is compared sample by sample; where 10 does not
    divide n, the shares of 10-fold cross-validation are those of the folds' mean.
    """
    fitting: dict[str, list[str]] = {}
    for d in DESIGNS:
        sampled = SCHEMES[name](d, Streams(p.seed).generator(name, list(d)))
        trained = sampled.training_counts()
        distinct = (trained > 0).sum(axis=1)
        repeated = bool((distinct < trained.sum(axis=1)).any())
        j = distinct if repeated else d.j
        values = {
            **{"1": 1, "10": 10, "B": d.B, "j": j, "n (j unique)": d.n if repeated else nan, "n": d.n},
            **{"n - 1": d.n - 1, "n - j": d.n - j, "90%": 0.9 * d.n, "10%": 0.1 * d.n},
        }
        counts = {
            "training-cases": trained.sum(axis=1),
            "testing-cases": np.diff(sampled.start),
            "iterations": np.array([sampled.n_rows]),
        }
        for column, count in counts.items():
            equal = [
                text for text, value in values.items() if np.allclose(count if np.ndim(value) else count.mean(), value)
            ]
            fitting[column] = [text for text in fitting.get(column, equal) if text in equal]
    return {column: next(iter(texts), "") for column, texts in fitting.items()}


def scheme_table(p: FieldGuideParameters, *schemes: str) -> ArtifactResult:
    """Count schemes: numbers become rows, expressions labels with the share of designs in which they hold."""
    rows, checks = [], []
    results = {name: expressions(name, p) for name in schemes}
    for name, line in results.items():
        for column, text in line.items():
            if text.isdigit():
                rows.append(Row.exact("literal", name, column, float(text)))
            elif text:
                rows.append(Row("literal", name, f"{column}={text}", 1.0, 0.0, len(DESIGNS)))
        same = sum(ours == theirs for ours, theirs in zip(line.values(), PRINTED[name], strict=True))
        words = dict(zip(("training", "testing", "iterations"), PRINTED[name], strict=True))
        words["scheme"] = NAMES["schemes"][name]
        words["counted"] = ", ".join(
            f"{text or 'no expression'} for the {of.replace('-', ' ')}" for of, text in line.items()
        )
        as_printed = exact(same, "expressions as printed").equals(len(line))
        checks.append(judge_claim("lis-table-5", "expressions", as_printed, designs=len(DESIGNS), **words))
    frame = pd.DataFrame([{"scheme": name, **line} for name, line in results.items()])
    return ArtifactResult(rows, {"expressions": frame}, checks)


_PICTURE = Design(20, 13, 6)
_IDLE, _TRAINS, _REPEATED = "#ECECEC", "#A9CDE4", BLUE


@plots.in_style
def draw_schemes(p: FieldGuideParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw, for each scheme of a table, which of 20 cases train and which test in each iteration."""
    names = [str(name) for name in results.published.data["expressions"]["scheme"]]
    sampled = [SCHEMES[n](_PICTURE, Streams(p.seed).generator("picture", n)) for n in names]
    rows = [min(r.n_rows, _PICTURE.n) for r in sampled]
    figure, grid = plots.new_figure(
        len(names), 1, height=1.5 + 0.17 * sum(rows) + 0.55 * len(names), height_ratios=rows
    )
    colours = ListedColormap([_IDLE, _TRAINS, _REPEATED, ORANGE])
    for name, resamples, axes in zip(names, sampled, grid[:, 0], strict=True):
        training, testing = resamples.training_counts(), resamples.test_counts()
        parts = np.where(testing > 0, 3, np.minimum(training, 2))
        axes.pcolormesh(parts, cmap=colours, vmin=0, vmax=3, edgecolors="white", linewidth=1)
        axes.invert_yaxis()
        axes.set_xticks([])
        ends = {0.5: "1", resamples.n_rows - 0.5: str(resamples.n_rows)}
        axes.set_yticks(list(ends), list(ends.values()))
        axes.set_ylabel("Iteration" if resamples.n_rows > 2 else "")
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0)
        plots.panel_title(axes, "", NAMES["schemes"][name])
    looks = {"trains": _TRAINS, "trains, repeated": _REPEATED, "is tested": ORANGE}
    if not any((r.training_counts() > 1).any() for r in sampled):
        del looks["trains, repeated"]
    legend_of(figure, {text: Patch(color=colour) for text, colour in looks.items()})
    grid[-1, 0].set_xlabel(f"The {_PICTURE.n} cases of a sample")
    shown = ", ".join(NAMES["schemes"][name] for name in names)
    return Drawing(figure, facts={"n": _PICTURE.n, "j": _PICTURE.j, "iterations": _PICTURE.B, "schemes": shown})


@artifact("lis-table-5", draw=draw_schemes)
def table_5(p: FieldGuideParameters, run: Run) -> ArtifactResult:
    """Table 5: holdout and random subsampling."""
    return scheme_table(p, "holdout", "random-subsampling")


TABLE_6 = Claims("lis-table-6")


@TABLE_6.claim
def all_tested(sampled: list[Resamples]) -> Condition:
    tested_once = sum(int((r.test_counts().sum(axis=0) == 1).sum()) for r in sampled)
    return exact(tested_once, "cases tested once").equals(sum(r.n for r in sampled))


@TABLE_6.claim
def special_case(sampled: list[Resamples]) -> Condition:
    same = 0
    for d in DESIGNS:
        folds = resampling.k_fold(d.n, d.n, np.random.default_rng(0)).training_counts()
        loo = resampling.leave_one_out(d.n).training_counts()
        same += np.array_equal(np.unique(folds, axis=0), np.unique(loo, axis=0))
    return exact(same, "designs in which n folds of n cases have its training sets").equals(len(DESIGNS))


@artifact("lis-table-6", draw=draw_schemes)
def table_6(p: FieldGuideParameters, run: Run) -> ArtifactResult:
    """Table 6: leave-one-out and 10-fold cross-validation."""
    rng = Streams(p.seed).generator("coverage")
    sampled = [SCHEMES[name](d, rng) for name in ("leave-one-out", "cv-10") for d in DESIGNS]
    checks = judge_claims(TABLE_6, sampled, designs=len(DESIGNS))
    return scheme_table(p, "leave-one-out", "cv-10") + ArtifactResult(checks=checks)


@artifact("lis-figure-7", draw=draw_schemes)
def figure_7(p: FieldGuideParameters, run: Run) -> ArtifactResult:
    """The table called Figure 7: the bootstrap. How many iterations are needed is measured with the claims."""
    return scheme_table(p, "bootstrap")
