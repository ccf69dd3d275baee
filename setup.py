"""Compile the hot loops. Everything else about the package is in pyproject.toml."""

import gc
import os
import re
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
NATIVE = Path("src/treewright/native")
#: C headers that tools/bundled_keys.py writes
WRITTEN = Path("build/native")
#: what a module, its declarations and C headers need: modules by their full names, headers of ours
NAMED = re.compile(r'^\s*from (treewright[\w.]+) cimport|(?:extern from|#include) "(\w+\.(?:h|inc))"', re.MULTILINE)
CORES = int(os.environ.get("JOBS") or os.cpu_count() or 1)
#: what Cython adds to every module that uses memoryviews, compiled once for all of them
SHARED = "treewright._cython_shared"
#: modules without hot loops, by package: they are compiled with few optimisations, in a third of the time
COLD = {
    "": ("_cython_shared",),
    "analysis": ("*",),
    "evaluation": ("*",),
    "features": ("feature_table", "inspection", "split"),
    "kinds.exact": ("learning",),
    "kinds.exact.parts": ("learnt_weights", "part_family", "part_templates"),
    "kinds.exact.search": ("decoding",),
    "kinds.network.inputs": ("numbering",),
    "kinds.network.kernel": ("paths",),
    "kinds.network_graph": ("graph_decoding",),
    "kinds.network_moves": ("collecting", "walking"),
    "kinds.tagger": ("feature_keys", "tags"),
    "kinds.tokenizer.multiwords": ("multiword_guesses",),
    "kinds.transition.engines": ("confidence",),
    "kinds.transition.learning": ("confidence", "corpus", "easy_first", "instances", "rounds"),
    "learners": ("feature_index", "frozen", "learner", "linear_export", "plain_weights", "problem"),
    "lexicon": ("hierarchy",),
    "steps.border": ("*",),
    "systems": ("derivation", "kept_arcs", "leaf_tags", "system", "weighted_gold"),
    "systems.graphs": ("graph_system",),
    "treebank.blocks": ("aligned", "misc_values", "rearrange"),
    "treebank.checks": ("checks",),
    "treebank.graphs": ("graph_restoring", "graph_writing", "relation_fillers", "sentence_arcs"),
    "treebank.lifting": ("deprojectivizer", "lifting", "projectivity"),
}
#: modules whose loops wait for memory or run seldom: hash tables, and machines of batch learners. Fewer optimisations
#: take a third less time, and raw text is as fast
WARM = {
    "features": ("word_clusters",),
    "kinds.tagger": ("lexicon",),
    "kinds.tokenizer.boundaries": ("alphabet", "lexicon"),
    "kinds.tokenizer.multiwords": ("multiwords",),
    "learners": ("decisions", "kernel_machine"),
    "query.index": ("collecting",),
}
#: passes of the compiler that take a third of its time; parsers are as fast without them
NO_GAIN = ["-fno-tree-vrp", "-fno-tree-pre", "-fno-gcse", "-fno-code-hoisting"]
#: results must be the same bits on every processor: no product is joined with a sum
EXACT = ["-ffp-contract=off", "-fno-math-errno", "-Wno-unused-function"]
#: without traps, comparisons become vectors
NEURAL = ["-fno-trapping-math", "-Wno-maybe-uninitialized"]
#: modules to build, for those who try another compiler: patterns of names behind `treewright.`
ONLY = os.environ.get("TREEWRIGHT_ONLY", "*").split()
#: looking for what to warn about takes a sixth of the time; tables for debuggers are a sixteenth of the size.
#: TREEWRIGHT_DEBUG=1 and `make sanitize` have both
LEAN = ["-w", "-g0", "-fno-asynchronous-unwind-tables"]
#: without debugging information, which takes a third of the time and most of the size; TREEWRIGHT_DEBUG=1 keeps it
DEBUG = bool(os.environ.get("TREEWRIGHT_DEBUG"))
#: `make sanitize`: every access to memory and all arithmetic is checked while it runs; signed overflow must not wrap
SANITIZE = os.environ.get("TREEWRIGHT_SANITIZE", "")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "auto_pickle": False,  # nothing pickles compiled objects; Python says so to whoever tries
    "freethreading_compatible": True,  # steps never change, and each call has its own memory
    "emit_code_comments": DEBUG,  # without the Pyrex code as comments, a tenth faster
}


def flags(module: str) -> dict[str, list[str]]:
    """Return the flags of compiler and linker for a module."""
    if sys.platform == "win32":
        return {"extra_compile_args": ["/O2", "/fp:precise"]}
    if SANITIZE:
        return sanitized(module)
    package, _, name = module.removeprefix("treewright.").rpartition(".")
    level = ["-O3", *NO_GAIN]
    for modules, lower in ((COLD, "-Og"), (WARM, "-O1")):
        if any(fnmatch(name, pattern) for pattern in modules.get(package, ())):
            level = [lower]
    compiling = [*level, *EXACT]
    if fnmatch(module, "treewright.kinds.network.kernel.*"):
        compiling += NEURAL
    if DEBUG:
        return {"extra_compile_args": compiling}
    linking = ["-Wl,-x"] if sys.platform == "darwin" else ["-Wl,--strip-all"]
    return {"extra_compile_args": [*compiling, *LEAN], "extra_link_args": linking}


