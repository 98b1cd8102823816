"""Figure 10: a correct tree for the contact lenses."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.methods.learners.tree import Tree
from compendium.papers.martin_hirschberg.lenses.population import CASES, Lenses
from compendium.papers.martin_hirschberg.lenses.study import INDUCERS, READINGS, LensesParameters
from compendium.papers.martin_hirschberg.tree_layout import lay_out
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.data.sample import Sample
from errorest.data.sets import load
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREY, VERMILION

_CLASS_COLOURS = {"none": GREY, "soft": BLUE, "hard": VERMILION}


def fewest_leaves(sample: Sample) -> int:
    """Fewest leaves of a multiway tree that is right on every case, found by trying all splits."""

    def least(X: np.ndarray, y: np.ndarray, left: tuple[int, ...]) -> int:
        if np.unique(y).size < 2:
            return 1
        results = []
        for a in left:
            rest = tuple(b for b in left if b != a)
            parts = [X[:, a] == v for v in range(len(sample.attributes[a].categories))]
            results.append(sum(least(X[part], y[part], rest) for part in parts))
        return min(results)

    return least(sample.X, sample.y, tuple(range(sample.d)))


def nodes_of(tree: Tree) -> pd.DataFrame:
    """A row a node of a tree, with its position in a drawing and its cases."""
    children = [tree.children(v) for v in range(tree.n_nodes)]
    tested, label = tree.nodes["attribute"], tree.nodes["label"]
    text = [tree.classes[c] if a < 0 else tree.attributes[a].name for a, c in zip(tested, label, strict=True)]
    branch = [""] * tree.n_nodes
    for v, kids in enumerate(children):
        for kid, category in zip(kids, tree.attributes[tested[v]].categories, strict=False):
            branch[kid] = category
    nodes = lay_out(children, text, branch)
    nodes.insert(0, "node", np.arange(tree.n_nodes))
    return nodes.assign(cases=tree.counts.sum(axis=1))


@plots.in_style
def draw_figure_10(p: LensesParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 10: the headline's tree, tests at inner nodes, classes at leaves."""
    tree = results.published.data["tree"]
    # levels run to the right, so that the words of neighbouring leaves do not meet
    depth, leaves = tree["y"].to_numpy(), tree["x"].to_numpy()
    parents, is_leaf = tree["parent"].to_numpy(), tree["leaf"].to_numpy()
    texts, branches = tree["text"].astype(str).tolist(), tree["branch"].astype(str).tolist()
    picture = Picture(0.64 * float(leaves.max()) + 1.0)
    axes = picture.axes[()]
    for node, parent in enumerate(parents):
        if parent >= 0:
            axes.plot(depth[[parent, node]], leaves[[parent, node]], color=GREY, linewidth=1.0, zorder=1)
            above = 0.3 if is_leaf[node] else 0.44
            axes.text(
                depth[node],
                leaves[node] - above,
                branches[node],
                ha="center",
                va="bottom",
                fontsize=FONT_SIZE - 1,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
        colour = _CLASS_COLOURS.get(texts[node], BLACK) if is_leaf[node] else BLACK
        axes.text(
            depth[node],
            leaves[node],
            f"{texts[node]} ({tree['cases'].iloc[node]})" if is_leaf[node] else texts[node].replace("-", "\n", 1),
            ha="center",
            va="center",
            color=plots.ink(colour),
            weight="bold" if is_leaf[node] else "normal",
            fontsize=FONT_SIZE - 1,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.0},
            zorder=2,
        )
    axes.set_xlim(-0.4, depth.max() + 0.4)
    axes.set_ylim(leaves.max() + 0.4, -0.75)
    axes.set_axis_off()
    counts = tree[tree["leaf"]].groupby("text").size()
    listed = ", ".join(f"{n} {c}" for c, n in counts.items())
    return picture.done(
        leaves=int(tree["leaf"].sum()),
        listed=listed,
        nodes=len(tree),
        root=texts[0],
        longest=int(depth.max()),
        reading=READINGS[p.readings[0]],
    )


@artifact("martin-hirschberg-figure-10", draw=draw_figure_10, enlarge=False)
def figure_10(p: LensesParameters, run: Run) -> ArtifactResult:
    """Figure 10: a correct tree for the contact lenses."""
    sample = load(CASES)
    population = Lenses.with_noise(0.0)
    trees = {name: INDUCERS[name].fit(sample) for name in p.readings}
    rows: list[Row] = []
    for name, tree in trees.items():
        values = {
            "leaves": tree.n_leaves,
            "nodes": tree.n_nodes,
            "depth": tree.depth,
            "true-error-percent": 100 * population.true_error(tree),
            "apparent-error-percent": 100 * (tree.predict(sample.X) != sample.y).mean(),
        }
        rows += [Row.exact(READINGS[name], "tree", column, value) for column, value in values.items()]
    leaves = {READINGS[name]: tree.n_leaves for name, tree in trees.items()}
    least = fewest_leaves(sample)
    as_few = [exact(number, f"leaves of *{reading}*").equals(least) for reading, number in leaves.items()]
    check = judge_claim("martin-hirschberg-figure-10", "leaves", as_few)
    return ArtifactResult(rows, {"tree": nodes_of(trees[p.readings[0]])}, [check])
