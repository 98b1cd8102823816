"""What a choice among classifiers adds to the winner's good looks, and what tests and posteriors of it keep."""
