class RowLearner:
    def __init__(
        self,
        addresses: tuple[int, ...],
        rows: int,
        width: int,
        betas: tuple[float, float],
        decay: float,
        epsilon: float,
    ) -> None: ...
    def catch_up(self, numbers: int, n: int, now: int, keep: float) -> None: ...
    def learn(self, numbers: int, n: int, gradients: int, now: int, rate: float, keep: float) -> None: ...
