"""The list of slow tests names tests that exist."""

import re
from pathlib import Path

import pytest

from tests.slow_tests import SLOW


@pytest.mark.parametrize("entry", SLOW)
def test_a_slow_test_exists(entry):
    file, _, name = entry.partition("::")
    text = Path(__file__).parent.joinpath(file).read_text(encoding="utf-8")
    assert re.search(rf"^def {name or 'test_'}", text, re.MULTILINE)
