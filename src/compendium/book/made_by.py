"""The functions that made an artifact, read from the code: what samples and trains, what tabulates, what draws.

Nothing runs.  From the function that computes an artifact the ones that it names are followed within the compendium;
those among them that turn a cell of a study into an experiment sample and train.
"""

from __future__ import annotations

import inspect
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from compendium.evidence.artifact import Artifact
from compendium.evidence.side_by_side import draw_side_by_side

# What every artifact is run, shown and drawn by says nothing of the one at hand
_ENGINE = ("compendium.book", "compendium.evidence", "compendium.plots", "compendium.studies")


class Made(NamedTuple):
    """A function, and its lines in its file."""

    what: str
    name: str
    file: Path
    first: int
    last: int


def made_by(artifact: Artifact) -> list[Made]:
    """Return the functions that made an artifact, in the order in which they are called."""
    compute = plain(artifact.compute)
    experiments = [_made("samples and trains", one) for one in experiments_of(compute)]
    drawing = [_made("draws", plain(artifact.draw or draw_side_by_side))]
    return [*experiments, _made("tabulates", compute), *drawing]


def plain(function: Any) -> FunctionType:
    """Return the function itself of a partial or decorated one."""
    while isinstance(function, partial):
        function = function.func
    result = inspect.unwrap(function)
    assert isinstance(result, FunctionType)
    return result


@cache
def experiments_of(compute: FunctionType) -> list[FunctionType]:
    """Return the functions by which the studies measure that a function runs, near ones first."""
    reached = [compute]
    for function in reached:
        # what it names of its module, in its own code and in that of functions within
        codes = [function.__code__]
        for code in codes:
            codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
            values = [function.__globals__[name] for name in code.co_names if name in function.__globals__]
            reached += [one for one in map(_function, values) if one is not None and one not in reached]
    return [one for one in reached if is_design(one)]


def is_design(function: FunctionType) -> bool:
    """Whether a study measures by a function: it turns a cell into an experiment, or into what measures a replicate."""
    takes = next(iter(function.__code__.co_varnames[: function.__code__.co_argcount]), "")
    return takes == "cell" and str(function.__annotations__.get("return")) in ("Experiment", "Replicate")


def _function(named: Any) -> FunctionType | None:
    """Return what is named as a function of the compendium apart from its engine; None otherwise."""
    while isinstance(named, partial):
        named = named.func
    named = inspect.unwrap(named) if callable(named) else named
    if not isinstance(named, FunctionType) or not named.__module__.startswith("compendium."):
        return None
    return None if named.__module__.startswith(_ENGINE) else named


def _made(what: str, function: FunctionType) -> Made:
    lines, first = inspect.getsourcelines(function)
    return Made(what, function.__name__, Path(inspect.getfile(function)), first, first + len(lines) - 1)
