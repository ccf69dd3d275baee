"""What the static oracle can teach: sentences whose trees or graphs its moves can build."""

from __future__ import annotations

from treewright.errors import CombinationError
from treewright.kinds.transition.learning.corpus import EncodedSentences
from treewright.systems.system import System


def keep_derivable(corpus: EncodedSentences, system: System, what: str) -> list[str]:
    """Leave out the sentences that the system's canonical moves cannot build; return notes for the user."""
    left_out = corpus.keep_derivable(system)
    if left_out and left_out == corpus.n_sentences:
        raise CombinationError(
            f"{system.name} cannot build any {what} of the treebank: choose another system, or lifting"
        )
    note = f"{left_out:,} {what}{'s' * (left_out != 1)} left out that {system.name} cannot build"
    return [note] if left_out else []
