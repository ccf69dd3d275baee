"""Blocks: whole sentences of a file as bytes, scanned into flat arrays, and what rewrites them in one pass."""
