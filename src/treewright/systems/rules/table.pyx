"""Rules as tables: whether an arc may be added takes a few bits.

Relations that rules treat alike are a set with a bit of its own. For every word the configuration has the sets of its
dependents so far (``marks``). So ``breaks`` (table.pxd) says in constant time how many rules an arc would break,
given the arcs that there are: rules are monotone, and nothing that comes later mends what was broken.

A lifted word hangs from another head for the time being (treebank/lifting): of the rules, those about its tag and its
own dependents hold; ``restored`` looks at the others when it is moved back.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memchr, memcmp

from treewright.systems.leaf_tags cimport tag_column
from treewright.treebank.lifting.projectivity cimport (
    NOT_A_TREE, TreeWorkspace, count_nonprojective_arcs, spans_descendants,
)

from treewright.treebank.lifting.lifted_labels import decode

cdef enum:
    MOST_SETS = 64
    MOST_TAGS = 255
    PASSES = 16              # over the words that are moved back
    STEPS_PER_WORD = 1024    # then, as in lifting/deprojectivizer.pyx


def _others(rules, kind):
    """Return {relation: others} of the rules of a kind."""
    found = {}
    for rule in rules:
        if rule.kind == kind:
            found.setdefault(rule.relation, set()).update(rule.others)
    return found


def _sets(rules):
    """Return the bit of each relation that may stand in the way of others: one for those that rules treat alike."""
    from treewright.systems.rules.rule import CHAIN, PAIR

    signs, weight = {}, {}
    for rule in rules:
        if rule.kind in (PAIR, CHAIN):
            for other in rule.others:
                signs.setdefault(other, set()).add((rule.kind, rule.relation))
    for rule in rules:
        if rule.relation in signs:
            sign = frozenset(signs[rule.relation])
            weight[sign] = weight.get(sign, 0) + rule.of
    # beyond so many sets, rules about the rarest ones are left out
    order = sorted({frozenset(sign) for sign in signs.values()}, key=lambda sign: (-weight.get(sign, 0), sorted(sign)))
    bits = {sign: number for number, sign in enumerate(order[:MOST_SETS])}
    return {relation: bits[frozenset(sign)] for relation, sign in signs.items() if frozenset(sign) in bits}


cdef const char* outward_tag(Block block, int word, int* length) noexcept nogil:
    """Return the tag that a word shows to its head: ExtPos in FEATS (in "in fact": ADV), or its own; NULL for none."""
    cdef int column = block.layout.feats
    cdef const char* text
    cdef const char* end
    cdef const char* at
    if column >= 0:
        text = at = block.field_start(word, column)
        end = text + block.field_length(word, column)
        while at < end - 7:
            at = <const char*>memchr(at, c'E', end - 7 - at)
            if at == NULL:
                break
            if memcmp(at, b"ExtPos=", 7) == 0 and (at == text or at[-1] == c'|'):
                at += 7
                text = <const char*>memchr(at, c'|', end - at)
                length[0] = <int>((text if text != NULL else end) - at)
                return at
            at += 1
    column = tag_column(block, word)
    if column < 0:
        return NULL
    length[0] = block.field_length(word, column)
    return block.field_start(word, column)


def outward_tags(Block block):
    """Return the tags that the words of a block show to their heads; '_' for none."""
    cdef int word, length
    cdef const char* text
    found = []
    for word in range(block.n_words):
        text = outward_tag(block, word, &length)
        found.append("_" if text == NULL else text[:length].decode("utf-8", "surrogateescape"))
    return found


cdef class RuleTable(Owner):
    """Rules for the relations of a parser, encoded ones included. Read-only: any number of threads may share one."""

    def __init__(self, rules, relations, str scheme="baseline"):
        from treewright.systems.rules.rule import CHAIN, DIRECTION, LEFT, PAIR, TAG, USUAL
        from treewright.systems.rules.rule import PROJECTIVE as PROJECTIVE_RULE

        cdef int label, n
        cdef RulesOfRelation* of
        cdef unsigned char* tagged
        self.rules, self.relations = tuple(rules), tuple(relations)
        n = len(self.relations)
        tags = sorted({tag for rule in rules if rule.kind == TAG for tag in rule.others})[:MOST_TAGS]
        self.tags = tuple(tags)
        self.texts = [tag.encode("utf-8", "surrogateescape") for tag in tags]
        self.n_tags = len(tags)
        self.tag_text = <const char**>self.new_block(self.n_tags + 1, sizeof(char*))
        self.tag_length = <int*>self.new_block(self.n_tags + 1, sizeof(int))
        for label in range(self.n_tags):
            self.tag_text[label], self.tag_length[label] = self.texts[label], len(self.texts[label])
        of = <RulesOfRelation*>self.new_block(n + 1, sizeof(RulesOfRelation))
        tagged = <unsigned char*>self.new_block((len(tags) + 1) * <size_t>(n + 1), 1)
        sets = _sets(self.rules)
        pairs, chains, of_tags = (_others(self.rules, kind) for kind in (PAIR, CHAIN, TAG))
        sides = _others(self.rules, DIRECTION)
        projective = {rule.relation for rule in self.rules if rule.kind == PROJECTIVE_RULE}
        for label, text in enumerate(self.relations):
            meaning = decode(text, scheme)
            base = meaning.base
            of[label].below = _bits(sets, chains.get(base, ()))
            for number, tag in enumerate(tags, 1):
                tagged[<int>number * n + label] = tag in of_tags.get(base, ())
            if meaning.lifted:
                continue
            of[label].mark = _bits(sets, (base,))
            of[label].apart = _bits(sets, pairs.get(base, ()))
            for side in sides.get(base, ()):
                of[label].shape |= NEVER_LEFT if side == LEFT else NEVER_RIGHT
            of[label].shape |= PROJECTIVE if base in projective else 0
        usual = _others(self.rules, USUAL)
        bases = [decode(text, scheme).base for text in self.relations]
        self.usual = [next(iter(usual.get(base, ("",)))).encode("utf-8", "surrogateescape") for base in bases]
        self.table.n_labels, self.table.of, self.table.tagged = n, of, tagged

    cdef int tag_of(self, Block block, int word) noexcept nogil:
        """Return the number of a word's tag; 0 for tags that no rule names."""
        cdef int length
        cdef const char* text = outward_tag(block, word, &length)
        return self.number_of(text, length) if text != NULL else 0

    cdef int number_of(self, const char* text, int length) noexcept nogil:
        cdef int i
        for i in range(self.n_tags):
            if self.tag_length[i] == length and memcmp(self.tag_text[i], text, length) == 0:
                return i + 1
        return 0

    def tags_in(self, Block block):
        """Return the numbers of the tags of a block's words."""
        cdef int word
        return bytes([self.tag_of(block, word) for word in range(block.n_words)])

    def fitted(self, Block block, const int32_t[::1] heads, const int32_t[::1] labels):
        """Return a block in which the tags suit the relations of trees: where one breaks a rule, it was a wrong guess.
        """
        cdef int word, label, length
        cdef Py_ssize_t done = 0, start
        cdef const char* text
        cdef const Rules* r = &self.table
        cdef bytes data = block.data
        cdef list pieces = []
        if min(heads.shape[0], labels.shape[0]) < block.n_words:
            raise ValueError("heads and labels must cover every word of the block")
        for word in range(block.n_words):
            label = labels[word]
            if heads[word] <= 0 or not 0 <= label < r.n_labels:
                continue
            if r.tagged[self.tag_of(block, word) * r.n_labels + label] and self.usual[label]:
                text = outward_tag(block, word, &length)
                start = text - block.text
                pieces += data[done:start], self.usual[label]
                done = start + length
        if not pieces:
            return block
        return Block(b"".join((*pieces, data[done:])), block.layout, block.source, block.first_line)

    def enclosed(self, Block block, leaf_tags):
        """Return a 1 for every word whose arc must be projective: it governs nothing, and its tag says so.

        That is punctuation: words with a leaf tag that all words of some projective relation have.
        """
        cdef int label, number
        cdef const Rules* r = &self.table
        cdef set found = set()
        for label in range(r.n_labels):
            if r.of[label].shape & PROJECTIVE:
                allowed = [number for number in range(1, self.n_tags + 1) if not r.tagged[number * r.n_labels + label]]
                if len(allowed) == 1 and self.tags[allowed[0] - 1] in leaf_tags:
                    found.update(allowed)
        return bytes([number in found for number in self.tags_in(block)])

    def bars(self, int head, int word, int label, int tag):
        """May an arc not be, whatever others there are? A head of 0 is the root, whose arcs are free."""
        cdef const Rules* r = &self.table
        if head == 0 or not 0 <= label < r.n_labels or not 0 <= tag <= self.n_tags:
            return False
        if r.of[label].shape & <uint64_t>(NEVER_LEFT if word < head else NEVER_RIGHT):
            return True
        return r.tagged[tag * r.n_labels + label] == 1

    def bars_tag(self, int label, int tag):
        """May a word with this tag not have this relation?"""
        cdef const Rules* r = &self.table
        return bool(0 <= label < r.n_labels and 0 <= tag <= self.n_tags and r.tagged[tag * r.n_labels + label])

    def part(self, int one, int other):
        """May two dependents of one head not have these relations?"""
        cdef const Rules* r = &self.table
        return bool(0 <= min(one, other) and max(one, other) < r.n_labels and r.of[one].mark & r.of[other].apart)

    def forbid(self, int above, int below):
        """May a word with one relation not govern one with the other?"""
        cdef const Rules* r = &self.table
        return bool(0 <= min(above, below) and max(above, below) < r.n_labels and r.of[below].mark & r.of[above].below)

    def conflict(self, const int32_t[::1] heads, const int32_t[::1] labels, const unsigned char[::1] tags):
        """Return two words whose arcs break a rule together, (word, 0) for one that does alone, or None: in one tree.

        Rules about crossing arcs are left out.
        """
        cdef int n = <int>heads.shape[0], word, head, label, other
        cdef const Rules* r = &self.table
        if labels.shape[0] != n or tags.shape[0] != n:
            raise ValueError("one head, one relation and one tag per word")
        for word in range(n):
            if not 0 <= heads[word] <= n or not 0 <= labels[word] < r.n_labels or tags[word] > self.n_tags:
                raise ValueError("a head, a relation or a tag out of range")
        for word in range(1, n + 1):
            head, label = heads[word - 1], labels[word - 1]
            if head == 0:
                continue
            if self.bars(head, word, label, tags[word - 1]):
                return word, 0
            if heads[head - 1] and r.of[label].mark & r.of[labels[head - 1]].below:
                return word, head
            if r.of[label].apart:
                for other in range(1, n + 1):
                    if other != word and heads[other - 1] == head and r.of[labels[other - 1]].mark & r.of[label].apart:
                        return word, other
        return None

    cdef int restored(self, const int32_t* old, int32_t* heads, const int32_t* labels, int n,
                      TreeWorkspace w) except -1 nogil:
        """Give words that were moved (from ``old`` heads) their old head again where the new one breaks rules.

        Labels are those of the moved words, decoded. A tree stays a tree.
        """
        cdef int word, back, _step
        cdef int64_t budget = <int64_t>STEPS_PER_WORD * n
        for _step in range(PASSES):
            if count_nonprojective_arcs(heads, n, w) == NOT_A_TREE:
                break
            back = 0
            for word in range(1, n + 1):
                if heads[word - 1] != old[word - 1] and self.is_barred(heads, labels, word, w, &budget):
                    heads[word - 1] = old[word - 1]
                    back += 1
            if back == 0:
                return 0
        for word in range(n):
            heads[word] = old[word]
        return 0

    cdef bint is_barred(self, const int32_t* heads, const int32_t* labels, int word, TreeWorkspace w,
                        int64_t* budget) noexcept nogil:
        """Does the arc to a word break a rule in this tree?"""
        cdef const Rules* r = &self.table
        cdef int head = heads[word - 1], label = labels[word - 1], other, first, last
        cdef bint projective
        if head == 0 or not 0 <= label < r.n_labels:
            return False
        if r.of[label].shape & (NEVER_LEFT if word < head else NEVER_RIGHT):
            return True
        if heads[head - 1] != 0 and r.of[label].mark & r.of[labels[head - 1]].below:
            return True
        other = w.first[head]
        while other:
            if other != word and r.of[labels[other - 1]].mark & r.of[label].apart:
                return True
            other = w.next[other]
            budget[0] -= 1
        projective = spans_descendants(head, word, w)
        if r.of[label].shape & PROJECTIVE and not projective:
            return True
        first, last = min(head, word), max(head, word)
        for other in range(first + 1, last if not projective else 0):
            budget[0] -= 1
            if r.of[labels[other - 1]].shape & PROJECTIVE and not first <= heads[other - 1] <= last:
                return True
            if budget[0] < 0:
                return True
        return False


def _bits(sets, relations):
    """Return the sets of some relations, as bits."""
    found = 0
    for relation in relations:
        if relation in sets:
            found |= 1 << sets[relation]
    return found
