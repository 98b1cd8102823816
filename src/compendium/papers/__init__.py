"""The papers: designs, readings and one function per printed artifact."""
