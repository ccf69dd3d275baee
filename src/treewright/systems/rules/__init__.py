"""Rules that the trees of a treebank keep: learnt from it, counted in other trees, kept while a tree is built."""
