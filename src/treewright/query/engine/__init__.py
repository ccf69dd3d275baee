"""Patterns over the arrays of blocks: a program of steps, and the loop that runs it without the GIL."""
