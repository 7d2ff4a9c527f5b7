"""Training of detector and reader; needs the `train` extra, imported inside functions only."""
