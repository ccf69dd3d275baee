"""Tokens that stand for several words, and how they are split."""
