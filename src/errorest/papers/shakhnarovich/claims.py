"""What the paper says in numbers about all its cases: how often the new estimators win, and by how much.

The functions take lists of :class:`~errorest.papers.shakhnarovich.winners.Case`, so that
they serve the synthetic half, the UCI half and both together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from errorest.evidence.regenerated import Row
from errorest.papers.shakhnarovich.named import BSCV, CV, TRUE_ERROR, title_of
from errorest.papers.shakhnarovich.winners import Case, Contest, contest
from errorest.streams import Streams

__all__ = ["Count", "better_than_all", "count_rows", "significantly_better", "words_for"]

_RESAMPLED = 1000


class Count(NamedTuple):
    """In how many cases something holds, its standard error over new sets of trials, which cases, and of how many."""

    value: int
    se: float
    cases: tuple[str, ...]
    of: int
    n: int


def significantly_better(
    cases: Sequence[Case], streams: Streams, level: float, *, known: dict[str, Contest] | None = None
) -> Count:
    """Count the cases in which the best new estimator is significantly better than the best old one.

    Parameters
    ----------
    cases : sequence of Case
    streams : Streams
        Child ``row`` of it draws the sets of trials behind a case's share.
    level : float
        Largest p-value that counts as significant: .01 in section 6, .1 in section 8.
    known : dict of str to Contest, optional
        Contests that stand already, by row; others are added.

    Returns
    -------
    Count
    """
    contests = {} if known is None else known
    found, unsure, trials = [], 0.0, []
    for case in cases:
        if case.row not in contests:
            contests[case.row] = contest(case.estimates, streams.child(case.row))
        one = contests[case.row]
        holds, share = one.significant(level)
        found += [case.row] if holds else []
        unsure += share * (1 - share)
        trials.append(one.test.n)
    return Count(len(found), sqrt(unsure), tuple(found), len(cases), min(trials, default=0))


def better_than_all(cases: Sequence[Case], name: str, others: Sequence[str], streams: Streams) -> Count:
    """Count the cases in which an estimator has a smaller RMSE than each of some others.

    Parameters
    ----------
    cases : sequence of Case
    name : str
        Cases without it are left out.
    others : sequence of str
        Those that a case lacks are passed over.
    streams : Streams
        Draws the sets of trials behind the standard error.

    Returns
    -------
    Count

    Examples
    --------
    >>> estimates = {"true-error": np.zeros(3), "loo": np.full(3, 0.2), "cloned-632": np.full(3, 0.1)}
    >>> better_than_all([Case("1/ldf", "literal", estimates)], "cloned-632", ["loo"], Streams(1)).value
    1
    """
    found, unsure, trials, number = [], 0.0, [], 0
    for case in cases:
        rivals = [e for e in others if e in case.estimates]
        if name not in case.estimates or not rivals:
            continue
        number += 1
        truth = case.estimates[TRUE_ERROR]
        squares = np.array([(case.estimates[e] - truth) ** 2 for e in (name, *rivals)])
        n = truth.shape[0]
        rng = streams.child(case.row).generator(name)
        weights = rng.multinomial(n, np.full(n, 1 / n), size=_RESAMPLED)
        drawn = np.einsum("rn,en->re", weights, squares)
        share = float(np.mean(drawn[:, 0] < drawn[:, 1:].min(axis=1)))
        unsure += share * (1 - share)
        whole = squares.sum(axis=1)
        found += [case.row] if whole[0] < whole[1:].min() else []
        trials.append(n)
    return Count(len(found), sqrt(unsure), tuple(found), number, min(trials, default=0))


def count_rows(group: str, cases: Sequence[Case], streams: Streams, level: float, reading: str) -> list[Row]:
    """Make the printed counts that both halves of the paper have, under artifact ``shakhnarovich-claims``.

    Parameters
    ----------
    group : str
        ``synthetic``, ``uci`` or ``all``, the row of the printed keys.
    cases : sequence of Case
        One reading of each case.
    streams : Streams
    level : float
        As in :func:`significantly_better`.
    reading : str
        What the rows are filed under.
    """
    counts: dict[str, Callable[[], Count]] = {
        "cases-with-significantly-better-new": lambda: significantly_better(cases, streams, level),
        "cloned-632plus-beats-632plus": lambda: better_than_all(
            cases, "cloned-632plus", ["bootstrap-632plus"], streams
        ),
        "cloned-bscv-5-beats-all-cv-and-bscv": lambda: better_than_all(cases, "cloned-bscv-5", [*CV, *BSCV], streams),
    }
    rows = []
    for column, count in counts.items():
        c = count()
        rows.append(Row(reading, group, column, float(c.value), c.se, c.n, "shakhnarovich-claims"))
    return rows


def words_for(rows: Sequence[str], places: str = "setting") -> str:
    """Write a list of cases in words; ``none`` where there is none.

    Examples
    --------
    >>> words_for(["1/ldf", "1/3-nn", "4/svm-rbf"])
    'setting 1: LDF, 3-NN; setting 4: RBF SVM'
    """
    groups: dict[str, list[str]] = {}
    for row in rows:
        place, _, classifier = row.partition("/")
        groups.setdefault(place, []).append(title_of(classifier))
    texts = [f"{f'{places} ' if places else ''}{place}: {', '.join(own)}" for place, own in groups.items()]
    return "; ".join(texts) or "none"
