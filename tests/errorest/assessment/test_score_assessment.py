"""Scores of a person's own data: the function, the command, the report, and what is refused."""

import json

import numpy as np
import pytest

from errorest import estimate
from errorest.cli.main import main
from errorest.errors import UsageError

RNG = np.random.default_rng(4)
N = 60
Y = np.where(np.arange(N) % 2, "yes", "no")
X = RNG.normal(size=(N, 2)) + (Y == "yes")[:, None]


def test_a_brier_score_has_the_estimator_interval_and_resamples_of_the_error_rate():
    result, error = (estimate("knn(k=5)", X, Y, method="632+", rng=3, scoring=s) for s in ("brier", "error"))
    assert result.estimator == error.estimator == "632+(replicates=200)"
    assert result.interval.method == error.interval.method
    assert 0 < result.interval.low < result.estimate < result.interval.high < 1
    assert result.baseline == 0.25
    assert "the class shares always: 0.25" in result.verdict
    assert result.fits == error.fits
    assert result.warnings == error.warnings
    p = result.cases["p(yes)"].to_numpy()
    assert np.allclose(p + result.cases["p(no)"], 1)
    assert (p[Y == "yes"].mean() - p[Y == "no"].mean()) > 0.2
    assert result.reliability["cases"].sum() == N


def test_a_foreign_classifier_scores_as_ours_whatever_the_workers():
    from sklearn.neighbors import KNeighborsClassifier

    theirs = [
        estimate(KNeighborsClassifier(5), X, Y, scoring="brier", method="cv(k=5)", rng=3, n_jobs=j) for j in (1, 2)
    ]
    ours = estimate("knn(standardize=none)", X, Y, scoring="brier", method="cv(k=5)", rng=3)
    assert theirs[0].estimate == theirs[1].estimate == pytest.approx(ours.estimate, abs=1e-12)
    assert theirs[0].interval.low == pytest.approx(ours.interval.low)


def test_resamples_of_one_class_are_left_out_and_counted():
    result = estimate("naive-bayes", X, Y, scoring="auc", method="cv(k=30, weights=folds)", rng=3)
    counted = [w for w in result.warnings if "test one class alone" in w]
    assert [w.kind for w in counted] == ["E308"]
    left = int(counted[0].split()[0])
    assert 5 < left < 30
    assert counted[0].startswith(f"{left} of 30 resamples")


def test_scores_of_several_classes_need_to_know_of_which():
    y = np.array(["a", "b", "c"])[np.arange(N) % 3]
    with pytest.raises(UsageError, match=r"speaks of one class.*name it with pos_label, one of a, b, c"):
        estimate("knn", X, y, scoring="auc", rng=1)
    assert estimate("knn", X, y, scoring="auc", pos_label="b", rng=1).pos_label == "b"
    assert estimate("knn", X, y, scoring="mcc", rng=1).pos_label == ""
    assert estimate("knn", X, y, scoring="brier", method="loo", rng=1).interval.high <= 2


def test_what_is_wrong_is_stated_before_anything_is_made(tmp_path):
    from sklearn.svm import SVC

    for given, words in (
        ({"scoring": "acu"}, "did you mean 'auc'"),
        ({"scoring": 3}, "costs or one of brier"),
        ({"pos_label": "maybe", "scoring": "auc"}, "pos_label = 'maybe' was given"),
        ({"scoring": "auc", "interval": "cv-wald"}, "unknown interval of a statistic"),
        ({"scoring": "auc", "method": "632+"}, "per=replicate"),
        ({"scoring": "auc", "method": "cv(k=5)", "interval": "cv-influence(k=9)"}, "surrounds"),
        ({"scoring": "mcc", "interval": "holdout-delong"}, "not legal with score mcc"),
        ({"scoring": "auc", "interval": "two-stage", "groups": np.arange(N) // 2}, "can count groups"),
        ({"scoring": "brier", "interval": "kohavi", "method": "cv(k=10)"}, "0/1"),
        ({"ignore": "E999"}, "E999"),
    ):
        with pytest.raises(UsageError, match=words):
            estimate("naive-bayes", X, Y, rng=1, **given)
    with pytest.raises(UsageError, match="has no predict_proba"):
        estimate(SVC(), X, Y, rng=1, scoring="brier")
    with pytest.raises(UsageError, match="tells labels alone"):
        estimate("svm", X, Y, rng=1, scoring="brier")


@pytest.mark.parametrize("bad", [np.nan, 0.9])
def test_probabilities_that_are_none_stop_everything(bad):
    from sklearn.tree import DecisionTreeClassifier

    class Strange(DecisionTreeClassifier):
        def predict_proba(self, X, check_input=True):
            return np.full((len(X), 2), bad)

    with pytest.raises(UsageError, match="that are no probabilities"):
        estimate(Strange(), X, Y, rng=1, method="loo", scoring="brier")


def test_the_log_loss_tells_how_much_of_it_is_clipping():
    result = estimate("knn", X, Y, scoring="log-loss", method="loo", rng=1)
    assert ["which costs 34.5 each" in w for w in result.warnings if w.kind == "E305"] == [True]
    smooth = estimate("naive-bayes", X, Y, scoring="log-loss", method="loo", rng=1)
    assert not any("impossible" in w for w in smooth.warnings)


def test_the_command_tells_the_score_as_words_json_and_page(tmp_path, capsys):
    file = tmp_path / "a.csv"
    file.write_text("u,v,y\n" + "".join(f"{a:.5f},{b:.5f},{c}\n" for (a, b), c in zip(X, Y, strict=True)))
    page = tmp_path / "page.html"
    typed = ["estimate", str(file), "--target", "y", "--scoring", "auc", "--pos-label", "no", "--html", str(page)]
    assert main(typed) == 0
    assert "area under the ROC curve" in capsys.readouterr().out
    text = page.read_text()
    assert "Do probabilities mean what they say?" in text
    assert "<svg" in text
    assert main([*typed[:6], "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["score"] == "auc"
    assert len(report["reliability"]) >= 3
    other = tmp_path / "none.html"
    assert main(["estimate", str(file), "--target", "y", "--scoring", "acu", "--html", str(other)]) == 2
    assert "did you mean 'auc'" in capsys.readouterr().err
    assert not other.exists()
    assert main(["scores"]) == 0
    assert "calibration-slope" in capsys.readouterr().out
    assert main(["scores", "--json"]) == 0
    assert {"auc", "brier"} <= {row["name"] for row in json.loads(capsys.readouterr().out)["scores"]}
