"""``compendium verify`` and ``compendium archive``: recorded numbers computed again, and their chunks in one file."""

from __future__ import annotations

import argparse
import os
import tempfile
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.cli.output import complain
from errorest.errors import UsageError
from errorest.files import check_output, write_output

__all__ = ["add_parsers"]

_SEEDS = 10**6


def add_parsers(commands: Any, jobs: Any, cores: int) -> None:
    """Add the two commands to the program's."""
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("--force", action="store_true", help="write over a file that exists")

    one = commands.add_parser(
        "verify",
        parents=[output],
        help="does this machine get the recorded numbers? compute a share of them again",
    )
    one.add_argument("--share", type=_share, default=0.05, help="of every study's replicates; 1 is all of it")
    one.add_argument("--seed", type=int, help="which share; drawn and printed by default")
    one.add_argument("--store", metavar="FILE", type=Path, help="check every chunk of this archive, too")
    one.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="write the report: as JSON to a .json, as text to any other file; may be given twice",
    )
    one.add_argument("--jobs", metavar="N", type=jobs, default=cores, help="worker processes; changes no result")
    one.set_defaults(command=_verify)

    one = commands.add_parser("archive", parents=[output], help="write every chunk of the recorded build into one file")
    one.add_argument("--out", metavar="FILE", type=Path, default=Path("errorest-studies.tar.gz"), help="where to")
    one.set_defaults(command=_archive)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share (a number above 0, at most 1)")
    return value


def _verify(arguments: argparse.Namespace) -> int:
    from compendium.book.places import build_folder, root

    folder = build_folder() / "numba" / bits.numba_cache_dir(root()).name
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))  # before numba is imported, here and by workers

    from compendium.book.record.ledger import read_ledger
    from compendium.book.record.verify import as_json, as_text
    from errorest.streams import stable_hash

    for path in arguments.report:
        check_output(path, inputs=[arguments.store] if arguments.store else [], force=arguments.force)
    ledger = read_ledger()
    seed = stable_hash(os.urandom(8).hex()) % _SEEDS if arguments.seed is None else arguments.seed
    if seed < 0:
        raise UsageError(f"the seed must be a whole number from 0; got {seed}")
    print(f"computing {100 * arguments.share:g} % of every study's replicates again, seed {seed}", flush=True)
    found = _computed(arguments, ledger, seed)
    version = metadata.version("errorest")
    text = as_text(found, ledger, version)
    for path in arguments.report:
        write_output(path, as_json(found, ledger, version) if path.suffix == ".json" else text)
    print(f"\n{text}", end="")
    return found.status


def _computed(arguments: argparse.Namespace, ledger: Any, seed: int) -> Any:
    from compendium.book.progress import Bar
    from compendium.book.record.archive import read_archive
    from compendium.book.record.verify import verify
    from compendium.studies.store import Store

    with tempfile.TemporaryDirectory(prefix="errorest-verify-") as work, closing(Bar([1.0])) as bar:
        bar.say("computing again")
        if arguments.store:
            read_archive(arguments.store, ledger, Store(Path(work) / "archive"))
        return verify(
            ledger,
            share=arguments.share,
            seed=seed,
            jobs=arguments.jobs,
            kept=Store(Path(work) / "store") if arguments.share == 1 else None,
            progress=lambda done: bar.report(0, done),
            say=complain,
        )


def _archive(arguments: argparse.Namespace) -> None:
    from compendium.book.places import store_folder
    from compendium.book.record.archive import write_archive
    from compendium.book.record.ledger import read_ledger
    from compendium.studies.store import Store

    check_output(arguments.out, force=arguments.force)
    chunks = write_archive(arguments.out, read_ledger(), Store(store_folder()))
    print(f"{arguments.out}: {chunks} chunks, {arguments.out.stat().st_size / 1e6:.1f} MB")
