"""Kinds of steps, a folder each: recipe, model, training, and the schema of its model files."""
