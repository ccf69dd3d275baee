from treewright.learners.learner import Scorer
from treewright.parsing.walk import Scratch, Walker

class Chooser(Walker):
    scorer: Scorer
    split: bool
    def new_scratch(self) -> Scratch: ...
