"""What the treebank uses: relations, tags, features and lemmas, most frequent first, for completion while typing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from treewright.apps.studio.drafts import Draft
from treewright.apps.studio.learning import spread
from treewright.apps.studio.project import OnDisk
from treewright.treebank.checks.ud_checks import RELATIONS, UPOS

UD_RELATIONS, UD_TAGS = (tuple(sorted(value.decode() for value in values)) for values in (RELATIONS, UPOS))
MOST = 400
MOST_COUNTED = 2000  # sentences


class ProjectVocabulary:
    """Counts over the sentences of a treebank."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.relations: Counter[str] = Counter()
        self.by_tags: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.tags: Counter[str] = Counter()
        self.own_tags: Counter[str] = Counter()
        self.features: Counter[str] = Counter()
        self.enhanced: Counter[str] = Counter()
        for text in texts:
            self._count(text)

    def _count(self, text: str) -> None:
        words = [cells for _, cells in Draft(text).words()]
        for cells in words:
            self.tags[cells[3]] += 1
            self.own_tags[cells[4]] += 1
            self.features.update(cells[5].split("|"))
            self.enhanced.update(arc.partition(":")[2] for arc in cells[8].split("|") if ":" in arc)
            if cells[6].isdigit() and cells[7] != "_":
                self.relations[cells[7]] += 1
                head = int(cells[6])
                above = words[head - 1][3] if 0 < head <= len(words) else "ROOT"
                self.by_tags[cells[3], above][cells[7]] += 1

    def to_json(self) -> dict[str, object]:
        """Return what completion needs: lists, the most frequent first; relations also by tags of both words."""
        return {
            "relations": _ordered(self.relations, UD_RELATIONS),
            "used": _ordered(self.relations),
            "relationsByTags": {
                f"{tag} {above}": [relation for relation, _ in counts.most_common(12)]
                for (tag, above), counts in self.by_tags.items()
            },
            "upos": _ordered(self.tags, UD_TAGS),
            "xpos": _ordered(self.own_tags),
            "feats": _ordered(self.features),
            "enhanced": _ordered(self.enhanced, UD_RELATIONS),
        }


def texts_to_count(files: Sequence[OnDisk]) -> Iterator[str]:
    """Yield annotated sentences of a project: all of them, or of very many some, evenly spread."""
    done = [(file, number) for file in files for number in file.numbers(attached=True)]
    return (file.version[number] for file, number in spread(done, MOST_COUNTED))


def _ordered(counts: Counter[str], more: Iterable[str] = ()) -> list[str]:
    """Return what occurs, most frequent first, then what else is common practice."""
    found = [value for value, _ in counts.most_common(MOST) if value != "_"]
    return found + [value for value in more if value not in counts]
