"""Parameters of notebooks: as people give them, as the model describes them, and as the parameters cell has them.

What is given (text on a command line, YAML in a file) is checked against the notebook's pydantic model before anything
runs; papermill itself would paste an unknown name into code.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import yaml
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from compendium.book.places import write_whole
from errorest.data.text import quoted
from errorest.errors import UsageError, nearest
from errorest.spec import name_and_settings

if TYPE_CHECKING:
    from compendium.book.notebook import Notebook
    from compendium.papers.parameters import Parameters

__all__ = [
    "Relation",
    "changed",
    "check_imports_nothing",
    "describe",
    "edited_parameters",
    "from_assignments",
    "relation",
    "resolve",
    "scale_of",
    "write_parameters_cell",
]


_IMPORTED = ("inducer", "inducers", "classifiers", "against", "estimators")
"""Parameters whose text may be an import path."""

_OURS = ("errorest", "sklearn")
"""Packages whose import runs nobody else's code."""

_LARGEST = 2**63 - 1
_WIDEST = 80


class Described(typing.NamedTuple):
    """One parameter in words."""

    name: str
    type: str
    bounds: str
    default: Any
    preview: Any
    meaning: str
    limits: Mapping[str, Any]
    allowed: Sequence[Any] | None

    def record(self) -> dict[str, Any]:
        """Return all of it for programs: each bound under its own name, ``allowed`` for whole lists of values."""
        allowed = {} if self.allowed is None else {"allowed": list(self.allowed)}
        told = {"default": self.default, "preview": self.preview, "meaning": self.meaning}
        return {"name": self.name, "type": self.type, **self.limits, **allowed, **told}


def from_assignments(assignments: Sequence[str], file: Path | None = None) -> dict[str, Any]:
    """Read ``name=value`` texts (values as YAML) over the contents of a YAML file."""
    given: dict[str, Any] = {}
    if file is not None:
        read = _read_yaml(_text_of(file), f"parameter file {file}")
        if not isinstance(read, dict):
            raise UsageError(
                f"parameter file {file} holds no names; expected YAML with one 'name: value' a line; mend the file"
            )
        given.update({str(k): v for k, v in read.items()})
    for text in assignments:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"parameter '{text}' has no value; expected name=value; write -p {text}=VALUE")
        try:
            given[name.strip()] = _read_yaml(value, name.strip())
        except UsageError:
            raise UsageError(
                f"parameter {name.strip()} was given {shown(value)}; expected a number, a word or a list such as "
                "[10, 20]; mend the value (quote the whole argument for the shell)"
            ) from None
    for name in given:
        if not name.isidentifier():
            raise UsageError(
                f"parameter name {name!r} is not an identifier; expected letters, digits and underscores; "
                "see: compendium params NOTEBOOK"
            )
    return given


class _Loader(yaml.SafeLoader):
    """YAML without programs, in which a key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a mapping; without this a second value would silently take the place of the first."""
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) < len(node.value):
            raise yaml.constructor.ConstructorError(problem="a key twice", problem_mark=node.start_mark)
        return mapping


def _read_yaml(text: str, source: str) -> Any:
    """Parse a YAML text."""
    try:
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError) as exc:  # a date or number that there cannot be is a ValueError
        mark, told = getattr(exc, "problem_mark", None), getattr(exc, "problem", None) or str(exc)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise UsageError(
            f"{source}: {where} is not YAML ({' '.join(told.split())[:80]}); expected 'key: value' lines, each key "
            "once; mend it"
        ) from None


def _text_of(file: Path) -> str:
    """Read a parameter file."""
    try:
        with open(file, encoding="utf-8") as handle:
            return handle.read()
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or " ".join(str(exc).split())
        raise UsageError(
            f"parameter file {file} cannot be read ({reason}); expected YAML with one 'name: value' a line; "
            "mend the file or its path"
        ) from None


def shown(value: Any) -> str:
    """Show a value in a message, on one line and cut, whatever it is."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a whole number of more than 4000 digits"
    return text if len(text) < _WIDEST else text[: _WIDEST - 3] + "..."


def check_imports_nothing(given: Mapping[str, Any]) -> None:
    """Refuse import paths, which run the code of the module that they name, where nothing is to be run.

    Names of ours and classes of scikit-learn are looked up.
    """
    from compendium.papers.kohavi import named_inducers
    from errorest.inducers.named import INDUCERS

    for name in _IMPORTED:
        value = given.get(name)
        for text in value if isinstance(value, list) else [value]:
            split = name_and_settings(str(text))
            path = str(text) if split is None else split[0]
            if path in {*INDUCERS, *named_inducers.INDUCERS} or path.replace(":", ".").partition(".")[0] in _OURS:
                continue
            if "." in path or ":" in path:
                raise UsageError(
                    f"{name} {quoted(str(text))} would be imported, which runs code, and 'explain' runs nothing; "
                    "expected a name of ours or a class of scikit-learn; see what the file names, then use 'run'"
                )


def _check_whole(spec: Notebook, name: str, value: Any) -> None:
    """Refuse whole numbers that the formats of tables and results do not hold."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, int) and abs(one) > _LARGEST:
            raise UsageError(
                f"parameter {name} of {spec.id} was given {shown(one)}; expected a whole number of at most {_LARGEST}; "
                "choose a smaller one"
            )


