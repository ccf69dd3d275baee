"""Dependencies run one way, and importing the package costs next to nothing."""

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src/treewright"  # an installed package lacks the .pyx files
STUBS = PACKAGE.with_name("treewright-stubs")
KEYWORDS = Path("recipes/keywords.pyi")  # of no module: only type checkers read the keywords of `train`
MOST_FILES = 30  # of a folder

# A package may import from those on lines above its own, and from itself; never from its own line.
LAYERS = [
    ["errors"],
    ["notebook"],
    ["treebank"],
    ["systems"],
    ["features"],
    ["lexicon"],
    ["oracles", "learners"],
    ["options"],
    ["steps"],
    ["recipes"],
    ["training"],
    ["evaluation", "display"],
    ["query"],
    ["kinds.transition", "kinds.tokenizer"],
    ["kinds.graph", "kinds.exact", "kinds.tagger"],
    ["kinds.network", "kinds.enhanced"],
    ["kinds.network_moves", "kinds.network_graph", "kinds.pipeline", "kinds.language_model"],
    ["analysis"],
    ["apps.worker_process", "apps.tracing", "apps.sharing", "apps.spacy"],
    ["treewright"],
    ["apps.corpus", "apps.experiments", "apps.server"],
    ["apps.tuning", "apps.studio"],
    ["apps.cli"],
    ["__main__"],
]
# Folders of packages, each of which has a place of its own in the order: they are named by two parts.
GROUPS = ("kinds", "apps")
# Methods of a class that reach up for what users expect there: inside a function, and only what is listed.
LATE = {
    "treebank/sentences/sentence.py": {
        "treewright.display.displacy",
        "treewright.display.drawing",
        "treewright.display.from_sentence",
        "treewright.display.terminal",
    },
}
# Registries that name modules above them as text, to be imported when they are needed.
REGISTRIES = {"steps/kinds.py": {"treewright.kinds"}}

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
LEVEL |= {group: min(LEVEL[name] for name in LEVEL if name.startswith(f"{group}.")) for group in GROUPS}
RULE = " ← ".join(", ".join(names) for names in LAYERS[:-1])

# `from treewright.systems.system cimport System`, `cimport treewright.x`, `import treewright.x`
CYTHON_IMPORT = re.compile(
    r"^\s*(?:from\s+(?P<origin>[\w.]+)\s+c?import\s+(?P<names>.+)|c?import\s+(?P<modules>[\w., ]+))"
)


def home(module):
    """Return which layer's name a module of the package belongs to."""
    _, *parts = module.split(".")
    return package_of(parts) if parts else "treewright"


def package_of(parts):
    """Return the name, in the order of packages, of what a path or a module within the package belongs to."""
    return ".".join(parts[: 1 + (parts[0] in GROUPS)])


def resolve(origin, dots, path):
    """Return the absolute name of a module that was named relative to a file."""
    if not dots:
        return origin
    parts = ["treewright", *path.parts[:-1]]
    parts = parts[: len(parts) - dots + 1]
    return ".".join([*parts, origin] if origin else parts)


def modules_named(origin, names):
    """Return the modules that `from origin import names` can mean."""
    if origin == "treewright":
        names = [name for name in names if name != "__version__"]  # which is there at any time
        return [f"treewright.{name}" if name in LEVEL else origin for name in names]
    if origin.removeprefix("treewright.") in GROUPS:
        return [f"{origin}.{name}" for name in names]
    return [origin]


@lru_cache(maxsize=1)
def nodes(text):
    """Return all nodes of a file of Python, which is looked at for imports and for strings."""
    return list(ast.walk(ast.parse(text)))


def python_imports(text, path):
    allowed = LATE.get(path.as_posix(), ())
    late = {
        node
        for function in (nodes(text) if allowed else ())
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.module in allowed
    }
    for node in nodes(text):
        if node in late:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            origin = resolve(node.module or "", node.level, path)
            for module in modules_named(origin, [alias.name for alias in node.names]):
                yield node.lineno, module


