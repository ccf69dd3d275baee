"""Parsers that build trees move by move."""
