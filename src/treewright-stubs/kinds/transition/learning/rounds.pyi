from treewright.kinds.transition.engines.walk import Walker

POLICIES: dict[str, int]

class Rounds(Walker):
    decisions: int
    mistakes: int
    round: int
    def start_round(self) -> None: ...
    def learn(self, first: int, end: int) -> None: ...