def cython_imports(text, path):
    for number, line in enumerate(text.splitlines(), 1):
        match = CYTHON_IMPORT.match(line)
        if not match:
            continue
        if match["modules"]:
            for module in match["modules"].split(","):
                yield number, module.split()[0]
        else:
            dots = len(match["origin"]) - len(match["origin"].lstrip("."))
            origin = resolve(match["origin"].lstrip("."), dots, path)
            names = re.findall(r"\w+", match["names"])
            for module in modules_named(origin, names or ["("]):
                yield number, module


# Modules named as text: "treewright.kinds.exact.x:train_exact", "evaluation.report", and what an f-string begins with.
NAMED = re.compile(r"(?P<module>[a-z_]\w*(?:\.[a-z_]\w*)+)\.?(?::\w+)?")
CYTHON_TEXT = re.compile(r"(?<!\w)[fbru]?(?P<quote>[\"'])(?P<text>[\w.:]+)(?:(?P=quote)|\{)")


def module_named_by(text):
    """Return the module of the package that a string names, if it names one."""
    match = NAMED.fullmatch(text)
    if match is None:
        return None
    first, *rest = match["module"].split(".")
    if first == "treewright":
        return match["module"] if rest[0] in LEVEL else None  # not so the names of groups of entry points
    stem = PACKAGE.joinpath(first, *rest)
    exists = any(stem.with_suffix(suffix).exists() for suffix in ("", ".py", ".pyx"))
    return f"treewright.{match['module']}" if first in LEVEL and exists else None


def python_texts(text):
    docstrings = {id(node.value) for node in nodes(text) if isinstance(node, ast.Expr)}
    for node in nodes(text):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def cython_texts(text):
    for number, line in enumerate(text.splitlines(), 1):
        for match in CYTHON_TEXT.finditer(line):
            yield number, match["text"]


def modules_as_text(text, path):
    """Yield the modules that a file names in strings, but for those of the registries above."""
    allowed = REGISTRIES.get(path.as_posix(), ())
    for line, found in cython_texts(text) if path.suffix in (".pyx", ".pxd") else python_texts(text):
        module = module_named_by(found)
        if module is not None and module not in allowed:
            yield line, module


def place_of(path):
    """Return the name that a file has in the order of packages; its path is relative to the package."""
    parts = path.with_suffix("").parts
    return package_of([part for part in parts if part != "__init__"] or ["treewright"])


def violations(text, path):
    """Return a message for every import that points up; ``path`` is relative to the package."""
    mine = place_of(path)
    if mine not in LEVEL:
        return [f"{path}: {mine} has no place in the order of packages: {RULE}"]
    find = cython_imports if path.suffix in (".pyx", ".pxd") else python_imports
    found = []
    for line, module in [*find(text, path), *modules_as_text(text, path)]:
        if module.split(".")[0] != "treewright":
            continue
        other = home(module)
        if other not in LEVEL:
            found.append(f"{path}:{line}: {other} has no place in the order of packages: {RULE}")
        elif other != mine and LEVEL[other] >= LEVEL[mine]:
            found.append(f"{path}:{line}: {mine} must not import {module}. Dependencies run one way: {RULE}")
    return found


@cache
def sources():
    """Return all files, relative to the package or to its stubs."""
    own = [p.relative_to(PACKAGE) for p in PACKAGE.rglob("*.p*") if p.suffix in (".py", ".pyx", ".pxd")]
    return sorted([*own, *(p.relative_to(STUBS) for p in STUBS.rglob("*.pyi"))])


