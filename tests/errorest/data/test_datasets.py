"""The project's data sets are the papers', damaged files are found, and any CSV can stand in."""

import gzip
import hashlib
import importlib.util
import itertools
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import entropy
from sklearn.datasets import load_iris

from batteries import assert_refused
from errorest.data import sets as datasets
from errorest.data.reading import read_csv
from errorest.data.sets import digest, load, names

DATA = Path(__file__).resolve().parents[3] / "data"
SHIPPED = DATA.parent / "src" / "errorest" / "data" / "shipped"

# Rows, attributes, cases of each class, missing cells, duplicates: data/SOURCES.md.
COUNTS = {
    "breast-cancer": (699, 10, {"benign": 458, "malignant": 241}, 16, 8),
    "chess": (3196, 36, {"won": 1669, "nowin": 1527}, 0, 0),
    "contact-lenses": (24, 4, {"none": 15, "soft": 5, "hard": 4}, 0, 0),
    "dna": (3186, 180, {"n": 1654, "ei": 767, "ie": 765}, 0, None),
    "heart": (270, 13, {"1": 150, "2": 120}, 0, None),
    "hypothyroid": (3163, 25, {"negative": 3012, "hypothyroid": 151}, 5329, 77),
    "iris": (150, 4, {"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}, 0, None),
    "land-sat-test": (2000, 36, {"1": 461, "2": 224, "3": 397, "4": 211, "5": 237, "7": 470}, 0, None),
    "land-sat-train": (4435, 36, {"1": 1072, "2": 479, "3": 961, "4": 415, "5": 470, "7": 1038}, 0, None),
    "mushroom": (8124, 22, {"edible": 4208, "poisonous": 3916}, 2480, 0),
    "pima": (768, 8, {"neg": 500, "pos": 268}, 0, None),
    "soybean-large": (683, 35, None, 2337, 52),
    "vehicle": (846, 18, {"bus": 218, "saab": 217, "opel": 212, "van": 199}, 0, 0),
}


def rebuild_script():
    spec = importlib.util.spec_from_file_location("rebuild", DATA / "rebuild.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The sets are the papers'.


def test_every_set_is_listed_in_alphabetical_order_with_a_file_and_a_checksum():
    assert names() == tuple(sorted(COUNTS))
    assert {p.name for p in SHIPPED.iterdir()} == {"checksums.csv", *(f"{n}.csv.gz" for n in names())}
    rows = pd.read_csv(SHIPPED / "checksums.csv")
    assert list(rows["file"]) == [f"{n}.csv.gz" for n in names()]
    for name, row in zip(names(), rows.to_dict("records"), strict=True):
        sample = load(name)
        counted = (digest(name), sample.n, sample.d, sample.n_classes, int(np.isnan(sample.X).sum()))
        assert counted == tuple(row[k] for k in ("sha256", "rows", "attributes", "classes", "missing"))


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_of_the_source(name):
    rows, attributes, classes, missing, duplicates = COUNTS[name]
    sample = load(name)
    assert (sample.n, sample.d, int(np.isnan(sample.X).sum())) == (rows, attributes, missing)
    if classes is not None:
        assert dict(zip(sample.classes, sample.class_counts().tolist(), strict=True)) == classes
    if duplicates is not None:
        assert sample.duplicates() == duplicates


@pytest.mark.parametrize("name", COUNTS)
def test_samples_hold_what_the_file_says(name):
    rows, sample = pd.read_csv(SHIPPED / f"{name}.csv.gz", dtype=str, keep_default_na=False), load(name)
    assert sample.duplicates() == rows.duplicated().sum()
    assert list(sample.classes) == sorted(sample.classes)
    assert [a.name for a in sample.attributes] == list(rows)[:-1]
    assert [sample.classes[k] for k in sample.y] == rows.iloc[:, -1].tolist()
    for attribute, values in zip(sample.attributes, sample.X.T, strict=True):
        assert list(attribute.categories) == sorted(attribute.categories)
        known = ~np.isnan(values)
        cells = rows.loc[known, attribute.name]
        assert (rows[attribute.name] != "").tolist() == known.tolist()
        if attribute.kind == "nominal":
            assert [attribute.categories[int(value)] for value in values[known]] == cells.tolist()
        else:
            assert values[known].tolist() == [float(cell) for cell in cells]
        if attribute.kind == "integer":
            assert (values[known] % 1 == 0).all()


def test_kinds_follow_the_papers():
    # those of Kohavi's sets are in the digests that the recorded trees of J48 belong to
    kinds = {n: {a.name: a.kind for a in load(n).attributes} for n in names()}
    for kind, of in (("nominal", ("contact-lenses", "dna")), ("integer", ("land-sat-test", "land-sat-train"))):
        assert all({*kinds[name].values()} == {kind} for name in of)
    continuous = {n: {a for a, kind in kinds[n].items() if kind == "continuous"} for n in names()}
    assert continuous["iris"] == set(kinds["iris"])
    # Shakhnarovich's Table 3: 6 integer and 2 continuous.
    assert continuous["pima"] == {"mass", "pedigree"}
    assert Counter(kinds["pima"].values()) == {"integer": 6, "continuous": 2}
    assert continuous["heart"] == {"oldpeak"}


def test_lenses_hold_each_combination_once():
    sample = load("contact-lenses")
    sizes = [range(len(a.categories)) for a in sample.attributes]
    assert sorted(map(tuple, sample.X.astype(int).tolist())) == sorted(itertools.product(*sizes))


def test_class_entropies_are_those_that_scheffer_and_herbrich_print():
    assert round(entropy(load("pima").class_counts(), base=2), 4) == 0.9331
    assert round(entropy(load("heart").class_counts(), base=2), 4) == 0.9911
    assert round(entropy(load("land-sat-test").class_counts(), base=2), 4) == 2.5027
    assert round(entropy(np.bincount(load("dna").y[2000:]), base=2), 4) == 1.4908


def test_iris_is_uci_s_and_differs_from_scikit_learns_in_three_cells():
    differs = np.argwhere(load_iris().data != load("iris").X)
    assert len(differs) == 3
    assert set(differs[:, 0].tolist()) == {34, 37}


def test_the_properties_that_kohavi_prints_are_those_of_our_sets():
    table = pd.read_csv(DATA / "published" / "kohavi.csv", dtype=str)
    table = table[(table["artifact"] == "kohavi-table-1") & (table["kind"] == "data") & table["row"].isin(names())]
    assert {*table["row"]} == {"breast-cancer", "chess", "hypothyroid", "mushroom", "soybean-large", "vehicle"}
    for name, column, printed in zip(table["row"], table["column"], table["value"], strict=True):
        sample = load(name)
        ours = {
            "attributes": sample.d,
            "total-size": sample.n,
            "categories": sample.n_classes,
            "duplicates": sample.duplicates(),
        }
        assert ours[column] == int(printed), (name, column)


# Loading.


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A data folder of our own with one small set in it."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(SHIPPED / "checksums.csv", folder)
    shutil.copy(SHIPPED / "iris.csv.gz", folder)
    monkeypatch.setenv("ERROREST_DATA", str(folder))
    return folder


def test_the_data_folder_can_be_named_by_the_environment(copied):
    assert load("iris").n == 150
    (copied / "iris.csv.gz").unlink()
    assert load("iris").n == 150  # verified and kept since the first load


def test_recompressed_files_are_as_good(copied):
    path = copied / "iris.csv.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), compresslevel=1))
    assert digest("iris").startswith("5c38242d")


def test_one_changed_value_is_detected_and_named(copied):
    path = copied / "iris.csv.gz"
    content = gzip.decompress(path.read_bytes()).replace(b"5.1,3.5", b"5.1,3.6", 1)
    path.write_bytes(gzip.compress(content))
    for call in (load, digest):
        assert_refused(
            [str(path), "damaged", hashlib.sha256(content).hexdigest(), "5c38242d", "rebuild.py iris"], call, "iris"
        )


def test_truncated_and_absent_files_are_detected(copied):
    path = copied / "iris.csv.gz"
    whole = path.read_bytes()
    for broken in (whole[:-20], whole[:100] + b"\0\0\0\0" + whole[104:], b"", b"plain text"):
        path.write_bytes(broken)
        assert_refused(["damaged", "5c38242d", "restore it with git"], load, "iris")
    path.unlink()
    assert_refused(["no file", "restore it with git"], load, "iris")


def test_a_broken_list_of_checksums_is_refused(copied):
    for text in ("file,sha256\n", "one,two\n1,2\n", ""):
        (copied / "checksums.csv").write_text(text)
        datasets._digests.cache_clear()
        assert_refused(["checksums.csv", "restore it with git"], load, "iris")


@pytest.mark.parametrize("stated", [True, False])
def test_a_folder_without_checksums_is_refused(tmp_path, monkeypatch, stated):
    monkeypatch.setattr(datasets, "__file__", str(tmp_path / "datasets.py"))
    monkeypatch.setenv("ERROREST_DATA", str(tmp_path) if stated else "")
    words = ("checksums.csv", "unset") if stated else ("not found inside", "set ERROREST_DATA")
    assert_refused(words, load, "iris")


# The script that rebuilds.


def test_the_shipped_files_pass_the_script_s_check(capsys):
    assert rebuild_script().main(["--check"]) == 0
    assert "13 of 13" in capsys.readouterr().out


def test_the_script_s_check_finds_damage(capsys, tmp_path):
    script = rebuild_script()
    script.SETS = tmp_path
    shutil.copy(SHIPPED / "iris.csv.gz", tmp_path / "heart.csv.gz")
    assert script.main(["--check", "heart", "iris"]) == 1
    out = capsys.readouterr().out
    assert "heart: sha256 is 5c38242d" in out
    assert "iris: missing" in out


def test_shipped_files_are_compressed_without_a_time():
    for name in names():
        header = (SHIPPED / f"{name}.csv.gz").read_bytes()[:10]
        assert header[3:8] == bytes(5)  # no flags (so no file name), time 0


# CSV files of a user.

TEXT = "id,age,code,y\n1,31,7,a\n2,?,8,b\n3,40,9,b\n"


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(TEXT)
    return path


def test_class_kinds_missing_cells_and_columns_to_drop_can_be_stated(own):
    sample = read_csv(own, "y", kinds={"code": "nominal", "age": "continuous"}, missing=["?"], drop=["id"])
    assert [(a.name, a.kind) for a in sample.attributes] == [("age", "continuous"), ("code", "nominal")]
    assert sample.classes == ("a", "b")
    assert np.isnan(sample.X).tolist() == [[False, False], [True, False], [False, False]]
    assert sample.name == "own"


def test_arrays_of_one_call_are_not_those_of_another():
    load("iris").X[:] = 0
    load("iris").y[:] = 0
    assert load("iris").X.sum() > 0
    assert load("iris").class_counts().tolist() == [50, 50, 50]


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        *((lambda own, call=call: call("hypothyriod"), ("did you mean 'hypothyroid'?",)) for call in (load, digest)),
        (lambda own: read_csv(own), ("no class column", "'id', 'age', 'code', 'y'")),
    ],
)
def test_a_name_that_is_no_set_and_a_file_without_a_class_are_refused(own, call, parts):
    assert_refused([*parts], call, own)
