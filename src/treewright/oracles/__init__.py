"""Oracles checked against exhaustive search."""
