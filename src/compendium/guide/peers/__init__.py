"""Chapter 5: what other packages answer."""
