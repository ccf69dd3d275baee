"""Where tokens and sentences end: characters, their features, and the model that decides."""
