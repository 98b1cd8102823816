"""Figure 1: two populations of two attributes, and boundaries: of least error, the best line, and fitted rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run, rows_of
from compendium.papers.martin_hirschberg.one_sample import CLASS_COLOURS, CLASS_MARKS, first_sample
from compendium.papers.martin_hirschberg.populations.study import PopulationsParameters
from compendium.plots.picture import Drawing, Line, Picture
from compendium.studies.populations import NormalClasses
from errorest import plots
from errorest.plots import BLACK, GREEN, GREY, ORANGE, PURPLE
from errorest.streams import Streams

OURS = "unstated:our-populations"  # The paper draws its populations and prints none of their parameters
_LATTICE, _REACH = 121, 2.6  # Points along an axis of the grid, and standard deviations beyond the means
_FEWEST_OF_A_CLASS = 3
_MEANS = np.array([[0.0, 0.0], [2.0, 0.5]])
_SHAPE = np.array([[1.0, 0.5], [0.5, 1.0]])


def populations() -> dict[str, NormalClasses]:
    """Return the populations of Figures 1a and 1b."""
    differing = np.array([[[1.0, 0.4], [0.4, 0.6]], [[0.6, -0.5], [-0.5, 2.4]]])
    return {"a": multiple_of(1.0), "b": NormalClasses(_MEANS, differing)}


def multiple_of(c: float) -> NormalClasses:
    return NormalClasses(_MEANS, np.array([_SHAPE, c * _SHAPE]))


def exact_rows(row: str, values: Mapping[str, float]) -> list[Row]:
    """Make rows of numbers that are computed of a population, or of the sample shown."""
    return rows_of(OURS, row, [(column, exact(value)) for column, value in values.items()])


def lattice_of(population: NormalClasses) -> pd.DataFrame:
    """Return the log ratio of the densities and the distances from both means over a grid of points."""
    spread = np.sqrt(np.max([np.diag(c) for c in population.covariances], axis=0))
    low, high = population.means.min(axis=0) - _REACH * spread, population.means.max(axis=0) + _REACH * spread
    axes = [np.linspace(low[j], high[j], _LATTICE) for j in range(2)]
    X = np.column_stack([a.ravel() for a in np.meshgrid(*axes, indexing="xy")])
    table = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "log_ratio": population.log_ratio(X)})
    for label in range(2):
        deviations = X - population.means[label]
        inverse = np.linalg.inv(population.covariances[label])
        table[f"distance_{label}"] = np.sqrt(np.einsum("ni,ij,nj->n", deviations, inverse, deviations))
    return table


def inherent_error_of(population: NormalClasses, grid: int) -> float:
    return population.error_of(lambda X: (population.log_ratio(X) > 0).astype(np.int64), grid)


def line_of(rule: str, w: np.ndarray, offset: float) -> dict[str, str | float]:
    return {"rule": rule, "w1": float(w[0]), "w2": float(w[1]), "offset": offset}


def _steps(tree: DecisionTreeClassifier, box: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Return the pieces of an axis-parallel tree's boundary inside a box, as (x1, y1, x2, y2)."""
    inner = tree.tree_.feature >= 0
    cuts = []
    for j in range(2):
        low, high = box[:, j]
        splits = np.unique(tree.tree_.threshold[inner & (tree.tree_.feature == j)])
        cuts.append(np.concatenate([[low], splits[(splits > low) & (splits < high)].astype(float), [high]]))
    x, y = cuts
    middles = np.column_stack(
        [a.ravel() for a in np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2, indexing="ij")]
    )
    labels = tree.predict(middles).reshape(len(x) - 1, len(y) - 1)
    across = [(x[i + 1], y[j], x[i + 1], y[j + 1]) for i, j in zip(*np.nonzero(labels[1:] != labels[:-1]), strict=True)]
    along = [
        (x[i], y[j + 1], x[i + 1], y[j + 1]) for i, j in zip(*np.nonzero(labels[:, 1:] != labels[:, :-1]), strict=True)
    ]
    return [tuple(float(v) for v in piece) for piece in across + along]  # type: ignore[misc]


