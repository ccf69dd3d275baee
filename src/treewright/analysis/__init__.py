"""What parsers get wrong: where, how two of them differ, and whether one mistake brings the next."""
