"""States of a beam: each is the one before it and a move; none is copied whole.

The items of all steps form a tree (``items``). A *slot* is a configuration laid out in full, for the feature extractor
to read; there are as many as the beam is wide. When the beam goes on by a step, one child of every surviving
item is made in place, in the slot of its parent. A further child takes the slot of an item without children. What
that slot shows and what it must show differ only by the moves since their last common item: only the nodes that
these moves touched are copied.
"""
from libc.string cimport memcpy, memmove

from treewright.features.extractor cimport PAST_MOVE, Extractor
from treewright.systems.configuration cimport NONE, RETURNED, Workspace, front, top
from treewright.systems.system cimport make_move

cdef extern from "text_hash.h" nogil:
    uint64_t tw_mix(uint64_t a, uint64_t b)

# Systems whose moves change only the top of the stack, the front of the buffer and one arc. Their configurations are
# the same if they have the same arcs, popped the same words without adding an arc, and took equally many moves.
# Configurations of other systems are copied whole, and none count as the same.
COMPARABLE = ("arc-eager", "arc-hybrid", "arc-standard", "nivre-standard")


cdef class Beam:
    def __cinit__(self, int width, int first_slot=0):
        self.width, self.first_slot = width, first_slot
        self.items = <int32_t*>self.new_block(width + 1, sizeof(int32_t))
        self.next_items = <int32_t*>self.new_block(width + 1, sizeof(int32_t))
        self.children = <int32_t*>self.new_block(width + 1, sizeof(int32_t))
        self.free_slots = <int32_t*>self.new_block(width + 1, sizeof(int32_t))
        self.taken = <int32_t*>self.new_block(width + 1, sizeof(int32_t))
        self.candidates = <BeamCandidate*>self.new_block(width + 1, sizeof(BeamCandidate))

    cdef void clear_candidates(self) noexcept nogil:
        self.n_candidates = 0

    cdef bint offer(self, double score, uint64_t signature, int at, int kind, int label_class, int loss) noexcept nogil:
        """Insert a candidate among the best; return whether worse ones still have a chance.

        Of candidates for the same configuration the better one is kept: whatever follows is the same for both.
        """
        cdef int i, place
        cdef BeamCandidate* c = self.candidates
        if self.n_candidates == self.width and score <= c[self.n_candidates - 1].score:
            return False
        for i in range(self.n_candidates):
            if c[i].signature == signature:
                if c[i].score >= score:
                    return True
                self.n_candidates -= 1
                memmove(&c[i], &c[i + 1], (self.n_candidates - i) * sizeof(BeamCandidate))
                break
        if self.n_candidates == self.width:
            self.n_candidates -= 1
        place = self.n_candidates
        while place > 0 and c[place - 1].score < score:
            place -= 1
        memmove(&c[place + 1], &c[place], (self.n_candidates - place) * sizeof(BeamCandidate))
        c[place].score, c[place].signature, c[place].at = score, signature, at
        c[place].kind, c[place].label_class, c[place].loss = kind, label_class, loss
        self.n_candidates += 1
        return True


