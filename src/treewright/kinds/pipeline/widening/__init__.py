"""What tagger and parser learn from beside the treebank: parts of its trees, and changes to them."""
