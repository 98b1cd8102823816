"""Figures 1, 2 and 3: populations, their least-error boundaries, and what a sample makes of them.

The paper's drawings carry no numbers; here every boundary is computed for a population
that is stated, and every sample was drawn: where a situation is rare, samples are drawn
until it occurs.  One claim of section 2 about straight boundaries is put to the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from errorest.data.sample import Sample
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.artifact import artifact
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run, rows_of
from errorest.experiment.populations import NormalClasses, TwoNormals
from errorest.inducers.classifiers import IntervalClassifier
from errorest.inducers.threshold import Threshold
from errorest.papers.martin_hirschberg.populations import figures as drawings
from errorest.papers.martin_hirschberg.populations.experiment import RULES, PopulationsParameters, rules_study
from errorest.papers.martin_hirschberg.samples import Samples
from errorest.streams import Streams

__all__ = [
    "figure_1",
    "figure_1_multiple",
    "figure_2",
    "figure_3",
    "figure_3_rules",
]

_OURS = "unstated:our-populations"
"""The paper draws its populations and prints none of their parameters."""

_LATTICE = 121
_REACH = 2.6
_FEWEST_OF_A_CLASS = 3
_FAR = 1000.0


def populations() -> dict[str, NormalClasses]:
    """Return the populations of Figures 1a and 1b."""
    a = np.array([[1.0, 0.5], [0.5, 1.0]])
    b0, b1 = np.array([[1.0, 0.4], [0.4, 0.6]]), np.array([[0.6, -0.5], [-0.5, 2.4]])
    means = np.array([[0.0, 0.0], [2.0, 0.5]])
    return {"a": NormalClasses(means, np.array([a, a])), "b": NormalClasses(means, np.array([b0, b1]))}


def _multiple_of(c: float) -> NormalClasses:
    shape = np.array([[1.0, 0.5], [0.5, 1.0]])
    return NormalClasses(np.array([[0.0, 0.0], [2.0, 0.5]]), np.array([shape, c * shape]))


def _drawn_until(
    population: NormalClasses | TwoNormals, n: int, wanted: Callable[[Sample], bool], streams: Streams, most: int
) -> tuple[Sample | None, int]:
    """Draw samples until one is as wanted; return it, or None, and the number of draws."""
    for i, sample in enumerate(_samples(population, n, streams, most)):
        if wanted(sample):
            return sample, i + 1
    return None, most


def _samples(population: NormalClasses | TwoNormals, n: int, streams: Streams, most: int) -> Iterator[Sample]:
    for i in range(most):
        yield population.sample(n, streams.child(i).generator("sample"))


def _lattice(population: NormalClasses) -> np.ndarray:
    spread = np.sqrt(np.max([np.diag(c) for c in population.covariances], axis=0))
    low, high = population.means.min(axis=0) - _REACH * spread, population.means.max(axis=0) + _REACH * spread
    axes = [np.linspace(low[j], high[j], _LATTICE) for j in range(2)]
    return np.column_stack([a.ravel() for a in np.meshgrid(*axes, indexing="xy")])


def _least_error_labels(population: NormalClasses) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: (population.log_ratio(X) > 0).astype(np.int64)


def _steps(tree: DecisionTreeClassifier, box: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Return the pieces of an axis-parallel tree's boundary inside a box, as (x1, y1, x2, y2)."""
    inner = tree.tree_.feature >= 0
    cuts = []
    for j in range(2):
        own = np.unique(tree.tree_.threshold[inner & (tree.tree_.feature == j)])
        cuts.append(
            np.concatenate([[box[0, j]], own[(own > box[0, j]) & (own < box[1, j])].astype(float), [box[1, j]]])
        )
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