cdef class BeamStates:
    """The tree of states of one sentence, and the slots that show those of the present step."""

    def __cinit__(self, System system, Moves moves, int n_slots, Extractor extractor):
        cdef int i
        self.system, self.moves = system, moves
        self.comparable = system.name in COMPARABLE
        self.past_moves = False
        for i in range(extractor.n_scalars):
            self.past_moves = self.past_moves or extractor.scalars[i].op == PAST_MOVE
        self.popping = sum(1 << i for i, kind in enumerate(system.kinds) if kind == "REDUCE")
        self.n_slots = n_slots
        self.workspaces = [Workspace() for _ in range(n_slots)]
        self.slots = <Configuration**>self.new_block(n_slots, sizeof(Configuration*))
        self.shown = <int32_t*>self.new_block(n_slots, sizeof(int32_t))
        for i in range(n_slots):
            self.slots[i] = &(<Workspace>self.workspaces[i]).c
            self.shown[i] = NONE

    cdef int reserve(self, int n) except -1 nogil:
        """Make room for n words in every slot."""
        if n > self.capacity:
            with gil:
                self._enlarge(n)
            self.capacity = n
        return 0

    def _enlarge(self, int n):
        for workspace in self.workspaces:
            (<Workspace>workspace).reserve(n)

    cdef int new_item(self) except -1 nogil:
        cdef int room = 1024 + self.items_room + self.items_room // 2
        if self.n_items == self.items_room:
            self.items = <Item*>self.resized(self.items, room, sizeof(Item))
            self.items_room = room
        self.n_items += 1
        return self.n_items - 1

    cdef int begin(self, int n, Encoded e, int64_t row) except -1 nogil:
        """Begin a sentence of n words: one item, 0, which slot 0 shows."""
        cdef int i
        self.reserve(n)
        for i in range(self.n_slots):
            self.shown[i] = NONE
            e.equip(self.slots[i], row)
        self.n_items = 0
        i = self.new_item()
        self.items[i].parent = self.items[i].kind = self.items[i].label_class = NONE
        self.items[i].depth = self.items[i].slot = self.items[i].low = 0
        self.items[i].n_touched = self.items[i].loss = 0
        self.items[i].score = 0
        self.items[i].signature = 0
        self.system.start(self.slots[0], n)
        self.shown[0] = 0
        return 0

    cdef int start_beam(self, Beam beam, int item, int slot) noexcept nogil:
        """Make an item that a slot of the beam shows its only one."""
        beam.n = 1
        beam.items[0] = item
        self.items[item].slot = slot
        self.shown[slot] = item
        return 0

    cdef uint64_t signature_after(self, const Item* item, int kind, int label_class) noexcept nogil:
        """The signature of the configuration that a move leads to."""
        cdef const Configuration* c = self.slots[item.slot]
        cdef uint64_t past = item.signature, step
        cdef int head, dependent
        if self.comparable and not self.past_moves:
            self.system.arc(c, kind, &head, &dependent)
            if dependent != NONE:
                step = (<uint64_t>(head + 1) << 40) ^ (<uint64_t>(dependent + 1) << 16) ^ <uint64_t>(label_class + 2)
                return past ^ tw_mix(step * 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL)
            if self.popping >> kind & 1 == 0:
                return past
            step = <uint64_t>(top(c, 0) + 2)
            return past ^ tw_mix(step * 0xA0761D6478BD642FULL, 0xE7037ED1A0B428DBULL)
        step = <uint64_t>(kind + 1) << 32 | <uint64_t>(label_class + 2)
        return tw_mix(past ^ step * 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL) | 1

    cdef int advance(self, Beam beam) except -1 nogil:
        """Make the beam's candidates its items."""
        cdef int i, item, slot, n_free = 0, used = 0
        cdef BeamCandidate* candidate
        cdef int32_t* swapped
        for i in range(beam.n):
            beam.children[i] = 0
        for i in range(beam.n_candidates):
            beam.children[beam.candidates[i].at] += 1
        for i in range(beam.width):
            beam.taken[i] = 0
        for i in range(beam.n):
            if beam.children[i] > 0:
                beam.taken[self.items[beam.items[i]].slot - beam.first_slot] = 1
        for i in range(beam.width):
            if beam.taken[i] == 0:
                beam.free_slots[n_free] = beam.first_slot + i
                n_free += 1
        for i in range(beam.n_candidates):
            candidate = &beam.candidates[i]
            beam.children[candidate.at] -= 1
            slot = self.items[beam.items[candidate.at]].slot
            if candidate.kind == NONE:
                beam.next_items[i] = beam.items[candidate.at]
                continue
            if beam.children[candidate.at] > 0:
                sync(self, beam.free_slots[used], slot)
                slot = beam.free_slots[used]
                used += 1
            item = self.new_item()
            beam.next_items[i] = item
            self.items[item].parent = beam.items[candidate.at]
            self.items[item].slot = slot
            self.items[item].score = candidate.score
            self.items[item].signature = candidate.signature
            self.items[item].loss = candidate.loss
            complete(self, item, candidate.kind, candidate.label_class)
        beam.n = beam.n_candidates
        swapped = beam.items
        beam.items = beam.next_items
        beam.next_items = swapped
        return 0

    cdef void copy_whole(self, int slot, int source) noexcept nogil:
        """Copy everything: cheaper than following moves if there are many of them or the sentence is short."""
        cdef Configuration* to = self.slots[slot]
        cdef const Configuration* c = self.slots[source]
        cdef size_t size = (c.n + 2) * sizeof(int32_t)
        copy_scalars(to, c)
        memcpy(to.stack, c.stack, c.stack_size * sizeof(int32_t))
        memcpy(to.context, c.context, c.context_size * sizeof(int32_t))
        memcpy(to.head, c.head, size)
        memcpy(to.label, c.label, size)
        memcpy(to.head_count, c.head_count, size)
        memcpy(to.leftmost, c.leftmost, size)
        memcpy(to.rightmost, c.rightmost, size)
        memcpy(to.left_sibling, c.left_sibling, size)
        memcpy(to.right_sibling, c.right_sibling, size)
        memcpy(to.left_count, c.left_count, size)
        memcpy(to.right_count, c.right_count, size)
        memcpy(to.on_stack, c.on_stack, size)
        memcpy(to.left_labels, c.left_labels, (c.n + 2) * sizeof(uint64_t))
        memcpy(to.right_labels, c.right_labels, (c.n + 2) * sizeof(uint64_t))
        memcpy(to.marks, c.marks, (c.n + 2) * sizeof(uint64_t))
        self.shown[slot] = self.shown[source]

    cdef int history(self, int item, int32_t* kinds, int32_t* classes) noexcept nogil:
        """Write the moves that led to an item, first to last; return how many."""
        cdef int n = self.items[item].depth, at = n
        while at > 0:
            at -= 1
            kinds[at], classes[at] = self.items[item].kind, self.items[item].label_class
            item = self.items[item].parent
        return n

    cdef void show(self, int item, int slot, int n, int32_t* kinds, int32_t* classes) noexcept nogil:
        """Let a slot show any item, by making its moves again; kinds and classes have room for them."""
        cdef int i, length = self.history(item, kinds, classes)
        cdef Configuration* c = self.slots[slot]
        self.system.start(c, n)
        for i in range(length):
            make_move(self.system, c, kinds[i], self.moves.label[classes[i]] if classes[i] >= 0 else NONE)
        self.shown[slot] = item
        self.items[item].slot = slot


