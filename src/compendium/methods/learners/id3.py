"""ID3: multiway decision trees on nominal attributes, grown until nothing is left to split.

A training set is a vector of integer weights of the sample's distinct rows (Martin & Hirschberg, 1996, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from compendium.methods.learners.tree import Tree, share_of
from errorest.compiled import inner, kernel, records, within
from errorest.counting import count_each
from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest
from errorest.learners.base import ProbabilityLearner, check_values
from errorest.learners.trees import NODE, descend
from errorest.resampling.multisets import Resamples, training_row

Criterion = Literal[
    "gain", "gain-ratio", "normalised-gain", "gain-per-value", "gini", "chi-square", "misclassification"
]

_GAIN, _RATIO, _NORMALISED, _PER_VALUE, _GINI, _CHI_SQUARE, _ERRORS = range(7)


@within
def _gain(table, begin, arity, counts, node, cases, plogp):  # type: ignore[no-untyped-def]
    """Return (gain, entropy of the branch sizes) in bits; -1 where all cases take one value."""
    classes = counts.shape[1]
    gain = plogp[cases]
    for c in range(classes):
        gain -= plogp[counts[node, c]]
    between = plogp[cases]
    present = 0
    at = begin
    for _ in range(arity):
        n = 0
        for _ in range(classes):
            n += table[at]
            gain += plogp[table[at]]
            at += 1
        if n > 0:
            present += 1
            gain -= plogp[n]
            between -= plogp[n]
    if present < 2:
        return -1.0, 0.0
    return max(gain / cases, 0.0), between / cases


@within
def _decrease(table, begin, arity, counts, node, cases, criterion):  # type: ignore[no-untyped-def]
    """Return the merit by Gini index, chi-square or misclassification; -1 where all cases take one value."""
    classes = counts.shape[1]
    gini = 0.0
    chi_square = 0.0
    right = 0
    present = 0
    at = begin
    for _ in range(arity):
        n = 0
        largest = 0
        for c in range(classes):
            n += table[at + c]
            largest = max(largest, table[at + c])
        if n > 0:
            present += 1
            right += largest
            for c in range(classes):
                if table[at + c] > 0:
                    square = float(table[at + c] * table[at + c])
                    gini += square / n
                    chi_square += square / (n * counts[node, c])
        at += classes
    if present < 2:
        return -1.0
    if criterion == _CHI_SQUARE:
        return max(cases * (chi_square - 1.0), 0.0)
    most = 0
    for c in range(classes):
        most = max(most, counts[node, c])
        gini -= counts[node, c] * counts[node, c] / cases
    return (right - most) / cases if criterion == _ERRORS else max(gini / cases, 0.0)


@within
def merit_of(table, begin, arity, counts, node, cases, criterion, plogp):  # type: ignore[no-untyped-def]
    """Return how good a split is by the criterion, or -1 where all cases take one value."""
    if criterion >= _GINI:
        return _decrease(table, begin, arity, counts, node, cases, criterion)
    gain, between = _gain(table, begin, arity, counts, node, cases, plogp)
    if criterion == _GAIN or gain < 0.0:
        return gain
    if criterion == _RATIO:
        return gain / between
    return gain / np.log2(arity) if criterion == _NORMALISED else gain / arity


GAIN_TOLERANCE = 1e-9
"""Merits tie if they differ by no more than this, or this share of the best where that exceeds one."""

_PARENT, _OVERALL = -1, -2


class _Problem(NamedTuple):
    """A sample as the grower reads it: distinct rows ("units") and where they are counted."""

    codes: np.ndarray  # (units, d) category numbers
    y: np.ndarray  # (units,) class numbers
    slot: np.ndarray  # (units, d) place in the table of (attribute, value, class) counts
    offset: np.ndarray  # (d + 1,) where an attribute's counts begin
    arity: np.ndarray  # (d,)
    n_classes: int
    attribute_order: np.ndarray
    class_order: np.ndarray
    criterion: int
    empty: int
    plogp: np.ndarray  # c log2 c of whole numbers c


class _Workspace(NamedTuple):
    """Memory that one tree after another is grown in."""

    members: np.ndarray  # (units,) the units of a node stand together
    spare: np.ndarray
    table: np.ndarray  # counts of the node at hand by attribute, value, class
    begins: np.ndarray  # (widest + 1,)
    merit: np.ndarray  # (d,)
    candidates: np.ndarray  # (levels, d) attributes that may part a node of a level
    stack: np.ndarray  # (pending, 5): node, first member, end, level, number of candidates
    nodes: np.ndarray  # (nodes,)
    counts: np.ndarray  # (nodes, classes)


@kernel
def _workspace(problem):  # type: ignore[no-untyped-def]
    units, d = problem.codes.shape
    widest = problem.arity.max()
    # every split parts its units, so there are fewer splits than units
    nodes = 1 + units * widest
    return _Workspace(
        np.empty(units, dtype=np.int32),
        np.empty(units, dtype=np.int32),
        np.empty(problem.offset[d], dtype=np.int64),
        np.empty(widest + 1, dtype=np.int64),
        np.empty(d, dtype=np.float64),
        np.empty((d + 1, d), dtype=np.int64),
        np.empty((d * widest + 1, 5), dtype=np.int64),
        records(nodes, NODE),
        np.empty((nodes, problem.n_classes), dtype=np.int64),
    )


@within
def _majority(counts, node, class_order):  # type: ignore[no-untyped-def]
    best = class_order[0]
    for j in range(1, class_order.shape[0]):
        if counts[node, class_order[j]] > counts[node, best]:
            best = class_order[j]
    return best


@within
def _count(members, first, end, weight, slot, candidates, level, n, offset, table):  # type: ignore[no-untyped-def]
    """Count a node's cases by value and class for each candidate attribute."""
    for j in range(n):
        a = candidates[level, j]
        for at in range(offset[a], offset[a + 1]):
            table[at] = 0
    for p in range(first, end):
        u = members[p]
        w = weight[u]
        for j in range(n):
            table[slot[u, candidates[level, j]]] += w


