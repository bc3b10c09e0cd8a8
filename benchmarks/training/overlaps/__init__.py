"""Training of the English floor model on real overlaps: data, recogniser noise, fit, curve. Runs from a clone only."""
