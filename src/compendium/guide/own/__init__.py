"""Chapter 1: estimates on one's own data."""
