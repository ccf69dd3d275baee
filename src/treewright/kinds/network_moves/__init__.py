"""Transition parsers whose moves a network scores."""
