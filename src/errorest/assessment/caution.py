"""Every caution has an id that stays, by which it is listed, looked up and switched off.

An id is never given to another caution, whatever its words become: E1.. speaks of the classifier, E2.. of the data,
E3.. of the estimator, E4.. of the interval, E5.. of learning curves, E6.. of choices and comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from errorest.errors import UsageError, nearest

__all__ = ["CAUTIONS", "Caution", "Kind", "checked_ids", "kinds_of", "not_ignored", "with_id"]


class Kind(NamedTuple):
    """What a caution is about: its title, why it matters, what to do, and who looks for it."""

    title: str
    why: str
    remedy: str
    raised_by: str


_ESTIMATES = "`estimate`, `compare`"
_BATTERY = "`check_classifier`"
_SCORES = "`estimate`"

CAUTIONS: Mapping[str, Kind] = {
    "E101": Kind(
        "Learns nothing in `fit`",
        "Trained on exchanged labels, the classifier answers as before. If it was made of these cases beforehand, "
        "every resample tests it on what it has seen.",
        "Pass what learns anew in `fit`, with every step that saw the labels inside it.",
        f"{_ESTIMATES}, {_BATTERY}",
    ),
    "E102": Kind(
        "A frozen part",
        "A `FrozenEstimator` inside is never trained anew. If it was made of these cases, the estimate is too low.",
        "Pass the part itself, or count the errors on new cases.",
        f"{_ESTIMATES}, {_BATTERY}",
    ),
    "E103": Kind(
        "State from one fit to the next",
        "What was fitted before changes what is fitted next, so that one training set leaks into another.",
        "Let `fit` begin afresh: no `warm_start`, nothing kept in the class or the module.",
        _BATTERY,
    ),
    "E104": Kind(
        "Two fits differ",
        "The same cases in the same order give other answers, though every seed that the classifier takes was set. "
        "The estimate cannot be repeated.",
        "Draw from a `random_state` setting and not from a global generator, the clock or the order of a set.",
        _BATTERY,
    ),
    "E105": Kind(
        "Inputs are changed",
        "`fit` or `predict` writes into the arrays that it was handed, and what comes after works on other data.",
        "Copy before you change: `X = np.array(X)`.",
        _BATTERY,
    ),
    "E106": Kind(
        "A case is not answered by itself",
        "A case alone is labelled otherwise than among others: `predict` learns from the cases that it is asked, which "
        "no case in use will have around it.",
        "Learn means, ranks and vocabularies in `fit`.",
        _BATTERY,
    ),
    "E107": Kind(
        "Settings change in `fit`",
        "`get_params` says something else after `fit`, so that a copy made of the fitted classifier is another one.",
        "Keep what is learnt in names that end in an underscore, and leave settings as they were given.",
        _BATTERY,
    ),
    "E108": Kind(
        "Knows more than it was taught",
        "Trained on labels dealt by lot, it is right about held-out cases more often than luck allows: what it knows "
        "of them did not come through `fit`.",
        "Look for labels in a closure, a global or a file.",
        _BATTERY,
    ),
    "E109": Kind(
        "Answers that are no class",
        "An answer is no class of the training set: scores, indicators, or a class that it was not taught.",
        "Let `predict` return one of `classes_` for each case.",
        _BATTERY,
    ),
    "E110": Kind(
        "The classifier warned",
        "Its own warnings, counted: a solver that did not converge makes another classifier than the one meant.",
        "Follow the warning: scale in a pipeline, raise `max_iter`, leave out columns.",
        _ESTIMATES,
    ),
    "E111": Kind(
        "Resamples left out",
        "The classifier failed on some training sets, and the estimate speaks of the others alone.",
        "Mend the classifier, or ask for resamples that leave more cases in training.",
        _ESTIMATES,
    ),
    "E201": Kind(
        "A rare class",
        "Fewer than five cases of a class: what is said of it rests on these alone, and a class of one case is never "
        "trained on when it is tested.",
        "Collect more, or join classes.",
        _ESTIMATES,
    ),
    "E202": Kind(
        "A class that some folds lack",
        "A class has fewer cases than there are folds.",
        "Ask for fewer folds, or stratified ones.",
        _ESTIMATES,
    ),
    "E203": Kind(
        "Equal cases on both sides",
        "Cases repeat one another in every attribute, and a copy of a tested case was trained on.",
        "If these are one object measured twice, pass `groups` that keep copies together.",
        _ESTIMATES,
    ),
    "E204": Kind(
        "Few groups",
        "Fewer than ten groups are as few independent pieces of evidence, however many cases they hold.",
        "Collect more groups rather than more cases of these.",
        _ESTIMATES,
    ),
    "E205": Kind(
        "Encoding that changes nothing",
        "`encode` was asked for and an inducer of this library takes values as they are.",
        "Leave `encode` out.",
        _ESTIMATES,
    ),
    "E206": Kind(
        "Training sets of one class",
        "Some training sets hold one class alone, and are answered with that class.",
        "Ask for stratified resamples, or fewer folds.",
        "`estimate`",
    ),
    "E207": Kind(
        "Attributes in unlike units",
        "The standard deviations of the columns differ by more than a factor of 100, and the classifier goes by "
        "distances, which the largest decide: a column in grams weighs a million times as much as in tonnes.",
        "Standardize inside every training set: `make_pipeline(StandardScaler(), ...)`, or `standardize=training` for "
        "`knn` and `svm`.",
        _ESTIMATES,
    ),
    "E208": Kind(
        "An identifier among the attributes",
        "All values of a column differ, and it is named as an identifier is, runs in one direction, or holds codes. It "
        "tells these cases apart and says nothing of new ones, or only in which order they were collected.",
        "Leave the column out.",
        _ESTIMATES,
    ),
    "E301": Kind(
        "A memorizer under an estimator that trusts apparent errors",
        "The classifier gets none of its own training cases wrong, and then the apparent error and .632 are too low.",
        "Take `632+` or `cv(k=10)`.",
        "`estimate`",
    ),
    "E302": Kind(
        "Tested on trained cases",
        "The estimator tests on cases that its classifiers were trained on.",
        "Take `632+` or `cv(k=10)`, or clones.",
        "`estimate`",
    ),
    "E303": Kind(
        "Leave-one-out of a constant",
        "Leaving a case out turns the majority of balanced classes against it.",
        "Take `cv(k=10, stratified=True)`.",
        "`estimate`",
    ),
    "E304": Kind(
        "Cases that are never tested",
        "A case is in every bootstrap sample.",
        "Ask for more replicates.",
        "`estimate`",
    ),
    "E305": Kind(
        "A log loss that depends on its clip",
        "A class was called impossible and came. Its loss would be infinite and is what the clip makes of it.",
        "Take `brier`, or a classifier that is never certain.",
        _SCORES,
    ),
    "E306": Kind(
        "Leave-one-out under an AUC",
        "Probabilities of different classifiers are compared, each trained on one case less of the class that it "
        "tests: the AUC is too low.",
        "Take `cv(k=5, stratified=True)`.",
        _SCORES,
    ),
    "E307": Kind(
        "An undefined score",
        "No resample tests what the score rests on, such as cases of both classes.",
        "Ask for larger test sets, or name another score.",
        _SCORES,
    ),
    "E308": Kind(
        "Resamples without a score",
        "Some resamples test one class alone, or nothing that the score rests on, and are left out of the mean.",
        'Keep classes in proportion with `stratify="class"`, or ask for larger test sets.',
        _SCORES,
    ),
    "E401": Kind(
        "An interval without width",
        "Every resample gave the same rate, which is no certainty.",
        "Read Wilson's limits beside it.",
        _ESTIMATES,
    ),
    "E402": Kind(
        "An undefined interval",
        "The method has no answer on these data.",
        "Name another; `errorest intervals` lists them.",
        "`estimate`",
    ),
    "E403": Kind(
        "An interval beside its estimate",
        "The percentiles of the method are not centred on the estimate.",
        "Take interval `632+span` or `cv-wald`.",
        "`estimate`",
    ),
    "E404": Kind(
        "Large Monte Carlo error in the limits",
        "Another seed would move the limits by more than a tenth of the width.",
        "Ask for more replicates.",
        "`estimate`",
    ),
    "E405": Kind(
        "Copies parted by two-stage",
        "Copies of a case in an outer sample stand on both sides of an inner one.",
        "Ask for `two-stage(copies=together)`, or take interval `632+`.",
        "`estimate`",
    ),
    "E406": Kind(
        "A memorizer under an interval that trusts apparent errors",
        "The interval takes its width from how the apparent error varies, which for a memorizer it does not.",
        "Take interval `632+`, or `cv(k=10)` with its own.",
        "`estimate`",
    ),
    "E407": Kind(
        "No interval",
        "None belongs to the estimator, or the one that does needs resamples on which the classifier failed.",
        "Estimate with `632+` or `cv(k=10)`, or name an interval alone.",
        "`estimate`",
    ),
    "E408": Kind(
        "An AUC of few cases",
        "The smaller class has four cases or fewer. With four, an interval covers as it should and is about 0.6 wide; "
        "with fewer, none was found that holds, and there is no verdict.",
        "Collect more cases of that class.",
        _SCORES,
    ),
    "E501": Kind(
        "A curve that rises",
        "More training cases made more errors, at the end of the curve or before a peak, by more than chance explains. "
        "Power laws only fall, so that nothing is extrapolated.",
        "Take the largest measured size for what is known. A peak stands where cases are about as many as attributes: "
        "regularize the classifier, or take fewer attributes.",
        "`learning_curve`",
    ),
    "E502": Kind(
        "Far beyond the cases at hand",
        "More than ten times as many cases were asked for as there are.",
        "Believe the limits, not the middle; ask again when there are more cases.",
        "`learning_curve`",
    ),
}
"""Every caution by its id."""


class Caution(str):
    """A sentence or two on what to beware of, with the id of its kind."""

    kind: str

    def __new__(cls, kind: str, text: str) -> Caution:
        """Make a text of a kind that is listed."""
        made = super().__new__(cls, text)
        made.kind = CAUTIONS[kind] and kind
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.kind, str(self)


def with_id(text: str) -> str:
    """Write a caution with its id behind it; any other text as it is."""
    return f"{text} ({text.kind})" if isinstance(text, Caution) else text


def checked_ids(ignore: Iterable[str] | str) -> frozenset[str]:
    """Check the ids of cautions that are switched off."""
    given = ignore.split(",") if isinstance(ignore, str) else ignore
    ids = [str(one).strip() for one in given]
    for one in filter(None, ids):
        if one not in CAUTIONS:
            raise UsageError(
                f"caution '{one}' was to be ignored, and there is none; expected ids such as E203; "
                + nearest(one, CAUTIONS)
            )
    return frozenset(filter(None, ids))


def not_ignored(cautions: Iterable[str], ignored: frozenset[str]) -> tuple[str, ...]:
    """Leave out the cautions that are switched off."""
    return tuple(one for one in cautions if not (isinstance(one, Caution) and one.kind in ignored))


def kinds_of(cautions: Iterable[str]) -> list[str]:
    """List the ids of cautions, one for each; a text of no kind has none."""
    return [one.kind if isinstance(one, Caution) else "" for one in cautions]
