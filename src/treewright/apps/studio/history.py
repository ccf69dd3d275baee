"""The versions of a sentence, for unlimited undo and redo."""

from __future__ import annotations


class History:
    """The versions of one sentence, and which of them it shows. A new edit drops what was undone before it."""

    def __init__(self, text: str) -> None:
        self.versions = [text]
        self.at = 0
        self._from_disk = -1  # the version that others wrote last, while nobody has edited it here
        self._before = 0  # the version that was shown before

    @property
    def text(self) -> str:
        """The version that is shown."""
        return self.versions[self.at]

    def add(self, text: str) -> None:
        """Go on with a new version."""
        del self.versions[self.at + 1 :]
        self.versions.append(text)
        self.at += 1
        self._from_disk = -1

    def adopt(self, text: str) -> None:
        """Go on with what others wrote; what was undone stays, and of several such versions the last."""
        if text == self.text:
            return
        if self._from_disk == self.at == len(self.versions) - 1:
            self.versions.pop()
        else:
            self._before = self.at
        if text == self.versions[self._before]:  # they have taken it back
            self.at, self._from_disk = self._before, -1
        else:
            self.versions.append(text)
            self._from_disk = self.at = len(self.versions) - 1

    @property
    def is_from_disk(self) -> bool:
        """Is the version that is shown one that others wrote?"""
        return self._from_disk == self.at

    @property
    def can_undo(self) -> bool:
        """Is there an earlier version?"""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Is there a later version?"""
        return self.at + 1 < len(self.versions)

    def step(self, by: int) -> str:
        """Go back (-1) or forth (1) by one version, and return it."""
        self.at = min(max(self.at + by, 0), len(self.versions) - 1)
        return self.text
