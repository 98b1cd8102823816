"""The page for users of scikit-learn: every block runs, and prints what the page shows."""

import contextlib
import io
import re
import sys
import warnings
from pathlib import Path

PAGE = Path(__file__).parents[2] / "book/guide/five-minutes.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<shown>.*?)```\n)?", re.S)


def executed(text: str) -> str:
    """Return the page with what its blocks print, each under its block."""
    names: dict[str, object] = {}

    def run(block: re.Match[str]) -> str:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(block["code"], names)
        shown = f"\n```text\n{output.getvalue()}```\n" if output.getvalue() else ""
        return f"```python\n{block['code']}```\n{shown}"

    return BLOCK.sub(run, text)


def test_every_block_of_the_page_prints_what_it_shows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert executed(text) == text


if __name__ == "__main__":  # writes what the blocks print
    PAGE.write_text(executed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit()
