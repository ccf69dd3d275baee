"""Sentences changed by Grew's rules: patterns with commands, packages and strategies."""
