"""Weight of pages: rules that a page uses stay, others, fonts and the script of icons go."""

from pathlib import Path

import pytest

from compendium.book.page_weight import lighten, trimmed_css

NAMES = frozenset({"used", "too"})


@pytest.mark.parametrize(
    ("css", "trimmed"),
    [
        ("a{b:c}#used .too{b:c}.used .other{b:c}", "a{b:c}#used .too{b:c}"),
        (".used:not(.other),.other{b:c}", ".used:not(.other){b:c}"),
        ('[data-x=".other"] .used{b:c}', '[data-x=".other"] .used{b:c}'),
        ("@media print{.other{b:c}.used{b:c}}@media print{.other{b:c}}", "@media print{.used{b:c}}"),
        ('@charset "utf-8";/* .used{} */.other{b:c}', '@charset "utf-8";'),
        ("@font-face{src:url(x)}@keyframes k{to{b:c}}", "@keyframes k{to{b:c}}"),
        (":is(.used,.other) p{b:c}.other:is(.used) p{b:c}", ":is(.used,.other) p{b:c}"),
        ("", ""),
    ],
)
def test_rules_that_no_page_uses_are_left_out(css: str, trimmed: str) -> None:
    assert trimmed_css(css, NAMES) == trimmed
    assert trimmed_css(trimmed, NAMES) == trimmed


def test_a_site_keeps_what_its_pages_and_scripts_name(tmp_path: Path) -> None:
    files = {
        "book/index.html": '<p id="here" class="on-page two"></p>',
        "_static/styles/theme.css": ".on-page{a:b}.by-script{a:b}.nowhere{a:b}.tooltip{a:b}.fa-solid{a:b}",
        "_static/errorest.js": 'one.classList.add("by-script")',
        "_static/scripts/bootstrap.js": 'const carousel = "nowhere"',
        "_static/scripts/fontawesome.js": "icons",
        "_static/scripts/bootstrap.js.map": "{}",
        "_static/vendor/fontawesome/webfonts/fa.woff2": "font",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    lighten(tmp_path)
    assert (tmp_path / "_static/styles/theme.css").read_text() == ".on-page{a:b}.by-script{a:b}.tooltip{a:b}"
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*list(files)[:4]}
