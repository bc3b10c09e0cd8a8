"""Training of the safe-side model: its sentences, the fit, cross-validation over authors. Runs from a clone only."""
