"""Tables 5, 6 and "Figure 7" of the page, a field guide to its estimators on one measured example, and its claims.

Each scheme is applied to several designs (n, j, B); what it trains on, tests on and how often is counted.  Claims are
judged in the cells of one study, each classifier apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import exp, nan
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, exact, some
from compendium.evidence.monte_carlo import average
from compendium.evidence.names import read_names
from compendium.evidence.records import distinct, each, matching, parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Trials
from compendium.methods.estimators import parse_estimator
from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis import experiment
from compendium.plots.panels import legend_of, signed_ticks
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR
from compendium.studies.populations import TwoNormals
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, ORANGE
from errorest.resampling import draw as resampling
from errorest.resampling.multisets import Resamples
from errorest.streams import Streams

NAMES = read_names("lis")
_PICTURE = experiment.Design(20, 13, 6)
_IDLE, _ONCE, _MORE = "#ECECEC", "#A9CDE4", BLUE


@plots.in_style
def draw_schemes(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw, for each scheme of a table, which of 20 cases train and which test in each iteration."""
    expressions = made.published.data["expressions"].set_index("scheme")
    names = [str(name) for name in expressions.index]
    sampled = [experiment.SCHEMES[n](_PICTURE, Streams(parameters.seed).generator("picture", n)) for n in names]
    rows = [min(r.n_rows, _PICTURE.n) for r in sampled]
    figure, grid = plots.new_figure(
        len(names), 1, height=1.5 + 0.17 * sum(rows) + 0.55 * len(names), height_ratios=rows
    )
    for name, resamples, axes in zip(names, sampled, grid[:, 0], strict=True):
        training, testing = resamples.training_counts(), resamples.test_counts()
        picture = np.where(testing > 0, 3, np.minimum(training, 2))
        axes.pcolormesh(
            picture, cmap=ListedColormap([_IDLE, _ONCE, _MORE, ORANGE]), vmin=0, vmax=3, edgecolors="white", linewidth=1
        )
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.set_yticks([0.5, resamples.n_rows - 0.5] if resamples.n_rows > 1 else [0.5])
        axes.set_yticklabels(["1", str(resamples.n_rows)] if resamples.n_rows > 1 else ["1"])
        axes.set_ylabel("Iteration" if resamples.n_rows > 2 else "")
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0)
        plots.panel_title(axes, "", NAMES["schemes"][name])
    looks = {"trains": _ONCE, "trains, repeated": _MORE, "is tested": ORANGE}
    if not any((r.training_counts() > 1).any() for r in sampled):
        del looks["trains, repeated"]
    legend_of(figure, {text: Patch(color=colour) for text, colour in looks.items()})
    grid[-1, 0].set_xlabel(f"The {_PICTURE.n} cases of a sample")
    shown = ", ".join(NAMES["schemes"][name] for name in names)
    return Drawing(figure, facts={"n": _PICTURE.n, "j": _PICTURE.j, "iterations": _PICTURE.B, "schemes": shown})


