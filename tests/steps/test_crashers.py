"""The files of tests/crashers/: models that once crashed, hung or filled the memory."""

from __future__ import annotations

import pytest

from tests.crashers import CRASHERS, FOLDER
from treewright.errors import ModelFileError
from treewright.steps.parser import Parser


def test_the_folder_holds_what_the_script_makes() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.tw")) == sorted(CRASHERS)


@pytest.mark.parametrize("name", CRASHERS)
def test_every_crasher_is_rejected(name: str) -> None:
    with pytest.raises(ModelFileError, match=f"{name}.tw: "):
        Parser.load(FOLDER / f"{name}.tw")