def _fitted(panel: str, population: NormalClasses, p: PopulationsParameters) -> dict[str, Any]:
    """Draw a panel's sample and fit its rules: what is drawn of them, and their ``errors`` in percent."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-1", panel)
    sample, _ = first_sample(population, p.cases, lambda s: bool(s.class_counts().min() >= _FEWEST_OF_A_CLASS), streams)
    assert sample is not None
    lda = LinearDiscriminantAnalysis().fit(sample.X, sample.y)
    qda = QuadraticDiscriminantAnalysis().fit(sample.X, sample.y)
    tree = DecisionTreeClassifier(max_leaf_nodes=p.tree_leaves, random_state=0).fit(sample.X, sample.y)
    direction, offset, linear = population.best_linear()
    intercept = float(lda.intercept_[0])
    errors = {
        "inherent-error": inherent_error_of(population, p.grid),
        "language-intrinsic-linear-error": linear,
        "lda-true-error": population.linear_error(lda.coef_[0], intercept),
        "qda-true-error": population.error_of(qda.predict, p.grid),
        "cart-true-error": population.error_of(tree.predict, p.grid),
    }
    lattice = lattice_of(population)
    X = np.column_stack([lattice["x"], lattice["y"]])
    lattice.insert(0, "panel", panel)
    lattice["qda"] = qda.decision_function(X)
    lines = pd.DataFrame([line_of("best line", direction, offset), line_of("LDA", lda.coef_[0], intercept)])
    lines.insert(0, "panel", panel)
    pieces = _steps(tree, np.array([X.min(axis=0), X.max(axis=0)]))
    return {
        "errors": {name: 100 * error for name, error in errors.items()},
        "lattice": lattice,
        "tree": pd.DataFrame(pieces, columns=["x1", "y1", "x2", "y2"]).assign(panel=panel),
        "lines": lines,
        "sample": pd.DataFrame({"panel": panel, "x": sample.X[:, 0], "y": sample.X[:, 1], "class": sample.y}),
    }


def grid_of(table: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, y = np.unique(table["x"]), np.unique(table["y"])
    return x, y, table[column].to_numpy().reshape(len(y), len(x))


def plot_contours(axes: Axes, lattice: pd.DataFrame) -> None:
    for c in range(2):
        axes.contour(
            *grid_of(lattice, f"distance_{c}"),
            levels=[0.75, 1.5, 2.25],
            colors=[CLASS_COLOURS[c]],
            linewidths=0.8,
            alpha=0.7,
        )


def plot_line(axes: Axes, line: Mapping[Any, Any], **style: Any) -> None:
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    if abs(line["w2"]) > abs(line["w1"]):
        x = np.array([x0, x1])
        axes.plot(x, -(line["w1"] * x + line["offset"]) / line["w2"], **style)
    else:
        y = np.array([y0, y1])
        axes.plot(-(line["w2"] * y + line["offset"]) / line["w1"], y, **style)
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)


RULE_LOOKS: dict[str, dict[str, Any]] = {
    "least error": {"color": BLACK, "linewidth": 2.6},
    "best line": {"color": GREY, "linewidth": 1.6, "linestyle": (0, (6, 2))},
    "LDA": {"color": GREEN, "linewidth": 1.6, "linestyle": (0, (1, 1))},
    "QDA": {"color": PURPLE, "linewidth": 1.6, "linestyle": (0, (4, 1, 1, 1))},
    "tree": {"color": ORANGE, "linewidth": 1.8},
}


def _boundaries(axes: Axes, lattice: pd.DataFrame, tree: pd.DataFrame, lines: pd.DataFrame) -> None:
    """Draw contours of both classes and five boundaries."""
    axes.set_xlim(lattice["x"].min(), lattice["x"].max())
    axes.set_ylim(lattice["y"].min(), lattice["y"].max())
    plot_contours(axes, lattice)
    for _, piece in tree.iterrows():
        x, y = [piece["x1"], piece["x2"]], [piece["y1"], piece["y2"]]
        axes.plot(x, y, solid_capstyle="projecting", **RULE_LOOKS["tree"])
    for line in lines.to_dict("records"):
        plot_line(axes, line, **RULE_LOOKS[line["rule"]])
    for column, rule in (("log_ratio", "least error"), ("qda", "QDA")):
        look = RULE_LOOKS[rule]
        axes.contour(
            *grid_of(lattice, column),
            levels=[0.0],
            colors=[look["color"]],
            linewidths=look["linewidth"],
            linestyles=[look.get("linestyle", "solid")],
        )


_ERRORS = {
    "inherent error": "inherent-error",
    "best line": "language-intrinsic-linear-error",
    "LDA": "lda-true-error",
    "QDA": "qda-true-error",
    "tree": "cart-true-error",
}


@plots.in_style
def draw_figure_1(p: PopulationsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 1a and 1b: contours of both classes, the sample, and five boundaries."""
    result = results.published
    titles = {"a": "equal covariances", "b": "differing covariances"}
    picture = Picture(
        *(8.2, titles, "panel"),
        columns=1,
        letters=True,
        x="x (standard deviations)",
        y=dict.fromkeys(titles, "y (standard deviations)"),
    )
    for panel, axes in picture.axes.items():
        _boundaries(axes, *(matching(result.data[name], panel=panel) for name in ("lattice", "tree", "lines")))
    looks: dict[int, Line] = {c: {"marker": CLASS_MARKS[c], "color": CLASS_COLOURS[c]} for c in range(2)}
    names = {c: f"class {c}" for c in looks}
    points = (result.data["sample"], "x", "y")
    picture.scatter(*points, by="class", looks=looks, names=names, alpha=0.75, markeredgewidth=0)
    errors = {(r.row, r.column): r.value for r in result.rows}
    listed = {
        f"errors_{panel}": ", ".join(f"{word} {errors[panel, f'{key}-percent']:.1f} %" for word, key in _ERRORS.items())
        for panel in titles
    }
    return picture.done(columns=4, legend=RULE_LOOKS, **listed)


@artifact("martin-hirschberg-figure-1", draw=draw_figure_1)
def figure_1(p: PopulationsParameters, run: Run) -> ArtifactResult:
    """Figures 1a and 1b: two populations, and the boundaries of least error, of the best line, and of fitted rules."""
    rows: list[Row] = []
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in ("lattice", "tree", "lines", "sample")}
    gap = {}
    for panel, population in populations().items():
        sampled = _fitted(panel, population, p)
        errors = sampled.pop("errors")
        for name, table in sampled.items():
            tables[name].append(table)
        rows += exact_rows(panel, {f"{name}-percent": error for name, error in errors.items()})
        gap[panel] = errors["language-intrinsic-linear-error"] - errors["inherent-error"]
    # the sum over the grid is good to about a hundredth of a point
    equal, differing = (
        exact(gap[panel], name, "points", 2)
        for panel, name in (("a", "with equal covariances"), ("b", "with differing ones"))
    )
    check = judge_claim("martin-hirschberg-figure-1", "best-line", [abs(equal) <= 0.02, differing > 0.02])
    data = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return ArtifactResult(rows, data, [check])
