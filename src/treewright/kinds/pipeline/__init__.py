"""Training all steps from one treebank."""
