"""Transition systems that build trees, one file each."""
