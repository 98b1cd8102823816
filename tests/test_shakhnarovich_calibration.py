"""The share of cells by which a table is judged."""

from __future__ import annotations

import numpy as np

from errorest.papers.shakhnarovich import tables
from errorest.papers.shakhnarovich.tables import Case, agreement, judged_by


def test_independent_columns_agree_in_about_the_normal_share_of_cells() -> None:
    rng = np.random.default_rng(1)
    shares = agreement(rng.normal(size=(200, 200)), np.zeros((200, 200)), rng)
    # 95.4 % of a normal lies within two standard errors; 600 cells of 400 pairs: the mean is known to .1 points
    assert abs(shares.mean() - 0.9545) < 0.01


def test_columns_that_move_together_spread_the_share() -> None:
    rng = np.random.default_rng(2)
    one = rng.normal(size=(100, 1))
    alone = agreement(rng.normal(size=(100, 40)), np.zeros((100, 40)), rng).std()
    together = agreement(np.repeat(one, 40, axis=1), np.zeros((100, 40)), rng).std()
    assert together > 3 * alone


def test_the_sentence_names_the_mean_and_the_share_that_one_in_twenty_falls_below(monkeypatch):
    monkeypatch.setattr(tables, "agreement", lambda estimates, truth, rng: np.linspace(0.8, 1.0, 401))
    case = Case("1", "ldf", "literal", {"true-error": np.zeros(3), "loo": np.ones(3)})
    said = judged_by([case], np.random.default_rng(0))
    assert "in 90 % of its cells on average" in said
    assert "at least 81 %" in said
