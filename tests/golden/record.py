"""Make the recorded calls, compare what they return with the record, and record again.

``python tests/golden/record.py`` writes the files beside it and prints what changed; ``--text`` writes texts alone,
``--dry`` writes nothing.  Names of functions may follow, such as ``estimate``.
"""

import argparse
import dataclasses
import hashlib
import html
import json
import math
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from errorest import determinism

determinism.apply()

import numpy as np  # noqa: E402
from golden_calls import LISTS, LOSSES, SPLITTERS, TABLES, Call, all_calls, arrays, classifier, groups, inducer  # noqa: E402

import errorest  # noqa: E402
from compendium.methods import schemes, tuning_bias  # noqa: E402
from compendium.methods.estimators import ESTIMATORS  # noqa: E402
from compendium.methods.run import estimate_many  # noqa: E402
from errorest import Estimate, Estimates, data, estimation, report, resampling  # noqa: E402
from errorest.errors import UsageError  # noqa: E402
from errorest.resampling.schemes import NestedSubsetFolds  # noqa: E402
from errorest.spec import name_and_settings  # noqa: E402
from errorest.streams import Streams  # noqa: E402

HERE = Path(__file__).parent
RELATIVE, ABSOLUTE = 1e-12, 1e-15  # the second for differences that are rounding errors of zero
SEED = 7
PROSE = {"warnings", "aim", "note", "sentence", "costs", "paired", "permuted", "baseline/name"}
"""Fields of results that are sentences: compared with the texts, not with the values."""
PAGES = {
    "estimate": ("two gauss method=632+(replicates=30)", "two gauss scoring=auc"),
    "compare": ("two gauss logistic", "two gauss logistic scoring=mcc"),
    "choose": (
        "two candidates=own method=cv(k=5, repeats=2) n_resamples=200",
        "two candidates=own method=cv(k=5, repeats=2) n_resamples=200 scoring=mcc",
    ),
    "permutation_test": tuple(f"two naive-bayes method=cv(k=4) n_permutations=39{one}" for one in ("", " scoring=auc")),
    "learning_curve": ("two gauss folds=4 repeats=3",),
}
"""Calls whose page is recorded as text."""
FRAMES = ("splits", "ranks")
"""Tables that a result of :data:`PAGES` may have beside those of its ``to_dict``."""


def plain(value: Any) -> Any:
    """Turn what ``json`` does not write into what it does."""
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dict(value) if isinstance(value, Mapping) else np.asarray(value).tolist()


def keywords(call: Call) -> dict[str, Any]:
    """Return the data of a call and its arguments, each name replaced by its value."""
    made = {"X": arrays(call.data)[0], "y": arrays(call.data)[1]}
    for key, value in call.arguments.items():
        match key:
            case "model" | "a" | "b" | "candidates":
                made[key] = classifier(value)
            case "scoring":
                made[key] = LOSSES.get(value, value) if isinstance(value, str) else value
            case "method":
                made[key] = SPLITTERS.get(value) or estimator(value)
            case "groups":
                made[key] = groups(call.data)
            case "stratify" if value is True:
                made[key] = np.arange(len(made["y"])) % 2  # two, in turn
            case _:
                made[key] = value
    return made


def estimator(text: Any) -> Any:
    """Make an estimator that one paper needs, which the library takes but does not know by name."""
    name = name_and_settings(str(text))[0]
    return ESTIMATORS.parse(text) if name in {*ESTIMATORS} - {*estimation.ESTIMATORS} else text


def of_given(call: Call) -> Any:
    """Hand over what a resampling predicted as if another program had made it."""
    given = keywords(call)
    scoring = given.pop("scoring")
    rows = errorest.resample(**given, rng=SEED, scoring=["error", scoring]).to_frame()
    columns = {name: rows[name] for name in ("fold", "repeat", "case") if rows["fold"].nunique() > 1}
    if "group" in rows:
        columns["groups"] = rows["group"]
    probabilities = rows.filter(regex=r"^p\(")
    if scoring in ("auc", "log-loss"):
        return errorest.from_predictions(
            rows["y_true"],
            y_prob=probabilities.set_axis([n[2:-1] for n in probabilities], axis=1),
            **columns,
            scoring=scoring,
        )
    return errorest.from_predictions(rows["y_true"], rows["y_pred"], **columns, scoring=scoring)


