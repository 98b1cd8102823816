"""Parameters of notebooks: checked, described, and written as a cell.

What is given is checked against the notebook's model before anything runs: papermill would paste an unknown
name into code.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from compendium.book.places import write_whole
from compendium.evidence.records import Values
from compendium.evidence.texts import meaning_of
from compendium.papers.validation import Schema, ValidationError
from errorest.errors import UsageError, nearest, quoted
from errorest.spec import name_and_settings

if TYPE_CHECKING:
    from compendium.book.notebook import Notebook
    from compendium.papers.parameters import Parameters

Given = dict[str, object]
"""Values of parameters by name, as a person wrote them."""

# Parameters whose text may be an import path
_IMPORTED = ("inducer", "inducers", "learners", "classifiers", "against", "estimators")

# Packages whose import runs no foreign code
_OURS = ("errorest", "sklearn")

# The largest whole number that the formats of tables and results hold
_LARGEST = 2**63 - 1

# Every whole number up to this is a float
_EXACT = 2**53

# Words for true and false, where a parameter is one of the two
_SWITCHES = {"yes": True, "on": True, "no": False, "off": False}


class Described(typing.NamedTuple):
    """One parameter: its type and bounds in words, ``limits`` and ``allowed`` values for programs."""

    name: str
    type: str
    bounds: str
    default: object
    preview: object
    meaning: str
    limits: Mapping[str, object]
    allowed: Sequence[object] | None

    @property
    def expected(self) -> str:
        """Its type and bounds."""
        return ", ".join(filter(None, (self.type, self.bounds)))

    def record(self) -> dict[str, object]:
        allowed = {} if self.allowed is None else {"allowed": list(self.allowed)}
        values = {"default": self.default, "preview": self.preview, "meaning": self.meaning}
        return {"name": self.name, "type": self.type, **self.limits, **allowed, **values}


_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


def plain_value(text: str) -> str | float | bool | None:
    """Read a text without quotation marks: a number, true, false, nothing, or a word."""
    digits = text.replace("_", "")
    if text.lower() in _WORDS and text[1:] in (text[1:].lower(), text[1:].upper()):
        return _WORDS[text.lower()]
    if re.fullmatch(r"[-+]?([0-9][0-9_]*|0x[0-9a-fA-F]+)", text):
        return int(digits, 16 if "x" in text else 10)
    if re.fullmatch(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", text):
        return float(text.lower().replace(".", ""))
    if not re.fullmatch(r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?", text):
        return text
    value = float(digits)
    if math.isinf(value):
        raise ValueError("a number too large")
    # 1e3 is as whole as 1000
    return int(value) if re.fullmatch(r"[-+\d]+[eE]\+?\d+", digits) and abs(value) <= _EXACT else value


def shown(value: object) -> str:
    """Show a value in a message, on one line of at most 80 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a whole number of more than 4000 digits"
    return text if len(text) <= 80 else text[:77] + "..."


def check_imports_nothing(given: Mapping[str, object], why: str, hint: str) -> None:
    """Refuse import paths, which run the code of the module that they name, where no foreign code is to run."""
    from compendium.methods.learners.named import INDUCERS

    for name in _IMPORTED:
        value = given.get(name)
        for text in value if isinstance(value, list) else [value]:
            split = name_and_settings(str(text))
            path = str(text) if split is None else split[0]
            module, _, attribute = path.replace(":", ".").rpartition(".")
            ours = path in INDUCERS or module.partition(".")[0] in _OURS
            # a paper's name, such as c4.5-release-8, has a point too
            if not ours and module and attribute.isidentifier():
                raise UsageError(f"{name} {quoted(str(text))} would be imported, which runs code, and {why}", hint)


