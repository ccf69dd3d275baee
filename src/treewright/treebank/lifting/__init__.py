"""Trees made projective for parsers that need it, and back (Nivre & Nilsson 2005)."""
