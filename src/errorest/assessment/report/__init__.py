"""Rendering of results: text, pages, figures and the methods paragraph; public as :mod:`errorest.report`."""
