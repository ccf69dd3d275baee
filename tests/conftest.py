"""Settings of all tests."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.slow_tests import SLOW

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
# tools/mutants.py wants to know whether a test fails, always alike, not why.
settings.register_profile(
    "mutants", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "patient"))

TESTS = Path(__file__).parent


def pytest_ignore_collect(collection_path, config):
    """Leave out files whose tests are all slow, if none of them is wanted: importing them takes time too."""
    if config.option.markexpr == "not slow" and collection_path.is_relative_to(TESTS):
        return collection_path.relative_to(TESTS).as_posix() in SLOW or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect without looking for garbage, and never look at the thousands of tests again: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """Mark the slow tests: `pytest -m "not slow"` leaves them out."""
    for item in items:
        file = item.path.relative_to(TESTS).as_posix()
        if file in SLOW or f"{file}::{item.originalname}" in SLOW:
            item.add_marker(pytest.mark.slow)
