"""What people and programs use: command line, server, studio, corpora, experiments."""
