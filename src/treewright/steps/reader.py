"""What a step reads: treebanks, and texts that it splits; and how these are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from treewright.errors import CombinationError
from treewright.steps.call import TEXT, Call
from treewright.treebank.files.reading import BLOCK_BYTES, read_blocks
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames
from treewright.treebank.files.source import InputStream, Source, holds_bytes, open_input
from treewright.treebank.files.text_format import RAW, TEXT_FORMATS, is_text
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample, format_named, guess

if TYPE_CHECKING:
    from treewright.steps.step import Step
    from treewright.treebank.blocks.block import Block


def blocks_of(
    step: Step, source: Source, format: str | None, call: Call, names: SentenceNames = PLAIN_NAMES
) -> Iterator[Block]:
    """Yield the words of an input, a treebank or a text."""
    return Reader(step, call, format, names).blocks([(source, names.file)])


class Reader:
    """Reads inputs one after the other, checks what it reads, and counts; ``empty`` are those without a sentence."""

    def __init__(
        self,
        step: Step,
        call: Call,
        format: str | None,
        names: SentenceNames = PLAIN_NAMES,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.step, self.call, self.format, self.names, self.progress = step, call, format, names, progress
        self.sentences = self.words = 0
        self.empty: list[Source] = []

    def blocks(self, inputs: Iterable[tuple[Source, str]]) -> Iterator[Block]:
        """Yield the words of inputs, each with the name of its file; the numbers of sentences go on.

        Each is opened once, and closed in any case.
        """
        for source, file in inputs:
            before = self.sentences
            stream = open_input(source) if holds_bytes(source) else None
            try:
                words: Iterable[Block]
                if stream is None:
                    words = read_blocks(source, self.format)
                elif self.format in TEXT_FORMATS:
                    words = self._split(stream, file)
                else:
                    sample = Sample(stream.peek(SAMPLE_BYTES), stream.source)
                    if self.format is None and self._is_text(sample):
                        words = self._split(stream, file)
                    else:
                        self._check_treebank(stream)
                        format = guess(sample) if self.format is None else format_named(self.format)
                        words = format.read(stream, sample, BLOCK_BYTES) if sample.raw else ()
                for block in words:
                    if block.problems:
                        from treewright.treebank.checks.problems import check

                        check(block)
                    self.sentences += block.n_sentences
                    self.words += block.n_words
                    yield block
                    if self.progress is not None:
                        self.progress(len(block.data))
            finally:
                if stream is not None:
                    stream.close()
            if self.sentences == before:
                self.empty.append(source)

    def _split(self, stream: InputStream, file: str) -> Iterator[Block]:
        from treewright.steps.text import GivenText, split

        layout = "raw" if self.format in (None, RAW) else str(self.format)
        names = replace(self.names, before=self.names.before + self.sentences, file=file)
        return split(self.step, GivenText(stream, layout, names), self.call)

    def _is_text(self, sample: Sample) -> bool:
        """Say whether a stream is to be split; an empty one is an empty treebank for a model that cannot."""
        if not is_text(sample, in_doubt=TEXT not in self.step.lacks):
            return False
        if TEXT not in self.step.lacks:
            return True
        if sample.raw:
            raise CombinationError(f"{sample.name}: {self.step.lacks[TEXT]}")
        return False

    def _check_treebank(self, stream: InputStream) -> None:
        """Reject what is asked of text where the input is a treebank: nothing is silently ignored."""
        idle = ["ranges"] * self.call.ranges + ["newlines"] * (self.call.newlines != "auto")
        if idle:
            raise CombinationError(f"{stream.source}: {idle[0]} is for raw text, and this is a treebank: leave it out")
        if self.names.prefix:
            raise CombinationError("--id-prefix names the sentences of raw text: a treebank keeps its own sent_ids")
