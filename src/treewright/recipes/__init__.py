"""Recipes: what to train and how. Every option is declared once, here, and read by everything else."""
