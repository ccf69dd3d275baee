// A sentence as the server shows it: which words it has, and what head and relation each has, fixed or suggested.

export const wordsOf = (sentence) => sentence.tokens.filter((token) => /^\d+$/.test(token.id));

export class Sentence {
  constructor(data) {
    Object.assign(this, data);
    this.words = wordsOf(data);
  }

  get place() {
    return { file: this.file, n: this.n };
  }

  word(n) {
    return this.words[n - 1];
  }

  isFixed(n) {
    return this.word(n).head !== "_";
  }

  headOf(n) {
    return this.isFixed(n) ? Number(this.word(n).head) : this.suggestion?.heads[n - 1] ?? null;
  }

  relationOf(n) {
    const own = this.word(n).deprel;
    return this.isFixed(n) && own !== "_" ? own : this.suggestion?.relations[n - 1] ?? "_";
  }

  confidenceOf(n) {
    return this.isFixed(n) || !this.suggestion ? null : this.suggestion.confidences[n - 1];
  }

  tagOf(n) {
    const own = this.word(n).upos;
    return own === "_" ? this.suggestion?.tags[n - 1]?.[1] ?? "_" : own;
  }

  // The tags of a word and of its head, by which relations are looked up.
  tagsOf(n, head = this.headOf(n)) {
    return `${this.tagOf(n)} ${head ? this.tagOf(head) : "ROOT"}`;
  }

  get isAnnotated() {
    return this.words.every((word) => word.head !== "_");
  }
}
