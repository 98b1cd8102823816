"""The papers: designs, readings and one function per printed artifact, built on the floors below."""

from __future__ import annotations

from errorest import extras

extras.require("book", "an experiment of the papers")
