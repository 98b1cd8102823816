"""Every caution has an id that is listed, looked up, shown and switched off."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path

import jinja2
import numpy as np
import pytest

from errorest import compare, estimate
from errorest.assessment.caution import CAUTIONS, Caution, checked_ids, kinds_of, not_ignored, with_id
from errorest.cli.main import main
from errorest.errors import UsageError

RAW_1NN = "knn(k=1, standardize=none)"

SOURCE = Path(__file__).resolve().parents[3] / "src" / "errorest"
RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 2))
Y = np.array(["a"] * 27 + ["rare"] * 3)


def test_every_id_in_the_code_is_listed_and_every_listed_id_is_raised_somewhere() -> None:
    raised = set()
    for path in SOURCE.rglob("*.py"):
        if path.name not in ("caution.py", "cautions_of_choices.py"):
            raised |= set(re.findall(r"[\"'](E\d\d\d)[\"']", path.read_text(encoding="utf-8")))
    assert raised == set(CAUTIONS)


def test_ids_are_three_digits_in_rising_order_with_words_for_each() -> None:
    assert list(CAUTIONS) == sorted(CAUTIONS)
    for name, kind in CAUTIONS.items():
        assert re.fullmatch(r"E[1-9]\d\d", name)
        assert kind.title
        assert kind.why.endswith(".")
        assert kind.remedy.endswith(".")
        assert kind.raised_by
    assert len({kind.title for kind in CAUTIONS.values()}) == len(CAUTIONS)


def test_every_caution_stands_on_the_page_with_a_place_of_its_own() -> None:
    page = (SOURCE.parents[1] / "book" / "cautions.md").read_text(encoding="utf-8")
    engine = jinja2.Environment(
        block_start_string="[%", block_end_string="%]", variable_start_string="[[", variable_end_string="]]"
    )
    text = engine.from_string(page).render(cautions=CAUTIONS)
    for name, kind in CAUTIONS.items():
        assert f"(caution-{name.lower()})=\n## {name}: {kind.title}\n" in text
        assert f"| {{ref}}`{name} <caution-{name.lower()}>` | {kind.title} |" in text


def test_a_caution_is_a_text_that_knows_its_kind() -> None:
    one = Caution("E204", "there are only 3 groups")
    assert one == "there are only 3 groups"
    assert with_id(one) == "there are only 3 groups (E204)"
    assert json.dumps([one]) == '["there are only 3 groups"]'
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert twin == one
        assert twin.kind == "E204"
    with pytest.raises(KeyError):
        Caution("E999", "no such kind")


def test_cautions_are_switched_off_by_id_and_nothing_else_changes() -> None:
    whole = estimate(RAW_1NN, X, Y, method="632", interval=None, rng=0)
    assert set(kinds_of(whole.warnings)) == {"E201", "E206", "E301"}
    assert whole.to_dict()["caution_ids"] == kinds_of(whole.warnings)
    one = estimate(RAW_1NN, X, Y, method="632", interval=None, rng=0, ignore="E301")
    assert kinds_of(one.warnings) == ["E201", "E206"]
    assert one.estimate == whole.estimate
    assert one.interval == whole.interval
    none = estimate(RAW_1NN, X, Y, method="632", interval=None, rng=0, ignore=["E201", "E206", "E301"])
    assert none.warnings == ()
    assert "E201" in repr(one)
    assert "E301" not in repr(one)
    assert "(E201)" in one._repr_html_()
    both = compare(RAW_1NN, "majority", X, Y, rng=0)
    assert kinds_of(both.warnings) == ["E201"]
    assert compare(RAW_1NN, "majority", X, Y, rng=0, ignore="E201").warnings == ()


def test_unknown_ids_are_refused_before_anything_is_fitted() -> None:
    with pytest.raises(UsageError, match="'E020' was to be ignored, and there is none; expected ids"):
        estimate("knn", X, Y, rng=0, ignore="E020")
    with pytest.raises(UsageError, match="there is none"):
        compare("knn", "knn", X, Y, ignore=["what"])
    assert checked_ids("") == frozenset() == checked_ids(())
    assert not_ignored(["plain"], frozenset({"E101"})) == ("plain",)


def test_the_command_line_shows_ids_and_leaves_out_what_is_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rare.csv"
    file.write_text("a,b,class\n" + "".join(f"{u:.6f},{v:.6f},{y}\n" for (u, v), y in zip(X, Y, strict=True)))
    given = ["estimate", str(file), "--model", "knn", "--method", "632", "--interval", "none"]
    assert main(given) == 0
    assert "these alone (E201)." in capsys.readouterr().out
    assert main([*given, "--ignore", "E201,E206, E301"]) == 0
    assert "Beware" not in capsys.readouterr().out
    assert main([*given, "--ignore", "E2"]) == 2
    assert "error: caution 'E2'" in capsys.readouterr().err
