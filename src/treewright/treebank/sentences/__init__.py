"""Sentences and documents as objects: words, comments, columns with parts, other libraries' tables."""
