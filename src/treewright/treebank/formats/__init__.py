"""Treebank formats, one file each; the registry finds them by name."""

from treewright.treebank.formats.conll09 import Conll09
from treewright.treebank.formats.conllu import ConllU, ConllUPlus
from treewright.treebank.formats.conllx import ConllX
from treewright.treebank.formats.json_sentences import JsonLines, JsonSentences
from treewright.treebank.formats.malt_tab import MaltTab
from treewright.treebank.formats.malt_xml import MaltXml
from treewright.treebank.formats.parquet import Parquet
from treewright.treebank.formats.registry import Format, FormatWriter, Sample
from treewright.treebank.formats.sdp import Sdp

BUILTIN: tuple[Format, ...] = (
    *(ConllU(), ConllUPlus(), ConllX(), Conll09(), MaltTab(), MaltXml(), Sdp()),
    *(JsonSentences(), JsonLines(), Parquet()),
)

__all__ = ["BUILTIN", "Format", "FormatWriter", "Sample"]
