"""The bar moves by the usual seconds of its steps, and never back; the table of seconds knows every notebook."""

import pytest

from compendium.book import catalogue, progress
from compendium.book.progress import Bar, seconds_of, usual_seconds, write_usual_seconds


def test_the_seconds_of_every_notebook_are_recorded_and_can_be_replaced(tmp_path, monkeypatch):
    assert list(usual_seconds()) == list(catalogue.NOTEBOOKS), "run: compendium build --record"
    monkeypatch.setattr(progress, "root", lambda: tmp_path)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "notebooks.csv").write_text("notebook,seconds\na,3.5\nb,1.0\n")
    usual_seconds.cache_clear()
    write_usual_seconds({"b": 2.04})
    assert usual_seconds() == {"a": 3.5, "b": 2.0}
    assert seconds_of("a") == 3.5
    assert seconds_of("new") > 0
    usual_seconds.cache_clear()


def test_steps_weigh_their_seconds_and_a_share_never_goes_back(capsys):
    bar = Bar([30.0, 10.0, 60.0])
    bar.skip(2)
    bar.report(0, 0.5)
    bar.report(0, 0.4)
    assert bar._bar.n / bar._bar.total == pytest.approx(15 / 40)
    bar.report(0, 1.0)
    bar.report(1, 2.0)
    assert bar._bar.n / bar._bar.total == pytest.approx(1.0)
    bar.__exit__()
    assert "100 %" in capsys.readouterr().err
