"""What a short run costs: start-up time and memory of the command line against bare Python in the same run.

    python benchmarks/startup.py MODEL [--input FILE] [--repeats 15]

Prints the wall time of `treewright --help` and of `treewright parse MODEL` of one sentence beside that of
`python -c pass`, medians of runs that alternate, and the memory of `treewright parse MODEL FILE` (its peak, and what
is resident at the end) over that of bare Python. FILE is for the memory only; without it, the one sentence is parsed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SENTENCE = """\
1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t_\t_\t_\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t_\t_\t_\t_
3\tbarks\tbark\tVERB\tVBZ\tMood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin\t_\t_\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t_\t_\t_\t_

"""
# What the installed script `treewright` does.
COMMAND = "import sys; from treewright.apps.cli import main; sys.exit(main())"
# /proc rather than getrusage: its peak begins with that of the process that started this one.
MEMORY = """
import sys
if sys.argv[1:]:
    from treewright.apps.cli import main
    main()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(status["VmHWM"].split()[0], status["VmRSS"].split()[0], file=sys.stderr)
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--input", type=Path, help="file to parse for the memory")
    arguments.add_argument("--repeats", type=int, default=15)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        sentence, out = Path(temporary) / "sentence.conllu", str(Path(temporary) / "out.conllu")
        sentence.write_text(SENTENCE, encoding="utf-8")
        show_times(options, ["parse", str(options.model), str(sentence), "-o", out])
        print()
        show_memory(["parse", str(options.model), str(options.input or sentence), "-o", out])


def show_times(options: argparse.Namespace, parse: list[str]) -> None:
    commands = {
        "python -c pass": ["-c", "pass"],
        "treewright --help": ["-c", COMMAND, "--help"],
        "treewright parse MODEL, one sentence": ["-c", COMMAND, *parse],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        run(command)  # once unmeasured: files come into the cache
    for _ in range(options.repeats):
        for name, command in commands.items():
            start = time.perf_counter()
            run(command)
            seconds[name].append(time.perf_counter() - start)
    bare = statistics.median(seconds["python -c pass"])
    print("| command | median, s | least, s | most, s | over bare Python, s |\n|---|---|---|---|---|")
    for name, times in seconds.items():
        middle = statistics.median(times)
        print(f"| `{name}` | {middle:.3f} | {min(times):.3f} | {max(times):.3f} | {middle - bare:+.3f} |")


def show_memory(parse: list[str]) -> None:
    bare, parsing = memory([]), memory(parse)
    print("| process | peak, MB | at the end, MB |\n|---|---|---|")
    print(f"| bare Python | {bare[0]:.1f} | {bare[1]:.1f} |")
    print(f"| `treewright parse` | {parsing[0]:.1f} | {parsing[1]:.1f} |")
    print(f"| over bare Python | {parsing[0] - bare[0]:.1f} | {parsing[1] - bare[1]:.1f} |")


def memory(words: list[str]) -> tuple[float, float]:
    """Return the peak and the last resident memory of a process, in MB."""
    peak, resident = run(["-c", MEMORY, *words]).split()[-2:]
    return int(peak) / 1024, int(resident) / 1024


def run(words: list[str]) -> str:
    """Run Python and return what it said on standard error."""
    done = subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words[:4])} failed:\n{done.stderr}")
    return done.stderr


if __name__ == "__main__":
    main()
