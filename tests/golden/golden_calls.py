"""The calls of the library whose results are recorded, as ``calls.txt`` lists them, and what its names stand for."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import errorest.data
from compendium.methods.learners import ID3, SVM
from errorest.learners.named import named


class Call(NamedTuple):
    """One call: its id, the function, the data set, and the other arguments."""

    id: str
    function: str
    data: str
    arguments: dict[str, Any]


class FailsOnLowMaximum(GaussianNB):
    """Naive Bayes whose fit fails on training sets without one of the cases largest in the first attribute."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit, or fail."""
        if np.max(X[:, 0]) < 2.0:
            raise ValueError("no large case")
        return super().fit(X, y)


class KeepsState(KNeighborsClassifier):
    """Nearest neighbors that centres what it is asked about."""

    def predict(self, X: Any) -> Any:
        """Answer for cases less their mean."""
        return super().predict(X - np.mean(X, axis=0))


FOREIGN = {
    # Newton steps to a tight tolerance: equal digits wherever the linear algebra rounds differently
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky", tol=1e-10)),
    "tree": DecisionTreeClassifier(max_depth=3),
    "gauss": GaussianNB(),
    "fails": FailsOnLowMaximum(),
    "keeps-state": KeepsState(3),
    "search": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 7]}),
}
"""Classifiers of scikit-learn by a short name."""

COMPENDIUM = {"svm": SVM(gamma="scale", standardize="training", vote="count"), "id3": ID3()}
"""Inducers of the compendium by a short name; other names are the library's own."""

LOSSES = {
    "fn-fp": {"fn": 5, "fp": 1},
    "of-classes": {"no": 1, "yes": 3},
    "table": pd.DataFrame([[0.0, 1.0], [4.0, -0.5]], ["no", "yes"], ["no", "yes"]),
    "callable": lambda true, predicted: (true != predicted) * np.where(np.asarray(true) == "yes", 2.0, 0.75),
}

SPLITTERS = {
    "stratified-5-fold": StratifiedKFold(5, shuffle=True, random_state=1),
    "shuffled": ShuffleSplit(8, test_size=0.25, random_state=1),
    "group-4-fold": GroupKFold(4),
}

TABLES = {
    "plain": "a,b,class\n1,2.5,x\n2,3.5,y\n3,,x\n4,1.25,y\n",
    "semicolon": "a;b;class\n1,5;2,5;x\n2,25;3,5;y\n3,0;1,0;x\n",
    "tab": "a\tcolour\tclass\n1\tred\tx\n2\tblue\ty\n3\tred\ty\n",
    "quoted": '"a, b",class\n"1,000",x\n"2,000",y\n"3,500",y\n',
    "missing": "a,b,class\n?,red,x\nNA,blue,y\n1,nan,x\n2,red,y\n",
    "identifiers": "id,day,a,class\n1,2020-01-01,.5,x\n2,2020-01-02,.7,y\n3,2020-01-03,.9,x\n4,2020-01-04,.1,y\n",
    "percent": "a,b,class\n45%,1,x\n50%,0,y\n12%,1,y\n",
    "crlf-bom": "\ufeffa,class\r\n1,x\r\n2,y\r\n",
    "numbers-as-classes": "a,class\n1.5,0\n2.5,1\n3.5,1\n",
    "no-class-column": "a,b\n1,2\n3,4\n",
    "ragged": "a,b,class\n1,2,x\n3,y\n",
}


LISTS = {
    "own": ["naive-bayes", "knn(k=3)", "linear-discriminant"],
    "own-and-majority": ["majority", "naive-bayes", "knn(k=3)", "linear-discriminant"],
    "two-own": ["naive-bayes", "knn(k=3)"],
    "mixed": ["gauss", "logistic", "knn(k=5)"],
    "one-fails": ["gauss", "fails"],
    "settings": [{"n_neighbors": 1}, {"n_neighbors": 5}],
    "learners": ["naive-bayes", "knn(k=3)", "linear-discriminant", "c4.5", "svm", "majority"],
}
"""Candidates and learners by a short name."""


def classifier(name: Any) -> Any:
    """Look up a classifier, or a list of them."""
    if isinstance(name, str) and name in LISTS:
        return [classifier(one) for one in LISTS[name]]
    return {**FOREIGN, **COMPENDIUM}.get(name, name) if isinstance(name, str) else name


def inducer(name: str) -> Any:
    """Look up an inducer of either package."""
    return COMPENDIUM[name] if name in COMPENDIUM else named(name)


def _two(n: int, rare: int, apart: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) < rare
    X = rng.normal(size=(n, 3)) + apart * np.outer(y, [1.0, 0.5, 0.0])
    order = rng.permutation(n)
    return X[order], np.where(y, "yes", "no")[order]


@cache
def arrays(name: str) -> tuple[Any, Any]:
    """Make X and y of a data set."""
    match name:
        case "two":
            return _two(40, 18, 1.2, 1)
        case "noise":
            return _two(30, 15, 0.0, 2)
        case "tiny":
            return _two(10, 4, 1.5, 3)
        case "rare":
            return _two(60, 3, 2.0, 4)
        case "whole-groups":
            X, y = _two(36, 18, 0.8, 5)
            order = np.argsort(y, kind="stable")
            return X[order], y[order]
        case "three":
            iris = errorest.data.load("iris")
            return iris.X[::3, :2], np.array(iris.classes)[iris.y[::3]]
        case "lenses":
            return errorest.data.load("contact-lenses"), None
        case "mixed":
            X, y = _two(40, 18, 1.2, 1)
            frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "colour": np.where(X[:, 2] > 0, "red", "blue")})
            frame.loc[::7, "b"] = np.nan
            return frame, y
    raise KeyError(name)


@cache
def groups(name: str) -> np.ndarray:
    """Make the groups of a data set: of one to six cases, or of three neighbors."""
    n = len(arrays(name)[1])
    return np.arange(n) // 3 if name == "whole-groups" else np.sqrt(5 * np.arange(n)).astype(int)


def _alternatives(text: str, named: dict[str, list[str]]) -> list[str]:
    parts = [part.strip() for part in text.split(";")]
    return [one for part in parts for one in named.get(part, [part])]


def _arguments(text: str, named: dict[str, list[str]]) -> list[dict[str, str]]:
    """Read the alternatives of one argument, or of several at once."""
    key, _, value = (part.strip() for part in text.partition("="))
    if key != "*":
        return [{key: one} for one in _alternatives(value, named)]
    return [
        {k.strip(): v.strip() for k, _, v in (part.partition("=") for part in one.split("&") if one != "-")}
        for one in _alternatives(value, named)
    ]


@cache
def all_calls() -> dict[str, dict[str, Call]]:
    """Read all calls, by function and id."""
    named: dict[str, list[str]] = {}
    results: dict[str, dict[str, Call]] = {}
    for line in Path(__file__).with_name("calls.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        function, data, *rest = (part.strip() for part in line.split("|"))
        if function.startswith("$"):
            named[function] = _alternatives(data, named)
            continue
        for name, *chosen in product(_alternatives(data, named), *(_arguments(text, named) for text in rest)):
            texts = {key: value for one in chosen for key, value in one.items()}
            id = " ".join([name, *(v if k in ("model", "a", "b") else f"{k}={v}" for k, v in texts.items())])
            arguments = {key: yaml.safe_load(value) for key, value in texts.items()}
            of_function = results.setdefault(function, {})
            assert id not in of_function, f"{function} [{id}] stands twice"
            of_function[id] = Call(id, function, name, arguments)
    return results
