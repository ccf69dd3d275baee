"""What damaged input is fed to, and the valid files that it is made from.

treewright is imported inside of the functions: atheris must be able to import it first, to instrument it.
"""

from __future__ import annotations

import contextlib
import json
import warnings
import zlib
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from fuzzing.commands import Inputs, write_inputs
from fuzzing.model_mutations import mutate_model
from fuzzing.mutations import BETWEEN, mutate_features, mutate_pair, mutate_treebank

if TYPE_CHECKING:
    from treewright.treebank.blocks.block import Block

    from treewright.steps.parser import Parser

FORMATS = (None, "conllu", "conllu-plus", "conllx", "conll09", "malt-tab", "malt-xml")
BLOCK_SIZES = (1, 2, 3, 7, 30, *(100,) * 3, *(1000,) * 4, *(1 << 20,) * 8)


class Wrong(Exception):
    """A result that contradicts another one."""


class Reader:
    """Reading in every format and block size, sentences, validation, fixing, conversion to every format.

    The first three bytes of an input choose the format, the block size, the format to convert to, and details.
    """

    mutate = staticmethod(mutate_treebank)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, data: bytes) -> None:
        """Run one input: every part of it, also after a clean error in another."""
        from treewright.errors import TreewrightError

        options, text = data[:3].ljust(3, b"\0"), data[3:]
        format = FORMATS[options[0] % len(FORMATS)]
        size = max(BLOCK_SIZES[options[1] % len(BLOCK_SIZES)], len(text) // 300)  # small blocks of long texts take long
        target = FORMATS[1 + options[2] % (len(FORMATS) - 1)] or ""
        error = None
        for part in (
            lambda: self.read(text, format, size),
            lambda: self.validate(text, format, size, bool(options[2] & 64)),
            lambda: self.look(text, format, size),
            lambda: self.encode(text, format, size, target, to_file=options[2] & 0xF8 == 0xF8),
        ):
            try:
                part()
            except TreewrightError as caught:
                error = caught
        if error is not None:
            raise error

    def read(self, text: bytes, format: str | None, size: int) -> None:
        """Read with two block sizes: the sentences must be the same, and the blocks the whole text."""
        from treewright.treebank.files.reading import read_blocks

        parts = list(read_blocks(text, format, size))
        whole = list(read_blocks(text, format))
        if format in ("malt-xml", "conll09", None):
            return
        if b"".join(part.data for part in parts) != b"".join(part.data for part in whole):
            raise Wrong("the block size changes the text")
        if _words(parts) != _words(whole):
            raise Wrong("the block size changes the words")

    def validate(self, text: bytes, format: str | None, size: int, single_root: bool) -> None:
        """Check blocks, and fix them in every way: nothing may be wrong with them afterwards."""
        from treewright.errors import TreewrightError
        from treewright.treebank.checks.fixing import apply_policy
        from treewright.treebank.checks.validation import Report, check_block
        from treewright.treebank.files.reading import read_blocks

        report = Report()
        for block in read_blocks(text, format, size):
            problems = check_block(block, single_root=single_root)
            "".join(map(str, report.add(block, problems)))
            for policy in ("fail", "skip", "fix"):
                try:
                    fixed = apply_policy(block, problems, policy).block
                except TreewrightError:
                    continue
                left = [p for p in check_block(fixed, single_root=single_root) if p.severity == "error"]
                if left and fixed.n_words:
                    raise Wrong(f"after {policy}: {left[0]}")
        json.dumps(report.as_dict()), report.summary()

    def look(self, text: bytes, format: str | None, size: int) -> None:
        """Ask every sentence that can be read for everything, and change it."""
        from treewright.treebank.files.treebank import Treebank

        for sentence in Treebank(text, format, "skip", size):
            repr(sentence), sentence.root, sentence.text, dict(sentence.metadata), sentence.to_conllu(), sentence.heads
            layout = sentence.layout
            for token in sentence.tokens:
                repr(token), token.span, token.is_empty, token.lemma
                if min(layout.feats, layout.misc, layout.deps) >= 0:
                    dict(token.feats), dict(token.misc), list(token.deps)
            if min(layout.head, layout.deprel) >= 0 and len(sentence):
                sentence[-1].head, sentence[0].deprel = 1, "x"
                sentence.to_bytes()

    def encode(self, text: bytes, format: str | None, size: int, target: str, to_file: bool) -> None:
        """Convert: mostly in memory, which is faster than files."""
        from treewright.treebank.files.reading import read_blocks
        from treewright.treebank.files.writing import convert
        from treewright.treebank.formats.registry import format_named

        if to_file:
            convert(text, self.folder / "converted", target, format)
            return
        writer = format_named(target).writer()
        try:
            for block in read_blocks(text, format, size):
                writer.write(block)
            b"".join(writer.finish())
        finally:
            writer.close()


def _words(blocks: list[Block]) -> list[int]:
    return [len(block.words_of(sentence)) for block in blocks for sentence in range(block.n_sentences)]


class Whole:
    """Parsing a damaged treebank from any format to any format, and now and then training on it."""

    mutate = staticmethod(mutate_treebank)

    def __init__(self, folder: Path) -> None:
        from treewright.steps.parser import Parser

        self.parser = Parser.load(folder / "small.tw")
        self.out = folder / "parsed"

    def __call__(self, data: bytes) -> None:
        """Run one input."""
        import treewright as tw

        options, text = data[:3].ljust(3, b"\0"), data[3:]
        if options[1] % 8:
            formats = FORMATS[options[0] % len(FORMATS)], FORMATS[options[2] % len(FORMATS)]
            self.parser.parse_file(text, self.out, format=formats[0], to=formats[1], threads=1 + options[2] // 128)
            return
        system = ("arc-eager", "arc-hybrid", "arc-standard")[options[2] % 3]
        policy = ("fail", "skip", "fix")[options[2] // 3 % 3]
        parser = tw.train(text, None, on_error=policy, iterations=1, features="lean", system=system)
        parser.parse_words(["a", "b"])


class Features:
    """The feature language, and a parse with what it made of the text."""

    mutate = staticmethod(mutate_features)

    def __init__(self, folder: Path) -> None:
        from treewright.steps.parser import Parser
        from treewright.treebank.files.reading import read_blocks

        self.parser = Parser.load(folder / "small.tw")
        self.block = next(iter(read_blocks(folder / "small.conllu")))

    def __call__(self, data: bytes) -> None:
        """Run one input."""
        from treewright.features.language import parse_model
        from treewright.kinds.transition.parser import TransitionParser

        text = data.decode("utf-8", "surrogateescape")
        model = parse_model(text)
        if parse_model(str(model)).columns != model.columns or str(parse_model(str(model))) != str(model):
            raise Wrong("a feature model changes when it is written and read")
        settings = {**self.parser.settings, "features": text, "split": model.decision == "split"}
        TransitionParser(settings, self.parser.weights, self.parser.info).parse_block(self.block)


class Model:
    """The loader of models of every kind; if a model loads, all that it can do."""

    mutate = staticmethod(mutate_model)

    def __init__(self, folder: Path) -> None:
        from tests.every_kind import RAW, treebank

        from treewright.treebank.files.reading import read_blocks

        sentences = treebank().split(b"\n\n")
        some = b"\n\n".join(sentences[:3]) + b"\n\n"
        plain = b"".join(b"%d\tw%d\t_\t_\t_\t_\t_\t_\t_\t_\n" % (number, number % 7) for number in range(1, 17)) + b"\n"
        self.blocks = [next(iter(read_blocks(text))) for text in (some, some, some, HARD.encode(), plain)]
        self.text = RAW

    def __call__(self, data: bytes) -> None:
        """Run one input: load it from memory, ask it for everything, parse."""
        from treewright.apps.cli.commands.info_command import config_of, lines_of
        from treewright.errors import TreewrightError
        from treewright.steps.border.container import unpack
        from treewright.steps.loading import step_of

        block = self.blocks[zlib.crc32(data) % len(self.blocks)]
        header, arrays = unpack(memoryview(data))
        # Each array in memory of its own: reading behind it is then seen by AddressSanitizer.
        apart = {name: memoryview(array("B", bytes(values))).toreadonly() for name, values in arrays.items()}
        parser = step_of(header, apart)
        repr(parser).encode(), "\n".join(lines_of({**parser._details(), **parser.info})).encode()
        parser.to_file()
        for ask in (
            lambda: config_of(parser),
            lambda: self.trees(parser, block),
            lambda: parser.parse_block(block, confidence=True).data,
            lambda: parser.parse_block(block, tag=True).data,
            lambda: parser.parse_block(block, beam=3).data,
            lambda: parser.k_best("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t_\t_\t_\t_\n\n", 3),
            lambda: list(parser.parse_text(self.text)),
        ):
            with contextlib.suppress(TreewrightError):
                ask()

    def trees(self, parser: Parser, given: Block) -> None:
        """Parse, and check that heads and relations are in range."""
        parser.parse_block(given)
        block, heads, labels = parser.trees(given)[:3]
        for sentence in range(block.n_sentences):
            words = block.words_of(sentence)
            for word in words:
                if not (0 <= heads[word] <= len(words) and 0 <= labels[word] < len(parser.relations)):
                    raise Wrong(f"head {heads[word]}, relation {labels[word]} of {len(parser.relations)}")


class Scores:
    """All scores and breakdowns of a pair of files."""

    mutate = staticmethod(mutate_pair)

    def __init__(self, folder: Path) -> None:
        pass

    def __call__(self, data: bytes) -> None:
        """Run one input."""
        from treewright.evaluation import BREAKDOWNS, breakdown, breakdown_lines, evaluate

        options = data[0] if data else 0
        gold, _, system = data[1:].partition(BETWEEN)
        scores = evaluate(gold, system, multiple_roots=bool(options & 1))
        str(scores), json.dumps(scores.to_dict())
        by = BREAKDOWNS[(options >> 1) % len(BREAKDOWNS)]
        for _ in breakdown_lines(by, breakdown(gold, system, by)):
            pass


Target = Reader | Features | Model | Scores | Whole | Inputs
TARGETS: dict[str, type[Target]] = {
    "reader": Reader,
    "features": Features,
    "model": Model,
    "scores": Scores,
    "whole": Whole,
    "inputs": Inputs,
}

TINY = """\
p(stack[0])
p(input[0])
w(stack[0]) & p(input[0])
l(ld(stack[0]))
[labels]
each(feats(input[0]))
"""
HARD = """\
# newdoc
# sent_id = hard
# text = (a b)'ll do.
0.1\t_\tnil\tX\t_\t_\t_\t_\t2:dep\tA=B=C
1-2\ta b'll\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\ta b\tab\tNOUN\tNN\tCase=Nom|Number=Sing\t3\tnsubj\t3:nsubj|2.1:x\t_
2\t'll\twill\tAUX\tMD\t_\t3\taux\t3:aux\t_
2.1\tgo\t_\tVERB\t_\t_\t_\t_\t0:root\t_
3\tdo\tdo\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t1\tpunct:x\t1:punct\t_

"""


def write_seeds(folder: Path, examples: Path) -> None:
    """Write the valid inputs that all others are made from, and a small model."""
    import bz2
    import gzip
    import lzma

    from tests.every_kind import save_all

    import treewright as tw
    from treewright.features.bundled import bundled_models, load_feature_model

    warnings.simplefilter("ignore")
    text = (examples / "dev.conllu").read_bytes().split(b"\n\n")
    small = b"\n\n".join(text[:3]) + b"\n\n" + HARD.encode()
    (folder / "small.conllu").write_bytes(small)
    seeds: dict[str, list[bytes]] = {name: [] for name in TARGETS}
    for number, format in enumerate(FORMATS[1:], 1):
        for name, source in (("one", text[0] + b"\n\n"), ("hard", HARD.encode()), ("all", small)):
            tw.convert(source, folder / "seed", format)
            body = (folder / "seed").read_bytes()
            seeds["reader"] += [bytes([0, 0, number]) + body, bytes([number, 0, number]) + body]
            if name == "one":
                seeds["reader"].append(bytes(3) + body.replace(b"\n", b"\r\n"))
    seeds["whole"] = list(seeds["reader"])
    seeds["reader"] += [bytes(3) + compress(text[0]) for compress in (gzip.compress, bz2.compress, lzma.compress)]
    feature_texts = [str(load_feature_model(name)) for name in bundled_models()]
    feature_texts += ["\n".join(model.split("\n")[k : k + 4]) for model in feature_texts for k in range(0, 40, 8)]
    seeds["features"] = [model.encode() for model in feature_texts if model.strip()]
    tiny = folder / "tiny.features"
    tiny.write_text(TINY)
    parser = tw.train(small * 8, small, features=str(tiny), iterations=2, cutoff=1)
    parser.save(folder / "small.tw")
    (folder / "models").mkdir()
    seeds["model"] = [path.read_bytes() for path in save_all(folder / "models").values()]
    seeds["inputs"] = write_inputs(folder)
    parsed = b"".join(block.data for block in parser.parse_blocks(tw.Treebank(small).blocks()))
    pairs = ((small, parsed), (small, small), (HARD.encode(), HARD.encode()))
    seeds["scores"] = [b"\0" + one + BETWEEN + other for one, other in pairs]
    for name, files in seeds.items():
        (folder / name).mkdir()
        for number, data in enumerate(files):
            (folder / name / f"{number:03}").write_bytes(data)
