"""An index of a treebank file: which of its parts have a word, lemma, tag or relation."""
