#!/usr/bin/env python3
"""Build the book without jupyter-book, by plain Sphinx, and compare: the way out, should jupyter-book 1 end.

    .venv/bin/python .ci/plain_sphinx.py STAGE SITE OUT

STAGE is what a build laid out (_build/stage/preview), SITE the pages that jupyter-book made of it
(_build/preview/html), OUT a new folder.  Says of every page whether its main part is the same to the letter.  Exit
status 0 if all pages are there and say the same in the same order, 1 if not.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import yaml

_OURS = {"jupyter_book"}  # what falls away: it only sets what is set here
_ARTICLE = re.compile(r'<article class="bd-article"[^>]*>(.*?)</article>', re.DOTALL)


def configuration(stage: Path) -> dict[str, object]:
    """Write Sphinx's settings from those of jupyter-book."""
    book = yaml.safe_load((stage / "_config.yml").read_text(encoding="utf-8"))
    html, own = book["html"], book["sphinx"]["config"]
    shown = {key: html[key] for key in html if key.startswith("use_") and key != "use_multitoc_numbering"}
    return {
        **own,
        "extensions": [name for name in own["extensions"] if name not in _OURS],
        "project": book["title"],
        "author": book["author"],
        "html_title": book["title"],
        "html_theme": "sphinx_book_theme",
        "html_theme_options": {
            **own["html_theme_options"],
            **shown,
            "home_page_in_toc": html["home_page_in_navbar"],
            "extra_footer": html["extra_footer"],
        },
        "bibtex_bibfiles": book["bibtex_bibfiles"],
        "myst_enable_extensions": book["parse"]["myst_enable_extensions"],
        "myst_url_schemes": ["mailto", "http", "https"],
        "suppress_warnings": ["myst.domains"],
        "nb_execution_mode": "off",
        "nb_output_stderr": "show",
        "external_toc_path": "book/_toc.yml",
        "external_toc_exclude_missing": book["only_build_toc_files"],
        "comments_config": {"hypothesis": False, "utterances": False},
        "exclude_patterns": ["_build", "**.ipynb_checkpoints"],
        "html_sourcelink_suffix": "",
    }


def main_part(page: Path) -> str:
    """Return the main part of a page."""
    found = _ARTICLE.search(page.read_text(encoding="utf-8")) if page.is_file() else None
    return found[1].strip() if found else ""


def words(part: str) -> list[str]:
    """Return what a reader sees of it."""
    return unescape(re.sub(r"<[^>]+>", " ", part)).split()


def main() -> int:
    """Build and compare."""
    stage, site, out = (Path(name).resolve() for name in sys.argv[1:4])
    source = out / "source"
    shutil.copytree(stage, source)
    settings = json.dumps(configuration(stage))
    (source / "conf.py").write_text(f"import json\n\nglobals().update(json.loads({settings!r}))\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-n", "-W", "--keep-going", source, out / "html"]
    variables = os.environ | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
    built = subprocess.run(command, env=variables, check=False)
    pages = [p.relative_to(site) for p in sorted(site.rglob("*.html")) if main_part(p)]
    same, said, other = 0, 0, []
    for page in pages:
        before, after = main_part(site / page), main_part(out / "html" / page)
        same += before == after
        said += words(before) == words(after)
        if words(before) != words(after):
            changed = [line for line in difflib.ndiff(words(before), words(after)) if line[:1] in "+-"]
            other.append(f"{page}: {' '.join(changed[:8])}")
    print(f"Sphinx ended with {built.returncode}; of {len(pages)} pages {same} equal to the letter, {said} in words")
    print("\n".join(other))
    return int(bool(built.returncode or other or not pages))


if __name__ == "__main__":
    sys.exit(main())
