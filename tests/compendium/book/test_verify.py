"""A share computed again against the record: one altered digit is named, a last digit is told from another result."""

import errno
import json
import os

import numpy as np
import pandas as pd
import pytest

from compendium.book import catalogue
from compendium.book import ledger as ledgers
from compendium.book import verify as verifying
from compendium.book.changes import digests_of_rows
from compendium.book.ledger import describe_study, read_ledger, write_ledger
from compendium.book.notebook import Notebook
from compendium.book.session import regenerated_frame, yielded
from compendium.book.verify import BYTE, DIFFERS, NEARLY, Stratum, Verification, chosen, leads_first, verify
from compendium.book.verify_report import as_json, as_text, unlike
from compendium.cli import main as cli
from compendium.evidence.artifact import Artifact
from compendium.evidence.records import parts
from compendium.evidence.regenerated import Regenerated, Row
from compendium.evidence.verdicts import REGENERATED_COLUMNS
from compendium.papers.parameters import Parameters
from compendium.studies.columns import Coded
from compendium.studies.store import Store
from compendium.studies.study import pieces_of, run_study
from errorest.errors import UsageError
from study_measures import coins, every_toss

KEY = "0123456789abcdef"
SIDES = coins(id="sides", measure=every_toss)


@pytest.fixture
def store(tmp_path):
    """The finished store of two studies."""
    store = Store(tmp_path / "store")
    for study in (coins(), SIDES):
        run_study(study, store=store, jobs=2)
    return store


@pytest.fixture
def record(tmp_path, store):
    path = tmp_path / "studies.json"
    write_ledger("9.9", [describe_study(coins()), describe_study(SIDES)], [], {}, store, path)
    return path


def again(record, share=1.0, **changes):
    return verify(read_ledger(record), share=share, seed=3, with_rows=False, **changes)


def test_all_of_it_is_equal_to_the_byte_whatever_the_workers(record, store):
    for jobs in (1, 2):
        found = again(record, jobs=jobs, stored=store)
        assert (found.outcome, found.status, found.differences) == (BYTE, 0, [])
        assert [(one.checked, one.of, one.replicates) for one in found.studies] == [(9, 9, 32), (9, 9, 32)]


def test_a_share_is_of_every_study_and_goes_by_the_seed(record):
    found = again(record, share=0.2)
    assert [one.checked for one in found.studies] == [2, 2]
    draws = {tuple(chosen(100, 0.05, np.random.default_rng(seed))) for seed in range(20)}
    assert len(draws) > 5
    assert all(len(draw) == 5 and len(set(draw)) == 5 and max(draw) < 100 for draw in draws)


def altered(record, change):
    """Alter the record of the third chunk of the first study."""
    told = json.loads(record.read_text())
    lines = told["studies"][0]["cells"][0]["lines"]
    seal, means = lines[2]
    lines[2] = change(seal, means)
    record.write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("change", "outcome", "said"),
    [
        (lambda seal, means: [seal, [means[0] + 0.001]], DIFFERS, "mean of 'mean'"),
        (lambda seal, means: [seal, [means[0] * (1 + 1e-11)]], NEARLY, "mean of 'mean'"),
        (lambda seal, means: ["0" * 10 + seal[10:], means], NEARLY, "last digits"),
        (lambda seal, means: [seal[:10] + "0" * 6, means], DIFFERS, "other whole numbers, texts or gaps"),
        (lambda seal, means: [seal, []], DIFFERS, "other whole numbers"),
    ],
)
def test_one_altered_digit_of_the_record_is_named(record, change, outcome, said):
    altered(record, change)
    found = again(record)
    assert (found.outcome, found.status) == (outcome, {NEARLY: 3, DIFFERS: 1}[outcome])
    (difference,) = found.differences
    assert difference.where.startswith("study 'coins', cell {'n': 3")
    assert difference.where.endswith("replicates 8 to 11")
    assert said in difference.said


def test_one_altered_digit_of_an_archived_chunk_is_named_with_its_line(record, store):
    (piece,) = [p for p in pieces_of(coins()) if p.cell == 1 and p.task.start == 4]
    columns = store.get(piece.key)
    before = columns["mean"][2]
    store.put(piece.key, {**columns, "mean": np.where(np.arange(4) == 2, before + 0.001, columns["mean"])})
    found = again(record, stored=store)
    (difference,) = found.differences
    assert (found.outcome, difference.outcome) == (DIFFERS, DIFFERS)
    assert "line 2: mean" in difference.said
    assert f"{before:.17g} here" in difference.said


