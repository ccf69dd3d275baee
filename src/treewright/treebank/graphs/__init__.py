"""Dependency graphs of DEPS: read, prepared for parsers, restored, written."""
