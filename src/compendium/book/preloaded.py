"""What the process that is forked for each notebook has imported; see :mod:`compendium.book.engine`."""

import matplotlib.backends.backend_agg
import matplotlib.backends.backend_svg  # noqa: F401

import compendium.book.render
import compendium.book.session
import compendium.evidence.claims
import compendium.studies.experiment  # noqa: F401
from errorest.compiled import start_compiler

start_compiler()
