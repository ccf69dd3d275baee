from __future__ import annotations

from collections.abc import Iterator

import pytest
from treewright.kinds.network.kernel.paths import NAMES, current, paths, use_path


@pytest.fixture(params=NAMES)
def path(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each path of the kernel that this processor has."""
    before = current()
    if request.param not in paths():
        pytest.skip("the processor lacks these instructions")
    use_path(request.param)
    yield request.param
    use_path(before)
