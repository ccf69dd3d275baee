"""The progress of pretraining: a line after each part, with the speed; on a terminal, above a bar."""

from __future__ import annotations

import time

from treewright.apps.cli.progress.training_progress import TrainingProgress, line_of
from treewright.training.observer import RoundReport


class PretrainingProgress(TrainingProgress):
    """Lines and a bar, on standard error, with the words learnt from in a second."""

    def __init__(self, quiet: bool = False, moves: bool | None = None) -> None:
        super().__init__(quiet, moves)
        self._words_per_sentence, self._sentences, self._since = 1.0, 0, time.monotonic()

    def reading(self) -> None:
        """Say that the text is being read: it takes a while, and its size is not known."""
        if self.moves:
            self.show("reading text …")

    def prepared(self, step: str, sentences: int, words: int, notes: list[str]) -> None:
        """Say what was read."""
        super().prepared(step, sentences, words, notes)
        self._words_per_sentence = words / max(1, sentences)

    def begun(self, step: str, sentences: int) -> None:
        """Start the bar."""
        super().begun(step, sentences)
        self._sentences, self._since = 0, time.monotonic()

    def advanced(self, sentences: int) -> None:
        """Move the bar, and show the speed."""
        super().advanced(sentences)
        self._sentences += sentences

    def round_done(self, report: RoundReport) -> None:
        """Say what the part gave, and how fast it was read."""
        speed = self._sentences * self._words_per_sentence / max(1e-9, time.monotonic() - self._since)
        self.show(f"{line_of(report)}  {speed:,.0f} words/s")
        self._sentences, self._since = 0, time.monotonic()
        if self.live is not None:
            self.live.update(self.task, description=f"{report.step}, {speed:,.0f} words/s")
