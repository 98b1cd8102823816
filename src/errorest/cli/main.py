"""The command line: list, params, run, replicate, explain, verdicts, tuning-bias, clone, cite, build, clean, ...

A person's mistake is one line on standard error and exit status 2, with no
traceback; a fault of ours keeps its traceback.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.cli.chance import add_parser as add_chance
from errorest.cli.checking import add_parsers as add_checking
from errorest.cli.choose import add_parsers as add_choose
from errorest.cli.cite import add_parsers as add_cite
from errorest.cli.clean import add_parser as add_clean
from errorest.cli.clone import add_parser as add_clone
from errorest.cli.compiling import add_parser as add_compile
from errorest.cli.compiling import keep_compiled, tell_when_compiling
from errorest.cli.estimate import add_parsers as add_own_data
from errorest.cli.growing import add_parsers as add_growing
from errorest.cli.output import complain, leave_output, what_is_lacking
from errorest.cli.replicate import add_parser as add_replicate
from errorest.cli.run import add_parser as add_run
from errorest.cli.run import add_run_options, add_worker_options, cores, jobs, options_of, planned
from errorest.cli.score import add_parsers as add_score
from errorest.cli.tuning_bias import add_parser as add_tuning_bias
from errorest.cli.verify import add_parsers as add_verify
from errorest.errors import UsageError

__all__ = ["main"]

_COMPILED = frozenset(
    {"estimate", "score", "compare", "check", "learning-curve", "clone", "tuning-bias", "replicate", "choose", "chance"}
)
"""Commands that call compiled functions in this very process."""

_PYTHONS = ((3, 11), (3, 13))
_VERDICT = ["artifact", "row", "column", "printed", "reading", "scale", "value", "se", "n", "z", "verdict", "reason"]
_NOTHING_KEPT = "nothing is kept, and the same command starts anew"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; by default those of the process.

    Returns
    -------
    int
        0; 2 for a mistake of the person's; 1 where a build or notebook has a fault; 130 when interrupted.
    """
    # before numpy is imported by anything below
    bits.apply()
    warnings.filterwarnings("ignore", category=UserWarning, module=r"joblib\._multiprocessing_helpers")
    _open_output()
    keeps = False
    try:
        _check_python()
        options = _parser().parse_args(argv)
        options.typed = list(sys.argv[1:] if argv is None else argv)
        keeps = options.name in ("run", "build", "replicate")
        # every command that knows the notebooks imports compiled functions, which need a place to be kept
        keep_compiled()
        if options.name in _COMPILED:
            tell_when_compiling()
        status = int(options.command(options) or 0)
        sys.stdout.flush()
        return status
    except UsageError as exc:
        complain(f"error: {exc}")
        return 2
    except KeyboardInterrupt:
        kept = "finished chunks are kept, and the same command goes on from there" if keeps else _NOTHING_KEPT
        complain(f"interrupted; {kept}")
        return 130
    except BrokenPipeError:
        # the reader of our output left, as `head` does
        leave_output()
        return 0
    except MemoryError:
        complain("error: there is not enough memory; expected what fits into it; ask for fewer cases or replicates")
        return 2
    except OSError as exc:
        if (lacking := what_is_lacking(exc)) is None:
            raise
        leave_output()
        complain(f"error: {lacking}")
        return 2
    except RuntimeError as exc:
        if type(exc).__name__ in ("NotebookError", "StudyError"):
            complain(f"error: {exc}")
            return 1
        raise


