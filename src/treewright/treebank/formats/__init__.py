"""Treebank formats, one file each; the registry finds them by name, and imports those that are needed."""
