from array import array

from typing_extensions import Buffer

from treewright.neural.kernel.rows import Rows
from treewright.parsing.chooser import Chooser
from treewright.training.corpus import EncodedSentences
from treewright.training.online import OnlineTrainer
from treewright.training.rounds_policy import RoundsPolicy

COLUMNS: tuple[str, ...]

class DecisionCollector(OnlineTrainer):
    def __init__(self, parser: Chooser, corpus: EncodedSentences, policy: RoundsPolicy) -> None: ...
    def use(self, parser: Chooser) -> None: ...
    def collect(self, sentences: Buffer, words: Rows) -> tuple[array[int], array[int]]: ...
