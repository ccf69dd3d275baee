from collections.abc import Callable, Iterable

class ValueTable:
    def __init__(
        self,
        evaluate: Callable[[bytes | bool | None], tuple[int, list[float]]],
        n_slots: int,
        constants: Iterable[bytes] | None = None,
    ) -> None: ...
