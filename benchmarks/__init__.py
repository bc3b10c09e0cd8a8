"""Claims as code: the simulator, the evaluation commands and their results. Runs from a clone (docs/decisions)."""
