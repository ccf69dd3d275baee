"""What learns to choose moves: oracles followed, instances collected, beams trained."""