@artifact(
    "martin-hirschberg-figure-1",
    "Figure 1",
    "Boundaries between two classes",
    "True errors of five boundaries in the two populations, in percent.",
    draw=drawings.draw_figure_1,
)
def figure_1(p: PopulationsParameters, run: Run) -> Regenerated:
    """Figures 1a and 1b: two populations, and the boundaries of least error, of the best line, and of fitted rules.

    Returns
    -------
    Regenerated
        Own rows: error rates in percent, of the drawn sample's classifiers and of the
        population's rules.  Data ``lattice`` (decision values), ``tree`` (pieces of its
        boundary), ``lines`` and ``sample``, for both panels.
    """
    rows: list[Row] = []
    lattice, pieces, lines, samples, findings = [], [], [], [], []
    for panel, population in populations().items():
        streams = Streams(p.seed).child("martin-hirschberg-figure-1", panel)
        sample = next(
            s for s in _samples(population, p.cases, streams, 1 << 30) if s.class_counts().min() >= _FEWEST_OF_A_CLASS
        )
        lda = LinearDiscriminantAnalysis().fit(sample.X, sample.y)
        qda = QuadraticDiscriminantAnalysis().fit(sample.X, sample.y)
        tree = DecisionTreeClassifier(max_leaf_nodes=p.tree_leaves, random_state=0).fit(sample.X, sample.y)
        direction, offset, linear = population.best_linear()
        errors = {
            "inherent-error": population.error_of(_least_error_labels(population), p.grid),
            "language-intrinsic-linear-error": linear,
            "lda-true-error": population.linear_error(lda.coef_[0], float(lda.intercept_[0])),
            "qda-true-error": population.error_of(qda.predict, p.grid),
            "cart-true-error": population.error_of(tree.predict, p.grid),
        }
        rows += [Row(_OURS, panel, f"{name}-percent", 100 * e, 0.0, 1) for name, e in errors.items()]
        X = _lattice(population)
        box = np.array([X.min(axis=0), X.max(axis=0)])
        values = {"panel": panel, "x": X[:, 0], "y": X[:, 1], "log_ratio": population.log_ratio(X)}
        for c in range(2):
            values[f"distance_{c}"] = _mahalanobis(population, X, c)
        values["qda"] = qda.decision_function(X)
        lattice.append(pd.DataFrame(values))
        pieces.append(pd.DataFrame(_steps(tree, box), columns=["x1", "y1", "x2", "y2"]).assign(panel=panel))
        for rule, w, b in (("best line", direction, offset), ("LDA", lda.coef_[0], float(lda.intercept_[0]))):
            lines.append({"panel": panel, "rule": rule, "w1": float(w[0]), "w2": float(w[1]), "offset": b})
        samples.append(pd.DataFrame({"panel": panel, "x": sample.X[:, 0], "y": sample.X[:, 1], "class": sample.y}))
        findings.append(
            f"Figure 1{panel}: the inherent error is {100 * errors['inherent-error']:.2f} %, the best line errs in "
            f"{100 * linear:.2f} %; fitted to {p.cases} cases, LDA errs in {100 * errors['lda-true-error']:.2f} %, "
            f"QDA in {100 * errors['qda-true-error']:.2f} % and a tree of at most {p.tree_leaves} leaves in "
            f"{100 * errors['cart-true-error']:.2f} %."
        )
    of = {(r.row, r.column): r.value for r in rows}
    gap = {k: of[k, "language-intrinsic-linear-error-percent"] - of[k, "inherent-error-percent"] for k in "ab"}
    check = Check(
        "With equal covariances the best line is the least-error rule; with differing ones no line is.",
        f"best line minus inherent error: {gap['a']:.2f} points with equal covariances, {gap['b']:.2f} with differing",
        # the sum over the grid is good to about a hundredth of a point
        "holds" if abs(gap["a"]) < 0.02 < gap["b"] else "fails",
    )
    data = {
        "lattice": pd.concat(lattice, ignore_index=True),
        "tree": pd.concat(pieces, ignore_index=True),
        "lines": pd.DataFrame(lines),
        "sample": pd.concat(samples, ignore_index=True),
    }
    return Regenerated(rows, data, [check], findings)


def _mahalanobis(population: NormalClasses, X: np.ndarray, label: int) -> np.ndarray:
    deviations = X - population.means[label]
    inverse = np.linalg.inv(population.covariances[label])
    return np.sqrt(np.einsum("ni,ij,nj->n", deviations, inverse, deviations))


