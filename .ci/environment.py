#!/usr/bin/env python3
"""Print environment.yml as pyproject.toml implies it (Python 3.11 or newer, nothing installed)."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print(
    f"""\
# Written by `make lock` from pyproject.toml.  The package, what runs its notebooks, and JupyterLab:
#   conda env create -f environment.yml && conda activate {project["name"]} && jupyter lab notebooks
name: {project["name"]}
channels:
  - conda-forge
dependencies:
  - python{project["requires-python"]}
  - git
  - pip
  - pip:
      - -e .[book,dask,lab]""",
)