def resolve(spec: Notebook, given: Mapping[str, object], scale: str = "published") -> Parameters:
    """Check parameters and complete them with the defaults of a scale."""
    model = spec.parameters
    for name, value in given.items():
        if name not in model.model_fields:
            raise UsageError(f"notebook {spec.id} has no parameter '{name}'", nearest(name, model.model_fields))
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, int) and abs(one) > _LARGEST:
                raise UsageError(
                    f"parameter {name} of {spec.id} was given {shown(one)}; expected a whole number <= {_LARGEST}"
                )
    values = {**(model.preview() if scale == "preview" else {}), **given}
    for name, value in given.items():
        if model.model_fields[name].annotation is bool:
            values[name] = _SWITCHES.get(str(value).lower(), value)
    if not given.keys().isdisjoint(_IMPORTED) and os.getcwd() not in sys.path:
        # a reader's module in the working folder can be imported, and replaces no installed one
        sys.path.append(os.getcwd())
    try:
        return model(**values)
    except ValidationError as exc:
        if not exc.name:
            raise UsageError(f"parameters of {spec.id}: {exc}") from None
        if exc.message:
            raise UsageError(f"parameter {exc.name} of {spec.id}: {exc}") from None
        described = next(d for d in describe(model) if d.name == exc.name)
        raise UsageError(
            f"parameter {exc.name} of {spec.id} was given {shown(exc.value)}; "
            f"expected {described.expected}, such as {described.default!r}"
        ) from None


def scale_of(spec: Notebook, parameters: Parameters) -> str:
    """Return the scale that parameters belong to: published, preview or own."""
    if parameters == spec.parameters():
        return "published"
    if parameters == spec.parameters(**spec.parameters.preview()):
        return "preview"
    return "own"


def changed(spec: Notebook, parameters: Parameters) -> list[str]:
    """Return the parameters that differ from the published ones, in the model's order."""
    published = spec.parameters.published()
    return [name for name, value in parameters.model_dump().items() if value != published.get(name)]


# How a run relates to the published one: the same experiment (another seed, other repeats), or another design
Relation = Literal["published", "seed", "repeats", "design"]


def relation(spec: Notebook, parameters: Parameters) -> Relation:
    """Return how a run relates to the published one: numbers of another design are not compared with the print."""
    other, schemas = changed(spec, parameters), _schemas(spec.parameters)
    if any(name != "seed" and not schemas[name].get("replication") for name in other):
        return "design"
    return "published" if not other else "seed" if other == ["seed"] else "repeats"


def _schemas(model: type[Parameters]) -> dict[str, Schema]:
    """Return the JSON schema of each parameter of a model, with its meaning; the seed, which all have, stands last."""
    schemas = {name: one.schema() for name, one in model.model_fields.items()}
    for name, one in schemas.items():
        one["description"] = one.get("description") or meaning_of(model.notebook, name)
    return {**{name: one for name, one in schemas.items() if name != "seed"}, "seed": schemas["seed"]}


def describe(model: type[Parameters]) -> list[Described]:
    """Describe the parameters of a model."""
    results = []
    for name, one in _schemas(model).items():
        bounded = one | one.get("anyOf", [{}])[0]
        limits = {_BOUNDS[key][0]: bounded[key] for key in _BOUNDS if key in bounded}
        bounds = []
        for key in (key for key in _BOUNDS if key in bounded):
            singular, plural = _UNITS.get(key[3:], ("", ""))
            bounds.append(f"{_BOUNDS[key][1]} {bounded[key]}{singular if bounded[key] == 1 else plural}")
        default = one["default"]
        results.append(
            Described(
                name,
                _type_name(one),
                " and ".join(bounds),
                default,
                one.get("preview", default),
                one["description"],
                limits,
                one.get("items", one).get("enum"),
            )
        )
    return results


# By JSON schema's name of a bound: our name for programs, and in words
_BOUNDS = {
    "minimum": ("minimum", "at least"),
    "exclusiveMinimum": ("exclusive_minimum", "above"),
    "maximum": ("maximum", "at most"),
    "exclusiveMaximum": ("exclusive_maximum", "below"),
    "minItems": ("min_entries", "at least"),
    "maxItems": ("max_entries", "at most"),
    "minLength": ("min_characters", "at least"),
    "maxLength": ("max_characters", "at most"),
}

