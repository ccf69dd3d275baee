"""The parts of fuzz.py. Models of every kind come from the tests, which are beside the benchmarks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
