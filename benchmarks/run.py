"""Run every benchmark of this folder, one after another, and print what each measures.

A benchmark is a module with a ``main()`` that prints its figures and returns
those to keep as a list of (quantity, value, unit).  With ``--record`` they are
written to ``measured.csv``, from where the book shows them; figures of
benchmarks that were not run now stay as they are.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import os
import platform
import sys
from datetime import date
from pathlib import Path

# one core for every benchmark and what it is compared with, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

FOLDER = Path(__file__).parent
MEASURED = FOLDER / "measured.csv"
COLUMNS = ["benchmark", "quantity", "value", "unit", "machine", "date"]
# timing.py is what they share, memory.py measures a command that is named to it, and edits.py changes the checkout
OTHERS = ("run", "timing", "memory", "edits", "kept_back")
BENCHMARKS = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in OTHERS)


def machine() -> str:
    """Describe the machine without naming it."""
    return f"{os.cpu_count()} cores, {platform.machine().replace('_', '-')}"


def record(benchmark: str, figures: list[tuple[str, float, str]]) -> None:
    """Write the figures of a benchmark in place of all its earlier ones."""
    rows: list[dict[str, str]] = []
    if MEASURED.exists():
        with MEASURED.open(newline="") as file:
            rows = list(csv.DictReader(file))
    rows = [r for r in rows if r["benchmark"] != benchmark]
    for quantity, value, unit in figures:
        text = str(value) if isinstance(value, int) else f"{value:.4g}"
        cells = (benchmark, quantity, text, unit, machine(), date.today().isoformat())
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    rows.sort(key=lambda r: r["benchmark"])
    whole = MEASURED.with_suffix(".new")
    with whole.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    whole.replace(MEASURED)


def main() -> int:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(description="Run the benchmarks and print what they measure.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"benchmarks to run: {', '.join(BENCHMARKS)}")
    parser.add_argument("--record", action="store_true", help="write the figures to measured.csv")
    arguments = parser.parse_args()
    unknown = [n for n in arguments.names if n not in BENCHMARKS]
    if unknown:
        print(f"error: unknown benchmark '{unknown[0]}'; expected one of {', '.join(BENCHMARKS)}")
        return 2
    for name in arguments.names or BENCHMARKS:
        others = os.getloadavg()[0]
        print(f"{name} ({machine()}, load {others:.1f} before)", flush=True)
        figures = importlib.import_module(name).main()
        if arguments.record and figures:
            record(name, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
