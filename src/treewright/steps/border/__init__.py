"""The checked border: everything that a model file says is checked here before compiled code sees it.

Model files are documents that people share. Whoever wrote one may have made a mistake, or may mean harm. What passes
the border cannot make compiled code read or write out of bounds, run for ever, or take memory out of proportion to the
file.

- `container`: the file itself: lengths, types and places of arrays, the digest.
- `schema`: how a header is described: types, ranges, sizes.
- `headers`: the schema of every kind of parser, and of tokeniser and tagger.
- `arrays`: the arrays of every kind: types, lengths that must agree, numbers that are finite and in range.
- `numbers`: the loops over arrays, compiled.

Compiled classes rely on this and say so in their docstrings (see *Invariants*). What only they can see, such as whether
keys collide, they check themselves when they are made, and raise ModelFileError, too.
"""
