"""errorest: how far can you trust a measured error rate?

Estimators of a classifier's error rate on small samples, exact and fast, and
the compendium that measures how good they are.
"""

from importlib import metadata

__version__ = metadata.version("errorest")
__all__ = ["__version__"]
