"""AdamW for the rows of a table that a batch reads, in one pass (``native/neural_learning.h``).

Tensors come as the addresses of their numbers: 32-bit floats, row after row. ``lazy_rows.py`` sees to that.
"""
from libc.math cimport fabs, pow, sqrt
from libc.stdint cimport int64_t, uintptr_t

from treewright.kinds.network.kernel.paths cimport current_path

cdef extern from "neural_learning.h" nogil:
    ctypedef struct tw_row:
        float* weights
        float* averages
        float* means
        float* squares

    ctypedef struct tw_adamw:
        float rate, shrink, beta1, beta2, unbias1, unbias2, epsilon, keep

    ctypedef struct tw_pause:
        float rate, unbias1, unbias2, epsilon, reach, left, beta1, beta2, keep, pull

    void tw_learn_row(int path, tw_row row, const float* gradient, tw_adamw how, int n)
    void tw_catch_up(int path, tw_row row, tw_pause pause, int n)


cdef class RowLearner:
    """AdamW and the average of the weights for a table; a row is brought up to date when a batch reads it.

    ``addresses``: of the weights, their averages, the running means of gradients and those of their squares, each
    ``rows`` times ``width`` numbers; of the step at which each row was last up to date (64-bit integers), and of the
    learning rate at the last step that had a gradient for it.
    """
    cdef uintptr_t weights, averages, means, squares, steps, rates
    cdef int64_t n_rows
    cdef int width
    cdef double beta1, beta2, decay, epsilon

    def __init__(self, tuple addresses, int64_t rows, int width, tuple betas, double decay, double epsilon):
        self.weights, self.averages, self.means, self.squares, self.steps, self.rates = addresses
        self.n_rows, self.width = rows, width
        self.beta1, self.beta2 = betas
        self.decay, self.epsilon = decay, epsilon

    cdef tw_row row(self, int64_t number) noexcept nogil:
        cdef int64_t at = number * self.width
        return tw_row(<float*>self.weights + at, <float*>self.averages + at, <float*>self.means + at,
                      <float*>self.squares + at)

    cdef int check(self, const int64_t* numbers, int64_t n) except -1:
        cdef int64_t i
        for i in range(n):
            if not 0 <= numbers[i] < self.n_rows:
                raise IndexError(f"row {numbers[i]} of a table of {self.n_rows}")
        return 0

    def catch_up(self, uintptr_t numbers, int64_t n, int64_t now, double keep):
        """Do what the steps up to ``now`` do to rows that had no gradient since they were last up to date.

        The rate of the last gradient and this step's ``keep`` stand for those of all these steps: they change slowly,
        and the way that is left shrinks fast. Weight decay waits for the next gradient.
        """
        cdef const int64_t* chosen = <const int64_t*>numbers
        cdef int64_t* steps = <int64_t*>self.steps
        cdef float* rates = <float*>self.rates
        cdef double ratio = self.beta1 / sqrt(self.beta2)
        cdef double unbias1, unbias2, gap, left, kept
        cdef int64_t i, number
        cdef int path = current_path()
        cdef tw_pause pause
        self.check(chosen, n)
        if fabs(keep - ratio) < 1e-6:
            keep += 1e-5
        with nogil:
            for i in range(n):
                number = chosen[i]
                if steps[number] >= now:
                    continue
                unbias1, unbias2 = 1.0 / (1.0 - pow(self.beta1, now)), 1.0 / (1.0 - pow(self.beta2, now))
                gap = now - steps[number]
                left, kept = pow(ratio, gap), pow(keep, gap)
                pause = tw_pause(rates[number], unbias1, unbias2, self.epsilon, ratio / (1.0 - ratio), left,
                                 pow(self.beta1, gap), pow(self.beta2, gap), kept,
                                 (1.0 - keep) * ratio * (kept - left) / (keep - ratio))
                tw_catch_up(path, self.row(number), pause, self.width)
                steps[number] = now

    def learn(self, uintptr_t numbers, int64_t n, uintptr_t gradients, int64_t now, double rate, double keep):
        """Change rows that are up to date by the gradients of step ``now``."""
        cdef const int64_t* chosen = <const int64_t*>numbers
        cdef int64_t i
        cdef int path = current_path()
        cdef tw_adamw how = tw_adamw(
            rate, 1.0 - rate * self.decay, self.beta1, self.beta2, 1.0 / (1.0 - pow(self.beta1, now)),
            1.0 / (1.0 - pow(self.beta2, now)), self.epsilon, keep)
        self.check(chosen, n)
        with nogil:
            for i in range(n):
                tw_learn_row(path, self.row(chosen[i]), <const float*>gradients + i * self.width, how, self.width)
                (<int64_t*>self.steps)[chosen[i]] = now
                (<float*>self.rates)[chosen[i]] = rate
