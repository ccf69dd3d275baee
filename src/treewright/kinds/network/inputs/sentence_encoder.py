"""A pretrained encoder from a local folder, as Hugging Face's transformers read it: vectors for the words of sentences.

Nothing is downloaded. A word's vector is the mean over its pieces, for each of the top layers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError, ModelFileError, TreewrightError

if TYPE_CHECKING:
    from torch import Tensor

PLACE = "TREEWRIGHT_ENCODER"  # the variable that says where the encoder of a model is now
AT_ONCE = 32  # sentences
MOST_PIECES = 512  # of a sentence, unless the encoder says less; longer ones are read in parts
MOST_REMEMBERED = 400_000  # words whose vectors are kept while a training lasts
WEIGHT_FILES = ("*.safetensors", "*.bin")


class SentenceEncoder:
    """An encoder and its tokenizer. ``remembers``: keep the vectors of sentences, as a training needs them again."""

    def __init__(self, folder: str) -> None:
        transformers = _transformers()
        try:
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, add_prefix_space=True
            )
            self.model: Any = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
        except (OSError, ValueError, KeyError) as error:
            raise TreewrightError(f"{folder}: no encoder can be read there: {str(error).splitlines()[0]}") from None
        if not self.tokenizer.is_fast:
            raise TreewrightError(f"{folder}: its tokenizer does not say which piece belongs to which word")
        self.dimensions = int(self.model.config.hidden_size)
        self.n_layers = int(self.model.config.num_hidden_layers) + 1
        self.most = min(MOST_PIECES, int(getattr(self.model.config, "max_position_embeddings", MOST_PIECES))) - 4
        self.remembers = False
        self._known: dict[tuple[str, ...], Tensor] = {}
        self._words = 0

    def vectors(self, sentences: Sequence[Sequence[str]], layers: int) -> list[Tensor]:
        """Return what the top layers make of each sentence, without gradients: [words, layers, dimensions]."""
        import torch

        states: list[Tensor | None] = [self._known.get(tuple(words)) for words in sentences]
        missing = sorted((n for n, known in enumerate(states) if known is None), key=lambda n: len(sentences[n]))
        for first in range(0, len(missing), AT_ONCE):
            numbers = missing[first : first + AT_ONCE]
            with torch.no_grad():
                for number, made in zip(numbers, self.read([sentences[n] for n in numbers], layers), strict=True):
                    states[number] = made
                    self._remember(sentences[number], made)
        return [made for made in states if made is not None]

    def _remember(self, words: Sequence[str], made: Tensor) -> None:
        if self.remembers and self._words + len(words) <= MOST_REMEMBERED:
            self._known[tuple(words)] = made.half()
            self._words += len(words)

    def read(self, sentences: Sequence[Sequence[str]], layers: int) -> list[Tensor]:
        """Return what the top layers make of each sentence, with gradients where the encoder learns."""
        import torch

        parts = [part for words in sentences for part in self._parts(words)]
        if not parts:
            return [torch.zeros(0, layers, self.dimensions) for _ in sentences]
        given = self.tokenizer(parts, is_split_into_words=True, padding=True, return_tensors="pt")
        states = self.model(**given, output_hidden_states=True).hidden_states[-layers:]
        stacked = torch.stack(states, 2)
        means: Iterator[Tensor] = (
            _means(stacked[place], given.word_ids(place), len(part)) for place, part in enumerate(parts)
        )
        return [torch.cat([next(means) for _ in self._parts(words)] or [stacked[0, :0]]) for words in sentences]

    def _parts(self, words: Sequence[str]) -> list[list[str]]:
        """Return a sentence in parts that are short enough for the encoder."""
        if not words:
            return []
        plain = [word[: self.most] or "?" for word in words]
        pieces = self.tokenizer(plain, is_split_into_words=True, add_special_tokens=False)["input_ids"]
        if len(pieces) <= self.most or len(plain) == 1:
            return [plain] if len(pieces) <= self.most else [[plain[0][:8]]]
        middle = len(plain) // 2
        return self._parts(plain[:middle]) + self._parts(plain[middle:])


def _means(states: Tensor, word_ids: Sequence[int | None], n: int) -> Tensor:
    """Return the mean over the pieces of each word; a word without any gets zeros."""
    import torch

    pieces = [place for place, word in enumerate(word_ids) if word is not None]
    words = torch.tensor([word for word in word_ids if word is not None], dtype=torch.long)
    sums = states.new_zeros(n, *states.shape[1:]).index_add(0, words, states[pieces])
    counts = torch.bincount(words, minlength=n).clamp(min=1)
    return sums / counts[:, None, None]


def fingerprint(folder: str) -> str:
    """Return what tells an encoder from others: a hash of its configuration, and the sizes of its weights."""
    hashed = hashlib.sha256()
    place = Path(folder)
    try:
        hashed.update((place / "config.json").read_bytes())
        for pattern in WEIGHT_FILES:
            for file in sorted(place.glob(pattern)):
                hashed.update(f"{file.name} {file.stat().st_size}".encode())
    except OSError as error:
        raise TreewrightError(f"{folder}: no encoder there: {error.strerror or error}") from None
    return hashed.hexdigest()[:16]


@lru_cache(maxsize=2)
def encoder_in(folder: str) -> SentenceEncoder:
    """Return the encoder of a folder, read once."""
    return SentenceEncoder(folder)


def place_of(folder: str, expected: str) -> str:
    """Return where the encoder of a model is: where it was in training, or where TREEWRIGHT_ENCODER says."""
    place = os.environ.get(PLACE) or folder
    if not Path(place).is_dir():
        raise ModelFileError(
            f"it reads words with the encoder in {place}, which is not there: put it there, or set {PLACE} to its"
            " folder"
        )
    if fingerprint(place) != expected:
        raise ModelFileError(f"the encoder in {place} is not the one that the model was trained with")
    return place


def _transformers() -> Any:
    import importlib

    try:
        importlib.import_module("torch")
        module = importlib.import_module("transformers")
    except ImportError:
        raise MissingExtraError("a pretrained encoder", "transformers", "transformers") from None
    module.utils.logging.disable_progress_bar()  # the bars that people see are ours, and --quiet means quiet
    return module
