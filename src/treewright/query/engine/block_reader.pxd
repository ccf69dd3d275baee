from libc.stdint cimport int32_t, uint64_t

from treewright.query.engine.sentence_graph cimport SentenceGraph
from treewright.query.engine.value_table cimport ValueTable
from treewright.treebank.blocks.block cimport Block

cdef enum:                        # what tests of nodes look at
    FORM
    LEMMA
    UPOS
    XPOS
    FEATS
    MISC
    TEXT_FORM
    WORD_FORM
    RELATION                             # of the tree: only to find out soon which sentences to look at
    N_COLUMNS


cdef struct Text:
    const char* start
    int length                           # -1: missing


cdef struct Term:                        # bits that must be set, and bits that must not
    uint64_t must
    uint64_t must_not


cdef class Condition:
    cdef int n_alternatives, n_clauses, n_terms
    cdef int* first_clause               # [n_alternatives + 1]
    cdef int* first_term                 # [n_clauses + 1]
    cdef Term* terms

    cdef inline bint holds(self, uint64_t mask) noexcept nogil:
        """Return whether the terms of all clauses of an alternative hold, one of each clause."""
        cdef int alternative, clause, term
        for alternative in range(self.n_alternatives):
            for clause in range(self.first_clause[alternative], self.first_clause[alternative + 1]):
                for term in range(self.first_term[clause], self.first_term[clause + 1]):
                    if mask & self.terms[term].must == self.terms[term].must and not mask & self.terms[term].must_not:
                        break
                else:
                    break
            else:
                return True
        return False


cdef class BlockReader:
    cdef SentenceGraph graph
    cdef list tables, arc_tables         # kept alive
    cdef void* table[16]                 # of a column; NULL: no test looks at it
    cdef ValueTable tree_labels, graph_labels
    cdef bint with_graph, with_arcs
    cdef list misc_names                 # the features of MISC that tests name
    cdef int n_misc_names
    cdef const char** misc_name
    cdef int* misc_length
    cdef Condition rare
    cdef bint rare_columns[16]
    cdef bint anchor_may, others_may
    cdef Block block
    cdef const char* text                # what follows is of the block
    cdef int32_t* fields
    cdef int32_t* heads
    cdef int32_t* sentence_word
    cdef int32_t* sentence_offset
    cdef int32_t* word_line
    cdef int n_columns, id_place, deps_place
    cdef bint has_comments
    cdef int place[16]                   # of a column in the layout
    # what is known of the sentence that was loaded
    cdef int n_others, text_room
    cdef int32_t* other_fields           # [n_others * (n_columns + 2)]: of an empty node: its node, then its columns
    cdef int32_t* node_of_word           # [words + 1]
    cdef int32_t* text_form              # [nodes * 2]: start and length of what stands in the text

    cdef inline const int32_t* field_of(self, int word) noexcept nogil:
        return self.fields + word * (self.n_columns + 1)

    cdef int open(self, Block block) except -1
    cdef bint may_match(self, int sentence) except -1 nogil
    cdef int load(self, int sentence) except -1 nogil
    cdef Text _text(self, const int32_t* field, int node, int column) noexcept nogil
    cdef uint64_t _mask(self, const int32_t* field, int node, bint only_rare) except? 1 nogil
    cdef int _entry(self, int column, Text text) except -1 nogil
    cdef bint _is_other(self, const int32_t* field) noexcept nogil
    cdef bint _has_misc_name(self, Text text) noexcept nogil
    cdef int _look_at_lines(self, int sentence) except -1 nogil
    cdef bint _has_other_lines(self, int sentence) noexcept nogil
    cdef int _add_tree(self, int sentence) except -1 nogil
    cdef int _add_graph(self, const int32_t* field, int node, int words) except -1 nogil
    cdef int _node_named(self, const char* start, const char* stop, int words) noexcept nogil
    cdef int _add_arc(self, void* table, int source, int node, const char* label, int length) except -1 nogil
