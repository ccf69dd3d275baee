"""Everything that README and docs tell a reader to type is typed here, page by page.

- A block ``python`` is run, all of a page in one namespace; with ``>>>`` in it, its output must be
  what is shown (doctest; ``...`` stands for anything).
- In a block ``console``, lines ``$ treewright …`` (also ``cat``, ``head``, ``printf``) are run by a
  shell and must succeed; if output is shown, it must be theirs (``...`` stands for anything).
  ``<!-- exits with 2 -->`` on the line before a block: its last command ends with that code.
  A command that needs no shell runs in a copy of a process that has imported the package already; so does each page.
- A page runs in an empty folder that holds the toy treebank as ``toy/`` and the other examples beside it.
- ``<!-- needs PyTorch -->`` anywhere on a page: it is skipped where PyTorch is not installed.
- A block ``python`` that begins with ``# folder/file.py`` is a file of a package: tests of that page use it.
- ``<!-- not run: reason -->`` on the line before a block excludes it.
"""

import doctest
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import treewright
from tests.apps.cli.command_server import CommandServer, import_what_commands_need, next_command, run_command

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = ("treewright", "cat", "head", "printf")
PACKAGE_PATH = str(Path(treewright.__file__).parents[1])  # of the package under test
MAIN = "import sys; from treewright.apps.cli import main; sys.exit(main())"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w-]*).*$")
EXITS = re.compile(r"^\s*<!-- exits with (\d+) -->\s*$")
NEEDS_TORCH = "<!-- needs PyTorch -->"
FILE = re.compile(r"# (\S+/\S+\.py)\n")
EXCLUDED = re.compile(r"^\s*<!-- not run: .*\S.* -->\s*$")


@dataclass
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    line: int  # of its first line, from 1
    excluded: bool
    exit_code: int = 0  # of its last command

    @property
    def file(self):
        """The file of a package that the block is; none in most blocks."""
        match = FILE.match(self.text) if self.language == "python" else None
        return match[1] if match else None

    @property
    def is_run(self):
        return self.language in ("python", "console") and not self.excluded and not self.file


@dataclass
class Command:
    """A command of a console block, and the output that is shown for it."""

    text: str
    output: str

    @property
    def is_run(self):
        return self.text.split()[0] in RUNNABLE

    @property
    def needs_no_shell(self):
        return self.text.startswith("treewright ") and not set(self.text) & set("|&;<>()$`\\*?[#~%!{")


def blocks_of(page):
    """Return the fenced blocks of a page of Markdown."""
    blocks, body, opening, before = [], [], None, ""
    for number, line in enumerate(page.splitlines(), 1):
        match = FENCE.match(line)
        if opening is None and match:
            opening, body = (match, number), []
            excluded = bool(EXCLUDED.match(before))
            exits = EXITS.match(before)
        elif opening is not None and line.strip() == "```":
            indent = len(opening[0]["indent"])
            text = "".join(row[indent:] + "\n" for row in body)
            code = int(exits[1]) if exits else 0
            blocks.append(Block(opening[0]["language"], text, opening[1] + 1, excluded, code))
            opening = None
        elif opening is not None:
            body.append(line)
        before = line if line.strip() else before
    assert opening is None, f"the block of line {opening[1]} has no end"
    return blocks


def commands_of(text):
    """Return the commands of a console block; a backslash at the end of a line continues it."""
    commands = []
    for line in text.replace("\\\n", "").splitlines():
        if line.startswith("$ "):
            commands.append(Command(line[2:].split("  #")[0], ""))
        elif commands:
            commands[-1].output += line + "\n"
    return commands


def check_output(wanted, got, what):
    if wanted.strip() and not doctest.OutputChecker().check_output(wanted, got, FLAGS):
        pytest.fail(f"{what}\nprints\n{got}\nwhere the page shows\n{wanted}", pytrace=False)


class Page:
    """A page at work in its folder."""

    def __init__(self, folder, name, server=None):
        self.folder, self.name, self.server = folder, name, server
        self.names = {"__name__": "__page__"}
        tools = folder / ".bin"
        tools.mkdir()
        tool = tools / "treewright"
        tool.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{MAIN}' \"$@\"\n")
        tool.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": PACKAGE_PATH,
            "PYTHONUNBUFFERED": "1",  # results and messages in the order a terminal shows them
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, block):
        if block.language == "python":
            self.run_python(block)
        else:
            commands = [command for command in commands_of(block.text) if command.is_run]
            for place, command in enumerate(commands, 1):
                expected = block.exit_code if place == len(commands) else 0
                self.run_command(command, block, expected)

    def run_python(self, block):
        place = f"{self.name}:{block.line}"
        if ">>> " not in block.text:
            # Padded, so that a traceback names the line of the page.
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, self.name, "exec"), self.names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, {}, place, self.name, block.line)
        test.globs = self.names  # not a copy: later blocks go on with the same names
        report = []
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        runner.run(test, out=report.append, clear_globs=False)
        if runner.failures:
            pytest.fail("".join(report), pytrace=False)

    def run_command(self, command, block, expected):
        if self.server is not None and command.needs_no_shell:
            run = self.server.run(shlex.split(command.text)[1:], self.environment, b"", together=True)
        else:
            run = subprocess.run(
                ["sh", "-c", command.text],
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=300,
                check=False,
            )
        printed = run.stdout.decode()
        what = f"{self.name}:{block.line}: $ {command.text}"
        assert run.returncode == expected, f"{what}\nends with {run.returncode}\n{printed}"
        check_output(command.output, printed, what)


