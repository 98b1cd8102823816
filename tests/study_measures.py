"""Measures that worker processes of the tests can import, and what comes out: a fingerprint, values by key."""

import hashlib
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from compendium import versions
from compendium.studies.columns import Coded
from compendium.studies.study import Study, StudyError
from errorest.errors import UsageError
from errorest.streams import Streams


def tosses(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    draws = [streams.child(r).generator("tosses").normal(size=cell["n"]) for r in replicates]
    return {"mean": np.array([d.mean() for d in draws]), "above": np.array([np.sum(d > 0) for d in draws])}


def fails_at_seven(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    if 7 in replicates:
        raise ZeroDivisionError("seven")
    return tosses(cell, replicates, streams)


def refuses(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    raise UsageError("k is 11; expected at most 10; choose a smaller k")


FAILING = [
    (fails_at_seven, StudyError, ["'coins'", "'n': 3", "replicates 4 to 7", "ZeroDivisionError: seven"]),
    (refuses, UsageError, ["k is 11; expected at most 10; choose a smaller k", "'coins'", "'n': "]),
]
"""Measures that fail, the kind of error, and words of its message."""


def one_column_too_short(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    return {"mean": np.zeros(len(replicates) - 1)}


def dies(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    signal.raise_signal(signal.SIGKILL)
    return tosses(cell, replicates, streams)


def settings_in_force(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    return {"in_force": np.full(len(replicates), versions.in_force())}


def never_ends(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """One cell waits until the other has begun; that one says so and stays for ever."""
    pipe = Path(cell["pipe"])
    if cell["first"]:
        pipe.write_text("begun")
        signal.pause()
    pipe.read_text()
    return {"one": np.ones(len(replicates))}


def coins(**changes: Any) -> Study:
    """Two cells of different size and length, cut so that the last chunks are short."""
    given: dict[str, Any] = {
        "id": "coins",
        "cells": ({"n": 3, "rule": "fair"}, {"n": 5, "rule": "fair"}),
        "replicates": (23, 9),
        "measure": tosses,
        "seed": 5,
        "chunk": 4,
    }
    return Study(**{**given, **changes})


def fingerprint(frame: pd.DataFrame) -> str:
    """Digest names, types and every bit of a table."""
    digest = hashlib.sha256(repr(list(zip(frame.columns, frame.dtypes.astype(str), strict=True))).encode())
    for name in frame.columns:
        values = frame[name].to_numpy()
        digest.update(values.tobytes() if values.dtype.kind in "if" else repr(values.tolist()).encode())
    return digest.hexdigest()


def values(made: Any) -> dict[tuple[str, str], float]:
    """Values of an artifact's rows by row and column."""
    return {(r.row, r.column): r.value for r in made.rows}


def every_toss(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, Any]:
    """As many lines a replicate as its number says."""
    numbers = [r for r in replicates for _ in range(r)]
    tosses_of = {r: streams.child(r).generator("tosses").random(r) for r in replicates}
    tossed = np.concatenate([tosses_of[r] for r in replicates])
    sides = np.where(tossed < 0.5, "heads", "tails")
    return {"replicate": np.array(numbers, dtype=np.int64), "toss": tossed, "side": Coded.of(sides.tolist())}


def coins_of(cell: Mapping[str, Any]) -> Any:
    """A design: what one replicate of a cell yields."""

    def replicate(place: Streams) -> dict[str, Any]:
        heads = int((place.generator("tosses").random(cell["n"]) < 0.5).sum())
        return {"heads": heads, "side": "heads" if heads > 4 else "tails"}

    return replicate