@artifact(
    "martin-hirschberg-figure-1-multiple",
    "Figure 1, its claim",
    "When is the least-error boundary straight?",
    "Least error, and the error of the best straight line, where covariances differ by a constant factor.",
    draw=drawings.draw_figure_1_multiple,
)
def figure_1_multiple(p: PopulationsParameters, run: Run) -> Regenerated:
    """Section 2's claim: covariances that differ by a constant factor give a straight boundary.

    The log ratio of the densities has the quadratic part ``(1 - 1/c) x' S^-1 x / 2``, so
    that the claim holds for c = 1 alone; for c > 1 the boundary is an ellipse.

    Returns
    -------
    Regenerated
        Own rows: inherent error and error of the best line (percent) for several c.
        Data ``lattice`` and ``lines`` for the drawn c, ``excess`` over c.
    """
    factors = sorted({1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, p.multiple})
    rows: list[Row] = []
    excess = []
    for c in factors:
        population = _multiple_of(c)
        inherent = 100 * population.error_of(_least_error_labels(population), p.grid)
        linear = 100 * population.best_linear()[2]
        rows += [
            Row(_OURS, f"multiple={c:g}", "inherent-error-percent", inherent, 0.0, 1),
            Row(_OURS, f"multiple={c:g}", "language-intrinsic-linear-error-percent", linear, 0.0, 1),
        ]
        excess.append({"multiple": c, "inherent": inherent, "linear": linear})
    drawn = _multiple_of(p.multiple)
    direction, offset, linear = drawn.best_linear()
    inherent = next(e["inherent"] for e in excess if e["multiple"] == p.multiple)
    bend, straight = _bend(drawn), _bend(_multiple_of(1.0))
    around = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    far = drawn.log_ratio(_FAR * np.column_stack([np.cos(around), np.sin(around)])) > 0
    evidence = (
        f"With class 1's covariances {p.multiple:g} times class 0's, the best of all lines errs in "
        f"{100 * linear:.2f} % and the least-error rule in {inherent:.2f} %. Far out in {100 * far.mean():.0f} % of "
        "all directions the least-error class is 1, the wider one, so that class 0's region is closed: an ellipse. The "
        f"log ratio of the densities has a second derivative of {bend:.3f} along x; with equal covariances it is "
        f"{straight:.3f}."
    )
    X = _lattice(drawn)
    values: dict[str, Any] = {"x": X[:, 0], "y": X[:, 1], "log_ratio": drawn.log_ratio(X)}
    for k in range(2):
        values[f"distance_{k}"] = _mahalanobis(drawn, X, k)
    data = {
        "lattice": pd.DataFrame(values),
        "lines": pd.DataFrame(
            [{"rule": "best line", "w1": float(direction[0]), "w2": float(direction[1]), "offset": offset}]
        ),
        "excess": pd.DataFrame(excess),
    }
    curved = bool(abs(bend) > 1e-6 > abs(straight)) and 100 * linear > inherent
    check = Check(
        "If the covariance matrices differ only by a constant factor, the least-error boundary is a straight line.",
        evidence,
        "fails" if curved else "holds",
    )
    errata = [
        Erratum(
            "Section 2, with Figure 1",
            "The boundary is said to be a straight line whenever the covariance matrices differ by a constant factor.",
            "It is a straight line only if they are equal (a factor of 1); for any other factor it is an ellipse.",
            evidence,
        )
    ]
    return Regenerated(rows, data, [check], [evidence], errata if curved else [])