cdef void complete(BeamStates self, int item, int kind, int label_class) noexcept nogil:
    """Complete a new item whose slot still shows its parent: note what the move touches, and make it."""
    cdef Item* i = &self.items[item]
    cdef Configuration* c = self.slots[i.slot]
    cdef int head, dependent, beside = NONE, k
    cdef int nodes[5]
    i.kind, i.label_class = kind, label_class
    i.depth = self.items[i.parent].depth + 1
    i.low = c.stack_size
    i.n_touched = 0
    self.system.arc(c, kind, &head, &dependent)
    if dependent != NONE:
        # The outermost dependent on that side so far becomes a sibling.
        beside = c.leftmost[head] if dependent < head else c.rightmost[head]
    # What a move pushes, pops or links is the top of the stack, the front of the buffer, or in its arc.
    nodes[0], nodes[1], nodes[2], nodes[3], nodes[4] = head, dependent, beside, top(c, 0), front(c)
    if c.context_use == RETURNED and c.context_size > 0:
        nodes[4] = c.context[c.context_size - 1]
    for k in range(MAX_TOUCHED):
        if nodes[k] != NONE and not (k >= 3 and (nodes[k] == head or nodes[k] == dependent)):
            i.touched[i.n_touched] = nodes[k]
            i.n_touched += 1
    make_move(self.system, c, kind, self.moves.label[label_class] if label_class >= 0 else NONE)
    i.low = min(i.low, c.stack_size) - 1
    i.low = max(i.low, 0)
    self.shown[i.slot] = item


cdef void sync(BeamStates self, int slot, int source) noexcept nogil:
    """Let a slot show what another one shows."""
    cdef Configuration* to = self.slots[slot]
    cdef const Configuration* c = self.slots[source]
    cdef int a = self.shown[slot], b = self.shown[source], low = c.stack_size, left = c.n // 4 + 8
    cdef Item* item
    if a == NONE or not self.comparable:
        self.copy_whole(slot, source)
        return
    while a != b:
        if self.items[a].depth >= self.items[b].depth:
            item = &self.items[a]
            a = item.parent
        else:
            item = &self.items[b]
            b = item.parent
        left -= item.n_touched
        if left < 0:
            self.copy_whole(slot, source)
            return
        copy_nodes(to, c, item)
        low = min(low, item.low)
    if c.context_size > 0:
        memcpy(to.context, c.context, c.context_size * sizeof(int32_t))
    if low < c.stack_size:
        memcpy(to.stack + low, c.stack + low, (c.stack_size - low) * sizeof(int32_t))
    copy_scalars(to, c)
    self.shown[slot] = self.shown[source]


cdef inline void copy_scalars(Configuration* to, const Configuration* c) noexcept nogil:
    to.n, to.root = c.n, c.root
    to.stack_size, to.buffer, to.buffer_end = c.stack_size, c.buffer, c.buffer_end
    to.context_size, to.context_use, to.focus = c.context_size, c.context_use, c.focus
    to.roots, to.moves = c.roots, c.moves
    to.last_kind[0], to.last_kind[1] = c.last_kind[0], c.last_kind[1]


cdef inline void copy_nodes(Configuration* to, const Configuration* c, const Item* item) noexcept nogil:
    """Copy the entries of the nodes that a move touched."""
    cdef int i, node
    for i in range(item.n_touched):
        node = item.touched[i]
        to.head[node], to.label[node], to.head_count[node] = c.head[node], c.label[node], c.head_count[node]
        to.leftmost[node], to.rightmost[node] = c.leftmost[node], c.rightmost[node]
        to.left_sibling[node], to.right_sibling[node] = c.left_sibling[node], c.right_sibling[node]
        to.left_count[node], to.right_count[node] = c.left_count[node], c.right_count[node]
        to.on_stack[node] = c.on_stack[node]
        to.left_labels[node], to.right_labels[node] = c.left_labels[node], c.right_labels[node]
        to.marks[node] = c.marks[node]
