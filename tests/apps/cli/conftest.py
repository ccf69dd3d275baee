from __future__ import annotations

from pathlib import Path

import pytest

from tests.toy import toy_parser


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file that nobody changes."""
    path = tmp_path_factory.mktemp("model") / "toy.tw"
    toy_parser().save(path)
    return path
