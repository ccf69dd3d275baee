"""A parse step by step: configurations, moves, scores, costs and choices, for teaching and for finding errors."""
