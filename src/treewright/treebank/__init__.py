"""Read, write and convert treebanks without loss."""