def text_of(path):
    return ((STUBS if path.suffix == ".pyi" else PACKAGE) / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("place", sorted({place_of(path) for path in sources()}))
def test_dependencies_run_one_way(place):
    found = [each for path in sources() if place_of(path) == place for each in violations(text_of(path), path)]
    assert not found, "\n" + "\n".join(found)


def test_folders_stay_small_enough_to_be_read():
    files = Counter(p.parent for p in PACKAGE.rglob("*") if p.suffix in (".py", ".pyx", ".pxd", ".h"))
    crowded = {folder.relative_to(PACKAGE).as_posix(): n for folder, n in files.items() if n > MOST_FILES}
    assert not crowded, f"more than {MOST_FILES} files in a folder: find the ideas that are folders of their own"


def test_stubs_have_a_tree_of_their_own():
    assert not [*PACKAGE.rglob("*.pyi")]
    for stub in STUBS.rglob("*.pyi"):
        if stub.relative_to(STUBS) == KEYWORDS:
            continue
        assert (PACKAGE / stub.relative_to(STUBS)).with_suffix(".pyx").exists(), stub


def test_all_kinds_of_source_are_looked_at():
    assert {path.suffix for path in sources()} == {".py", ".pyi", ".pyx", ".pxd"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("treebank/x.py", "from treewright.systems import make_system"),
        ("treebank/x.py", "def f():\n    import treewright.apps.cli"),
        ("treebank/x.py", "from ..features import language"),
        ("treebank/x.py", "from treewright import training"),
        ("treebank/formats/x.py", "from ...systems.system import System"),
        ("learners/x.py", "from treewright.oracles import exhaustive"),
        ("systems/x.pyx", "from treewright.features.encoder cimport (\n    Encoder,\n)"),
        ("systems/x.pxd", "cimport treewright.kinds.transition.engines.greedy"),
        ("features/x.pyx", "cdef f():\n    from treewright.learners.table import LinearTable"),
        ("training/x.py", "import treewright as tw"),
        ("nowhere/x.py", "import os"),
        ("treebank/x.py", "import treewright.nowhere"),
        ("treebank/sentences/sentence.py", "from treewright.display.drawing import draw_tree"),
        ("treebank/sentences/sentence.py", "def f():\n    from treewright.display.svg import draw"),
        ("treebank/sentences/token.py", "def f():\n    from treewright.display.drawing import draw_tree"),
        ("training/x.py", 'TRAINERS = {"exact": "treewright.kinds.exact.trainer:train_exact"}'),
        ("training/x.py", "import_module('treewright.kinds.exact.trainer')"),
        ("training/x.py", 'import_module("." + "x", "treewright.kinds.exact")'),
        ("training/x.py", 'import_module(f"treewright.kinds.exact.{name}")'),
        ("training/x.py", 'HOME = {"Report": "analysis.report"}'),
        ("training/x.py", 'HOME = "kinds.exact.parser:ExactParser"'),
        ("kinds/graph/x.py", "from treewright.kinds.exact.parser import ExactParser"),
        ("kinds/graph/x.py", "from treewright.kinds import exact"),
        ("kinds/tokenizer/x.pyi", "from treewright.kinds.tagger.words import EncodedWords"),
        ("apps/corpus/x.py", "from treewright.apps.server.service import Service"),
        ("apps/tracing/x.py", "import treewright as tw"),
        ("steps/step.py", "from treewright.kinds.pipeline import KIND"),
        ("steps/x.py", 'FOLDER = "treewright.kinds"'),
        ("steps/parser.py", 'KINDS = {"exact": "treewright.kinds.exact.trainer:train_exact"}'),
        ("kinds/transition/parser.py", 'KINDS = {"exact": "treewright.kinds.exact.parser:ExactParser"}'),
        ("learners/x.pyx", "import_module('treewright.kinds.transition.engines.greedy')"),
        ("learners/x.pyx", 'import_module(f"treewright.steps.{name}")'),
        ("learners/x.pyx", 'HOME = "steps.parser:Parser"'),
    ],
)
def test_an_import_that_points_up_is_found(path, text):
    assert len(violations(text, Path(path))) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("systems/x.pyx", "from treewright.systems.system cimport System"),
        ("features/x.pxd", "from treewright.systems.configuration cimport Configuration"),
        ("treebank/formats/x.py", "from ..block import Block"),
        ("apps/cli/x.py", "import treewright as tw\nfrom treewright import errors"),
        ("__init__.py", "def f():\n    from treewright.training import train"),
        ("errors.py", "import json, os"),
        ("training/x.py", "def f():\n    from treewright import __version__"),
        ("treebank/sentences/sentence.py", "def f():\n    from treewright.display.drawing import draw_tree"),
        ("kinds/exact/x.py", 'TRAINERS = {"arc-eager": "treewright.training.trainer:train"}'),
        ("kinds/exact/x.py", "from treewright.kinds import transition"),
        ("kinds/exact/__init__.py", 'KIND = Kind(__name__, {"exact": "parser:ExactParser"})'),
        ("apps/studio/x.py", "from treewright.apps.server.service import Service"),
        ("steps/kinds.py", 'import_module(f"treewright.kinds.{folder}")'),
        ("treebank/x.py", 'GROUP = "treewright.formats"'),
        ("treebank/x.py", '"""treewright.kinds.exact.trainer"""'),
        ("treebank/x.py", 'raise ValueError("see treewright.kinds.exact.trainer")'),
        ("treebank/x.py", 'name = "features.words"'),
        ("learners/x.pyx", 'GROUP = "treewright.learners"'),
    ],
)
def test_an_import_that_points_down_is_let_pass(path, text):
    assert violations(text, Path(path)) == []


