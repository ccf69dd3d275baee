"""Experiments: grids of trainings that are described in a file, run side by side, kept and compared."""
