"""What long commands show while they work: bars, tables of rounds, time left."""
