"""From raw text to words with tags: tokeniser, tagger, and pipelines of both with a parser."""
