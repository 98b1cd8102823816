"""Tables 5, 6 and "Figure 7" of the page: training cases, testing cases, iterations.

Each scheme is applied to several designs (n, j, B); what it trains on, tests on and how often is
counted, and the expression that fits every design is looked for.  Nothing is taken from the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd

from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter
from errorest.resampling import draw as resampling
from errorest.resampling.draw import Resamples
from errorest.streams import Streams

__all__ = ["EXPRESSIONS", "Design", "SchemeParameters", "count", "expression", "figure_7", "table_5", "table_6"]


class Design(NamedTuple):
    """A sample size n, a number of training cases j and a number of subsamples B."""

    n: int
    j: int
    B: int


DESIGNS = (Design(20, 13, 5), Design(31, 20, 7), Design(50, 49, 3), Design(60, 7, 12))
"""No two of the numbers n, j, B, their differences and 1 and 10 agree in all of them."""

EXPRESSIONS: Mapping[str, Callable[[Design], Fraction]] = {
    "1": lambda d: Fraction(1),
    "10": lambda d: Fraction(10),
    "B": lambda d: Fraction(d.B),
    "j": lambda d: Fraction(d.j),
    "n": lambda d: Fraction(d.n),
    "n - 1": lambda d: Fraction(d.n - 1),
    "n - j": lambda d: Fraction(d.n - d.j),
    "90%": lambda d: Fraction(9, 10) * d.n,
    "10%": lambda d: Fraction(1, 10) * d.n,
}
"""Candidates, by the way the page writes them; shares are of n."""

SCHEMES: Mapping[str, Callable[[Design, np.random.Generator], Resamples]] = {
    "holdout": lambda d, rng: resampling.holdout(d.n, rng, test=d.n - d.j),
    "random-subsampling": lambda d, rng: resampling.holdout(d.n, rng, test=d.n - d.j, repeats=d.B),
    "leave-one-out": lambda d, rng: resampling.leave_one_out(d.n),
    "cv-10": lambda d, rng: resampling.k_fold(d.n, 10, rng),
    "bootstrap": lambda d, rng: resampling.bootstrap(d.n, d.B, rng),
}


class SchemeParameters(Parameters):
    """Parameters of the tables."""

    seed: int = parameter(2001, "seed of the splits that are counted", ge=0)


def count(resamples: Resamples) -> dict[str, Fraction]:
    """Count what a scheme trains on, tests on and how often.

    Parameters
    ----------
    resamples : Resamples

    Returns
    -------
    dict
        ``training-cases`` and ``testing-cases``, means over the iterations, ``distinct-training-cases``,
        and ``iterations``; exact fractions.

    Examples
    --------
    >>> count(resampling.leave_one_out(5))["training-cases"]
    Fraction(4, 1)
    """
    training, rows = resamples.training_counts(), resamples.n_rows
    return {
        "training-cases": Fraction(int(training.sum()), rows),
        "distinct-training-cases": Fraction(int((training > 0).sum()), rows),
        "testing-cases": Fraction(resamples.cases.shape[0], rows),
        "iterations": Fraction(rows),
    }


def expression(counts: Sequence[Fraction], designs: Sequence[Design] = DESIGNS) -> str:
    """Find the expression that gives the counts of all designs.

    Parameters
    ----------
    counts : sequence of Fraction
        One a design.
    designs : sequence of Design

    Returns
    -------
    str
        A key of :data:`EXPRESSIONS`, or the empty text if none fits.

    Examples
    --------
    >>> expression([Fraction(d.n - 1) for d in DESIGNS])
    'n - 1'
    """
    fitting = [k for k, f in EXPRESSIONS.items() if all(f(d) == c for d, c in zip(designs, counts, strict=True))]
    return fitting[0] if fitting else ""


def _counted(name: str, p: SchemeParameters) -> dict[str, list[Fraction]]:
    found: dict[str, list[Fraction]] = {}
    for d in DESIGNS:
        for column, value in count(SCHEMES[name](d, Streams(p.seed).generator(name, list(d)))).items():
            found.setdefault(column, []).append(value)
    return found


def _table(names: Sequence[str], p: SchemeParameters, printed: Mapping[str, tuple[str, str, str]]) -> Regenerated:
    """Count some schemes; numbers among the expressions become rows, and all are held against the page's."""
    lines, rows, checks = [], [], []
    for name in names:
        counted = _counted(name, p)
        found = [expression(counted[c]) for c in ("training-cases", "testing-cases", "iterations")]
        line = dict(zip(("training-cases", "testing-cases", "iterations"), found, strict=True))
        lines.append({"scheme": name, **line})
        rows += _rows(name, line)
        checks.append(
            Check(
                f"{name} trains on {printed[name][0]} cases, tests on {printed[name][1]}, {printed[name][2]} times.",
                f"counted over {len(DESIGNS)} designs: {', '.join(found)}",
                "holds" if tuple(found) == printed[name] else "fails",
            )
        )
    return Regenerated(rows, data={"expressions": pd.DataFrame(lines)}, checks=checks)


