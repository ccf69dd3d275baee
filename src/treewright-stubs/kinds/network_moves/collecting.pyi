from array import array

from treewright.kinds.network.kernel.rows import Rows
from treewright.kinds.transition.engines.chooser import Chooser
from treewright.kinds.transition.learning.corpus import EncodedSentences
from treewright.kinds.transition.learning.online import OnlineTrainer
from typing_extensions import Buffer

from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy

COLUMNS: tuple[str, ...]

class DecisionCollector(OnlineTrainer):
    def __init__(self, parser: Chooser, corpus: EncodedSentences, policy: RoundsPolicy) -> None: ...
    def use(self, parser: Chooser) -> None: ...
    def collect(self, sentences: Buffer, words: Rows) -> tuple[array[int], array[int]]: ...
