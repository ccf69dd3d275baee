"""The parts of a tree: their features, weights, scores and bounds."""
