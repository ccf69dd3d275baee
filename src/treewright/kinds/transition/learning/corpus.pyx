"""A treebank prepared for training: encoded once, kept in flat arrays."""
from array import array

from treewright.features.encoder cimport Encoder
from treewright.kinds.transition.engines.walk cimport Block, Sentence, System, Workspace
from treewright.systems.derivation cimport derives


cdef class EncodedSentences:
    """Encoded sentences, one after the other."""

    def __init__(self, blocks, Encoder encoder, bint root_last):
        """Encode the words of blocks."""
        cdef Block block
        cdef int sentence
        rows, words = array("q"), array("q", [0])
        self.encoded = Encoded(len(encoder.attributes), encoder.has_items)
        self.encoded.tag_price = 0       # what rules say of tags, training shows anyway
        for block in blocks:
            encoder.bind(block, self.encoded)
            for sentence in range(block.n_sentences):
                rows.append(self.encoded.n_rows)
                encoder.encode(sentence, root_last, self.encoded)
                n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
                words.append(words[len(words) - 1] + n)
                self.longest = max(self.longest, n)
        self.n_sentences, self.n_words = len(rows), words[len(words) - 1]
        rows.append(0)
        self.row_start, self.word_start, self.teaches = rows, words, None

    cdef int length(self, int64_t sentence) noexcept nogil:
        """Return the number of words of a sentence."""
        return <int>(self.word_start[sentence + 1] - self.word_start[sentence])

    cdef bint has_gold(self, int64_t sentence) noexcept nogil:
        """Is the tree or graph of a sentence known, and to be learnt from?"""
        return self.teaches is None or self.teaches[sentence] == 1

    def keep_derivable(self, System system):
        """Let only sentences teach that the canonical moves of a system can build; return how many cannot be built."""
        cdef GoldStandard gold = GoldStandard()
        cdef Workspace workspace = Workspace()
        cdef int sentence, n, n_left_out = 0
        self.teaches = None
        cdef bytearray flags = bytearray(b"\1" * (self.n_sentences + 1))
        for sentence in range(self.n_sentences):
            n = self.length(sentence)
            if n == 0 or not self.has_gold(sentence):
                continue
            workspace.reserve(n)
            workspace.c.leaf = self.encoded.leaves_at(self.row_start[sentence])
            system.start(&workspace.c, n)
            self.bind(gold, sentence, workspace.c.root)
            if not derives(system, &workspace.c, &gold.gold):
                flags[sentence] = 0
                n_left_out += 1
        self.teaches = flags
        return n_left_out

    cdef int bind(self, GoldStandard gold, int64_t sentence, int root) except -1 nogil:
        """Give an oracle the tree or graph of a sentence; ``root`` is the number of the root in the configuration."""
        return 0

    cdef int parse(self, Walker parser, Scratch s, const Output* out) except -1:
        """Parse all sentences."""
        cdef Sentence one
        cdef int number
        with nogil:
            for number in range(self.n_sentences):
                one.number, one.n = number, self.length(number)
                one.first, one.row = self.word_start[number], self.row_start[number]
                if one.n > 0:
                    parser.take(self.encoded, &one, s, out)
        return 0


cdef class Corpus(EncodedSentences):
    """Encoded sentences with heads and relations, one after the other."""

    def __init__(self, blocks, Encoder encoder, bint root_last, heads, labels):
        """Encode the words of blocks; ``heads`` and ``labels`` are flat over all of them."""
        EncodedSentences.__init__(self, blocks, encoder, root_last)
        if len(heads) != self.n_words or len(labels) != self.n_words:
            raise ValueError("one head and one relation per word")
        self.heads, self.labels = array("i", [*heads, 0]), array("i", [*labels, 0])
        self._check_heads()

    cdef int bind(self, GoldStandard gold, int64_t sentence, int root) except -1 nogil:
        cdef int64_t word = self.word_start[sentence]
        return gold.bind_tree(self.length(sentence), root, &self.heads[word], &self.labels[word])

    def _check_heads(self):
        """Reject heads out of range: the oracles use them as indices."""
        cdef int sentence
        cdef int64_t word, n
        for sentence in range(self.n_sentences):
            n = self.length(sentence)
            for word in range(self.word_start[sentence], self.word_start[sentence + 1]):
                if not 0 <= self.heads[word] <= n:
                    raise ValueError(f"sentence {sentence} has a head out of range")


