"""Section 3: fourteen estimators on a linear discriminant."""
