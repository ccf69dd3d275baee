"""Lines of a text, and what tells whether the end of one means anything.

The end of a line may be there because the next word had no room (text wrapped at some column), or because something
ends: a greeting, a heading, an item of a list, a row of a table. It is judged by the line, by those around it and by
how wide the text was wrapped. Nothing here depends on the language, and nothing looks further than two lines.
"""
from libc.stdint cimport uint32_t
from libc.stdlib cimport free

from treewright.kinds.tokenizer.boundaries.characters cimport (
    BLANK_LINE_END, CLOSE, COMMA, CURRENCY, DASH, DIGIT, EMOJI, IDEOGRAPH, KANA, LETTER, LOWER, MARK, OPEN, QUOTE, SIGN,
    SPACE, STOP, SYMBOL, UNSPACED, UPPER, Characters, is_end,
)
from treewright.treebank.blocks.memory cimport allocate, resize

cdef enum:
    LONGEST_LINE = 400       # columns that are counted
    TAB = 4                  # columns of a tab
    MOST_MARKS = 6           # of a heading
    FEW = 2                  # lines that a width must explain
    NARROWEST = 30           # columns: nobody wraps prose at fewer
    LONGEST_MARK = 24        # characters of a name or a time before what is said, of a key before its value
    MOST_KEY_WORDS = 3