_UNITS = {"Items": (" entry", " entries"), "Length": (" character", " characters")}
# By JSON schema's name of a type: in words, and in Python
_TYPES = {
    "integer": ("a whole number", "int"),
    "number": ("a number", "float"),
    "string": ("a text", "str"),
    "boolean": ("true or false", "bool"),
    "null": ("nothing", "None"),
}


def _type_name(schema: Schema) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(map(_type_name, schema["anyOf"]))
    return f"a list, each {_type_name(schema['items'])}" if "items" in schema else _TYPES[schema["type"]][0]


def parameters_cell(spec: Notebook) -> str:
    """Write the code of a notebook's parameters cell: each parameter with its type, default and meaning.

    papermill reads a cell line by line, and of a line with two equality signs nothing: a text that has one stands on a
    line of its own, below the name.
    """
    lines = []
    for name, one in _schemas(spec.parameters).items():
        start, default, meaning = f"{name}: {_annotation(one)} =", one["default"], f"  # {one['description']}"
        if "=" not in (value := _literal(default)):
            lines.append(f"{start} {value}{meaning}")
        elif isinstance(default, list):
            lines.append(f"{start} [{meaning}")
            for item in map(_literal, default):
                first, comma, rest = item.rpartition(",")
                lines.append(f'    ({first}{comma}"\n     "{rest}),' if "=" in first else f"    {item},")
            lines.append("]")
        else:
            lines += [f"{start} ({meaning}", f"    {value}", ")"]
    return "\n".join(lines)


def _annotation(schema: Schema) -> str:
    """Return the type of a parameter as papermill reads it: without a union, whose other part is None."""
    schema = schema.get("anyOf", [schema])[0]
    return f"list[{_annotation(schema['items'])}]" if "items" in schema else _TYPES[schema["type"]][1]


def _document(spec: Notebook) -> tuple[Values, Values]:
    """Read a notebook's file; return its document and the parameters cell in it."""
    document = json.loads(spec.file.read_text(encoding="utf-8"))
    tagged = [cell for cell in document["cells"] if "parameters" in cell.get("metadata", {}).get("tags", [])]
    if len(tagged) != 1:
        raise UsageError(
            f"notebook {spec.file.name} has {len(tagged)} cells tagged 'parameters'", "tag one, which -p replaces"
        )
    return document, tagged[0]


def write_parameters_cell(spec: Notebook) -> bool:
    """Write the parameters cell into a notebook's file; return whether that changed it."""
    document, cell = _document(spec)
    cell["source"] = parameters_cell(spec).splitlines(keepends=True)
    after = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    changed = after != spec.file.read_text(encoding="utf-8")
    if changed:
        write_whole(spec.file, after)
    return changed


def edited_parameters(spec: Notebook) -> Given:
    """Return the values in a notebook's parameters cell that are not the model's."""
    published = spec.parameters.published()
    source = "".join(_document(spec)[1]["source"])
    written: Given = {}
    try:
        for node in ast.parse(source).body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                    # a name without annotation that is no parameter is the reader's
                    if isinstance(node, ast.AnnAssign) or name in published:
                        written[name] = None if node.value is None else ast.literal_eval(node.value)
                case _:
                    raise ValueError(ast.unparse(node))
    except (ValueError, SyntaxError, RecursionError, MemoryError) as exc:
        raise UsageError(
            f"the parameters cell of {spec.file.name} holds what is no plain value ({' '.join(str(exc).split())[:80]})",
            "write 'name: type = value', or give the value by -p",
        ) from None
    return {name: value for name, value in written.items() if name not in published or value != published[name]}


def _literal(value: object) -> str:
    """Write a value as Python, its texts between double quotes."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_literal(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
