"""A spaCy component."""
