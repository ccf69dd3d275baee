"""From a path, a stream or a text to blocks, and from blocks to a file."""
