"""Settings of all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.slow_tests import SLOW

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

TESTS = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark the slow tests: `pytest -m "not slow"` leaves them out."""
    for item in items:
        file = item.path.relative_to(TESTS).as_posix()
        if file in SLOW or f"{file}::{item.originalname}" in SLOW:
            item.add_marker(pytest.mark.slow)
