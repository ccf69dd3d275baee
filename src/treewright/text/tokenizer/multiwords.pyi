from typing import Any

class MultiwordTable:
    settings: dict[str, Any]
    def __init__(self, settings: dict[str, Any]) -> None: ...
