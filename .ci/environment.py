#!/usr/bin/env python3
"""Print environment.yml as pyproject.toml and requirements.lock imply it (Python 3.11 or newer, nothing installed)."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
print(
    f"""\
# Written by `make lock` from pyproject.toml.  After `conda env create -f environment.yml` and activating it:
#   pip install --no-deps --no-build-isolation -e .
name: {project["name"]}
channels:
  - conda-forge
dependencies:
  - python{project["requires-python"]}
  - pip
  - pip:
      - -r requirements.lock""",
)
