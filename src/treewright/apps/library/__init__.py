"""Models by their names: an index lists them, a folder of the user's keeps them, one command builds them all.

`index` reads what an index says, `fetching` brings a file, `installed` keeps models for `treewright.load("fr")`, and
`building` makes models and an index of a folder of treebanks.
"""
