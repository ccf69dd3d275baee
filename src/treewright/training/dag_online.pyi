from collections.abc import Iterable

from treewright.features.encoder import Encoder
from treewright.learners.learner import OnlineLearner
from treewright.learners.problem import Problem
from treewright.parsing.dag_greedy import GreedyGraphParser
from treewright.training.corpus import EncodedSentences
from treewright.training.instances import InstanceCollector
from treewright.training.online import OnlineTrainer
from treewright.treebank.block import Block
from treewright.treebank.graph import Graphs

class GraphCorpus(EncodedSentences):
    def __init__(self, blocks: Iterable[Block], encoder: Encoder, graphs: Graphs, root_last: bool = True) -> None: ...

class GraphTrainer(OnlineTrainer):
    def __init__(
        self,
        parser: GreedyGraphParser,
        learner: OnlineLearner,
        corpus: GraphCorpus,
        policy: str,
        k: int,
        p: float,
        seed: int,
        zero_cost: str = "best",
    ) -> None: ...

class GraphInstances(InstanceCollector):
    def __init__(self, parser: GreedyGraphParser, corpus: GraphCorpus, problem: Problem) -> None: ...
