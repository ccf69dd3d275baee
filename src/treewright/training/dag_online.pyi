from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.learners.learner import OnlineLearner
from treewright.learners.problem import Problem
from treewright.parsing.dag_greedy import GreedyGraphParser
from treewright.training.rounds import Rounds
from treewright.treebank.block import Block
from treewright.treebank.graph import Graphs

class GraphCorpus:
    n_sentences: int
    n_words: int
    def __init__(
        self, blocks: Iterable[Block], encoder: Encoder, graphs: Graphs, root_last: bool = True
    ) -> None: ...

class GraphTrainer(Rounds):
    round: int
    decisions: int
    mistakes: int
    def __init__(
        self,
        parser: GreedyGraphParser,
        learner: OnlineLearner,
        corpus: GraphCorpus,
        policy: str,
        k: int,
        p: float,
        seed: int,
    ) -> None: ...
    def learn(self, first: int, end: int) -> None: ...

class GraphInstances:
    def __init__(self, parser: GreedyGraphParser, corpus: GraphCorpus, problem: Problem) -> None: ...
    def follow_oracle(self, first: int, end: int) -> None: ...
