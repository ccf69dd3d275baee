"""Find the problems of a block's sentences in linear time.

A good sentence is checked without creating a Python object; a sentence with problems is then described word by word.
validation.py turns the findings into messages.
"""
from operator import itemgetter

from treewright.treebank.blocks.block cimport INVALID, MISSING, Block
from treewright.treebank.lifting.projectivity cimport (
    NOT_A_TREE, TreeWorkspace, count_nonprojective_arcs, spans_descendants,
)

from treewright.treebank.blocks import block as block_module

# Codes of findings, in addition to those of Block.problems
NO_HEAD = "no-head"                # HEAD is '_' or empty
BAD_HEAD = block_module.HEAD       # HEAD is not a number
HEAD_RANGE = "head-range"          # HEAD is greater than the number of words
SELF_HEAD = "self-head"            # HEAD is the word itself
NO_ROOT = "no-root"                # no word has HEAD 0
MANY_ROOTS = "many-roots"          # several words have HEAD 0
CYCLE = "cycle"                    # words that are their own ancestors
NO_DEPREL = "no-deprel"            # DEPREL is '_' or empty
NO_FORM = "no-form"                # FORM is empty
NONPROJECTIVE = "non-projective"   # an arc spans a word that is not a descendant of its head

cdef enum:
    LACKS_FORM = 1
    LACKS_DEPREL = 2
    LACKS_HEAD = 4
    WRONG_HEAD = 8
    LACKS_ROOT = 16
    HAS_ROOTS = 32
    MAY_HAVE_CYCLE = 64
    CROSSES = 128


def find_problems(Block block, bint need_tree=True, bint single_root=True):
    """Return (sentence, line, code, words) for every problem, in order; words are numbered from 1.

    The result includes the problems that the scan of the block found. ``need_tree=False`` checks words only, for input
    whose trees will be replaced. The words of a non-projective sentence are the dependents of its non-projective arcs.
    """
    cdef int sentence, flags
    cdef TreeWorkspace workspace = TreeWorkspace()
    cdef list found = [(sentence, line, code, ()) for sentence, line, code in block.problems if code != BAD_HEAD]
    cdef bint tree = need_tree and block.layout.head >= 0
    cdef bint merge = bool(found)
    for sentence in range(block.n_sentences):
        with nogil:
            flags = examine(block, sentence, tree, single_root, workspace)
        if flags:
            found.extend(describe(block, sentence, flags, workspace))
    if merge:
        found.sort(key=itemgetter(0))    # within a sentence, findings stay as they are
    return found


def has_trees(Block block):
    """Return whether any word has a value in the HEAD column."""
    cdef int word
    for word in range(block.n_words):
        if block.head[word] != MISSING:
            return True
    return False


def is_filled(Block block, int column):
    """Return whether any word has a value other than ``_`` in a column."""
    cdef int word
    for word in range(block.n_words):
        if not is_empty(block, word, column):
            return True
    return False


def tagged_runs(Block block not None):
    """Return the first sentence of each run of sentences that all have a UPOS or XPOS, or all have none."""
    cdef int sentence, word, upos = block.layout.upos, xpos = block.layout.xpos
    cdef bint tagged, before = False
    starts = []
    for sentence in range(block.n_sentences):
        tagged = False
        for word in range(block.sentence_word[sentence], block.sentence_word[sentence + 1]):
            if (upos >= 0 and not is_empty(block, word, upos)) or (xpos >= 0 and not is_empty(block, word, xpos)):
                tagged = True
                break
        if block.sentence_word[sentence + 1] > block.sentence_word[sentence] and (not starts or tagged != before):
            starts.append(sentence)
            before = tagged
    return starts


cdef inline bint is_empty(Block block, int word, int column) noexcept nogil:
    cdef int length = block.field_length(word, column)
    return length <= 0 or (length == 1 and block.field_start(word, column)[0] == c'_')


