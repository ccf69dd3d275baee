"""Grew's notation: from text to patterns and rules. What is not understood is refused with line and column."""
