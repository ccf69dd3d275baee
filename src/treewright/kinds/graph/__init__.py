"""Parsers that build dependency graphs move by move."""
