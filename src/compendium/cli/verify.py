"""``compendium verify`` and ``compendium archive``: recorded numbers computed again, and their chunks in one file."""

from __future__ import annotations

import argparse
import os
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from errorest import bits
from errorest.cli.output import complain
from errorest.errors import UsageError
from errorest.files import check_output, write_output


def verify_record(arguments: argparse.Namespace) -> int:
    """Compute a share of the recorded build again, and report."""
    from compendium.book.places import build_folder, root

    folder = build_folder() / "numba" / bits.numba_cache_dir(root()).name
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))  # before numba is imported, here and by workers

    from compendium.book.record.ledger import read_ledger
    from compendium.book.record.verify import as_json, as_text
    from errorest.streams import stable_hash

    for path in arguments.report:
        check_output(path, inputs=[arguments.store] if arguments.store else [], force=arguments.force)
    ledger = read_ledger()
    seed = stable_hash(os.urandom(8).hex()) % 10**6 if arguments.seed is None else arguments.seed
    if seed < 0:
        raise UsageError(f"the seed must be a whole number >= 0; got {seed}")
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

    with tempfile.TemporaryDirectory(prefix="errorest-verify-") as work, Bar([1.0]) as bar:
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


def write_studies(arguments: argparse.Namespace) -> None:
    """Write the chunks of the recorded build into an archive."""
    from compendium.book.places import store_folder
    from compendium.book.record.archive import write_archive
    from compendium.book.record.ledger import read_ledger
    from compendium.studies.store import Store

    check_output(arguments.out, force=arguments.force)
    chunks = write_archive(arguments.out, read_ledger(), Store(store_folder()))
    print(f"{arguments.out}: {chunks} chunks, {arguments.out.stat().st_size / 1e6:.1f} MB")
