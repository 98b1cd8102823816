"""Make the calls of ``page_calls.py`` and write what they return as JSON; compare two such files.

``smoke.py OUT [NAME ...]`` runs the calls, or those whose names begin so; ``smoke.py --compare ONE OTHER`` tells where
numbers differ by more than 1e-12, or texts at all.  ``smoke.mjs`` runs the calls in Pyodide.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

TOLERANCE = 1e-12
# What a call took is another time each time
OF_THE_RUN = {"seconds"}


def run(names: list[str]) -> dict[str, Any]:
    """Return results and seconds by name of a call."""
    from page_calls import all_calls

    warnings.simplefilter("ignore")
    out: dict[str, Any] = {}
    for name, call in all_calls().items():
        if not names or any(name.startswith(one) for one in names):
            began = time.perf_counter()
            result = call().to_dict()
            seconds = round(time.perf_counter() - began, 2)
            print(f"{name}: {seconds} s", file=sys.stderr)
            out[name] = {"result": json.loads(json.dumps(result, default=str)), "seconds": seconds}
    return out


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """List where two results differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [line for key in one.keys() - OF_THE_RUN for line in differences(one[key], other[key], f"{path}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for i, (a, b) in pairs for line in differences(a, b, f"{path}/{i}")]
    if isinstance(one, float) and isinstance(other, float):
        near = abs(one - other) <= TOLERANCE * max(1.0, abs(one), abs(other))
        return [] if near or (one != one and other != other) else [f"{path}: {one!r} and {other!r}"]
    return [] if one == other else [f"{path}: {one!r} and {other!r}"]


def compare(first: str, second: str) -> None:
    """Exit with the differences of two files, if there are any."""
    one, other = (json.loads(Path(name).read_text()) for name in (first, second))
    lines = [f"{name}{line}" for name in other for line in differences(one[name]["result"], other[name]["result"])]
    print(f"{len(other)} calls, {len(lines)} differences")
    if lines:
        sys.exit("\n".join(lines[:20]))


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(*sys.argv[2:])
    else:
        Path(sys.argv[1]).write_text(json.dumps(run(sys.argv[2:])))
