"""Which installed plug-ins a model file may call by name.

Loading a plug-in runs its code. A model that a stranger wrote must not choose what runs: a user allows a plug-in, by
training with it in the same process, by ``allow_plugins``, or with ``TREEWRIGHT_PLUGINS=name,name`` (``all`` allows
every installed one).
"""

from __future__ import annotations

import os
import re

from treewright.errors import ModelFileError

VARIABLE = "TREEWRIGHT_PLUGINS"
_allowed: set[str] = set()
_IN_FEATURES = re.compile(r"\bplugin\s*\(\s*([^\s,()]+)")


def allow_plugins(*names: str) -> None:
    """Let model files use these plug-ins in this process."""
    _allowed.update(names)


def check_features(text: str) -> None:
    """Reject a feature model of a model file that names plug-ins which nobody allowed."""
    for name in _IN_FEATURES.findall(text):
        check_allowed(name)


def check_allowed(name: str) -> None:
    """Reject a plug-in that a model names and nobody allowed."""
    allowed = {word.strip() for word in os.environ.get(VARIABLE, "").split(",")} | _allowed
    if name not in allowed and "all" not in allowed:
        raise ModelFileError(
            f"the model needs the plug-in {name[:100]!r}, and loading it would run its code. If you trust it and the"
            f" model, set {VARIABLE}={name[:100]}"
        )
