"""What the compendium is called and how it is cited: its identity, its references, its crates."""
