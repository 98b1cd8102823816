"""Every command that a page, a notebook or a text of the project names exists, with its options."""

import json
import re
import shlex
from pathlib import Path

import pytest

from compendium.book.places import root
from compendium.cli.main import _parser
from errorest.cli.main import parser
from errorest.errors import UsageError

PARSERS = {"errorest": parser, "compendium": _parser}
TEXTS = [*("README.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md", "benchmarks/README.md", "data/SOURCES.md")]
TEXTS += sorted(str(p.relative_to(root())) for p in (root() / "book").rglob("*.md") if p.parent.name != "api")
TEXTS += sorted(str(p.relative_to(root())) for p in (root() / "notebooks").rglob("*.ipynb"))
INLINE = re.compile(r"`((?:errorest|compendium)(?: [^`\n]+)?)`")
LINE = re.compile(r"^ *(?:\$ +|    )(?:\S*bin/)?((?:errorest|compendium) [^\n]*)$", re.MULTILINE)


def commands(path: Path) -> list[list[str]]:
    """The words of each command that a text names, in a line of its own or inside a sentence."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "markdown")
    return [shlex.split(found, comments=True) for found in INLINE.findall(text) + LINE.findall(text)]


@pytest.mark.parametrize("name", TEXTS)
def test_the_commands_of_a_text_exist_with_their_options(name: str) -> None:
    for program, *words in commands(root() / name):
        try:
            PARSERS[program]().parse_args(words)
        except UsageError as error:
            unknown = "invalid choice" in str(error) or "unrecognized" in str(error)
            # a sentence may name a command or an option of it without the rest of a call
            named = len(words) < 2 or words[-1].startswith("--")
            assert named, (program, words)
            assert not unknown, (program, words)
        except SystemExit:
            assert "--help" in words or "--version" in words, (program, words)


def test_commands_are_found_in_sentences_and_in_lines(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Ask `errorest metrics`.\n\n```console\n$ .venv/bin/compendium verify --all   # all\n```\n")
    assert commands(page) == [["errorest", "metrics"], ["compendium", "verify", "--all"]]
