"""``errorest clone``: a new sample like the one in a CSV file, drawn from its estimated density.

The clone is written as CSV, to standard output or to a file; what was smoothed and how is
said on standard error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.errors import UsageError
from errorest.files import check_output

if TYPE_CHECKING:
    from errorest.data.sample import Sample

__all__ = ["add_parser"]

_DESCRIPTION = """\
Draw a clone of a sample: new cases from a kernel estimate of its density (Shakhnarovich, El-Yaniv & Baram, 2001).

DATA is a CSV file with a header, or one of the project's data sets by name. Continuous values get noise, integer ones
move to values that their class has, nominal ones come in combinations that their class has; missing values stay.
"""

_EPILOG = """\
Bounds keep continuous values inside what is possible; each --bounds is one of:
  sample         between the least and the greatest value of each attribute in DATA
  NAME=LOW:HIGH  for one attribute; a side that is left out is open, as in --bounds weight=0:

Columns of whole numbers count as integer; --continuous NAME, or a file DATA.yml beside DATA.csv, says otherwise.

Examples:
  errorest clone data.csv --class-column y --n 500 --seed 1 --out clone.csv
  errorest clone pima --n 768 --bounds sample
"""


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line.

    Parameters
    ----------
    commands : the object that ``ArgumentParser.add_subparsers`` returns

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_parser(parser.add_subparsers())
    >>> parser.parse_args(["clone", "data.csv", "--n", "500"]).n
    500
    """
    one = commands.add_parser(
        "clone",
        help="draw a new sample like one of your own (smoothed bootstrap)",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument("data", metavar="DATA", help="a CSV file, or a data set of the project")
    one.add_argument("--class-column", metavar="NAME", help="by default the column called class")
    one.add_argument("--n", metavar="N", type=int, help="cases of the clone; by default as many as DATA has")
    one.add_argument("--seed", metavar="SEED", type=int, default=1, help="a whole number from 0; by default 1")
    one.add_argument("--pooled", action="store_true", help="smooth all classes alike instead of each by itself")
    one.add_argument("--kernel", metavar="NAME", default="epanechnikov", help="epanechnikov (default) or gaussian")
    one.add_argument("--stages", metavar="K", type=int, default=2, help="of the plug-in bandwidths, 0 to 6; default 2")
    one.add_argument("--bounds", metavar="BOUNDS", action="append", default=[], help="see below; may be repeated")
    one.add_argument(
        "--continuous", metavar="NAME", action="append", default=[], help="an attribute to smooth; may be repeated"
    )
    one.add_argument("--out", metavar="FILE.csv", type=Path, help="a new file; by default the clone is printed")
    one.add_argument("--force", action="store_true", help="write over a file that exists, but never over DATA")
    one.set_defaults(command=_clone)


def _clone(arguments: argparse.Namespace) -> None:
    import numpy as np

    from errorest.data.sets import companion_path, write_csv
    from errorest.resampling.clones import Cloner

    if arguments.out is not None:
        check_output(arguments.out, inputs=[arguments.data, companion_path(arguments.data)], force=arguments.force)
    if arguments.seed < 0:
        raise UsageError(f"the seed is {arguments.seed}; expected a whole number from 0; choose another with --seed")
    sample = _read(arguments.data, arguments.class_column, arguments.continuous)
    cloner = Cloner(
        sample,
        per_class=not arguments.pooled,
        kernel=arguments.kernel,
        stages=arguments.stages,
        bounds=_bounds(arguments.bounds),
    )
    n = sample.n if arguments.n is None else arguments.n
    if n < 1:
        raise UsageError(f"{n} cases were asked for; expected at least one; choose a positive number with --n")
    clone = cloner.sample(n, np.random.default_rng(arguments.seed))
    column = _class_column(arguments, sample)
    if arguments.out is None:
        with tempfile.TemporaryDirectory(prefix="errorest-clone-") as folder:
            write_csv(clone, Path(folder) / "clone.csv", class_column=column)
            sys.stdout.write((Path(folder) / "clone.csv").read_text(encoding="utf-8"))
    else:
        write_csv(clone, arguments.out, class_column=column)
    _say(sample, cloner, clone.n, arguments.out)


def _read(data: str, class_column: str | None, continuous: Sequence[str]) -> Sample:
    from errorest.data.sets import load_or_read, names, read_csv

    if not continuous:
        return load_or_read(data, class_column)
    if data in names():
        raise UsageError(
            f"--continuous was given for '{data}'; expected it beside a CSV file, for the project's sets have their "
            "kinds; leave it out"
        )
    return read_csv(data, class_column, kinds=dict.fromkeys(continuous, "continuous"))


def _class_column(arguments: argparse.Namespace, sample: Sample) -> str:
    """Name the class column as in the data, where a YAML file beside it may have said which it is."""
    from errorest.data.sets import names
    from errorest.data.tables import read_table

    if arguments.class_column is not None:
        return str(arguments.class_column)
    if arguments.data in names():
        return "class"
    table = read_table(arguments.data)
    others = [c for c in table.header if c not in {a.name for a in sample.attributes}]
    return next(c for c in others if set(table.column(c)) == set(sample.classes))


def _bounds(stated: Sequence[str]) -> Any:
    if not stated:
        return None
    if "sample" in stated:
        if len(stated) > 1:
            raise UsageError(
                "--bounds sample was given beside other bounds; expected it alone, or bounds by name; leave one out"
            )
        return "sample"
    pairs = [_one_bound(text) for text in stated]
    for k, (name, _) in enumerate(pairs):
        if name in [other for other, _ in pairs[:k]]:
            raise UsageError(f"--bounds was given twice for '{name}'; expected once an attribute; leave one out")
    return dict(pairs)


def _one_bound(text: str) -> tuple[str, tuple[float, float]]:
    name, equals, pair = text.rpartition("=")
    low, colon, high = pair.partition(":")
    try:
        if not (equals and colon):
            raise ValueError
        return name, (float(low) if low else float("-inf"), float(high) if high else float("inf"))
    except ValueError:
        raise UsageError(
            f"bounds '{text}' cannot be read; expected 'sample' or NAME=LOW:HIGH; write, say, --bounds age=0:120"
        ) from None


def _say(sample: Sample, cloner: Any, n: int, out: Path | None) -> None:
    kinds = [a.kind for a in sample.attributes]
    counts = ", ".join(f"{kinds.count(k)} {k}" for k in ("continuous", "integer", "nominal") if k in kinds)
    print(f"clone of {sample.name}: {n} cases from {sample.n}; attributes: {counts}", file=sys.stderr)
    if "continuous" in kinds:
        for label, h in cloner.bandwidths.items():
            shown = ", ".join(f"{v:.3f}" for v in h[:8]) + (", ..." if h.size > 8 else "")
            print(f"bandwidths of class {label}: {shown or 'none, nothing to smooth'}", file=sys.stderr)
    if out is not None:
        print(f"written to {out}", file=sys.stderr)
