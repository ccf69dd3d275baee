from typing import Any, Literal

from typing_extensions import Buffer

def numbers_in(buffer: Buffer, code: Literal["B", "b", "H", "h", "I", "i", "Q", "f"]) -> memoryview[Any]: ...
