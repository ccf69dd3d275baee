"""Training a beam: whole sequences of moves against each other, with the search that will use the weights.

A sentence is parsed with the present weights. Beside the beam runs a second one, the *target*, which makes only moves
that lose nothing: the best ways to the gold tree, by the same scores. Where the beam's best state is wrong and no
worse than the target's, the weights are at fault (Huang, Fayong & Guo 2012). The step whose states are compared is

- ``early`` (Collins & Roark 2004): where the last right state falls out of the beam, or the end;
- ``max-violation``: where the beam's best is ahead of the target by most.

What follows is lost for learning, and in long sentences that is most of it. So the policies of greedy training have
their counterparts here:

- ``static``: the target is the one canonical sequence of moves;
- ``ambiguity``: any sequence that leads to the gold tree;
- ``explore``: from round k + 1 on, with probability p, the beam goes on from the step that was compared, and its
  target is from there on the best tree that one of its states can still reach, which the dynamic oracle knows;
  and so on to the end.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from treewright.learners.learner cimport forced_kind
from treewright.learners.perceptron cimport Perceptron
from treewright.kinds.transition.engines.beam cimport expand
from treewright.kinds.transition.engines.beam_scores cimport BeamScores, BestMoves
from treewright.kinds.transition.engines.beam_states cimport Beam, BeamStates, BeamCandidate, Item
from treewright.kinds.transition.engines.chooser cimport broken_by
from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Configuration, Scratch, class_range
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, Gold, cheapest, make_move
from treewright.systems.system import WITH_COSTS
from treewright.kinds.transition.learning.beam_update cimport FeatureDifference
from treewright.kinds.transition.learning.corpus cimport Corpus
from treewright.kinds.transition.learning.rounds cimport Rounds


cdef class BeamTrainer(Rounds):
    """Trains one perceptron on one corpus, round by round."""
    cdef Perceptron learner
    cdef GreedyParser parser             # for the ranges of classes; scores with the learner itself
    cdef BeamStates states
    cdef Beam beam, target
    cdef BeamScores scores
    cdef FeatureDifference difference
    cdef bint early, static, dynamic
    cdef int32_t* moves_made             # room for two sequences of moves
    cdef int moves_room, n_steps, words
    cdef int32_t* steps                  # the beam's items after each step, width + 1 numbers each: how many, which
    cdef int64_t steps_room

    def __init__(self, GreedyParser parser, Perceptron learner, Corpus corpus, int width, str update, policy):
        self.prepare(parser, corpus, Scratch(parser.extractor), policy)
        self.parser, self.learner = parser, learner
        self.states = BeamStates(self.system, self.moves, 2 * width, self.extractor)
        self.beam, self.target = Beam(width), Beam(width, width)
        self.scores = BeamScores(parser, width, keep_all=True)
        self.difference = FeatureDifference()
        self.early = update == "early"
        self.static = policy.name == "static"
        self.dynamic = not WITH_COSTS.isdisjoint(self.system.oracles) and not self.static

    cdef int start_sentence(self, int sentence, int n) except -1 nogil:
        """Let the beam begin with a sentence and its tree."""
        self.words = n
        self.scratch.workspace.reserve(n)
        self.sentences.bind(self.gold, sentence, self.system.root_node(n))
        if self.live is not None:
            self.live.bind(&self.gold.gold, n, self.system.root_node(n))
        self.scores.forget()
        self.difference.clear()
        self.states.begin(n, self.sentences.encoded, self.sentences.row_start[sentence])
        self.states.start_beam(self.beam, 0, 0)
        self.n_steps = 0
        return self.keep_step()

    def compared(self, int sentence):
        """Return where a sentence's sequences would be compared at first, and both, as moves (kind, class); or None.

        For tests and teaching: nothing is learnt.
        """
        cdef int n = self.sentences.length(sentence)
        cdef int best, right, found
        if n == 0:
            return None
        self.start_sentence(sentence, n)
        self.aim(0)
        found = self.follow(self.sentences.row_start[sentence], 0, &best, &right)
        return None if found == NONE else (found, self._moves_to(best), self._moves_to(right))

    def _moves_to(self, int item):
        moves = []
        while self.states.items[item].parent != NONE:
            moves.append((self.states.items[item].kind, self.states.items[item].label_class))
            item = self.states.items[item].parent
        return moves[::-1]

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        cdef int64_t row = self.sentences.row_start[sentence]
        cdef int step = 0, found
        cdef int best, right
        self.start_sentence(sentence, n)
        self.decisions += 1
        while True:
            self.aim(step)
            found = self.follow(row, step, &best, &right)
            if found == NONE:
                break
            self.mistakes += step == 0
            self.compare(best, right, row)
            if not (self.follows() and self.go_back(found)):
                break
            step = found
        self.difference.teach(self.learner, 1)
        self.learner.advance()
        return 0

    cdef int keep_step(self) except -1 nogil:
        """Remember the beam's items of this step."""
        cdef int64_t size = self.beam.width + 1, room = 1024 * size + self.steps_room + self.steps_room // 2
        cdef int i
        if (self.n_steps + 1) * size > self.steps_room:
            self.steps = <int32_t*>self.scratch.resized(self.steps, room, sizeof(int32_t))
            self.steps_room = room
        self.steps[self.n_steps * size] = self.beam.n
        for i in range(self.beam.n):
            self.steps[self.n_steps * size + 1 + i] = self.beam.items[i]
        self.n_steps += 1
        return 0

    cdef int reserve_moves(self, int n) except -1 nogil:
        """Make room for four lists of equal length: kinds and classes of two sequences."""
        if 4 * n > self.moves_room:
            self.moves_made = <int32_t*>self.scratch.resized(self.moves_made, 8 * n, sizeof(int32_t))
            self.moves_room = 8 * n
        return 0

    cdef bint go_back(self, int step) except -1 nogil:
        """Let the beam be as it was at a step; return whether it has moves left there."""
        cdef int64_t size = self.beam.width + 1
        cdef const int32_t* kept = self.steps + step * size
        cdef int i, item, length
        cdef bint more = False
        for i in range(kept[0]):
            item = kept[1 + i]
            length = self.states.items[item].depth + 1
            self.reserve_moves(length)
            self.beam.items[i] = item
            if step + 1 < self.n_steps:
                self.states.show(item, i, self.words, self.moves_made, self.moves_made + length)
            more = more or not self.system.terminal(self.states.slots[self.states.items[item].slot])
        self.beam.n = kept[0]
        self.n_steps = step + 1
        return more

    cdef int aim(self, int step) except -1 nogil:
        """Let the target begin with those states of the beam that have lost least."""
        cdef int i, item, slot, least = 1 << 30
        for i in range(self.beam.n):
            least = min(least, self.states.items[self.beam.items[i]].loss)
        for i in range(self.target.width):
            self.states.shown[self.target.first_slot + i] = NONE
        self.target.n = 0
        for i in range(self.beam.n):
            if self.states.items[self.beam.items[i]].loss > least or self.target.n == self.target.width:
                continue
            item = self.states.new_item()
            slot = self.target.first_slot + self.target.n
            self.states.items[item] = self.states.items[self.beam.items[i]]
            self.states.copy_whole(slot, self.states.items[item].slot)
            self.states.items[item].slot = slot
            self.states.shown[slot] = item
            self.target.items[self.target.n] = item
            self.target.n += 1
        return 0

    cdef int follow(self, int64_t row, int step, int* best, int* right) except -2 nogil:
        """Go on until it is known where to compare; return that step and its two states, NONE where all is right."""
        cdef int found = NONE, i, least
        cdef double most = 0, ahead
        cdef bint more, in_beam
        cdef Item* first
        cdef Item* aimed
        while True:
            more = expand(self.parser, self.states, self.beam, self.scores, self.sentences.encoded, row, INFINITY, None)
            more = self.expand_target(row) or more
            if not more:
                break
            self.add_losses()
            self.states.advance(self.beam)
            self.states.advance(self.target)
            self.keep_step()
            step += 1
            first = &self.states.items[self.beam.items[0]]
            aimed = &self.states.items[self.target.items[0]]
            least = aimed.loss
            if self.early:
                in_beam = False
                for i in range(self.beam.n):
                    in_beam = in_beam or self.states.items[self.beam.items[i]].loss <= least
                if not in_beam:
                    best[0], right[0] = self.beam.items[0], self.target.items[0]
                    return step
            elif first.loss > least:
                ahead = first.score - aimed.score
                if ahead >= most:
                    found, most = step, ahead
                    best[0], right[0] = self.beam.items[0], self.target.items[0]
        if self.early and self.states.items[self.beam.items[0]].loss > self.states.items[self.target.items[0]].loss:
            best[0], right[0] = self.beam.items[0], self.target.items[0]
            return step
        return found

    cdef int right_kinds(self, const Configuration* c, unsigned legal, int* cost) except -1 nogil:
        """The kinds that lose least, as bits, and what each costs: 0 or 1 by an oracle that is not dynamic."""
        cdef const Gold* g = &self.gold.gold
        cdef int kind, least
        cdef unsigned right_kinds
        if not self.dynamic:
            right_kinds = <unsigned>1 << self.system.static_kind(c, g)
            for kind in range(self.system.n_kinds):
                cost[kind] = right_kinds >> kind & 1 == 0
            return right_kinds
        self.system.costs(c, g, cost)
        return cheapest(self.system.n_kinds, legal, cost, &least)

    cdef int add_losses(self) except -1 nogil:
        """Count what the beam's candidates lose by their moves."""
        cdef int i, at = NONE, relation
        cdef int cost[MAX_KINDS]
        cdef unsigned legal
        cdef BeamCandidate* candidate
        cdef const Configuration* c
        for i in range(self.beam.n_candidates):
            candidate = &self.beam.candidates[i]
            if candidate.kind == NONE or (not self.dynamic and candidate.loss > 0):
                continue
            c = self.states.slots[self.states.items[self.beam.items[candidate.at]].slot]
            if candidate.at != at:
                at = candidate.at
                legal = self.system.legal(c)
                self.right_kinds(c, legal, cost)
            candidate.loss += cost[candidate.kind]
            if candidate.label_class >= 0:
                relation = self.system.gold_relation(c, &self.gold.gold, candidate.kind)
                candidate.loss += relation != NONE and relation != self.moves.label[candidate.label_class]
                candidate.loss += self.blocked(c, candidate.kind, candidate.label_class)
        return 0

    cdef bint expand_target(self, int64_t row) except -1 nogil:
        """Gather the target's candidates: moves that lose least, with gold relations."""
        cdef int at, kind, chosen, first, end, relation
        cdef int cost[MAX_KINDS]
        cdef unsigned legal, right_kinds
        cdef const Item* item
        cdef const Configuration* c
        cdef BestMoves best
        cdef bint more = False, forced
        cdef float score
        self.target.clear_candidates()
        for at in range(self.target.n):
            item = &self.states.items[self.target.items[at]]
            c = self.states.slots[item.slot]
            if self.system.terminal(c):
                self.target.offer(item.score, item.signature, at, NONE, NONE, item.loss)
                continue
            more = True
            legal = self.system.legal(c)
            forced = forced_kind(self.moves, legal) != NONE
            right_kinds = self.right_kinds(c, legal, cost)
            if not forced:
                self.scores.best(c, self.sentences.encoded, row, legal, &best)
            for kind in range(self.moves.n_kinds):
                if right_kinds >> kind & 1 == 0:
                    continue
                score, chosen = 0, NONE
                if not forced:
                    score = best.record.scores[kind]
                    if self.moves.labelled >> kind & 1:
                        class_range(self.parser, c, kind, &first, &end)
                        relation = self.system.gold_relation(c, &self.gold.gold, kind)
                        chosen = self.moves.class_of(kind, relation) if relation != NONE else NONE
                        if chosen == NONE:
                            chosen = self.harmless(c, kind, first, end, best.scores)
                        score += best.scores[chosen]
                self.target.offer(
                    item.score + score, self.states.signature_after(item, kind, chosen), at, kind, chosen,
                    item.loss + cost[kind],
                )
        return more

    cdef int harmless(self, const Configuration* c, int kind, int first, int end, const float* scores) except -1 nogil:
        """Return the best class that keeps the rules and blocks no gold arc; where there is none, the best."""
        cdef int i, best = first, found = NONE
        for i in range(first, end):
            if scores[i] > scores[best]:
                best = i
        if self.live is None:
            return best
        for i in range(first, end):
            if found == NONE or scores[i] > scores[found]:
                if broken_by(self.parser, c, kind, self.moves.label[i]) == 0 and self.blocked(c, kind, i) == 0:
                    found = i
        return best if found == NONE else found

    cdef int blocked(self, const Configuration* c, int kind, int label_class) except -1 nogil:
        """Return how many gold arcs a move blocks by a rule, as if none had been blocked before."""
        cdef int head, dependent
        if self.live is None:
            return 0
        self.system.arc(c, kind, &head, &dependent)
        return self.live.blocked(self.system, c, kind, head, dependent, self.moves.label[label_class])

    cdef int compare(self, int best, int right, int64_t row) except -1 nogil:
        """Add the features of the right sequence, take those of the other; what they have in common is left out."""
        cdef int n_best = self.states.items[best].depth, n_right = self.states.items[right].depth, same = 0
        cdef int32_t* kinds
        cdef int32_t* right_kinds
        self.reserve_moves(max(n_best, n_right) + 1)
        kinds = self.moves_made
        right_kinds = kinds + 2 * n_best
        self.states.history(best, kinds, kinds + n_best)
        self.states.history(right, right_kinds, right_kinds + n_right)
        while (same < n_best and same < n_right and kinds[same] == right_kinds[same]
                and kinds[n_best + same] == right_kinds[n_right + same]):
            same += 1
        self.add_sequence(kinds, kinds + n_best, same, n_best, row, -1)
        self.add_sequence(right_kinds, right_kinds + n_right, same, n_right, row, 1)
        return 0

    cdef int add_sequence(self, const int32_t* kinds, const int32_t* classes, int first, int end, int64_t row,
                          float size) except -1 nogil:
        """Add the features of the moves first .. end of a sequence to the difference."""
        cdef Configuration* c = &self.scratch.workspace.c
        cdef int i
        cdef int counts[3]
        cdef unsigned legal
        self.sentences.encoded.equip(c, row)
        self.system.start(c, self.words)
        for i in range(end):
            if i >= first:
                legal = self.system.legal(c)
                if forced_kind(self.moves, legal) == NONE:
                    self.extractor.extract(c, self.sentences.encoded, row, self.scratch.keys, counts)
                    self.difference.add(self.scratch.keys, counts, kinds[i], classes[i], size)
            make_move(self.system, c, kinds[i], self.moves.label[classes[i]] if classes[i] >= 0 else NONE)
        return 0
