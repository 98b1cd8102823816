"""The parameters cell of a notebook, written from its model: names, types, defaults and meanings stand there once."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from compendium.book.notebook import Notebook
from compendium.book.parameters import describe
from compendium.book.places import write_whole
from errorest.errors import UsageError

__all__ = ["edited_parameters", "write_parameters_cell"]


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