@within
def _choose(candidates, level, n, merit):  # type: ignore[no-untyped-def]
    """Return the first candidate of the highest merit, or -1, and list the other candidates for the next level."""
    # an attribute that takes one value here takes one value in all that lies below
    highest = -1.0
    for j in range(n):
        highest = max(highest, merit[j])
    least = max(highest - GAIN_TOLERANCE * max(1.0, highest), 0.0)
    best = -1
    left = 0
    for j in range(n):
        if best < 0 and merit[j] >= least:
            best = candidates[level, j]
        elif merit[j] >= 0.0:
            candidates[level + 1, left] = candidates[level, j]
            left += 1
    return best, left


@within
def _part(first, end, a, arity, codes, members, spare, begins):  # type: ignore[no-untyped-def]
    """Sort members ``first`` to ``end`` by their value of attribute a; value v begins at ``begins[v]``."""
    for v in range(arity + 1):
        begins[v] = 0
    for p in range(first, end):
        begins[codes[members[p], a]] += 1
        spare[p] = members[p]
    at = end
    for v in range(arity, -1, -1):
        at -= begins[v]
        begins[v] = at
    for p in range(first, end):
        v = codes[spare[p], a]
        members[begins[v]] = spare[p]
        begins[v] += 1
    for v in range(arity, 0, -1):
        begins[v] = begins[v - 1]
    begins[0] = first


@within
def _root(weight, y, members, counts):  # type: ignore[no-untyped-def]
    """List the units that have cases, count these by class, and return how many units and cases there are."""
    counts[0] = 0
    units = 0
    cases = 0
    for u in range(weight.shape[0]):
        if weight[u] > 0:
            members[units] = u
            units += 1
            cases += weight[u]
            counts[0, y[u]] += weight[u]
    return units, cases


@inner
def _make_leaf(nodes, node, label):  # type: ignore[no-untyped-def]
    nodes[node].attribute, nodes[node].first_child, nodes[node].n_children = -1, -1, 0
    nodes[node].label = label


@inner
def _grow(weight, problem, work):  # type: ignore[no-untyped-def]
    """Grow one tree into the workspace and return its number of nodes; ``weight`` counts each unit."""
    # a tuple's fields are looked up once: in a loop each look-up costs a reference count
    codes, slot, offset, arity = problem.codes, problem.slot, problem.offset, problem.arity
    class_order, plogp, criterion, empty = problem.class_order, problem.plogp, problem.criterion, problem.empty
    members, spare, table, begins, merit = work.members, work.spare, work.table, work.begins, work.merit
    candidates, stack, nodes, counts = work.candidates, work.stack, work.nodes, work.counts
    classes = problem.n_classes
    d = codes.shape[1]
    for j in range(d):
        candidates[0, j] = problem.attribute_order[j]
    units, cases = _root(weight, problem.y, members, counts)
    overall = _majority(counts, 0, class_order)
    _make_leaf(nodes, 0, overall)
    n_nodes = 1
    pending = 0
    if counts[0, overall] < cases:
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, units, 0, d
        pending = 1
    while pending > 0:
        pending -= 1
        node, first, end, level = stack[pending, 0], stack[pending, 1], stack[pending, 2], stack[pending, 3]
        n_candidates = stack[pending, 4]
        cases = 0
        for c in range(classes):
            cases += counts[node, c]
        # the stack runs depth first: candidates of this level stay as the parent left them
        _count(members, first, end, weight, slot, candidates, level, n_candidates, offset, table)
        for j in range(n_candidates):
            a = candidates[level, j]
            merit[j] = merit_of(table, offset[a], arity[a], counts, node, cases, criterion, plogp)
        best, left = _choose(candidates, level, n_candidates, merit)
        if best < 0:
            continue
        _part(first, end, best, arity[best], codes, members, spare, begins)
        nodes[node].attribute, nodes[node].first_child, nodes[node].n_children = best, n_nodes, arity[best]
        at = offset[best]
        for v in range(arity[best]):
            n = 0
            for c in range(classes):
                counts[n_nodes, c] = table[at + c]
                n += table[at + c]
            at += classes
            label = _majority(counts, n_nodes, class_order)
            if n == 0 and empty == _PARENT:
                label = nodes[node].label
            elif n == 0:
                label = overall if empty == _OVERALL else empty
            _make_leaf(nodes, n_nodes, label)
            if counts[n_nodes, label] < n and left > 0:
                stack[pending, 0], stack[pending, 1], stack[pending, 2] = n_nodes, begins[v], begins[v + 1]
                stack[pending, 3], stack[pending, 4] = level + 1, left
                pending += 1
            n_nodes += 1
    return n_nodes


