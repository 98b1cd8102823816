"""The arithmetic of .632+: the relative overfitting rate, and the weight that it gives.

Readers of Efron & Tibshirani (1997) disagree on what is bounded by what; each
reading has a name.  All rates are proportions.
"""

from __future__ import annotations

from typing import Literal, get_args

from errorest.errors import UsageError, nearest

__all__ = ["Variant", "point_632_plus"]

Variant = Literal["efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"]


def point_632_plus(apparent: float, err1: float, gamma: float, variant: Variant = "efron-tibshirani") -> float:
    """Combine the three parts of .632+ (all proportions).

    With ``e = min(err1, gamma)`` and the relative overfitting rate
    ``r = (e - apparent)/(gamma - apparent)`` if err1 and gamma both exceed the apparent
    error, else 0: ``.368 apparent + .632 err1 + (e - apparent) .368 .632 r/(1 - .368 r)``.

    Parameters
    ----------
    apparent, err1, gamma : float
        Apparent error, leave-one-out bootstrap error, no-information rate.
    variant : {"efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"}
        ``unbounded-r`` takes r from err1 itself, as several packages do (r may exceed 1);
        ``truncated-632`` uses e in the .632 part too; ``zero-outside`` never replaces err1 by e, and
        sets ``r = (err1 - apparent)/(gamma - apparent)`` to 0 wherever it lies outside [0, 1] or is
        undefined, so that the plain .632 is left just where the inducer overfits most.

    References
    ----------
    Efron & Tibshirani (1997), section 3; ``zero-outside`` reproduces Shakhnarovich, El-Yaniv & Baram (2001).

    Examples
    --------
    >>> round(point_632_plus(0.0, 0.5, 0.5), 3)
    0.5
    """
    if variant not in (known := get_args(Variant)):
        raise UsageError(f"unknown variant '{variant}'; expected one of {', '.join(known)}; {nearest(variant, known)}")
    if variant == "zero-outside":
        r = (err1 - apparent) / (gamma - apparent) if gamma != apparent else 0.0
        r = r if 0.0 <= r <= 1.0 else 0.0
        return 0.368 * apparent + 0.632 * err1 + (err1 - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)
    bounded = min(err1, gamma)
    over = err1 > apparent and gamma > apparent
    r = ((err1 if variant == "unbounded-r" else bounded) - apparent) / (gamma - apparent) if over else 0.0
    plain = 0.368 * apparent + 0.632 * (bounded if variant == "truncated-632" else err1)
    return plain + (bounded - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)
