"""Part-of-speech tags, morphology and lemmas."""
