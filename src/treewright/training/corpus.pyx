"""A treebank made ready for training: encoded once, kept in flat arrays."""
from array import array

from libc.stdint cimport int32_t, int64_t

from treewright.features.encoder cimport Encoded, Encoder
from treewright.treebank.block cimport Block


cdef class Corpus:
    """Encoded sentences with heads and relations, one after the other."""

    def __init__(self, blocks, Encoder encoder, bint root_last, heads, labels):
        """Encode the words of blocks; ``heads`` and ``labels`` are flat over all of them."""
        cdef Block block
        cdef int sentence
        rows, words = array("q"), array("q", [0])
        self.encoded = Encoded(len(encoder.attributes), encoder.has_items)
        for block in blocks:
            encoder.bind(block, self.encoded)
            for sentence in range(block.n_sentences):
                rows.append(self.encoded.n_rows)
                encoder.encode(block, sentence, root_last, self.encoded)
                n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
                words.append(words[len(words) - 1] + n)
                self.longest = max(self.longest, n)
        self.n_sentences, self.n_words = len(rows), words[len(words) - 1]
        if len(heads) != self.n_words or len(labels) != self.n_words:
            raise ValueError("one head and one relation per word")
        rows.append(0)
        self.row_start, self.word_start = rows, words
        self.heads, self.labels = array("i", [*heads, 0]), array("i", [*labels, 0])


def trees_of(blocks, interner):
    """Return the heads and the relations (numbers of an Interner) of all words of blocks."""
    cdef Block block
    cdef int word
    heads, labels = array("i"), array("i")
    for block in blocks:
        block_heads, block_labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
        fill_heads(block, block_heads)
        if block.layout.deprel >= 0 and block.n_words:
            interner.column(block, block.layout.deprel, block_labels)
        heads.extend(block_heads)
        labels.extend(block_labels)
    return heads, labels


def sentence_offsets(blocks):
    """Return where each sentence begins among all words of blocks; one more entry for the end."""
    cdef Block block
    cdef int sentence
    cdef long before = 0
    offsets = array("i", [0])
    for block in blocks:
        for sentence in range(1, block.n_sentences + 1):
            offsets.append(before + block.sentence_word[sentence])
        before += block.n_words
    return offsets


cdef void fill_heads(Block block, int32_t[::1] out):
    cdef int word
    for word in range(block.n_words):
        out[word] = block.head[word]
