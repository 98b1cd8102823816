"""A content security policy in every built page: what its browser may run and load, and nothing else.

A page may load scripts, pictures and fonts of its own site, from a server or from a folder, and run those inline
scripts that the theme's templates bring, known by their hashes.  A script in the text of a page, or one made of text
at run time (``eval``), is refused: whatever a data file or a notebook smuggles into a page stays text.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path

from errorest.errors import UsageError
from errorest.files import write_whole

__all__ = ["add_policies", "policy_of", "with_policy"]

_OWN = "'self' file:"
_CHARSET = re.compile(r"<meta\s+charset=[^>]*>", re.IGNORECASE)
_WITHOUT_TEXT = ("application/json", "text/markdown")


class _Inline(HTMLParser):
    """Collects the inline scripts and handlers of a page, those of its text apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: dict[str, None] = {}
        self.handlers: dict[str, None] = {}
        self.in_text: list[str] = []
        self._articles = 0
        self._open: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self._articles += tag == "article"
        for name, value in attrs:
            if name.startswith("on") and value:
                self._keep(self.handlers, value)
        if tag == "script" and "src" not in found and found.get("type") not in _WITHOUT_TEXT:
            self._open = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self._articles -= tag == "article"
        if tag == "script" and self._open is not None:
            self._keep(self.scripts, "".join(self._open))
            self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.append(data)

    def _keep(self, where: dict[str, None], text: str) -> None:
        if self._articles > 0:
            self.in_text.append(" ".join(text.split())[:60])
        else:
            where[text] = None


def _hashed(text: str) -> str:
    digest = hashlib.sha256(text.replace("\r\n", "\n").replace("\r", "\n").encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def policy_of(page: str) -> str:
    """Return the policy of a page, with the hashes of what its template runs."""
    found = _Inline()
    found.feed(page)
    found.close()
    if found.in_text:
        raise UsageError(
            f"the text of a page holds a script ({found.in_text[0]!r}); expected none, since a page runs what its "
            "template brings alone; load the script from a file (src=...)"
        )
    hashes = [_hashed(text) for text in (*found.scripts, *found.handlers)]
    scripts = " ".join([_OWN, *(["'unsafe-hashes'"] if found.handlers else []), *hashes])
    parts = {
        "default-src": "'none'",
        "script-src": scripts,
        # formulas, icons and drawings write their own styles
        "style-src": f"{_OWN} 'unsafe-inline'",
        "img-src": f"{_OWN} data:",
        "font-src": f"{_OWN} data:",
        "connect-src": _OWN,
        "form-action": _OWN,
        "base-uri": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def with_policy(page: str) -> str:
    """Write the policy of a page into its head, behind the statement of its encoding."""
    meta = f'\n<meta http-equiv="Content-Security-Policy" content="{policy_of(page)}">'
    found = _CHARSET.search(page)
    if found is None:
        return re.sub(r"<head[^>]*>", lambda m: m[0] + meta, page, count=1)
    return page[: found.end()] + meta + page[found.end() :]


def add_policies(site: Path) -> None:
    """Write a policy into every page of a built site."""
    for path in sorted(site.rglob("*.html")):
        if "_static" not in path.relative_to(site).parts:
            write_whole(path, with_policy(path.read_text(encoding="utf-8")))
