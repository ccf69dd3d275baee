"""What parsers get wrong: where, how two of them differ, and whether one mistake leads to the next."""
