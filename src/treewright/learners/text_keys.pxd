"""Numbers by 64-bit key: see treebank/blocks/key_numbers.pxd."""
from treewright.treebank.blocks.key_numbers cimport KeyNumber, KeyNumbers, add_number, make_room, number_of