cdef class GraphCorpus(EncodedSentences):
    """Encoded sentences with their graphs, which parsers of graphs learn from as those of trees do."""
    cdef const int32_t[::1] first, heads, labels

    def __init__(self, blocks, Encoder encoder, graphs, bint root_last=True):
        EncodedSentences.__init__(self, blocks, encoder, root_last)
        if len(graphs.first) != self.n_words + 1:
            raise ValueError("the graphs and the sentences have different numbers of words")
        self.first = graphs.first
        self.heads, self.labels = array("i", [*graphs.heads, 0]), array("i", [*graphs.labels, 0])
        self._check_heads()

    def _check_heads(self):
        """Reject heads out of range: the oracle uses them as indices."""
        cdef int sentence
        cdef int64_t word, n, i
        for sentence in range(self.n_sentences):
            n = self.length(sentence)
            for word in range(self.word_start[sentence], self.word_start[sentence + 1]):
                for i in range(self.first[word], self.first[word + 1]):
                    if not 0 <= self.heads[i] <= n or self.heads[i] == word - self.word_start[sentence] + 1:
                        raise ValueError(f"sentence {sentence} has a head out of range")

    cdef bint has_gold(self, int64_t sentence) noexcept nogil:
        """A sentence without any arc has no graph: nothing is known about it."""
        if not EncodedSentences.has_gold(self, sentence):
            return False
        return self.first[self.word_start[sentence + 1]] > self.first[self.word_start[sentence]]

    cdef int bind(self, GoldStandard gold, int64_t sentence, int root) except -1 nogil:
        return gold.bind_graph(
            self.length(sentence), root, &self.first[self.word_start[sentence]], &self.heads[0], &self.labels[0]
        )


def trees_of(blocks, interner):
    """Return the heads and the relations (numbers of an Interner) of all words of blocks."""
    cdef Block block
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


def collect_classes(offsets, heads, labels, System system):
    """Return the moves that trees need: (kind, relation) pairs, relations of the root, relations of words.

    Every labelled kind gets at least one relation for arcs from the root and one for arcs from words: every legal
    move then has one.
    """
    cdef const int32_t[::1] starts = offsets
    cdef const int32_t[::1] head_view = heads
    cdef const int32_t[::1] label_view = labels
    cdef int sentence, word, place, head
    cdef bint root_last = system.root_is_last
    seen, root_labels, word_labels, counts = set(), set(), set(), {}
    left, right = system.kinds.index("LEFT"), system.kinds.index("RIGHT")
    for sentence in range(starts.shape[0] - 1):
        for place in range(starts[sentence], starts[sentence + 1]):
            word = place - starts[sentence] + 1
            head = head_view[place]
            label = label_view[place]
            if head == 0:
                root_labels.add(label)
            else:
                word_labels.add(label)
            seen.add((left if word < head or (head == 0 and root_last) else right, label))
            counts[label] = counts.get(label, 0) + 1
    usual = max(counts, key=lambda label: (counts[label], -label))
    usual_root = max(root_labels, key=lambda label: (counts[label], -label), default=usual)
    usual_word = max(word_labels, key=lambda label: (counts[label], -label), default=usual)
    root_labels.add(usual_root)
    word_labels.add(usual_word)
    for kind in (left, right):
        if not any(k == kind and label in root_labels for k, label in seen):
            seen.add((kind, usual_root))
        if not any(k == kind and label in word_labels for k, label in seen):
            seen.add((kind, usual_word))
    return sorted(seen), sorted(root_labels), sorted(word_labels)