cdef int examine(Block block, int sentence, bint tree, bint single_root, TreeWorkspace w) except -1 nogil:
    """Return flags for the problems of a sentence, 0 if it has none."""
    cdef int start = block.sentence_word[sentence], n = block.sentence_word[sentence + 1] - start
    cdef int form = block.layout.form, deprel = block.layout.deprel
    cdef int word, head, crossing, roots = 0, flags = 0
    for word in range(start, start + n):
        if form >= 0 and block.field_length(word, form) <= 0:
            flags |= LACKS_FORM
        if not tree:
            continue
        if deprel >= 0 and is_empty(block, word, deprel):
            flags |= LACKS_DEPREL
        head = block.head[word]
        if head < 0:
            flags |= LACKS_HEAD
        elif head > n or head == word - start + 1:
            flags |= WRONG_HEAD
        elif head == 0:
            roots += 1
    if not tree or n == 0:
        return flags
    if roots == 0 and not flags & LACKS_HEAD:
        flags |= LACKS_ROOT
    if roots > 1 and single_root:
        flags |= HAS_ROOTS
    if flags & (LACKS_HEAD | WRONG_HEAD):
        return flags | MAY_HAVE_CYCLE
    crossing = count_nonprojective_arcs(block.head + start, n, w)
    if crossing == NOT_A_TREE:
        return flags | MAY_HAVE_CYCLE
    return flags | CROSSES if crossing else flags


cdef list describe(Block block, int sentence, int flags, TreeWorkspace w):
    """List the words of every problem of a sentence; requires the workspace as ``examine`` left it."""
    cdef int start = block.sentence_word[sentence], n = block.sentence_word[sentence + 1] - start
    cdef int number, head
    cdef dict words = {code: [] for code in (NO_FORM, NO_HEAD, BAD_HEAD, HEAD_RANGE, SELF_HEAD, NO_DEPREL)}
    cdef list roots = [], crossing = [], found
    for number in range(1, n + 1):
        head = block.head[start + number - 1]
        if flags & LACKS_FORM and block.field_length(start + number - 1, block.layout.form) <= 0:
            words[NO_FORM].append(number)
        if flags & LACKS_HEAD and head < 0:
            words[BAD_HEAD if head == INVALID else NO_HEAD].append(number)
        if flags & WRONG_HEAD and head > n:
            words[HEAD_RANGE].append(number)
        if flags & WRONG_HEAD and head == number:
            words[SELF_HEAD].append(number)
        if flags & LACKS_DEPREL and is_empty(block, start + number - 1, block.layout.deprel):
            words[NO_DEPREL].append(number)
        if flags & HAS_ROOTS and head == 0:
            roots.append(number)
        if flags & CROSSES and not spans_descendants(head, number, w):
            crossing.append(number)
    found = [(code, numbers) for code, numbers in words.items() if numbers]
    if flags & LACKS_ROOT:
        found.append((NO_ROOT, []))
    if roots:
        found.append((MANY_ROOTS, roots))
    if flags & MAY_HAVE_CYCLE:
        heads = [block.head[start + number] for number in range(n)]
        found.extend((CYCLE, cycle) for cycle in find_cycles(heads))
    if crossing:
        found.append((NONPROJECTIVE, crossing))
    return [(sentence, line_of_finding(block, sentence, numbers), code, tuple(numbers)) for code, numbers in found]


cdef long line_of_finding(Block block, int sentence, list numbers):
    """Return the line of the first word concerned, or of the sentence if no word is."""
    cdef int start = block.sentence_word[sentence]
    if not numbers:
        return block.first_line + block.sentence_line[sentence]
    return block.first_line + block.word_line[start + <int>numbers[0] - 1]


def find_cycles(list heads):
    """Return the cycles of two or more words, each in the order of the heads, starting at its leftmost word.

    ``heads[d - 1]`` is the head of word d. An invalid head (negative, out of range, or the word itself) ends a path
    like the root.
    """
    cdef int n = len(heads), word, node, head
    cdef list seen_from = [0] * (n + 1)
    cdef list cycles = [], cycle
    for word in range(1, n + 1):
        node = word
        while seen_from[node] == 0:
            seen_from[node] = word
            head = heads[node - 1]
            if head <= 0 or head > n or head == node:
                break
            node = head
        else:
            if seen_from[node] != word:
                continue
            cycle = [node]
            head = heads[node - 1]
            while head != node:
                cycle.append(head)
                head = heads[head - 1]
            first = cycle.index(min(cycle))
            cycles.append(cycle[first:] + cycle[:first])
    return cycles
