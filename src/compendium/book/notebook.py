"""A notebook: its title, its parameters, and the artifacts that it shows, in order."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, cast

from compendium.book.places import root
from compendium.evidence.texts import texts_of
from errorest.errors import UsageError, nearest, quoted

if TYPE_CHECKING:
    from compendium.evidence.artifact import Artifact
    from compendium.papers.parameters import Parameters


# The major version of the format of notebooks
_NBFORMAT = 4


class Outline(NamedTuple):
    """The title in a notebook's file, the ids that it shows, and its parameters with their values."""

    title: str
    shown: tuple[str, ...]
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class Notebook:
    """A notebook with its parameters and artifacts."""

    id: str
    title: str
    parameters: type[Parameters]
    artifacts: tuple[Artifact, ...]
    copy: Path | None = None

    @property
    def file(self) -> Path:
        return self.copy or root() / self.path

    @property
    def paper(self) -> str:
        """An id of :data:`compendium.evidence.verdicts.PAPERS`."""
        return PurePosixPath(self.id).parent.name

    @property
    def path(self) -> PurePosixPath:
        """Path of the notebook from the project's root."""
        return PurePosixPath("notebooks") / f"{self.id}.ipynb"

    @property
    def name(self) -> str:
        """Its name within the paper, such as ``01-iris``."""
        return self.path.stem

    @property
    def folder(self) -> str:
        """Its id as the name of one folder."""
        return self.id.replace("/", "--")

    def title_of(self, one: Artifact) -> str:
        """An artifact's title at the published parameters, which it may name."""
        return filled(one.title, self.parameters.published())

    def artifact(self, artifact_id: str) -> Artifact:
        known = {one.id: one for one in self.artifacts}
        if artifact_id not in known:
            raise UsageError(f"notebook {self.id} has no artifact '{artifact_id}'", nearest(artifact_id, known))
        return known[artifact_id]


def sources(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each cell of a notebook."""
    if not path.is_file():
        raise UsageError(f"notebook {path} is missing", f"restore it with: git checkout {path.name}")
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        yield cell["cell_type"], "".join(cell["source"])


def read_copy(path: Path, known: Collection[str], notebook: Callable[[str], Notebook]) -> Notebook:
    """Read a person's copy of a notebook: the known one that it opens, with the artifacts that the copy shows."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if (version := content["nbformat"]) != _NBFORMAT:
            raise ValueError(f"its format is nbformat {version!r}, and {_NBFORMAT} is expected")
        if not isinstance(content["metadata"], dict):
            raise ValueError("its metadata are no mapping")
        codes = [ast.parse(text) for kind, text in sources(path) if kind == "code"]
        opened = [argument for code in codes for argument in called_with(code, "open_notebook")]
        shown = [argument for code in codes for argument in called_with(code, "show")]
    except (ValueError, LookupError, TypeError, AttributeError, SyntaxError, RecursionError, MemoryError) as exc:
        raise UsageError(
            f"{path} cannot be read as a notebook ({' '.join(str(exc).split())[:200]})",
            "copy one of the project's notebooks",
        ) from None
    if len(opened) != 1 or opened[0] not in known:
        raise UsageError(
            f"{path} opens {opened[0] if opened else 'no notebook'}; expected one call of open_notebook with an id",
            "copy one of the project's notebooks",
        )
    original = notebook(opened[0])
    return replace(original, artifacts=tuple(original.artifact(one) for one in shown), copy=path.resolve())


def read_outline(path: Path) -> Outline:
    """Read the title, artifacts and parameters in the file of a notebook."""
    cells = list(sources(path))
    prose = [text for kind, text in cells if kind == "markdown"]
    titles = [text.splitlines()[0][2:].strip() for text in prose if text.startswith("# ")]
    if not titles:
        raise UsageError(f"notebook {path.stem} has no title", "write '# Title'")
    codes = [ast.parse(text) for kind, text in cells if kind == "code"]
    shown = tuple(one for code in codes for one in called_with(code, "show"))
    values: dict[str, object] = {}
    for line in (line for code in codes for line in code.body if isinstance(line, ast.AnnAssign)):
        name = ast.unparse(line.target)
        values[name] = None  # only parameters are annotated
        with suppress(ValueError):
            values[name] = ast.literal_eval(line.value) if line.value is not None else None
    return Outline(titles[0], shown, values)


def read_notebook(parameters: type[Parameters], declared: Mapping[str, Artifact]) -> Notebook:
    """Find the title and the artifacts of a notebook in its file."""
    outline = read_outline(root() / "notebooks" / f"{parameters.notebook}.ipynb")
    for one in outline.shown:
        if one not in declared:
            raise UsageError(
                f"notebook {parameters.notebook} shows '{one}', which nothing declares", nearest(one, declared)
            )
    paper = parameters.notebook.partition("/")[0]
    shown = (replace(declared[one], **texts_of(paper, one)._asdict()) for one in outline.shown)
    result = Notebook(parameters.notebook, outline.title, parameters, tuple(shown))
    for artifact in result.artifacts:
        # a name that no parameter has is refused before anything runs
        filled(f"{artifact.title} {artifact.caption}", parameters.published())
    return result


def called_with(code: ast.Module, name: str) -> Iterator[str]:
    """Yield the first arguments of the calls of a function or method, in order."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call) and name in (getattr(node.func, "attr", ""), getattr(node.func, "id", "")):
            yield str(ast.literal_eval(node.args[0]))


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class _Texts(string.Formatter):
    """``str.format`` for texts: small whole numbers as words, a list by its length, ``{share:.3g%}`` in percent."""

    def format_field(self, value: object, form: str) -> str:
        number = len(value) if isinstance(value, list) else value
        if form.endswith("%"):
            return f"{100 * cast(float, number):{form[:-1]}} %"
        if form or isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(_SMALL):
            return format(number, form)
        return _SMALL[number]


def filled(text: str, values: Mapping[str, object]) -> str:
    """Put values into a title or a caption, as ``str.format`` does; braces of a formula are doubled."""
    try:
        result = _Texts().vformat(text, (), values)
    except KeyError as exc:
        name = str(exc.args[0])
        raise UsageError(f"nothing fills {{{name}}} in the text {quoted(text)}", nearest(name, values)) from None
    except (ValueError, IndexError, TypeError) as exc:
        raise UsageError(f"the text {quoted(text)} cannot be filled ({exc})", "write braces as {{ and }}") from None
    return result[:1].upper() + result[1:] if text.startswith("{") else result
