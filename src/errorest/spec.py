"""What an id names: schemes, estimators, intervals and inducers are dataclasses whose fields are their settings.

:class:`Spec` writes ids and :class:`Family` reads them; no other code looks into one.  What code
must know of a thing is a field or a class attribute, never a piece of its id.  Ids name random
streams, so that their text is part of every result.
"""

from __future__ import annotations

import re
import reprlib
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from numbers import Integral, Real
from operator import le
from types import NoneType, UnionType
from typing import Any, ClassVar, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from errorest.errors import UsageError, nearest, unknown
from errorest.streams import hash_of_text

__all__ = ["Family", "Spec"]

S = TypeVar("S", bound="Spec")

_LARGEST_DENOMINATOR = 1_000_000

_PART = re.compile(r"""(?:[^,()\[\]'"]|'[^']*'|"[^"]*"|\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])+""")

_TRUTHS = {"True": True, "true": True, "False": False, "false": False}


@dataclass(frozen=True, eq=False)
class Spec:
    """Base of what an id names; a subclass is a frozen dataclass (``eq=False``) whose fields are settings.

    A field with ``compare=False`` is no setting.  A setting that is a share is given as a float or a
    fraction, and stored as a fraction.

    Attributes
    ----------
    name : str
        The part of an id before the parenthesis.
    bare : bool
        Whether an id without shown settings is the bare name; else an empty parenthesis follows.
    sizes : tuple of str
        Settings that an id always shows; the others are shown where they are not the default.
    likes : mapping of str to str
        Example values for messages, where the default is none.
    requirements : mapping of str to tuple of callable and str
        What a setting must keep to beyond its type, as a test and in words.

    Examples
    --------
    >>> @dataclass(frozen=True, eq=False)
    ... class Folds(Spec):
    ...     name = "folds"
    ...     k: int = 10
    ...     weights: Literal["cases", "folds"] = "cases"
    >>> Folds().id, Folds(5, "folds").id, Folds(5) == Folds(k=5)
    ('folds(k=10)', 'folds(k=5, weights=folds)', True)
    """

    name: ClassVar[str] = ""
    bare: ClassVar[bool] = True
    sizes: ClassVar[tuple[str, ...]] = ("test", "k", "splits", "ratio", "replicates", "halvings", "outer", "inner")
    likes: ClassVar[Mapping[str, str]] = {}
    requirements: ClassVar[Mapping[str, tuple[Callable[[Any], bool], str]]] = {}

    def __post_init__(self) -> None:
        for key, (holds, expected) in self.requirements.items():
            value = getattr(self, key)
            try:
                met = not isinstance(value, bool) and bool(holds(value))
            except TypeError:
                met = False
            if not met:
                shown = value if isinstance(value, Fraction) else repr(value)
                raise UsageError(f"{self.name} was given {key} = {shown}; expected {expected}")
        for key, kinds in kinds_of(type(self)).items():
            value = getattr(self, key)
            if isinstance(value, float) and Fraction in kinds:
                # one name for one share: .25 is 1/4, and draws the same splits
                object.__setattr__(self, key, Fraction(value).limit_denominator(_LARGEST_DENOMINATOR))
            elif not any(_is(value, kind) for kind in kinds):
                if all(get_origin(kind) is Literal for kind in kinds):
                    raise unknown(key.replace("_", " "), value, [str(w) for kind in kinds for w in get_args(kind)])
                words = {
                    int: "an integer",
                    float: "a number",
                    Fraction: "a share",
                    bool: "True or False",
                    NoneType: "None",
                }
                described = [
                    " or ".join(f"'{word}'" for word in get_args(kind))
                    if get_origin(kind) is Literal
                    else words.get(kind, f"a {(get_origin(kind) or kind).__name__}")
                    for kind in kinds
                ]
                expected = " or ".join(dict.fromkeys(described))
                raise UsageError(f"{self.name} was given {key} = {reprlib.repr(value)}; expected {expected}")

    @cached_property
    def id(self) -> str:
        """Unambiguous name with settings."""
        shown = ", ".join(f"{key}={text}" for key, text in self.shown())
        return f"{self.name}({shown})" if shown or not self.bare else self.name

    @cached_property
    def key(self) -> int:
        """Stable hash of the id, which names a random stream."""
        return hash_of_text(self.id)

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield the settings shown in the id, as texts."""
        for setting in settings_of(type(self)):
            if self.shows(setting):
                yield setting.name, self.written(setting.name)

    def shows(self, setting: Field[Any]) -> bool:
        """Whether the id shows a setting."""
        return setting.name in self.sizes or getattr(self, setting.name) != setting.default

    def written(self, key: str) -> str:
        """Return the value of a setting as the id shows it."""
        return str(getattr(self, key))

    @classmethod
    def value_of(cls, key: str, text: str) -> Any:
        """Read the value of a setting; the inverse of :meth:`written`.

        Raises
        ------
        ValueError
            If the text does not fit the type of the setting.
        """
        kinds = kinds_of(cls)[key]
        for kind in kinds:
            try:
                return _value(kind, text)
            except (KeyError, SyntaxError, ValueError, ZeroDivisionError):
                continue
        if all(get_origin(kind) is Literal for kind in kinds):
            return text  # the constructor names the words that it knows
        raise ValueError(text)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Spec) and type(self) is type(other) and self._values == other._values
        )

    def __hash__(self) -> int:
        return self.key

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, setting.name) for setting in settings_of(type(self)))


def at_least(**least: float) -> dict[str, tuple[Callable[[Any], bool], str]]:
    """Return the requirements that settings are no smaller than these numbers."""
    return {key: (partial(le, low), f"at least {low}") for key, low in least.items()}


def settings_of(made: type[Spec]) -> tuple[Field[Any], ...]:
    """Return the fields that are settings."""
    return _looked_at(cast(Any, made))[0]


def kinds_of(made: type[Spec]) -> dict[str, tuple[Any, ...]]:
    """Return the types that each setting may have."""
    return _looked_at(cast(Any, made))[1]


@lru_cache(maxsize=256)
def _looked_at(made: Any) -> tuple[tuple[Field[Any], ...], dict[str, tuple[Any, ...]]]:
    settings, hints = tuple(f for f in fields(made) if f.compare), get_type_hints(made)
    return settings, {f.name: tuple(_flat(hints[f.name])) for f in settings}


def _flat(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            yield from _flat(part)
    else:
        yield hint


def _is(value: Any, kind: Any) -> bool:
    """Whether a value is of a plain type, or one of some words; numbers of numpy are numbers."""
    if get_origin(kind) is Literal:
        return any(type(value) is type(word) and value == word for word in get_args(kind))
    truth = type(value).__name__ in ("bool", "bool_")  # of Python and of numpy
    if kind is bool or truth:
        return truth and kind is bool
    if kind in (int, float, Fraction):
        return isinstance(value, (Real if kind is float else Integral, kind))
    return isinstance(value, get_origin(kind) or kind)


def _value(kind: Any, text: str) -> Any:
    if get_origin(kind) is Literal:
        return {str(word): word for word in get_args(kind)}[text]
    if kind is bool:
        return _TRUTHS[text]
    if kind is str:
        return text
    if kind is NoneType:
        return {"None": None}[text]
    if kind in (int, float, Fraction):
        # a whole number of cases is no share
        return int(text) if kind is Fraction and text.isdigit() else kind(text)
    value = literal_eval(text)
    if not isinstance(value, get_origin(kind) or kind):
        raise ValueError(text)
    return value


def name_and_settings(text: str) -> tuple[str, dict[str, str]] | None:
    """Split a text such as ``cv(k=5)`` into a name and settings; None where brackets do not pair."""
    match = re.fullmatch(r"\s*([^()\s]+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        return None
    parts = _PART.findall(match[2] or "")
    if _PART.sub("", match[2] or "").strip(", "):
        return None
    pairs = [part.partition("=") for part in parts if part.strip()]
    keys = [key.strip() for key, _, _ in pairs]
    if twice := next((key for k, key in enumerate(keys) if key in keys[:k]), None):
        raise UsageError(f"'{text}' states '{twice}' twice; expected each setting once; leave one out")
    return match[1], {key.strip(): value.strip() for key, _, value in pairs}


class Family(Mapping[str, type[S]], Generic[S]):
    """Classes of specs by their names, and the one reader of their ids.

    Parameters
    ----------
    what : str
        What a member is called in messages.
    members : iterable of type
    example : str
        A text that can be read.

    Examples
    --------
    >>> from errorest.estimation.estimators import ESTIMATORS
    >>> ESTIMATORS.parse("holdout(test=0.25)").id, ESTIMATORS["loo"]().id
    ('holdout(test=1/4)', 'loo')
    """

    def __init__(self, what: str, members: Iterable[type[S]], example: str) -> None:
        self.what, self.example = what, example
        self._members = {made.name: made for made in members}
        self.parse = lru_cache(maxsize=512)(self._parse)

    def __getitem__(self, name: str) -> type[S]:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _parse(self, text: str) -> S:
        """Read a member from its id; the order of settings is free, and those left out are the defaults."""
        result = name_and_settings(text)
        if result is None or result[0] not in self._members:
            raise UsageError(
                f"unknown {self.what} '{text}'; expected a name with settings, such as {self.example}; "
                + nearest(result[0] if result else text, self._members)
            )
        name, texts = result
        return self.make(name, texts)

    def make(self, name: str, texts: Mapping[str, str]) -> S:
        """Make a member of the texts of its settings.

        Raises
        ------
        UsageError
            If a setting is unknown, or a value is of the wrong type.
        """
        made = self._members[name]
        return made(**self.read_values(name, texts, dict.fromkeys(kinds_of(made), made)))

    def read_values(self, name: str, texts: Mapping[str, str], owners: Mapping[str, type[Spec]]) -> dict[str, Any]:
        """Read the texts of settings, each by the class that has it."""
        for key in texts:
            if key not in owners:
                expected = f"one of {', '.join(owners)}; {nearest(key, list(owners))}" if owners else "none"
                raise UsageError(f"{self.what} {name} has no setting '{key}'; expected {expected}")
        return {key: self._value(name, owners[key], key, text) for key, text in texts.items()}

    def _value(self, name: str, owner: type[Spec], key: str, text: str) -> Any:
        if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
            text = text[1:-1]
        try:
            return owner.value_of(key, text)
        except (KeyError, ValueError):
            default = next(f.default for f in settings_of(owner) if f.name == key)
            raise UsageError(
                f"{self.what} {name} was given {key}={text}; expected a value like {owner.likes.get(key, default)}"
            ) from None