def _bend(population: NormalClasses) -> float:
    """Second derivative of the log ratio along x; exact, since the log ratio is quadratic."""
    left, middle, right = population.log_ratio(np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    return float(left - 2 * middle + right)


def _densities(population: TwoNormals) -> pd.DataFrame:
    x = np.linspace(-3.5, population.distance + 3.5, 401)
    return pd.DataFrame({"x": x, "class_0": population.density(x, 0), "class_1": population.density(x, 1)})


@artifact(
    "martin-hirschberg-figure-2",
    "Figure 2",
    "The population of section 3",
    "The least-error threshold and what it costs.",
    draw=drawings.draw_figure_2,
)
def figure_2(p: PopulationsParameters, run: Run) -> Regenerated:
    """Figure 2: the densities of the two classes, the threshold T and the inherent error.

    Returns
    -------
    Regenerated
        Own rows: T in standard deviations from class 0's mean, inherent error and shaded
        area in percent.  Data ``densities``.
    """
    population = TwoNormals.of_inherent_error(p.inherent_error)
    x = np.linspace(-12.0, population.distance + 12.0, 20001)
    area = 100 * np.trapezoid(np.minimum(population.density(x, 0), population.density(x, 1)), x)
    rows = [
        Row(_OURS, "population", "least-error-threshold", population.best_threshold, 0.0, 1),
        Row(_OURS, "population", "distance-of-means", population.distance, 0.0, 1),
        Row(_OURS, "population", "inherent-error-percent", 100 * population.inherent_error, 0.0, 1),
        Row(_OURS, "population", "shaded-area-percent", float(area), 0.0, 1),
    ]
    text = (
        f"area under the lower of the two curves {area:.4f} %, inherent error {100 * population.inherent_error:.4f} %"
    )
    check = Check(
        "The shaded area equals the inherent error when the two curves together have an area of one.",
        text,
        "holds" if abs(area - 100 * population.inherent_error) < 1e-3 else "fails",
    )
    return Regenerated(rows, {"densities": _densities(population)}, [check], [text[0].upper() + text[1:] + "."])


def _both_classes(sample: Sample) -> bool:
    return bool(sample.class_counts().min() > 0)


def _panel(
    name: str, population: TwoNormals, sample: Sample, classifiers: Mapping[str, IntervalClassifier], draws: int
) -> tuple[pd.DataFrame, list[dict[str, Any]], list[Row]]:
    points = pd.DataFrame({"panel": name, "x": sample.X[:, 0], "class": sample.y})
    rules: list[dict[str, Any]] = []
    rows = [Row(_OURS, name, "draws-needed", float(draws), 0.0, 1)]
    for rule, classifier in classifiers.items():
        error = 100 * population.true_error(classifier)
        rules.append(
            {
                "panel": name,
                "rule": rule,
                "threshold": classifier.cuts[0],
                "left": classifier.labels[0],
                "right": classifier.labels[1],
                "true_error": error,
                "draws": draws,
            }
        )
        suffix = "" if len(classifiers) == 1 else f"/{rule}"
        rows.append(Row(_OURS, name, f"true-error-percent{suffix}", error, 0.0, 1))
    rows.append(Row(_OURS, name, "threshold", rules[0]["threshold"], 0.0, 1))
    return points, rules, rows


@artifact(
    "martin-hirschberg-figure-3",
    "Figure 3",
    "A shifted threshold and a reversed classifier",
    "Thresholds and true errors of the two samples drawn.",
    draw=drawings.draw_figure_3,
)
def figure_3(p: PopulationsParameters, run: Run) -> Regenerated:
    """Figures 3a and 3b: a sample that shifts the threshold, and one that reverses the classes.

    Samples of N cases are drawn one after another until the situation occurs, under the
    literal reading of the classifier.

    Returns
    -------
    Regenerated
        Own rows: draws needed, threshold, true error in percent.  Data ``densities``,
        ``points`` and ``classifiers``; a panel whose situation did not occur is missing there.
    """
    population = TwoNormals.of_inherent_error(p.inherent_error)
    best, inducer = population.best_threshold, Threshold("literal")

    def shifted(sample: Sample) -> bool:
        made = inducer.fit(sample)
        return _both_classes(sample) and made.labels == (0, 1) and p.shift <= abs(made.cuts[0] - best) < 3.0

    def reversed_(sample: Sample) -> bool:
        return _both_classes(sample) and inducer.fit(sample).labels == (1, 0)

    streams = Streams(p.seed).child("martin-hirschberg-figure-3")
    points, findings = [], []
    classifiers: list[dict[str, Any]] = []
    rows: list[Row] = []
    for name, wanted, what in (
        ("a", shifted, f"the threshold lies at least {p.shift:g} standard deviations off"),
        ("b", reversed_, "the sample's class means are reversed"),
    ):
        sample, draws = _drawn_until(population, p.threshold_cases, wanted, streams.child(name), p.draws)
        if sample is None:
            findings.append(f"Figure 3{name}: in none of {draws:,} samples {what}; nothing can be drawn.")
            continue
        made = _panel(name, population, sample, {"literal": inducer.fit(sample)}, draws)
        points.append(made[0])
        classifiers += made[1]
        rows += made[2]
        findings.append(
            f"Figure 3{name}: the first sample of N = {p.threshold_cases} in which {what} was number {draws:,}; its "
            f"classifier has a true error of {made[1][0]['true_error']:.1f} % where "
            f"{100 * p.inherent_error:.3g} % is inherent."
        )
    data = {
        "densities": _densities(population),
        "points": pd.concat(points, ignore_index=True) if points else pd.DataFrame(columns=["panel", "x", "class"]),
        "classifiers": pd.DataFrame(
            classifiers, columns=["panel", "rule", "threshold", "left", "right", "true_error", "draws"]
        ),
    }
    return Regenerated(rows, data, findings=findings)


@artifact(
    "martin-hirschberg-figure-3-rules",
    "Figure 3, the two rules",
    "Where the two reversal rules part",
    "Samples on which the two rules give different classifiers, in percent, by size and inherent error.",
    draw=drawings.draw_figure_3_rules,
)
def figure_3_rules(p: PopulationsParameters, run: Run) -> Regenerated:
    """Where the literal reversal rule and the rule of the class-0 mean differ: on a sample, and on the whole.

    Returns
    -------
    Regenerated
        Own rows: the share of samples on which the rules differ and the difference of the
        mean true errors, in percent, with standard errors.  Data ``densities``, ``points``,
        ``classifiers`` (one sample), ``shares`` (the whole).
    """
    population = TwoNormals.of_inherent_error(p.inherent_error)

    def disagree(sample: Sample) -> bool:
        made = [inducer.fit(sample) for inducer in RULES.values()]
        return _both_classes(sample) and abs(made[0].cuts[0]) < 5.0 and made[0].labels != made[1].labels

    streams = Streams(p.seed).child("martin-hirschberg-reversal-rules-sample")
    sample, draws = _drawn_until(population, p.threshold_cases, disagree, streams, p.draws)
    data = {"densities": _densities(population)}
    rows: list[Row] = []
    if sample is None:
        findings = [f"In none of {draws:,} samples of N = {p.threshold_cases} did the rules differ."]
    else:
        made = {rule: inducer.fit(sample) for rule, inducer in RULES.items()}
        data["points"], rules, rows = _panel("sample", population, sample, made, draws)
        data["classifiers"] = pd.DataFrame(rules)
        means = [float(sample.X[sample.y == c, 0].mean()) for c in range(2)]
        counts = sample.class_counts()
        text = (
            f"The first sample of N = {p.threshold_cases} on which the rules differ was number {draws:,}: {counts[0]} "
            f"cases of class 0 with mean {means[0]:.2f}, {counts[1]} of class 1 with mean {means[1]:.2f}, threshold "
            f"{made['literal'].cuts[0]:.2f}. The literal rule compares the two means and errs in "
            f"{rules[0]['true_error']:.1f} %; the other compares the threshold with the mean of class 0 and errs in "
            f"{rules[1]['true_error']:.1f} %."
        )
        findings = [text]
    results = run(rules_study(p))
    literal, other = (Samples.of_inducer(results, rule) for rule in RULES)
    differ = 100.0 * (literal.table["reversed"] != other.table["reversed"]).to_numpy()
    excess = other.true_error - literal.true_error
    shares: list[dict[str, Any]] = []
    for number in range(int(literal.cell.max()) + 1):
        inside = literal.cell == number
        n, error = (literal.table[name][inside].iloc[0].item() for name in ("n", "inherent_error"))
        point = {"n": n, "inherent_error": error}
        for column, key, values in (
            ("share", "differ-percent", differ),
            ("excess", "excess-true-error-percent", excess),
        ):
            m = accuracy.mean(values[inside])
            rows += rows_of(_OURS, f"{100 * error:.10g}", [(f"{key}/N={n}", m)])
            point |= {column: m.value, f"{column}_se": m.se}
        shares.append(point)
    data["shares"] = pd.DataFrame(shares)
    top = max(shares, key=lambda s: s["share"])
    findings.append(
        f"On the whole the rules differ most often at N = {top['n']} and an inherent error of "
        f"{100 * top['inherent_error']:.3g} %: on {top['share']:.1f} % of samples (standard error "
        f"{top['share_se']:.1f}). Where the classes do not coincide the rule of the class-0 mean then costs up to "
        f"{max(s['excess'] for s in shares):.2f} points of true error."
    )
    return Regenerated(rows, data, findings=findings)
