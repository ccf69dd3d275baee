"""What is wrong in a treebank, where, and what to do about it."""
