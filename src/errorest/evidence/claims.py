"""How a measured value is held against a claim, and how both are worded."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Outcome

__all__ = ["clear", "counted", "graded", "plus_minus", "signed"]

Truth = bool | np.bool_


def plus_minus(m: Measured, sign: str = "+", digits: int = 1, errors: float = 1.96, minus: str = "−") -> str:
    """Write a value with some of its standard errors to both sides.

    Examples
    --------
    >>> plus_minus(Measured(1.234, 0.5, 10))
    '+1.2 ± 1.0'
    """
    return f"{m.value:{sign}.{digits}f} ± {errors * m.se:.{digits}f}".replace("-", minus)


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign.

    Examples
    --------
    >>> signed(-0.25, 2)
    '−0.25'
    """
    return f"{value:+.{digits}f}".replace("-", "−")


def clear(m: Measured, sign: int = 0, errors: float = 1.96) -> bool:
    """Say whether a value lies on one side of zero, on either by default, by more than some of its standard errors.

    Examples
    --------
    >>> clear(Measured(-2.0, 1.0, 9)), clear(Measured(-2.0, 1.0, 9), 1), clear(Measured(1.0, 1.0, 9), 1)
    (True, False, False)
    """
    return (sign * m.value if sign else abs(m.value)) > errors * m.se


def counted(number: float, noun: str) -> str:
    """Write a number before what it counts.

    Examples
    --------
    >>> counted(1, "point"), counted(2.5, "point")
    ('1 point', '2.5 points')
    """
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def graded(parts: Truth | Iterable[Truth], otherwise: Outcome = "fails") -> Outcome:
    """Judge a claim by whether it is right, or by its parts; ``otherwise`` is what follows where none is right.

    Examples
    --------
    >>> graded([True, True]), graded([True, False]), graded([False]), graded(False, "not decided")
    ('holds', 'holds in part', 'fails', 'not decided')
    """
    known = [bool(part) for part in parts] if isinstance(parts, Iterable) else [bool(parts)]
    return "holds" if all(known) else "holds in part" if any(known) else otherwise
