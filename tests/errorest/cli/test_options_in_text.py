"""Keywords of functions are told as options of the command line, and settings of classifiers and intervals stay."""

import pytest

from errorest.cli.output import in_options


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pass encode=True, or a pipeline", "pass --encode, or a pipeline"),
        ("choose another (such as interval=None)", "choose another (such as --interval none)"),
        ("keep the others with error_score=numpy.nan", "keep the others with --skip-failures"),
        ("cv-wilson(k=3, stratified=True)", "cv-wilson(k=3, stratified=True)"),
        ("SVC(kernel='linear', probability=True)", "SVC(kernel='linear', probability=True)"),
        ("Pipeline(steps=[('a', SVC(probability=True))]); pass encode=True", None),
        ("column 'f(x' is text; pass encode=True", "column 'f(x' is text; pass --encode"),
    ],
)
def test_settings_in_calls_are_no_options(text: str, told: str | None) -> None:
    expected = "Pipeline(steps=[('a', SVC(probability=True))]); pass --encode" if told is None else told
    assert in_options(text) == expected
