// Five sentences that show how parsing by moves works, how one error leads to others, and what a dynamic oracle does.

const LETTER = { system: "arc-eager", words: "He wrote her a letter .", heads: "2 0 2 5 2 2", relations: "nsubj root iobj det obj punct" };

export const LESSON = [
  {
    title: "moves", system: "arc-eager", words: "She reads books", heads: "2 0 2", relations: "nsubj root obj",
    text: "SHIFT puts the next word on the stack. LEFT makes the front of the buffer the head of the word on the stack, RIGHT the other way round. REDUCE takes a word away that has its head. Go forward move by move, and read beside each other move which gold arcs it would lose.",
  },
  {
    ...LETTER, title: "two ways", at: 4,
    text: "Here two moves cost nothing: “her” may leave the stack now, or later. A static oracle knows one of them, a dynamic oracle both.",
  },
  {
    ...LETTER, title: "an error leads to others", moves: "SHIFT LEFT(nsubj) SHIFT SHIFT SHIFT LEFT(det) SHIFT SHIFT", follow: "dynamic", at: 3,
    text: "“her” was shifted where RIGHT(iobj) was right: that loses one arc. This parser goes on as if nothing had happened, as it learnt from a static oracle. “her” still lies on the stack, so the next arcs cannot be built either: one error has become three.",
  },
  {
    ...LETTER, title: "a dynamic oracle", moves: "SHIFT LEFT(nsubj) SHIFT SHIFT", follow: "dynamic", at: 4,
    text: "The same error. The dynamic oracle asks what is the best that can still be done: it attaches “her” to the wrong head, so that it is out of the way, and loses no other arc. A parser that learns from it learns to recover.",
  },
  {
    title: "a real parser", model: "english-fast", words: "The old man the boats .", heads: "2 3 0 5 3 3", relations: "det nsubj root det obj punct", at: 2,
    text: "“man” is the verb here, and “the old” are people. The model takes “old man” together, and one decision costs several arcs. Take the right move instead, and see what the model makes of the rest.",
  },
];