@pytest.mark.parametrize("path", REGISTRIES)
def test_every_registry_is_still_needed(path):
    named = {module_named_by(text) for _, text in python_texts(text_of(Path(path)))}
    assert REGISTRIES[path] <= named


# What importing costs

HEAVY = {
    *("numpy", "rich", "safetensors", "xml", "lzma", "bz2", "gzip", "zipfile", "sqlite3", "ssl"),
    *("http", "urllib", "email", "asyncio", "multiprocessing", "concurrent", "subprocess"),
    *("tempfile", "unittest", "pydoc", "ctypes", "logging"),
}
LOADED = "import sys; before = set(sys.modules); import {}; print(*sorted(set(sys.modules) - before))"


def modules_loaded_by(module):
    """Return the modules that a fresh interpreter has more after importing one."""
    code = LOADED.format(module)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("module", ["treewright", "treewright.apps.cli"])
def test_importing_is_cheap(module):
    loaded = modules_loaded_by(module)
    assert module in loaded
    heavy = {name.split(".")[0] for name in loaded} & HEAVY
    assert not heavy, f"import {module} also imports {', '.join(sorted(heavy))}"


@pytest.mark.parametrize("module", ["treewright", "treewright.apps.cli"])
def test_importing_loads_nothing_compiled_of_ours(module):
    stems = {p.with_suffix("") for p in sources() if p.suffix == ".pyx"}
    compiled = {".".join(("treewright", *stem.parts)) for stem in stems}
    assert compiled
    assert not compiled & set(modules_loaded_by(module))


def test_loading_a_model_loads_nothing_that_only_training_needs():
    """Python code that trains, recipes, and what checks treebanks took a fifth of the time to load a model."""
    code = "import sys, treewright; treewright.load('english'); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    # `kinds.exact.search` knows the type of a corpus; options of parsing are declared like those of training.
    known = {
        "treewright.training",
        "treewright.kinds.transition.learning.corpus",
        "treewright.recipes",
        "treewright.options.option",
    }
    known |= {"treewright.options.topics", "treewright.kinds.transition.system_options"}
    unwanted = {
        "treewright.training",
        "treewright.recipes",
        "treewright.notebook",
        "treewright.treebank.checks.validation",
    }
    found = {name for name in loaded if any(name == each or name.startswith(f"{each}.") for each in unwanted)}
    assert found <= known, f"loading a model also imports {', '.join(sorted(found - known))}"


def test_heavy_imports_would_be_noticed():
    assert "xml" in {name.split(".")[0] for name in modules_loaded_by("xml.dom.minidom")} & HEAVY


def test_contributors_read_the_same_order_and_a_map_of_all_packages() -> None:
    page = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    order = page.partition("never from those after it or beside it:")[2].partition("`tests/test_imports.py`")[0]
    told = [part.split(", ") for part in " ".join(order.split()).replace("/__init__.py", "").split(" ← ")]
    assert told == LAYERS[:-1]
    named = {name.replace("/", ".") for name in re.findall(r"^  ([\w/]+?)(?:/|\.py) ", page, re.MULTILINE)}
    assert set(LEVEL) - {"treewright", "__main__"} <= named