def test_an_archived_text_and_a_last_digit_are_told_apart(record, store):
    piece = pieces_of(SIDES)[1]
    columns = store.get(piece.key)
    toss = columns["toss"].copy()
    toss[0] = np.nextafter(toss[0], 1)
    store.put(piece.key, {**columns, "toss": toss})
    (difference,) = again(record, stored=store).differences
    assert difference.outcome == NEARLY
    assert difference.said.startswith("replicate 4, side ")
    sides = columns["side"]
    store.put(piece.key, {**columns, "side": Coded(1 - sides.codes, sides.texts)})
    assert again(record, stored=store).differences[0].outcome == DIFFERS


ROW = ("kohavi-x", "literal", "published", "iris", "accuracy", 95.125, 0.5, 500)


def test_rows_changed_after_they_were_recorded_are_named_by_artifact(record, monkeypatch):
    frame = pd.DataFrame([ROW], columns=list(REGENERATED_COLUMNS))
    told = json.loads(record.read_text())
    told["rows"] = digests_of_rows(frame)
    record.write_text(json.dumps(told))
    for value, outcome in ((95.125, BYTE), (95.126, DIFFERS)):
        monkeypatch.setattr(verifying, "recorded_rows", lambda value=value: frame.assign(value=value))
        found = verify(read_ledger(record), share=0.1, seed=1)
        assert found.outcome == outcome
        assert [one.where for one in found.files] == (["kohavi-x"] if outcome == DIFFERS else [])


def test_rows_that_need_no_study_are_calculated_again_row_by_row(record, monkeypatch):
    name = "scheffer-herbrich-one-shot"
    notebook, spec = catalogue.artifact(name)
    made = yielded(spec, notebook.paper, notebook.parameters(), "published", None)
    frame = regenerated_frame(name, made)
    monkeypatch.setattr(verifying, "recorded_rows", lambda: frame)
    told = json.loads(record.read_text())
    told |= {"calculated": [name], "rows": digests_of_rows(frame)}
    record.write_text(json.dumps(told))
    same = verify(read_ledger(record), share=0.1, seed=1)
    assert (same.outcome, same.rows.checked) == (BYTE, len(frame))
    place = 3
    frame.loc[place, "value"] += 0.01
    found = verify(read_ledger(record), share=0.1, seed=1)
    assert found.outcome == DIFFERS
    assert [one.where for one in found.differences] == [name]
    assert f"{frame.row[place]}, {frame.column[place]}: value " in found.differences[0].said


def test_the_report_names_machine_packages_and_what_differs(record):
    altered(record, lambda seal, means: [seal, [means[0] + 0.001]])
    ledger = read_ledger(record)
    found = verify(ledger, share=1.0, seed=3, with_rows=False)
    text, told = as_text(found, ledger, "1.0"), json.loads(as_json(found, ledger, "1.0"))
    assert "seed 3" in text.splitlines()[0]
    assert "packages: numpy " in text
    assert "replicates 8 to 11: differs: mean of 'mean'" in text
    assert text.endswith("outcome: differs\n")
    assert (told["outcome"], told["status"], told["seed"]) == ("differs", 1, 3)
    assert told["installed"] == ledger.made["installed"]
    assert {"system", "processor", "features", "python"} == set(told["machine"])
    assert [(one["name"], one["checked"], one["differs"]) for one in told["studies"]] == [
        ("coins", 9, 1),
        ("sides", 9, 0),
    ]
    assert told["differences"][0]["outcome"] == "differs"


def test_other_conditions_are_named(record):
    made = read_ledger(record).made
    other = {**made, "installed": {**made["installed"], "numpy": "1.0"}, "processor": ["z80"]}
    assert unlike(made) == []
    numpy, processor = unlike(other)
    assert numpy.startswith("numpy 1.0 there, ")
    assert processor.startswith("the processor (here without z80")


@pytest.mark.parametrize("share", [0.0, 1.5, -1.0])
def test_a_share_out_of_bounds_is_refused(record, share):
    with pytest.raises(UsageError, match="expected more than 0 and at most 1"):
        again(record, share=share)