cdef bint ends_sentence(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether the line before a place ends like a sentence."""
    while at > 0 and (text.kind[at - 1] == CLOSE or text.kind[at - 1] == QUOTE):
        at -= 1
    return at > 0 and text.kind[at - 1] == STOP


cdef inline bint is_letter(int kind) noexcept nogil:
    return kind in (LOWER, UPPER, LETTER, IDEOGRAPH, KANA, UNSPACED)


cdef inline bint is_soft(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether spaces stand at a place that end no line."""
    return text.kind[at] == SPACE and not is_end(text.code[at])


cdef inline bint is_digit_or_letter(Characters text, Py_ssize_t at) noexcept nogil:
    return text.kind[at] == DIGIT or is_letter(text.kind[at])


cdef int mark_length(Characters text, Py_ssize_t at, int last) noexcept nogil:
    """Return how many characters a mark has that begins here, up to its last one; 0 if no space follows it soon."""
    cdef int k, words = 0
    for k in range(1, LONGEST_MARK):
        if text.code[at + k] == last and text.kind[at + k] != SPACE:
            return k + 1 if is_soft(text, at + k + 1) else 0
        if text.kind[at + k] == SPACE:
            words += 1
            if is_end(text.code[at + k]) or words == MOST_KEY_WORDS:
                return 0
        elif text.kind[at + k] == STOP and text.kind[at + k + 1] == SPACE:
            return 0
    return 0


cdef bint is_dotted(Characters text, Py_ssize_t at) noexcept nogil:
    """Say whether a number of several parts begins here, as before clauses of laws: "2.1 "."""
    cdef int k, parts = 1
    for k in range(1, 12):
        if text.kind[at + k] == SPACE:
            return parts > 1 and is_soft(text, at + k)
        if text.code[at + k] == c'.' and text.kind[at + k - 1] == DIGIT:
            parts += text.kind[at + k + 1] == DIGIT
        elif text.kind[at + k] != DIGIT:
            return False
    return False


cdef int shape_of(Characters text, Py_ssize_t at) noexcept nogil:
    """Return what the first word of a line looks like, runs of digits and letters as one; 0 if it is letters alone."""
    cdef uint32_t shape = 0
    cdef int code, before = 0, signs = 0
    while at < text.n and text.kind[at] != SPACE:
        code = c'9' if text.kind[at] == DIGIT else c'a' if is_letter(text.kind[at]) else text.code[at]
        if code != before or (code != c'9' and code != c'a'):
            shape = 31 * shape + <uint32_t>code
        signs += code != c'a'
        before = code
        at += 1
    return 1 + <int>(shape & 0xFFFFFF) if signs else 0


cdef Lead lead_of(Characters text, Py_ssize_t at) noexcept nogil:
    """Return how a line begins, after marks of quotation."""
    cdef int kind = text.kind[at], code = text.code[at], k
    if kind == DASH:
        if is_soft(text, at + 1):
            return BULLET if code == c'-' else DIALOGUE
        return DASHED
    if kind in (SIGN, SYMBOL, EMOJI, COMMA) or code == c'o':
        k = 1
        while k < MOST_MARKS and kind == SIGN and text.code[at + k] == code:      # ## of a heading
            k += 1
        if is_soft(text, at + k):
            return BULLET
    if code == c'[' or code == c'<':
        k = mark_length(text, at, c']' if code == c'[' else c'>')
        if k > 4 or (k > 0 and code == c'<') or (k > 0 and not is_digit_or_letter(text, at + 1)):
            return TAGGED
    if kind == OPEN or kind == QUOTE:
        for k in range(1, 4):
            if text.kind[at + k] not in (DIGIT, LOWER, UPPER):
                break
        if kind == OPEN and k > 1 and text.kind[at + k] == CLOSE and is_soft(text, at + k + 1):
            return ITEM_NUMBER
        return QUOTED_CAPITAL if text.kind[at + 1] == UPPER else QUOTED
    if kind == DIGIT or (kind in (LOWER, UPPER) and text.code[at + 1] == c')'):
        k = 1
        while k < 3 and text.kind[at + k] == DIGIT:
            k += 1
        if text.code[at + k] in (c'.', c')') and is_soft(text, at + k + 1):
            return ITEM_NUMBER
        if kind == DIGIT:
            return DOTTED_NUMBER if is_dotted(text, at) else NUMBER
    if kind == LOWER:
        return SMALL_LETTER
    if kind == UPPER:
        return KEYED if mark_length(text, at, c':') else CAPITAL_LETTER
    return OTHER_LETTER if is_letter(kind) else OTHER_SIGN


cdef Tail tail_of(Characters text, Py_ssize_t at) noexcept nogil:
    """Return how the line before a place ends."""
    cdef int kind, code, n = 0
    cdef bint closed = False
    at -= 1
    while text.kind[at] == CLOSE or text.kind[at] == QUOTE:
        closed = True
        at -= 1
    kind, code = text.kind[at], text.code[at]
    if kind == STOP:
        return STOP_CLOSED if closed else FULL_STOP if code != c'!' and code != c'?' else OTHER_STOP
    if closed:
        return CLOSED
    if kind == COMMA:
        return COLON if code == c':' or code == 0xFF1A else SEMICOLON if code == c';' or code == 0xFF1B else A_COMMA
    if kind == DASH:
        return HYPHEN if is_hyphen(text, at) else LONG_DASH
    if kind == DIGIT:
        return DIGITS
    if not is_letter(kind) and kind != MARK:
        return OTHER_TAIL
    while n < 40 and (is_letter(text.kind[at]) or text.kind[at] == MARK):
        at -= 1
        n += 1
    kind = text.kind[at + 1]
    if kind == UPPER:
        return CAPITAL_WORD
    if kind == LOWER:
        return SHORT_WORD if n < 4 else SMALL_WORD
    return OTHER_WORD


cdef int indent_of(Characters text, Py_ssize_t at) noexcept nogil:
    """Return the columns of the spaces before the first character of a line."""
    cdef int k, columns = 0
    if at == 0 or text.kind[at - 1] != SPACE:
        return 0
    k = text.offset[at] - 1
    while k >= text.offset[at - 1] and text.data[k] not in (c'\n', c'\r') and columns < LONGEST_LINE:
        columns += TAB if text.data[k] == c'\t' else 1
        k -= 1
    return columns


cdef Py_ssize_t begin(Characters text, Py_ssize_t at, int wide, Line* line) noexcept nogil:
    """Write how a line begins; return where it does so after marks of quotation."""
    cdef Py_ssize_t k
    line.first, line.from_byte = at, text.offset[at]
    line.indent = line.length = indent_of(text, at)
    line.begins = at == 0 or (text.kind[at - 1] == SPACE and text.code[at - 1] == BLANK_LINE_END)
    line.depth = line.words = line.gaps = line.capitals = line.letters = line.small = line.signs = line.titles = 0
    line.under_way = line.last = False
    line.item = line.word = line.shape = 0
    while text.code[at] == c'>' and text.kind[at] != SPACE:
        line.depth += 1
        at += 1
        line.length += 1
        if is_soft(text, at):
            line.length += 1
            at += 1
    if at >= text.n or is_end(text.code[at]):
        line.lead = OTHER_SIGN
        return at
    line.lead, line.shape = lead_of(text, at), shape_of(text, at)
    k = at
    while k < text.n and text.kind[k] != SPACE and line.word < LONGEST_LINE:
        line.word += columns_of(text, k, wide)
        k += 1
        if is_wide(text, k - 1) or is_wide(text, k):
            # A line never begins with a full stop or a bracket that closes: these go with the character before.
            line.word += 2 * wide
            break
    return at


cdef Py_ssize_t read(Characters text, Py_ssize_t at, Py_ssize_t end, int wide, Line* line) noexcept nogil:
    """Add the characters from a place on to a line; return where it ends, or ``end``."""
    cdef int kind, before = SPACE
    while at < end:
        kind = text.kind[at]
        if kind == SPACE:
            if is_end(text.code[at]):
                break
            line.length += text.place[at + 1] - text.place[at]
            line.gaps += text.place[at + 1] - text.place[at] > 1 or text.data[text.offset[at]] == c'\t'
        else:
            line.length += columns_of(text, at, wide)
            line.words += before == SPACE
            line.titles += before == SPACE and kind == UPPER
            line.letters += is_letter(kind)
            line.small += kind == LOWER
            line.capitals += kind == UPPER
            line.signs += kind in (SIGN, SYMBOL, OPEN, CLOSE, EMOJI, CURRENCY)
        before = kind
        at += 1
    if line.length > LONGEST_LINE:
        line.length = LONGEST_LINE
    return at


cdef bint is_hyphen(Characters text, Py_ssize_t at) noexcept nogil:
    """Whether a character is a hyphen behind a letter."""
    return is_letter(text.kind[at - 1]) and (text.code[at] == c'-' or text.code[at] == 0x2010)


cdef class Lines:
    def __init__(self, Characters text not None, int wide=2, Lines before=None):
        """Read the lines of a text. ``before``: those of the text that ends here, the last of which goes on."""
        cdef Py_ssize_t at
        self.wide = wide
        self.capacity = 64
        self.line = <Line*>allocate(self.capacity, sizeof(Line))
        with nogil:
            at = 1 if text.n and text.kind[0] == SPACE else 0
            if before is not None:
                at = self.take(text, at, before)
            while at < text.n:
                at = self.add(text, at)

    def __dealloc__(self):
        free(self.line)

    cdef Py_ssize_t take(self, Characters text, Py_ssize_t at, Lines before) noexcept nogil:
        """Take over the last lines of the text before; return where the next line begins."""
        cdef int k
        for k in range(before.n):
            self.line[k] = before.line[k]
            self.line[k].end = self.line[k].first = self.line[k].from_byte = -1
        self.n = before.n
        if self.n == 0 or not self.line[self.n - 1].under_way:
            return at
        self.opened = self.line[self.n - 1]
        return self.close(text, 0, self.n - 1)

    cdef Py_ssize_t add(self, Characters text, Py_ssize_t at) except -1 nogil:
        """Read the line that begins at a place; return where the next one does."""
        cdef Py_ssize_t content
        if self.n + 1 >= self.capacity:
            self.capacity *= 2
            self.line = <Line*>resize(self.line, self.capacity, sizeof(Line))
        content = begin(text, at, self.wide, &self.line[self.n])
        return self.close(text, content, self.n)

    cdef Py_ssize_t close(self, Characters text, Py_ssize_t at, int number) noexcept nogil:
        """Read a line to its end; return where the next one begins."""
        cdef Line* line = &self.line[number]
        at = read(text, at, text.n, self.wide, line)
        line.end, line.to_byte = at, text.offset[at]
        line.under_way = False
        line.tail = tail_of(text, at)
        line.item = item_of(line, self.line + number - 1 if number and not line.begins else NULL)
        line.last = at >= text.n - 1 or text.code[at] == BLANK_LINE_END
        self.n = number + 1
        return at + 1

    def until(self, Characters text not None, Py_ssize_t end):
        """Return the last lines of text[:end], of which more is to come."""
        cdef Lines kept = Lines.__new__(Lines)
        cdef int limit = text.offset[end], number = 0, k
        cdef Line* last
        while number < self.n and self.line[number].from_byte < limit:
            number += 1
        kept.wide, kept.capacity = self.wide, 64
        kept.line = <Line*>allocate(kept.capacity, sizeof(Line))
        for k in range(max(0, number - BEHIND - 1), number):
            kept.line[kept.n] = self.line[k]
            kept.n += 1
        last = &kept.line[kept.n - 1]
        if kept.n and last.to_byte > limit:
            with nogil:
                kept.reopen(text, end, self, last)
        return kept

    cdef void reopen(self, Characters text, Py_ssize_t end, Lines whole, Line* line) noexcept nogil:
        """Read a line again, up to a place within it. What ends of lines mean may be written into the text by now."""
        cdef Py_ssize_t at = 0, high = end
        cdef int first = line.from_byte
        if first < 0:
            line[0] = whole.opened
        else:
            while at < high:             # the first character that does not begin before the line
                if text.offset[(at + high) // 2] < first:
                    at = (at + high) // 2 + 1
                else:
                    high = (at + high) // 2
            at = begin(text, at, self.wide, line)
        read(text, at, end, self.wide, line)
        line.under_way = True

    def style(self):
        """Return how many ends of long lines the best width explains, how many lines are as long, and the width.

        Then: how many long lines end, how many lines; how many of these end like sentences; how many go on with a
        small letter, with a capital.
        """
        cdef int k, column, best = 0, now = 0, width = 0, ends = 0, stops = 0, small = 0, large = 0, all_ends = 0
        cdef int full = 0
        cdef int change[2 * LONGEST_LINE + 8]
        for column in range(2 * LONGEST_LINE + 8):
            change[column] = 0
        for k in range(self.n - 1):
            if self.line[k].last or self.line[k].end < 0:
                continue
            all_ends += 1
            stops += self.line[k].tail in (FULL_STOP, OTHER_STOP, STOP_CLOSED)
            small += self.line[k + 1].lead == SMALL_LETTER
            large += self.line[k + 1].lead == CAPITAL_LETTER
            if self.line[k].length < NARROWEST or self.line[k + 1].lead in (BULLET, ITEM_NUMBER):
                continue
            ends += 1
            change[self.line[k].length] += 1
            change[self.line[k].length + self.line[k + 1].word + 1] -= 1
        for column in range(2 * LONGEST_LINE):
            now += change[column]
            if now > best:
                best, width = now, column
        for k in range(self.n - 1):
            full += self.line[k].length == width and not self.line[k].last
        return best, full, width, ends, all_ends, stops, small, large

    cdef int features(self, int number, int width, int support, int share, int* out) noexcept nogil:
        """Write what tells about the end of a line before another; return how many features there are.

        ``width``: that of wrapped text, ``support`` and ``share``: how many of the text's lines it explains.
        """
        cdef Line* a = self.line + number
        cdef Line* b = self.line + number + 1
        cdef int first = number, last = number + 1, k, n = 0, longest = 0, small = 0, stops = 0, near, room, size, shift
        cdef int capitals = 0, alike = 0, shortest = LONGEST_LINE, spread
        while first > 0 and number - first < BEHIND and not self.line[first].begins:
            first -= 1
        while last < self.n - 1 and last - number <= AHEAD - 1 and not self.line[last].last:
            last += 1
        for k in range(first, last + 1):
            if k != number:
                longest = max(longest, self.line[k].length)
            if not self.line[k].last:
                shortest = min(shortest, self.line[k].length)
            if k > first and k != number + 1:
                small += self.line[k].lead == SMALL_LETTER
                capitals += self.line[k].lead == CAPITAL_LETTER
            if b.shape and k != number + 1 and self.line[k].shape == b.shape:
                alike = 1 if k == number else 2 if k < number else max(alike, 3)
            if k < last and k != number:
                stops += self.line[k].tail in (FULL_STOP, OTHER_STOP, STOP_CLOSED)
        room = 0 if support < FEW else 1 + room_for(a.length, b.word, width)
        near = room_for(a.length, b.word, max(longest, a.length)) + (8 if a.length >= longest else 0)
        size = bucket(a.length)
        spread = bucket(2 * (max(longest, a.length) - shortest))
        shift = 3 if b.indent > a.indent else 2 if b.indent < a.indent else 1 if a.indent > 0 else 0
        share = share if support >= FEW else 0
        n = put(out, n, 0, b.lead, room)
        n = put(out, n, 1, a.tail, room)
        n = put(out, n, 2, a.tail, b.lead)
        n = put(out, n, 3, b.lead, near)
        n = put(out, n, 4, b.lead, size)
        n = put(out, n, 5, size, near)
        n = put(out, n, 6, shift, b.lead)
        n = put(out, n, 7, a.item * 4 + (b.indent > a.indent) + 2 * (b.lead == BULLET or b.lead == ITEM_NUMBER), room)
        n = put(out, n, 8, a.lead, b.lead)
        n = put(out, n, 9, (a.depth > 0) + 2 * (b.depth > 0) + 4 * (a.depth != b.depth), room)
        n = put(out, n, 10, min(a.gaps, 2) + 3 * min(b.gaps, 2), room > 1)
        n = put(out, n, 11, outline(a), room)
        n = put(out, n, 12, outline(b), a.tail)
        n = put(out, n, 13, a.begins + 2 * b.last + 4 * (a.tail >= FULL_STOP), size)
        n = put(out, n, 14, small + 4 * capitals, b.lead)
        n = put(out, n, 15, small, room)
        n = put(out, n, 16, stops, a.tail)
        n = put(out, n, 17, share, room)
        n = put(out, n, 18, share, b.lead)
        n = put(out, n, 19, min(a.words, 10), b.lead)
        n = put(out, n, 20, min(a.words, 10), a.tail)
        n = put(out, n, 21, bucket(b.length), near)
        n = put(out, n, 22, outline(a), size)
        n = put(out, n, 23, shift, near)
        n = put(out, n, 24, bucket(b.length), size)
        n = put(out, n, 25, min(31, support // 2), room)
        n = put(out, n, 26, outline(a), b.lead)
        n = put(out, n, 27, alike, b.lead)
        n = put(out, n, 28, alike, a.tail)
        n = put(out, n, 29, spread, b.lead)
        n = put(out, n, 30, spread, a.tail)
        return n

    def features_of_ends(self, int width, int support, int share):
        """Return the place of the character after each end of a line that may mean nothing, and its features."""
        cdef int out[MOST_FEATURES]
        cdef int k, n
        found = []
        for k in range(self.n - 1):
            if not self.line[k].last and self.line[k].end >= 0:
                n = self.features(k, width, support, share, out)
                found.append((self.line[k].end, [out[i] for i in range(n)]))
        return found


cdef inline int put(int* out, int n, int template, int x, int y) noexcept nogil:
    """Write the number of a feature: of a pair of values below 32."""
    out[n] = template << 10 | x << 5 | y
    return n + 1


cdef inline int item_of(const Line* line, const Line* before) noexcept nogil:
    """Return what the line is an item of: 0 nothing, 1 a list, 2 the item before, which goes on."""
    if line.lead == BULLET or line.lead == ITEM_NUMBER:
        return 1
    return 2 if before != NULL and before.item else 0


cdef inline int room_for(int length, int word, int width) noexcept nogil:
    """Return how much room a line leaves: 0 it is too long, 1 the next word does not fit, 2 or more: it does."""
    cdef int left = width - length - 1 - word
    if length > width:
        return 0
    if left < 0:
        return 1
    return 2 if left < 3 else 3 if left < 8 else 4 if left < 20 else 5 if left < 40 else 6


cdef inline int bucket(int length) noexcept nogil:
    if length < 40:
        return 0 if length < 12 else 1 if length < 20 else 2 if length < 30 else 3
    return 4 if length < 50 else 5 if length < 60 else 6 if length < 80 else 7 if length < 110 else 8


cdef inline int outline(const Line* line) noexcept nogil:
    """Return what a line looks like: of signs alone, in capitals, a title, with many signs as in code."""
    if line.letters == 0:
        return 1 if line.signs or line.words == 1 else 2
    if 4 * line.signs > line.letters:
        return 3
    if line.small == 0 and line.capitals > 2:
        return 4
    if line.words > 1 and line.titles == line.words:
        return 5
    if line.words > 2 and 2 * line.titles > line.words:
        return 6
    return 7 if line.signs > 2 else 0
