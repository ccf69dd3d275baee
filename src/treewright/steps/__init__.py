"""What a step is: the contract of everything that takes blocks and gives blocks, and the files that keep steps."""
