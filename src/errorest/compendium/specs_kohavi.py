"""Notebooks and artifacts of Kohavi (1995), section 2: where the methods fail."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.data.sets import load_or_read
from errorest.papers.kohavi import iris
from errorest.papers.kohavi import iris_figures as drawn

__all__ = ["NOTEBOOKS"]


def _data(p: iris.IrisParameters) -> dict[str, str]:
    return {p.data: load_or_read(p.data, p.class_column).digest()}


_IRIS = NotebookSpec(
    "kohavi/01-iris",
    "kohavi",
    "Where holdout, leave-one-out and the bootstrap fail",
    iris.IrisParameters,
    (
        ArtifactSpec(
            "kohavi-text-holdout",
            "Section 2.1, in the text",
            "The majority inducer's holdout",
            iris.text_holdout,
            drawn.draw_text_holdout,
            "Accuracy of the majority inducer, in percent, and the standard error of the mean of the holdouts.",
        ),
        ArtifactSpec(
            "kohavi-example-1",
            "Example 1",
            "Leave-one-out on the majority inducer",
            iris.example_1,
            summary="Leave-one-out accuracy of the majority inducer, in percent.",
        ),
        ArtifactSpec(
            "kohavi-text-632",
            "Section 2.3, in the text",
            "The memorizer and the .632 bootstrap",
            iris.text_632,
            drawn.draw_text_632,
            "Accuracy that each estimator promises a memorizer of random labels, in percent.",
        ),
        ArtifactSpec(
            "kohavi-equation-3",
            "Equation 3",
            "The interval and its coverage",
            iris.equation_3,
            drawn.draw_equation_3,
            "How often the interval covers the true accuracy, in percent.",
        ),
    ),
    weight=12,
    inputs=_data,
)

NOTEBOOKS = (_IRIS,)
