"""Numbers by 64-bit key: see treebank/key_numbers.pxd."""
from treewright.treebank.key_numbers cimport KeyNumber, KeyNumbers, add_number, make_room, number_of
