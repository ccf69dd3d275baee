"""The chart of arc-standard's oracle needs little memory, however many words wait."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: All words lie on the stack and have gold arcs to each other: a chart of all of them would need 360 MB.
PROGRAM = """
import resource
from pathlib import Path
from treewright.systems import make_system
from treewright.systems.system import Parse

n = 6000
parse = Parse(make_system("arc-standard"), n, [*range(2, n + 1), 0])
for _ in range(n):
    parse.apply("SHIFT")
used = next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmSize" in line)
limit = used * 1024 + 64 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print(parse.costs())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space of a process")
def test_costs_of_arc_standard_need_little_memory() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout == "{'LEFT': 0, 'RIGHT': 1}\n"
