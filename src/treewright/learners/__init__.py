"""Part of treewright."""
