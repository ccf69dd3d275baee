"""Options: declared once, as fields of recipes, with type, default, range, help and topic."""
