"""What a feature model sees in a configuration: the words that addresses point to, their values, the keys.

For tests, tracing and teaching, not for speed; it runs the same compiled program as the parser.
"""
from libc.stdint cimport int32_t, uint64_t

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport (
    HEAD_LABELS, LEFT_LABELS, MAX_FEATURES, MAX_NODES, RIGHT_LABELS, Extractor, Scalar, tw_place,
)
from treewright.features.measures cimport label_sets, measure
from treewright.features.templates import Attribute, FeatureModel
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.system cimport Parse, ParseView
from treewright.treebank.blocks.block cimport Block


def words(Extractor extractor, ParseView parse):
    """Return the word that each address of the feature model points to: {address: word}, 0 the root, None nothing."""
    cdef int32_t nodes[MAX_NODES]
    cdef int32_t root = parse.workspace.c.root
    extractor.locate(&parse.workspace.c, nodes)
    found = {}
    for address, number in extractor.program.nodes.items():
        word = nodes[<int>number]
        found[address] = None if word == NONE else 0 if word == root else word
    return found


def values(Extractor extractor, Parse parse, Block block, int sentence):
    """Return the value of each feature function, as text: {function: value}; None where there is no word or relation.

    The root's columns read ROOT. Sets of relations are joined by spaces; ``each`` gives the whole of FEATS.
    """
    cdef int32_t nodes[MAX_NODES]
    cdef Configuration* c = &parse.workspace.c
    check(parse, extractor, block, sentence)
    extractor.locate(c, nodes)
    found, places, arcs = {}, words(extractor, parse), parse.arcs
    for template in extractor.model.templates:
        for function in template.functions:
            if not isinstance(function, Attribute):
                found[function] = measured(extractor, c, nodes, function)
                continue
            word = places[function.address]
            if function.name == "l":
                found[function] = extractor.relations[arcs[word][1]] if word in arcs else None
            elif word is None:
                found[function] = None
            elif word == 0:
                found[function] = "ROOT"
            else:
                found[function] = column_text(extractor, block, block.words_of(sentence)[word - 1], function)
    return found


cdef column_text(Extractor extractor, Block block, int word, function):
    if function.many:
        text = block.value(word, block.layout.feats) if block.layout.feats >= 0 else b"_"
    else:
        text = extractor.encoder.text(block, word, extractor.program.attributes[function.encoded])
    return text.decode("utf-8", "replace")


cdef measured(Extractor extractor, Configuration* c, const int32_t* nodes, function):
    cdef Scalar* scalar = &extractor.scalars[<int>extractor.program.scalar(function)]
    cdef uint64_t labels
    if scalar.op != LEFT_LABELS and scalar.op != RIGHT_LABELS and scalar.op != HEAD_LABELS:
        return str(measure(c, scalar, nodes))
    if nodes[scalar.first] == NONE:
        return ""
    labels = label_sets(c, scalar.op)[nodes[scalar.first]]
    return " ".join(relation for i, relation in enumerate(extractor.relations[:64]) if labels >> i & 1)


def extracted(Extractor extractor, Parse parse, Block block, int sentence):
    """Return the keys of a configuration as a learner gets them, and how many are for labels, for both, for moves."""
    cdef uint64_t out[MAX_FEATURES]
    cdef int counts[3]
    cdef Encoded encoded = encoded_sentence(extractor, parse, block, sentence)
    n = extractor.extract(&parse.workspace.c, encoded, 0, out, counts)
    return [out[i] for i in range(n)], [counts[0], counts[1], counts[2]]


def keys(Extractor extractor, Parse parse, Block block, int sentence):
    """Return the keys of each template's features, in the order of the model.

    One key a template, or one per product of single features with ``each`` (none where a word has none).
    """
    if extractor.alone is None:
        extractor.alone = [
            Extractor(FeatureModel(extractor.model.name, (template,)), extractor.relations, (), extractor.clusters)
            for template in extractor.model.templates
        ]
    return [extracted(alone, parse, block, sentence)[0] for alone in extractor.alone]


def sought(Extractor extractor, Parse parse, Block block, int sentence, bint labels=True, int room=MAX_FEATURES // 4):
    """Return the keys of a configuration as a greedy parser looks them up, and how many are for labels, both, moves."""
    if not 0 <= room <= MAX_FEATURES // 4:
        raise ValueError(f"room for {room} keys a group: it must be from 0 to {MAX_FEATURES // 4}")
    cdef uint64_t out[MAX_FEATURES]
    cdef int counts[3]
    cdef tw_place place
    cdef char line[64]
    cdef Encoded encoded = encoded_sentence(extractor, parse, block, sentence)
    place.lines, place.n_lines = line, 1
    n = extractor.look_and_join(&parse.workspace.c, encoded, 0, &place, labels, NULL, out, room, counts)
    return [out[i] for i in range(n)], [counts[0], counts[1], counts[2]]


cdef Encoded encoded_sentence(Extractor extractor, Parse parse, Block block, int sentence):
    """Return a sentence of a block in numbers, once all arguments fit together."""
    cdef Encoded encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
    check(parse, extractor, block, sentence)
    extractor.encoder.bind(block, encoded)
    extractor.encoder.encode(sentence, parse.system.root_is_last, encoded)
    return encoded


cdef check(Parse parse, Extractor extractor, Block block, int sentence):
    """Reject arguments with which the compiled program would read past the end of its arrays."""
    if not 0 <= sentence < block.n_sentences:
        raise IndexError(f"the block has no sentence {sentence}")
    if len(block.words_of(sentence)) != parse.workspace.c.n:
        raise CombinationError("the parse and the sentence differ in their number of words")
    if any(label >= len(extractor.relations) for _, label in parse.arcs.values()):
        raise CombinationError("the parse has relations that the extractor does not know")
