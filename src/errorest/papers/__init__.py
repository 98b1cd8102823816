"""The papers: designs, readings and one function per printed artifact, built on the floors below."""
