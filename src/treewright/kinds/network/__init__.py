"""Neural parsers: an encoder of sentences, scorers on top of it, their training and their use."""