@plots.in_style
def draw_field_guide(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw each estimator's bias and spread on the field guide's example, beside what it trains and tests on."""
    guide = made.published.data["guide"]
    lines = guide.drop_duplicates("estimator").set_index("estimator")
    picture = Picture(
        5.6,
        {inducer: NAMES["inducers"][inducer] for inducer in distinct(guide["inducer"])},
        "inducer",
        letters=True,
        x="bias (points)",
        y_levels=list(lines.index),
        sharey=True,
        sharex=True,
    )
    picture.guide(x=0, linewidth=0.9)
    faint: dict[str, Any] = {"marker": "none", "elinewidth": 1.2, "alpha": 0.6}
    picture.scatter(guide, "bias", "estimator", x_se="sd", z=1.0, color=BLUE, **faint)
    picture.scatter(guide, "bias", "estimator", x_se="bias se", z=1.96, color=BLUE, markersize=5, elinewidth=3.2)
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="x")
    head: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": FONT_SIZE - 1, "fontweight": "bold"}
    near: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    first = next(iter(picture.axes.values()))
    first.annotate("scheme\ntrains on | tests on | fits", (0, 1), xytext=(-8, 4), **near, **head)
    first.set_yticks(range(len(lines)), [_entry(name, lines.loc[name]) for name in lines.index], linespacing=1.25)
    return picture.done()


def _entry(name: str, line: Any) -> str:
    def plain(value: float) -> str:
        return f"{value:.1f}".removesuffix(".0")

    fits = "fit" if line["fits"] == 1 else "fits"
    return f"{name}\n{plain(line['trains on'])} | {plain(line['tests on'])} | {line['fits']} {fits}"


def widening(needed: pd.DataFrame, excess: float) -> pd.DataFrame:
    """Percent by which iterations widen e0's spread, from the number that widens it by ``excess``, cell by cell."""
    replicates = pd.DataFrame({"iterations": np.unique(np.geomspace(10, 1000, 120).astype(int))})
    curves = needed.drop(columns=["se", "n"]).merge(replicates, how="cross")
    ratio = curves.pop("value") / curves["iterations"]
    return curves.assign(percent=100.0 * (np.sqrt(1.0 + ratio * ((1.0 + excess) ** 2 - 1.0)) - 1.0))


def draw_iterations(parameters: Any, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw by how much too few bootstrap iterations widen the spread of e0, in the best and the worst cell."""
    table = made.published.data["widening"]
    names = [
        f"{r.inducer}, n = {r.size}, {100 * r.error:g} %"
        for r in each(table.rename(columns={"inherent error": "error"}))
    ]
    table = table.assign(cell=names)
    worst, *_, best = parts(table.sort_values("percent", ascending=False, kind="stable"), "cell")
    ends = {best: COLOURS[0], worst: COLOURS[1]}
    looks = {cell: {"color": "#D0D0D0", "linewidth": 0.9} for cell in names if cell not in ends} | ends
    picture = Picture(3.4, x="Bootstrap iterations, B", y="Spread of e0 widened by, %")
    picture.guide(y=1, color=BLACK, linewidth=0.9, linestyle=(0, (4, 3)))
    picture.lines(
        table,
        "iterations",
        "percent",
        by="cell",
        looks=looks,
        names=lambda cell: cell if cell in ends else "other cells",
    )
    ticks = [10, 20, 50, 100, 200, 500, 1000]
    picture.limits(xscale="log", ylim=(0, None))
    for axes in picture.axes.values():
        axes.set_xticks(ticks, [str(t) for t in ticks])
        axes.minorticks_off()
        axes.grid(axis="y")
    words = []
    for cell in (worst, best):
        curve = matching(table, cell=cell)
        few, many = np.interp([50, 200], curve["iterations"], curve["percent"])
        words.append(f"{cell}: {few:.1f} % at 50 iterations, {many:.1f} % at 200")
    return picture.done(extremes="; ".join(words))


ESTIMATORS, SENTENCES = NAMES["estimators"], NAMES["sentences"]

EXCESS = 0.01  # Share by which too few bootstrap iterations may widen the spread of e0

LOO, E0, B632, HALVES, HOLDOUT = "loo", "bootstrap-e0", "bootstrap-632", "repeated-cv-2", "holdout-1/3"


def expressions(name: str, p: experiment.FieldGuideParameters) -> dict[str, str]:
    """Return, by column, the expression in n, j, B that gives what a scheme does in all designs; empty if none does.

    In a bootstrap sample j is the number of distinct cases, which is compared sample by sample; where 10 does not
    divide n, the shares of 10-fold cross-validation are those of the folds' mean.
    """
    fitting: dict[str, list[str]] = {}
    for d in experiment.DESIGNS:
        sampled = experiment.SCHEMES[name](d, Streams(p.seed).generator(name, list(d)))
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
            own = [
                text for text, value in values.items() if np.allclose(count if np.ndim(value) else count.mean(), value)
            ]
            fitting[column] = [text for text in fitting.get(column, own) if text in own]
    return {column: next(iter(texts), "") for column, texts in fitting.items()}


def scheme_table(p: experiment.FieldGuideParameters, schemes: Mapping[str, Sequence[str]]) -> ArtifactResult:
    """Count schemes: numbers become rows, expressions labels with the share of designs in which they hold."""
    rows, checks = [], []
    results = {name: expressions(name, p) for name in schemes}
    for name, line in results.items():
        for column, text in line.items():
            if text.isdigit():
                rows.append(Row.exact("literal", name, column, float(text)))
            elif text:
                rows.append(Row("literal", name, f"{column}={text}", 1.0, 0.0, len(experiment.DESIGNS)))
        same = sum(ours == theirs for ours, theirs in zip(line.values(), schemes[name], strict=True))
        words = dict(zip(("training", "testing", "iterations"), schemes[name], strict=True))
        words["scheme"] = NAMES["schemes"][name]
        words["told"] = ", ".join(
            f"{text or 'no expression'} for the {of.replace('-', ' ')}" for of, text in line.items()
        )
        as_printed = exact(same, "expressions as printed").equals(len(line))
        checks.append(judge_claim("lis-table-5", "expressions", as_printed, designs=len(experiment.DESIGNS), **words))
    frame = pd.DataFrame([{"scheme": name, **line} for name, line in results.items()])
    return ArtifactResult(rows, {"expressions": frame}, checks)


@artifact("lis-table-5", draw=draw_schemes)
def table_5(p: experiment.FieldGuideParameters, run: Run | None = None) -> ArtifactResult:
    """Table 5: holdout and random subsampling."""
    return scheme_table(p, {"holdout": ("j", "n - j", "1"), "random-subsampling": ("j", "n - j", "B")})


def special_case(n: int) -> bool:
    """Compare the training sets of n folds of n cases with those of leave-one-out."""
    folds, loo = resampling.k_fold(n, n, np.random.default_rng(0)), resampling.leave_one_out(n)
    return np.array_equal(np.unique(folds.training_counts(), axis=0), np.unique(loo.training_counts(), axis=0))


@artifact("lis-table-6", draw=draw_schemes)
def table_6(p: experiment.FieldGuideParameters, run: Run | None = None) -> ArtifactResult:
    """Table 6: leave-one-out and 10-fold cross-validation."""
    printed = {"leave-one-out": ("n - 1", "1", "n"), "cv-10": ("90%", "10%", "10")}
    rng = Streams(p.seed).generator("coverage")
    sampled: list[Resamples] = [experiment.SCHEMES[name](d, rng) for name in printed for d in experiment.DESIGNS]
    once = sum(int((r.test_counts().sum(axis=0) == 1).sum()) for r in sampled)
    same = sum(special_case(d.n) for d in experiment.DESIGNS)
    all_tested = exact(once, "cases tested once").equals(sum(r.n for r in sampled))
    all_same = exact(same, "designs in which n folds of n cases have its training sets").equals(len(experiment.DESIGNS))
    checks = [
        judge_claim("lis-table-6", "all-tested", all_tested, designs=len(experiment.DESIGNS)),
        judge_claim("lis-table-6", "special-case", all_same, designs=len(experiment.DESIGNS)),
    ]
    return scheme_table(p, printed) + ArtifactResult(checks=checks)


@artifact("lis-figure-7", draw=draw_schemes)
def figure_7(p: experiment.FieldGuideParameters, run: Run | None = None) -> ArtifactResult:
    """The table called Figure 7: the bootstrap. How many iterations are needed is measured with the claims."""
    return scheme_table(p, {"bootstrap": ("n (j unique)", "n - j", "B")})


def trials_of(p: experiment.FieldGuideParameters, run: Run) -> dict[str, Trials]:
    """Run the study; the samples by inducer."""
    factors = {"n": "n = {}".format, "inherent_error": "inherent error {:g}".format}
    results = run(experiment.claims_study(p))
    return {
        name: Trials.of(results, name, reading="unstated:two-normals", factors=factors) for name in experiment.INDUCERS
    }


@artifact("lis-field-guide", draw=draw_field_guide)
def field_guide(p: experiment.FieldGuideParameters, run: Run) -> ArtifactResult:
    """What each estimator trains on, tests on, costs, and how biased and variable it is, on one example.

    The example is the cell of the middle size and the middle inherent error.
    """
    n, error = sorted(p.sizes)[len(p.sizes) // 2], sorted(p.inherent_errors)[len(p.inherent_errors) // 2]
    cells = {name: t.at(n=n, inherent_error=error) for name, t in trials_of(p, run).items()}
    sample = TwoNormals.of_inherent_error(error).sample(n, Streams(p.seed).generator("guide"))
    lines: dict[str, list[dict[str, Any]]] = {name: [] for name in cells}
    rows = []
    for key, text in experiment.estimator_ids(p).items():
        scheme = parse_estimator(text).schemes[-1]
        sampled = scheme.resamples(n, Streams(p.seed).generator("guide", scheme.id), sample.y)
        counted = {
            "trains on": float((sampled.training_counts() > 0).sum(axis=1).mean()),
            "tests on": float(np.diff(sampled.start).mean()),
            "fits": sampled.n_rows,
        }
        for quantity, value in counted.items():
            # a mean over bootstrap samples is no whole number, and its scatter is of no interest here
            se = 0.0 if float(value).is_integer() else nan
            rows.append(Row("unstated:two-normals", quantity.replace(" ", "-"), key, float(value), se, 1))
        for name, t in cells.items():
            bias, sd, rms = t.bias(key), t.sd(key), t.rms(key)
            for column, e in (("bias-percent", bias), ("std-percent", sd), ("rms-percent", rms)):
                rows.append(Row.of(t.reading, f"{name}/{column}", key, e))
            results = {"bias": bias.value, "bias se": bias.se, "sd": sd.value, "sd se": sd.se}
            results |= {"rms": rms.value, "rms se": rms.se}
            lines[name].append({"inducer": name, "estimator": ESTIMATORS[key], **counted, **results})
    return ArtifactResult(rows, {"guide": pd.DataFrame([line for own in lines.values() for line in own])})


Ask = Callable[[Trials], Condition]
Together = Callable[[str, Sequence[Condition]], Condition | Conditions]


def on_average(name: str, cells: Sequence[Condition]) -> Condition:
    """Ask it of the mean over the cells, whose samples are independent."""
    like = cells[0].estimate
    mean = average(c.estimate for c in cells).named(f"{name}, mean of {len(cells)} cells", like.unit, sign=like.sign)
    return replace(cells[0], estimate=mean)


def in_cells(
    asks: Ask | Mapping[str, Ask], together: Together = every, **places: int
) -> Callable[[Mapping[str, Trials]], list[Condition | Conditions]]:
    """Ask something of each cell, the inducers apart; ``n=0`` takes the smallest samples, ``n=-1`` the largest."""

    def judge(trials: Mapping[str, Trials]) -> list[Condition | Conditions]:
        results = []
        by_name = asks if isinstance(asks, Mapping) else {"": asks}
        for (what, ask), (name, t) in product(by_name.items(), trials.items()):
            wanted = {factor: t.levels(factor)[place] for factor, place in places.items()}
            cells = [c for c in t.cells("n", "inherent_error") if all(c.level(f) == v for f, v in wanted.items())]
            judged = [(cell.label, ask(cell)) for cell in cells]
            results.append(
                together(SENTENCES[name] + what, [replace(c, estimate=c.estimate.named(at)) for at, c in judged])
            )
        return results

    return judge


def less_rms(one: str, *others: str, factor: float = 1.0) -> dict[str, Ask]:
    """Ask for less rms than (some times that of) other estimates on the same samples."""

    def against(other: str) -> Ask:
        return lambda t: t.rms_gap(t.difference(one), factor * t.difference(other)).named(unit="points") < 0

    return {f" against {NAMES['estimators'][other]}": against(other) for other in others}


def less_sd(one: str, other: str) -> dict[str, Ask]:
    """Ask for a smaller standard deviation than that of another estimate on the same samples."""
    return {
        f" against {NAMES['estimators'][other]}": lambda t: (
            t.rms_gap(*(t[e] - t[e].mean() for e in (one, other))).named(unit="points") < 0
        )
    }


def variance_minus_squared_bias(t: Trials, estimator: str) -> Estimate:
    """Variance of the errors minus their squared mean; its error by linearization at the mean."""
    errors = t.difference(estimator)
    bias = errors.mean()
    return t.average((errors - bias) ** 2 - 2 * bias * errors + bias**2).named(unit="squared points")


def lowest_fifth(t: Trials, one: str, other: str) -> Estimate:
    """Mean true error in the fifth of the samples with one estimate's lowest values, minus that with another's."""
    truth, few = t[TRUE_ERROR], max(1, t.n // 5)
    # samples in both fifths have no weight, and add no noise
    weights = np.zeros(t.n)
    for estimator, sign in ((one, 1), (other, -1)):
        weights[np.argsort(t[estimator], kind="stable")[:few]] += sign / few
    se = float(np.sqrt((weights**2).sum()) * truth.std(ddof=1))
    return Estimate(float(weights @ truth), se, t.n, unit="points")


def partition_improves(trials: Mapping[str, Trials]) -> list[Conditions]:
    """Ask for less rms of the holdout with the largest samples than with the smallest."""
    results = []
    for name, t in trials.items():
        few, many = t.levels("n")[0], t.levels("n")[-1]
        gains = [(c.label, c.at(n=many).rms(HOLDOUT) - c.at(n=few).rms(HOLDOUT)) for c in t.cells("inherent_error")]
        results.append(every(SENTENCES[name], [gain.named(label, "points") < 0 for label, gain in gains]))
    return results


CLAIMS = Claims(
    "lis-claims",
    {
        "resubstitution": in_cells(lambda t: t.bias("resubstitution") < 0, together=on_average),
        "random-subsampling": in_cells(less_rms("random-subsampling", HOLDOUT)),
        "loo-unbiased": in_cells(lambda t: abs(t.bias(LOO)) <= 1),
        "loo-variance": in_cells(less_sd(B632, LOO), n=0),
        "loo-inaccuracy": in_cells(lambda t: variance_minus_squared_bias(t, LOO) > 0, n=0),
        "loo-accurate": in_cells(lambda t: t.rms(LOO).named(sign="") < 5, n=-1),
        "cv-10-adequate": in_cells(less_rms("cv-10", LOO, factor=1.1), n=-1),
        "stratification": in_cells(less_rms("stratified-cv-10", "cv-10"), together=on_average),
        "e0-approximated": in_cells(lambda t: abs(t.gap(E0, HALVES)) <= 1),
        "e0-pessimistic": in_cells(lambda t: t.bias(E0) > 0, together=on_average),
        "e0-variance": in_cells(less_sd(E0, LOO), together=on_average),
        "632-variance": in_cells(less_sd(B632, LOO), together=on_average),
        "e0-strong": in_cells(less_rms(E0, LOO, B632), inherent_error=-1),
        "632-strong": in_cells(less_rms(B632, LOO, E0), n=0, inherent_error=0),
        "loo-not-inferior": in_cells(less_rms(LOO, E0, B632), n=0, together=some),
        "632-optimistic": in_cells(lambda t: t.bias(B632) < -1, n=-1),
        "lowest-fifth": in_cells(
            {
                " by e0": lambda t: lowest_fifth(t, E0, LOO) < 0,
                " by repeated 2-fold": lambda t: lowest_fifth(t, HALVES, LOO) < 0,
            },
            n=0,
            together=on_average,
        ),
        "partition": partition_improves,
    },
)


def iterations_needed(samples: pd.DataFrame, replicates: int) -> Estimate:
    """Iterations from which on bootstrap noise widens e0's spread over samples by 1 % at most.

    The variance of e0 over samples is V + W/B, with W the mean variance between the iterations of one sample; B is
    W/(V (1.01^2 - 1)).  The error is the jackknife's over tenths of the samples.
    """

    def needed(part: pd.DataFrame) -> float:
        within = float(part[experiment.SCATTER].mean())
        between = float(part[E0].var(ddof=1)) - within / replicates
        return within / (between * ((1.0 + EXCESS) ** 2 - 1.0)) if between > 0 else float("inf")

    tenth = np.arange(len(samples)) % 10
    left_out = np.array([needed(samples[tenth != i]) for i in range(10)])
    se = float(np.sqrt(0.9 * np.sum((left_out - left_out.mean()) ** 2)))
    return Estimate(needed(samples), se, len(samples))


@artifact("lis-claims", draw=draw_iterations)
def claims(p: experiment.FieldGuideParameters, run: Run) -> ArtifactResult:
    """Judge the claims in the page's text: distinct cases, iterations, biases and spreads."""
    trials = trials_of(p, run)
    lines: list[dict[str, Any]] = []
    for name, t in trials.items():
        for cell in t.cells("n", "inherent_error"):
            e = iterations_needed(cell.frame, p.bootstrap_replicates)
            place = {"inducer": name, "size": cell.level("n"), "inherent error": cell.level("inherent_error")}
            lines.append({**place, "value": e.value, "se": e.se, "n": e.n})
    result = pd.DataFrame(lines)
    most = max(lines, key=lambda line: line["value"])
    needed = Estimate(most["value"], most["se"], most["n"])
    # the expected share of distinct cases, in the limit and of the page's own example
    limit, at_100 = 1.0 - exp(-1.0), distinct_share(100)
    rows = [
        Row.exact("literal", "text", "distinct-fraction", limit),
        Row.exact("unstated:n=100", "text", "distinct-fraction", at_100),
        Row.exact("literal", "text", "test-fraction", 1.0 - limit),
        Row.exact("unstated:n=100", "text", "test-fraction", 1.0 - at_100),
        Row.exact("literal", "text", "distinct-cases-percent", 100.0 * limit),
        Row.of("unstated:one-percent-of-spread", "text", "iterations-needed", needed),
        Row.of("unstated:one-percent-of-spread", "bootstrap", "iterations", needed, artifact="lis-figure-7"),
    ]
    checks = judge_claims(CLAIMS, trials, many=max(p.sizes), few=min(p.sizes))
    more = [exact(p.bootstrap_replicates - n, f"n = {n}", "fits", sign="+") > 0 for n in p.sizes]
    checks.append(judge_claim("lis-claims", "cost", every("fits more than n", more), B=p.bootstrap_replicates))
    return ArtifactResult(rows, {"iterations": result, "widening": widening(result, EXCESS)}, checks)
