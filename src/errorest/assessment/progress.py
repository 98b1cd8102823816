"""How far a run is, told on standard error: a bar in a terminal, elsewhere one line at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

__all__ = ["teller"]


def teller(name: str) -> Callable[[int, int], None]:
    """Return what shows progress on standard error."""
    # tqdm comes with the extra 'book'
    if not sys.stderr.isatty() or find_spec("tqdm") is None:
        return _line_teller(name)
    from tqdm import tqdm

    bar: Any = None

    def tell(done: int, of: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(desc=name[:40], unit="fit", total=of)
        bar.update(done)
        if bar.n >= of:
            bar.close()

    return tell


def _line_teller(name: str) -> Callable[[int, int], None]:
    began, so_far = time.perf_counter(), 0

    def tell(done: int, of: int) -> None:
        nonlocal so_far
        so_far += done
        if so_far >= of:
            print(f"{name[:40]}: {so_far}/{of} fits in {time.perf_counter() - began:.2g} s", file=sys.stderr)

    return tell
