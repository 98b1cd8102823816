"""A release: everything that is shipped, the same bytes when made twice."""