def test_the_command_says_by_its_status_what_came_out(record, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", str(tmp_path)))
    monkeypatch.setattr(ledgers, "ledger_path", lambda: record)
    monkeypatch.setattr(verifying, "_files", lambda ledger: [])
    monkeypatch.setattr(verifying, "_of_rows", lambda *args: [])
    report, told = tmp_path / "report.txt", tmp_path / "report.json"
    command = ["verify", "--share", ".5", "--seed", "1", "--jobs", "1"]
    assert cli.main([*command, "--report", str(report), "--report", str(told)]) == 0
    assert "seed 1" in capsys.readouterr().out
    assert report.read_text().endswith("outcome: equal to the byte\n")
    assert json.loads(told.read_text())["status"] == 0
    assert cli.main([*command, "--report", str(report)]) == 2
    altered(record, lambda seal, means: [seal, [means[0] + 0.001]])
    assert cli.main(["verify", "--share", "1", "--seed", "1", "--jobs", "1"]) == 1
    assert "replicates 8 to 11: differs" in capsys.readouterr().out
    record.write_text(record.read_text().replace('"published"', '"preview"'))
    assert cli.main(command) == 2
    assert "expected published" in capsys.readouterr().err


def test_two_verify_side_by_side(record, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", str(tmp_path)))
    monkeypatch.setattr(ledgers, "ledger_path", lambda: record)
    seen = []

    def nested(ledger, **options):
        options["kept"].put(KEY, {"x": np.ones(1)})
        if not seen:
            seen.append(options["kept"])
            assert cli.main(command) == 0
        assert options["kept"].get(KEY) is not None
        return Verification(1.0, 1, [], Stratum("rows", 0), [], [])

    command = ["verify", "--share", "1", "--seed", "1", "--jobs", "1"]
    monkeypatch.setattr(verifying, "verify", nested)
    assert cli.main(command) == 0
    assert list((tmp_path / "build").iterdir()) == []


def test_without_room_for_workers_one_process_verifies(record, monkeypatch):
    def none(*_):
        raise OSError(errno.EACCES, "no semaphores")

    monkeypatch.setattr("multiprocessing.context.BaseContext.Lock", none)
    monkeypatch.setattr(verifying.bits, "in_force", lambda: True)
    monkeypatch.setattr(verifying, "in_processes", none)
    told = []
    assert again(record, share=0.5, jobs=2, say=told.append).outcome == BYTE
    assert "one process computes" in told[0]


def _mean_of_tosses(p, run):
    table = run(coins())
    means = {n: (part["mean"].mean(), 0.1, len(part)) for n, part in parts(table, "n").items()}
    return Regenerated([Row("literal", f"n={n}", "mean", *measured) for n, measured in means.items()])


def test_all_of_it_makes_every_row_again_from_what_was_measured_again(record, tmp_path, monkeypatch):
    one = Artifact("kohavi-made-up", "Table 0", "Made up", compute=_mean_of_tosses)
    spec = Notebook("kohavi/00-made-up", "Made up", Parameters, (one,))
    monkeypatch.setattr(catalogue, "notebooks", lambda: (spec,))
    monkeypatch.setattr(catalogue, "artifact", lambda name: (spec, spec.artifact(name)))
    frame = regenerated_frame(one.id, {"published": _mean_of_tosses(None, run_study)})
    told = json.loads(record.read_text())
    record.write_text(json.dumps(told | {"rows": digests_of_rows(frame)}))

    def outcome(rows, **changes):
        monkeypatch.setattr(verifying, "recorded_rows", lambda: rows)
        return verify(read_ledger(record), share=1, seed=1, **changes)

    kept = Store(tmp_path / "kept")
    same = outcome(frame, kept=kept)
    assert (same.outcome, same.rows.checked) == (BYTE, 2)
    assert all(kept.get(piece.key) for piece in pieces_of(coins()))
    altered = outcome(frame.assign(value=frame.value.add([0, 0.001])), kept=kept)
    assert [one.said.partition(": ")[0] for one in altered.differences] == [
        "kohavi-made-up [literal, published] n=5, mean"
    ]
    assert [one.outcome for one in altered.files] == [DIFFERS]
    fewer = outcome(frame.iloc[:1], kept=kept).differences
    assert [one.said for one in fewer] == ["kohavi-made-up literal published n=5 mean: not recorded"]


def test_workers_begin_with_different_studies_and_measure_every_piece_once():
    studies = [name for name in "abcdefg" for _ in range(4)]
    order = leads_first(studies)
    assert sorted(order) == list(range(len(studies)))
    assert sorted(studies[place] for place in order[:7]) == list("abcdefg")
    # neighbours call the same kernels
    assert all(abs(ord(studies[a]) - ord(studies[b])) > 1 for a, b in zip(order[:7:2], order[1:7:2], strict=False))


def test_of_some_studies_alone_a_share_is_measured_again(tmp_path):
    store = Store(tmp_path / "store")
    studies = [coins(id=name) for name in "abcde"]
    for study in studies:
        run_study(study, store=store)
    write_ledger("9.9", [describe_study(study) for study in studies], [], {}, store, tmp_path / "studies.json")
    drawn = set()
    for seed in range(8):
        found = verify(read_ledger(tmp_path / "studies.json"), share=0.3, seed=seed, with_rows=False, studies=2, jobs=1)
        asked = [one.name for one in found.studies if one.checked]
        assert [one.checked for one in found.studies if one.checked] == [3, 3]
        assert [one.of for one in found.studies] == [9] * 5
        drawn |= set(asked)
    assert drawn == set("abcde"), "which ones goes by the seed"
