"""Have a crate of a run judged by roc-validator, offline, in an environment of its own.

``python .ci/try_crate.py [--keep FOLDER]`` installs roc-validator beside the project, puts the context that the package
rocrate brings along into the validator's cache under the address that crates name, and validates one crate that must
pass and one that must not.  Exit status 0 only where both come out so.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "process-run-crate-0.5"
SEED = f"""
import sys, requests, requests_cache
from pathlib import Path
from urllib3.response import HTTPResponse
context = next(Path(sys.prefix).rglob("rocrate/data/ro-crate.jsonld")).read_bytes()
answer = requests.Response()
answer.status_code, answer._content, answer.url, answer.encoding = 200, context, "{CONTEXT}", "utf-8"
answer.headers["Content-Type"] = "application/ld+json"
answer.request = requests.Request("GET", answer.url).prepare()
answer.raw = HTTPResponse(body=b"", status=200)
requests_cache.CachedSession(sys.argv[1], expire_after=-1).cache.save_response(answer)
"""
MAKE = """
import sys
from pathlib import Path
from types import SimpleNamespace
from compendium.book import catalogue, run_crate
from compendium.book.citing.crate import CRATE
folder = Path(sys.argv[1])
for name in ("notebook.ipynb", "artifacts/a b.csv", "artifacts/x.svg", "html/index.html"):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(name)
parts = {"data": {"iris": "ab" * 32}, "parameters": {"seed": 7}, "versions": {"numpy": "2.4.0", "python": "3.12"}}
made = run_crate.run_crate(SimpleNamespace(spec=catalogue.notebook("kohavi/01-iris"), parts=parts), folder)
(folder / CRATE).write_text(made, encoding="utf-8")
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="where the environment is made, and found again")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory(prefix="errorest-crate-") as scratch:
        place = keep or Path(scratch) / "validator"
        if not (place / "bin" / "rocrate-validator").exists():
            venv.create(place, with_pip=True)
            run(place / "bin" / "pip", "install", "-q", "roc-validator", "rocrate")
        cache, crate = Path(scratch) / "cache", Path(scratch) / "crate"
        crate.mkdir()
        run(place / "bin" / "python", "-c", SEED, cache)
        run(sys.executable, "-c", MAKE, crate)
        said = judged(place, cache, crate)
        print(said.stdout)
        described = crate / "ro-crate-metadata.json"
        graph = json.loads(described.read_text(encoding="utf-8"))
        graph["@graph"] = [one for one in graph["@graph"] if one["@id"] != "./"]
        described.write_text(json.dumps(graph), encoding="utf-8")
        refused = judged(place, cache, crate).returncode != 0
        print("a crate without its root is", "refused" if refused else "taken for valid")
        return 0 if said.returncode == 0 and refused else 1


def judged(place: Path, cache: Path, crate: Path) -> subprocess.CompletedProcess[str]:
    """Validate a crate without a network."""
    command = [place / "bin" / "rocrate-validator", "-y", "validate", "--offline", "--cache-path", cache]
    command += ["-p", PROFILE, "-l", "required", crate]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def run(*command: object) -> None:
    """Run a step that must not fail."""
    subprocess.run(list(map(str, command)), check=True)


if __name__ == "__main__":
    sys.exit(main())
