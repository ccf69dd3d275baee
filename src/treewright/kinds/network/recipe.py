"""The recipe of a neural parser: a recurrent network that scores arcs and relations, alone or with linear parsers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from treewright.errors import CombinationError, unknown
from treewright.kinds.transition.moves import MOST_SEED
from treewright.options import topics
from treewright.options.option import choice, count, option
from treewright.options.recipe import Recipe
from treewright.recipes.shared_options import clusters_option, governors_option, raw_option, rules_option, seconds_in

MEMBERS = ("greedy", "beam", "exact")
#: options that give the weights of the encoder their meaning
ENCODER_KEPT = ("hidden", "layers", "word_width", "ngram_width", "lemma_width", "tag_width", "feats_width", "buckets")
MOST_ROUNDS = 60  # over the treebank, unless a recipe says more


#: the shares of units and of recurrent weights left out while learning: usually, and from large treebanks
SHARES, SHARES_OF_LARGE = (0.33, 0.3), (0.22, 0.15)
LARGE = 100_000  # words: with more, a network memorises less (chosen on the dev set of en_ewt)
UNITS, RECURRENT = "units", "the weights between steps of an LSTM"


def _share(default: float, what: str) -> float | None:
    """Declare a share that is left out while learning."""
    return option(default, f"share of {what} left out while learning", topics.LEARNING, 0, 0.9)


def _share_by_size(what: str) -> float | None:
    """Declare a share that depends on the treebank: chosen for networks that score all arcs of a tree."""
    place = (UNITS, RECURRENT).index(what)
    usual = f"{SHARES[place]}, or {SHARES_OF_LARGE[place]} from {LARGE:,} words on"
    about = f"share of {what} left out while learning"
    return option(None, about, topics.LEARNING, 0, 0.9, usual=usual)


@dataclass(frozen=True)
class EncoderRecipe(Recipe):
    """What the recipes of all neural parsers share: the network that reads sentences, and how it learns."""

    hidden: int = count(160, "units of a BiLSTM layer, each way", topics.NEURAL, 8, 512)
    layers: int = count(2, "BiLSTM layers", topics.NEURAL, 1, 4)
    word_width: int = count(96, "numbers per word; 0: none", topics.NEURAL, 0, 512)
    ngram_width: int = count(64, "numbers per piece of a word", topics.NEURAL, 0, 512)
    lemma_width: int = count(64, "numbers per lemma", topics.NEURAL, 0, 512)
    tag_width: int = count(24, "numbers per UPOS or XPOS tag", topics.NEURAL, 0, 512)
    feats_width: int = count(48, "numbers per feature of FEATS", topics.NEURAL, 0, 512)
    buckets: int = count(16384, "hashed pieces of words that are told apart", topics.NEURAL, 64, 1 << 20)
    raw: str = raw_option()
    clusters: int = clusters_option("--raw")
    cluster_width: int = count(48, "numbers per word cluster", topics.NEURAL, 1, 512)
    vectors: str = option(
        "", "word vectors (word2vec, fastText, GloVe as text) for the network to look at", topics.TEXT, metavar="FILE"
    )
    vector_width: int = count(64, "numbers per word vector, projected", topics.NEURAL, 1, 512)
    encoder: str = option(
        "", "folder of a pretrained encoder (Hugging Face) for the network to look at", topics.NEURAL, metavar="FOLDER"
    )
    encoder_width: int = count(128, "numbers of the encoder, projected", topics.NEURAL, 1, 1024)
    encoder_layers: int = count(4, "top layers of the encoder to mix", topics.NEURAL, 1, 64)
    pretrained: str = option("", "language model that the network looks at", topics.NEURAL, metavar="MODEL")
    pretrained_width: int = count(128, "numbers of the language model, projected", topics.NEURAL, 1, 1024)
    fine_tune: bool = option(False, "let the encoder learn, too", topics.NEURAL)
    cutoff: int = count(2, "times that a word must occur to be known", topics.LEARNING)
    iterations: int | None = count(
        None, "rounds over the treebank", topics.LEARNING, usual="as many as read 1.2 million words, 18 to 60"
    )
    time_limit: str = option(
        "", "end in this time, such as 90s, 10m or 1h, whatever the rounds", topics.LEARNING, metavar="TIME"
    )
    rate: float = option(0.002, "learning rate", topics.LEARNING, 1e-9, 1)
    batch_words: int = count(200, "words learnt from at a time", topics.LEARNING)
    dropout: float | None = _share(0.33, UNITS)
    recurrent_dropout: float | None = _share(0.0, RECURRENT)
    smoothing: float = option(
        0.995, "share of the averaged weights that stays at each step", topics.LEARNING, 0, 0.9999
    )
    threads: int = count(1, "threads that learn", topics.LEARNING, 1, 256)
    seed: int = option(1, "seed of the first weights, dropout and the order", topics.LEARNING, 0, MOST_SEED)

    def widths(self) -> dict[str, int]:
        """Return how many numbers the network has for each of its inputs."""
        return {
            "words": self.word_width,
            "ngrams": self.ngram_width,
            "lemmas": self.lemma_width,
            "upos": self.tag_width,
            "xpos": self.tag_width,
            "feats": self.feats_width,
            "clusters": self.cluster_width if self.raw else 0,
            "vectors": self.vector_width if self.vectors else 0,
            "encoder": self.encoder_width if self.encoder else 0,
            "context": self.pretrained_width if self.pretrained else 0,
        }

    def left_out(self, n_words: int) -> tuple[float, float]:
        """Return the shares of units and of recurrent weights left out while learning from this many words."""
        usual = SHARES if n_words < LARGE else SHARES_OF_LARGE
        units, recurrent = (
            share if given is None else given
            for given, share in zip((self.dropout, self.recurrent_dropout), usual, strict=True)
        )
        return units, recurrent

    @property
    def torch_threads(self) -> int:
        """The threads that PyTorch may use."""
        return self.threads

    def seconds(self) -> float | None:
        """Return the time limit in seconds."""
        return seconds_in(self.time_limit, "time_limit") if self.time_limit.strip() else None

    def check_together(self) -> None:
        """Reject what does not go together."""
        if not sum(self.widths().values()):
            raise CombinationError("all widths are 0: the network would see nothing. Set one of them")
        self.seconds()

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle: dict[str, str] = {}
        if self.time_limit:
            idle["iterations"] = "the time limit decides how many rounds there are"
        if self.ngram_width == 0:
            idle["buckets"] = "the network sees no pieces of words"
        if not self.raw:
            idle |= dict.fromkeys(("clusters", "cluster_width"), "there is no --raw")
        if not self.vectors:
            idle["vector_width"] = "there is no --vectors"
        if not self.pretrained:
            idle["pretrained_width"] = "there is no --pretrained"
        if not self.encoder:
            idle |= dict.fromkeys(("encoder_width", "encoder_layers", "fine_tune"), "there is no --encoder")
        return idle


@dataclass(frozen=True)
class NeuralRecipe(EncoderRecipe):
    """The recipe of a neural parser, or of a hybrid one: a network and linear parsers that vote on each arc."""

    kind: ClassVar[str] = "neural"
    whose: ClassVar[str] = "neural and hybrid parsers"
    kept: ClassVar[tuple[str, ...]] = (
        *("system", "single_root", "projective", "members", "arc_size", "relation_size", "tag_size", "retag"),
        *ENCODER_KEPT,
    )

    system: str = choice("neural", ("neural", "hybrid"), "what finds the tree", topics.PARSER)
    governors: str = governors_option()
    rules: str = rules_option()
    single_root: bool = option(True, "build trees with exactly one root", topics.PARSER)
    projective: bool = option(False, "build projective trees only", topics.NEURAL)
    members: str | None = option(
        None,
        f"hybrid: linear parsers that vote beside the network, of {','.join(MEMBERS)}",
        topics.NEURAL,
        metavar="LIST",
        usual="greedy,beam",
    )
    retag: bool = option(False, "predict tags and lemmas too; in pipelines always", topics.NEURAL)
    dropout: float | None = _share_by_size(UNITS)
    recurrent_dropout: float | None = _share_by_size(RECURRENT)
    label_smoothing: float = option(
        0.05, "share of a word's target that all heads, or relations, have alike", topics.LEARNING, 0, 0.9
    )
    arc_size: int = count(160, "units that score arcs", topics.NEURAL, 8, 512)
    relation_size: int = count(96, "units that score relations", topics.NEURAL, 8, 512)
    tag_size: int = count(128, "units that score tags", topics.NEURAL, 8, 512)

    def check_together(self) -> None:
        """Reject what does not go together."""
        for member in self.chosen_members:
            if member not in MEMBERS:
                raise CombinationError(unknown("member", member, MEMBERS))
        if self.members is not None and self.system != "hybrid":
            raise CombinationError("members vote in hybrid parsers: set --system hybrid, or leave members out")
        super().check_together()

    @property
    def chosen_members(self) -> tuple[str, ...]:
        """The linear parsers beside the network."""
        if self.system != "hybrid":
            return ()
        return tuple(dict.fromkeys(name.strip() for name in (self.members or "greedy,beam").split(",")))

    def completed(self) -> NeuralRecipe:
        """Return the recipe with the members of a hybrid named, so that a model says who votes."""
        return replace(self, members=",".join(self.chosen_members) or None)

    def in_pipeline(self) -> NeuralRecipe:
        """Return the recipe with tags to predict: the network corrects those of the tagger."""
        return replace(self, retag=True)

    def idle(self) -> dict[str, str]:
        """Return the options that change nothing in this recipe, each with the reason."""
        idle = super().idle()
        if self.system != "hybrid":
            idle["members"] = "only hybrid parsers have members"
        if not self.retag:
            idle["tag_size"] = "the network predicts no tags"
        return idle
