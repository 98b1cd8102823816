"""Models of typed, bounded values that are checked when made and never change.

The parameters of notebooks are such models.  The same checks run in the command and in a page of the book, where there
is no package for them; names are those that people know from pydantic, types are strict: no text is read as a number.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args, get_origin
from typing import get_type_hints as hints_of

__all__ = [
    *("AfterValidator", "Field", "Model", "ValidationError", "ValidationInfo", "field_validator", "model_validator"),
]

Schema = dict[str, Any]
"""The JSON schema of a value."""


class ValidationError(ValueError):
    """A value that a model refuses.

    Parameters
    ----------
    message : str
        What is wrong, where a validator says it; empty where type or bounds do.
    name : str
        The field; empty where the model as a whole is refused.
    value : object
        What was given: of a list, the entry that is wrong.
    """

    def __init__(self, message: str, name: str = "", value: object = None) -> None:
        self.message, self.name, self.value = message, name, value
        super().__init__(message or f"{name} was given {value!r}")


class ValidationInfo(NamedTuple):
    """What a field's validator may ask for: the field, and the fields that were checked before it."""

    field_name: str
    data: Mapping[str, object]


@dataclass(frozen=True)
class AfterValidator:
    """A check of a type's values, for ``Annotated``: ``call(value)`` returns the value or raises ValueError."""

    call: Callable[[Any], Any]


@dataclass(frozen=True)
class _Validator:
    """A validator of fields, or, without names, of the model."""

    names: tuple[str, ...]
    call: Any
    mode: str


def field_validator(*names: str, mode: Literal["before", "after"] = "after") -> Callable[[Any], Any]:
    """Declare a check of fields: a function of the value, or a class method, which may also take ``info``."""
    return lambda call: _Validator(names, call, mode)


def model_validator(*, mode: Literal["after"]) -> Callable[[Any], Any]:
    """Declare a check of the model as a whole: a method that returns it, or raises ValueError."""
    return lambda call: _Validator((), call, mode)


# By bound: its name in JSON schema for numbers, and whether a value keeps it
_BOUNDS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "ge": ("minimum", lambda value, bound: value >= bound),
    "gt": ("exclusiveMinimum", lambda value, bound: value > bound),
    "le": ("maximum", lambda value, bound: value <= bound),
    "lt": ("exclusiveMaximum", lambda value, bound: value < bound),
    "min_length": ("min", lambda value, bound: len(value) >= bound),
    "max_length": ("max", lambda value, bound: len(value) <= bound),
}
_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}


@dataclass(frozen=True)
class Field:
    """A field of a model: its default, what it means, its bounds, and what else its schema says."""

    default: Any
    description: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    bounds: Mapping[str, Any] = field(default_factory=dict)
    annotation: Any = None
    checks: tuple[Callable[[Any], Any], ...] = ()

    def schema(self) -> Schema:
        """Return the JSON schema of the field."""
        result = _schema_of(self.annotation)
        # bounds are those of the value, where there may be none
        bounded = result.get("anyOf", [result])[0]
        of = {"array": "Items", "string": "Length"}.get(bounded["type"], "")
        bounded.update({_BOUNDS[name][0] + of: bound for name, bound in self.bounds.items()})
        described = {"description": self.description} if self.description else {}
        return {**result, **described, "default": self.default, **self.extra}

    def read(self, value: object) -> Any:
        """Return a value of the field's type within its bounds, or the one that is refused."""
        result = _read(self.annotation, value)
        if result is not None and not all(_BOUNDS[name][1](result, bound) for name, bound in self.bounds.items()):
            raise _RefusedError(value)
        return result


