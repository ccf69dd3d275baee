"""Install each extra alone beside a wheel, with the newest versions, and import what it is for.

Which packages resolve changes from day to day: the workflow runs this on every push.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

#: what each extra brings, by the names that programs import
IMPORTS = {
    "english": "treewright_english",
    "timbl": "timbl",
    "languages": "langcodes, language_data",
    "libsvm": "libsvm.svmutil",
    "liblinear": "liblinear.liblinearutil",
    "sklearn": "sklearn",
    "parquet": "pyarrow.parquet",
    "validate": "udtools",
    "pictures": "typst",
    "zst": "zstandard",
    "dask": "distributed, fsspec",
    "ray": "ray, fsspec",
    "cluster": "dask_jobqueue, bokeh",
    "data": "pandas, pyarrow, networkx",
    "spacy": "spacy",
    "exact": "highspy",
    "neural": "torch, numpy",
    "transformers": "transformers",
}


def tried(wheel: Path, extra: str) -> bool:
    """Install an extra into an environment of its own, and import what it brings."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        trying = f"import {IMPORTS[extra]}, treewright; print(treewright.__version__)"
        commands = (
            [sys.executable, "-m", "venv", folder],
            [str(python), "-m", "pip", "install", "--quiet", "--find-links", str(wheel.parent), f"{wheel}[{extra}]"],
            [str(python), "-c", trying],
        )
        return all(subprocess.run(command, check=False).returncode == 0 for command in commands)


def main() -> None:
    """Try all extras, or those that are named behind the wheel."""
    wheel = Path(sys.argv[1]).resolve()
    failed = [extra for extra in sys.argv[2:] or IMPORTS if not tried(wheel, extra)]
    sys.exit(f"these extras do not work: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