def run_page(path, server=None):
    """Run a page in the present folder; what is wrong with it is raised."""
    page = Page(Path.cwd(), os.path.relpath(path, ROOT), server)
    for block in blocks_of(path.read_text(encoding="utf-8")):
        if block.is_run:
            page.run(block)


@cache
def page_server():
    """Return the process whose copies run pages: starting Python for each page takes longer than most pages."""
    return CommandServer("tests.test_docs")


def run_in_a_process(path, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGE_PATH, str(ROOT)]), "PYTHONIOENCODING": "utf-8"}
    if os.name == "nt":
        command = [sys.executable, __file__, str(path)]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=600, check=False)
    return page_server().run([str(path)], environment, b"", folder=folder)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page_does_what_it_says(path, tmp_path):
    """In a process of its own: what a page registers or changes must not outlive it."""
    blocks = blocks_of(path.read_text(encoding="utf-8"))
    if not any(block.is_run for block in blocks):
        return
    if NEEDS_TORCH in path.read_text(encoding="utf-8") and find_spec("torch") is None:
        pytest.skip("not installed: torch")
    if os.name == "nt" and "```console" in path.read_text(encoding="utf-8"):
        pytest.skip("the commands are written for a POSIX shell")
    shutil.copytree(ROOT / "examples" / "toy", tmp_path / "toy")
    for example in (ROOT / "examples").iterdir():
        if example.suffix in (".conllu", ".grs", ".req"):
            shutil.copy(example, tmp_path)
    run = run_in_a_process(path, tmp_path)
    if run.returncode:
        pytest.fail((run.stdout + run.stderr).decode(), pytrace=False)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


# The runner itself

SAMPLE = """\
```python
x = 1
```

<!-- not run: needs the network -->
```python
raise AssertionError
```

```console
$ treewright eval a \\
    b
LAS ...
$ make demo
```
"""


def test_blocks_are_found_with_their_lines():
    blocks = blocks_of(SAMPLE)
    assert [(b.language, b.line, b.excluded) for b in blocks] == [
        ("python", 2, False),
        ("python", 7, True),
        ("console", 11, False),
    ]


def test_commands_are_taken_apart():
    commands = commands_of(blocks_of(SAMPLE)[2].text)
    assert [" ".join(c.text.split()) for c in commands] == ["treewright eval a b", "make demo"]
    assert commands[0].output == "LAS ...\n"
    assert [c.is_run for c in commands] == [True, False]


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("command", ["treewright validate nothing.conllu", "treewright --version\nno version"])
def test_a_wrong_command_without_a_shell_fails(command, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"```console\n$ {command}\n```\n", encoding="utf-8")
    assert commands_of(blocks_of(page.read_text(encoding="utf-8"))[0].text)[0].needs_no_shell
    run = run_in_a_process(page, tmp_path)
    assert run.returncode == 1
    message = run.stderr.decode()
    assert "ends with 2" in message or "where the page shows" in message


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    "text",
    [
        "```python\nassert False\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```console\n$ cat nothing\n```\n",
        "```console\n$ printf hello\ngood-bye\n```\n",
    ],
    ids=["assertion", "python output", "exit", "output"],
)
def test_a_wrong_block_fails(text, tmp_path):
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        Page(tmp_path, "page").run(blocks_of(text)[0])


def main(word):
    """Run a page, or serve: in each copy run one page.

    Commands of a page run in copies of its process as it is before any block of the page.
    """
    if os.name == "nt":
        return run_page(Path(word))
    import_what_commands_need()
    if word.isdigit():
        pages = next_command(socket.socket(fileno=int(word)))
        if pages is None:
            return 0
        (word,) = pages
    path = Path(word)
    if NEEDS_TORCH in path.read_text(encoding="utf-8"):
        import torch  # noqa: F401 - once, not in every command that trains
    server = CommandServer()
    words = server.serve_from_here()
    if words is not None:
        return run_command(words)
    try:
        return run_page(path, server)
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
