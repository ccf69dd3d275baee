"""The topics that group options on the help page, in configuration files and in the reference."""

PARSER = "parser"
FEATURES = "features"
ORACLE = "oracle and exploration"
LEARNING = "learning"
BEAM = "beam"
BATCH = "learners of other libraries"
EXACT = "exact parser"
NEURAL = "neural parser"
TEXT = "raw text"

#: in the order in which they are shown
TOPICS = (PARSER, FEATURES, ORACLE, LEARNING, BEAM, BATCH, EXACT, NEURAL, TEXT)
