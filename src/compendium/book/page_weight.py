"""Weight of the pages: style sheets with the rules that the built pages use, and no icon font.

The theme's style sheets are written for every part that it offers, and its script draws each icon of a font of 1.4 MB.
A build copies them again; what is left out here is left out again after it.
"""

from __future__ import annotations

import re
from pathlib import Path

_CLASSES = re.compile(r'\s(?:class|id|data-bs-toggle)="([^"]*)"')
_NAMES = re.compile(r"[.#]((?:[\w-]|\\.)+)")
# Of attributes, of what a rule excludes and of alternatives no name has to be on a page
_NOT_NEEDED = re.compile(r":(?:not|is|where|has)\([^()]*\)|\[[^\]]*\]")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")
_COMMA = re.compile(r",(?![^()]*\))")
_NESTED = ("@media", "@supports", "@layer")
# Scripts of pages whose words may be classes; bootstrap.js has parts that no page has, and so is no such script
_SCRIPTS = ("*.js", "page/*.js", "scripts/pydata-sphinx-theme.js", "scripts/sphinx-book-theme.js")
# Classes that bootstrap.js gives to the tips and menus of the theme's buttons
_OF_BOOTSTRAP = frozenset(
    {"show", "fade", "collapse", "collapsing", "dropdown", "dropdown-menu", "tooltip", "tooltip-inner", "tooltip-arrow"}
    | {f"bs-tooltip-{side}" for side in ("auto", "top", "bottom", "start", "end")}
)
_UNUSED = ("scripts/fontawesome.js", "scripts/fontawesome.js.LICENSE.txt", "scripts/*.map", "styles/*.map")
_UNUSED_FONTS = "vendor/fontawesome"


def lighten(site: Path) -> None:
    """Trim the style sheets of a built site to what its pages use, and remove files that no page loads."""
    static = site / "_static"
    for pattern in _UNUSED:
        for file in static.glob(pattern):
            file.unlink()
    fonts = static / _UNUSED_FONTS
    for file in sorted(fonts.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    names = used_names(site)
    for sheet in (*static.glob("*.css"), *static.glob("styles/*.css")):
        text = sheet.read_text(encoding="utf-8")
        trimmed = trimmed_css(text, names)
        if trimmed != text:
            sheet.write_text(trimmed, encoding="utf-8")


def used_names(site: Path) -> frozenset[str]:
    """Return the classes and ids of all pages, and every word of the scripts that may give one."""
    names = set(_OF_BOOTSTRAP)
    for page in site.rglob("*.html"):
        for found in _CLASSES.findall(page.read_text(encoding="utf-8")):
            names.update(found.split())
    for pattern in _SCRIPTS:
        for script in (site / "_static").glob(pattern):
            names.update(re.findall(r"[\w-]+", script.read_text(encoding="utf-8")))
    return frozenset(names)


def trimmed_css(css: str, names: frozenset[str]) -> str:
    """Leave out rules whose selectors name a class or an id that is none of ``names``, and fonts.

    Examples
    --------
    >>> trimmed_css("a{b:c}.used,.not{b:c}@media print{.not{b:c}}.not:is(a,b){b:c}", frozenset({"used"}))
    'a{b:c}.used{b:c}'
    """
    css = _SPACE.sub(" ", _COMMENT.sub("", css))
    kept: list[str] = []
    at = 0
    while (opening := css.find("{", at)) >= 0:
        # statements such as @charset end with a semicolon, in front of the selector
        statements, _, head = css[at:opening].rpartition(";")
        kept += [f"{statements};"] if statements else []
        end, depth = opening + 1, 1
        while depth:
            depth += (css[end] == "{") - (css[end] == "}")
            end += 1
        body, at = css[opening + 1 : end - 1], end
        rule = head.strip()
        if rule.startswith(_NESTED):
            body = trimmed_css(body, names)
            kept += [f"{head}{{{body}}}"] if body.strip() else []
        elif rule.startswith("@"):
            kept += [] if rule.startswith("@font-face") else [f"{head}{{{body}}}"]
        elif used := [one for one in _COMMA.split(head) if names.issuperset(_NAMES.findall(_NOT_NEEDED.sub("", one)))]:
            kept.append(f"{','.join(used)}{{{body}}}")
    return "".join([*kept, css[at:]])