def of_resample(call: Call) -> dict[str, Any]:
    """Return the first predictions of a resampling, and how many there are."""
    rows = errorest.resample(**keywords(call), rng=SEED, scoring=["error", "brier"]).to_frame()
    return {"rows": len(rows), "first": rows.head(40).to_dict("list")}


def of_result(call: Call) -> tuple[Any, dict[str, Any]]:
    """Call a function of the package that returns a result; return its values and its texts."""
    if call.function == "from_predictions":
        result = of_given(call)
    else:
        result = getattr(errorest, call.function)(**keywords(call), rng=SEED)
    value = result.to_dict()
    text: dict[str, Any] = {"shown": str(result).splitlines()}
    for one in value.values() if isinstance(result, Estimates) else [value]:
        del one["seconds"]
    if isinstance(result, Estimates):
        return value, text
    if call.id in PAGES.get(call.function, ()):
        tables = {name: getattr(result, name) for name in FRAMES if hasattr(result, name)}
        if isinstance(result, Estimate):
            of = result.predictions
            tables |= {"cases": of.cases(result.metric), "by_split": of.by_split(result.metric)}
            tables["predictions"] = of.to_frame().head(50)
        value["tables"] = {name: table.to_dict("list") for name, table in tables.items()}
        text["details"] = re.sub(r" in [\d.e+-]+ s\b", "", result.details()).splitlines()
        text["page"] = page(result)
        text["methods"] = re.sub(r"errorest \d+\.\d+\.[^\s]+(?=\. )", "", report.methods_text(result)).split("\n\n")
    return value, text


def without_prose(value: Any, taken: dict[str, Any], path: str = "") -> Any:
    """Leave sentences out of a nested value; they are put into ``taken`` by their path."""
    if isinstance(value, list):
        return [without_prose(one, taken, f"{path}{number}/") for number, one in enumerate(value)]
    if not isinstance(value, dict):
        return value
    prose = {key for key in value if key in PROSE or path + key in PROSE}
    taken.update({path + key: value[key] for key in prose})
    return {key: without_prose(one, taken, f"{path}{key}/") for key, one in value.items() if key not in prose}


def page(result: Any) -> list[str]:
    """Read the texts of a result's page, without its picture."""
    with tempfile.TemporaryDirectory() as folder:
        report.to_html(result, Path(folder) / "page.html")
        text = (Path(folder) / "page.html").read_text(encoding="utf-8")
    text = re.sub(r"<style.*?</style>|<svg.*?</svg>|<p class=\"from\">.*?</p>", "", text, flags=re.S)
    text = re.sub(r" in [\d.e+-]+ s\b|errorest \d+\.\d+\.\S+?(?=<)", "", text)
    return [html.unescape(one).strip() for one in re.split(r"<[^>]*>", text) if one.strip()]


def of_sample(call: Call) -> Any:
    """Call a function of the engine on a sample."""
    sample = data.Sample.from_arrays(*arrays(call.data))
    who, what = call.arguments.values()
    rng = np.random.default_rng(SEED)
    if call.function == "intervals":
        return estimation.intervals(sample, inducer(who), [what], rng)
    results = estimate_many(sample, {name: inducer(name) for name in LISTS.get(who, [who])}, [what], rng)
    return results if call.function == "estimate_many" else results[who]


def of_scheme(call: Call) -> Any:
    """Draw resamples and digest them."""
    scheme = eval(
        call.arguments["scheme"], {**vars(resampling), **vars(schemes), "NestedSubsetFolds": NestedSubsetFolds}
    )
    made = scheme.draw(data.Sample.from_arrays(*arrays(call.data)), Streams(SEED))
    numbers = [one.tolist() for one in (made.training_counts(), made.start, made.cases)]
    digest = hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]
    return {"id": scheme.id, "rows": made.n_rows, "digest": digest}


