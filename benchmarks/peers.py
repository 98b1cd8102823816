"""What other packages answer on the worked case of the guide, with the same bootstrap samples.

They are no dependencies: ``make peers`` puts them, pinned, into a folder of
their own beside the project and runs this with it on the path.
"""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from errorest.guide.peers.artifacts import PACKAGES
from errorest.guide.peers.experiment import PeersParameters, worked_case


def mlxtend_answers() -> list[tuple[str, float, str]]:
    """Ask mlxtend for its .632 and .632+; empty where it is not there."""
    try:
        from mlxtend import evaluate
        from mlxtend.evaluate import bootstrap_point632 as module
    except ImportError:
        print("  mlxtend is not there; expected it beside the project; run: make peers")
        return []
    case = PeersParameters()
    n = len(case.values)

    class WrittenOut:
        """Stands in the place of the package's random splits: the samples of the worked case."""

        def __init__(self, **_: object) -> None: ...

        def split(self, X: np.ndarray):  # type: ignore[no-untyped-def]
            for drawn in case.bootstrap_samples:
                yield np.array(drawn), np.setdiff1d(np.arange(n), drawn)

    random_splits = module.BootstrapOutOfBag
    module.BootstrapOutOfBag = WrittenOut
    try:
        X, y = np.array(case.values)[:, None], np.array(case.labels)
        return [
            (
                f"mlxtend, {method}, measured",
                float(
                    1
                    - evaluate.bootstrap_point632_score(
                        KNeighborsClassifier(1), X, y, n_splits=len(case.bootstrap_samples), method=method
                    ).mean()
                ),
                "error rate",
            )
            for method in (".632", ".632+")
        ]
    finally:
        module.BootstrapOutOfBag = random_splits


def main() -> list[tuple[str, float, str]]:
    """Print and return the measured answers beside this project's own."""
    answers = mlxtend_answers()
    plain, plus = PACKAGES["errorest"][0](worked_case(PeersParameters()))
    answers += [("errorest, .632", plain, "error rate"), ("errorest, .632+", plus, "error rate")]
    for quantity, value, _ in answers:
        print(f"  {quantity}: {value:.4f}")
    return answers


if __name__ == "__main__":
    main()