def _rows(name: str, line: Mapping[str, str]) -> list[Row]:
    """Numbers as they are; an expression as a label, with the share of designs in which it holds."""
    return [
        Row("literal", name, column, float(text), 0.0, 1)
        if text.isdigit()
        else Row("literal", name, f"{column}={text}", 1.0, 0.0, len(DESIGNS))
        for column, text in line.items()
        if text
    ]


def table_5(p: SchemeParameters, run: Run | None = None) -> Regenerated:
    """Table 5: holdout and random subsampling.

    Parameters
    ----------
    p : SchemeParameters
    run : callable, optional
        Not used: nothing here is worth storing.

    Returns
    -------
    Regenerated
        Rows of the numbers in the table, data ``expressions`` with all of it, and a check a scheme.

    Examples
    --------
    >>> table_5(SchemeParameters()).data["expressions"].iloc[1].tolist()
    ['random-subsampling', 'j', 'n - j', 'B']
    """
    return _table(
        ["holdout", "random-subsampling"],
        p,
        {"holdout": ("j", "n - j", "1"), "random-subsampling": ("j", "n - j", "B")},
    )


def table_6(p: SchemeParameters, run: Run | None = None) -> Regenerated:
    """Table 6: leave-one-out and 10-fold cross-validation; as :func:`table_5`.

    Shares of 10-fold cross-validation are those of the folds' mean; where 10 does not divide n, folds
    differ by a case.

    Examples
    --------
    >>> [(r.row, r.column, r.value) for r in table_6(SchemeParameters()).rows]
    [('leave-one-out', 'training-cases=n - 1', 1.0), ('leave-one-out', 'testing-cases', 1.0),
     ('leave-one-out', 'iterations=n', 1.0), ('cv-10', 'training-cases=90%', 1.0),
     ('cv-10', 'testing-cases=10%', 1.0), ('cv-10', 'iterations', 10.0)]
    """
    made = _table(["leave-one-out", "cv-10"], p, {"leave-one-out": ("n - 1", "1", "n"), "cv-10": ("90%", "10%", "10")})
    rng = Streams(p.seed).generator("coverage")
    tested = [SCHEMES[name](d, rng).test_counts().sum(axis=0) for name in ("leave-one-out", "cv-10") for d in DESIGNS]
    special = all(
        np.array_equal(
            np.unique(resampling.k_fold(d.n, d.n, rng).training_counts(), axis=0),
            np.unique(resampling.leave_one_out(d.n).training_counts(), axis=0),
        )
        for d in DESIGNS
    )
    made.checks.extend(
        [
            Check(
                "All cases are used for testing.",
                f"each case is tested {min(t.min() for t in tested)} to {max(t.max() for t in tested)} times",
                "holds" if all((t == 1).all() for t in tested) else "fails",
            ),
            Check(
                "Leave-one-out is a special case of cross-validation.",
                f"n folds of n cases have the same training sets in {len(DESIGNS)} designs"
                if special
                else "n folds of n cases have other training sets",
                "holds" if special else "fails",
            ),
        ]
    )
    return made


def figure_7(p: SchemeParameters, run: Run | None = None) -> Regenerated:
    """The table called Figure 7: bootstrap estimators; as :func:`table_5`.

    j is the number of distinct training cases, which differs from one bootstrap sample to the next:
    the page's n - j is checked sample by sample.  How many iterations are needed is measured with the
    claims (:mod:`errorest.papers.lis.claims`).

    Examples
    --------
    >>> figure_7(SchemeParameters()).data["expressions"].iloc[0].tolist()
    ['bootstrap', 'n (j unique)', 'n - j', 'B']
    """
    counted = _counted("bootstrap", p)
    agree = True
    for d in DESIGNS:
        drawn = SCHEMES["bootstrap"](d, Streams(p.seed).generator("each", list(d)))
        distinct = (drawn.training_counts() > 0).sum(axis=1)
        agree &= bool((np.diff(drawn.start) == d.n - distinct).all())
    trained = expression(counted["training-cases"])
    unique = counted["distinct-training-cases"] != counted["training-cases"]
    line = {
        "scheme": "bootstrap",
        "training-cases": f"{trained} (j unique)" if unique else trained,
        "testing-cases": "n - j" if agree else "",
        "iterations": expression(counted["iterations"]),
    }
    return Regenerated(
        _rows("bootstrap", {k: v for k, v in line.items() if k != "scheme"}),
        data={"expressions": pd.DataFrame([line])},
        checks=[
            Check(
                "The bootstrap trains on n cases, j of them distinct, and tests on n - j.",
                f"counted over {len(DESIGNS)} designs, sample by sample: {line['training-cases']}, "
                f"{line['testing-cases']}",
                "holds" if line["training-cases"] == "n (j unique)" and agree else "fails",
            )
        ],
        errata=[
            Erratum("Figure 7", "Figure 7", "Table 7", "it is a table, and the text before it refers to Table 7"),
            Erratum("section on cross-validation", "known from 19060s", "1960s", "a slip of the keyboard"),
        ],
    )
