NODE_OPS: dict[str, int]
ARRAYS: dict[int, tuple[str, str]]
OFFSETS: dict[str, int]
