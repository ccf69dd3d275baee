"""What the guide sees in a configuration, for people: the words that addresses point to, their values, the keys.

For tests, tracing and teaching, not for speed; it runs the same compiled program as the parser.
"""
from libc.stdint cimport int32_t, uint64_t

from treewright.errors import CombinationError
from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport (
    LEFT_LABELS, MAX_FEATURES, MAX_NODES, MAX_TEMPLATES, N_GROUPS, RIGHT_LABELS, Extractor, Joined, Scalar, measure,
)
from treewright.features.language import Attribute, column_of
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.system cimport Parse
from treewright.treebank.block cimport Block


def words(Extractor extractor, Parse parse):
    """Return the word that each address of the feature model points to: {address: word}, 0 the root, None nothing."""
    cdef int32_t nodes[MAX_NODES]
    cdef int32_t root = parse.workspace.c.root
    extractor.locate(&parse.workspace.c, nodes)
    found = {}
    for address, number in extractor.node_of.items():
        found[address] = None if nodes[number] == NONE else 0 if nodes[number] == root else nodes[number]
    return found


def values(Extractor extractor, Parse parse, Block block, int sentence):
    """Return the value of each feature function, as text: {function: value}; None where there is no word or relation.

    The root's columns read ROOT. Sets of relations are joined by spaces; ``each`` gives the whole of FEATS.
    """
    cdef int32_t nodes[MAX_NODES]
    cdef Configuration* c = &parse.workspace.c
    check(parse, extractor, block, sentence)
    extractor.locate(c, nodes)
    found, places = {}, words(extractor, parse)
    for template in extractor.model.templates:
        for function in template.functions:
            if not isinstance(function, Attribute):
                found[function] = measured(extractor, c, nodes, function)
            elif places[function.address] is None:
                found[function] = None
            elif function.name == "l":
                label = c.label[<int32_t>nodes[<int>extractor.node_of[function.address]]]
                found[function] = None if label == NONE else extractor.relations[label]
            elif places[function.address] == 0:
                found[function] = "ROOT"
            else:
                word = block.words_of(sentence)[places[function.address] - 1]
                found[function] = column_text(extractor, block, word, function)
    return found


cdef column_text(Extractor extractor, Block block, int word, function):
    if ("each", 0) in function.mappings:
        text = block.value(word, block.layout.feats) if block.layout.feats >= 0 else b"_"
    else:
        argument = function.argument if function.name == "feat" else ""
        number = extractor.encoder.attributes.index((column_of(function), argument, function.mappings))
        text = extractor.encoder.text(block, word, number)
    return text.decode("utf-8", "replace")


cdef measured(Extractor extractor, Configuration* c, const int32_t* nodes, function):
    cdef Scalar* scalar = &extractor.scalars[<int>extractor.scalar_of[function]]
    cdef uint64_t labels
    if scalar.op != LEFT_LABELS and scalar.op != RIGHT_LABELS:
        return str(measure(c, scalar, nodes))
    if nodes[scalar.first] == NONE:
        return ""
    labels = c.left_labels[nodes[scalar.first]] if scalar.op == LEFT_LABELS else c.right_labels[nodes[scalar.first]]
    return " ".join(relation for i, relation in enumerate(extractor.relations[:64]) if labels >> i & 1)


def keys(Extractor extractor, Parse parse, Block block, int sentence):
    """Return the keys of each template's features, in the order of the model.

    One key a template, or one per product of single features with ``each`` (none where a word has none). Where a
    configuration has thousands of products, the last are left out.
    """
    cdef uint64_t out[MAX_FEATURES]
    cdef int counts[3]
    cdef int32_t nodes[MAX_NODES]
    cdef Encoded encoded = Encoded(len(extractor.encoder.attributes), extractor.encoder.has_items)
    cdef int at = 0, group, place, n
    cdef const Joined* template
    check(parse, extractor, block, sentence)
    extractor.encoder.bind(block, encoded)
    extractor.encoder.encode(block, sentence, parse.system._root_last(), encoded)
    extractor.locate(&parse.workspace.c, nodes)
    extractor.extract(&parse.workspace.c, encoded, 0, out, counts)
    found = [[] for _ in extractor.model.templates]
    for group in range(N_GROUPS):
        for place in range(extractor.groups[group].first[0], extractor.groups[group].first[4]):
            template = &extractor.templates[place]
            n = 1
            if template.n_lists:
                n = min(n_products(template, nodes, encoded), max(0, MAX_FEATURES - MAX_TEMPLATES - at))
            found[extractor.compiled[place]] = [out[at + i] for i in range(n)]
            at += n
    return found


cdef int n_products(const Joined* template, const int32_t* nodes, Encoded encoded):
    """The number of products of the single features of a template's words."""
    cdef int i, n = 1
    for i in range(template.n_lists):
        n *= <int>(encoded.item_start[nodes[template.lists[i]] + 2] - encoded.item_start[nodes[template.lists[i]] + 1])
    return n


cdef check(Parse parse, Extractor extractor, Block block, int sentence):
    """Refuse what the compiled program would read past the end of."""
    if not 0 <= sentence < block.n_sentences:
        raise IndexError(f"there is no sentence {sentence} in the block")
    if len(block.words_of(sentence)) != parse.workspace.c.n:
        raise CombinationError("the parse and the sentence differ in their number of words")
    if any(label >= len(extractor.relations) for _, label in parse.arcs.values()):
        raise CombinationError("the parse has relations that the extractor does not know")
