from array import array

from treewright.parsing.confidence import ConfidentParser, Margins
from treewright.training.corpus import Corpus

def margins_on(parser: ConfidentParser, corpus: Corpus) -> tuple[Margins, bytearray]: ...
def likelihood(confidences: array[float], right: bytearray) -> float: ...