def resolve(spec: Notebook, given: Mapping[str, Any], scale: str = "published") -> Parameters:
    """Check parameters and complete them with the defaults of a scale."""
    model = spec.parameters
    for name in given:
        if name not in model.model_fields:
            raise UsageError(
                f"notebook {spec.id} has no parameter '{name}'; expected one that 'compendium params {spec.id}' lists; "
                + nearest(name, model.model_fields)
            )
    for name, value in given.items():
        _check_whole(spec, name, value)
    values = {**(model.preview() if scale == "preview" else {}), **given}
    values = {k: _loosened(model.model_fields[k].annotation, v) for k, v in values.items()}
    if not given.keys().isdisjoint(_IMPORTED) and os.getcwd() not in sys.path:
        # a reader's own module stands in the working folder; it takes the place of no installed one
        sys.path.append(os.getcwd())
    try:
        return model(**values)
    except ValidationError as exc:
        error = exc.errors()[0]
        path = [str(part) for part in error["loc"]]
        message = error["msg"].removeprefix("Value error, ")
        if not path:
            raise UsageError(f"parameters of {spec.id}: {message}") from None
        text = f"parameter {path[0]} of {spec.id}: {message}"
        if error["type"] == "value_error":
            raise UsageError(text) from None
        described = next(d for d in describe(model) if d.name == path[0])
        bounds = f", {described.bounds}" if described.bounds else ""
        raise UsageError(
            f"parameter {path[0]} of {spec.id} was given {shown(error.get('input'))} "
            f"({message[0].lower()}{message[1:]}); expected {described.type}{bounds}; "
            f"give a value such as {described.default!r}"
        ) from None


def _loosened(annotation: Any, value: Any) -> Any:
    """Let a whole number stand for a float, as people write it; nothing else is converted."""
    if annotation is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if get_origin(annotation) is list and isinstance(value, list):
        return [_loosened(get_args(annotation)[0], v) for v in value]
    return value


def scale_of(spec: Notebook, parameters: Parameters) -> str:
    """Say which scale parameters stand for: published, preview, or a reader's own."""
    if parameters == spec.parameters():
        return "published"
    if parameters == spec.parameters(**spec.parameters.preview()):
        return "preview"
    return "own"


def changed(spec: Notebook, parameters: Parameters) -> list[str]:
    """Return the parameters that differ from the published ones, in the model's order."""
    published = spec.parameters.published()
    return [name for name, value in parameters.model_dump().items() if value != published.get(name)]


Relation = Literal["published", "seed", "repeats", "design"]
"""How a run relates to the published one: the same experiment (another seed, other repeats), or another design."""


def relation(spec: Notebook, parameters: Parameters) -> Relation:
    """Return how a run relates to the published one: numbers of another design may not stand beside the print."""
    other = changed(spec, parameters)
    fields = spec.parameters.model_fields
    design = [name for name in other if name != "seed" and not _extra(fields[name]).get("replication")]
    if design:
        return "design"
    return "published" if not other else "seed" if other == ["seed"] else "repeats"


def _extra(info: FieldInfo) -> dict[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}


def describe(model: type[Parameters]) -> list[Described]:
    """List the parameters of a model with types, bounds, defaults and meaning; the seed, which all have, last."""
    found = []
    fields = model.model_fields
    for name in sorted(fields, key=lambda name: name == "seed"):
        info = fields[name]
        bounds = list(_bounds(info))
        found.append(
            Described(
                name,
                _type_name(info.annotation),
                " and ".join(words for _, _, words in bounds),
                info.default,
                _extra(info).get("preview", info.default),
                info.description or "",
                {name: value for name, value, _ in bounds},
                _allowed(info.annotation),
            )
        )
    return found


_BOUNDS = {
    "ge": ("minimum", "at least"),
    "gt": ("exclusive_minimum", "above"),
    "le": ("maximum", "at most"),
    "lt": ("exclusive_maximum", "below"),
    "min_length": ("min", "at least"),
    "max_length": ("max", "at most"),
}
"""How pydantic calls a bound, how it is called for programs, and in words."""


