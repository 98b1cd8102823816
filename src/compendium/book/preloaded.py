"""What the process that is forked for each notebook has imported; see :mod:`compendium.book.engine`."""

import matplotlib.backends.backend_agg
import matplotlib.backends.backend_svg  # noqa: F401
import numba
import numpy as np

import compendium.book.render
import compendium.book.session
import compendium.evidence.claims
import compendium.studies.experiment  # noqa: F401

# numba sets itself up with the first function that it compiles
numba.njit(lambda x: x + 1)(np.zeros(1))
