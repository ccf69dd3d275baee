from treewright.kinds.tagger.decoder import Decoder

SURE: float

class RevisingDecoder(Decoder):
    sure: float
    def __init__(self, *parts: object) -> None: ...
