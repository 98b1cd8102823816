"""The content security policy of built pages: what templates bring may run, and nothing that a text smuggles in."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from compendium.book.chart import Grid, write_chart
from compendium.book.policy import add_policies, policy_of, with_policy
from errorest.errors import UsageError

SCRIPT = '\n  let mode = "auto";\n'
PAGE = (
    f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><script>{SCRIPT}</script><script src="a.js"></script></head>'
    '<body><button onclick="window.print()">Print</button><article><p>{text}</p></article></body></html>'
)


def hashed(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_a_policy_has_the_hashes_of_what_the_template_runs() -> None:
    scripts = next(part for part in policy_of(PAGE).split("; ") if part.startswith("script-src"))
    assert hashed(SCRIPT) in scripts
    assert hashed("window.print()") in scripts
    assert "'unsafe-eval'" not in scripts
    assert "'unsafe-inline'" not in scripts
    assert policy_of(PAGE).startswith("default-src 'none'; ")


def test_line_ends_do_not_change_a_hash() -> None:
    assert policy_of(PAGE.replace("\n", "\r\n")) == policy_of(PAGE)


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '<img src=x onerror="alert(1)"/>', "<svg><script>1</script></svg>"]
)
def test_a_script_in_the_text_of_a_page_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the text of a page holds a script"):
        policy_of(PAGE.replace("{text}", text))


def test_escaped_text_and_data_are_no_scripts() -> None:
    data = '&lt;script&gt;alert(1)&lt;/script&gt;<script type="application/json">{"a": 1}</script>'
    assert policy_of(PAGE.replace("{text}", data)) == policy_of(PAGE)


def test_every_page_gets_its_own_before_its_first_script(tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "_static").mkdir()
    for name in ("index.html", "notebooks/one.html", "_static/template.html"):
        (tmp_path / name).write_text(PAGE)
    add_policies(tmp_path)
    for name in ("index.html", "notebooks/one.html"):
        text = (tmp_path / name).read_text()
        assert text == with_policy(PAGE)
        assert 0 < text.index("Content-Security-Policy") < text.index("<script>")
        assert text.index("charset") < 1024
    assert (tmp_path / "_static/template.html").read_text() == PAGE


def test_the_chart_needs_no_program_made_of_text(tmp_path: Path) -> None:
    html = write_chart(tmp_path, Grid((100,), (0.8,), (1, 10), (0, 0, 1)))
    assert "ast: true" in (tmp_path / "extra" / "tuning-bias" / "chart.js").read_text()
    assert "onload" not in html
