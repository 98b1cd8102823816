"""Numbers as pages show them, and the anchors of their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import floor, isfinite, log10
from typing import Any

__all__ = ["number", "row_anchor"]

_TINY = 1e-6
"""Numbers without an error that are smaller than this are written with a power of ten."""

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float | None, se: float | None, decimals: float | None = None) -> str:
    """Write a value with no more digits than its error supports."""
    if value is None or not isfinite(value):
        return "–"
    if decimals is None or not isfinite(decimals):
        return _three_digits(value, se)
    printed = int(decimals)
    if se is None or not isfinite(se) or se <= 0:
        text = f"{value:.{printed + 2}f}".rstrip("0").rstrip(".") if printed + 2 else f"{value:.0f}"
        return "0" if text in ("-0", "") else text.replace("-", "−")
    digits = max(0, min(printed + 1, 1 - floor(log10(se))))
    text = f"{value:.{digits}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")


def _three_digits(value: float, se: float | None) -> str:
    """Write three digits that count, and fewer where the error supports no more; whole numbers stay whole."""
    if value == 0:
        return "0"
    if abs(value) < _TINY and not se:
        mantissa, _, power = f"{value:.2e}".partition("e")
        return f"{mantissa.replace('-', '−')}·10⁻" + str(abs(int(power))).translate(_RAISED)
    digits = max(0, 2 - floor(log10(abs(value))))
    if se is not None and isfinite(se) and se > 0:
        digits = max(0, min(digits, 1 - floor(log10(se))))
        text = f"{value:.{digits}f}"
    else:
        text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")


def row_anchor(manifest: Mapping[str, Any], row: str, column: str) -> str:
    """Return the anchor of a number's row on its page."""
    parts = [row] if manifest.get("matrix") else [row, column]
    plain = (re.sub(r"[^A-Za-z0-9.]+", "-", p.replace("+", "plus").replace("*", "star")).strip("-") for p in parts)
    return f"row-{manifest['id']}-{'-'.join(plain)}"
