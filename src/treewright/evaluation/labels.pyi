CONTENT_RELATIONS: frozenset[str]
FUNCTION_RELATIONS: frozenset[str]
UNIVERSAL_FEATURES: frozenset[str]

def universal_features(feats: str) -> str: ...

class Labels:
    def __init__(self) -> None: ...
