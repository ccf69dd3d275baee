"""The walk from the first configuration to the last, and what chooses its moves. Compiled."""
