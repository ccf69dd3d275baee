"""Exact parsing: trees as sums of parts, found exactly."""