@kernel
def _predict_rows(unit, problem, compact, start, cases, labels, probabilities):  # type: ignore[no-untyped-def]
    """Write the labels of the tested cases, or where ``probabilities`` has rows their class probabilities."""
    work = _workspace(problem)
    counts = np.empty(compact.n, dtype=np.int32)
    weight = np.empty(problem.y.shape[0], dtype=np.int64)
    kind = np.zeros(problem.arity.shape[0], dtype=np.int8)
    for r in range(start.shape[0] - 1):
        if start[r] == start[r + 1]:
            continue
        training_row(compact, r, counts)
        weight[:] = 0
        for i in range(compact.n):
            weight[unit[i]] += counts[i]
        _grow(weight, problem, work)
        for j in range(start[r], start[r + 1]):
            case = problem.codes[unit[cases[j]]]
            if probabilities.shape[0] == 0:
                labels[j] = work.nodes[descend(work.nodes, kind, case, np.int64(0))].label
            else:
                share_of(work.nodes, work.counts, kind, case, probabilities[j])


@kernel
def _grow_one(weight, problem):  # type: ignore[no-untyped-def]
    work = _workspace(problem)
    n = _grow(weight, problem, work)
    return work.nodes[:n].copy(), work.counts[:n].copy()


@lru_cache(maxsize=8)
def _plogp(power: int) -> np.ndarray:
    """Tabulate c log2 c for c = 0 to 2**power."""
    return np.array([0.0] + [c * log2(c) for c in range(1, 2**power + 1)])


