"""Neural parsers of dependency graphs."""