class _RefusedError(Exception):
    """A value of another type or out of bounds."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__()


def _schema_of(kind: Any) -> Schema:
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if get_origin(kind) is list:
        return {"type": "array", "items": _schema_of(get_args(kind)[0])}
    if get_origin(kind) is Literal:
        return {"enum": list(get_args(kind)), "type": _TYPES[type(get_args(kind)[0])]}
    return {"anyOf": [_schema_of(one) for one in get_args(kind)]}


def _read(kind: Any, value: object) -> Any:
    """Return a value as one of a type; a whole number is also a number, a truth value neither."""
    if kind is float and type(value) in (int, float):
        number = float(value)  # type: ignore[arg-type]
        if isfinite(number):
            return number
    elif kind in _TYPES:
        if type(value) is kind:
            return value
    elif get_origin(kind) is list:
        if isinstance(value, list):
            return [_read(get_args(kind)[0], one) for one in value]
    elif get_origin(kind) is Literal:
        if any(type(value) is type(one) and value == one for one in get_args(kind)):
            return value
    else:
        for one in get_args(kind):
            try:
                return _read(one, value)
            except _RefusedError:
                continue
    raise _RefusedError(value)


def _flat(kind: Any) -> tuple[Any, tuple[Callable[[Any], Any], ...]]:
    """Return a type without its annotations, and their checks in order."""
    if get_origin(kind) is not Annotated:
        return kind, ()
    inner, *further = get_args(kind)
    plain, checks = _flat(inner)
    return plain, (*checks, *(one.call for one in further if isinstance(one, AfterValidator)))


class Model:
    """Base of models: fields are annotated names, with a default or a :class:`Field`.

    Examples
    --------
    >>> class Tosses(Model):
    ...     number: int = Field(10, bounds={"ge": 1})
    >>> Tosses(number=3), Tosses.model_fields["number"].schema()
    (Tosses(number=3), {'type': 'integer', 'minimum': 1, 'default': 10})
    >>> Tosses(number=0)
    Traceback (most recent call last):
        ...
    compendium.papers.validation.ValidationError: number was given 0
    """

    model_fields: ClassVar[dict[str, Field]] = {}
    _validators: ClassVar[tuple[_Validator, ...]] = ()

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        known: dict[str, Field] = {}
        for base in reversed(cls.__mro__[1:]):
            known.update(getattr(base, "model_fields", {}))
        fields: dict[str, Field] = {}
        for name, hint in hints_of(cls, include_extras=True).items():
            if get_origin(hint) is ClassVar or name.startswith("_"):
                continue
            given = cls.__dict__.get(name, known.get(name))
            plain, checks = _flat(hint)
            one = given if isinstance(given, Field) else Field(given)
            fields[name] = replace(one, annotation=plain, checks=checks)
            if name in cls.__dict__:
                delattr(cls, name)
        cls.model_fields = fields
        declared: dict[str, _Validator] = {}
        for base in reversed(cls.__mro__):
            declared.update({name: one for name, one in vars(base).items() if isinstance(one, _Validator)})
        cls._validators = tuple(declared.values())

    def __init__(self, **given: Any) -> None:
        if strange := [name for name in given if name not in self.model_fields]:
            raise ValidationError(f"there is no field '{strange[0]}'")
        values: dict[str, Any] = {}
        for name, one in self.model_fields.items():
            values[name] = self._checked(name, one, given[name], values) if name in given else deepcopy(one.default)
        self.__dict__.update(values)
        for validator in self._validators:
            if not validator.names:
                try:
                    validator.call(self)
                except ValueError as exc:
                    raise ValidationError(str(exc)) from None

    @classmethod
    def _checked(cls, name: str, one: Field, value: object, before: Mapping[str, object]) -> Any:
        """Return the value of a field: read by its type and bounds, between its validators."""
        info = ValidationInfo(name, before)
        try:
            for call in cls._calls(name, "before", info):
                value = call(value)
            result = one.read(value)
            for call in (*one.checks, *cls._calls(name, "after", info)):
                result = call(result)
        except _RefusedError as exc:
            raise ValidationError("", name, exc.value) from None
        except ValueError as exc:
            raise ValidationError(str(exc), name, value) from None
        return result

    @classmethod
    def _calls(cls, name: str, mode: str, info: ValidationInfo) -> Iterator[Callable[[Any], Any]]:
        for validator in cls._validators:
            if name in validator.names and validator.mode == mode:
                call = validator.call.__get__(None, cls) if isinstance(validator.call, classmethod) else validator.call
                yield partial(call, info=info) if "info" in signature(call).parameters else call

    def model_dump(self) -> dict[str, Any]:
        """Return the values by name."""
        return deepcopy(self._values())

    def model_copy(self, update: Mapping[str, Any]) -> Self:
        """Return the model with other values, which are not checked."""
        result = object.__new__(type(self))
        result.__dict__.update({**self._values(), **update})
        return result

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed; use model_copy")

    if not TYPE_CHECKING:  # for which the class itself would have no hash

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self) and other._values() == self._values()

        def __hash__(self) -> int:
            return hash((type(self), *self._values().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def _values(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.model_fields}
