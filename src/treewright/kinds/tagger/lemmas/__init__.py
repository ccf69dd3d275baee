"""Lemmas: those seen in training are remembered, the others follow rules."""
