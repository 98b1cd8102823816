"""Martin & Hirschberg (1996), "Small sample statistics for classification error rates I"."""
