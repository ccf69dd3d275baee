"""The English models of treewright: ``treewright.load()`` and ``treewright.load("english-fast")`` load them."""
