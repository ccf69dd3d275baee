from treewright.kinds.transition.engines.walk import Scratch, Walker
from treewright.learners.learner import Scorer

class Chooser(Walker):
    scorer: Scorer
    split: bool
    def new_scratch(self) -> Scratch: ...