def of_table(call: Call) -> tuple[Any, dict[str, Any]]:
    """Read a file and digest the sample."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(TABLES[call.data].encode())
        with warnings.catch_warnings(record=True) as result:
            warnings.simplefilter("always")
            sample = data.read_csv(path)
    kinds = [[a.name, a.kind] for a in sample.attributes]
    value = {"digest": sample.digest(), "n": sample.n, "kinds": kinds, "classes": list(sample.classes)}
    return value, {"warnings": [str(w.message).replace(f"{folder}/", "") for w in result]}


@cache
def made(function: str, id: str) -> dict[str, Any]:
    """Make a call; its value, or the exception, and its texts."""
    call = all_calls()[function][id]
    text: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            match function:
                case "estimate_many" | "estimation.estimate" | "intervals":
                    value = of_sample(call)
                case "draw":
                    value = of_scheme(call)
                case "read_csv":
                    value, text = of_table(call)
                case name if hasattr(tuning_bias, name):
                    value = getattr(tuning_bias, name)(**call.arguments)
                case "resample":
                    value = of_resample(call)
                case "check_classifier":
                    result = errorest.check_classifier(**keywords(call))
                    value, text = [one.id for one in result], {"warnings": [str(one) for one in result]}
                case _:
                    value, text = of_result(call)
    except UsageError as error:
        value, text = {"raises": type(error).__name__}, {"message": re.sub(r"\S*/(?=table\.csv)", "", str(error))}
    shown, sentences = "\n".join(text.get("shown", ())), {}
    value = without_prose(json.loads(json.dumps(value, default=plain)), sentences)
    for path, output in sentences.items():
        if not all(one in shown for one in ([output] if isinstance(output, str) else output or ())):
            text[path] = output
    return {"value": value, "text": text}


def file_of(kind: str, function: str) -> Path:
    """Return where values, or texts, of a function are recorded."""
    return HERE / kind / f"{function}.json"


@cache
def recorded(kind: str, function: str) -> dict[str, Any]:
    """Read the record of a function."""
    path = file_of(kind, function)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def changes(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Yield the fields that differ: numbers beyond rounding, all else exactly."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        old, new = dict(enumerate(old)), dict(enumerate(new))
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            at = f"{path}/{key}" if path else key
            if key not in old or key not in new:
                yield f"{at}: {'added' if key in new else 'removed'}: {json.dumps({**old, **new}[key])[:200]}"
            else:
                yield from changes(old[key], new[key], at)
    elif isinstance(old, list) and isinstance(new, list):
        gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
        yield f"{path}: {len(old)} -> {len(new)} items: {json.dumps(gone)[:500]} -> {json.dumps(come)[:500]}"
    elif isinstance(old, float) and isinstance(new, float):
        if not (math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (math.isnan(old) and math.isnan(new))):
            yield f"{path}: {old} -> {new}"
    elif type(old) is not type(new) or old != new:
        yield f"{path}: {json.dumps(old)[:500]} -> {json.dumps(new)[:500]}"


def write(path: Path, found: Mapping[str, Any]) -> None:
    """Write a record, one call a line; none leaves no file."""
    if not found:
        return path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    short = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
    lines = (f"{json.dumps(id)}: {short(found[id])}" for id in sorted(found))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Record again, and print what changed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("functions", nargs="*", help="record these alone")
    parser.add_argument("--text", action="store_true", help="leave the values as they are")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    chosen = parser.parse_args()
    calls = all_calls()
    kinds = ("text",) if chosen.text else ("value", "text")
    for function in chosen.functions or calls:
        for kind in kinds:
            results = {id: one for id in calls[function] if (one := made(function, id)[kind]) != {}}
            old = recorded(kind, function)
            for line in changes(old, results):
                print(f"{kind} {function} {line}")
            if not chosen.dry:
                write(file_of(kind, function), results)
    if not (chosen.functions or chosen.dry):
        for path in HERE.glob("*/*.json"):
            if path.stem not in calls:
                path.unlink()
                print(f"{path.parent.name} {path.stem}: removed")


if __name__ == "__main__":
    main()
