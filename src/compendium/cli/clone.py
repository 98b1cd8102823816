"""``compendium clone``: a new sample like the one in a CSV file, drawn from its estimated density."""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from errorest.cli.output import say
from errorest.cli.own_data import by_column, read_sample, reading_options, say_understood
from errorest.errors import UsageError, visible
from errorest.files import check_output, write_output

# Cases that a clone may have
_MOST = 100_000_000


def clone_sample(arguments: argparse.Namespace) -> None:
    """``compendium clone``."""
    import numpy as np

    from compendium.methods.clones import Cloner
    from compendium.methods.samples import csv_text, load_or_read
    from errorest.data.sets import names

    if arguments.out is not None:
        check_output(arguments.out, inputs=[arguments.data], force=arguments.force)
    data, shipped = arguments.data, arguments.data in names()
    if not shipped and (data.endswith((".csv", ".gz")) or Path(data).exists()):
        sample = read_sample(arguments)
    elif shipped and reading_options(arguments):
        raise UsageError(f"'{data}' is a set of the project and an option of files was given; leave it out")
    else:
        sample = load_or_read(data, arguments.target)
    cloner = Cloner(
        sample,
        per_class=not arguments.pooled,
        kernel=arguments.kernel,
        stages=arguments.stages,
        bounds=_bounds(arguments.bounds),
    )
    n = sample.n if arguments.n is None else arguments.n
    if not 1 <= n <= _MOST:
        raise UsageError(f"--n {n} was given; expected from 1 to {_MOST} cases")
    clone = cloner.sample(n, np.random.default_rng(arguments.rng))
    column = sample.read_report.class_column if sample.read_report else "class"
    if arguments.for_spreadsheets:
        # ' before what a spreadsheet would run as formulas
        attributes = tuple(
            replace(a, name=_escaped(a.name), categories=tuple(map(_escaped, a.categories))) for a in clone.attributes
        )
        clone = replace(clone, attributes=attributes, classes=tuple(map(_escaped, clone.classes)))
        column = _escaped(column)
    text = csv_text(clone, class_column=column)
    if arguments.out is None:
        if sys.stdout.isatty():
            say(text.rstrip("\n"))
        else:
            sys.stdout.write(text)
    else:
        zipped = arguments.out.name.endswith(".gz")
        write_output(arguments.out, gzip.compress(text.encode(), mtime=0) if zipped else text)
    say_understood(sample)
    kinds = [a.kind for a in sample.attributes]
    counts = ", ".join(f"{kinds.count(k)} {k}" for k in ("continuous", "integer", "nominal") if k in kinds)
    say(f"clone of {visible(sample.name)}: {clone.n} cases from {sample.n}; attributes: {counts}", sys.stderr)
    if "continuous" in kinds:
        for label, h in cloner.bandwidths.items():
            shown = ", ".join(f"{v:.3f}" for v in h[:8]) + (", ..." if h.size > 8 else "")
            say(f"bandwidths of class {visible(label)}: {shown or 'none, nothing to smooth'}", sys.stderr)
    if arguments.out is not None:
        say(f"written to {visible(str(arguments.out))}", sys.stderr)
    if arguments.for_spreadsheets:
        print("' stands before names and categories that start with =, +, - or @", file=sys.stderr)


def _escaped(text: str) -> str:
    return f"'{text}" if text.startswith(tuple("=+-@\t\r")) else text


def _bounds(stated: Sequence[str]) -> Literal["sample"] | dict[str, tuple[float, float]] | None:
    if "sample" in stated:
        if len(stated) > 1:
            raise UsageError("--bounds sample was given beside other bounds; leave one out")
        return "sample"
    bounds: dict[str, tuple[float, float]] = {}
    wanted = "NAME=LOW:HIGH, say --bounds age=0:120"
    for name, text in by_column("--bounds", stated, wanted).items():
        try:
            low, high = text.split(":")
            bounds[name] = float(low or "-inf"), float(high or "inf")
        except ValueError:
            raise UsageError(f"bounds '{name}={text}' cannot be read; write {wanted}") from None
    return bounds or None