def _open_output() -> None:
    """Give the process a standard output where it was started without one, and let it take any name of a file."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _check_python() -> None:
    found = sys.version_info[:2]
    if not _PYTHONS[0] <= found <= _PYTHONS[1]:
        raise UsageError(
            f"Python {found[0]}.{found[1]} is not supported; expected 3.11, 3.12 or 3.13; "
            "run: make PY=/path/to/python3.12"
        )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(
            f"{' '.join(message.split())}; expected the usage that '{self.prog} --help' shows; mend the command"
        )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="errorest", description="How far can you trust a measured error rate? Re-execute the compendium."
    )
    parser.add_argument("--version", action="version", version=f"errorest {metadata.version('errorest')}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")

    one = commands.add_parser("list", help="notebooks and the artifacts that they make")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_list)

    one = commands.add_parser("params", help="a notebook's parameters: names, types, bounds, defaults, meaning")
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("--write", action="store_true", help="write them from the model into the notebook's first cell")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_params)

    add_run(commands)

    add_replicate(commands, add_worker_options)

    one = commands.add_parser("explain", help="cached or not, and which input changed")
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("-p", dest="assignments", metavar="NAME=VALUE", action="append", default=[], help="a parameter")
    one.add_argument("-f", dest="file", metavar="PARAMS.yml", type=Path, help="parameters as YAML")
    one.add_argument("--scale", choices=("published", "preview"), default="published")
    one.set_defaults(command=_explain)

    one = commands.add_parser("verdicts", help="how the last complete build compares with the print")
    one.add_argument("--json", action="store_true", help="for programs")
    one.add_argument("--artifact", metavar="ID", help="every number of one artifact")
    one.set_defaults(command=_verdicts)

    add_own_data(commands)
    add_score(commands)
    add_growing(commands)
    add_checking(commands)
    add_choose(commands)
    add_chance(commands)
    add_tuning_bias(commands)
    add_clone(commands)
    add_cite(commands)

    one = commands.add_parser("build", help="execute everything, compare, build the book")
    add_run_options(one)
    one.add_argument("--record", action="store_true", help="keep the seconds and a line of every study")
    one.add_argument("--store", metavar="FILE.tar", type=Path, help="results of an archive, a share of them checked")
    one.add_argument("--only", metavar="NOTEBOOK", help="execute one notebook and build its page alone")
    one.set_defaults(command=_build)

    add_verify(commands, jobs, cores())

    add_compile(commands)

    add_clean(commands)
    return parser


def _list(arguments: argparse.Namespace) -> None:
    from errorest.compendium import catalogue
    from errorest.compendium.parameters import describe
    from errorest.evidence.verdicts import PAPERS

    status = _statuses()
    notebooks = [
        {"id": n.id, "paper": n.paper, "title": n.title, "parameters": [d.name for d in describe(n)]}
        for n in catalogue.NOTEBOOKS
    ]
    artifacts = [
        {
            "id": a.id,
            "paper": n.paper,
            "title": f"{a.number}: {n.title_of(a)}",
            "notebook": n.id,
            "status": status.get(a.id, "not built"),
        }
        for n in catalogue.NOTEBOOKS
        for a in n.artifacts
    ]
    if arguments.json:
        print(json.dumps({"notebooks": notebooks, "artifacts": artifacts}, indent=1))
        return
    for n in catalogue.NOTEBOOKS:
        print(f"{n.id}\n  {PAPERS[n.paper]}: {n.title}")
        for a in n.artifacts:
            print(f"    {a.id:<44} {a.number}: {n.title_of(a)}  [{status.get(a.id, 'not built')}]")


def _statuses() -> dict[str, str]:
    """Say of each artifact how its printed numbers came out in the last complete build."""
    found: dict[str, str] = {}
    for comparison, rows in _compared():
        for artifact in dict.fromkeys(rows.artifact):
            found[artifact] = "built, no printed numbers"
        if len(comparison):
            for artifact, group in comparison.groupby("artifact"):
                if artifact in found:
                    tally = group["verdict"].value_counts()
                    found[str(artifact)] = ", ".join(f"{n} {v}" for v, n in tally.items())
    return found


def _compared() -> list[tuple[Any, Any]]:
    from errorest.evidence.verdicts import PAPERS, compare, headline, read_published, read_regenerated

    out = []
    for paper in PAPERS:
        rows = read_regenerated(paper)
        out.append((headline(compare(read_published(paper), rows)) if len(rows) else rows, rows))
    return out


def _params(arguments: argparse.Namespace) -> None:
    from errorest.compendium import catalogue
    from errorest.compendium.parameters import describe

    spec = catalogue.notebook(arguments.notebook)
    if arguments.write:
        from errorest.compendium.cells import write_parameters_cell

        print(f"{spec.path}: {'written' if write_parameters_cell(spec) else 'as the model has it'}")
        return
    if arguments.json:
        parameters = [d.record() for d in describe(spec)]
        print(json.dumps({"id": spec.id, "title": spec.title, "parameters": parameters}, indent=1))
        return
    print(f"{spec.id}: {spec.title}\n")
    rows = [
        (d.name, d.type + (f", {d.bounds}" if d.bounds else ""), json.dumps(d.default), d.meaning)
        for d in describe(spec)
    ]
    rows += [
        ("--scale", "published or preview", '"published"', "run option: the paper's repeats, or few"),
        ("--jobs", "a whole number, at least 1", str(cores()), "run option: worker processes; changes no result"),
        ("--dask", "tcp://host:port", "null", "run option: a Dask scheduler that computes instead"),
        ("--out", "a folder", "null", "run option: where the results go"),
    ]
    _print_table(("name", "type and bounds", "default", "meaning"), rows)


def _print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    width = shutil.get_terminal_size((110, 24)).columns
    share = [22, 0.27, 0.27, 0.27]
    sizes = [int(s) if s > 1 else max(16, int((width - 22) * s)) for s in share]
    for row in (head, tuple("-" * min(s, 40) for s in sizes), *rows):
        cells = [textwrap.wrap(str(c), s - 2) or [""] for c, s in zip(row, sizes, strict=True)]
        for k in range(max(len(c) for c in cells)):
            line = "".join((c[k] if k < len(c) else "").ljust(s) for c, s in zip(cells, sizes, strict=True))
            print(line.rstrip())


def _explain(arguments: argparse.Namespace) -> None:
    from errorest.compendium.runner import explain

    # whoever asks what a file of parameters would do has not decided to run what it names
    print(explain(planned(arguments, imports=False)))


def _verdicts(arguments: argparse.Namespace) -> None:
    import pandas as pd

    from errorest.compendium.counted import tally_lines, wholes_lines
    from errorest.evidence.judging import VERDICTS
    from errorest.evidence.verdicts import PAPERS, compare, counts, read_published, read_regenerated, tally
    from errorest.evidence.wholes import read_wholes

    parts = []
    for paper in PAPERS:
        rows = read_regenerated(paper)
        if len(rows):
            printed = read_published(paper)
            parts.append(compare(printed[printed.artifact.isin(set(rows.artifact))], rows))
    if not parts:
        raise UsageError("nothing was regenerated yet; expected data/regenerated; run: make book")
    whole = pd.concat(parts, ignore_index=True)
    if arguments.artifact:
        from errorest.errors import nearest

        own = whole[whole.artifact == arguments.artifact]
        if own.empty:
            raise UsageError(
                f"no printed number of artifact '{arguments.artifact}' has a verdict; expected an id that "
                f"'errorest list' names; {nearest(arguments.artifact, set(whole.artifact))}"
            )
        whole = own
    if arguments.json:
        records = whole[_VERDICT].astype(object).where(whole[_VERDICT].notna(), None).to_dict("records")
        kinds, wholes = tally(whole).to_dict("records"), read_wholes().to_dict("records")
        told = {"verdicts": records, "counts": counts(whole), "by_reading": kinds, "tables": wholes}
        print(json.dumps(told, indent=1, default=str))
        return
    if arguments.artifact:
        for r in whole.to_dict("records"):
            z = f"{r['z']:7.2f}" if pd.notna(r["z"]) else "      –"
            print(
                f"{r['row']:<26} {r['column']:<30} {r['printed']!s:>9} {r['value']:12.5g} {z}  {r['verdict']:<13}"
                f" {r['reading']} {r['scale']}"
            )
        return
    print(f"{'artifact':<46}" + "".join(f"{v:>14}" for v in VERDICTS))
    for artifact in dict.fromkeys(whole.artifact):
        found = counts(whole[whole.artifact == artifact])
        print(f"{artifact:<46}" + "".join(f"{found[v] or '·':>14}" for v in VERDICTS))
    print()
    print("\n".join(tally_lines(whole)))
    if len(tables := read_wholes()):
        print()
        print("\n".join(wholes_lines(tables)))


def _build(arguments: argparse.Namespace) -> int:
    from errorest.compendium.build import build_book, build_page
    from errorest.compendium.places import alone

    if arguments.only is not None and (arguments.record or arguments.store):
        raise UsageError(
            "one page is neither recorded nor built from an archive; expected --only without --record and --store; "
            "leave these out, or build the whole book"
        )
    with alone(complain):
        if arguments.only is not None:
            return build_page(arguments.only, arguments.scale, options_of(arguments))
        return build_book(arguments.scale, options_of(arguments), record=arguments.record, archive=arguments.store)


if __name__ == "__main__":
    sys.exit(main())
