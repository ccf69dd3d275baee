"""Lemmas of test sets, with gold tokens: ``python benchmarks/lemmas.py TREEBANKS el_gdt hu_szeged [--raw FILE]``.

Trains a tagger on the training part (on dev where there is none) and prints the share of right lemmas, with the tags of
the treebank and with its own; and how many of the wrong ones are no words: neither in the treebank nor in the raw text.
With ``--udpipe``, the same for UDPipe 1 (`pip install ufal.udpipe`), trained here with its usual options in 4 to 40
minutes; with ``--simplemma``, for the tables of `simplemma`.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from treebank_arguments import parser_for
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.columns import with_tags
from treewright.treebank.blocks.block import Block

from treewright.kinds.tagger.corpus import read_words
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import train_tagger
from treewright.lexicon.raw_words import read_raw
from treewright.training.cluster_training import clusters_of_raw_text
from treewright.training.observer import TrainingObserver
from treewright.treebank.files.reading import read_blocks

Lemmas = list[tuple[str, str, str]]  # form, UPOS, lemma
Found = Callable[[list[list[str]]], Iterator[str]]
TABLES = ("cs", "da", "el", "en", "hu", "it", "tr")  # of the treebanks' languages, those that simplemma has
UDPIPE = (
    "models=2;templates_1=tagger;guesser_suffix_rules_1=8;guesser_enrich_dictionary_1=6;guesser_prefixes_max_1=0;"
    "use_lemma_1=1;provide_lemma_1=0;use_xpostag_1=1;provide_xpostag_1=1;use_feats_1=1;provide_feats_1=1;"
    "templates_2=lemmatizer;guesser_suffix_rules_2=6;guesser_enrich_dictionary_2=4;guesser_prefixes_max_2=4;"
    "use_lemma_2=1;provide_lemma_2=1;use_xpostag_2=0;provide_xpostag_2=0;use_feats_2=0;provide_feats_2=0"
)


def main() -> None:
    """Measure one treebank after the other."""
    parser = parser_for(__doc__)
    parser.add_argument("--raw", default="", help="raw text, for our lemmas and for what counts as a word")
    parser.add_argument("--clusters", type=int, default=256, help="of the words of the raw text")
    parser.add_argument("--udpipe", type=Path, help="folder of UDPipe's models: those that are missing are trained")
    parser.add_argument("--simplemma", action="store_true", help="compare with its tables, by the name's first letters")
    parser.add_argument("--rounds", type=int, help="of the tagger, if not the usual ones")
    parser.add_argument("--seeds", type=int, default=0, help="trainings of the tagger, if not the usual number")
    parser.add_argument("--part", default="test")
    arguments = parser.parse_args()
    for name in arguments.names:
        parts = {part: blocks_of(arguments.treebanks / name, part) for part in ("train", "dev", arguments.part)}
        train, test = parts["train"] or parts["dev"], parts[arguments.part]
        gold = lemmas_of(test)
        words = {text.lower() for blocks in parts.values() for word in lemmas_of(blocks) for text in (word[0], word[2])}
        words.update(read_raw([arguments.raw], 5, 1 << 30).words if arguments.raw else ())
        start = time.process_time()
        clusters = (
            clusters_of_raw_text(arguments.raw, arguments.clusters, TrainingObserver()) if arguments.raw else None
        )
        tagger = trained(train, arguments.rounds, arguments.seeds, clusters)
        seconds = time.process_time() - start
        show(f"{name}, its own tags ({seconds:.0f} s)", gold, lemmas_of(map(tagger.tagged, test)), words)
        show(f"{name}, tags of the treebank", gold, list(with_gold_tags(tagger, test)), words)
        sentences = [[block.value(word, block.layout.form).decode() for word in block.words_of(number)]
                     for block in test for number in range(block.n_sentences)]  # fmt: skip
        others: dict[str, Found] = {}
        if arguments.udpipe:
            others["UDPipe"] = udpipe(arguments.udpipe / f"{name}.udpipe", parts)
        if arguments.simplemma and name[:2] in TABLES:
            others["simplemma"] = simplemma(name[:2])
        for other, found in others.items():
            lemmas = [(form, upos, lemma) for (form, upos, _), lemma in zip(gold, found(sentences), strict=True)]
            show(f"{name}, {other}", gold, lemmas, words)


def blocks_of(folder: Path, part: str) -> list[Block]:
    """Return the blocks of a part of a treebank; none if it has no such part."""
    return [block for path in folder.glob(f"*{part}.conllu") for block in read_blocks(path)]


def lemmas_of(blocks: Iterable[Block]) -> Lemmas:
    """Return forms, UPOS and lemmas of all words."""
    found: Lemmas = []
    for block in blocks:
        columns = block.layout.form, block.layout.upos, block.layout.lemma
        for word in range(block.n_words):
            form, upos, lemma = (text(block, word, column) for column in columns)
            found.append((form, upos, lemma))
    return found


def text(block: Block, word: int, column: int) -> str:
    """Return a value of a word."""
    return block.value(word, column).decode("utf-8", "replace")


def trained(train: list[Block], rounds: int | None, seeds: int, clusters: WordClusters | None) -> Tagger:
    """Return a tagger."""
    return train_tagger(train, TaggerRecipe(iterations=rounds, seeds=seeds), None, clusters)


def with_gold_tags(tagger: Tagger, blocks: list[Block]) -> Iterator[tuple[str, str, str]]:
    """Yield the lemmas that go with the tags of the treebank; of tags that the tagger lacks, with its own."""
    for block in blocks:
        known = {tag: number for number, tag in enumerate(tagger.tags.tags)}
        words = read_words([block])
        own = tagger.tag_block(block)
        tags = array("i", (known.get(words.tags[tag], own[at]) for at, tag in enumerate(words.tag_of)))
        done = with_tags(block, tags, tagger.tags, tagger.lemmatizer, ["LEMMA"])
        yield from lemmas_of([Block(done, block.layout, block.source)])


def show(what: str, gold: Lemmas, found: Lemmas, words: set[str]) -> None:
    """Print a line of scores."""
    wrong = [lemma for (_, _, right), (_, _, lemma) in zip(gold, found, strict=True) if lemma != right]
    none = [lemma for lemma in wrong if lemma.lower() not in words and any(map(str.isalpha, lemma))]
    right, share = 100 - 100 * len(wrong) / len(gold), 100 * len(none) / max(1, len(wrong))
    print(f"{what}: {right:.2f} right; {share:.0f} % of {len(wrong)} wrong ones are no words", flush=True)


def udpipe(path: Path, parts: dict[str, list[Block]]) -> Found:
    """Return the lemmatiser of UDPipe 1, with its own tags; train it if it is not there."""
    import ufal.udpipe as ud

    def read(blocks: list[Block]) -> Iterator[ud.Sentence]:
        reader, error = ud.InputFormat.newConlluInputFormat(), ud.ProcessingError()
        reader.setText("".join(block.data.decode() for block in blocks))
        sentence = ud.Sentence()
        while reader.nextSentence(sentence, error):
            yield sentence
            sentence = ud.Sentence()

    if not path.exists():
        train, held = ud.Sentences(), ud.Sentences()
        for sentence in read(parts["train"] or parts["dev"]):
            train.push_back(sentence)
        for sentence in read(parts["dev"] if parts["train"] else []):
            held.push_back(sentence)
        path.write_bytes(
            ud.Trainer.train("morphodita_parsito", train, held, "none", UDPIPE, "none", ud.ProcessingError())
        )
    model = ud.Model.load(str(path))

    def found(sentences: list[list[str]]) -> Iterator[str]:
        for forms in sentences:
            sentence = ud.Sentence()
            for form in forms:
                sentence.addWord(form)
            model.tag(sentence, ud.Model.DEFAULT)
            yield from (sentence.words[place].lemma for place in range(1, len(forms) + 1))

    return found


def simplemma(language: str) -> Found:
    """Return the lookup of simplemma."""
    from simplemma import lemmatize

    return lambda sentences: (lemmatize(form, lang=language) for forms in sentences for form in forms)


if __name__ == "__main__":
    main()