def sanitized(module: str) -> dict[str, list[str]]:
    """Return the flags of a module whose memory accesses and arithmetic are checked while it runs."""
    checks = [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all", "-fno-wrapv"]
    neural = NEURAL if fnmatch(module, "treewright.kinds.network.kernel.*") else []
    compiling = ["-O1", "-g1", *EXACT, *neural, *checks]
    return {"extra_compile_args": compiling, "extra_link_args": checks}


class BuildWithKnownFlags(build_ext):
    """Build with those flags that the compiler takes: gcc and clang do not have the same passes to leave out."""

    def build_extensions(self) -> None:
        """Leave out the flags that the compiler refuses, then build."""
        flags = sorted({flag for each in self.extensions for flag in each.extra_compile_args})
        refused = set() if sys.platform == "win32" else refused_flags(self.compiler.compiler_so, flags)
        for each in self.extensions:
            each.extra_compile_args = [flag for flag in each.extra_compile_args if flag not in refused]
        super().build_extensions()


def refused_flags(compiler: list[str], flags: list[str]) -> set[str]:
    """Return the flags that a compiler does not know: all are tried at once, and one by one if it complains."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.c")
        empty.write_text("int empty;\n")

        def takes(tried: list[str]) -> bool:
            command = [*compiler, *tried, "-Werror", "-c", str(empty), "-o", str(empty.with_suffix(".o"))]
            return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

        # gcc complains of an unknown -Wno-… only if it has something else to say: such flags harm nobody
        return set() if takes(flags) else {flag for flag in flags if not takes([flag])}


def extensions() -> list[Extension]:
    """Return one extension per ``.pyx`` file, named after its place in the package, and the shared one.

    The largest come first, so that all cores have work until the end.
    """
    found = [Extension(SHARED, ["src/" + SHARED.replace(".", "/") + ".c"], **flags(SHARED))]
    for source in sorted(ROOT.glob("src/treewright/**/*.pyx"), key=lambda path: (-path.stat().st_size, path)):
        path = source.relative_to(ROOT)
        name = ".".join(path.relative_to("src").with_suffix("").parts)
        headers = headers_behind(source)
        folders = [str(NATIVE), str(WRITTEN)]
        found.append(Extension(name, [str(path)], include_dirs=folders, depends=headers, **flags(name)))
    return [each for each in found if any(fnmatch(each.name, f"treewright.{pattern}") for pattern in ONLY)]


def headers_behind(source: Path) -> list[str]:
    """Return the C headers of a module: those that it names, and those behind the declarations that it cimports."""
    seen: set[Path] = set()
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        path = waiting.pop()
        if path not in seen and path.exists():
            seen.add(path)
            waiting += named_in(path)
    return sorted(str(path.relative_to(ROOT)) for path in seen if path.suffix in (".h", ".inc"))


@cache
def named_in(path: Path) -> list[Path]:
    """Return the declarations and headers that a file names."""
    found = []
    for module, header in NAMED.findall(path.read_text("utf-8")):
        if header:
            found += [ROOT / NATIVE / header, ROOT / WRITTEN / header]
        else:
            found.append(ROOT / "src" / (module.replace(".", "/") + ".pxd"))
    return found


def write_bundled_keys() -> None:
    """Write the C of the bundled feature models, with those modules of ours that need no compiling."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]
    from bundled_keys import write_headers

    write_headers(ROOT / WRITTEN)
    del sys.path[:2]


def forget_the_age_of_cython() -> None:
    """Let modules be up to date although Cython was installed a moment ago.

    Cython compares a module with every file that it cimports, its own ones included. In a build environment made for
    this build these are always newer, and everything would be compiled again. They only change with the version of
    Cython, which it compares as well.
    """
    import Cython
    from Cython.Build import Dependencies

    tree = getattr(Dependencies, "DependencyTree", None)
    own = os.path.dirname(Cython.__file__)
    if tree is not None:
        tree.timestamp = lambda self, file: 0.0 if os.path.abspath(file).startswith(own) else os.path.getmtime(file)


def look_for_declarations_once() -> None:
    """Let Cython look for the ``.pxd`` file of a module once, not again for every file that names the module.

    Cython looks for every name behind ``cimport``, in all folders that it knows, beside the file first: this would
    take 4 s before the first module is compiled. We write full names, which mean the same in every file, and what
    stands behind a module is no module.
    """
    from Cython.Build import Dependencies

    tree = getattr(Dependencies, "DependencyTree", None)
    search = getattr(tree, "find_pxd", None)
    if tree is None or search is None:
        return

    def find(self: object, module: str, file: str | None = None) -> str | None:
        if module.startswith("."):
            return search(self, module, file)
        parent = module.rpartition(".")[0]
        behind = find(self, parent) if parent else None
        is_module = behind is not None and not os.path.basename(behind).startswith("__init__.")
        return None if is_module else search(self, module)

    tree.find_pxd = find


def readme() -> str:
    """Return the README for an index of packages, where no link can point into the source: to this version's files."""
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    home = re.search(r'^Homepage = "(.*)"', project, re.MULTILINE)
    version = re.search(r'^version = "(.*)"', project, re.MULTILINE)
    assert home
    assert version
    state = "main" if "dev" in version[1] else f"v{version[1]}"
    text = (ROOT / "README.md").read_text("utf-8")
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{home[1]}/raw/{state}/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)", rf"\1{home[1]}/blob/{state}/", text)


def compiled_to_c() -> list[Extension]:
    """Return all extensions as C files; none where pip only asks for the name and version of the package."""
    if "dist_info" in sys.argv:
        return []
    from Cython.Build import cythonize

    write_bundled_keys()
    forget_the_age_of_cython()
    look_for_declarations_once()
    gc.set_threshold(100_000, 50, 1000)  # collecting Cython's large trees takes a quarter of its time
    return cythonize(
        extensions(),
        compiler_directives=DIRECTIVES,
        include_path=["src"],
        nthreads=0 if sys.platform in ("win32", "darwin") else CORES,
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
    )


setup(
    ext_modules=compiled_to_c(),
    cmdclass={"build_ext": BuildWithKnownFlags},
    long_description=readme(),
    long_description_content_type="text/markdown",
    options={"build_ext": {"parallel": CORES}},
)
