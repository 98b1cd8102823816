"""The bar moves evenly: notebooks and their studies weigh what they take, and the table of seconds knows them all."""

from itertools import pairwise

import pytest

from compendium.book import catalogue
from compendium.book.progress import Bar, Work, seconds_of, usual_seconds


def told(work, studies, artifacts, parts=50):
    """Run studies that take their usual seconds; yield (seconds gone, share told) along the way."""
    gone = 0.0
    for study, seconds in studies:
        if study:
            work.begin(study)
            for part in range(1, parts + 1):
                work.report(part, parts)
                yield gone + seconds * part / parts, work.share
            work.end()
            gone += seconds
    for shown in range(1, artifacts + 1):
        work.shown()
        yield gone + sum(s for study, s in studies if not study) * shown / artifacts, work.share


@pytest.mark.parametrize("spec", catalogue.notebooks(), ids=lambda s: s.id)
def test_the_share_reported_is_the_share_of_the_usual_seconds(spec):
    studies = usual_seconds(spec.id)
    assert [study for study, _ in studies].count("") == 1, "run: compendium build --record"
    assert all(seconds >= 0 for _, seconds in studies)
    whole = seconds_of(spec.id)
    shares = list(told(Work(studies, len(spec.artifacts)), studies, len(spec.artifacts)))
    assert all(abs(share - gone / whole) < 1e-9 for gone, share in shares)
    assert shares[-1][1] == pytest.approx(1.0)


def test_one_long_study_before_many_artifacts_moves_the_bar_from_its_first_chunk():
    work = Work([("coverage", 1000.0), ("", 10.0)], artifacts=6)
    work.begin("coverage")
    shares = []
    for chunk in range(101):
        work.report(chunk, 100)
        shares.append(work.share)
    steps = [b - a for a, b in pairwise(shares)]
    assert max(steps) - min(steps) < 1e-12
    assert shares[-1] > 0.98, "artifacts that only read the study add little"


def test_runs_of_one_study_are_distinguished_by_their_order():
    work = Work([("table", 60.0), ("table", 850.0), ("", 0.0)], artifacts=2)
    work.begin("table")
    work.report(1, 1)
    assert work.share == pytest.approx(60 / 910)
    work.end()
    work.begin("table")
    work.report(1, 2)
    assert work.share == pytest.approx((60 + 425) / 910)


def test_a_study_that_nobody_recorded_moves_nothing_and_breaks_nothing():
    work = Work([("known", 9.0), ("", 1.0)], artifacts=1)
    work.begin("new")
    work.report(1, 2)
    assert work.share == 0.0
    work.end()
    work.begin("known")
    work.end()
    work.shown()
    assert work.share == pytest.approx(1.0)


def test_a_notebook_without_recorded_studies_goes_by_its_artifacts():
    work = Work([], artifacts=4)
    work.shown()
    assert work.share == 0.25


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


def test_no_time_is_reported_from_next_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar([1000.0])
    bar.report(0, 0.001)
    early = str(bar._bar)
    bar.report(0, 0.5)
    assert "about ? left" in early
    assert "?" not in str(bar._bar)
    bar.__exit__()
