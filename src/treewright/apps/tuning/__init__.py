"""Tuning: feature templates and options chosen by what they give on dev, and by what they cost in time."""