@dataclass(frozen=True, eq=False)
class ID3(ProbabilityLearner):
    """Multiway trees on nominal attributes, without stopping or pruning.

    A node is split by the attribute of greatest merit, one branch for each declared value,
    until its cases are of one class or no attribute takes two values among them.  A split
    without gain is made too: with two attributes whose exclusive-or is the class, neither
    alone has any.  A leaf, and a case whose value of the tested attribute is none of the
    declared ones, gets the majority of the node's training cases.

    Parameters
    ----------
    criterion : str
        ``gain``: information gain.  ``gain-ratio``: gain divided by the entropy of the branch
        sizes.  ``normalised-gain``: gain divided by log2 of the number of declared values.
        ``gain-per-value``: gain divided by that number.  ``gini``: decrease of the Gini index.
        ``chi-square``: Pearson's statistic of value against class.  ``misclassification``:
        decrease of the share of cases outside the majority.
    empty_branch : str
        The class of a branch that no training case takes: ``parent-majority``,
        ``overall-majority`` (of the whole training set), or a class label.
    attribute_order : tuple of column numbers or names, optional
        All attributes; of those whose merits tie (:data:`GAIN_TOLERANCE`) the first here is
        taken.  By default the order of the columns.
    class_order : tuple of class numbers or labels, optional
        All classes; of equally frequent ones the first here is the majority.  By default the
        order of the class numbers.

    Raises
    ------
    UsageError
        If a setting is unknown; in fitting, if an attribute is not nominal, a value is
        missing, or an order or class label does not fit the sample.

    References
    ----------
    Martin & Hirschberg (1996), section 6; Quinlan (1986), Induction of decision trees.

    Examples
    --------
    >>> from errorest.data.sample import Attribute
    >>> wet, cold = (Attribute(a, "nominal", ("no", "yes")) for a in ("wet", "cold"))
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> s = Sample.from_arrays(X, ["out", "out", "out", "in"], attributes=[wet, cold])
    >>> tree = ID3().fit(s)
    >>> print(tree.to_text())
    wet = no: out (2)
    wet = yes
    |  cold = no: out (1)
    |  cold = yes: in (1)
    """

    name = "id3"
    sizes = ("criterion", "empty_branch")
    likes: ClassVar[Mapping[str, str]] = {"attribute_order": "2>0>1", "class_order": "yes>no"}

    criterion: Criterion = "gain"
    empty_branch: str = "parent-majority"
    attribute_order: tuple[int | str, ...] | None = None
    class_order: tuple[int | str, ...] | None = None

    def written(self, key: str) -> str:
        """Return the value of a setting as it stands in the id; an order as in ``2>0>1``."""
        value = getattr(self, key)
        return ">".join(str(v) for v in value) if isinstance(value, tuple) else str(value)

    @classmethod
    def value_of(cls, key: str, text: str) -> Any:
        """Read the value of a setting; an order also as a tuple."""
        if not key.endswith("_order") or text[:1] in "([" or text == "None":
            return super().value_of(key, text)
        return tuple(int(part) if part.isdigit() else part for part in text.split(">"))

    def fit(self, sample: Sample, rng: np.random.Generator | None = None) -> Tree:
        """Grow the tree of a whole sample."""
        problem, unit = self._problem(sample, sample.n)
        weight = count_each(unit, minlength=problem.y.shape[0])
        nodes, counts = _grow_one(weight, problem)
        return Tree(nodes, counts, sample.attributes, sample.classes)

    def _answer(self, sample: Sample, resamples: Resamples, labels: np.ndarray, probabilities: np.ndarray) -> int:
        compact = resamples.compact
        largest = max(compact.labels.shape[1], int(compact.counts.sum(axis=1).max(initial=0)))
        problem, unit = self._problem(sample, largest)
        _predict_rows(unit, problem, compact, resamples.start, resamples.cases, labels, probabilities)
        return -1

    def _problem(self, sample: Sample, largest: int) -> tuple[_Problem, np.ndarray]:
        for attribute in sample.attributes:
            if attribute.kind != "nominal":
                raise UsageError(
                    f"ID3 was given the {attribute.kind} attribute '{attribute.name}'; expected nominal attributes "
                    "only; cut it into categories, leave it out, or choose another inducer"
                )
        check_values(sample.X, sample.attributes, "ID3")
        arity = np.array([len(a.categories) for a in sample.attributes], dtype=np.int64)
        codes = sample.X.astype(np.int32)
        first, unit = _distinct(codes, sample.y, arity, sample.n_classes)
        codes, y = codes[first], sample.y[first]
        offset = np.concatenate([[0], np.cumsum(arity * sample.n_classes)])
        slot = (offset[:-1] + codes * sample.n_classes + y[:, None]).astype(np.int32)
        names = tuple(a.name for a in sample.attributes)
        attribute_order = _positions(self.attribute_order, names, "attribute")
        class_order = _positions(self.class_order, sample.classes, "class")
        if self.empty_branch == "parent-majority":
            empty = _PARENT
        elif self.empty_branch == "overall-majority":
            empty = _OVERALL
        elif self.empty_branch in sample.classes:
            empty = sample.classes.index(self.empty_branch)
        else:
            raise UsageError(
                f"an empty branch was to predict '{self.empty_branch}'; expected parent-majority, overall-majority "
                f"or a class of {sample.name}; "
                + nearest(self.empty_branch, ["parent-majority", "overall-majority", *sample.classes])
            )
        problem = _Problem(
            codes,
            y,
            slot,
            offset,
            arity,
            sample.n_classes,
            attribute_order,
            class_order,
            get_args(Criterion).index(self.criterion),
            empty,
            _plogp(largest.bit_length()),
        )
        return problem, unit


def _distinct(codes: np.ndarray, y: np.ndarray, arity: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return one case of each distinct (attributes, class) row, and the number of each case's row."""
    key = y.astype(np.int64)
    values = n_classes
    for j in range(codes.shape[1]):
        if values * int(arity[j]) > 2**62:
            known, key = np.unique(key, return_inverse=True)
            values = known.shape[0]
        key = key * arity[j] + codes[:, j]
        values *= int(arity[j])
    _, first, unit = np.unique(key, return_index=True, return_inverse=True)
    return first, unit


def _positions(order: Sequence[int | str] | None, names: tuple[str, ...], what: str) -> np.ndarray:
    if order is None:
        return np.arange(len(names))
    numbers = [names.index(v) if isinstance(v, str) and v in names else v for v in order]
    if sorted(map(str, numbers)) != sorted(map(str, range(len(names)))):
        raise UsageError(
            f"the {what} order {', '.join(map(str, order))} was asked for; expected each of {', '.join(names)} "
            f"once, by name or by number from 0"
        )
    return np.array(numbers, dtype=np.int64)
