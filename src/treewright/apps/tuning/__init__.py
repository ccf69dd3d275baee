"""Tuning: feature templates and options, chosen by their gain on dev and their cost in time."""