def _bounds(info: FieldInfo) -> Iterator[tuple[str, Any, str]]:
    """Yield the bounds of a parameter: name for programs, value, words."""
    single, several = ("entry", "entries") if get_origin(info.annotation) is list else ("character", "characters")
    for item in info.metadata:
        for attribute, (name, words) in _BOUNDS.items():
            value = getattr(item, attribute, None)
            if value is not None and attribute.endswith("length"):
                yield f"{name}_{several}", value, f"{words} {value} {single if value == 1 else several}"
            elif value is not None:
                yield name, value, f"{words} {value}"


def _allowed(annotation: Any) -> Sequence[Any] | None:
    """Return the values that a parameter, or each entry of it, may have, where they can be listed."""
    if get_origin(annotation) is list:
        return _allowed(get_args(annotation)[0])
    return get_args(annotation) if get_origin(annotation) is Literal else None


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "nothing"}


def _type_name(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin is Literal:
        return "one of " + ", ".join(str(a) for a in get_args(annotation))
    if origin is list:
        inner = _type_name(get_args(annotation)[0])
        return "a list, each " + inner
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_type_name(a) for a in get_args(annotation))
    return _WORDS.get(annotation, str(annotation))


def parameters_cell(spec: Notebook) -> str:
    """Write the code of a notebook's parameters cell: one line a parameter, with its type, default and meaning."""
    fields = spec.parameters.model_fields
    return "\n".join(
        f"{d.name}: {_annotation(fields[d.name].annotation)} = {_literal(d.default)}  # {d.meaning}"
        for d in describe(spec.parameters)
    )


def write_parameters_cell(spec: Notebook) -> bool:
    """Write the parameters cell into a notebook's file, and tell whether that changed it."""
    path = spec.file
    before = path.read_text(encoding="utf-8")
    document = json.loads(before)
    tagged = [cell for cell in document["cells"] if _is_tagged(cell)]
    if len(tagged) != 1:
        raise UsageError(
            f"notebook {spec.path} has {len(tagged)} cells tagged 'parameters'; expected one; mend the notebook"
        )
    tagged[0]["source"] = parameters_cell(spec).splitlines(keepends=True)
    after = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if after != before:
        write_whole(path, after)
    return after != before


def edited_parameters(spec: Notebook) -> dict[str, Any]:
    """Return what a person wrote into a notebook's parameters cell: the values that are not the model's."""
    tagged = [cell for cell in json.loads(spec.file.read_text(encoding="utf-8"))["cells"] if _is_tagged(cell)]
    if len(tagged) != 1:
        raise UsageError(
            f"notebook {spec.file.name} has {len(tagged)} cells tagged 'parameters'; expected one, which -p replaces; "
            "tag the cell, or give the values by -p to the project's own notebook"
        )
    published = spec.parameters.published()
    written = _written(spec, "".join(tagged[0]["source"]))
    return {name: value for name, value in written.items() if name not in published or value != published[name]}


def _written(spec: Notebook, code: str) -> dict[str, Any]:
    """Read the assignments of a parameters cell."""
    found: dict[str, Any] = {}
    try:
        for node in ast.parse(code).body:
            target = node.target if isinstance(node, ast.AnnAssign) else _only_target(node)
            if not isinstance(target, ast.Name) or not isinstance(node, ast.Assign | ast.AnnAssign):
                raise ValueError(ast.unparse(node))
            # a name without annotation that is no parameter is the reader's own
            if isinstance(node, ast.AnnAssign) or target.id in spec.parameters.model_fields:
                found[target.id] = ast.literal_eval(node.value) if node.value is not None else None
    except (ValueError, SyntaxError) as exc:
        raise UsageError(
            f"the parameters cell of {spec.file.name} holds what is no plain value ({str(exc).splitlines()[0]}); "
            "expected one 'name: type = value' a line; write the value out, or give it by -p"
        ) from None
    return found


def _only_target(node: ast.stmt) -> ast.expr | None:
    return node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None


def _is_tagged(cell: Mapping[str, Any]) -> bool:
    return "parameters" in cell.get("metadata", {}).get("tags", [])


def _annotation(annotation: Any) -> str:
    """Write a type as a reader would; what a model allows beyond the type, it checks itself."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(dict.fromkeys(type(value).__name__ for value in inner))
    if origin is list:
        return f"list[{_annotation(inner[0])}]"
    if inner:
        return " | ".join(_annotation(part) for part in inner)
    return "None" if annotation is type(None) else str(annotation.__name__)


def _literal(value: Any) -> str:
    """Write a value as Python, its texts between double quotes."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_literal(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
