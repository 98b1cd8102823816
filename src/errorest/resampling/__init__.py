"""Which cases train and which are tested: multisets of cases, schemes that draw them, and clones."""
