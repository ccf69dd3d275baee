"""Compile the hot loops. Everything else about the package stands in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
#: what Cython adds to every module that uses memoryviews, compiled once for all of them
SHARED = "treewright._cython_shared"
#: without debugging information, which takes a third of the time and most of the size; TREEWRIGHT_DEBUG=1 keeps it
SYMBOLS = [] if os.environ.get("TREEWRIGHT_DEBUG") else ["-g0"]
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-math-errno", "-Wno-unused-function", *SYMBOLS]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}


def extensions() -> list[Extension]:
    """Return one extension per ``.pyx`` file, named after its place in the package, and the shared one."""
    sources = sorted(ROOT.glob("src/treewright/**/*.pyx"))
    shared = Extension(SHARED, ["src/" + SHARED.replace(".", "/") + ".c"], extra_compile_args=FLAGS)
    return [
        shared,
        *(
            Extension(
                ".".join(source.relative_to(ROOT / "src").with_suffix("").parts),
                [str(source.relative_to(ROOT))],
                include_dirs=["src/treewright/native"],
                depends=[str(h.relative_to(ROOT)) for h in ROOT.glob("src/treewright/native/*.h")],
                extra_compile_args=FLAGS,
            )
            for source in sources
        ),
    ]


setup(
    ext_modules=cythonize(
        extensions(),
        compiler_directives=DIRECTIVES,
        include_path=["src"],
        nthreads=0 if sys.platform in ("win32", "darwin") else os.cpu_count() or 1,
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
    )
)
